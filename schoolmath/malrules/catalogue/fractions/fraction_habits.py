"""Further habits with decimals and fractions."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import as_written, plain
from schoolmath.malrules.catalogue.fractions.fraction_arithmetic import (
    FractionProduct,
    FractionQuotient,
    FractionSum,
)
from schoolmath.malrules.catalogue.fractions.fraction_rewriting import (
    FractionAsDecimal,
    LowestTerms,
)
from schoolmath.malrules.catalogue.fractions.mixed_numbers import WholeTimesFraction
from schoolmath.malrules.catalogue.numbers.decimal_operations import DecimalProduct, places_of
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step


@mal_rule("NO114")
def places_from_the_left(problem: DecimalProduct) -> Worked | None:
    """Counts the places from the front of the product."""
    one, other = problem.whole
    places = places_of(problem.first) + places_of(problem.second)
    digits = str(one * other)
    if problem.zeros or len(digits) <= places:
        return None
    shown = f"{digits[:places]}.{digits[places:]}"
    answer = Answer.number(Fraction(shown), shown)
    product = step("multiplies {0} by {1}: {2}", one, other, digits)
    return Worked(
        answer, (product, step("counts {0} places from the left: {1}", places, answer)), 1
    )


@mal_rule("NO121")
def bottom_behind_the_point(problem: FractionAsDecimal) -> Worked:
    """0 and the denominator behind the point."""
    shown = f"0.{problem.bottom}"
    answer = Answer.number(Fraction(shown), shown)
    return Worked(answer, (step("writes {0} behind the point: {1}", problem.bottom, answer),))


@mal_rule("NO207")
def bottom_by_top(problem: FractionAsDecimal) -> Worked:
    """B ÷ a."""
    answer = plain(Fraction(problem.bottom, problem.top))
    told = step("divides {0} by {1}: {2}", problem.bottom, problem.top, answer)
    return Worked(answer, (told,))


@mal_rule("NO130")
def turns_both_over(problem: FractionQuotient) -> Worked:
    """Inverts both fractions and multiplies."""
    top, bottom = problem.bottom * problem.other_bottom, problem.top * problem.other_top
    answer = as_written(top, bottom)
    both = (f"{problem.bottom}/{problem.top}", f"{problem.other_bottom}/{problem.other_top}")
    return Worked(
        answer,
        (step("turns both over: {0} and {1}", *both), step("multiplies them: {0}", answer)),
    )


@mal_rule("NO208")
def multiplies_crosswise(problem: FractionProduct) -> Worked:
    """a·d over b·c."""
    answer = as_written(problem.top * problem.other_bottom, problem.bottom * problem.other_top)
    one, other = (problem.top, problem.other_bottom), (problem.bottom, problem.other_top)
    told = step("multiplies {0} by {1} and {2} by {3}: {4}", *one, *other, answer)
    return Worked(answer, (told,))


@mal_rule("NO209")
def converts_one_fraction_only(problem: FractionSum) -> Worked | None:
    """The second numerator stays as it was."""
    common = lcm(problem.bottom, problem.other_bottom)
    if common == problem.other_bottom:
        return None
    raised = problem.top * common // problem.bottom
    answer = as_written(raised + problem.other_top, common)
    return Worked(
        answer,
        (
            step("writes {0}/{1} as {2}/{3}", problem.top, problem.bottom, raised, common),
            step("adds {0} to {1} over {2}: {3}", problem.other_top, raised, common, answer),
        ),
        1,
    )


@mal_rule("NO210")
def strikes_out_equal_digits(problem: LowestTerms) -> Worked | None:
    """Deletes a digit that stands in top and bottom."""
    top, bottom = str(problem.top), str(problem.bottom)
    for digit in top:
        if digit != "0" and digit in bottom:
            left, below = top.replace(digit, "", 1), bottom.replace(digit, "", 1)
            if not left or not below or int(left) == 0 or int(below) == 0:
                return None
            answer = as_written(int(left), int(below))
            told = step("strikes out {0} in {1} and {2}: {3}", digit, top, bottom, answer)
            return Worked(answer, (told,))
    return None


@mal_rule("NO212")
def whole_times_the_bottom(problem: WholeTimesFraction) -> Worked:
    """A over n·b."""
    answer = as_written(problem.top, problem.whole * problem.bottom)
    told = step("multiplies {0} by {1} below: {2}", problem.whole, problem.bottom, answer)
    return Worked(answer, (told,))
