"""Equations, inequalities, sequences, functions."""
