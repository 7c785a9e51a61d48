"""Pieces of screens that only studies of word problems have."""
