"""Money as a decimal, and scales whose steps are not one."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import money, plain
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


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

    def solve(self) -> Worked:
        answer = money(self.dollars + Fraction(self.cents, 100))
        told = step("takes {0} cents as hundredths", self.cents)
        return Worked(answer, (told, step("writes {0}", answer)))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 20 * grade), draws.between(1, 9))


@mal_rule("GM48")
def cents_behind_the_point(problem: MoneyDecimal) -> Worked | None:
    """No 0 for single cents."""
    if problem.cents > 9:
        return None
    answer = Answer.number(Fraction(f"{problem.dollars}.{problem.cents}"))
    shown = Answer(answer.kind, answer.value, f"{problem.dollars}.{problem.cents}")
    told = step("writes {0} straight behind the point: {1}", problem.cents, shown)
    return Worked(shown, (told,))


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

    def by_step(self, worth: Fraction, told: str) -> Worked:
        """The pointer read with a worth of a step."""
        answer = plain(self.low + self.at * worth)
        return Worked(
            answer,
            (
                step(told, plain(worth), self.high - self.low, self.steps),
                step(
                    "counts {0} steps of {1} from {2} and reads {3}",
                    self.at,
                    plain(worth),
                    self.low,
                    answer,
                ),
            ),
        )

    def stem(self) -> str:
        return (
            f"Between {self.low} and {self.high} a scale has {self.steps} equal steps. The pointer "
            f"is at step {self.at}. What does it show?"
        )

    def solve(self) -> Worked:
        worth = Fraction(self.high - self.low, self.steps)
        return self.by_step(worth, "shares {1} among {2} steps, {0} each")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        steps = draws.one((4, 5, 5, 8) if grade > 3 else (4, 5))
        width = draws.one((1, 2, 20, 40)) if grade > 4 else draws.one((2 * steps, 20, 40))
        low = width * draws.between(1, 9)
        return cls(low, low + width, steps, draws.between(1, steps - 1))


@mal_rule("GM49")
def each_step_is_a_tenth(problem: ScaleReading) -> Worked | None:
    """Steps read as tenths."""
    if problem.at > 9 or problem.high - problem.low != 1:
        return None
    answer = plain(problem.low + Fraction(problem.at, 10))
    told = step("takes each step as {0}", "0.1")
    last = step("counts {0} tenths from {1} and reads {2}", problem.at, problem.low, answer)
    return Worked(answer, (told, last))


@mal_rule("GM50")
def each_step_is_one(problem: ScaleReading) -> Worked | None:
    """Steps read as ones."""
    if problem.high - problem.low == 1:
        return None
    answer = plain(problem.low + problem.at)
    told = step("finds {0} steps from {1} to {2} and takes each as {3}", problem.steps, problem.low,
                problem.high, 1)  # fmt: skip
    last = step("counts {0} ones from {1} and reads {2}", problem.at, problem.low, answer)
    return Worked(answer, (told, last))


@mal_rule("GM52")
def counts_marks_for_steps(problem: ScaleReading) -> Worked:
    """Divides by the number of marks, both ends included."""
    marks = problem.steps + 1
    worth = Fraction(problem.high - problem.low, marks)
    answer = plain(problem.low + problem.at * worth)
    told = step("shares {0} among {1} marks, {2} each", problem.high - problem.low, marks,
                plain(worth))  # fmt: skip
    return Worked(
        answer,
        (
            told,
            step(
                "counts {0} parts of {1} from {2} and reads {3}",
                problem.at,
                plain(worth),
                problem.low,
                answer,
            ),
        ),
    )


@mal_rule("GM90")
def scale_from_zero(problem: ScaleReading) -> Worked | None:
    """The steps from the lower number, and not this number."""
    if not problem.low:
        return None
    worth = Fraction(problem.high - problem.low, problem.steps)
    answer = plain(problem.at * worth)
    first = step("shares {0} among {1} steps, {2} each", problem.high - problem.low, problem.steps,
                 plain(worth))  # fmt: skip
    return Worked(
        answer,
        (
            first,
            step(
                "counts {0} steps of {1} from {2}: {3}",
                problem.at,
                plain(worth),
                0,
                answer,
            ),
        ),
        1,
    )
