"""How sums and products of decimals go wrong."""

from __future__ import annotations

from fractions import Fraction

from biaslab.malrules.answers import Answer
from biaslab.malrules.catalogue.numbers.decimal_operations import (
    DecimalProduct,
    DecimalSum,
    places_of,
    without_point,
)
from biaslab.malrules.rules import mal_rule
from biaslab.malrules.traces import Worked, step


@mal_rule("NO41")
def right_aligned_decimals(problem: DecimalSum) -> Worked | None:
    """The last digits stand in one column, as with whole numbers."""
    if places_of(problem.first) == places_of(problem.second):
        return None
    first, second = without_point(problem.first), without_point(problem.second)
    answer = Answer.decimal(Fraction(first + second, 10**problem.places), problem.places)
    return Worked(
        answer,
        (
            step("lines {0} and {1} up at their last digits", *problem.shown),
            step("adds {0} and {1} and gets {2}", first, second, first + second),
            step("keeps {0} places and writes {1}", problem.places, answer),
        ),
    )


@mal_rule("NO42")
def two_separate_whole_numbers(problem: DecimalSum | DecimalProduct) -> Worked | None:
    """What stands before the point and what stands behind it are two whole numbers."""
    sides = [_sides(text) for text in problem.shown]
    if isinstance(problem, DecimalSum):
        (before, behind), (more_before, more_behind) = sides
        left, right = before + more_before, behind + more_behind
        clause = "adds {0} and {1} %s the point and gets {2}"
    else:
        (before, behind), (more_before, more_behind) = sides
        # A whole number multiplies either side.
        more_behind = more_before if problem.zeros else more_behind
        left, right = before * more_before, behind * more_behind
        clause = "multiplies {0} by {1} %s the point and gets {2}"
    answer = Answer.number(Fraction(f"{left}.{right}"), f"{left}.{right}")
    return Worked(
        answer,
        (
            step(clause % "before", before, more_before, left),
            step(clause % "behind", behind, more_behind, right),
            step("writes {0}", answer),
        ),
        1,
    )


def _sides(shown: str) -> tuple[int, int]:
    before, _, behind = shown.partition(".")
    return int(before), int(behind or 0)


@mal_rule("NO43")
def keeps_addition_places_in_decimal_product(problem: DecimalProduct) -> Worked | None:
    """The product has as many places as the longer factor."""
    if problem.zeros:
        return None
    first, second = problem.whole
    places = max(places_of(problem.first), places_of(problem.second))
    answer = Answer.decimal(Fraction(first * second, 10**places), places)
    return Worked(
        answer,
        (
            step("multiplies {0} by {1} and gets {2}", first, second, first * second),
            step("keeps as many places as the numbers have, {0}, and writes {1}", places, answer),
        ),
        1,
    )


@mal_rule("NO44")
def times_ten_adds_a_zero(problem: DecimalProduct) -> Worked | None:
    """A zero at the end, as with whole numbers."""
    if not problem.zeros:
        return None
    answer = Answer.number(problem.first, problem.shown[0] + "0" * problem.zeros)
    zeros = "a zero" if problem.zeros == 1 else "the zeros"
    return Worked(
        answer,
        (
            step(f"puts {zeros} of {{0}} behind {{1}}", problem.second, problem.shown[0]),
            step("gets {0}", answer),
        ),
    )
