"""Time, money and scales."""
