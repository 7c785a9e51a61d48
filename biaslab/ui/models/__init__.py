"""Models and the servers that have them."""
