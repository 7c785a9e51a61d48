"""Single and compound chances."""
