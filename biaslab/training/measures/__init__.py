"""What a tiny model has learnt."""
