"""Biases of a person's own, and runs of decisions in the published columns."""
