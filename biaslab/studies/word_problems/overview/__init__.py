"""What a set of pairs contains, and whether its conditions are balanced."""
