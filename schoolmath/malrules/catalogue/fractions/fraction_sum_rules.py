"""What goes wrong when fractions are added, subtracted or brought over one denominator."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import as_written
from schoolmath.malrules.catalogue.fractions.fraction_arithmetic import (
    FractionDifference,
    FractionQuotient,
    FractionSum,
    TwoFractions,
)
from schoolmath.malrules.catalogue.fractions.fraction_rewriting import (
    FractionAsDecimal,
    LowestTerms,
    MixedToImproper,
)
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step


@mal_rule("NO27")
def add_across(problem: FractionSum | MixedToImproper) -> Worked | None:
    """Adds the tops and adds the bottoms; a whole number is read as so many over one."""
    first: tuple[Step, ...] = ()
    if isinstance(problem, MixedToImproper):
        top, bottom, other_top, other_bottom = problem.whole, 1, problem.top, problem.bottom
        first = (step("writes the whole number {0} as {1}", top, f"{top}/{bottom}"),)
    else:
        top, bottom = problem.top, problem.bottom
        other_top, other_bottom = problem.other_top, problem.other_bottom
    tops, bottoms = top + other_top, bottom + other_bottom
    answer = as_written(tops, bottoms)
    return Worked(
        answer,
        (
            *first,
            step("adds the numerators: {0} + {1} = {2}", top, other_top, tops),
            step("adds the denominators: {0} + {1} = {2}", bottom, other_bottom, bottoms),
            step("writes {0}", answer.shown),
        ),
        key_step=len(first) + 1,
    )


@mal_rule("NO28")
def subtract_across(problem: FractionDifference) -> Worked | None:
    """Subtracts the tops and subtracts the bottoms; nothing comes out of equal bottoms."""
    if problem.alike:
        return None
    top, bottom = problem.top - problem.other_top, problem.bottom - problem.other_bottom
    answer = as_written(top, bottom)
    return Worked(
        answer,
        (
            step("subtracts the numerators: {0} - {1} = {2}", problem.top, problem.other_top, top),
            step(
                "subtracts the denominators: {0} - {1} = {2}",
                problem.bottom,
                problem.other_bottom,
                bottom,
            ),
            step("writes {0}", answer.shown),
        ),
        key_step=1,
    )


@mal_rule("NO29")
def numerators_unchanged(
    problem: FractionSum | FractionDifference | FractionQuotient | LowestTerms | FractionAsDecimal,
) -> Worked | None:
    """Puts the new denominator under the old numerators."""
    match problem:
        case LowestTerms():
            bottom = problem.bottom // problem.factor
            answer = as_written(problem.top, bottom)
            return Worked(
                answer,
                (
                    step("divides the denominator {0} by {1}", problem.bottom, problem.factor),
                    step("leaves the numerator {0} as it is", problem.top),
                    step("writes {0}", answer.shown),
                ),
                key_step=1,
            )
        case FractionAsDecimal():
            base = problem.power_of_ten
            if base == problem.bottom:
                return None
            answer = Answer.decimal(Fraction(problem.top, base))
            unchanged = f"{problem.top}/{base}"
            return Worked(
                answer,
                (
                    step("changes the denominator {0} to {1}", problem.bottom, base),
                    step("leaves the numerator {0} as it is: {1}", problem.top, unchanged),
                    step("writes {0} as {1}", unchanged, answer.shown),
                ),
                key_step=1,
            )
    if problem.alike:
        return None
    raised = problem.top, problem.other_top
    kept = step(
        "keeps the old numerators: {0} and {1}",
        f"{problem.top}/{problem.common}",
        f"{problem.other_top}/{problem.common}",
    )
    found = step("finds the common denominator {0}", problem.common)
    return _over_one(problem, raised, (found, kept), key_step=1)


@mal_rule("NO35")
def equivalent_by_subtracting(
    problem: (
        FractionSum
        | FractionDifference
        | FractionQuotient
        | LowestTerms
        | MixedToImproper
        | FractionAsDecimal
    ),
) -> Worked | None:
    """Adds one number to top and bottom, or subtracts it, and calls the fractions equal."""
    match problem:
        case LowestTerms():
            return _reduced_by_subtracting(problem)
        case FractionAsDecimal():
            base = problem.power_of_ten
            if base == problem.bottom:
                return None
            more = base - problem.bottom
            decimal = Answer.decimal(Fraction(problem.top + more, base))
            raised = f"{problem.top + more}/{base}"
            return Worked(
                decimal,
                (
                    step("adds {0} to {1} to make the denominator {2}", more, problem.bottom, base),
                    step("adds {0} to the numerator {1} too: {2}", more, problem.top, raised),
                    step("writes {0} as {1}", raised, decimal.shown),
                ),
                key_step=1,
            )
        case MixedToImproper():
            more = problem.bottom - 1
            whole = problem.whole + more
            answer = as_written(whole + problem.top, problem.bottom)
            return Worked(
                answer,
                (
                    step("writes {0} as {1}", problem.whole, f"{problem.whole}/1"),
                    step("adds {0} above and below: {1}", more, f"{whole}/{problem.bottom}"),
                    step("adds {0} and gets {1}", problem.fraction, answer.shown),
                ),
                key_step=1,
            )
    if problem.alike:
        return None
    common = problem.common
    left = problem.top + common - problem.bottom
    right = problem.other_top + common - problem.other_bottom
    found = step("wants the denominator {0} in both fractions", common)
    added = problem.write_over_common(
        "adds the same number above and below and writes", left, right
    )
    return _over_one(problem, (left, right), (found, added), key_step=1)


@mal_rule("NO37")
def whole_added_to_numerator(problem: MixedToImproper) -> Worked | None:
    """Adds the whole number to the numerator, as if it were that many parts."""
    answer = as_written(problem.whole + problem.top, problem.bottom)
    return Worked(
        answer,
        (
            step(
                "adds the whole number {0} to the numerator {1} and gets {2}",
                problem.whole,
                problem.top,
                problem.whole + problem.top,
            ),
            step("keeps the denominator {0} and writes {1}", problem.bottom, answer.shown),
        ),
    )


def _reduced_by_subtracting(problem: LowestTerms) -> Worked | None:
    less = problem.factor
    top, bottom = problem.top - less, problem.bottom - less
    answer = as_written(top, bottom)
    return Worked(
        answer,
        (
            step("subtracts {0} from the numerator: {1} - {0} = {2}", less, problem.top, top),
            step(
                "subtracts {0} from the denominator: {1} - {0} = {2}", less, problem.bottom, bottom
            ),
            step("writes {0}", answer.shown),
        ),
    )


def _over_one(
    problem: TwoFractions, tops: tuple[int, int], before: tuple[Step, ...], key_step: int
) -> Worked:
    """Goes on rightly from two numerators over the common denominator."""
    left, right = tops
    if isinstance(problem, FractionQuotient):
        answer = as_written(left, right)
        last = step("divides {0} by {1} and writes {2}", left, right, answer.shown)
    elif isinstance(problem, FractionDifference):
        answer = as_written(left - right, problem.common)
        last = step("subtracts {0} from {1} and writes {2}", right, left, answer.shown)
    else:
        answer = as_written(left + right, problem.common)
        last = step("adds {0} and {1} and writes {2}", left, right, answer.shown)
    return Worked(answer, (*before, last), key_step)
