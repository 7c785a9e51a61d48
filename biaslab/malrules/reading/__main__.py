"""Writes anew how the fields of forms stand in what they print."""

from biaslab.malrules.reading.kept import write

write()
