"""From the text of a word problem to its mental model: the inverse of wording."""

from schoolmath.problems.reading.entities import (
    Altogether,
    AskedAtFirst,
    AtTheEnd,
    Some,
    Times,
    Utterance,
)
from schoolmath.problems.reading.telling import describe_statement, mental_model
from schoolmath.problems.reading.texts import (
    LONGEST_SENTENCE,
    LONGEST_TEXT,
    MOST_SENTENCES,
    ReadSentence,
    ReadText,
    read,
    same_meaning,
)

__all__ = [
    "LONGEST_SENTENCE",
    "LONGEST_TEXT",
    "MOST_SENTENCES",
    "Altogether",
    "AskedAtFirst",
    "AtTheEnd",
    "ReadSentence",
    "ReadText",
    "Some",
    "Times",
    "Utterance",
    "describe_statement",
    "mental_model",
    "read",
    "same_meaning",
]
