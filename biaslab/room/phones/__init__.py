"""What phones are given and what they send."""
