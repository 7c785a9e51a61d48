"""Biases in arithmetic word problems (Opedal et al. 2024)."""
