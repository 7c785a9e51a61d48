"""Rounding and estimating; significant figures, and the bounds of rounded numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step, write_decimal
from schoolmath.malrules.catalogue.numbers.column_subtraction import MissingSubtrahend
from schoolmath.malrules.catalogue.numbers.columns import places_of
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws

PLACE_NAMES = {
    10: "ten", 100: "hundred", 1000: "thousand", 10_000: "ten thousand",
    100_000: "hundred thousand", 1_000_000: "million",
}  # fmt: skip
"""What a number can be rounded to."""


def round_half_up(value: int, place: int) -> int:
    """The nearest multiple of the place; the larger one from half on."""
    return (value + place // 2) // place * place


def round_in_chain(value: int, place: int) -> list[int]:
    """The number rounded to tens, then that to hundreds and so on up to the place."""
    results, unit = [], 10
    while unit <= place:
        value = round_half_up(value, unit)
        results.append(value)
        unit *= 10
    return results


def rounds_up_only_in_chain(draws: Draws, place: int) -> int:
    """A number that is rounded down, and up by somebody who rounds place by place."""
    text = str(draws.between(1, 9)) + "4" * (len(str(place)) - 2)
    return int(text + str(draws.between(5, 9)))


def _require(place: int, *values: int) -> None:
    if place not in PLACE_NAMES:
        raise ValueError(
            f"Numbers are rounded to the nearest 10, 100, ... or 1,000,000, not {place}."
        )
    for value in values:
        if not place <= value < 1_000_000_000 or value % place == 0:
            raise ValueError(f"{value} leaves nothing to round to the nearest {place}.")


@form("number and operation", (3, 5), 1)
class Rounding:
    """A number rounded to a place.

    Attributes:
        number: at least the place, and no multiple of it.
        place: 10, 100 and so on up to a million.
    """

    number: int
    place: int

    def __post_init__(self) -> None:
        _require(self.place, self.number)

    def stem(self) -> str:
        return f"What is {self.number} rounded to the nearest {PLACE_NAMES[self.place]}?"

    def solve(self) -> Working:
        low = self.number // self.place * self.place
        result = round_half_up(self.number, self.place)
        near = "closer to" if self.number % self.place * 2 != self.place else "halfway, so goes to"
        return by_steps(
            Answer.number(result),
            step("finds that {0} lies between {1} and {2}", self.number, low, low + self.place),
            step(f"sees that it is {near} {{0}}", result),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        place = draws.one((100, 1000)) if grade >= 4 else 100
        if draws.chance(0.5):
            value = rounds_up_only_in_chain(draws, place)
            return cls(value + place * 10 * draws.between(1, 9), place)
        rest = draws.between(place // 2, place - 1) // (place // 10) * (place // 10)
        return cls(place * draws.between(11, 98) + rest + draws.between(1, 9), place)


@form("number and operation", (3, 5), 2)
class EstimatedSum:
    """A sum estimated by rounding both numbers to a place; see `Rounding`."""

    first: int
    second: int
    place: int

    def __post_init__(self) -> None:
        _require(self.place, self.first, self.second)

    @property
    def rounded(self) -> tuple[int, int]:
        """Both numbers, rounded."""
        return round_half_up(self.first, self.place), round_half_up(self.second, self.place)

    def stem(self) -> str:
        return (
            f"Round each number to the nearest {PLACE_NAMES[self.place]} and add. "
            f"What do you get for {self.first} + {self.second}?"
        )

    def rounding_step(self, to: tuple[int, int]) -> Step:
        """How both numbers are rounded."""
        return step("rounds {0} to {1} and {2} to {3}", self.first, to[0], self.second, to[1])

    def solve(self) -> Working:
        return self.worked(self.rounding_step(self.rounded), self.rounded)

    def worked(self, rounding: Step, parts: tuple[int, int]) -> Working:
        """The sum of the numbers as somebody rounds them."""
        total = sum(parts)
        adding = step("adds {0} and {1} and gets {2}", *parts, total)
        return by_steps(Answer.number(total), rounding, adding)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        if grade == 3:
            chained = rounds_up_only_in_chain(draws, 100)
            other = 100 * draws.between(1, 8) + 50 + draws.between(1, 49)
            first, second = draws.several((chained, other), 2)
            return cls(first, second, 100)
        place = 100 if grade <= 4 or draws.chance(0.5) else 1000
        chained = rounds_up_only_in_chain(draws, place) + place * 10 * draws.between(1, 4)
        rest = place // 2 + draws.between(1, place // 2 - 1)
        other = place * draws.between(12, 48) + rest
        first, second = draws.several((chained, other), 2)
        return cls(first, second, place)


DECIMAL_PLACES = ("one", "tenth", "hundredth", "thousandth")
"""What a decimal can be rounded to, by how many digits stand behind the point then."""


@form("number and operation", (4, 6), 1)
class DecimalRounding:
    """A decimal rounded to ones, tenths, hundredths or thousandths.

    Attributes:
        number: above 0, with more places than are kept.
        places: how many are kept, from 0 to 3.
    """

    number: Fraction
    places: int

    def __post_init__(self) -> None:
        if not 0 <= self.places < len(DECIMAL_PLACES):
            raise ValueError("Decimals are rounded to ones, tenths, hundredths or thousandths.")
        if self.number <= 0 or (self.number * 10**self.places).denominator == 1:
            raise ValueError(f"{write_decimal(self.number)} leaves nothing to round there.")

    @property
    def shown(self) -> str:
        """The number as it is written."""
        return write_decimal(self.number)

    def rounded(self, value: Fraction, places: int) -> Fraction:
        """The nearest number with so many places; the larger one from half on."""
        unit = 10**places
        return Fraction((2 * value * unit + 1) // 2, unit)

    def stem(self) -> str:
        return f"What is {self.shown} rounded to the nearest {DECIMAL_PLACES[self.places]}?"

    def solve(self) -> Working:
        unit = Fraction(1, 10**self.places)
        low = self.number // unit * unit
        answer = Answer.decimal(self.rounded(self.number, self.places), self.places)
        between = (write_decimal(each, self.places) for each in (low, low + unit))
        return by_steps(
            answer,
            step("finds that {0} lies between {1} and {2}", self.shown, *between),
            step("takes the nearer one, from halfway the larger one: {0}", answer),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        places = draws.between(0, 2) if grade >= 5 else draws.between(0, 1)
        unit = 10 ** (places + 2)
        tail = draws.between(45, 49) if draws.chance(0.5) else draws.between(51, 99)
        return cls(
            Fraction(draws.between(1, 99) * unit + draws.below(unit // 100) * 100 + tail, unit),
            places,
        )


@mal_rule("NO23")
def truncates_instead_of_rounding(
    problem: Rounding | EstimatedSum | DecimalRounding,
) -> Working | tuple[Working, ...]:
    """The number is cut off at the place, with zeros behind it or without."""
    if isinstance(problem, DecimalRounding):
        cut_off = Fraction(int(problem.number * 10**problem.places), 10**problem.places)
        answer = Answer.decimal(cut_off, problem.places)
        name = DECIMAL_PLACES[problem.places]
        looking = f"cuts {{0}} off after the {name}s"
        return by_steps(answer, step(looking, problem.shown), step("writes {0}", answer))
    if isinstance(problem, EstimatedSum):
        first = problem.first // problem.place * problem.place
        second = problem.second // problem.place * problem.place
        cutting = step(
            "cuts {0} off to {1} and {2} to {3}", problem.first, first, problem.second, second
        )
        return problem.worked(cutting, (first, second))
    kept = problem.number // problem.place
    name = PLACE_NAMES[problem.place]
    cut = step(f"cuts {{0}} off after the {name}s", problem.number)
    filled = kept * problem.place
    return (
        by_steps(Answer.number(filled), cut, step("writes zeros behind it and gets {0}", filled)),
        by_steps(Answer.number(kept), cut, step("keeps the digits {0}", kept)),
    )


@mal_rule("NO24")
def chain_rounding(problem: Rounding | EstimatedSum | DecimalRounding) -> Working | None:
    """Rounding goes place by place from the right."""
    if isinstance(problem, DecimalRounding):
        return _chained(problem)
    if problem.place == 10:
        return None
    if isinstance(problem, EstimatedSum):
        first = round_in_chain(problem.first, problem.place)[-1]
        second = round_in_chain(problem.second, problem.place)[-1]
        rounding = step(
            "rounds place by place from the right, {0} to {1} and {2} to {3}",
            problem.first,
            first,
            problem.second,
            second,
        )
        return problem.worked(rounding, (first, second))
    steps, before = [], problem.number
    for result in round_in_chain(problem.number, problem.place):
        steps.append(step("rounds {0} to {1}", before, result))
        before = result
    return Working(Answer.number(before), tuple(steps), 1)


def _chained(problem: DecimalRounding) -> Working | None:
    value, told = problem.number, []
    places = len(problem.shown.partition(".")[2])
    if places > problem.places + 4:
        return None
    for kept in range(places - 1, problem.places - 1, -1):
        before, value = value, problem.rounded(value, kept)
        told.append(
            step("rounds {0} to {1}", write_decimal(before, kept + 1), write_decimal(value, kept))
        )
    return Working(Answer.decimal(value, problem.places), tuple(told), min(1, len(told) - 1))


@mal_rule("NO25")
def rounds_parts_keeps_the_rest(
    problem: Rounding | EstimatedSum | MissingSubtrahend,
) -> Working | None:
    """One place is rounded, and the digits behind it stay in."""
    if isinstance(problem, MissingSubtrahend):
        rounded, rest = round_half_up(problem.left, 100), problem.left % 100
        if rest == 0:
            return None
        result = problem.whole - rounded + rest
        return by_steps(
            Answer.number(result),
            step("rounds {0} to {1}", problem.left, rounded),
            step("takes {0} from {1}: {2}", rounded, problem.whole, problem.whole - rounded),
            step("adds the other digits {0} and gets {1}", rest, result),
            key_step=2,
        )
    if isinstance(problem, EstimatedSum):
        first = round_half_up(problem.first, problem.place) + problem.first % problem.place
        second = round_half_up(problem.second, problem.place) + problem.second % problem.place
        rounding = step(
            f"rounds the {PLACE_NAMES[problem.place]}s and keeps the digits behind, "
            "{0} as {1} and {2} as {3}",
            problem.first,
            first,
            problem.second,
            second,
        )
        return problem.worked(rounding, (first, second))
    rounded, rest = round_half_up(problem.number, problem.place), problem.number % problem.place
    return by_steps(
        Answer.number(rounded + rest),
        step("rounds {0} to {1}", problem.number, rounded),
        step("keeps the other digits {0} and gets {1}", rest, rounded + rest),
        key_step=1,
    )


def rounded(value: Fraction, places: int) -> Fraction:
    """To so many places behind the point, a half up."""
    unit = Fraction(1, 10**places)
    return (value / unit + Fraction(1, 2)).__floor__() * unit


@form("number and operation", (7, 9), 1)
class SignificantFigures:
    """A decimal below 1 that begins with zeros, to some significant figures.

    Attributes:
        value: below 1/10.
        figures: 1 to 3.
    """

    value: Fraction
    figures: int

    def __post_init__(self) -> None:
        if not 0 < self.value < Fraction(1, 10) or not 1 <= self.figures <= 3:
            raise ValueError("The decimal lies between 0 and 0.1, and has 1 to 3 figures to keep.")
        places_of(self.value)

    @property
    def leading(self) -> int:
        """Zeros between the point and the first figure."""
        tail = write_decimal(self.value).partition(".")[2]
        return len(tail) - len(tail.lstrip("0"))

    def to_places(self, places: int, *, key: str) -> Working:
        """The number rounded to so many places, by a reason."""
        answer = Answer.decimal(rounded(self.value, places), places)
        steps = (
            step(key, self.figures),
            step("rounds {0} to {1} places: {2}", write_decimal(self.value), places, answer),
        )
        return Working(answer, steps)

    def stem(self) -> str:
        figures = "figure" if self.figures == 1 else "figures"
        return f"Round {write_decimal(self.value)} to {self.figures} significant {figures}."

    def solve(self) -> Working:
        return self.to_places(
            self.leading + self.figures,
            key="counts {0} figures from the first one that is not zero",
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        digits = draws.between(1001, 9999)
        digits += digits % 10 == 0
        return cls(Fraction(digits, 10 ** draws.one((5, 6))), draws.between(2, min(3, grade - 5)))


@mal_rule("NO109")
def figures_are_places(problem: SignificantFigures) -> Working | None:
    """Rounds to so many places behind the point."""
    if rounded(problem.value, problem.figures) == 0:
        return None
    return problem.to_places(problem.figures, key="counts {0} places from the point")


@form("number and operation", (8, 11), 1)
class Bounds:
    """The upper bound of a rounded length.

    Attributes:
        value: the length as it is told.
        unit: to what it was rounded.
    """

    value: Fraction
    unit: Fraction

    def __post_init__(self) -> None:
        if self.unit <= 0 or self.value <= 0 or (self.value / self.unit).denominator != 1:
            raise ValueError("A rounded length is a multiple of what it was rounded to.")
        places_of(self.value)
        places_of(self.unit)

    @property
    def shown(self) -> tuple[str, str]:
        """Both as they are written."""
        return write_decimal(self.value), write_decimal(self.unit)

    def stem(self) -> str:
        told = f"{self.shown[0]} cm is rounded to the nearest {self.shown[1]}."
        return f"{told} What is the upper bound?"

    def solve(self) -> Working:
        half = self.unit / 2
        answer = plain(self.value + half)
        return by_steps(
            answer,
            step("takes half of {0}, which is {1}", self.shown[1], plain(half)),
            step("adds it to {0} and gets {1}", self.shown[0], answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        unit = draws.one((Fraction(1, 10), Fraction(1), Fraction(10), Fraction(1, 100)))
        return cls(unit * draws.between(12, 90 + grade), unit)


@mal_rule("NO110")
def whole_unit_for_a_half(problem: Bounds) -> Working:
    """Adds the whole unit."""
    answer = plain(problem.value + problem.unit)
    return by_steps(
        answer, step("adds {0} to {1} and gets {2}", problem.shown[1], problem.shown[0], answer)
    )


@mal_rule("NO166")
def bound_ends_in_four(problem: Bounds) -> Working:
    """The largest number with one more digit that rounds down to the value."""
    answer = plain(problem.value + problem.unit * Fraction(4, 10))
    return by_steps(
        answer, step("takes the last number that rounds down to {0}: {1}", problem.shown[0], answer)
    )


@form("number and operation", (9, 11), 2)
class BoundsOfDifference:
    """The greatest difference of two rounded numbers.

    Attributes:
        first: the larger one.
        second: the smaller one.
        unit: to what both were rounded.
    """

    first: int
    second: int
    unit: int

    def __post_init__(self) -> None:
        if self.unit < 1 or not self.unit <= self.second < self.first:
            raise ValueError("The first number is larger, and both are at least the unit.")
        if self.first % self.unit or self.second % self.unit:
            raise ValueError("Rounded numbers are multiples of what they were rounded to.")

    def stem(self) -> str:
        return (
            f"Two numbers are {self.first} and {self.second}, each to the nearest {self.unit}. "
            "What is the greatest possible difference?"
        )

    def between(self, high: Fraction, low: Fraction) -> Working:
        """The difference of two bounds."""
        answer = plain(high - low)
        return by_steps(
            answer,
            step(
                "takes {0} for {1} and {2} for {3}",
                plain(high),
                self.first,
                plain(low),
                self.second,
            ),
            step("subtracts them and gets {0}", answer),
        )

    def solve(self) -> Working:
        half = Fraction(self.unit, 2)
        return self.between(self.first + half, self.second - half)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        unit = draws.one((1, 10, 10, 100)) if grade < 11 else draws.one((1, 5, 10, 100))
        second = draws.between(1, 30)
        return cls(unit * (second + draws.between(2, 40)), unit * second, unit)


@mal_rule("NO167")
def upper_minus_upper(problem: BoundsOfDifference) -> Working:
    """The upper bound of both."""
    half = Fraction(problem.unit, 2)
    return problem.between(problem.first + half, problem.second + half)


@mal_rule("NO221")
def the_lower_bound(problem: Bounds) -> Working:
    """Half of the unit less, where the upper bound is asked."""
    half = problem.unit / 2
    answer = plain(problem.value - half)
    return by_steps(
        answer,
        step("takes half of {0}, which is {1}", problem.shown[1], plain(half)),
        step("subtracts it from {0} and gets {1}", problem.shown[0], answer),
        key_step=1,
    )
