"""Mend the grammar: which pairs, the mending, and what came of it."""
