"""Asking models: which there are, one run, and many by a plan."""
