"""The rules themselves, with the typed problems they work on: a module for each topic."""
