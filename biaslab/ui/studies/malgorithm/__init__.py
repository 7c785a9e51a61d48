"""Mal-rule identification."""
