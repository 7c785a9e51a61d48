"""Wrong orders of operations."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.numbers.order_of_operations import (
    LEFT_TO_RIGHT,
    MULTIPLICATION_FIRST,
    RIGHT_ORDER,
    SUMS_FIRST,
    OperationChain,
    PowerInChain,
    RootInChain,
    work_out,
)
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws

_RIGHT_TRIANGLES = (
    (3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29), (12, 35, 37), (9, 40, 41),
)  # fmt: skip


@form("number and operation", (8, 11), 1)
class RootOfSum:
    """The square root of a sum or difference of squares that is a square itself.

    Attributes:
        first: a square, from 4.
        second: what is added: a square, the opposite of one, or 0 for nothing.
    """

    first: int
    second: int

    def __post_init__(self) -> None:
        total = self.first + self.second
        squares = (self.first, abs(self.second), total)
        if self.first < 4 or total < 1 or any(isqrt(each) ** 2 != each for each in squares):
            raise ValueError(f"√({self.first} + {self.second}) is not made of squares.")

    @property
    def inside(self) -> str:
        """What stands under the root sign, as it is written."""
        if not self.second:
            return str(self.first)
        return f"{self.first} {'+' if self.second > 0 else '-'} {abs(self.second)}"

    @property
    def first_root(self) -> int:
        """The root of the first square alone."""
        return isqrt(self.first)

    def stem(self) -> str:
        return f"What is √({self.inside})?" if self.second else f"What is √{self.first}?"

    def solve(self) -> Worked:
        total = self.first + self.second
        result = isqrt(total)
        steps = [step("finds that {0} × {0} is {1}, so the square root is {0}", result, total)]
        if self.second:
            clause = "works out {0} + {1} under the root and gets {2}"
            if self.second < 0:
                clause = "works out {0} - {1} under the root and gets {2}"
            steps.insert(0, step(clause, self.first, abs(self.second), total))
        return Worked(Answer.number(result), tuple(steps))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        if draws.chance(0.08):
            return cls(draws.between(2, 15) ** 2, 0)
        short, long, longest = draws.one(_RIGHT_TRIANGLES)
        times = draws.between(1, max(1, (40 if grade <= 8 else 90) // longest))
        short, long = draws.several((short * times, long * times), 2)
        if draws.chance(0.5):
            return cls(short**2, long**2)
        return cls((longest * times) ** 2, -(long**2))


@mal_rule("NO56")
def square_root_as_half(problem: RootOfSum | RootInChain) -> Worked | None:
    """The number is halved."""
    if isinstance(problem, RootInChain):
        half = Fraction(problem.square, 2)
        halving = step("halves {0} for its square root and gets {1}", problem.square, half)
        return problem.with_root(half, halving, RIGHT_ORDER)
    total = problem.first + problem.second
    answer = Answer.decimal(Fraction(total, 2))
    halving = step("halves {0} for its square root and gets {1}", total, answer)
    if not problem.second:
        return Worked(answer, (halving,))
    inside = step("works out {0} under the root and gets {1}", problem.inside, total)
    return Worked(answer, (inside, halving), 1)


@mal_rule("NO57")
def root_distributes_over_sum(problem: RootOfSum) -> Worked | None:
    """Each square has its root taken alone."""
    if not problem.second:
        return None
    first, second = problem.first_root, isqrt(abs(problem.second))
    result = first + second if problem.second > 0 else first - second
    verb = "adds {0} and {1}" if problem.second > 0 else "takes {1} from {0}"
    return Worked(
        Answer.number(result),
        (
            step(
                "takes the roots of {0} and {1} one by one: {2} and {3}",
                problem.first,
                abs(problem.second),
                first,
                second,
            ),
            step(f"{verb} and gets {{2}}", first, second, result),
        ),
    )


@mal_rule("NO49")
def left_to_right(
    problem: OperationChain | PowerInChain | RootInChain | RootOfSum,
) -> Worked | None:
    """Whatever comes first is done first."""
    match problem:
        case OperationChain():
            return work_out(problem.numbers, problem.signs, LEFT_TO_RIGHT)
        case RootOfSum():
            if not problem.second:
                return None
            root = problem.first_root
            result = root + problem.second
            verb = "adds {0} to it" if problem.second > 0 else "takes {0} from it"
            return Worked(
                Answer.number(result),
                (
                    step("takes the square root of {0} first and gets {1}", problem.first, root),
                    step(f"{verb} and gets {{1}}", abs(problem.second), result),
                ),
            )
    return problem.in_order(LEFT_TO_RIGHT)


@mal_rule("NO50")
def addition_before_multiplication(
    problem: OperationChain | PowerInChain | RootInChain,
) -> Worked | None:
    """Sums and differences are done before products and quotients."""
    if isinstance(problem, OperationChain):
        return work_out(problem.numbers, problem.signs, SUMS_FIRST)
    return problem.in_order(SUMS_FIRST)


@mal_rule("NO51")
def multiplication_always_before_division(problem: OperationChain) -> Worked | None:
    """Every multiplication is done before any division."""
    return work_out(problem.numbers, problem.signs, MULTIPLICATION_FIRST)
