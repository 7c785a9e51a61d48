"""Asking: items prepared, sent, kept while they arrive."""
