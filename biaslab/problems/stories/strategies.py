"""The ways from what a story tells to what it asks, each for one kind of story.

A strategy gives a value with the amounts that it used and the equations of its steps, or
nothing. None of them guesses: whether a value is believed is decided by the judge.
"""

from __future__ import annotations

from collections.abc import Iterable

from biaslab.problems.stories.changes import change
from biaslab.problems.stories.parts import need, others, rest
from biaslab.problems.stories.rates import rate_then_change, rates
from biaslab.problems.stories.sums import comparisons, difference, together
from biaslab.problems.stories.terms import Found, Story, Strategy

STRATEGIES: tuple[Strategy, ...] = (
    change,
    together,
    difference,
    comparisons,
    rates,
    rate_then_change,
    rest,
    others,
    need,
)


def all_found(story: Story) -> Iterable[Found]:
    """What the strategies find, each its own."""
    for strategy in STRATEGIES:
        found = strategy(story)
        if found is not None:
            yield found
