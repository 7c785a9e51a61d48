"""Asking a model: the form, the estimate, the limits."""
