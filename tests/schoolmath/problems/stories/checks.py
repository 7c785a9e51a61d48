"""What is checked of a story's answer: that it is there, or that it is not another one."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.problems.stories import answer, understand


def assert_solved(text: str, right: int | Fraction, strategy: str) -> None:
    """The reader of stories answers by this strategy, and both readers together not otherwise."""
    story = understand(text)
    assert story.answer == right, (story.answer, story.steps, story.reasons)
    assert story.strategy == strategy
    assert answer(text).answer in {None, right}


def assert_never_wrong(text: str, right: int | Fraction | None) -> None:
    """Neither the reader of stories nor both together give any number but the right one.

    Args:
        text: the story.
        right: None where no number is right.
    """
    story, together = understand(text), answer(text)
    assert story.answer in {None, right}, (story.answer, story.strategy, story.steps)
    assert together.answer in {None, right}, (together.answer, together.steps)
    assert (story.answer is None) == bool(story.reasons)
