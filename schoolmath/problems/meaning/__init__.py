"""Whether a changed text still says the same problem."""
