"""Writes anew how the fields of forms stand in what they print."""

from biaslab.malrules.reading.stored_patterns import write

write()
