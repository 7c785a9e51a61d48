"""Transformers models on this machine."""
