"""From a file's bytes to what it holds: here, or apart where a stranger gave it."""
