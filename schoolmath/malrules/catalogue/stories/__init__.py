"""Word problems."""
