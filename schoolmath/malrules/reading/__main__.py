"""Writes anew how the fields of forms stand in what they print."""

from schoolmath.malrules.reading.stored_patterns import write

write()
