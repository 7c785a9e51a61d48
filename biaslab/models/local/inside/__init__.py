"""Looking into a network: its activations read, swapped for others, and probed."""
