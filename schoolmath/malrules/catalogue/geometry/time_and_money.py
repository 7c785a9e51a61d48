"""Times of day, hours and money as decimals, and scales whose steps are not one."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step, write_decimal
from schoolmath.malrules.catalogue.numbers.columns import places_of
from schoolmath.malrules.catalogue.writing import money, plain
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


def time_label(hours: int, minutes: int) -> Answer:
    """A time just as it is written: 2:80 stays 2:80."""
    return Answer.label(f"{hours}:{minutes:02}")


@form("geometry and measurement", (3, 4), 1)
class TimeLater:
    """The time some minutes after another one, before one o'clock or midnight comes.

    Attributes:
        later: minutes.
        start: minutes after midnight, from one o'clock; drawn before one in the afternoon.
    """

    later: int
    start: int

    def __post_init__(self) -> None:
        end = self.start + self.later
        if self.later < 1 or self.start < 60 or self.start < 13 * 60 <= end or end >= 24 * 60:
            raise ValueError("The times lie from 1:00 to 12:59, or from 13:00 to 23:59.")

    @property
    def clock(self) -> tuple[int, int]:
        """Hour and minutes at the start."""
        return divmod(self.start, 60)

    def stem(self) -> str:
        return f"What time is {self.later} minutes after {time_label(*self.clock)}?"

    def solve(self) -> Working:
        minutes = self.start % 60
        answer = time_label(*divmod(self.start + self.later, 60))
        told = step("adds {0} to {1} minutes: {2}", self.later, minutes, self.later + minutes)
        return by_steps(answer, told, step("counts an hour for every {0} and gets {1}", 60, answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        step_of = 5 if grade == 3 else 1
        minutes = 5 * draws.between(5, 11)
        later = draws.between((61 - minutes) // step_of + 1, 90 // step_of) * step_of
        return cls(later, 60 * draws.between(1, 10) + minutes)


@mal_rule("GM43")
def no_change_at_sixty(problem: TimeLater) -> Working | None:
    """Minutes beyond 60 stay minutes."""
    hour, minutes = problem.clock
    total = minutes + problem.later
    if not 60 <= total < 100:
        return None
    answer = time_label(hour, total)
    told = step("adds {0} to {1} minutes: {2}", problem.later, minutes, total)
    return by_steps(answer, told, step("writes them behind {0}: {1}", hour, answer), key_step=1)


@mal_rule("GM51")
def changes_at_a_hundred(problem: TimeLater) -> Working | None:
    """An hour for a hundred minutes."""
    hour, minutes = problem.clock
    total = minutes + problem.later
    if total < 100:
        return None
    answer = time_label(hour + total // 100, total % 100)
    told = step("adds {0} to {1} minutes: {2}", problem.later, minutes, total)
    return by_steps(
        answer, told, step("counts an hour for {0} and gets {1}", 100, answer), key_step=1
    )


@form("geometry and measurement", (3, 3), 1)
class ClockReading:
    """What time a clock with hands shows.

    Attributes:
        where: ``just past`` or ``almost at``: where the short hand points.
        hour: the number that the short hand is near.
        long: the number at which the long hand points, 1 to 11.
    """

    where: str
    hour: int
    long: int

    def __post_init__(self) -> None:
        if not (1 <= self.hour <= 12 and 1 <= self.long <= 11):
            raise ValueError("The short hand is near 1 to 12, and the long hand at 1 to 11.")
        if self.where not in {"just past", "almost at"}:
            raise ValueError("The short hand is just past a number or almost at it.")
        if (self.where == "just past") != (self.long < 6):
            raise ValueError("The short hand is past the number while the long one is before 6.")

    @property
    def full(self) -> int:
        """The hour that is complete."""
        return self.hour if self.where == "just past" else (self.hour - 2) % 12 + 1

    def stem(self) -> str:
        return (
            f"The short hand of a clock is {self.where} {self.hour}, and the long hand is at "
            f"{self.long}. What time is it?"
        )

    def shown(self, hour: int, minutes: int, wording: str) -> Working:
        """A time, and what the long hand is read as."""
        answer = time_label(hour, minutes)
        first = step("reads {0} hours from the short hand", hour)
        return by_steps(
            answer, first, step(wording + " and writes {2}", self.long, hour, answer), key_step=1
        )

    def solve(self) -> Working:
        told = "puts the fives of {0} on the long hand behind {1} hours"
        return self.shown(self.full, 5 * self.long, told)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        long = draws.one((1, 2, 3, 4, 5, 7, 8, 9, 10, 11))
        return cls("just past" if long < 6 else "almost at", draws.between(1, 12), long)


@mal_rule("GM44")
def hands_swapped(problem: ClockReading) -> Working:
    """The long hand tells the hour and the short one the minutes."""
    answer = time_label(problem.long, 5 * problem.hour % 60)
    told = step("reads {0} hours from the long hand", problem.long)
    last = step("reads {0} on the short hand as fives, and writes {1}", problem.hour, answer)
    return by_steps(answer, told, last)


@mal_rule("GM45")
def long_hand_as_it_stands(problem: ClockReading) -> Working:
    """The number at the long hand as minutes."""
    return problem.shown(
        problem.full, problem.long, "puts {0} from the long hand as minutes behind {1} hours"
    )


@mal_rule("GM46")
def nearest_hour(problem: ClockReading) -> Working | None:
    """The hour that the short hand nearly reaches."""
    if problem.where == "just past":
        return None
    told = "puts the fives of {0} on the long hand behind {1} hours"
    worked = problem.shown(problem.hour, 5 * problem.long, told)
    return Working(worked.answer, worked.steps, 0)


@form("geometry and measurement", (3, 5), 1)
class Clock24:
    """An afternoon time of the 24-hour clock with am or pm.

    Attributes:
        time: minutes after midnight, from 13:00 on.
    """

    time: int

    def __post_init__(self) -> None:
        if not 13 * 60 <= self.time < 24 * 60:
            raise ValueError("The time lies from 13:00 to 23:59.")

    def less(self, hours: int) -> Working:
        """So many hours taken off."""
        hour, minutes = divmod(self.time, 60)
        answer = Answer.label(f"{hour - hours}:{minutes:02} pm")
        told = step("takes {0} from {1}: {2}", hours, hour, hour - hours)
        return by_steps(answer, told, step("writes {0}", answer))

    def stem(self) -> str:
        return f"Write {time_label(*divmod(self.time, 60))} with am or pm."

    def solve(self) -> Working:
        return self.less(12)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(60 * draws.between(13, 22) + 5 * draws.below(12) + (grade > 4) * draws.below(5))


@mal_rule("GM47")
def takes_ten_off(problem: Clock24) -> Working:
    """The hour less ten."""
    return problem.less(10)


@form("geometry and measurement", (5, 8), 1)
class DecimalHours:
    """Hours with a decimal in hours and minutes.

    Attributes:
        hours: with one or two places; whole minutes.
    """

    hours: Fraction

    def __post_init__(self) -> None:
        if self.hours < 1 or self.hours.denominator == 1 or (60 * self.hours).denominator != 1:
            raise ValueError("The hours are a decimal from 1, with whole minutes.")

    @property
    def shown(self) -> str:
        """As they are written."""
        return write_decimal(self.hours)

    def stem(self) -> str:
        return f"Write {self.shown} hours in hours and minutes."

    def solve(self) -> Working:
        whole = int(self.hours)
        minutes = int(60 * (self.hours - whole))
        answer = Answer.label(f"{whole} h {minutes} min")
        tail = write_decimal(self.hours - whole)
        told = step("takes {0} times {1} minutes: {2}", tail, 60, minutes)
        return by_steps(answer, told, step("writes {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        unit = draws.one((4, 10, 20)) if grade > 5 else draws.one((4, 10))
        return cls(draws.between(1, 9) + Fraction(draws.between(1, unit - 1), unit))


@mal_rule("GM41")
def digits_are_minutes(problem: DecimalHours) -> Working | None:
    """.25 is 25 minutes."""
    whole, tail = problem.shown.split(".")
    if places_of(problem.hours) > 2:
        return None
    answer = Answer.label(f"{whole} h {int(tail)} min")
    return by_steps(answer, step("reads {0} behind the point as minutes: {1}", tail, answer))


@mal_rule("GM88")
def keeps_the_hour(problem: TimeLater) -> Working | None:
    """Minutes beyond 60 start again, and the hour stays."""
    hour, minutes = problem.clock
    total = minutes + problem.later
    if total < 60:
        return None
    answer = time_label(hour, total % 60)
    told = step("adds {0} to {1} minutes: {2}", problem.later, minutes, total)
    last = step("takes {0} off, leaves the hour and writes {1}", total // 60 * 60, answer)
    return by_steps(answer, told, last, key_step=1)


@mal_rule("GM89")
def counts_back(problem: TimeLater) -> Working | None:
    """So many minutes before, where later is asked."""
    if problem.start - problem.later < 60:
        return None
    answer = time_label(*divmod(problem.start - problem.later, 60))
    start = time_label(*problem.clock)
    return by_steps(
        answer, step("goes {0} minutes back from {1}: {2}", problem.later, start, answer)
    )


@form("geometry and measurement", (3, 5), 1)
class MoneyDecimal:
    """Dollars and fewer than ten cents as a decimal."""

    dollars: int
    cents: int

    def __post_init__(self) -> None:
        if self.dollars < 1 or not 0 < self.cents < 100:
            raise ValueError("There are dollars, and 1 to 99 cents.")

    def stem(self) -> str:
        return f"Write {self.dollars} dollars and {self.cents} cents as a decimal."

    def solve(self) -> Working:
        answer = money(self.dollars + Fraction(self.cents, 100))
        told = step("takes {0} cents as hundredths", self.cents)
        return by_steps(answer, told, step("writes {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 20 * grade), draws.between(1, 9))


@mal_rule("GM48")
def cents_behind_the_point(problem: MoneyDecimal) -> Working | None:
    """No 0 for single cents."""
    if problem.cents > 9:
        return None
    answer = Answer.number(Fraction(f"{problem.dollars}.{problem.cents}"))
    shown = Answer(answer.kind, answer.value, f"{problem.dollars}.{problem.cents}")
    told = step("writes {0} straight behind the point: {1}", problem.cents, shown)
    return by_steps(shown, told)


@form("geometry and measurement", (3, 6), 1)
class ScaleReading:
    """What a pointer shows between two numbers of a scale.

    Attributes:
        low, high: the numbers told.
        steps: equal steps between them.
        at: the step at which the pointer is.
    """

    low: int
    high: int
    steps: int
    at: int

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high or not 0 < self.at < self.steps:
            raise ValueError("The pointer is at a step between two numbers of the scale.")

    def by_step(self, worth: Fraction, wording: str) -> Working:
        """The pointer read with a worth of a step."""
        answer = plain(self.low + self.at * worth)
        return by_steps(
            answer,
            step(wording, plain(worth), self.high - self.low, self.steps),
            step(
                "counts {0} steps of {1} from {2} and reads {3}",
                self.at,
                plain(worth),
                self.low,
                answer,
            ),
        )

    def stem(self) -> str:
        return (
            f"Between {self.low} and {self.high} a scale has {self.steps} equal steps. The pointer "
            f"is at step {self.at}. What does it show?"
        )

    def solve(self) -> Working:
        worth = Fraction(self.high - self.low, self.steps)
        return self.by_step(worth, "shares {1} among {2} steps, {0} each")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        steps = draws.one((4, 5, 5, 8) if grade > 3 else (4, 5))
        width = draws.one((1, 2, 20, 40)) if grade > 4 else draws.one((2 * steps, 20, 40))
        low = width * draws.between(1, 9)
        return cls(low, low + width, steps, draws.between(1, steps - 1))


@mal_rule("GM49")
def each_step_is_a_tenth(problem: ScaleReading) -> Working | None:
    """Steps read as tenths."""
    if problem.at > 9 or problem.high - problem.low != 1:
        return None
    answer = plain(problem.low + Fraction(problem.at, 10))
    told = step("takes each step as {0}", "0.1")
    last = step("counts {0} tenths from {1} and reads {2}", problem.at, problem.low, answer)
    return by_steps(answer, told, last)


@mal_rule("GM50")
def each_step_is_one(problem: ScaleReading) -> Working | None:
    """Steps read as ones."""
    if problem.high - problem.low == 1:
        return None
    answer = plain(problem.low + problem.at)
    told = step("finds {0} steps from {1} to {2} and takes each as {3}", problem.steps, problem.low,
                problem.high, 1)  # fmt: skip
    last = step("counts {0} ones from {1} and reads {2}", problem.at, problem.low, answer)
    return by_steps(answer, told, last)


@mal_rule("GM52")
def counts_marks_for_steps(problem: ScaleReading) -> Working:
    """Divides by the number of marks, both ends included."""
    marks = problem.steps + 1
    worth = Fraction(problem.high - problem.low, marks)
    answer = plain(problem.low + problem.at * worth)
    told = step("shares {0} among {1} marks, {2} each", problem.high - problem.low, marks,
                plain(worth))  # fmt: skip
    return by_steps(
        answer,
        told,
        step(
            "counts {0} parts of {1} from {2} and reads {3}",
            problem.at,
            plain(worth),
            problem.low,
            answer,
        ),
    )


@mal_rule("GM90")
def scale_from_zero(problem: ScaleReading) -> Working | None:
    """The steps from the lower number, and not this number."""
    if not problem.low:
        return None
    worth = Fraction(problem.high - problem.low, problem.steps)
    answer = plain(problem.at * worth)
    first = step("shares {0} among {1} steps, {2} each", problem.high - problem.low, problem.steps,
                 plain(worth))  # fmt: skip
    return by_steps(
        answer,
        first,
        step("counts {0} steps of {1} from {2}: {3}", problem.at, plain(worth), 0, answer),
        key_step=1,
    )
