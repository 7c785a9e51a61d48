"""Local models on the machines of a Ray cluster."""
