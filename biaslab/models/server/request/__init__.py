"""One request to a server: written, sent, repeated, read."""
