"""What a server can do, found by asking it."""
