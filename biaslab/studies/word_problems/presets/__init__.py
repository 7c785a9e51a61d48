"""The three published studies."""
