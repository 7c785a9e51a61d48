"""Table facts, products of tens, divisions with a rest, and divisions by 0."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.digits import digits
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


@form("number and operation", (3, 4), 1)
class TableFact:
    """A product of the multiplication table."""

    first: int
    second: int

    def __post_init__(self) -> None:
        if not (1 <= self.first <= 12 and 1 <= self.second <= 12):
            raise ValueError("The table goes from 1 to 12.")

    def stem(self) -> str:
        return f"What is {self.first} × {self.second}?"

    def solve(self) -> Worked:
        product = self.first * self.second
        return Worked(
            Answer.number(product),
            (step("takes {0} rows of {1} and counts {2}", self.first, self.second, product),),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 10 if grade == 3 else 12
        one = draws.one((1, *range(2, most + 1)))
        return cls(*draws.several((one, draws.between(3, most)), 2))


@mal_rule("NO102")
def one_row_of_the_table_off(problem: TableFact) -> tuple[Worked, ...] | None:
    """The next row of the table, below or above, of either factor."""
    one, other = problem.first, problem.second
    if 1 in (one, other):
        return None
    found: dict[int, Worked] = {}
    for rows, of in ((one, other - 1), (one - 1, other), (one, other + 1), (one + 1, other)):
        told = step("takes {0} × {1} from the table: {2}", rows, of, rows * of)
        found.setdefault(rows * of, Worked(Answer.number(rows * of), (told,)))
    return tuple(found.values())


@mal_rule("NO168")
def adds_the_factors(problem: TableFact) -> Worked:
    """A + b for a × b."""
    total = problem.first + problem.second
    told = step("adds {0} and {1} and gets {2}", problem.first, problem.second, total)
    return Worked(Answer.number(total), (told,))


@mal_rule("NO169")
def times_one_is_one(problem: TableFact) -> Worked | None:
    """N × 1 is 1."""
    if 1 not in (problem.first, problem.second):
        return None
    told = step("says that {0} × {1} is {2}", problem.first, problem.second, 1)
    return Worked(Answer.number(1), (told,))


@form("number and operation", (3, 5), 1)
class TensProduct:
    """A product of two numbers of tens, such as 40 × 30."""

    first: int
    second: int

    def __post_init__(self) -> None:
        for each in (self.first, self.second):
            if each % 10 or not 10 < each < 1000:
                raise ValueError("Both numbers are multiples of ten, from 20 to 990.")

    @property
    def fronts(self) -> tuple[int, int]:
        """Both without their zeros."""
        return int(str(self.first).rstrip("0")), int(str(self.second).rstrip("0"))

    def stem(self) -> str:
        return f"What is {self.first} × {self.second}?"

    def solve(self) -> Worked:
        one, other = self.fronts
        zeros = len(f"{self.first}{self.second}") - len(f"{one}{other}")
        answer = self.first * self.second
        return Worked(
            Answer.number(answer),
            (
                step("multiplies {0} by {1} and gets {2}", one, other, one * other),
                step("writes the {0} zeros of both numbers behind it: {1}", zeros, answer),
            ),
            1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 9 if grade < 5 else 19
        one, other = (10 * draws.between(2, most) for _ in range(2))
        return cls(one * draws.one((1, 1, 10)) if one < 100 else one, other)


@mal_rule("NO103")
def counts_zeros_once(problem: TensProduct) -> Worked:
    """Multiplies the digits and writes one 0."""
    one, other = problem.fronts
    answer = one * other * 10
    return Worked(
        Answer.number(answer),
        (
            step("multiplies {0} by {1} and gets {2}", one, other, one * other),
            step("writes one zero behind it: {0}", answer),
        ),
        1,
    )


@form("number and operation", (4, 6), 1)
class RemainderDivision:
    """A division that leaves a rest; its quotient is a fraction.

    Attributes:
        dividend: larger than the divisor and no multiple of it.
        divisor: from 2.
    """

    dividend: int
    divisor: int

    def __post_init__(self) -> None:
        if not 1 < self.divisor < self.dividend or not self.dividend % self.divisor:
            raise ValueError(f"{self.dividend} ÷ {self.divisor} has no rest.")

    @property
    def parts(self) -> tuple[int, int]:
        """How often it goes, and the rest."""
        return divmod(self.dividend, self.divisor)

    def stem(self) -> str:
        return f"What is {self.dividend} ÷ {self.divisor}?"

    def with_rest(self, answer: Answer, told: str, *numbers: object) -> Worked:
        """How often it goes, and what is made of the rest."""
        times, rest = self.parts
        first = step(
            "divides {0} by {1}: {2} times, and {3} is left",
            self.dividend, self.divisor, times, rest,
        )  # fmt: skip
        return Worked(answer, (first, step(told, *numbers, answer)), 1)

    def solve(self) -> Worked:
        times, rest = self.parts
        value = Fraction(self.dividend, self.divisor)
        part = value - times
        answer = Answer.number(value, f"{times} {part}")
        return self.with_rest(answer, "divides the {0} by {1} too and gets {2}", rest, self.divisor)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        divisor = draws.between(3, 9)
        times = draws.between(2, 9) if grade == 4 else draws.between(11, 40)
        return cls(divisor * times + draws.between(1, divisor - 1), divisor)


@mal_rule("NO105")
def rest_behind_the_point(problem: RemainderDivision) -> Worked:
    """Remainder r is written as .r"""
    times, rest = problem.parts
    answer = Answer.decimal(Fraction(f"{times}.{rest}"))
    return problem.with_rest(answer, "writes the {0} behind the point: {1}", rest)


@mal_rule("NO170")
def rest_over_the_dividend(problem: RemainderDivision) -> Worked:
    """The remainder over the divided number."""
    times, rest = problem.parts
    value = times + Fraction(rest, problem.dividend)
    answer = Answer.number(value, f"{times} {rest}/{problem.dividend}")
    return problem.with_rest(
        answer, "writes the {0} over {1} and reads {2}", rest, problem.dividend
    )


@mal_rule("NO106")
def digit_by_digit(problem: RemainderDivision) -> Worked | None:
    """Divides each digit by itself; what is left of a digit is not passed on."""
    if problem.dividend < 10 or problem.divisor > 9:
        return None
    single = list(reversed(digits(problem.dividend)))
    written = "".join(str(each // problem.divisor) for each in single)
    answer = Answer.number(int(written))
    shown = ", ".join(map(str, single))
    return Worked(
        answer,
        (
            step("divides each of {0} by {1} and keeps the whole part", shown, problem.divisor),
            step("reads {0}", answer),
        ),
    )


@form("number and operation", (4, 7), 1)
class DivisionByZero:
    """A number divided by 0, which has no answer."""

    dividend: int

    def __post_init__(self) -> None:
        if self.dividend < 1:
            raise ValueError("A positive number is divided by 0.")

    def stem(self) -> str:
        return f"What is {self.dividend} ÷ 0?"

    def solve(self) -> Worked:
        told = step("looks for a number that makes {0} when multiplied by {1}", self.dividend, 0)
        return Worked(Answer.label("not possible"), (told, step("answers not possible")))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 60 + 10 * grade))


@mal_rule("NO171")
def by_zero_is_zero(problem: DivisionByZero) -> Worked:
    """Nothing shares to nothing."""
    told = step("says that {0} ÷ {1} is {1}", problem.dividend, 0)
    return Worked(Answer.label("0"), (told,))


@mal_rule("NO172")
def by_zero_changes_nothing(problem: DivisionByZero) -> Worked:
    """Dividing by nothing leaves the number."""
    told = step("says that ÷ {1} keeps {0}", problem.dividend, 0)
    return Worked(Answer.label(str(problem.dividend)), (told,))
