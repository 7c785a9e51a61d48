"""Differences between runs, trends over strata, and the model-based analysis."""
