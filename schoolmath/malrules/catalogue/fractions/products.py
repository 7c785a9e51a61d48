"""A fraction of an amount; what goes wrong when fractions are multiplied, divided or read."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.catalogue.fractions.arithmetic import (
    FractionDifference,
    FractionProduct,
    FractionQuotient,
    FractionSum,
)
from schoolmath.malrules.catalogue.fractions.mixed_numbers import WholeTimesFraction
from schoolmath.malrules.catalogue.fractions.percents import PercentOf
from schoolmath.malrules.catalogue.fractions.ratios import Proportion, RatioShare
from schoolmath.malrules.catalogue.fractions.rewriting import (
    FractionAsDecimal,
    FractionComparison,
    LowestTerms,
)
from schoolmath.malrules.catalogue.numbers.columns import DecimalProduct, places_of
from schoolmath.malrules.catalogue.writing import as_written, places_for, plain
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws
from schoolmath.problems.vocabulary import vocabulary

_STORIES = {
    "plain": "What is {part} of {amount}?",
    "beads": "{name} has {amount} beads. {part} of them are red. How many beads are red?",
    "pages": "{name}'s book has {amount} pages. {name} has read {part} of them. "
    "How many pages has {name} read?",
    "stickers": "{name} has {amount} stickers and gives away {part} of them. "
    "How many stickers does {name} give away?",
    "pupils": "{name} counts {amount} pupils in the hall. {part} of them wear glasses. "
    "How many of these pupils wear glasses?",
}


@form("number and operation", (4, 6), 1)
class FractionOf:
    """``2/3`` of 12.

    Attributes:
        top: of the fraction.
        bottom: of the fraction.
        amount: what the fraction is taken of.
        setting: the story; one of plain, beads, pages, stickers, pupils.
        name: who is in the story.
    """

    top: int
    bottom: int
    amount: int
    setting: str = "plain"
    name: str = "Ana"

    def __post_init__(self) -> None:
        if not 0 < self.top < self.bottom:
            raise ValueError("The numerator must lie between 0 and the denominator.")
        if self.amount < 1 or self.amount % self.bottom:
            raise ValueError(f"{self.amount} does not divide into {self.bottom} whole parts.")
        if self.setting not in _STORIES:
            raise ValueError(f"There is no story {self.setting!r}: use one of {[*_STORIES]}.")

    @property
    def part(self) -> str:
        """The fraction as it is written."""
        return f"{self.top}/{self.bottom}"

    def stem(self) -> str:
        return _STORIES[self.setting].format(part=self.part, amount=self.amount, name=self.name)

    def solve(self) -> Working:
        one = self.amount // self.bottom
        answer = Answer.number(one * self.top)
        return by_steps(
            answer,
            step("divides {0} by {1} to get one part, {2}", self.amount, self.bottom, one),
            step("takes {0} such parts: {0} × {1} = {2}", self.top, one, answer.shown),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        largest, most = {4: (6, 60), 5: (9, 120)}.get(grade, (12, 200))
        for _ in range(100):
            bottom = draws.between(3, largest)
            top = draws.between(2, bottom - 1)
            # Divisible by both, so that the fraction turned over gives a whole number too.
            amount = lcm(top, bottom) * draws.between(1, 6)
            if gcd(top, bottom) == 1 and 2 * bottom <= amount <= most:
                name = draws.one(vocabulary().names).text
                return cls(top, bottom, amount, draws.one(tuple(_STORIES)), name)
        raise NotDrawn("No fraction of an amount came up.")


@mal_rule("NO30")
def keeps_denominator(
    problem: FractionProduct | FractionQuotient | FractionOf | LowestTerms,
) -> Working | None:
    """Works on the numerators only and keeps the denominator, as in a sum."""
    match problem:
        case LowestTerms():
            top = problem.top // problem.factor
            answer = as_written(top, problem.bottom)
            return by_steps(
                answer,
                step("divides {0} by {1} to get {2}", problem.top, problem.factor, top),
                step("keeps the denominator {0}", problem.bottom),
                step("writes {0}", answer.shown),
                key_step=1,
            )
        case FractionOf():
            raised = problem.amount * problem.bottom
            answer = plain(Fraction(problem.top * raised, problem.bottom))
            same = f"{raised}/{problem.bottom}"
            product = f"{problem.top * raised}/{problem.bottom}"
            return by_steps(
                answer,
                step("writes {0} as {1}", problem.amount, same),
                step(
                    "multiplies the numerators {0} and {1} and keeps {2} below",
                    problem.top,
                    raised,
                    problem.bottom,
                ),
                step("works out {0} as {1}", product, answer.shown),
                key_step=1,
            )
        case FractionQuotient():
            if not problem.alike or problem.top % problem.other_top:
                return None
            top = problem.top // problem.other_top
            answer = as_written(top, problem.bottom)
            return by_steps(
                answer,
                step("divides {0} by {1} to get {2}", problem.top, problem.other_top, top),
                step("keeps the denominator {0}", problem.bottom),
                step("writes {0}", answer.shown),
                key_step=1,
            )
    left, right = problem.raised
    answer = as_written(left * right, problem.common)
    return by_steps(
        answer,
        *problem.rewrite(),
        step("multiplies the numerators: {0} × {1} = {2}", left, right, left * right),
        step("keeps the common denominator {0}", problem.common),
        step("writes {0}", answer.shown),
        key_step=len(problem.rewrite()) + 1,
    )


@mal_rule("NO234")
def divides_the_top_only(problem: LowestTerms) -> tuple[Working, ...]:
    """Divides the numerator by a smaller common factor and keeps the denominator."""
    return tuple(
        by_steps(
            as_written(problem.top // factor, problem.bottom),
            step("divides {0} by {1} to get {2}", problem.top, factor, problem.top // factor),
            step("writes {0}", f"{problem.top // factor}/{problem.bottom}"),
        )
        for factor in range(2, problem.factor)
        if problem.factor % factor == 0
    )


@mal_rule("NO235")
def adds_crosswise(problem: FractionSum) -> Working:
    """Adds the top of each fraction to the bottom of the other."""
    top, bottom = problem.top + problem.other_bottom, problem.bottom + problem.other_top
    return by_steps(
        as_written(top, bottom),
        step("adds {0} and {1} and gets {2}", problem.top, problem.other_bottom, top),
        step("adds {0} and {1} and gets {2}", problem.bottom, problem.other_top, bottom),
        step("writes {0}", f"{top}/{bottom}"),
    )


@mal_rule("NO31")
def inverts_wrong_fraction(
    problem: FractionQuotient | FractionProduct | FractionOf | Proportion,
) -> Working | None:
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
            return by_steps(
                answer,
                step("turns {0} over to {1}", f"{top}/{bottom}", turned),
                step("multiplies {0} by {1} and gets {2}", amount, turned, answer.shown),
            )
    turned = f"{problem.bottom}/{problem.top}"
    answer = Answer.number(
        Fraction(problem.bottom * problem.other_top, problem.top * problem.other_bottom)
    )
    return by_steps(
        answer,
        step("turns the first fraction, {0}, over to {1}", problem.first, turned),
        step("multiplies {0} by {1} and gets {2}", turned, problem.second, answer.shown),
    )


@mal_rule("NO32")
def multiplies_instead_of_dividing(problem: FractionQuotient) -> Working | None:
    """Multiplies numerators and denominators and turns nothing over."""
    top, bottom = problem.top * problem.other_top, problem.bottom * problem.other_bottom
    answer = as_written(top, bottom)
    return by_steps(
        answer,
        step("leaves the second fraction as {0}", problem.second),
        step(
            "multiplies {0} by {1} above and {2} by {3} below",
            problem.top,
            problem.other_top,
            problem.bottom,
            problem.other_bottom,
        ),
        step("writes {0}", answer.shown),
    )


@mal_rule("NO36")
def unit_fraction_only(
    problem: (
        FractionOf | FractionProduct | FractionAsDecimal | PercentOf | RatioShare | Proportion
    ),
) -> Working | None:
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
    return by_steps(
        answer,
        step("sees that {0} is to be cut into {1} parts", whole, parts),
        step("divides {0} by {1} and takes one part", whole, parts),
        step("answers {0}", answer.shown),
        key_step=1,
    )


@mal_rule("NO38")
def bar_as_decimal_point(
    problem: (
        FractionAsDecimal | FractionSum | FractionDifference | FractionProduct | FractionComparison
    ),
) -> Working | None:
    """Reads the fraction bar as a decimal point."""
    match problem:
        case FractionAsDecimal():
            read = f"{problem.top}.{problem.bottom}"
            return by_steps(
                Answer.number(Fraction(read), read),
                step("reads the bar in {0} as a decimal point", problem.written),
                step("writes {0}", read),
            )
        case FractionComparison():
            decimals = [f"{top}.{bottom}" for top, bottom in problem.fractions]
            values = [Fraction(each) for each in decimals]
            best = max(values)
            if values.count(best) > 1:
                return None
            chosen = values.index(best)
            slots = places_for(len(decimals))
            return by_steps(
                Answer.label(problem.labels[chosen]),
                step(f"reads the fractions as {slots}", *decimals),
                step("finds {0} the largest of these", decimals[chosen]),
                step("picks {0}", problem.labels[chosen]),
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
    return by_steps(
        answer,
        step("reads {0} as {1} and {2} as {3}", problem.first, first, problem.second, second),
        step(words, first, second, answer.shown),
    )


@mal_rule("NO114")
def places_from_the_left(problem: DecimalProduct) -> Working | None:
    """Counts the places from the front of the product."""
    one, other = problem.whole
    places = places_of(problem.first) + places_of(problem.second)
    digits = str(one * other)
    if problem.zeros or len(digits) <= places:
        return None
    shown = f"{digits[:places]}.{digits[places:]}"
    answer = Answer.number(Fraction(shown), shown)
    product = step("multiplies {0} by {1}: {2}", one, other, digits)
    return by_steps(
        answer, product, step("counts {0} places from the left: {1}", places, answer), key_step=1
    )


@mal_rule("NO121")
def bottom_behind_the_point(problem: FractionAsDecimal) -> Working:
    """0 and the denominator behind the point."""
    shown = f"0.{problem.bottom}"
    answer = Answer.number(Fraction(shown), shown)
    return by_steps(answer, step("writes {0} behind the point: {1}", problem.bottom, answer))


@mal_rule("NO207")
def bottom_by_top(problem: FractionAsDecimal) -> Working:
    """B ÷ a."""
    answer = plain(Fraction(problem.bottom, problem.top))
    told = step("divides {0} by {1}: {2}", problem.bottom, problem.top, answer)
    return by_steps(answer, told)


@mal_rule("NO130")
def turns_both_over(problem: FractionQuotient) -> Working:
    """Inverts both fractions and multiplies."""
    top, bottom = problem.bottom * problem.other_bottom, problem.top * problem.other_top
    answer = as_written(top, bottom)
    both = (f"{problem.bottom}/{problem.top}", f"{problem.other_bottom}/{problem.other_top}")
    return by_steps(
        answer, step("turns both over: {0} and {1}", *both), step("multiplies them: {0}", answer)
    )


@mal_rule("NO208")
def multiplies_crosswise(problem: FractionProduct) -> Working:
    """a·d over b·c."""
    answer = as_written(problem.top * problem.other_bottom, problem.bottom * problem.other_top)
    one, other = (problem.top, problem.other_bottom), (problem.bottom, problem.other_top)
    told = step("multiplies {0} by {1} and {2} by {3}: {4}", *one, *other, answer)
    return by_steps(answer, told)


@mal_rule("NO209")
def converts_one_fraction_only(problem: FractionSum) -> Working | None:
    """The second numerator stays as it was."""
    common = lcm(problem.bottom, problem.other_bottom)
    if common == problem.other_bottom:
        return None
    raised = problem.top * common // problem.bottom
    answer = as_written(raised + problem.other_top, common)
    return by_steps(
        answer,
        step("writes {0}/{1} as {2}/{3}", problem.top, problem.bottom, raised, common),
        step("adds {0} to {1} over {2}: {3}", problem.other_top, raised, common, answer),
        key_step=1,
    )


@mal_rule("NO210")
def strikes_out_equal_digits(problem: LowestTerms) -> Working | None:
    """Deletes a digit that stands in top and bottom."""
    top, bottom = str(problem.top), str(problem.bottom)
    for digit in top:
        if digit != "0" and digit in bottom:
            left, below = top.replace(digit, "", 1), bottom.replace(digit, "", 1)
            if not left or not below or int(left) == 0 or int(below) == 0:
                return None
            answer = as_written(int(left), int(below))
            told = step("strikes out {0} in {1} and {2}: {3}", digit, top, bottom, answer)
            return by_steps(answer, told)
    return None


@mal_rule("NO212")
def whole_times_the_bottom(problem: WholeTimesFraction) -> Working:
    """A over n·b."""
    answer = as_written(problem.top, problem.whole * problem.bottom)
    told = step("multiplies {0} by {1} below: {2}", problem.whole, problem.bottom, answer)
    return by_steps(answer, told)
