"""The experiment on the mix of lessons: trains, asks, writes its table (docs/experiment.md)."""
