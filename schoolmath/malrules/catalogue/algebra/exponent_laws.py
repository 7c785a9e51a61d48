"""Powers of one letter, multiplied, raised and divided."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, write_power
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.draws import Draws


@form("algebra", (8, 10), 1)
class ExponentLaws:
    """``(x^3)^2 * x^4 / x^2``, or a part of it.

    Attributes:
        inner: exponent of the first power; 2 or more.
        outer: the power it is raised to; 1 for none.
        times: exponent of the power it is multiplied by; 0 for none.
        over: exponent of the power it is divided by; 0 for none.
    """

    inner: int
    outer: int = 1
    times: int = 0
    over: int = 0

    def __post_init__(self) -> None:
        if self.inner < 2 or self.outer < 1 or self.times < 0 or self.over < 0:
            raise ValueError("The exponents must be whole numbers, and the first one 2 or more.")
        if (self.outer, self.times, self.over) == (1, 0, 0):
            raise ValueError("There is nothing to simplify in one power.")

    def stem(self) -> str:
        text = write_power(self.inner)
        if self.outer > 1:
            text = f"({text})^{self.outer}"
        if self.times:
            text += f" * {write_power(self.times)}"
        if self.over:
            text += f" / {write_power(self.over)}"
        return f"Write {text} as one power of x."

    def solve(self) -> Worked:
        return self.simplified()

    def simplified(self, wrong: str = "") -> Worked:
        """The way to one power, with one law wrong: ``outer``, ``times``, ``over`` or none."""
        exponent = Fraction(self.inner)
        steps: list[Step] = []
        place = 0
        for law, number in (("outer", self.outer), ("times", self.times), ("over", self.over)):
            if number == (1 if law == "outer" else 0):
                continue
            if law == wrong:
                place = len(steps)
            words, result = _LAWS[law, law == wrong]
            before, exponent = exponent, result(exponent, number)
            steps.append(step(words, before, number, exponent))
        answer = Answer.power(exponent)
        return Worked(answer, (*steps, step("writes {0}", answer.shown)), key_step=place)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        over = draws.between(2, 3 if grade == 8 else 5)
        inner, outer = draws.between(2, 9), draws.between(2, 5)
        # So that the exponents can be divided: a quotient that a pupil would write down.
        rest = -inner * outer % over
        return cls(inner, outer, rest + over * draws.between(0 if rest > 1 else 1, 3), over)


# By law, right and wrong: the clause, and what becomes of the exponents.
_LAWS: dict[tuple[str, bool], tuple[str, Callable[[Fraction, int], Fraction]]] = {
    ("outer", False): (
        "multiplies the exponents {0} and {1} of the power of a power: {2}",
        lambda exponent, number: exponent * number,
    ),
    ("outer", True): (
        "adds the exponents {0} and {1} of the power of a power: {2}",
        lambda exponent, number: exponent + number,
    ),
    ("times", False): (
        "adds the exponents {0} and {1} of the product: {2}",
        lambda exponent, number: exponent + number,
    ),
    ("times", True): (
        "multiplies the exponents {0} and {1} of the product: {2}",
        lambda exponent, number: exponent * number,
    ),
    ("over", False): (
        "subtracts the exponents of the quotient, {0} minus {1}: {2}",
        lambda exponent, number: exponent - number,
    ),
    ("over", True): (
        "divides the exponents of the quotient, {0} by {1}: {2}",
        lambda exponent, number: exponent / number,
    ),
}


@mal_rule("AL26")
def multiplies_exponents(problem: ExponentLaws) -> Worked | None:
    """Multiplies where exponents are added."""
    return problem.simplified("times") if problem.times else None


@mal_rule("AL27")
def adds_exponents(problem: ExponentLaws) -> Worked | None:
    """Adds where exponents are multiplied."""
    return problem.simplified("outer") if problem.outer > 1 else None


@mal_rule("AL28")
def divides_exponents(problem: ExponentLaws) -> Worked | None:
    """Divides where exponents are subtracted."""
    return problem.simplified("over") if problem.over else None
