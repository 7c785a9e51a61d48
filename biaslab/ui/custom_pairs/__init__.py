"""A person's own problems and imported pairs."""
