"""Prices of less than one kilogram, litre or metre; a part, and then a part of the rest."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.catalogue.stories.unrealistic import TiedRopes
from schoolmath.malrules.catalogue.writing import dollars, money, plain
from schoolmath.malrules.forms import (
    NotDrawn,
    check_one_of,
    check_share,
    check_that,
    check_whole,
    form,
)
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws

_WARES = {
    "cheese": "kg of cheese",
    "rice": "kg of rice",
    "tea": "kg of tea",
    "nuts": "kg of nuts",
    "paint": "litre of paint",
    "oil": "litre of oil",
    "cloth": "metre of cloth",
    "ribbon": "metre of ribbon",
}
_BAGS = ("rice", "tea", "nuts")
_AMOUNTS = tuple(Fraction(*each) for each in ((1, 2), (1, 4), (3, 4), (2, 5), (3, 5), (4, 5)))
_CUTS = tuple(Fraction(*each) for each in ((1, 2), (1, 4), (1, 5), (1, 10), (1, 3)))


def _is_money(*values: Fraction) -> bool:
    return all((value * 100).denominator == 1 for value in values)


@form("word problems", (5, 8), 2)
class UnitPrice:
    """The price of one unit and less than one, or of less than one unit and the whole.

    Attributes:
        price: dollars for one unit where a part is asked, for the part where the whole is asked.
        amount: the part of a unit.
        asked: ``part`` or ``whole``.
        ware: what is bought.
    """

    price: int
    amount: Fraction
    asked: str = "part"
    ware: str = "cheese"

    def __post_init__(self) -> None:
        check_whole(1, 10_000, price=self.price)
        check_share(amount=self.amount)
        check_one_of(("part", "whole"), asked=self.asked)
        check_one_of(_WARES, ware=self.ware)
        check_that(
            _is_money(self.price * self.amount, self.price / self.amount, self.amount),
            f"${self.price} times or by {self.amount} is not a whole number of cents.",
        )

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The numbers of the story in their order."""
        if self.asked == "part":
            return Fraction(1), Fraction(self.price), self.amount
        return self.amount, Fraction(self.price), Fraction(1)

    def stem(self) -> str:
        amount, ware = plain(self.amount), _WARES[self.ware]
        if self.asked == "part":
            return (
                f"In a shop 1 {ware} costs ${self.price}. How many dollars does {amount} {ware} "
                "cost at this price?"
            )
        return (
            f"In a shop {amount} {ware} costs ${self.price}. How many dollars does 1 {ware} cost "
            "at this price?"
        )

    def multiply(self) -> Answer:
        """The price times the amount."""
        return money(self.price * self.amount)

    def divide(self) -> Answer:
        """The price divided by the amount."""
        return money(self.price / self.amount)

    def solve(self) -> Working:
        amount, price = plain(self.amount), dollars(self.price)
        if self.asked == "part":
            answer = self.multiply()
            idea = step("sees that {0} is a part of one, so takes that part of {1}", amount, price)
            words = "multiplies {0} by {1} and gets {2}"
        else:
            answer = self.divide()
            idea = step("sees that {0} of the price of one is {1}", amount, price)
            words = "divides {0} by {1} and gets {2}"
        return by_steps(answer, idea, step(words, self.price, amount, answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(100):
            price, amount = draws.between(3, 30 if grade < 7 else 90), draws.one(_AMOUNTS)
            if _is_money(price * amount, price / amount):
                asked = draws.one(("part", "part", "whole"))
                return cls(price, amount, asked, draws.one(tuple(_WARES)))
        raise NotDrawn("No price came up.")


@form("word problems", (6, 8), 2)
class BagOnSale:
    """A bag of less than a kilogram that is sold for a fraction less.

    Attributes:
        price: dollars for 1 kg.
        amount: what the bag holds, less than 1 kg.
        cut: by what part the bag's price is lowered.
        ware: what is in the bag.
    """

    price: int
    amount: Fraction
    cut: Fraction
    ware: str = "rice"

    def __post_init__(self) -> None:
        check_whole(2, 10_000, price=self.price)
        check_share(amount=self.amount, cut=self.cut)
        check_one_of(_BAGS, ware=self.ware)
        check_that(_is_money(*self._prices()), "A price on the way is not a whole number of cents.")

    def _prices(self) -> tuple[Fraction, ...]:
        bags = (self.price * self.amount, self.price / self.amount, self.price + self.amount - 1)
        return (self.amount, *bags, *(bag * self.cut for bag in bags), self.price * self.cut)

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The numbers of the story in their order."""
        return Fraction(1), Fraction(self.price), self.amount, self.cut

    def stem(self) -> str:
        return (
            f"In a shop 1 kg of {self.ware} costs ${self.price}. A bag of {self.ware} holds "
            f"{plain(self.amount)} kg. In a sale the price of the bag is cut by {self.cut}. "
            "How many dollars does the bag cost in the sale?"
        )

    def finish(self, bag: Fraction, cut_of: Fraction, steps: tuple[str, ...] = ()) -> Working:
        """The answer from a price of the bag, with the cut taken of some price.

        Args:
            bag: what the bag is taken to cost before the sale.
            cut_of: the price of which the cut is taken.
            steps: a clause for the price of the bag with its three places, and one for the cut
                with its three; left out where they are as in the right way.
        """
        words, cut_words = steps or (
            "multiplies {0} by {1} for the price of the bag, {2}",
            "takes {0} of {1}, which is {2}",
        )
        cut, answer = cut_of * self.cut, money(bag - cut_of * self.cut)
        return by_steps(
            answer,
            step(words, dollars(self.price), plain(self.amount), dollars(bag)),
            step(cut_words, self.cut, dollars(cut_of), dollars(cut)),
            step("subtracts {0} from {1} and gets {2}", dollars(cut), dollars(bag), answer),
        )

    def solve(self) -> Working:
        bag = self.price * self.amount
        return self.finish(bag, bag)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(600):
            price, amount = draws.between(4, 40 if grade < 8 else 80), draws.one(_AMOUNTS)
            cut = draws.one(_CUTS)
            if cut >= amount:
                continue
            try:
                return cls(price, amount, cut, draws.one(_BAGS))
            except ValueError:
                continue
        raise NotDrawn("No prices in whole cents came up.")


@mal_rule("WP20")
def multiplication_makes_bigger(problem: UnitPrice | BagOnSale | TiedRopes) -> Working | None:
    """Divides by a number below 1 to get less, or multiplies by it to get more."""
    if isinstance(problem, TiedRopes):
        if problem.piece >= 1:
            return None
        needed, piece = plain(problem.needed), plain(problem.piece)
        answer = plain(problem.needed * problem.piece)
        idea = step("thinks that dividing {0} by {1} would make too few pieces", needed, piece)
        result = step("multiplies {0} by {1} and gets {2}", needed, piece, answer)
        return by_steps(answer, idea, result)
    if isinstance(problem, BagOnSale):
        bag = problem.price / problem.amount
        words = "divides {0} by {1}, as the bag must cost less, and takes {2} for its price"
        return problem.finish(bag, bag, (words, "takes {0} of {1}, which is {2}"))
    amount = plain(problem.amount)
    if problem.asked == "part":
        answer = problem.divide()
        idea = step("thinks that {0} must cost less and that dividing makes less", amount)
        words = "divides {0} by {1} and gets {2}"
    else:
        answer = problem.multiply()
        words = "thinks that one must cost more than {0} and that multiplying makes more"
        idea = step(words, amount)
        words = "multiplies {0} by {1} and gets {2}"
    return by_steps(answer, idea, step(words, problem.price, amount, answer))


def add_the_missing_part(problem: UnitPrice | BagOnSale) -> Working:
    """Takes the price to change by as many dollars as the amount changes."""
    gap, amount = 1 - problem.amount, plain(problem.amount)
    if isinstance(problem, BagOnSale):
        bag = problem.price - gap
        words = "takes as much off {0} as {1} is below one, and has {2} for the bag"
        return problem.finish(bag, bag, (words, "takes {0} of {1}, which is {2}"))
    part = problem.asked == "part"
    answer = money(problem.price - gap if part else problem.price + gap)
    idea = step("finds that {0} and {1} are {2} apart", amount, 1, plain(gap))
    words = "subtracts {0} from {1} and gets {2}" if part else "adds {0} to {1} and gets {2}"
    return by_steps(answer, idea, step(words, plain(gap), problem.price, answer))


_STORIES = {
    "sweets": "A class has {total} sweets. The pupils eat {first} of them, and later {second} of "
    "the rest. How many sweets are left?",
    "pages": "A book has {total} pages. A pupil reads {first} of them in the first week and "
    "{second} of the rest in the second week. How many pages are left to read?",
    "stamps": "A collector has {total} stamps, sells {first} of them and gives away {second} of "
    "the rest. How many stamps are left?",
    "flour": "A baker has {total} kg of flour. The baker uses {first} of it for bread and {second} "
    "of the rest for cakes. How many kilograms are left?",
    "seats": "A cinema has {total} seats. Groups book {first} of them, and {second} of the rest "
    "are sold at the door. How many seats stay empty?",
}


@form("word problems", (5, 8), 2)
class FractionOfRest:
    """A fraction of the whole is used, then a fraction of the rest; what is left?

    Attributes:
        total: the whole.
        first: the fraction of the whole.
        second: the fraction of the rest.
        written: ``fraction`` or ``percent``.
        story: what it is about.
    """

    total: int
    first: Fraction
    second: Fraction
    written: str = "fraction"
    story: str = "sweets"

    def __post_init__(self) -> None:
        check_whole(2, 1_000_000, total=self.total)
        check_share(first=self.first, second=self.second)
        check_one_of(("fraction", "percent"), written=self.written)
        check_one_of(_STORIES, story=self.story)
        parts = (self.total * self.first, self.total * self.second)
        whole = (*parts, self.total * (1 - self.first) * self.second)
        check_that(
            all(part.denominator == 1 for part in whole), "Every part must be a whole number."
        )
        check_that(
            self.written == "fraction"
            or 100 % self.first.denominator == 0 == 100 % self.second.denominator,
            "A percent must be a whole number.",
        )

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The numbers of the story in their order; percents as fractions."""
        return Fraction(self.total), self.first, self.second

    def write(self, share: Fraction) -> str:
        """A share as the story writes it: ``1/3`` or ``25%``."""
        return f"{share * 100}%" if self.written == "percent" else str(share)

    def stem(self) -> str:
        return _STORIES[self.story].format(
            total=self.total, first=self.write(self.first), second=self.write(self.second)
        )

    def take(self, second_of: Fraction, words: str) -> Working:
        """What is left where the second share is taken of this amount."""
        used = self.total * self.first
        rest, taken = self.total - used, second_of * self.second
        answer = Answer.number(rest - taken)
        return by_steps(
            answer,
            step("takes {0} of {1}, which is {2}", self.write(self.first), self.total, used),
            step("subtracts {0} from {1} to get {2}", used, self.total, rest),
            step(words, self.write(self.second), second_of, taken),
            step("subtracts {0} from {1} and gets {2}", taken, rest, answer),
            key_step=2,
        )

    def solve(self) -> Working:
        words = "takes {0} of the rest {1}, which is {2}"
        return self.take(self.total * (1 - self.first), words)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        written = "fraction" if grade < 7 or draws.chance(0.5) else "percent"
        bottoms = (2, 3, 4, 5, 6) if written == "fraction" else (2, 4, 5, 10)
        for _ in range(200):
            tops = (1, 1, 1, 2, 3)
            first = Fraction(draws.one(tops), draws.one(bottoms))
            second = Fraction(draws.one(tops), draws.one(bottoms))
            total = (
                12 * draws.between(2, 20) if written == "fraction" else 20 * draws.between(2, 25)
            )
            if first + second >= 1:
                continue
            try:
                return cls(total, first, second, written, draws.one(tuple(_STORIES)))
            except ValueError:
                continue
        raise NotDrawn("No parts came up that are whole numbers.")


@mal_rule("WP24")
def part_of_the_wrong_whole(problem: FractionOfRest | BagOnSale) -> Working:
    """Takes the second fraction of the whole, too."""
    if isinstance(problem, FractionOfRest):
        words = "takes {0} of the whole {1} again, which is {2}"
        return problem.take(Fraction(problem.total), words)
    words = "multiplies {0} by {1} for the price of the bag, {2}"
    cut = "takes {0} of the price {1} of a whole kilogram, which is {2}"
    found = problem.finish(problem.price * problem.amount, Fraction(problem.price), (words, cut))
    return Working(found.answer, found.steps, 1)
