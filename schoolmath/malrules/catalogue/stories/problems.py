"""Linear word problems of MathWorld: a start, and a chain of calculations told as a story.

What the solver does in place of a step is an edit (`story_working`); the mal-rules are in
`story_choices` (the wrong operation, a step left out) and `story_numbers` (numbers without
a story).
"""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.catalogue.stories.chain import COMPARISON, Chain
from schoolmath.malrules.catalogue.stories.drawing import draw_story
from schoolmath.malrules.catalogue.stories.working import work
from schoolmath.malrules.forms import form
from schoolmath.malrules.traces import Worked
from schoolmath.problems.draws import Draws

__all__ = ["COMPARISON", "Story"]


@form("word problems", (3, 8), 2)
class Story(Chain):
    """``Ana has 18. Ana gives away 5. Ben has 4 fewer than Ana. Ben?`` The fields are a chain's."""

    def stem(self) -> str:
        """The text, on one line."""
        return " ".join(self.text.split())

    def solve(self) -> Worked:
        """The chain, step by step."""
        worked = work(self, {})
        assert worked is not None  # no edit, so nothing is undefined
        return worked

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        """Chains of two or more steps, some with numbers that do not matter."""
        return draw_story(cls, draws, grade)
