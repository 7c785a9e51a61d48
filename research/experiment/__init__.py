"""The experiment on the mix of lessons: trains, asks, tabulates (research/docs/experiment.md)."""
