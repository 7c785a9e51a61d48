"""One module for each file format; those that can be read offer a ``FORMAT``."""
