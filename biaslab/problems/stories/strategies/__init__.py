"""The ways from what a story tells to what it asks, each for one kind of story."""
