"""Decimals: divided, shifted, written in other ways, rounded and bounded."""
