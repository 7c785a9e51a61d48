"""The screen of the corpus audit."""
