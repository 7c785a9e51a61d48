"""What a run will take: requests, tokens, money, time."""
