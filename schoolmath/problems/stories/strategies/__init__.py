"""The ways from what a story tells to what it asks, each for one kind of story.

A strategy gives a value with the amounts that it used and the equations of its steps, or nothing.
None of them guesses: whether a value is believed is decided by the judge
(`schoolmath.problems.stories.judging`).
"""

from schoolmath.problems.stories.strategies.accounts import accounts
from schoolmath.problems.stories.strategies.changes import change
from schoolmath.problems.stories.strategies.differences import (
    comparisons,
    contrast,
    difference,
    gap,
)
from schoolmath.problems.stories.strategies.products import products
from schoolmath.problems.stories.strategies.rates import rates
from schoolmath.problems.stories.strategies.shopping import shopping
from schoolmath.problems.stories.strategies.sums import (
    everything,
    need,
    one_verb,
    others,
    rest,
    together,
)
from schoolmath.problems.stories.strategies.terms import Strategy

STRATEGIES: tuple[Strategy, ...] = (
    change, together, everything, one_verb, gap, difference, contrast, comparisons, rates, rest,
    others, need, accounts, shopping, products,
)  # fmt: skip
"""In the order in which they are tried; all of them are."""

__all__ = ["STRATEGIES"]
