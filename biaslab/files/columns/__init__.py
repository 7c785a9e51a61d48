"""Which column of a table holds what: by its name here, and by what stands in it (`contents`)."""

from biaslab.files.columns.names import FIELDS, check_given, guess, listed

__all__ = ["FIELDS", "check_given", "guess", "listed"]
