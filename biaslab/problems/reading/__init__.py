"""From the text of a word problem to its mental model: the inverse of wording."""

from biaslab.problems.reading.said import (
    Altogether,
    AskedAtFirst,
    AtTheEnd,
    Said,
    Some,
    Times,
)
from biaslab.problems.reading.telling import describe_statement, mental_model
from biaslab.problems.reading.texts import (
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
    "Said",
    "Some",
    "Times",
    "describe_statement",
    "mental_model",
    "read",
    "same_meaning",
]
