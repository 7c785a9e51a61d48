"""Where graphs lie, functions one in another, and patterns that go on."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.catalogue.writing import plain, write_linear
from schoolmath.malrules.forms import check_that, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


@form("algebra", (8, 9), 1)
class Intercept:
    """Where a line crosses the x-axis.

    Attributes:
        slope: not 0.
        constant: not 0.
    """

    slope: int
    constant: int

    def __post_init__(self) -> None:
        if not self.slope or not self.constant:
            raise ValueError("The line has a slope and a constant other than 0.")

    def stem(self) -> str:
        line = write_linear(self.slope, self.constant)
        return f"At which x does the line y = {line} cross the x-axis?"

    def solve(self) -> Working:
        answer = Answer.number(Fraction(-self.constant, self.slope))
        told = step("sets y to {0}: {1} = {2}", 0, f"{self.slope}x", -self.constant)
        return by_steps(
            answer, told, step("divides {0} by {1}: {2}", -self.constant, self.slope, answer)
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        slope = draws.between(2, grade)
        return cls(slope, slope * draws.between(1, 9) * draws.one((1, -1)))


@mal_rule("AL56")
def takes_the_constant(problem: Intercept) -> Working:
    """The constant of the equation."""
    told = step("reads the number at the end: {0}", problem.constant)
    return by_steps(Answer.number(problem.constant), told)


@form("algebra", (8, 9), 1)
class YIntercept:
    """Where a line with this slope and constant, neither of them 0, crosses the y-axis."""

    slope: int
    constant: int

    def __post_init__(self) -> None:
        check_that(
            bool(self.slope and self.constant), "The line has a slope and a constant other than 0."
        )

    def stem(self) -> str:
        line = write_linear(self.slope, self.constant)
        return f"At which y does the line y = {line} cross the y-axis?"

    def solve(self) -> Working:
        answer = Answer.number(self.constant)
        return by_steps(answer, step("sets x to {0} and gets {1}", 0, answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        slope, constant = draws.several(range(2, grade + 2), 2)
        return cls(slope * draws.one((1, -1)), constant * draws.one((1, -1)))


@mal_rule("AL101")
def slope_for_the_intercept(problem: YIntercept) -> Working:
    """The number before x."""
    told = step("reads the number before x: {0}", problem.slope)
    return by_steps(Answer.number(problem.slope), told)


@mal_rule("AL102")
def intercept_without_its_sign(problem: YIntercept) -> Working | None:
    """The constant without its minus."""
    if problem.constant > 0:
        return None
    told = step("reads the number at the end: {0}", -problem.constant)
    return by_steps(Answer.number(-problem.constant), told)


@form("algebra", (9, 11), 1)
class PerpendicularSlope:
    """The slope of lines perpendicular to one.

    Attributes:
        slope: not 0, 1 or -1.
        constant: of the line told; not 0.
    """

    slope: int
    constant: int

    def __post_init__(self) -> None:
        if abs(self.slope) < 2 or not self.constant:
            raise ValueError("The slope is from 2 in size, and the constant is not 0.")

    def stem(self) -> str:
        line = write_linear(self.slope, self.constant)
        return f"What is the slope of a line perpendicular to y = {line}?"

    def from_given(self, value: Fraction, wording: str) -> Working:
        """A slope and how it comes from the one told."""
        answer = Answer.number(value)
        return by_steps(answer, step(wording + " and writes {1}", self.slope, answer))

    def solve(self) -> Working:
        return self.from_given(Fraction(-1, self.slope), "turns {0} over and changes its sign")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        slope = draws.between(2, grade) * draws.one((1, -1))
        return cls(slope, draws.between(1, 9) * draws.one((1, -1)))


@mal_rule("AL73")
def changes_the_sign_only(problem: PerpendicularSlope) -> Working:
    """-m."""
    answer = Answer.number(-problem.slope)
    return by_steps(answer, step("changes the sign of the slope and writes {0}", answer))


@mal_rule("AL74")
def turns_it_over_only(problem: PerpendicularSlope) -> Working:
    """1/m."""
    return problem.from_given(Fraction(1, problem.slope), "turns {0} over, sign and all,")


@form("algebra", (9, 11), 2)
class CompositeFunction:
    """``f(g(4))`` of two linear functions.

    Attributes:
        slope, constant: of f.
        inner_slope, inner_constant: of g.
        at: where.
    """

    slope: int
    constant: int
    inner_slope: int
    inner_constant: int
    at: int

    def __post_init__(self) -> None:
        if 0 in (self.slope, self.constant, self.inner_slope, self.inner_constant):
            raise ValueError("Both functions have a slope and a constant other than 0.")

    def f(self, x: int) -> int:
        """The outer one."""
        return self.slope * x + self.constant

    def g(self, x: int) -> int:
        """The inner one."""
        return self.inner_slope * x + self.inner_constant

    def stem(self) -> str:
        f = write_linear(self.slope, self.constant)
        g = write_linear(self.inner_slope, self.inner_constant)
        return f"If f(x) = {f} and g(x) = {g}, what is f(g({self.at}))?"

    def solve(self) -> Working:
        inside = self.g(self.at)
        answer = Answer.number(self.f(inside))
        first = step("works out g of {0}: {1}", self.at, inside)
        return by_steps(answer, first, step("works out f of {0}: {1}", inside, answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        slope, inner = draws.several(range(1, 6), 2)
        return cls(slope, draws.between(1, 9), inner, draws.between(1, 9), draws.between(2, grade))


@mal_rule("AL75")
def the_other_order(problem: CompositeFunction) -> Working:
    """g(f(x))."""
    inside = problem.f(problem.at)
    answer = Answer.number(problem.g(inside))
    first = step("works out f of {0}: {1}", problem.at, inside)
    return by_steps(answer, first, step("works out g of {0}: {1}", inside, answer))


@mal_rule("AL76")
def multiplies_the_functions(problem: CompositeFunction) -> Working:
    """f(x)·g(x)."""
    one, other = problem.f(problem.at), problem.g(problem.at)
    answer = Answer.number(one * other)
    first = step("works out f and g of {0}: {1} and {2}", problem.at, one, other)
    return by_steps(answer, first, step("multiplies them and gets {0}", answer), key_step=1)


@form("algebra", (9, 11), 1)
class InverseFunction:
    """The inverse of a linear function at a number."""

    slope: int
    constant: int
    at: int

    def __post_init__(self) -> None:
        if abs(self.slope) < 2 or not self.constant:
            raise ValueError("The slope is from 2 in size, and the constant is not 0.")

    def stem(self) -> str:
        f = write_linear(self.slope, self.constant)
        return f"If f(x) = {f}, what is the inverse of f at {self.at}?"

    def solve(self) -> Working:
        left = self.at - self.constant
        answer = plain(Fraction(left, self.slope))
        first = step("takes {0} from {1}: {2}", self.constant, self.at, left)
        return by_steps(answer, first, step("divides {0} by {1}: {2}", left, self.slope, answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        slope, constant = draws.between(2, 5), draws.between(1, grade)
        return cls(slope, constant, slope * draws.between(1, 9) + constant)


@mal_rule("AL77")
def one_over_f(problem: InverseFunction) -> Working | None:
    """1 over the value of the function."""
    value = problem.slope * problem.at + problem.constant
    if not value:
        return None
    answer = Answer.number(Fraction(1, value))
    first = step("works out f of {0}: {1}", problem.at, value)
    return by_steps(answer, first, step("turns {0} over: {1}", value, answer), key_step=1)


@mal_rule("AL78")
def undoes_in_the_same_order(problem: InverseFunction) -> Working:
    """Divides first, then subtracts."""
    left = Fraction(problem.at, problem.slope)
    answer = plain(left - problem.constant)
    first = step("divides {0} by {1}: {2}", problem.at, problem.slope, plain(left))
    return by_steps(
        answer, first, step("takes {0} from {1}: {2}", problem.constant, plain(left), answer)
    )


@form("algebra", (9, 11), 1)
class ShiftedParabola:
    """The lowest point of ``y = (x - 3)^2 + 2``.

    Attributes:
        inside: what stands behind x; not 0.
        height: what is added; positive.
    """

    inside: int
    height: int

    def __post_init__(self) -> None:
        if not self.inside or self.height < 1:
            raise ValueError("The parabola is shifted to a side, and up.")

    def stem(self) -> str:
        inside = write_linear(1, self.inside)
        return f"Where is the lowest point of y = ({inside})^2 + {self.height}?"

    def point(self, x: int, wording: str) -> Working:
        """A point above a place on the x-axis."""
        answer = Answer.label(f"({x}, {self.height})")
        return by_steps(answer, step(wording, x), step("writes {0}", answer))

    def solve(self) -> Working:
        return self.point(-self.inside, "makes the bracket zero with x as {0}")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(1, grade) * draws.one((1, -1)), draws.between(1, 12))


@mal_rule("AL57")
def shift_the_wrong_way(problem: ShiftedParabola) -> Working:
    """The number in the bracket with its sign."""
    return problem.point(problem.inside, "reads x as {0} from the bracket")


@form("algebra", (6, 9), 1)
class GeometricNext:
    """The next term where each is so many times the one before."""

    first: int
    times: int

    def __post_init__(self) -> None:
        if self.first < 1 or self.times < 2:
            raise ValueError("The terms are positive, and each is at least double.")

    @property
    def terms(self) -> tuple[int, int, int]:
        """The first three."""
        return self.first, self.first * self.times, self.first * self.times**2

    def stem(self) -> str:
        return f"What comes next: {', '.join(map(str, self.terms))}, ...?"

    def solve(self) -> Working:
        last = self.terms[2]
        answer = Answer.number(last * self.times)
        first = step("divides {0} by {1} and finds {2}", last, self.terms[1], self.times)
        told = step("multiplies {0} by {1} and gets {2}", last, self.times, answer)
        return by_steps(answer, first, told, key_step=1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(1, grade + 3), draws.between(2, 5))


@mal_rule("AL54")
def adds_the_last_step_again(problem: GeometricNext) -> Working:
    """The last term plus the last difference."""
    _, middle, last = problem.terms
    answer = Answer.number(last + last - middle)
    first = step("takes {0} from {1} and finds {2}", middle, last, last - middle)
    return by_steps(answer, first, step("adds {0} to {1}: {2}", last - middle, last, answer))


@form("algebra", (5, 8), 2)
class MatchPattern:
    """Matches for a row of squares that share sides."""

    squares: int

    def __post_init__(self) -> None:
        if not 4 <= self.squares <= 10_000:
            raise ValueError("The row has 4 to 10,000 squares.")

    def stem(self) -> str:
        return (
            "A row of squares made of matches needs 4 matches for 1 square, 7 for 2 and 10 for 3. "
            f"How many matches does a row of {self.squares} squares need?"
        )

    def solve(self) -> Working:
        answer = Answer.number(3 * self.squares + 1)
        first = step("counts {0} matches for each of {1} squares", 3, self.squares)
        return by_steps(answer, first, step("adds one at the start: {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(5, 20 * grade))


@mal_rule("AL55")
def shared_sides_twice(problem: MatchPattern) -> Working:
    """4 for each square."""
    answer = Answer.number(4 * problem.squares)
    return by_steps(
        answer, step("counts {0} matches for each of {1}: {2}", 4, problem.squares, answer)
    )


@mal_rule("AL79")
def pattern_without_its_start(problem: MatchPattern) -> Working:
    """3 for each square, and none for the start."""
    answer = Answer.number(3 * problem.squares)
    told = step("takes {0} matches for each of {1} squares: {2}", 3, problem.squares, answer)
    return by_steps(answer, told)


@mal_rule("AL80")
def adds_the_first_step_again(problem: GeometricNext) -> Working:
    """The last term plus the first difference."""
    first, middle, last = problem.terms
    answer = Answer.number(last + middle - first)
    told = step("takes {0} from {1} and finds {2}", first, middle, middle - first)
    return by_steps(answer, told, step("adds {0} to {1}: {2}", middle - first, last, answer))


@mal_rule("AL81")
def adds_the_factor(problem: GeometricNext) -> Working:
    """The last term plus the factor."""
    last = problem.terms[2]
    answer = Answer.number(last + problem.times)
    told = step("divides {0} by {1} and finds {2}", last, problem.terms[1], problem.times)
    return by_steps(
        answer, told, step("adds {0} to {1}: {2}", problem.times, last, answer), key_step=1
    )


@mal_rule("AL82")
def inner_function_only(problem: CompositeFunction) -> Working:
    """g(x), and f of it left out."""
    answer = Answer.number(problem.g(problem.at))
    return by_steps(answer, step("takes g of {0} for the answer: {1}", problem.at, answer))


@mal_rule("AL83")
def function_for_its_inverse(problem: InverseFunction) -> Working:
    """f(x)."""
    answer = Answer.number(problem.slope * problem.at + problem.constant)
    return by_steps(answer, step("puts {0} into f itself: {1}", problem.at, answer))


@mal_rule("AL84")
def slope_of_a_parallel(problem: PerpendicularSlope) -> Working:
    """M."""
    answer = Answer.number(problem.slope)
    return by_steps(answer, step("keeps the slope as for a parallel line and writes {0}", answer))
