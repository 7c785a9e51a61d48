"""A server's batch interface."""
