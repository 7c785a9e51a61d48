"""Sums, differences and products of signed numbers, and how they go wrong."""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.draws import Draws


def _bracketed(value: int) -> str:
    return f"({value})" if value < 0 else str(value)


@form("number and operation", (6, 7), 1)
class SignedSum:
    """A sum or difference with a minus sign somewhere.

    Attributes:
        first: not 0.
        second: not 0.
        minus: whether the second is subtracted.
    """

    first: int
    second: int
    minus: bool

    def __post_init__(self) -> None:
        if not self.first or not self.second:
            raise ValueError("Neither number of a signed sum is 0.")
        if self.first > 0 and self.second > 0 and not self.minus:
            raise ValueError(f"{self.first} + {self.second} has no minus sign.")

    @property
    def text(self) -> str:
        """The sum as it is written."""
        return f"{self.first} {'-' if self.minus else '+'} {_bracketed(self.second)}"

    def stem(self) -> str:
        return f"What is {self.text}?"

    def solve(self) -> Worked:
        if not self.minus:
            result = self.first + self.second
            way = "starts at {0} and goes {1} up the number line"
            if self.second < 0:
                way = "starts at {0} and goes {1} down the number line"
        else:
            result = self.first - self.second
            way = "starts at {0} and goes {1} down the number line"
            if self.second < 0:
                way = "takes minus a negative as plus, so starts at {0} and goes {1} up"
        return Worked(
            Answer.number(result),
            (step(way, self.first, abs(self.second)), step("arrives at {0}", result)),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        low, high = sorted(draws.several(range(2, 20 if grade <= 6 else 60), 2))
        kind = draws.below(10)
        if kind < 6:
            return cls(low, -high, True)
        if kind == 6:
            return cls(low, high, True)
        if kind == 7:
            return cls(-high, low, False)
        if kind == 8:
            return cls(-low, high, False)
        first, second = draws.several((-low, -high), 2)
        return cls(first, second, draws.chance(0.7))

    @classmethod
    def draw_widely(cls, draws: Draws, grade: int) -> Self:
        """Also a negative number less a positive one."""
        if draws.chance(0.7):
            return cls.draw(draws, grade)
        first, second = draws.several(range(2, 5 * grade), 2)
        return cls(-first, second, True)


@form("number and operation", (7, 8), 2)
class SignedProduct:
    """A product of signed numbers, less another number.

    Attributes:
        first: not 0.
        second: not 0.
        taken: what is taken from the product; 0 for nothing.
    """

    first: int
    second: int
    taken: int

    def __post_init__(self) -> None:
        if not self.first or not self.second:
            raise ValueError("Neither factor of a signed product is 0.")

    @property
    def text(self) -> str:
        """The expression as it is written."""
        product = f"{_bracketed(self.first)} × {_bracketed(self.second)}"
        return f"{product} - {_bracketed(self.taken)}" if self.taken else product

    def stem(self) -> str:
        return f"What is {self.text}?"

    def solve(self) -> Worked:
        product = self.first * self.second
        signs = "the same sign" if product > 0 else "different signs"
        clause = f"multiplies {{0}} and {{1}}, which have {signs}, and gets {{2}}"
        multiplying = step(clause, self.first, self.second, product)
        return self.after(product, multiplying)

    def after(self, product: int, multiplying: Step) -> Worked:
        """Takes the last number from a product, whatever it is."""
        result = product - self.taken
        if not self.taken:
            return Worked(Answer.number(result), (multiplying,))
        taking = step("takes {0} from {1} and gets {2}", _bracketed(self.taken), product, result)
        return Worked(Answer.number(result), (multiplying, taking))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        first, second = draws.between(2, 9), draws.between(2, 9 if grade <= 7 else 14)
        taken = -draws.between(2, 30)
        if draws.chance(0.85):
            return cls(-first, -second, taken)
        return cls(-first, -second, 0) if draws.chance(0.5) else cls(-first, second, taken)


def _right_product(problem: SignedProduct) -> tuple[int, Step]:
    product = problem.first * problem.second
    clause = "multiplies {0} by {1} and gets {2}"
    return product, step(clause, problem.first, problem.second, product)


@mal_rule("NO45")
def ignores_the_sign(problem: SignedSum) -> Worked:
    """The smaller size from the larger, with no sign."""
    low, high = sorted((abs(problem.first), abs(problem.second)))
    return Worked(
        Answer.number(high - low),
        (
            step("takes the smaller number {0} from the larger {1}", low, high),
            step("gets {0}", high - low),
        ),
    )


@mal_rule("NO46")
def adds_sizes_keeps_the_minus(problem: SignedSum | SignedProduct) -> Worked | None:
    """Both sizes added, and a minus in front."""
    if isinstance(problem, SignedSum):
        before: list[Step] = []
        first, second = abs(problem.first), abs(problem.second)
    elif problem.taken:
        product, multiplying = _right_product(problem)
        before, first, second = [multiplying], abs(product), abs(problem.taken)
    else:
        return None
    result = -(first + second)
    adding = step("adds the sizes {0} and {1}: {2}", first, second, first + second)
    keeping = step("keeps a minus sign and writes {0}", result)
    return Worked(Answer.number(result), (*before, adding, keeping), len(before))


@mal_rule("NO47")
def minus_a_negative_stays_minus(problem: SignedSum | SignedProduct) -> Worked | None:
    """3 - (-5) is read as 3 - 5."""
    if isinstance(problem, SignedSum):
        if not problem.minus:
            return None
        before: list[Step] = []
        start, taken = problem.first, problem.second
    else:
        start, multiplying = _right_product(problem)
        before, taken = [multiplying], problem.taken
    if taken >= 0:
        return None
    result = start + taken
    reading = step("reads {0} - ({1}) as {0} - {2}", start, taken, -taken)
    gets = step("gets {0}", result)
    return Worked(Answer.number(result), (*before, reading, gets), len(before))


@mal_rule("NO48")
def two_negatives_make_a_negative(problem: SignedProduct) -> Worked | None:
    """The product of two negatives keeps the minus."""
    if problem.first > 0 or problem.second > 0:
        return None
    product = -problem.first * problem.second
    multiplying = step(
        "multiplies {0} and {1}, keeps the minus as both are negative, and gets {2}",
        problem.first,
        problem.second,
        product,
    )
    return problem.after(product, multiplying)
