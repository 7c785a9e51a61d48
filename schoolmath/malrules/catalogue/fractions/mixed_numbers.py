"""Mixed numbers subtracted, and a whole number times a fraction."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.writing import as_written
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


def mixed(whole: int, top: int, bottom: int) -> Answer:
    """A mixed number just as it comes out: 1 7/5 stays 1 7/5."""
    value = whole + Fraction(top, bottom)
    return Answer.number(value, _written(whole, top, bottom))


def _written(whole: int, top: int, bottom: int) -> str:
    if not top:
        return str(whole)
    return f"{whole} {top}/{bottom}" if whole else f"{top}/{bottom}"


@form("number and operation", (4, 6), 1)
class MixedDifference:
    """A mixed number taken from a larger one, or from a whole number.

    Attributes:
        whole, top, bottom: the first; top 0 and bottom 1 where it is a whole number.
        other_whole, other_top, other_bottom: the second, with a fraction; maybe no whole.
    """

    whole: int
    top: int
    bottom: int
    other_whole: int
    other_top: int
    other_bottom: int

    def __post_init__(self) -> None:
        if not (0 <= self.top < self.bottom and 0 < self.other_top < self.other_bottom):
            raise ValueError("The fractions of the mixed numbers are below 1.")
        if self.whole < 1 or self.other_whole < 0 or self.value <= 0:
            raise ValueError("The second number is smaller than the first, which is from 1.")
        if not self.top and self.bottom != 1:
            raise ValueError("A whole number has no fraction: top 0 and bottom 1.")

    @property
    def value(self) -> Fraction:
        """The difference."""
        second = self.other_whole + Fraction(self.other_top, self.other_bottom)
        return self.whole + Fraction(self.top, self.bottom) - second

    @property
    def shown(self) -> tuple[str, str]:
        """Both as they are written."""
        return (
            _written(self.whole, self.top, self.bottom),
            _written(self.other_whole, self.other_top, self.other_bottom),
        )

    @property
    def raised(self) -> tuple[int, int, int]:
        """Both numerators over the smallest common denominator, and this denominator."""
        common = lcm(self.bottom, self.other_bottom)
        return (
            self.top * common // self.bottom, self.other_top * common // self.other_bottom, common,
        )  # fmt: skip

    @property
    def borrows(self) -> bool:
        """Whether the first fraction is too small to take the second from it."""
        first, second, _ = self.raised
        return first < second

    def writing(self) -> Step:
        """Both fractions with one denominator."""
        first, second, common = self.raised
        return step(
            "writes the fractions as {0} and {1}", f"{first}/{common}", f"{second}/{common}"
        )

    def stem(self) -> str:
        return f"What is {self.shown[0]} - {self.shown[1]}?"

    def solve(self) -> Working:
        first, second, common = self.raised
        whole, steps = self.whole, [self.writing()]
        if self.borrows:
            whole, first = whole - 1, first + common
            steps.append(
                step("changes one whole into {0}, which leaves {1}", f"{common}/{common}", whole)
            )
        value = Fraction(first - second, common)
        answer = mixed(whole - self.other_whole, value.numerator, value.denominator)
        steps.append(step("subtracts wholes and fractions and gets {0}", answer))
        return Working(answer, tuple(steps), 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        bottom = draws.one((3, 4, 5, 6, 8))
        other = bottom if grade == 4 or draws.chance(0.5) else draws.one((2, 3, 4, 5))
        second = draws.between(1, 3)
        first = second + draws.between(2, 4)
        top = draws.between(1, other - 1)
        if draws.chance(0.3):
            return cls(first, 0, 1, second, top, other)
        return cls(first, draws.between(1, max(1, bottom // 2)), bottom, second, top, other)


@mal_rule("NO124")
def turns_the_fractions_round(problem: MixedDifference) -> Working | None:
    """Takes the smaller fraction from the larger, whichever stands first."""
    if not problem.borrows or not problem.top:
        return None
    first, second, common = problem.raised
    value = Fraction(second - first, common)
    answer = mixed(problem.whole - problem.other_whole, value.numerator, value.denominator)
    turned = step(
        "takes the smaller fraction {0} from the larger {1}",
        f"{first}/{common}", f"{second}/{common}",
    )  # fmt: skip
    last = step("subtracts the wholes and gets {0}", answer)
    return by_steps(answer, problem.writing(), turned, last, key_step=1)


@mal_rule("NO125")
def borrows_ten(problem: MixedDifference) -> Working | None:
    """One whole becomes ten parts, as in a column of digits."""
    first, second, common = problem.raised
    if not problem.borrows or common == 10 or first + 10 <= second:
        return None
    answer = mixed(problem.whole - 1 - problem.other_whole, first + 10 - second, common)
    borrowed = step("changes one whole into {0} parts and has {1} of them", 10, first + 10)
    last = step("takes away {0}, subtracts the wholes and gets {1}", second, answer)
    return by_steps(answer, problem.writing(), borrowed, last, key_step=1)


@mal_rule("NO126")
def borrows_without_paying(problem: MixedDifference) -> Working | None:
    """The fraction gets a whole, and the whole number keeps it."""
    if not problem.borrows:
        return None
    first, second, common = problem.raised
    value = Fraction(first + common - second, common)
    answer = mixed(problem.whole - problem.other_whole, value.numerator, value.denominator)
    borrowed = step(
        "changes the fraction into {0} and leaves {1} wholes", f"{first + common}/{common}",
        problem.whole,
    )  # fmt: skip
    last = step("subtracts wholes and fractions and gets {0}", answer)
    return by_steps(answer, problem.writing(), borrowed, last, key_step=1)


@mal_rule("NO127")
def keeps_the_lower_fraction(problem: MixedDifference) -> Working | None:
    """From a whole number: subtracts the wholes and copies the fraction."""
    if problem.top or not problem.other_whole:
        return None
    left = problem.whole - problem.other_whole
    answer = mixed(left, problem.other_top, problem.other_bottom)
    return by_steps(
        answer,
        step("takes {0} from {1} and gets {2}", problem.other_whole, problem.whole, left),
        step("copies the fraction and writes {0}", answer),
        key_step=1,
    )


@form("number and operation", (4, 6), 1)
class MixedSum:
    """``1 1/2 + 2 2/3``: two mixed numbers added.

    Attributes:
        whole, top, bottom: the first.
        other_whole, other_top, other_bottom: the second.
    """

    whole: int
    top: int
    bottom: int
    other_whole: int
    other_top: int
    other_bottom: int

    def __post_init__(self) -> None:
        if not (0 < self.top < self.bottom and 0 < self.other_top < self.other_bottom):
            raise ValueError("The fractions of the mixed numbers lie between 0 and 1.")
        if min(self.whole, self.other_whole) < 0 or not self.whole + self.other_whole:
            raise ValueError("One of the numbers is from 1.")

    @property
    def raised(self) -> tuple[int, int, int]:
        """Both numerators over the smallest common denominator, and this denominator."""
        common = lcm(self.bottom, self.other_bottom)
        return (
            self.top * common // self.bottom, self.other_top * common // self.other_bottom, common,
        )  # fmt: skip

    def writing(self) -> Step:
        """Both fractions with one denominator."""
        first, second, common = self.raised
        return step(
            "writes the fractions as {0} and {1}", f"{first}/{common}", f"{second}/{common}"
        )

    def stem(self) -> str:
        first = _written(self.whole, self.top, self.bottom)
        return f"What is {first} + {_written(self.other_whole, self.other_top, self.other_bottom)}?"

    def solve(self) -> Working:
        first, second, common = self.raised
        wholes, tops = self.whole + self.other_whole, first + second
        steps = [self.writing(), step("adds {0} and {1} and gets {2}", first, second, tops)]
        if tops >= common:
            steps.append(step("changes {0} into one whole", f"{common}/{common}"))
        value = Fraction(tops % common, common)
        answer = mixed(wholes + tops // common, value.numerator, value.denominator)
        steps.append(step("adds the wholes and gets {0}", answer))
        return Working(answer, tuple(steps), 1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        bottom = draws.one((3, 4, 5, 6, 8))
        other = bottom if grade == 4 else draws.one((2, 3, 4, 5))
        return cls(
            draws.between(1, 4), draws.between(1, bottom - 1), bottom,
            draws.between(1, 4), draws.between(1, other - 1), other,
        )  # fmt: skip


@mal_rule("NO232")
def adds_every_part(problem: MixedSum) -> Working | None:
    """Adds wholes, tops and bottoms, each by themselves."""
    top, bottom = problem.top + problem.other_top, problem.bottom + problem.other_bottom
    answer = mixed(problem.whole + problem.other_whole, top, bottom)
    added = step("adds the tops and gets {0}, adds the bottoms and gets {1}", top, bottom)
    return by_steps(answer, added, step("adds the wholes and gets {0}", answer))


@mal_rule("NO233")
def forgets_the_new_whole(problem: MixedSum) -> Working | None:
    """The fractions make a whole and more, and this whole is not added."""
    first, second, common = problem.raised
    tops = first + second
    if tops < common:
        return None
    value = Fraction(tops % common, common)
    answer = mixed(problem.whole + problem.other_whole, value.numerator, value.denominator)
    added = step("adds {0} and {1}, gets {2} and keeps {3}", first, second, tops, tops % common)
    last = step("adds the wholes without the new one and gets {0}", answer)
    return by_steps(answer, problem.writing(), added, last, key_step=1)


@form("number and operation", (4, 6), 1)
class WholeTimesFraction:
    """``4 × 2/3``: a whole number from 2 times a fraction."""

    whole: int
    top: int
    bottom: int

    def __post_init__(self) -> None:
        if self.whole < 2 or self.top < 1 or self.bottom < 2:
            raise ValueError("A whole number from 2 is multiplied by a fraction.")

    def stem(self) -> str:
        return f"What is {self.whole} × {self.top}/{self.bottom}?"

    def solve(self) -> Working:
        answer = as_written(self.whole * self.top, self.bottom)
        return by_steps(
            answer,
            step("multiplies {0} by {1} and keeps the parts", self.top, self.whole),
            step("gets {0}", answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        bottom = draws.between(3, 6 if grade == 4 else 9)
        return cls(draws.between(2, 9), draws.between(1, bottom - 1), bottom)


@mal_rule("NO129")
def multiplies_both_parts(problem: WholeTimesFraction) -> Working:
    """The whole number multiplies the numerator and the denominator."""
    answer = as_written(problem.whole * problem.top, problem.whole * problem.bottom)
    return by_steps(
        answer,
        step("multiplies {0} and {1} by {2}", problem.top, problem.bottom, problem.whole),
        step("gets {0}", answer),
    )
