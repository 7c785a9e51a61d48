"""What goes wrong with percents."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.malrules.answers import Answer, write_decimal
from schoolmath.malrules.catalogue.exact_writing import dollars, money, plain
from schoolmath.malrules.catalogue.fractions.fraction_rewriting import FractionAsDecimal
from schoolmath.malrules.catalogue.fractions.percents import PercentOf, ReversePercent, TwoPercents
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step


@mal_rule("NO58")
def percent_as_units(problem: TwoPercents | PercentOf | ReversePercent) -> Worked | None:
    """Takes the percent figure as that many dollars or things."""
    match problem:
        case PercentOf():
            answer = Answer.number(problem.percent)
            return Worked(
                answer,
                (
                    step("reads {0}% of something as {0} of them", problem.percent),
                    step("answers {0}", answer.shown),
                ),
            )
        case ReversePercent():
            answer = money(problem.sale + problem.percent)
            return Worked(
                answer,
                (
                    step("reads {0}% as {1}", problem.percent, dollars(problem.percent)),
                    step(
                        "adds {0} to {1} and gets {2}",
                        dollars(problem.percent),
                        dollars(problem.sale),
                        f"${answer}",
                    ),
                ),
            )
    left = problem.price - problem.first
    taken = step(
        "takes {0} off for {1}% and has {2}",
        dollars(problem.first),
        problem.first,
        _dollars(left),
    )
    if problem.then == "discount":
        answer = money(left - problem.second)
        last = step("takes off another {0} and gets {1}", dollars(problem.second), _dollars(answer))
    else:
        answer = money(Fraction(left * (100 + problem.second), 100))
        last = step("adds {0}% tax to this and gets {1}", problem.second, _dollars(answer))
    return Worked(answer, (taken, last))


@mal_rule("NO59")
def wrong_sign(problem: TwoPercents | ReversePercent) -> Worked | None:
    """Takes off where the story adds, or adds where it takes off."""
    if isinstance(problem, ReversePercent):
        off = Fraction(problem.sale * problem.percent, 100)
        answer = money(problem.sale - off)
        return Worked(
            answer,
            (
                step(
                    "works out {0}% of {1} as {2}",
                    problem.percent,
                    dollars(problem.sale),
                    dollars(off),
                ),
                step("takes it off {0} once more", dollars(problem.sale)),
                step("gets {0}", f"${answer}"),
            ),
            key_step=1,
        )
    change = problem.reduced * problem.second / 100
    answer = money(problem.reduced - problem.sign * change)
    words = "takes off {0}% tax from {1}" if problem.sign > 0 else "adds {0}% to {1}"
    return Worked(
        answer,
        (
            _first_discount(problem),
            step(words, problem.second, dollars(problem.reduced)),
            step("gets {0}", f"${answer}"),
        ),
        key_step=1,
    )


@mal_rule("NO60")
def both_on_the_original(problem: TwoPercents) -> Worked | None:
    """Works out the tax on the price before the discount."""
    if problem.sign < 0:
        return None  # Two discounts of one price are two percents added.
    tax = Fraction(problem.price * problem.second, 100)
    answer = money(problem.reduced + tax)
    return Worked(
        answer,
        (
            _first_discount(problem),
            step(
                "works out {0}% of the first price, {1}, as {2}",
                problem.second,
                dollars(problem.price),
                dollars(tax),
            ),
            step("adds this to {0} and gets {1}", dollars(problem.reduced), f"${answer}"),
        ),
        key_step=1,
    )


@mal_rule("NO61")
def percents_added(problem: TwoPercents) -> Worked | None:
    """Adds two discounts and takes the sum off at once."""
    if problem.sign > 0:
        return None
    total = problem.first + problem.second
    answer = money(Fraction(problem.price * (100 - total), 100))
    return Worked(
        answer,
        (
            step("adds the discounts: {0}% + {1}% = {2}%", problem.first, problem.second, total),
            step(
                "takes {0}% off {1} and gets {2}", total, dollars(problem.price), _dollars(answer)
            ),
        ),
    )


@mal_rule("NO62")
def reverse_on_the_wrong_base(problem: ReversePercent) -> Worked | None:
    """Adds the percent of the sale price to the sale price."""
    back = Fraction(problem.sale * problem.percent, 100)
    answer = money(problem.sale + back)
    return Worked(
        answer,
        (
            step(
                "works out {0}% of the sale price, {1}, as {2}",
                problem.percent,
                dollars(problem.sale),
                dollars(back),
            ),
            step("adds this to {0} and gets {1}", dollars(problem.sale), f"${answer}"),
        ),
    )


@mal_rule("NO63")
def shifted_one_place(problem: PercentOf | TwoPercents | FractionAsDecimal) -> Worked | None:
    """Reads 5% as 0.5; in a chain of percents only where what comes out is below 1."""
    match problem:
        case PercentOf():
            rate = plain(Fraction(problem.percent, 10))
            answer = plain(Fraction(problem.percent * problem.amount, 10))
            return Worked(
                answer,
                (
                    step("reads {0}% as {1}", problem.percent, rate),
                    step("multiplies {0} by {1} and gets {2}", problem.amount, rate, answer),
                ),
            )
        case FractionAsDecimal():
            percent = Fraction(100 * problem.top, problem.bottom)
            answer = plain(percent / 10)
            return Worked(
                answer,
                (
                    step("writes {0} as {1}%", problem.written, percent),
                    step("moves the point one place and writes {0}", answer),
                ),
                key_step=1,
            )
    if problem.first >= 10 and problem.second >= 10:
        return None
    rates = [
        Fraction(percent, 10 if percent < 10 else 100)
        for percent in (problem.first, problem.second)
    ]
    reduced = problem.price * (1 - rates[0])
    answer = money(reduced * (1 + problem.sign * rates[1]))
    read = step(
        "reads {0}% as {1} and {2}% as {3}",
        problem.first,
        plain(rates[0]),
        problem.second,
        plain(rates[1]),
    )
    words = "adds {0} of this and gets {1}" if problem.sign > 0 else "takes off {0} of this: {1}"
    return Worked(
        answer,
        (
            read,
            step(
                "takes {0} of {1} off and has {2}",
                plain(rates[0]),
                dollars(problem.price),
                dollars(reduced),
            ),
            step(words, plain(rates[1]), f"${answer}"),
        ),
    )


def _first_discount(problem: TwoPercents) -> Step:
    return step(
        "takes {0}% off {1} to get {2}",
        problem.first,
        dollars(problem.price),
        dollars(problem.reduced),
    )


def _dollars(value: Answer | int) -> str:
    """With the word after it where what is left is below nothing."""
    shown = str(value)
    return f"{shown} dollars" if shown.startswith("-") else f"${shown}"


@mal_rule("NO225")
def percent_taken_off_as_a_number(problem: PercentOf) -> Worked | None:
    """Subtracts the number in front of the percent sign."""
    if problem.percent >= problem.amount:
        return None
    answer = Answer.number(problem.amount - problem.percent)
    told = step("takes {0} from {1} and gets {2}", problem.percent, problem.amount, answer)
    return Worked(answer, (told,))


@mal_rule("NO231")
def percent_as_thousandths(problem: PercentOf) -> Worked:
    """30 % as 0.03."""
    share = Fraction(problem.percent, 1000)
    answer = plain(problem.amount * share)
    told = step("reads {0}% as {1}", problem.percent, write_decimal(share))
    return Worked(answer, (told, step("multiplies {0} by it: {1}", problem.amount, answer)))
