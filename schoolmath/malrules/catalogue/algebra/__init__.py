"""Expressions, powers, brackets, terms."""
