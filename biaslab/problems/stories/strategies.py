"""The ways from what a story tells to what it asks, each for one kind of story.

A strategy gives a value with the amounts that it used and the equations of its steps, or
nothing. None of them guesses: whether a value is believed is decided by the judge.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from biaslab.problems.stories.changes import change
from biaslab.problems.stories.parts import need, others, rest
from biaslab.problems.stories.rates import rate_then_change, rates
from biaslab.problems.stories.reductions import reductions
from biaslab.problems.stories.sums import (
    comparisons,
    contrast,
    difference,
    everything,
    gap,
    one_verb,
    together,
)
from biaslab.problems.stories.terms import Found, Story, Strategy

STRATEGIES: tuple[Strategy, ...] = (
    change,
    together,
    everything,
    one_verb,
    gap,
    difference,
    contrast,
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


def found_in_steps(story: Story) -> Iterable[Found]:
    """What they find when pairs of amounts are replaced by what follows from them."""
    for simpler in reductions(story):
        for found in all_found(simpler):
            yield replace(found, within=simpler)
