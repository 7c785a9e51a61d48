"""The list of runs, and one run."""
