"""Training a tiny model from the command line."""
