"""Division of whole numbers and what comes after it; table facts, rests, divisions by 0."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.numbers.columns import carries
from schoolmath.malrules.catalogue.numbers.order_of_operations import (
    RIGHT_ORDER,
    OperationChain,
    work_out,
)
from schoolmath.malrules.catalogue.numbers.places_and_factors import digits
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws

CONTEXTS = {
    "beads": "boxes", "stickers": "albums", "marbles": "jars", "tiles": "crates",
    "cards": "folders", "shells": "baskets", "buttons": "tins", "stamps": "books",
}  # fmt: skip
"""What is shared, and into what."""


def long_division(dividend: int, divisor: int, *, writes_zero: bool) -> tuple[list[Step], int, int]:
    """Digit by digit from the left.

    Args:
        dividend: at least the divisor, and divisible by it.
        divisor: positive.
        writes_zero: whether a 0 is written where a digit does not divide.

    Returns:
        The steps, what is written as the quotient, and the index of the first step about a 0
        (0 if there is none).
    """
    steps: list[Step] = []
    quotient, key, left, places = "", None, 0, list(reversed(digits(dividend)))
    for place, digit in enumerate(places):
        left = left * 10 + digit
        count, rest = divmod(left, divisor)
        if count:
            quotient += str(count)
            steps.append(step("divides {0} by {1} and writes {2}", left, divisor, count))
        elif quotient:
            key = len(steps) if key is None else key
            if writes_zero or place == len(places) - 1:
                quotient += "0"
                steps.append(
                    step("sees that {0} does not go into {1} and writes {2}", divisor, left, 0)
                )
            else:
                steps.append(
                    step("sees that {0} does not go into {1} and writes nothing", divisor, left)
                )
        left = rest
    return steps, int(quotient), key or 0


def has_inner_zero(value: int) -> bool:
    """Whether a 0 stands between other digits."""
    return "0" in str(value)[1:-1]


@form("number and operation", (4, 6), 1)
class Division:
    """A division that comes out even, or of a number by a larger one.

    Attributes:
        dividend: what is divided.
        divisor: by what.
    """

    dividend: int
    divisor: int

    def __post_init__(self) -> None:
        if self.dividend < 1 or self.divisor < 2:
            raise ValueError(
                f"{self.dividend} ÷ {self.divisor}: both are positive, no division by 1."
            )
        if self.dividend > self.divisor and self.dividend % self.divisor:
            raise ValueError(f"{self.dividend} ÷ {self.divisor} leaves a remainder.")

    def stem(self) -> str:
        return f"What is {self.dividend} ÷ {self.divisor}?"

    def solve(self) -> Working:
        if self.dividend >= self.divisor:
            steps, result, key = long_division(self.dividend, self.divisor, writes_zero=True)
            steps.append(step("reads the answer {0}", result))
            return Working(Answer.number(result), tuple(steps), key)
        value = Fraction(self.dividend, self.divisor)
        written = f"{self.dividend}/{self.divisor}"
        steps = [step("writes {0} ÷ {1} as {2}", self.dividend, self.divisor, written)]
        if str(value) != written:
            steps.append(step("simplifies it to {0}", value))
        return Working(Answer.number(value), tuple(steps))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        if grade >= 6 or (grade == 5 and draws.chance(0.5)):
            dividend = draws.between(2, 12)
            return cls(dividend, dividend * draws.between(2, 9))
        divisor = draws.between(2, 9)
        return cls(divisor * _quotient_with_zero(draws, grade), divisor)

    @classmethod
    def draw_widely(cls, draws: Draws, grade: int) -> Self:
        """Also with a 0 at the end of the quotient, or none in it."""
        if draws.chance(0.6):
            return cls.draw(draws, grade)
        divisor = draws.between(2, 9)
        return cls(divisor * draws.between(11, 99) * draws.one((1, 10)), divisor)


@form("number and operation", (4, 5), 2)
class DivisionThenSum:
    """A number shared equally, and more added to each part.

    Attributes:
        dividend: what is shared; a multiple of the divisor.
        divisor: among how many.
        added: what each part gets afterwards.
        thing: what is shared, one of `CONTEXTS`.
    """

    dividend: int
    divisor: int
    added: int
    thing: str

    def __post_init__(self) -> None:
        if self.divisor < 2 or self.dividend < self.divisor or self.dividend % self.divisor:
            raise ValueError(f"{self.dividend} cannot be shared equally among {self.divisor}.")
        if self.added < 2 or self.thing not in CONTEXTS:
            raise ValueError(
                f"Nobody can add {self.added} {self.thing}: at least two of {', '.join(CONTEXTS)}."
            )

    @property
    def quotient(self) -> int:
        """What each part has before more is added."""
        return self.dividend // self.divisor

    def stem(self) -> str:
        holders = CONTEXTS[self.thing]
        holder = "box" if holders == "boxes" else holders[:-1]
        return (
            f"{self.dividend} {self.thing} are shared equally among {self.divisor} {holders}. "
            f"Then {self.added} more {self.thing} are put into each {holder}. "
            f"How many {self.thing} are in each {holder} now?"
        )

    def division_step(self) -> Step:
        """The first step, done right."""
        return step("divides {0} by {1} and gets {2}", self.dividend, self.divisor, self.quotient)

    def solve(self) -> Working:
        result = self.quotient + self.added
        adding = step("adds {0} to {1} and gets {2}", self.added, self.quotient, result)
        return by_steps(Answer.number(result), self.division_step(), adding)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        divisor = draws.between(2, 9)
        thing = draws.one(list(CONTEXTS))
        for _ in range(40):
            quotient = _quotient_with_zero(draws, 4)
            added = draws.between(15, 89 if grade <= 4 else 389)
            ones = quotient % 10 + added % 10
            if carries(quotient, added) and ones >= 10:
                return cls(divisor * quotient, divisor, added, thing)
        raise NotDrawn(f"No division with a sum that carries came up for grade {grade}.")


def _quotient_with_zero(draws: Draws, grade: int) -> int:
    high, low = draws.between(1, 9), draws.between(1, 9)
    if grade >= 5 and draws.chance(0.6):
        middle = draws.between(0, 9)
        return high * 1000 + low + (middle * 10 if draws.chance(0.5) else middle * 100)
    return high * 100 + low


@mal_rule("NO21")
def drops_zero_in_quotient(problem: Division | DivisionThenSum) -> Working | None:
    """The zero inside the quotient is left out."""
    if problem.dividend < problem.divisor:
        return None
    if not has_inner_zero(problem.dividend // problem.divisor):
        return None
    steps, quotient, key = long_division(problem.dividend, problem.divisor, writes_zero=False)
    if isinstance(problem, Division):
        steps.append(step("reads the answer {0}", quotient))
        return Working(Answer.number(quotient), tuple(steps), key)
    result = quotient + problem.added
    return by_steps(
        Answer.number(result),
        step(
            "divides {0} by {1}, writes nothing where {1} does not go into a digit, and gets {2}",
            problem.dividend,
            problem.divisor,
            quotient,
        ),
        step("adds {0} to {1} and gets {2}", problem.added, quotient, result),
    )


@mal_rule("NO22")
def larger_divided_by_smaller(problem: Division | OperationChain) -> Working | None:
    """The larger number is divided by the smaller one, whichever comes first."""
    if isinstance(problem, OperationChain):
        turned = work_out(problem.numbers, problem.signs, RIGHT_ORDER, larger_by_smaller=True)
        return turned if turned and turned.answer != problem.solve().answer else None
    if problem.dividend >= problem.divisor:
        return None
    result = Answer.number(Fraction(problem.divisor, problem.dividend))
    return by_steps(
        result,
        step(
            "takes the larger number {0} and divides it by the smaller number {1}",
            problem.divisor,
            problem.dividend,
        ),
        step("gets {0}", result),
    )


@form("number and operation", (3, 4), 1)
class TableFact:
    """A product of the multiplication table."""

    first: int
    second: int

    def __post_init__(self) -> None:
        if not (0 <= self.first <= 12 and 0 <= self.second <= 12):
            raise ValueError("The table goes from 0 to 12.")

    def stem(self) -> str:
        return f"What is {self.first} × {self.second}?"

    def solve(self) -> Working:
        product = self.first * self.second
        return by_steps(
            Answer.number(product),
            step("takes {0} rows of {1} and counts {2}", self.first, self.second, product),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 10 if grade == 3 else 12
        one = draws.one((1, *range(2, most + 1)))
        return cls(*draws.several((one, draws.between(3, most)), 2))


@mal_rule("NO102")
def one_row_of_the_table_off(problem: TableFact) -> tuple[Working, ...] | None:
    """The next row of the table, below or above, of either factor."""
    one, other = problem.first, problem.second
    if min(one, other) < 2:
        return None
    found: dict[int, Working] = {}
    for rows, of in ((one, other - 1), (one - 1, other), (one, other + 1), (one + 1, other)):
        told = step("takes {0} × {1} from the table: {2}", rows, of, rows * of)
        found.setdefault(rows * of, by_steps(Answer.number(rows * of), told))
    return tuple(found.values())


@mal_rule("NO262", TableFact(0, 8))
def times_zero_is_the_number(problem: TableFact) -> Working | None:
    """N × 0 is n."""
    number = max(problem.first, problem.second)
    if min(problem.first, problem.second) or not number:
        return None
    told = step("says that {0} × {1} is {2}", problem.first, problem.second, number)
    return by_steps(Answer.number(number), told)


@mal_rule("NO263", Division(7, 7))
def by_itself_is_zero(problem: Division) -> Working | None:
    """N ÷ n is 0."""
    if problem.dividend != problem.divisor:
        return None
    told = step("takes {0} away from {1}, and {2} are there", problem.divisor, problem.dividend, 0)
    return by_steps(Answer.number(0), told)


@mal_rule("NO169")
def times_one_is_one(problem: TableFact) -> Working | None:
    """N × 1 is 1."""
    if 1 not in (problem.first, problem.second):
        return None
    told = step("says that {0} × {1} is {2}", problem.first, problem.second, 1)
    return by_steps(Answer.number(1), told)


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

    def solve(self) -> Working:
        one, other = self.fronts
        zeros = len(f"{self.first}{self.second}") - len(f"{one}{other}")
        answer = self.first * self.second
        return by_steps(
            Answer.number(answer),
            step("multiplies {0} by {1} and gets {2}", one, other, one * other),
            step("writes the {0} zeros of both numbers behind it: {1}", zeros, answer),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 9 if grade < 5 else 19
        one, other = (10 * draws.between(2, most) for _ in range(2))
        return cls(one * draws.one((1, 1, 10)) if one < 100 else one, other)


@mal_rule("NO103")
def counts_zeros_once(problem: TensProduct) -> Working:
    """Multiplies the digits and writes one 0."""
    one, other = problem.fronts
    answer = one * other * 10
    return by_steps(
        Answer.number(answer),
        step("multiplies {0} by {1} and gets {2}", one, other, one * other),
        step("writes one zero behind it: {0}", answer),
        key_step=1,
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

    def with_rest(self, answer: Answer, wording: str, *numbers: object) -> Working:
        """How often it goes, and what is made of the rest."""
        times, rest = self.parts
        first = step(
            "divides {0} by {1}: {2} times, and {3} is left",
            self.dividend, self.divisor, times, rest,
        )  # fmt: skip
        return by_steps(answer, first, step(wording, *numbers, answer), key_step=1)

    def solve(self) -> Working:
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
def rest_behind_the_point(problem: RemainderDivision) -> Working:
    """Remainder r is written as .r"""
    times, rest = problem.parts
    answer = Answer.decimal(Fraction(f"{times}.{rest}"))
    return problem.with_rest(answer, "writes the {0} behind the point: {1}", rest)


@mal_rule("NO170")
def rest_over_the_dividend(problem: RemainderDivision) -> Working:
    """The remainder over the divided number."""
    times, rest = problem.parts
    value = times + Fraction(rest, problem.dividend)
    answer = Answer.number(value, f"{times} {rest}/{problem.dividend}")
    return problem.with_rest(
        answer, "writes the {0} over {1} and reads {2}", rest, problem.dividend
    )


@mal_rule("NO106")
def digit_by_digit(problem: RemainderDivision) -> Working | None:
    """Divides each digit by itself; what is left of a digit is not passed on."""
    if problem.dividend < 10 or problem.divisor > 9:
        return None
    single = list(reversed(digits(problem.dividend)))
    written = "".join(str(each // problem.divisor) for each in single)
    answer = Answer.number(int(written))
    shown = ", ".join(map(str, single))
    return by_steps(
        answer,
        step("divides each of {0} by {1} and keeps the whole part", shown, problem.divisor),
        step("reads {0}", answer),
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

    def solve(self) -> Working:
        told = step("looks for a number that makes {0} when multiplied by {1}", self.dividend, 0)
        return by_steps(Answer.label("not possible"), told, step("answers not possible"))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 60 + 10 * grade))


@mal_rule("NO171")
def by_zero_is_zero(problem: DivisionByZero) -> Working:
    """Nothing shares to nothing."""
    told = step("says that {0} ÷ {1} is {1}", problem.dividend, 0)
    return by_steps(Answer.label("0"), told)


@mal_rule("NO172")
def by_zero_changes_nothing(problem: DivisionByZero) -> Working:
    """Dividing by nothing leaves the number."""
    told = step("says that ÷ {1} keeps {0}", problem.dividend, 0)
    return by_steps(Answer.label(str(problem.dividend)), told)
