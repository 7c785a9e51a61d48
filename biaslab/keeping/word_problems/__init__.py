"""Pairs that a model corrects, and the demo."""
