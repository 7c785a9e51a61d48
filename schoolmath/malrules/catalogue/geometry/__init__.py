"""Lengths, areas, volumes, angles, coordinates, units."""
