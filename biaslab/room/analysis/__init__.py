"""What a room answered: read by its study, counted, and its effect."""
