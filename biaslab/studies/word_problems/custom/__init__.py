"""A person's own problem and imported pairs."""
