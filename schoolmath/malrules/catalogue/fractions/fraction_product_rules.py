"""What goes wrong when fractions are multiplied or divided, taken of amounts, or read."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import as_written, listed, plain
from schoolmath.malrules.catalogue.fractions.comparing_fractions import FractionComparison
from schoolmath.malrules.catalogue.fractions.fraction_arithmetic import (
    FractionDifference,
    FractionProduct,
    FractionQuotient,
    FractionSum,
)
from schoolmath.malrules.catalogue.fractions.fraction_of_amount import FractionOf
from schoolmath.malrules.catalogue.fractions.fraction_rewriting import (
    FractionAsDecimal,
    LowestTerms,
)
from schoolmath.malrules.catalogue.fractions.percents import PercentOf
from schoolmath.malrules.catalogue.fractions.ratios import Proportion, RatioShare
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step


@mal_rule("NO30")
def keeps_denominator(
    problem: FractionProduct | FractionQuotient | FractionOf | LowestTerms,
) -> Worked | None:
    """Works on the numerators only and keeps the denominator, as in a sum."""
    match problem:
        case LowestTerms():
            top = problem.top // problem.factor
            answer = as_written(top, problem.bottom)
            return Worked(
                answer,
                (
                    step("divides {0} by {1} to get {2}", problem.top, problem.factor, top),
                    step("keeps the denominator {0}", problem.bottom),
                    step("writes {0}", answer.shown),
                ),
                key_step=1,
            )
        case FractionOf():
            raised = problem.amount * problem.bottom
            answer = plain(Fraction(problem.top * raised, problem.bottom))
            same = f"{raised}/{problem.bottom}"
            product = f"{problem.top * raised}/{problem.bottom}"
            return Worked(
                answer,
                (
                    step("writes {0} as {1}", problem.amount, same),
                    step(
                        "multiplies the numerators {0} and {1} and keeps {2} below",
                        problem.top,
                        raised,
                        problem.bottom,
                    ),
                    step("works out {0} as {1}", product, answer.shown),
                ),
                key_step=1,
            )
        case FractionQuotient():
            if not problem.alike or problem.top % problem.other_top:
                return None
            top = problem.top // problem.other_top
            answer = as_written(top, problem.bottom)
            return Worked(
                answer,
                (
                    step("divides {0} by {1} to get {2}", problem.top, problem.other_top, top),
                    step("keeps the denominator {0}", problem.bottom),
                    step("writes {0}", answer.shown),
                ),
                key_step=1,
            )
    left, right = problem.raised
    answer = as_written(left * right, problem.common)
    return Worked(
        answer,
        (
            *problem.rewrite(),
            step("multiplies the numerators: {0} × {1} = {2}", left, right, left * right),
            step("keeps the common denominator {0}", problem.common),
            step("writes {0}", answer.shown),
        ),
        key_step=len(problem.rewrite()) + 1,
    )


@mal_rule("NO31")
def inverts_wrong_fraction(
    problem: FractionQuotient | FractionProduct | FractionOf | Proportion,
) -> Worked | None:
    """Turns over the first fraction, or the one that should have stayed, and multiplies."""
    match problem:
        case FractionOf() | Proportion():
            top, bottom, amount = (
                (problem.top, problem.bottom, problem.amount)
                if isinstance(problem, FractionOf)
                else (problem.second, problem.first, problem.third)
            )
            turned = f"{bottom}/{top}"
            answer = plain(Fraction(amount * bottom, top))
            return Worked(
                answer,
                (
                    step("turns {0} over to {1}", f"{top}/{bottom}", turned),
                    step("multiplies {0} by {1} and gets {2}", amount, turned, answer.shown),
                ),
            )
    turned = f"{problem.bottom}/{problem.top}"
    answer = Answer.number(
        Fraction(problem.bottom * problem.other_top, problem.top * problem.other_bottom)
    )
    return Worked(
        answer,
        (
            step("turns the first fraction, {0}, over to {1}", problem.first, turned),
            step("multiplies {0} by {1} and gets {2}", turned, problem.second, answer.shown),
        ),
    )


@mal_rule("NO32")
def multiplies_instead_of_dividing(problem: FractionQuotient) -> Worked | None:
    """Multiplies numerators and denominators and turns nothing over."""
    top, bottom = problem.top * problem.other_top, problem.bottom * problem.other_bottom
    answer = as_written(top, bottom)
    return Worked(
        answer,
        (
            step("leaves the second fraction as {0}", problem.second),
            step(
                "multiplies {0} by {1} above and {2} by {3} below",
                problem.top,
                problem.other_top,
                problem.bottom,
                problem.other_bottom,
            ),
            step("writes {0}", answer.shown),
        ),
    )


@mal_rule("NO36")
def unit_fraction_only(
    problem: (
        FractionOf | FractionProduct | FractionAsDecimal | PercentOf | RatioShare | Proportion
    ),
) -> Worked | None:
    """Finds one part and stops, though several are asked for."""
    match problem:
        case FractionOf():
            parts, taken, amount = problem.bottom, problem.top, Fraction(problem.amount)
        case FractionProduct():
            parts, taken = problem.bottom, problem.top
            amount = Fraction(problem.other_top, problem.other_bottom)
        case FractionAsDecimal():
            parts, taken, amount = problem.bottom, problem.top, Fraction(1)
        case PercentOf():
            parts, taken, amount = 100, problem.percent, Fraction(problem.amount)
        case RatioShare():
            parts, taken = problem.first + problem.second, problem.first
            amount = Fraction(problem.total)
        case Proportion():
            parts, taken, amount = problem.first, problem.second, Fraction(problem.third)
    if taken == 1:
        return None
    one = amount / parts
    answer = Answer.number(one) if isinstance(problem, FractionProduct) else plain(one)
    whole = problem.second if isinstance(problem, FractionProduct) else plain(amount).shown
    return Worked(
        answer,
        (
            step("sees that {0} is to be cut into {1} parts", whole, parts),
            step("divides {0} by {1} and takes one part", whole, parts),
            step("answers {0}", answer.shown),
        ),
        key_step=1,
    )


@mal_rule("NO38")
def bar_as_decimal_point(
    problem: (
        FractionAsDecimal | FractionSum | FractionDifference | FractionProduct | FractionComparison
    ),
) -> Worked | None:
    """Reads the fraction bar as a decimal point."""
    match problem:
        case FractionAsDecimal():
            read = f"{problem.top}.{problem.bottom}"
            return Worked(
                Answer.number(Fraction(read), read),
                (
                    step("reads the bar in {0} as a decimal point", problem.written),
                    step("writes {0}", read),
                ),
            )
        case FractionComparison():
            decimals = [f"{top}.{bottom}" for top, bottom in problem.fractions]
            values = [Fraction(each) for each in decimals]
            best = max(values)
            if values.count(best) > 1:
                return None
            chosen = values.index(best)
            slots = listed([f"{{{place}}}" for place in range(len(decimals))])
            return Worked(
                Answer.label(problem.labels[chosen]),
                (
                    step(f"reads the fractions as {slots}", *decimals),
                    step("finds {0} the largest of these", decimals[chosen]),
                    step("picks {0}", problem.labels[chosen]),
                ),
            )
    first = f"{problem.top}.{problem.bottom}"
    second = f"{problem.other_top}.{problem.other_bottom}"
    left, right = Fraction(first), Fraction(second)
    match problem:
        case FractionSum():
            value, words = left + right, "adds {0} and {1} and gets {2}"
        case FractionDifference():
            value, words = left - right, "subtracts {1} from {0} and gets {2}"
        case FractionProduct():
            value, words = left * right, "multiplies {0} by {1} and gets {2}"
    answer = Answer.decimal(value)
    return Worked(
        answer,
        (
            step("reads {0} as {1} and {2} as {3}", problem.first, first, problem.second, second),
            step(words, first, second, answer.shown),
        ),
    )
