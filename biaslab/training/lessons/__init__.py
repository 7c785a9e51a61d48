"""What a tiny model is taught."""
