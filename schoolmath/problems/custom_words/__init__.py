"""A vocabulary of somebody's own: a file of names, things and verbs, to write and to read with."""

from schoolmath.problems.custom_words.file import (
    MAX_BYTES,
    CustomContainer,
    CustomThing,
    CustomVerb,
    CustomWords,
    read_custom_words,
    written_file,
)
from schoolmath.problems.custom_words.reading import words_for_reading
from schoolmath.problems.custom_words.writing import words_for_writing

__all__ = [
    "MAX_BYTES",
    "CustomContainer",
    "CustomThing",
    "CustomVerb",
    "CustomWords",
    "read_custom_words",
    "words_for_reading",
    "words_for_writing",
    "written_file",
]
