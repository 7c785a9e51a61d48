"""Percents of an amount, two percents in a row, percents backwards, and how they go wrong."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step, write_decimal
from schoolmath.malrules.catalogue.fractions.rewriting import FractionAsDecimal
from schoolmath.malrules.catalogue.writing import dollars, money, plain
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws
from schoolmath.problems.vocabulary import vocabulary

_PARTS = {
    "plain": "What is {percent}% of {amount}?",
    "pupils": "A school has {amount} pupils. {percent}% of them walk to school. "
    "How many pupils walk to school?",
    "seats": "A hall has {amount} seats. {percent}% of them are taken. How many seats are taken?",
    "trees": "{name} plants {amount} trees. {percent}% of them are apple trees. "
    "How many apple trees does {name} plant?",
}
_GOODS = ("bag", "book", "game", "jacket", "lamp", "radio", "shirt", "tent")


_MOST_PERCENT = 1000


@form("number and operation", (6, 7), 1)
class PercentOf:
    """``5%`` of 60.

    Attributes:
        percent: a whole number from 1 to 99; without a story to 1000.
        amount: what it is taken of.
        setting: the story; one of plain, pupils, seats, trees.
        name: who is in the story.
    """

    percent: int
    amount: int
    setting: str = "plain"
    name: str = "Ana"

    def __post_init__(self) -> None:
        most = _MOST_PERCENT if self.setting == "plain" else 99
        if not 0 < self.percent <= most or self.amount < 1:
            raise ValueError(f"The percent is 1 to {most}, and the amount 1 or more.")
        if self.setting not in _PARTS:
            raise ValueError(f"There is no story {self.setting!r}: use one of {[*_PARTS]}.")
        if self.setting != "plain" and self.percent * self.amount % 100:
            raise ValueError(f"{self.percent}% of {self.amount} is not a whole number.")

    def stem(self) -> str:
        return _PARTS[self.setting].format(percent=self.percent, amount=self.amount, name=self.name)

    def solve(self) -> Working:
        answer = plain(Fraction(self.percent * self.amount, 100))
        rate = plain(Fraction(self.percent, 100))
        return by_steps(
            answer,
            step("reads {0}% as {1}", self.percent, rate),
            step("multiplies {0} by {1} and gets {2}", self.amount, rate, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        rates = (2, 4, 5, 8, 15, 20, 25, 30) if grade == 6 else (2, 4, 5, 6, 8, 12, 15, 24, 30, 35)
        for _ in range(100):
            percent, amount = draws.one(rates), 20 * draws.between(1, 30)
            # Whole for the key and for those who divide by the percent.
            if amount % percent == 0 and percent * amount % 100 == 0 and amount != percent**2:
                name = draws.one(vocabulary().names).text
                return cls(percent, amount, draws.one(tuple(_PARTS)), name)
        raise NotDrawn("No percent of an amount came up.")


@form("number and operation", (6, 8), 2)
class TwoPercents:
    """A discount on a price and then a tax or a second discount.

    Attributes:
        price: in whole dollars.
        first: percent that is taken off.
        second: percent of what comes next.
        then: ``tax`` or ``discount``.
        goods: what is sold.
    """

    price: int
    first: int
    second: int
    then: str = "tax"
    goods: str = "bag"

    def __post_init__(self) -> None:
        if self.price < 1 or not (0 < self.first < 100 and 0 < self.second < 100):
            raise ValueError("The price must be 1 or more and the percents between 0 and 100.")
        if self.price * self.first * self.second % 100:
            raise ValueError("The last price must come to a whole number of cents.")
        if self.then not in ("tax", "discount"):
            raise ValueError(f"A tax or a discount comes second, not {self.then!r}.")
        if self.goods not in _GOODS:
            raise ValueError(f"Nobody sells {self.goods!r} here: use one of {[*_GOODS]}.")

    @property
    def sign(self) -> int:
        """1 where the second percent is added, -1 where it is taken off."""
        return 1 if self.then == "tax" else -1

    def stem(self) -> str:
        start = f"A {self.goods} costs ${self.price}. A shop takes {self.first}% off this price."
        if self.then == "tax":
            return (
                f"{start} Then {self.second}% tax is added to the reduced price. "
                f"How much does the {self.goods} cost with tax?"
            )
        return (
            f"{start} In the last week of the sale it takes another {self.second}% off the "
            f"reduced price. How much does the {self.goods} cost then?"
        )

    @property
    def reduced(self) -> Fraction:
        """The price after the first discount."""
        return Fraction(self.price * (100 - self.first), 100)

    def solve(self) -> Working:
        change = self.reduced * self.second / 100
        answer = money(self.reduced + self.sign * change)
        verb = "adds it" if self.sign > 0 else "takes it off"
        return by_steps(
            answer,
            step(
                "takes {0}% off {1} to get {2}",
                self.first,
                dollars(self.price),
                dollars(self.reduced),
            ),
            step(f"works out {{0}}% of {{1}} and {verb}", self.second, dollars(self.reduced)),
            step("gets {0}", f"${answer}"),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        offs = (10, 20, 25, 50) if grade == 6 else (10, 15, 20, 25, 30, 40)
        for _ in range(100):
            then = draws.one(("tax", "discount"))
            second = draws.between(4, 9) if then == "tax" else draws.one((4, 5, 8, 10, 15, 20))
            price, first = 2 * draws.between(10, 75), draws.one(offs)
            if price * first * second % 100 == 0 and first + second < price != 100:
                return cls(price, first, second, then, draws.one(_GOODS))
        raise NotDrawn("No two percents came up.")


@form("number and operation", (7, 9), 2)
class ReversePercent:
    """The original price from a sale price.

    Attributes:
        sale: the price after the discount, in whole dollars.
        percent: what was taken off.
        goods: what is sold.
    """

    sale: int
    percent: int
    goods: str = "bag"

    def __post_init__(self) -> None:
        if self.sale < 1 or not 0 < self.percent < 100:
            raise ValueError("The price must be 1 or more and the percent between 0 and 100.")
        if self.sale * 10000 % (100 - self.percent):
            raise ValueError("The original price must be a whole number of cents.")
        if self.goods not in _GOODS:
            raise ValueError(f"Nobody sells {self.goods!r} here: use one of {[*_GOODS]}.")

    def stem(self) -> str:
        return (
            f"After a discount of {self.percent}% a {self.goods} costs ${self.sale}. "
            "What was the price before the discount?"
        )

    def solve(self) -> Working:
        left = 100 - self.percent
        answer = money(Fraction(100 * self.sale, left))
        return by_steps(
            answer,
            step("sees that {0} is {1}% of the price before", dollars(self.sale), left),
            step("divides {0} by {1}", dollars(self.sale), plain(Fraction(left, 100))),
            step("gets {0}", f"${answer}"),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        rates = (10, 20, 25, 40, 50) if grade == 7 else (5, 10, 15, 20, 25, 30, 35, 40)
        for _ in range(100):
            percent, original = draws.one(rates), draws.between(20, 200)
            cents = original * (100 - percent)
            # 100 dollars would make the percent the number of dollars.
            if cents % 100 == 0 and original != 100:
                return cls(cents // 100, percent, draws.one(_GOODS))
        raise NotDrawn("No percent to reverse came up.")


@mal_rule("NO58")
def percent_as_units(problem: TwoPercents | PercentOf | ReversePercent) -> Working | None:
    """Takes the percent figure as that many dollars or things."""
    match problem:
        case PercentOf():
            answer = Answer.number(problem.percent)
            return by_steps(
                answer,
                step("reads {0}% of something as {0} of them", problem.percent),
                step("answers {0}", answer.shown),
            )
        case ReversePercent():
            answer = money(problem.sale + problem.percent)
            return by_steps(
                answer,
                step("reads {0}% as {1}", problem.percent, dollars(problem.percent)),
                step(
                    "adds {0} to {1} and gets {2}",
                    dollars(problem.percent),
                    dollars(problem.sale),
                    f"${answer}",
                ),
            )
    left = problem.price - problem.first
    taken = step(
        "takes {0} off for {1}% and has {2}", dollars(problem.first), problem.first, _dollars(left)
    )
    if problem.then == "discount":
        answer = money(left - problem.second)
        last = step("takes off another {0} and gets {1}", dollars(problem.second), _dollars(answer))
    else:
        answer = money(Fraction(left * (100 + problem.second), 100))
        last = step("adds {0}% tax to this and gets {1}", problem.second, _dollars(answer))
    return by_steps(answer, taken, last)


@mal_rule("NO59")
def wrong_sign(problem: TwoPercents | ReversePercent) -> Working | None:
    """Takes off where the story adds, or adds where it takes off."""
    if isinstance(problem, ReversePercent):
        off = Fraction(problem.sale * problem.percent, 100)
        answer = money(problem.sale - off)
        return by_steps(
            answer,
            step(
                "works out {0}% of {1} as {2}", problem.percent, dollars(problem.sale), dollars(off)
            ),
            step("takes it off {0} once more", dollars(problem.sale)),
            step("gets {0}", f"${answer}"),
            key_step=1,
        )
    change = problem.reduced * problem.second / 100
    answer = money(problem.reduced - problem.sign * change)
    words = "takes off {0}% tax from {1}" if problem.sign > 0 else "adds {0}% to {1}"
    return by_steps(
        answer,
        _first_discount(problem),
        step(words, problem.second, dollars(problem.reduced)),
        step("gets {0}", f"${answer}"),
        key_step=1,
    )


@mal_rule("NO60")
def both_on_the_original(problem: TwoPercents) -> Working | None:
    """Works out the tax on the price before the discount."""
    if problem.sign < 0:
        return None  # Two discounts of one price are two percents added.
    tax = Fraction(problem.price * problem.second, 100)
    answer = money(problem.reduced + tax)
    return by_steps(
        answer,
        _first_discount(problem),
        step(
            "works out {0}% of the first price, {1}, as {2}",
            problem.second,
            dollars(problem.price),
            dollars(tax),
        ),
        step("adds this to {0} and gets {1}", dollars(problem.reduced), f"${answer}"),
        key_step=1,
    )


@mal_rule("NO61")
def percents_added(problem: TwoPercents) -> Working | None:
    """Adds two discounts and takes the sum off at once."""
    if problem.sign > 0:
        return None
    total = problem.first + problem.second
    answer = money(Fraction(problem.price * (100 - total), 100))
    return by_steps(
        answer,
        step("adds the discounts: {0}% + {1}% = {2}%", problem.first, problem.second, total),
        step("takes {0}% off {1} and gets {2}", total, dollars(problem.price), _dollars(answer)),
    )


@mal_rule("NO62")
def reverse_on_the_wrong_base(problem: ReversePercent) -> Working | None:
    """Adds the percent of the sale price to the sale price."""
    back = Fraction(problem.sale * problem.percent, 100)
    answer = money(problem.sale + back)
    return by_steps(
        answer,
        step(
            "works out {0}% of the sale price, {1}, as {2}",
            problem.percent,
            dollars(problem.sale),
            dollars(back),
        ),
        step("adds this to {0} and gets {1}", dollars(problem.sale), f"${answer}"),
    )


@mal_rule("NO63")
def shifted_one_place(problem: PercentOf | TwoPercents | FractionAsDecimal) -> Working | None:
    """Reads 5% as 0.5; in a chain of percents only where what comes out is below 1."""
    match problem:
        case PercentOf():
            rate = plain(Fraction(problem.percent, 10))
            answer = plain(Fraction(problem.percent * problem.amount, 10))
            return by_steps(
                answer,
                step("reads {0}% as {1}", problem.percent, rate),
                step("multiplies {0} by {1} and gets {2}", problem.amount, rate, answer),
            )
        case FractionAsDecimal():
            percent = Fraction(100 * problem.top, problem.bottom)
            answer = plain(percent / 10)
            return by_steps(
                answer,
                step("writes {0} as {1}%", problem.written, percent),
                step("moves the point one place and writes {0}", answer),
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
    return by_steps(
        answer,
        read,
        step(
            "takes {0} of {1} off and has {2}",
            plain(rates[0]),
            dollars(problem.price),
            dollars(reduced),
        ),
        step(words, plain(rates[1]), f"${answer}"),
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
def percent_taken_off_as_a_number(problem: PercentOf) -> Working | None:
    """Subtracts the number in front of the percent sign."""
    if problem.percent >= problem.amount:
        return None
    answer = Answer.number(problem.amount - problem.percent)
    told = step("takes {0} from {1} and gets {2}", problem.percent, problem.amount, answer)
    return by_steps(answer, told)


@mal_rule("NO231")
def percent_as_thousandths(problem: PercentOf) -> Working:
    """30 % as 0.03."""
    share = Fraction(problem.percent, 1000)
    answer = plain(problem.amount * share)
    told = step("reads {0}% as {1}", problem.percent, write_decimal(share))
    return by_steps(answer, told, step("multiplies {0} by it: {1}", problem.amount, answer))


@mal_rule("NO261")
def multiplies_by_the_percent(problem: PercentOf) -> Working:
    """25 % of 80 is 2000: the number of the percent times the amount."""
    product = problem.percent * problem.amount
    told = step("multiplies {0} by {1}: {2}", problem.percent, problem.amount, product)
    return by_steps(Answer.number(product), told)
