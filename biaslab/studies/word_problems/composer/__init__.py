"""Pairs from structures and treatments that a person composes."""
