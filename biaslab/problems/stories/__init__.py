"""Stories of other people: school problems in anybody's words, understood or refused."""

from biaslab.problems.stories.amounts import Amount, Thing
from biaslab.problems.stories.answering import Answered, answer
from biaslab.problems.stories.plain import in_plain_sentences, plural_of
from biaslab.problems.stories.questions import Asked
from biaslab.problems.stories.understanding import Story, numbered_sentences, understand

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
