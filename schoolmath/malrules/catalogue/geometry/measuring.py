"""Rulers, times and units: marks counted for spaces, units changed the wrong way."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step, write_decimal
from schoolmath.malrules.catalogue.data.graphs import BarChart
from schoolmath.malrules.catalogue.geometry.coordinates import PointMoved, write_point
from schoolmath.malrules.catalogue.geometry.rectangles import (
    MeasuredRectangle,
    RectangleInUnits,
    finish_rectangle,
)
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.figures import Ruler
from schoolmath.malrules.forms import NotDrawn, check_one_of, check_that, check_whole, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws

_MEASURED = ("pencil", "key", "leaf", "spoon", "ribbon", "nail", "crayon", "feather")
_EVENTS = {
    "film": "A film starts at {start} and ends at {end}. How many minutes does it last?",
    "lesson": "A lesson begins at {start} and is over at {end}. How many minutes long is it?",
    "bus": "A bus leaves at {start} and arrives at {end}. How many minutes does the ride take?",
    "walk": "A walk begins at {start} and ends at {end}. How many minutes does it take?",
    "cake": "A cake goes into the oven at {start} and comes out at {end}. "
    "How many minutes is it in the oven?",
}
UNIT_NAMES = {
    "m": ("metre", "metres"), "cm": ("centimetre", "centimetres"),
    "mm": ("millimetre", "millimetres"), "km": ("kilometre", "kilometres"),
    "t": ("tonne", "tonnes"), "kg": ("kilogram", "kilograms"), "g": ("gram", "grams"),
    "L": ("litre", "litres"), "mL": ("millilitre", "millilitres"),
    "m2": ("square metre", "square metres"), "dm2": ("square decimetre", "square decimetres"),
    "cm2": ("square centimetre", "square centimetres"),
    "mm2": ("square millimetre", "square millimetres"),
    "h": ("hour", "hours"), "min": ("minute", "minutes"), "s": ("second", "seconds"),
    "d": ("day", "days"), "wk": ("week", "weeks"), "ft": ("foot", "feet"),
    "in": ("inch", "inches"), "yd": ("yard", "yards"), "lb": ("pound", "pounds"),
    "oz": ("ounce", "ounces"),
}  # fmt: skip
"""One and several of each unit."""
_DRAWN_UNITS = {
    ("m", "cm"): 100, ("cm", "mm"): 10, ("km", "m"): 1000, ("kg", "g"): 1000, ("L", "mL"): 1000,
    ("m2", "cm2"): 100, ("m2", "dm2"): 10, ("cm2", "mm2"): 10,
}  # fmt: skip
"""By how much to multiply for the smaller unit; for an area, its sides."""
CONVERSIONS = _DRAWN_UNITS | {
    ("m", "mm"): 1000, ("h", "min"): 60, ("min", "s"): 60, ("d", "h"): 24, ("wk", "d"): 7,
    ("t", "kg"): 1000, ("wk", "h"): 168, ("d", "min"): 1440, ("h", "s"): 3600,
    ("ft", "in"): 12, ("yd", "ft"): 3, ("lb", "oz"): 16,
}  # fmt: skip


@form("geometry and measurement", (3, 4), 1)
class RulerReading:
    """Something that lies between two marks of a ruler."""

    start: int
    end: int
    unit: str = "cm"
    thing: str = "pencil"

    def __post_init__(self) -> None:
        check_whole(0, 100, start=self.start, end=self.end)
        check_one_of(("cm", "mm"), unit=self.unit)
        check_one_of(_MEASURED, thing=self.thing)
        check_that(self.start < self.end, "The end must be at a later mark than the start.")

    @property
    def per_mark(self) -> int:
        """How many of the unit that is asked for lie between two marks."""
        return 10 if self.unit == "mm" else 1

    def stem(self) -> str:
        return (
            f"A {self.thing} lies along a ruler marked in centimetres. It reaches from the "
            f"{self.start} cm mark to the {self.end} cm mark. {self._asks()}"
        )

    def beside_figure(self) -> str:
        """The question without what its picture tells."""
        return f"A {self.thing} lies along a ruler marked in centimetres. {self._asks()}"

    def _asks(self) -> str:
        unit = "millimetres" if self.unit == "mm" else "centimetres"
        return f"How many {unit} long is it?"

    def figure(self) -> Ruler:
        """What lies along the ruler."""
        return Ruler(self.start, self.end, self.thing)

    def solve(self) -> Working:
        length = self.end - self.start
        answer = Answer.number(length * self.per_mark)
        words = "counts the spaces from mark {0} to mark {1} and gets {2}"
        steps: tuple[Step, ...] = (step(words, self.start, self.end, length),)
        if self.unit == "mm":
            change = step("multiplies {0} by {1} and gets {2}", length, self.per_mark, answer)
            steps = (*steps, change)
        return Working(answer, steps)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        start = draws.between(2, 9)
        unit = "cm" if grade == 3 and draws.chance(0.5) else "mm"
        end = start + draws.between(2, 9 if grade == 3 else 20)
        return cls(start, end, unit, draws.one(_MEASURED))


@form("geometry and measurement", (3, 4), 1)
class ElapsedTime:
    """Two times of day, in minutes after midnight or noon; how many minutes lie between?"""

    start: int
    end: int
    event: str = "film"

    def __post_init__(self) -> None:
        check_whole(60, 1_439, start=self.start, end=self.end)
        check_one_of(_EVENTS, event=self.event)
        check_that(self.start < self.end, "The end must be later than the start.")

    def stem(self) -> str:
        return _EVENTS[self.event].format(start=write_time(self.start), end=write_time(self.end))

    def solve(self) -> Working:
        answer = Answer.number(self.end - self.start)
        whole = -(-self.start // 60) * 60
        if whole in (self.start, self.end) or whole > self.end:
            words = "counts on from {0} to {1}"
            counting = (step(words, write_time(self.start), write_time(self.end)),)
            return by_steps(answer, *counting, step("gets {0} minutes", answer))
        first, rest = whole - self.start, self.end - whole
        words = "counts {0} minutes from {1} to {2}"
        return by_steps(
            answer,
            step(words, first, write_time(self.start), write_time(whole)),
            step(words, rest, write_time(whole), write_time(self.end)),
            step("adds {0} and {1} and gets {2}", first, rest, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(100):
            start = 60 * draws.between(1, 11) + 5 * draws.between(1, 11)
            end = start + 5 * draws.between(3, 11 if grade == 3 else 23)
            # The hour changes, so that times differ from numbers in base ten.
            if end <= 775 and start // 60 < end // 60 and end % 60:
                return cls(start, end, draws.one(tuple(_EVENTS)))
        raise NotDrawn("No times came up between which the hour changes.")


def write_time(minutes: int) -> str:
    """Minutes as a time of day: 110 is 1:50."""
    return f"{minutes // 60}:{minutes % 60:02}"


@mal_rule("GM92")
def smaller_minutes_from_larger(problem: ElapsedTime) -> Working | None:
    """Subtracts hours and minutes by themselves, the smaller minutes from the larger."""
    (first, early), (last, late) = divmod(problem.start, 60), divmod(problem.end, 60)
    if late >= early:
        return None
    answer = Answer.number(60 * (last - first) + early - late)
    return by_steps(
        answer,
        step("takes the smaller minutes {0} from the larger {1}", late, early),
        step("adds {0} minutes for the hours and gets {1}", 60 * (last - first), answer),
    )


@form("geometry and measurement", (4, 8), 1)
class UnitConversion:
    """An amount in one unit that is asked in another one.

    Attributes:
        amount: the amount in the first unit; it ends as a decimal, as the answer does.
        larger: the unit it is told in, such as ``m``, or ``m2`` for an area; it is the smaller one
            where a person asks it so.
        smaller: the unit asked for, such as ``cm`` or ``cm2``.
    """

    amount: Fraction
    larger: str
    smaller: str

    def __post_init__(self) -> None:
        check_that(isinstance(self.amount, Fraction), "The amount must be a fraction.")
        check_that(self.amount > 0, "The amount must be above 0.")
        check_that(
            not {(self.larger, self.smaller), (self.smaller, self.larger)}.isdisjoint(CONVERSIONS),
            f"There is no change from {self.larger!r} to {self.smaller!r}.",
        )
        write_decimal(self.amount)
        write_decimal(self.changed(self.factor))

    @property
    def divides(self) -> bool:
        """Whether the smaller unit is told and the larger one asked for."""
        return (self.larger, self.smaller) not in CONVERSIONS

    @property
    def per_length(self) -> int:
        """The factor between the units, for areas that between the units of length."""
        return (
            CONVERSIONS.get((self.larger, self.smaller)) or CONVERSIONS[self.smaller, self.larger]
        )

    @property
    def factor(self) -> int:
        """The factor between the units, squared for areas."""
        return self.per_length ** (2 if self.square else 1)

    @property
    def square(self) -> bool:
        """Whether areas are changed."""
        return self.larger.endswith("2")

    def changed(self, factor: int, *, inverse: bool = False) -> Fraction:
        """The amount in the other unit, if this is the factor between them."""
        return self.amount / factor if self.divides is not inverse else self.amount * factor

    def stem(self) -> str:
        told = UNIT_NAMES[self.larger][self.amount != 1]
        return f"How many {UNIT_NAMES[self.smaller][1]} are {plain(self.amount)} {told}?"

    def solve(self) -> Working:
        units = (self.smaller, self.larger) if self.divides else (self.larger, self.smaller)
        one, several = UNIT_NAMES[units[0]][0], UNIT_NAMES[units[1]][1]
        return self.change_by(
            self.factor, step(f"knows that {{0}} {one} is {{1}} {several}", 1, self.factor)
        )

    def change_by(self, factor: int, idea: Step, *, inverse: bool = False) -> Working:
        """The amount times a factor, or divided by it."""
        answer = plain(self.changed(factor, inverse=inverse))
        verb = "divides" if self.divides is not inverse else "multiplies"
        words = verb + " {0} by {1} and gets {2}"
        return by_steps(answer, idea, step(words, plain(self.amount), factor, answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        kinds = [pair for pair in _DRAWN_UNITS if pair[0].endswith("2") is (grade > 6)]
        tenths = 10 * draws.between(2, 30) if grade < 5 else draws.between(11, 120)
        return cls(Fraction(tenths, 10), *draws.one(kinds))


@mal_rule("GM21")
def inverse_unit_conversion(
    problem: UnitConversion | RulerReading | RectangleInUnits,
) -> Working | None:
    """Divides by the factor between the units where it is to be multiplied, or the reverse."""
    if isinstance(problem, UnitConversion):
        unit = "larger" if problem.divides else "smaller"
        verb = "multiplies" if problem.divides else "divides"
        idea = step(f"{verb} by {{0}} for the {unit} unit", problem.factor)
        return problem.change_by(problem.factor, idea, inverse=True)
    if isinstance(problem, RectangleInUnits):
        factor = problem.per_unit
        long, short = Fraction(problem.length, factor), Fraction(problem.width, factor)
        idea = step("divides by {0} for the smaller unit", factor)
        sides = step(
            "changes {0} to {1}, and {2} to {3}",
            *(problem.length, plain(long), problem.width, plain(short)),
        )
        found = finish_rectangle(problem.asked, long, short, (idea, sides))
        return Working(found.answer, found.steps, 0)
    factor, amount = problem.per_mark, Fraction(problem.end - problem.start)
    if factor == 1:
        return None
    words = "counts the spaces from mark {0} to mark {1} and gets {2}"
    answer = plain(amount / factor)
    return by_steps(
        answer,
        step(words, problem.start, problem.end, plain(amount)),
        step("divides by {0} for the smaller unit", factor),
        step("divides {0} by {1} and gets {2}", plain(amount), factor, answer),
        key_step=1,
    )


@mal_rule("GM22")
def linear_factor_for_areas(problem: UnitConversion | RectangleInUnits) -> Working | None:
    """Changes an area with the factor of lengths."""
    if isinstance(problem, UnitConversion):
        if not problem.square:
            return None
        idea = step("takes {0}, the factor for lengths, for the area", problem.per_length)
        return problem.change_by(problem.per_length, idea)
    if problem.asked != "area":
        return None
    area, factor = problem.length * problem.width, problem.per_unit
    answer = plain(area * factor)
    return by_steps(
        answer,
        step("multiplies {0} by {1} to get {2}", problem.length, problem.width, area),
        step("takes {0}, the factor for lengths, for the area", factor),
        step("multiplies {0} by {1} and gets {2}", area, factor, answer),
        key_step=1,
    )


@mal_rule("GM23")
def clock_time_as_base_ten(problem: ElapsedTime) -> Working | None:
    """Subtracts the times as if an hour had 100 minutes."""
    first, last = (t // 60 * 100 + t % 60 for t in (problem.start, problem.end))
    if last - first == problem.end - problem.start:
        return None
    answer = Answer.number(last - first)
    return by_steps(
        answer,
        step(
            "reads {0} and {1} as the numbers {2} and {3}",
            *(write_time(problem.start), write_time(problem.end), first, last),
        ),
        step("subtracts {0} from {1} and gets {2}", first, last, answer),
    )


@mal_rule("GM24")
def counts_marks(
    problem: RulerReading | MeasuredRectangle | ElapsedTime | PointMoved | BarChart,
) -> tuple[Working, ...]:
    """Reads the end mark, or counts the marks and not the spaces between them.

    On a clock face the marks are those of every fifth minute; in the coordinate plane and in
    a bar chart the point or line to start from is counted as 1.
    """
    match problem:
        case RulerReading():
            found = _on_a_ruler(problem)
        case MeasuredRectangle():
            found = _two_sides(problem)
        case ElapsedTime():
            found = _on_a_clock(problem)
        case PointMoved():
            found = (_point(problem),)
        case BarChart():
            # A difference is the same wherever the counting begins.
            found = () if problem.asked == "difference" else (problem.read_lines(1),)
    return _different(found)


def _different(solutions: tuple[Working, ...]) -> tuple[Working, ...]:
    kept: list[Working] = []
    for worked in solutions:
        if not any(worked.answer.same_as(each.answer) for each in kept):
            kept.append(worked)
    return tuple(kept)


def _on_a_ruler(problem: RulerReading) -> tuple[Working, ...]:
    marks = problem.end - problem.start + 1
    ways = (
        (step("reads the mark at the end, {0}", problem.end), problem.end),
        (step("counts the marks from {0} to {1}", problem.start, problem.end), marks),
    )
    found = []
    for idea, length in ways:
        answer = Answer.number(length * problem.per_mark)
        end = step("gives {0}", answer)
        if problem.unit == "mm":
            end = step("multiplies {0} by {1} and gets {2}", length, problem.per_mark, answer)
        found.append(by_steps(answer, idea, end))
    return tuple(found)


def _two_sides(problem: MeasuredRectangle) -> tuple[Working, ...]:
    marks = (problem.long_to - problem.long_from + 1, problem.short_to - problem.short_from + 1)
    ways = (
        (
            step("reads the marks at the ends: {0} and {1}", problem.long_to, problem.short_to),
            (problem.long_to, problem.short_to),
        ),
        (step("counts the marks and finds {0} and {1}", *marks), marks),
    )
    found = []
    for idea, (long, short) in ways:
        worked = finish_rectangle(problem.asked, long, short, (idea,))
        found.append(Working(worked.answer, worked.steps, 0))
    return tuple(found)


def _on_a_clock(problem: ElapsedTime) -> tuple[Working, ...]:
    start, end = write_time(problem.start), write_time(problem.end)
    found = []
    if problem.end % 60:
        answer = Answer.number(problem.end % 60)
        idea = step("looks at the time at the end, {0}", end)
        found.append(by_steps(answer, idea, step("reads off {0} minutes", answer)))
    if problem.start % 5 == problem.end % 5 == 0:
        marks = (problem.end - problem.start) // 5 + 1
        answer = Answer.number(5 * marks)
        words = "counts the marks on the clock from {0} to {1}, both included: {2}"
        steps = (
            step(words, start, end, marks),
            step("takes {0} minutes for each of {1} marks and gets {2}", 5, marks, answer),
        )
        found.append(Working(answer, steps))
    return tuple(found)


def _point(problem: PointMoved) -> Working:
    # Nobody goes back by counting: a move of 0 stays 0.
    right, up = max(problem.right - 1, 0), max(problem.up - 1, 0)
    point = write_point(problem.across + right, problem.height + up)
    return by_steps(
        Answer.label(point),
        step("counts the point itself as {0} when moving", 1),
        step("moves {0} to the right and {1} up from zero", right, up),
        step("writes {0}", point),
    )


@mal_rule("GM100")
def another_power_of_ten(problem: UnitConversion) -> tuple[Working, ...]:
    """A factor of ten, a hundred or a thousand that is that of other units."""
    factors = (10, 100, 1_000)
    if problem.factor not in factors:
        return ()
    return tuple(
        problem.change_by(factor, step("thinks that the factor is {0}", factor))
        for factor in factors
        if factor != problem.factor
    )
