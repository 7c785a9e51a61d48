"""Figures that only word problems have."""
