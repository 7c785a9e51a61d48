"""A real language model taught consistent and inconsistent comparisons in a few ratios."""
