"""Writes anew how the fields of forms stand in what they print."""

from schoolmath.malrules.reading.patterns import write

write()
