"""Averages, graphs, tables."""
