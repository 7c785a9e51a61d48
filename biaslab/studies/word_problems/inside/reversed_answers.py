"""What comes out when the operation is reversed where a problem's words may mislead.

The steps that are reversed are the same in both members of a pair, so that their lines can be
laid beside each other: the steps whose comparison is inconsistent in either member (there the
keyword suggests the other operation, mal-rule WP01 of the catalogue); where no wording misleads,
the steps of the sentences that the treatment changes; where these hold no step, every comparison
and transfer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from biaslab.studies.study import Item, Pair
from biaslab.studies.word_problems.verification import treated_of
from schoolmath.malrules.catalogue.stories.chain import REVERSED

_RATE = "rate"


def misleading_steps(pair: Pair) -> tuple[int, ...]:
    """Which steps are reversed, from 0; none where the problem's steps are not known."""
    members = (pair.x, pair.x_prime)
    inconsistent = {
        index
        for item in members
        for index, step in enumerate(_steps(item))
        if step.get("consistent") is False
    }
    if inconsistent:
        return tuple(sorted(inconsistent))
    reversible = {
        index
        for item in members
        for index, step in enumerate(_steps(item))
        if step.get("rule") != _RATE
    }
    changed = {
        index
        for item in members
        for index, step in enumerate(_steps(item))
        if step.get("sentence") in (treated_of(item) or ())
    }
    return tuple(sorted(reversible & changed or reversible))


def reversed_answer(item: Item, at: Sequence[int]) -> int | None:
    """The answer with the operations of these steps reversed, all else done rightly.

    Args:
        item: a word problem whose steps are a chain: each goes on from the result before it.
        at: which steps, from 0.

    Returns:
        None where there is no such number to write down: nothing is reversed, a result on the way
        is below zero or the last one no whole number, the steps are no chain, or the right answer
        comes out all the same.
    """
    steps = _steps(item)
    if not steps or not set(at) & set(range(len(steps))):
        return None
    right = amount = Fraction(int(steps[0]["left"]))
    for index, step in enumerate(steps):
        if int(step["left"]) != right:
            return None
        operation, number = str(step["operation"]), int(step["right"])
        right = Fraction(int(step["result"]))
        amount = _reckoned(REVERSED[operation] if index in at else operation, amount, number)
        if amount < 0:
            return None
    if amount.denominator != 1 or str(amount.numerator) == item.answer:
        return None
    return amount.numerator


def _steps(item: Item) -> Sequence[Mapping[str, Any]]:
    return item.facts.get("steps") or ()


def _reckoned(operation: str, left: Fraction, right: int) -> Fraction:
    match operation:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
    # A number of a problem is never 0, so nothing is divided by it.
    return left / right
