"""Charts of concept learning."""
