"""The number format of a model on this computer, and what eight bits do to it."""
