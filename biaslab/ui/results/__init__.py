"""Effects and items."""
