"""Numbers missing beside the equals sign, and equations of one step."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.writing import write_next, write_sum
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


@form("algebra", (3, 9), 1)
class Blank:
    """``8 + 4 = _ + 5``, or with a letter ``x + 5 = 20 - 5 + 3``.

    Attributes:
        left: the terms whose value is known, with their signs; at least two, the first positive.
        right: what is added to the missing number; may be 0.
        letter: whether the missing number is called x, and not a blank.
    """

    left: tuple[int, ...]
    right: int
    letter: bool = False

    def __post_init__(self) -> None:
        if len(self.left) < 2 or self.left[0] <= 0 or 0 in self.left:
            raise ValueError("A number sentence needs two terms or more and starts above 0.")
        if self.right < 0:
            raise ValueError("What is added to the missing number is 0 or more.")

    def stem(self) -> str:
        known = write_sum(self.left)
        if self.letter:
            unknown = f"x + {self.right}" if self.right else "x"
            return f"Solve {unknown} = {known}. What is x?"
        unknown = f"_ + {self.right}" if self.right else "_"
        return f"What number goes in the blank in {known} = {unknown}?"

    def solve(self) -> Working:
        total = sum(self.left)
        value = total - self.right
        steps = [step("works out {0} and gets {1}", write_sum(self.left), total)]
        if self.right:
            steps.append(
                step(
                    "takes the {0} of the other side from {1}, so that both sides are worth "
                    "the same, and gets {2}",
                    *(self.right, total, value),
                )
            )
        else:
            steps.append(step("sees that both sides are worth the same: {0}", value))
        return Working(Answer.number(value), tuple(steps), key_step=1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 6 + 2 * min(grade, 6)
        taken, added, right = (draws.between(2, most) for _ in range(3))
        first = taken + added + right + draws.between(1, 3 * most)
        return cls((first, -taken, added), right, letter=grade >= 6)


@mal_rule("AL01")
def equals_means_work_it_out(problem: Blank) -> Working | None:
    """Takes the equals sign as an order to write down a result."""
    if not problem.right:
        return None
    total = sum(problem.left)
    return by_steps(
        Answer.number(total),
        step("works out {0} and gets {1}", write_sum(problem.left), total),
        step(
            "writes the result {0} straight after the equals sign, and passes over the {1}",
            *(total, problem.right),
        ),
        key_step=1,
    )


@mal_rule("AL02")
def adds_all_the_numbers(problem: Blank) -> Working | None:
    """Adds whatever numbers stand in the sentence."""
    if not problem.right:
        return None
    seen = (*(abs(term) for term in problem.left), problem.right)
    total = sum(seen)
    return by_steps(
        Answer.number(total),
        step("takes every number of the sentence, on both sides: {0}", write_list(seen)),
        step("adds them all and gets {0}", total),
        key_step=1,
    )


def write_list(numbers: tuple[int, ...]) -> str:
    """``8, 4 and 5``."""
    return f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


@form("algebra", (3, 5), 1)
class MissingFactor:
    """``6 × _ = 42``: the other factor is asked."""

    factor: int
    product: int

    def __post_init__(self) -> None:
        if self.factor < 2 or self.product <= self.factor or self.product % self.factor:
            raise ValueError("The factor is from 2, and the product a larger multiple of it.")

    def stem(self) -> str:
        return f"What number goes in the blank in {self.factor} × _ = {self.product}?"

    def solve(self) -> Working:
        value = self.product // self.factor
        first = step("sees {0} and {1} and a times sign", self.factor, self.product)
        last = step("divides {0} by {1} and gets {2}", self.product, self.factor, value)
        return by_steps(Answer.number(value), first, last, key_step=1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        factor = draws.between(2, 10 if grade == 3 else 12)
        other = draws.between(3, {3: 10, 4: 15}.get(grade, 25))
        return cls(factor, factor * other)


@mal_rule("AL85")
def multiplies_what_it_sees(problem: MissingFactor) -> Working:
    """A · c: the sign that stands there, with the numbers that stand there."""
    value = problem.factor * problem.product
    first = step("sees {0} and {1} and a times sign", problem.factor, problem.product)
    told = step("multiplies {0} by {1} and gets {2}", problem.factor, problem.product, value)
    return by_steps(Answer.number(value), first, told, key_step=1)


@mal_rule("AL86")
def difference_for_a_factor(problem: MissingFactor) -> Working:
    """C - a: what is missing to the product as if it were a sum."""
    value = problem.product - problem.factor
    first = step("asks how much more {0} is than {1}", problem.product, problem.factor)
    told = step("takes {0} from {1} and gets {2}", problem.factor, problem.product, value)
    return by_steps(Answer.number(value), first, told)


@mal_rule("AL87")
def neighbour_of_the_factor(problem: MissingFactor) -> tuple[Working, ...]:
    """The next row of the table, below or above."""
    value = problem.product // problem.factor
    return tuple(
        by_steps(
            Answer.number(value + off),
            step("says the row of {0} up to {1}", problem.factor, problem.product),
            step(f"counts one {'more' if off > 0 else 'less'} and answers {{0}}", value + off),
            key_step=1,
        )
        for off in (-1, 1)
    )


@form("algebra", (3, 5), 1)
class MissingAddend:
    """``27 + _ = 64``: what is added is asked."""

    known: int
    total: int

    def __post_init__(self) -> None:
        if not 0 < self.known < self.total:
            raise ValueError("The total is larger than the number known.")

    def stem(self) -> str:
        return f"What number goes in the blank in {self.known} + _ = {self.total}?"

    def solve(self) -> Working:
        value = self.total - self.known
        first = step("asks how much more {0} is than {1}", self.total, self.known)
        last = step("takes {0} from {1} and gets {2}", self.known, self.total, value)
        return by_steps(Answer.number(value), first, last)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = {3: 40, 4: 200}.get(grade, 1000)
        known = draws.between(most // 10, most)
        return cls(known, known + draws.between(most // 10, most))


@mal_rule("AL95")
def adds_what_it_sees(problem: MissingAddend) -> Working:
    """A + c: the sign that stands there, with the numbers that stand there."""
    value = problem.known + problem.total
    first = step("sees {0} and {1} and a plus sign", problem.known, problem.total)
    told = step("adds {0} and {1} and gets {2}", problem.known, problem.total, value)
    return by_steps(Answer.number(value), first, told, key_step=1)


@mal_rule("AL96")
def counts_the_start_too(problem: MissingAddend) -> Working:
    """Counts on from the known number and counts this number too."""
    value = problem.total - problem.known + 1
    told = step("counts from {0} to {1}, both included, and gets {2}", problem.known, problem.total,
                value)  # fmt: skip
    first = step("begins to count with {0} itself as the first", problem.known)
    return by_steps(Answer.number(value), first, told)


@mal_rule("AL97")
def total_for_the_part(problem: MissingAddend) -> Working:
    """Writes the number behind the equals sign."""
    first = step("sees {0} and a blank before the equals sign", problem.known)
    told = step("takes the number behind the equals sign for the blank: {0}", problem.total)
    return by_steps(Answer.number(problem.total), first, told, key_step=1)


def _found(value: Fraction | int, wording: str, *numbers: object) -> Working:
    answer = Answer.number(value)
    return by_steps(answer, step(wording, *numbers, answer))


@form("algebra", (7, 8), 1)
class QuotientEquation:
    """``x/4 = 12``."""

    divisor: int
    right: int

    def __post_init__(self) -> None:
        if self.divisor < 2 or self.right == 0:
            raise ValueError("x is divided by a number from 2, and the right side is not 0.")

    def stem(self) -> str:
        return f"Solve x/{self.divisor} = {self.right}. What is x?"

    def solve(self) -> Working:
        told = "multiplies {0} by {1} and gets {2}"
        return _found(self.right * self.divisor, told, self.right, self.divisor)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 9), draws.between(2, 4 * grade))


@mal_rule("AL41")
def divides_again(problem: QuotientEquation) -> Working:
    """Divides where it should multiply."""
    told = "divides {0} by {1} and gets {2}"
    return _found(Fraction(problem.right, problem.divisor), told, problem.right, problem.divisor)


@form("algebra", (7, 8), 1)
class NegatedUnknown:
    """``-x = 5``."""

    right: int

    def __post_init__(self) -> None:
        if not self.right:
            raise ValueError("The right side is not 0.")

    def stem(self) -> str:
        return f"Solve -x = {self.right}. What is x?"

    def solve(self) -> Working:
        return _found(-self.right, "changes the sign of both sides: {1} for {0}", self.right)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(1, 9 * grade) * draws.one((1, 1, -1)))


@mal_rule("AL42")
def minus_x_is_x(problem: NegatedUnknown) -> Working:
    """X is the right side as it stands."""
    return _found(problem.right, "reads the right side {0} as x: {1}", problem.right)


@form("algebra", (7, 8), 1)
class FractionEquation:
    """``2/3 x = 12``."""

    top: int
    bottom: int
    right: int

    def __post_init__(self) -> None:
        if not 1 < self.top < self.bottom or not self.right:
            raise ValueError("A proper fraction with a top from 2 times x, and a right side.")

    def stem(self) -> str:
        return f"{self.top}/{self.bottom} of x is {self.right}. What is x?"

    def solve(self) -> Working:
        value = Fraction(self.right * self.bottom, self.top)
        fraction = f"{self.top}/{self.bottom}"
        return _found(value, "divides {0} by {1} and gets {2}", self.right, fraction)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        bottom = draws.between(3, 9)
        top = draws.between(2, bottom - 1)
        return cls(top, bottom, top * draws.between(1, grade + 3))


@mal_rule("AL58")
def multiplies_by_the_fraction(problem: FractionEquation) -> Working:
    """The fraction of the right side."""
    value = Fraction(problem.right * problem.top, problem.bottom)
    fraction = f"{problem.top}/{problem.bottom}"
    return _found(value, "takes {0} of {1} and gets {2}", fraction, problem.right)


@form("algebra", (7, 8), 1)
class QuotientSumEquation:
    """``x/3 + 2 = 8``; a constant below 0 is taken away."""

    divisor: int
    constant: int
    right: int

    def __post_init__(self) -> None:
        if self.divisor < 2 or not self.constant:
            raise ValueError(
                "x is divided by a number from 2, and a number is added or taken away."
            )

    def stem(self) -> str:
        left = f"x/{self.divisor} {write_next(self.constant)}"
        return f"Solve {left} = {self.right}. What is x?"

    def without_constant(self, value: int) -> tuple[int, Step]:
        """A value when the constant has gone to its side, and the step."""
        done = "takes {0} from {1}: {2}" if self.constant > 0 else "adds {0} to {1}: {2}"
        left = value - self.constant
        return left, step(done, abs(self.constant), value, left)

    def solve(self) -> Working:
        left, moved = self.without_constant(self.right)
        answer = Answer.number(left * self.divisor)
        return by_steps(
            answer,
            moved,
            step("multiplies {0} by {1} and gets {2}", left, self.divisor, answer),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        constant = draws.between(1, grade + 2)
        return cls(draws.between(2, 9), constant, constant + draws.between(2, 12))


@mal_rule("AL43")
def clears_the_fraction_partly(problem: QuotientSumEquation) -> Working:
    """The constant is not multiplied."""
    raised = problem.right * problem.divisor
    value, moved = problem.without_constant(raised)
    told = step("multiplies x and {0} by {1}: {2}", problem.right, problem.divisor, raised)
    return by_steps(Answer.number(value), told, moved)


@form("algebra", (7, 8), 1)
class NegativeProduct:
    """``4x = -12``."""

    factor: int
    right: int

    def __post_init__(self) -> None:
        if self.factor < 2 or self.right >= 0:
            raise ValueError("The factor is from 2, and the right side is negative.")

    def stem(self) -> str:
        return f"Solve {self.factor}x = {self.right}. What is x?"

    def solve(self) -> Working:
        value = Fraction(self.right, self.factor)
        return _found(value, "divides {0} by {1} and gets {2}", self.right, self.factor)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        factor = draws.between(2, 9)
        return cls(factor, -factor * draws.between(2, grade + 4))


@mal_rule("AL59")
def answer_without_the_sign(problem: NegativeProduct) -> Working:
    """The quotient of the sizes."""
    value = Fraction(-problem.right, problem.factor)
    return _found(value, "divides {0} by {1} and gets {2}", -problem.right, problem.factor)
