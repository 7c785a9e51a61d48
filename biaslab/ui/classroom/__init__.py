"""A class's answers and the guessing game."""
