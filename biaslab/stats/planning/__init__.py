"""How many pairs a run needs."""
