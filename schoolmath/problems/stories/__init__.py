"""Stories of other people: school problems in anybody's words, understood or refused."""

from schoolmath.problems.stories.amounts import Amount, Thing
from schoolmath.problems.stories.answering import Answered, answer
from schoolmath.problems.stories.plain import in_plain_sentences, plural_of
from schoolmath.problems.stories.questions import Asked
from schoolmath.problems.stories.understanding import Story, numbered_sentences, understand

__all__ = [
    "Amount",
    "Answered",
    "Asked",
    "Story",
    "Thing",
    "answer",
    "in_plain_sentences",
    "numbered_sentences",
    "plural_of",
    "understand",
]
