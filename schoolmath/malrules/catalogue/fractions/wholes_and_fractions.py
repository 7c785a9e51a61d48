"""Whole and mixed numbers with fractions, equal fractions, and fractions of pictures."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.catalogue.fractions.mixed_numbers import mixed
from schoolmath.malrules.catalogue.numbers.division import TableFact
from schoolmath.malrules.catalogue.writing import as_written
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


def _as_mixed(value: Fraction) -> Answer:
    whole, rest = divmod(value.numerator, value.denominator)
    return mixed(whole, rest, value.denominator)


@form("number and operation", (5, 7), 1)
class MixedProduct:
    """Two mixed numbers multiplied.

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
        if min(self.whole, self.other_whole) < 1 or not (
            0 < self.top < self.bottom and 0 < self.other_top < self.other_bottom
        ):
            raise ValueError("Both are mixed numbers: a whole number and a fraction below 1.")

    @property
    def shown(self) -> tuple[str, str]:
        """Both as they are written."""
        return (
            f"{self.whole} {self.top}/{self.bottom}",
            f"{self.other_whole} {self.other_top}/{self.other_bottom}",
        )

    @property
    def fractions(self) -> tuple[Fraction, Fraction]:
        """The fractions of both."""
        return Fraction(self.top, self.bottom), Fraction(self.other_top, self.other_bottom)

    def stem(self) -> str:
        return f"What is {self.shown[0]} × {self.shown[1]}?"

    def solve(self) -> Working:
        one, other = self.fractions
        first, second = self.whole + one, self.other_whole + other
        answer = _as_mixed(first * second)
        return by_steps(
            answer,
            step("writes {0} as {1} and {2} as {3}", self.shown[0], first, self.shown[1], second),
            step("multiplies tops and bottoms and gets {0}", answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        bottoms = [draws.between(2, grade) for _ in range(2)]
        parts = [(draws.between(1, 4), draws.between(1, bottom - 1), bottom) for bottom in bottoms]
        return cls(*parts[0], *parts[1])


@mal_rule("NO128")
def wholes_and_parts_apart(problem: MixedProduct) -> Working:
    """Whole by whole and fraction by fraction."""
    one, other = problem.fractions
    whole, part = problem.whole * problem.other_whole, one * other
    answer = mixed(whole, part.numerator, part.denominator)
    return by_steps(
        answer,
        step("multiplies {0} by {1}: {2}", problem.whole, problem.other_whole, whole),
        step("multiplies {0} by {1}: {2}", one, other, part),
        step("writes {0}", answer),
        key_step=1,
    )


@form("number and operation", (5, 7), 1)
class FractionByWhole:
    """A fraction divided by a whole number that divides its top and its bottom."""

    top: int
    bottom: int
    whole: int

    def __post_init__(self) -> None:
        if self.whole < 2 or not 0 < self.top < self.bottom:
            raise ValueError("A fraction below 1 is divided by a whole number from 2.")

    def stem(self) -> str:
        return f"What is {self.top}/{self.bottom} ÷ {self.whole}?"

    def solve(self) -> Working:
        answer = Answer.number(Fraction(self.top, self.bottom * self.whole))
        told = step("takes one of {0} equal parts of {1}", self.whole, f"{self.top}/{self.bottom}")
        return by_steps(answer, told, step("gets {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        whole = draws.between(2, 4)
        top = whole * draws.between(1, grade - 2)
        return cls(top, top + whole * draws.between(1, grade), whole)


@mal_rule("NO184")
def divides_top_and_bottom(problem: FractionByWhole) -> Working | None:
    """Top and bottom divided by the number."""
    if problem.top % problem.whole or problem.bottom % problem.whole:
        return None
    answer = as_written(problem.top // problem.whole, problem.bottom // problem.whole)
    told = step(
        "divides both {0} and {1} by {2}: {3}", problem.top, problem.bottom, problem.whole, answer
    )
    return by_steps(answer, told)


@form("number and operation", (4, 6), 1)
class WholePlusFraction:
    """A whole number and a fraction added."""

    whole: int
    top: int
    bottom: int

    def __post_init__(self) -> None:
        if self.whole < 1 or not 0 < self.top < self.bottom:
            raise ValueError("A whole number from 1 and a fraction below 1.")

    def stem(self) -> str:
        return f"What is {self.whole} + {self.top}/{self.bottom}?"

    def solve(self) -> Working:
        answer = mixed(self.whole, self.top, self.bottom)
        return by_steps(answer, step("writes the wholes before the fraction: {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        bottom = draws.between(3, 3 + grade)
        return cls(draws.between(1, 9), draws.between(1, bottom - 1), bottom)


@mal_rule("NO185")
def adds_the_whole_to_the_top(problem: WholePlusFraction) -> Working:
    """(n + a) over b."""
    answer = as_written(problem.whole + problem.top, problem.bottom)
    told = step(
        "adds {0} to {1} and writes it over {2}: {3}",
        problem.whole, problem.top, problem.bottom, answer,
    )  # fmt: skip
    return by_steps(answer, told)


@form("number and operation", (4, 6), 1)
class MissingNumerator:
    """An equal fraction with its top missing: 3/4 = ?/12.

    Attributes:
        top, bottom: the fraction told.
        new_bottom: a multiple of the bottom, larger than it.
    """

    top: int
    bottom: int
    new_bottom: int

    def __post_init__(self) -> None:
        if self.top < 1 or not 0 < self.bottom < self.new_bottom or self.new_bottom % self.bottom:
            raise ValueError("The new bottom is a multiple of the bottom of the fraction.")

    def stem(self) -> str:
        told = f"What is the missing top of the equal fraction: {self.top}/{self.bottom}"
        return f"{told} = ?/{self.new_bottom}?"

    def solve(self) -> Working:
        times = self.new_bottom // self.bottom
        result = self.top * times
        return by_steps(
            Answer.number(result),
            step("sees that {0} is {1} times {2}", self.new_bottom, times, self.bottom),
            step("multiplies {0} by {1} and gets {2}", self.top, times, result),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        bottom = draws.between(3, 4 + grade)
        return cls(draws.between(2, bottom - 1), bottom, bottom * draws.between(2, grade))


@mal_rule("NO131")
def adds_what_the_bottom_grew(problem: MissingNumerator) -> Working:
    """The same added to top and bottom."""
    more = problem.new_bottom - problem.bottom
    return by_steps(
        Answer.number(problem.top + more),
        step("sees that {0} is {1} more than {2}", problem.new_bottom, more, problem.bottom),
        step("adds {0} to {1} and gets {2}", more, problem.top, problem.top + more),
    )


@mal_rule("NO186")
def keeps_the_top(problem: MissingNumerator) -> Working:
    """Only the bottom changes."""
    return by_steps(Answer.number(problem.top), step("keeps the top {0}", problem.top))


@form("number and operation", (4, 5), 1)
class ImproperToMixed:
    """A fraction above 1 as a mixed number."""

    top: int
    bottom: int

    def __post_init__(self) -> None:
        if not 1 < self.bottom < self.top or not self.top % self.bottom:
            raise ValueError("The fraction is above 1 and no whole number.")

    def stem(self) -> str:
        return f"Write {self.top}/{self.bottom} as a mixed number."

    def solve(self) -> Working:
        whole, rest = divmod(self.top, self.bottom)
        answer = mixed(whole, rest, self.bottom)
        told = step(
            "divides {0} by {1}: {2} times, and {3} is left", self.top, self.bottom, whole, rest
        )
        return by_steps(answer, told, step("writes {0}", answer), key_step=1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        bottom = draws.between(3, 9)
        return cls(bottom * draws.between(2, grade + 3) + draws.between(1, bottom - 1), bottom)


@mal_rule("NO187")
def rest_and_whole_swapped(problem: ImproperToMixed) -> Working | None:
    """The rest in front and how often it goes on top."""
    whole, rest = divmod(problem.top, problem.bottom)
    if whole == rest:
        return None
    answer = mixed(rest, whole, problem.bottom)
    told = step(
        "divides {0} by {1}: {2} times, and {3} is left",
        problem.top, problem.bottom, whole, rest,
    )  # fmt: skip
    return by_steps(
        answer, told, step("writes the rest {0} in front: {1}", rest, answer), key_step=1
    )


@mal_rule("NO188")
def tens_digit_as_the_whole(problem: ImproperToMixed) -> Working | None:
    """The top split into its tens and ones."""
    tens, ones = divmod(problem.top, 10)
    if not tens or not ones:
        return None
    answer = mixed(tens, ones, problem.bottom)
    return by_steps(
        answer,
        step("splits {0} into {1} and {2}", problem.top, tens, ones),
        step("writes {0}", answer),
    )


@form("number and operation", (3, 5), 1)
class ShadedFraction:
    """Which fraction of equal parts is shaded."""

    shaded: int
    parts: int

    def __post_init__(self) -> None:
        if not 0 < self.shaded < self.parts <= 100:
            raise ValueError("Some of 2 to 100 parts are shaded, and not all of them.")

    def stem(self) -> str:
        return f"{self.shaded} of {self.parts} equal parts are shaded. What fraction is shaded?"

    def solve(self) -> Working:
        answer = as_written(self.shaded, self.parts)
        told = step("writes {0} over all {1} parts: {2}", self.shaded, self.parts, answer)
        return by_steps(answer, told)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        parts = draws.between(4, 8 + 2 * grade)
        return cls(draws.between(1, parts - 1), parts)


@mal_rule("NO132")
def shaded_over_unshaded(problem: ShadedFraction) -> Working:
    """Compares with the other part."""
    others = problem.parts - problem.shaded
    answer = as_written(problem.shaded, others)
    told = step("writes {0} over the other {1} parts: {2}", problem.shaded, others, answer)
    return by_steps(answer, told)


@form("number and operation", (3, 5), 2)
class UnequalParts:
    """A bar cut into one half and smaller equal pieces, one of which is shaded.

    Attributes:
        pieces: how many smaller pieces make the other half.
    """

    pieces: int
    coloured: str

    def __post_init__(self) -> None:
        if not 2 <= self.pieces <= 50:
            raise ValueError("The other half is cut into 2 to 50 pieces.")
        if self.coloured not in _COLOURS:
            raise ValueError(f"The piece is {', '.join(_COLOURS)}.")

    def stem(self) -> str:
        return (
            f"One half of a bar is one piece, and the other half is cut into {self.pieces} equal "
            f"pieces. One of these smaller pieces is {self.coloured}. What fraction of the bar is "
            f"{self.coloured}?"
        )

    def solve(self) -> Working:
        answer = as_written(1, 2 * self.pieces)
        told = step("sees that {0} such pieces fill the bar", 2 * self.pieces)
        return by_steps(answer, told, step("writes {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 3 * grade), draws.one(_COLOURS))


_COLOURS = ("red", "blue", "green", "yellow", "grey", "shaded")


@mal_rule("NO133")
def counts_unequal_pieces(problem: UnequalParts) -> Working:
    """1 over the number of pieces, whatever their size."""
    answer = as_written(1, problem.pieces + 1)
    told = step("counts {0} pieces in the bar", problem.pieces + 1)
    return by_steps(answer, told, step("writes {0}", answer))


@form("number and operation", (3, 5), 2)
class FractionOnLine:
    """Which fraction lies at a place on a line that is longer than 1.

    Attributes:
        top, bottom: the fraction, below 1: so many parts from 0, of so many up to 1.
        length: where the line ends, from 2.
    """

    top: int
    bottom: int
    length: int

    def __post_init__(self) -> None:
        if not 0 < self.top < self.bottom or self.length < 2:
            raise ValueError("The fraction is below 1, and the line goes to 2 or further.")

    def stem(self) -> str:
        parts = "part is" if self.top == 1 else "parts are"
        return (
            f"A line goes from 0 to {self.length}. The piece from 0 to 1 is cut into "
            f"{self.bottom} equal parts. Which number is at the place that {self.top} {parts} "
            "away from 0?"
        )

    def earlier_stem(self) -> str:
        """The question up to bank 4, which named what it asked for."""
        return (
            f"A line goes from 0 to {self.length}. At which number do you mark "
            f"{self.top}/{self.bottom}?"
        )

    def solve(self) -> Working:
        answer = as_written(self.top, self.bottom)
        told = step("cuts the piece from {0} to {1} into {2} parts", 0, 1, self.bottom)
        last = step("goes {0} parts to the right of {1}: {2}", self.top, 0, answer)
        return by_steps(answer, told, last, key_step=1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        bottom = draws.between(2, 3 + grade)
        return cls(draws.between(1, bottom - 1), bottom, draws.between(2, 4))


@mal_rule("NO136")
def part_of_the_whole_line(problem: FractionOnLine) -> Working:
    """The fraction of the length drawn."""
    answer = as_written(problem.top * problem.length, problem.bottom)
    told = step("cuts the line from {0} to {1} into {2} parts", 0, problem.length, problem.bottom)
    return by_steps(answer, told, step("goes {0} of them, to {1}", problem.top, answer))


@mal_rule("NO223")
def marks_for_parts(problem: FractionOnLine) -> Working:
    """Counts the marks, the one at 0 too, for the parts."""
    answer = as_written(problem.top, problem.bottom + 1)
    told = step("counts {0} marks from {1} to {2} as the parts", problem.bottom + 1, 0, 1)
    return by_steps(answer, told, step("goes {0} of them, to {1}", problem.top, answer))


@mal_rule("NO224")
def what_is_left_to_one(problem: FractionOnLine) -> Working | None:
    """Counts the parts from 1 backwards."""
    answer = as_written(problem.bottom - problem.top, problem.bottom)
    if 2 * problem.top == problem.bottom:
        return None
    told = step("cuts the piece from {0} to {1} into {2} parts", 0, 1, problem.bottom)
    return by_steps(
        answer,
        told,
        step("goes {0} parts to the left of {1}: {2}", problem.top, 1, answer),
        key_step=1,
    )


@mal_rule("NO228")
def part_of_the_half(problem: UnequalParts) -> Working:
    """1 over the pieces of this half."""
    answer = as_written(1, problem.pieces)
    told = step("sees that {0} pieces fill the half", problem.pieces)
    return by_steps(answer, told, step("writes {0}", answer))


@mal_rule("NO229")
def half_as_many_pieces(problem: UnequalParts) -> Working:
    """Halves the pieces that fill the bar, where they are to be doubled."""
    answer = as_written(2, problem.pieces)
    told = step("takes half of {0} pieces, as it is half of the bar", problem.pieces)
    return by_steps(answer, told, step("writes {0}", answer))


@mal_rule("NO252")
def multiplies_by_the_divisor(problem: FractionByWhole) -> Working:
    """1/2 ÷ 4 is 2: the fraction times the whole number."""
    answer = Answer.number(Fraction(problem.top * problem.whole, problem.bottom))
    fraction = f"{problem.top}/{problem.bottom}"
    return by_steps(answer, step("multiplies {0} by {1}: {2}", fraction, problem.whole, answer))


@mal_rule("NO264")
def divides_the_top_and_multiplies_the_bottom(problem: FractionByWhole) -> Working | None:
    """6/9 ÷ 3 is 2/27: both ways to divide at once."""
    if problem.top % problem.whole:
        return None
    top, bottom = problem.top // problem.whole, problem.bottom * problem.whole
    answer = as_written(top, bottom)
    return by_steps(
        answer,
        step("divides {0} by {1}: {2}", problem.top, problem.whole, top),
        step("multiplies {0} by {1} and writes {2}", problem.bottom, problem.whole, answer),
        key_step=1,
    )


@mal_rule("NO265")
def multiplies_top_and_bottom(problem: FractionByWhole) -> Working:
    """8/9 ÷ 4 is 32/36: an equal fraction is written."""
    answer = as_written(problem.top * problem.whole, problem.bottom * problem.whole)
    told = step(
        "multiplies both {0} and {1} by {2}: {3}",
        problem.top,
        problem.bottom,
        problem.whole,
        answer,
    )
    return by_steps(answer, told)


@mal_rule("NO168")
def adds_the_factors(problem: TableFact | MixedProduct) -> Working:
    """A + b for a × b."""
    if isinstance(problem, MixedProduct):
        one, other = problem.fractions
        added = _as_mixed(problem.whole + problem.other_whole + one + other)
        return by_steps(added, step("adds {0} and {1} and gets {2}", *problem.shown, added))
    total = problem.first + problem.second
    told = step("adds {0} and {1} and gets {2}", problem.first, problem.second, total)
    return by_steps(Answer.number(total), told)
