"""Judging pairs."""
