"""A vocabulary of somebody's own: a file of names, things and verbs, to write and to read with."""

from biaslab.problems.own_words.file import (
    MAX_BYTES,
    OwnContainer,
    OwnThing,
    OwnVerb,
    OwnWords,
    read_own_words,
    written_file,
)
from biaslab.problems.own_words.reading import words_for_reading
from biaslab.problems.own_words.writing import words_for_writing

__all__ = [
    "MAX_BYTES",
    "OwnContainer",
    "OwnThing",
    "OwnVerb",
    "OwnWords",
    "read_own_words",
    "words_for_reading",
    "words_for_writing",
    "written_file",
]
