"""Concept learning."""
