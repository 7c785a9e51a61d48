"""Reading a ruler, telling how long something lasts, and changing units."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, write_decimal
from schoolmath.malrules.catalogue.exact_writing import plain
from schoolmath.malrules.catalogue.field_checks import check_one_of, check_that, check_whole
from schoolmath.malrules.figures.kinds import Ruler
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step
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
_UNITS = {
    ("m", "cm"): (100, "metre", "centimetres"),
    ("cm", "mm"): (10, "centimetre", "millimetres"),
    ("km", "m"): (1000, "kilometre", "metres"),
    ("kg", "g"): (1000, "kilogram", "grams"),
    ("L", "mL"): (1000, "litre", "millilitres"),
    ("m2", "cm2"): (100, "square metre", "square centimetres"),
    ("m2", "dm2"): (10, "square metre", "square decimetres"),
    ("cm2", "mm2"): (10, "square centimetre", "square millimetres"),
}


@form("geometry and measurement", (3, 4), 1)
class RulerReading:
    """Something that lies between two marks of a ruler.

    Raises:
        ValueError: a mark is not from 0 to 100, the end is not after the start, or a word is not
            known.
    """

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

    def solve(self) -> Worked:
        length = self.end - self.start
        answer = Answer.number(length * self.per_mark)
        words = "counts the spaces from mark {0} to mark {1} and gets {2}"
        steps: tuple[Step, ...] = (step(words, self.start, self.end, length),)
        if self.unit == "mm":
            change = step("multiplies {0} by {1} and gets {2}", length, self.per_mark, answer)
            steps = (*steps, change)
        return Worked(answer, steps)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        start = draws.between(2, 9)
        unit = "cm" if grade == 3 and draws.chance(0.5) else "mm"
        end = start + draws.between(2, 9 if grade == 3 else 20)
        return cls(start, end, unit, draws.one(_MEASURED))


@form("geometry and measurement", (3, 4), 1)
class ElapsedTime:
    """Two times of day, in minutes after midnight or noon; how many minutes lie between?

    Raises:
        ValueError: a time is not from 1:00 to 12:59, the end not after the start, or the word is
            not known.
    """

    start: int
    end: int
    event: str = "film"

    def __post_init__(self) -> None:
        check_whole(60, 779, start=self.start, end=self.end)
        check_one_of(_EVENTS, event=self.event)
        check_that(self.start < self.end, "The end must be later than the start.")

    def stem(self) -> str:
        return _EVENTS[self.event].format(start=write_time(self.start), end=write_time(self.end))

    def solve(self) -> Worked:
        answer = Answer.number(self.end - self.start)
        whole = -(-self.start // 60) * 60
        if whole in (self.start, self.end) or whole > self.end:
            words = "counts on from {0} to {1}"
            counting = (step(words, write_time(self.start), write_time(self.end)),)
            return Worked(answer, (*counting, step("gets {0} minutes", answer)))
        first, rest = whole - self.start, self.end - whole
        words = "counts {0} minutes from {1} to {2}"
        return Worked(
            answer,
            (
                step(words, first, write_time(self.start), write_time(whole)),
                step(words, rest, write_time(whole), write_time(self.end)),
                step("adds {0} and {1} and gets {2}", first, rest, answer),
            ),
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


@mal_rule("GM23")
def clock_time_as_base_ten(problem: ElapsedTime) -> Worked | None:
    """Subtracts the times as if an hour had 100 minutes."""
    first, last = (t // 60 * 100 + t % 60 for t in (problem.start, problem.end))
    if last - first == problem.end - problem.start:
        return None
    answer = Answer.number(last - first)
    return Worked(
        answer,
        (
            step(
                "reads {0} and {1} as the numbers {2} and {3}",
                *(write_time(problem.start), write_time(problem.end), first, last),
            ),
            step("subtracts {0} from {1} and gets {2}", first, last, answer),
        ),
    )


@mal_rule("GM92")
def smaller_minutes_from_larger(problem: ElapsedTime) -> Worked | None:
    """Subtracts hours and minutes by themselves, the smaller minutes from the larger."""
    (first, early), (last, late) = divmod(problem.start, 60), divmod(problem.end, 60)
    if late >= early:
        return None
    answer = Answer.number(60 * (last - first) + early - late)
    return Worked(
        answer,
        (
            step("takes the smaller minutes {0} from the larger {1}", late, early),
            step("adds {0} minutes for the hours and gets {1}", 60 * (last - first), answer),
        ),
    )


@form("geometry and measurement", (4, 8), 1)
class UnitConversion:
    """An amount in a larger unit that is asked in a smaller one.

    Attributes:
        amount: the amount in the larger unit; it ends as a decimal.
        larger: such as ``m``, or ``m2`` for an area.
        smaller: such as ``cm`` or ``cm2``.

    Raises:
        ValueError: the amount is not above 0 or has no end as a decimal, or the units are not
            known.
    """

    amount: Fraction
    larger: str
    smaller: str

    def __post_init__(self) -> None:
        check_that(isinstance(self.amount, Fraction), "The amount must be a fraction.")
        check_that(self.amount > 0, "The amount must be above 0.")
        check_that(
            (self.larger, self.smaller) in _UNITS,
            f"There is no change from {self.larger!r} to {self.smaller!r}.",
        )
        write_decimal(self.amount)

    @property
    def per_length(self) -> int:
        """The factor between the units of length."""
        return _UNITS[self.larger, self.smaller][0]

    @property
    def factor(self) -> int:
        """The factor between the units, squared for areas."""
        return self.per_length ** (2 if self.square else 1)

    @property
    def square(self) -> bool:
        """Whether areas are changed."""
        return self.larger.endswith("2")

    def stem(self) -> str:
        _, larger, smaller = _UNITS[self.larger, self.smaller]
        ending = "" if self.amount == 1 else "s"
        return f"How many {smaller} are {plain(self.amount)} {larger}{ending}?"

    def solve(self) -> Worked:
        _, larger, smaller = _UNITS[self.larger, self.smaller]
        idea = step(f"knows that {{0}} {larger} is {{1}} {smaller}", 1, self.factor)
        return self.multiply_by(self.factor, idea)

    def multiply_by(self, factor: int, idea: Step) -> Worked:
        """The amount times a factor."""
        answer = plain(self.amount * factor)
        words = "multiplies {0} by {1} and gets {2}"
        return Worked(answer, (idea, step(words, plain(self.amount), factor, answer)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        kinds = [pair for pair in _UNITS if pair[0].endswith("2") is (grade > 6)]
        tenths = 10 * draws.between(2, 30) if grade < 5 else draws.between(11, 120)
        return cls(Fraction(tenths, 10), *draws.one(kinds))
