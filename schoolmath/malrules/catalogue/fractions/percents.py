"""Percents of an amount, two percents one after the other, and percents backwards."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.catalogue.exact_writing import dollars, money, plain
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.traces import Worked, step
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


@form("number and operation", (6, 7), 1)
class PercentOf:
    """``5%`` of 60.

    Attributes:
        percent: a whole number from 1 to 99.
        amount: what it is taken of.
        setting: the story; one of plain, pupils, seats, trees.
        name: who is in the story.

    Raises:
        ValueError: a number is out of range, there is no such story, or things that are counted
            would not be whole.
    """

    percent: int
    amount: int
    setting: str = "plain"
    name: str = "Ana"

    def __post_init__(self) -> None:
        if not 0 < self.percent < 100 or self.amount < 1:
            raise ValueError("The percent must lie between 0 and 100, the amount be 1 or more.")
        if self.setting not in _PARTS:
            raise ValueError(f"There is no story {self.setting!r}: use one of {[*_PARTS]}.")
        if self.setting != "plain" and self.percent * self.amount % 100:
            raise ValueError(f"{self.percent}% of {self.amount} is not a whole number.")

    def stem(self) -> str:
        return _PARTS[self.setting].format(percent=self.percent, amount=self.amount, name=self.name)

    def solve(self) -> Worked:
        answer = plain(Fraction(self.percent * self.amount, 100))
        rate = plain(Fraction(self.percent, 100))
        return Worked(
            answer,
            (
                step("reads {0}% as {1}", self.percent, rate),
                step("multiplies {0} by {1} and gets {2}", self.amount, rate, answer),
            ),
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

    Raises:
        ValueError: a number is out of range, the last price is not in whole cents, or ``then``
            or ``goods`` is not known.
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

    def solve(self) -> Worked:
        change = self.reduced * self.second / 100
        answer = money(self.reduced + self.sign * change)
        verb = "adds it" if self.sign > 0 else "takes it off"
        return Worked(
            answer,
            (
                step(
                    "takes {0}% off {1} to get {2}",
                    self.first,
                    dollars(self.price),
                    dollars(self.reduced),
                ),
                step(f"works out {{0}}% of {{1}} and {verb}", self.second, dollars(self.reduced)),
                step("gets {0}", f"${answer}"),
            ),
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

    Raises:
        ValueError: a number is out of range, the original price is not in whole cents, or
            ``goods`` is not known.
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

    def solve(self) -> Worked:
        left = 100 - self.percent
        answer = money(Fraction(100 * self.sale, left))
        return Worked(
            answer,
            (
                step("sees that {0} is {1}% of the price before", dollars(self.sale), left),
                step("divides {0} by {1}", dollars(self.sale), plain(Fraction(left, 100))),
                step("gets {0}", f"${answer}"),
            ),
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
