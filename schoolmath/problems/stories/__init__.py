"""Stories of other people: school problems in anybody's words, understood or refused."""

from schoolmath.problems.stories.amounts import Amount, StoryQuestion, Thing
from schoolmath.problems.stories.plain import in_plain_sentences, plural_of
from schoolmath.problems.stories.understanding import (
    TextAnswer,
    UnderstoodStory,
    answer,
    numbered_sentences,
    understand,
)

__all__ = [
    "Amount",
    "StoryQuestion",
    "TextAnswer",
    "Thing",
    "UnderstoodStory",
    "answer",
    "in_plain_sentences",
    "numbered_sentences",
    "plural_of",
    "understand",
]
