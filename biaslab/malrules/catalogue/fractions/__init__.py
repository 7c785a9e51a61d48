"""Fractions, ratios, percentages."""
