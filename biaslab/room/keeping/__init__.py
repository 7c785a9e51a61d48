"""The file of rooms: what is written down, by one thread, and read back."""
