"""Numbers with signs: sums, products, powers, quotients, comparing, and chains of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.numbers.order_of_operations import (
    ArithmeticExpression,
    without_brackets,
)
from schoolmath.malrules.catalogue.numbers.ordering import NumberKind, Ordering
from schoolmath.malrules.catalogue.writing import plain, write_bracketed, write_next
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


@form("number and operation", (6, 7), 1)
class SignedSum:
    """A sum or difference with a minus sign somewhere.

    Attributes:
        first: not 0.
        second: not 0.
        minus: whether the second is subtracted.
    """

    first: int
    second: int
    minus: bool

    def __post_init__(self) -> None:
        if not self.first or not self.second:
            raise ValueError("Neither number of a signed sum is 0.")
        if self.first > 0 and self.second > 0 and not self.minus:
            raise ValueError(f"{self.first} + {self.second} has no minus sign.")

    @property
    def text(self) -> str:
        """The sum as it is written."""
        return f"{self.first} {'-' if self.minus else '+'} {write_bracketed(self.second)}"

    def stem(self) -> str:
        return f"What is {self.text}?"

    def solve(self) -> Working:
        if not self.minus:
            result = self.first + self.second
            way = "starts at {0} and goes {1} up the number line"
            if self.second < 0:
                way = "starts at {0} and goes {1} down the number line"
        else:
            result = self.first - self.second
            way = "starts at {0} and goes {1} down the number line"
            if self.second < 0:
                way = "takes minus a negative as plus, so starts at {0} and goes {1} up"
        return by_steps(
            Answer.number(result),
            step(way, self.first, abs(self.second)),
            step("arrives at {0}", result),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        low, high = sorted(draws.several(range(2, 20 if grade <= 6 else 60), 2))
        kind = draws.below(10)
        if kind < 6:
            return cls(low, -high, True)
        if kind == 6:
            return cls(low, high, True)
        if kind == 7:
            return cls(-high, low, False)
        if kind == 8:
            return cls(-low, high, False)
        first, second = draws.several((-low, -high), 2)
        return cls(first, second, draws.chance(0.7))

    @classmethod
    def draw_widely(cls, draws: Draws, grade: int) -> Self:
        """Also a negative number less a positive one."""
        if draws.chance(0.7):
            return cls.draw(draws, grade)
        first, second = draws.several(range(2, 5 * grade), 2)
        return cls(-first, second, True)


@form("number and operation", (7, 8), 2)
class SignedProduct:
    """A product of signed numbers, less another number.

    Attributes:
        first: not 0.
        second: not 0.
        taken: what is taken from the product; 0 for nothing.
    """

    first: int
    second: int
    taken: int

    def __post_init__(self) -> None:
        if not self.first or not self.second:
            raise ValueError("Neither factor of a signed product is 0.")

    @property
    def text(self) -> str:
        """The expression as it is written."""
        product = f"{write_bracketed(self.first)} × {write_bracketed(self.second)}"
        return f"{product} - {write_bracketed(self.taken)}" if self.taken else product

    def stem(self) -> str:
        return f"What is {self.text}?"

    def solve(self) -> Working:
        product = self.first * self.second
        signs = "the same sign" if product > 0 else "different signs"
        clause = f"multiplies {{0}} and {{1}}, which have {signs}, and gets {{2}}"
        multiplying = step(clause, self.first, self.second, product)
        return self.after(product, multiplying)

    def after(self, product: int, multiplying: Step) -> Working:
        """Takes the last number from a product, whatever it is."""
        result = product - self.taken
        if not self.taken:
            return by_steps(Answer.number(result), multiplying)
        taking = step(
            "takes {0} from {1} and gets {2}", write_bracketed(self.taken), product, result
        )
        return by_steps(Answer.number(result), multiplying, taking)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        first, second = draws.between(2, 9), draws.between(2, 9 if grade <= 7 else 14)
        taken = -draws.between(2, 30)
        if draws.chance(0.85):
            return cls(-first, -second, taken)
        return cls(-first, -second, 0) if draws.chance(0.5) else cls(-first, second, taken)


def _right_product(problem: SignedProduct) -> tuple[int, Step]:
    product = problem.first * problem.second
    clause = "multiplies {0} by {1} and gets {2}"
    return product, step(clause, problem.first, problem.second, product)


@mal_rule("NO45")
def ignores_the_sign(problem: SignedSum) -> Working:
    """The smaller size from the larger, with no sign."""
    low, high = sorted((abs(problem.first), abs(problem.second)))
    return by_steps(
        Answer.number(high - low),
        step("takes the smaller number {0} from the larger {1}", low, high),
        step("gets {0}", high - low),
    )


@mal_rule("NO46")
def adds_sizes_keeps_the_minus(problem: SignedSum | SignedProduct) -> Working | None:
    """Both sizes added, and a minus in front."""
    if isinstance(problem, SignedSum):
        before: list[Step] = []
        first, second = abs(problem.first), abs(problem.second)
    elif problem.taken:
        product, multiplying = _right_product(problem)
        before, first, second = [multiplying], abs(product), abs(problem.taken)
    else:
        return None
    result = -(first + second)
    adding = step("adds the sizes {0} and {1}: {2}", first, second, first + second)
    keeping = step("keeps a minus sign and writes {0}", result)
    return by_steps(Answer.number(result), *before, adding, keeping, key_step=len(before))


@mal_rule("NO47")
def minus_a_negative_stays_minus(problem: SignedSum | SignedProduct) -> Working | None:
    """3 - (-5) is read as 3 - 5."""
    if isinstance(problem, SignedSum):
        if not problem.minus:
            return None
        before: list[Step] = []
        start, taken = problem.first, problem.second
    else:
        start, multiplying = _right_product(problem)
        before, taken = [multiplying], problem.taken
    if taken >= 0:
        return None
    result = start + taken
    reading = step("reads {0} - ({1}) as {0} - {2}", start, taken, -taken)
    gets = step("gets {0}", result)
    return by_steps(Answer.number(result), *before, reading, gets, key_step=len(before))


@mal_rule("NO48")
def two_negatives_make_a_negative(problem: SignedProduct) -> Working | None:
    """The product of two negatives keeps the minus."""
    if problem.first > 0 or problem.second > 0:
        return None
    product = -problem.first * problem.second
    multiplying = step(
        "multiplies {0} and {1}, keeps the minus as both are negative, and gets {2}",
        problem.first,
        problem.second,
        product,
    )
    return problem.after(product, multiplying)


@form("number and operation", (5, 7), 1)
class SignedCompare:
    """Which of two numbers is larger; at least one is negative."""

    first: int
    second: int

    def __post_init__(self) -> None:
        if self.first == self.second or min(self.first, self.second) >= 0:
            raise ValueError("The numbers are different, and one of them is negative.")

    def stem(self) -> str:
        return f"Which number is larger: {self.first} or {self.second}?"

    def solve(self) -> Working:
        larger = max(self.first, self.second)
        told = step("looks which of {0} and {1} lies further right", self.first, self.second)
        return by_steps(Answer.number(larger), told, step("takes {0}", larger))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one, other = draws.several(range(1, 10 * (grade - 3)), 2)
        return cls(-one, -other if draws.chance(0.7) else other)


@mal_rule("NO140")
def compares_sizes(problem: SignedCompare | Ordering) -> Working | None:
    """The one that is larger without its sign."""
    if isinstance(problem, Ordering):
        if problem.kind is not NumberKind.WHOLE:
            return None
        return problem.by(lambda each: abs(int(each)), step("compares the numbers without signs"))
    one, other = abs(problem.first), abs(problem.second)
    if one == other:
        return None
    chosen = problem.first if one > other else problem.second
    told = step("sees that {0} is more than {1}", max(one, other), min(one, other))
    return by_steps(Answer.number(chosen), told, step("takes {0}", chosen))


@form("number and operation", (6, 7), 1)
class SignedDistance:
    """How far apart a negative and a positive number are."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if not self.low < 0 < self.high:
            raise ValueError("One number is negative and the other one positive.")

    def stem(self) -> str:
        return f"How far apart are {self.low} and {self.high}?"

    def solve(self) -> Working:
        result = self.high - self.low
        told = step("adds {0} up to zero and {1} beyond", -self.low, self.high)
        return by_steps(Answer.number(result), told, step("gets {0}", result))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(-draws.between(1, 5 * grade), draws.between(1, 5 * grade))


@mal_rule("NO180")
def distance_of_the_sizes(problem: SignedDistance) -> Working:
    """The difference of the sizes."""
    one, other = sorted((-problem.low, problem.high))
    told = step("takes {0} from {1} and gets {2}", one, other, other - one)
    return by_steps(Answer.number(other - one), told)


@form("number and operation", (7, 8), 1)
class SignedPower:
    """A power of a negative number in brackets.

    Attributes:
        base: negative.
        exponent: 2 to 5.
    """

    base: int
    exponent: int

    def __post_init__(self) -> None:
        if not -100 < self.base < -1 or not 2 <= self.exponent <= 5:
            raise ValueError("The base is from -99 to -2, and the exponent from 2 to 5.")

    def stem(self) -> str:
        return f"What is ({self.base})^{self.exponent}?"

    def signed(self, sign: int, wording: str) -> Working:
        """The power of the size with a sign."""
        value = sign * abs(self.base) ** self.exponent
        return by_steps(
            Answer.number(value),
            step("multiplies {0} factors of {1}", self.exponent, abs(self.base)),
            step(wording + " and gets {0}", value),
            key_step=1,
        )

    def solve(self) -> Working:
        even = self.exponent % 2 == 0
        told = "pairs all minus signs" if even else "pairs the minus signs, of which one is left,"
        return self.signed(1 if even else -1, told)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        exponent = draws.one((2, 2, 3) if grade == 7 else (2, 3, 4))
        return cls(-draws.between(2, 20 if exponent == 2 else 9), exponent)


@mal_rule("NO141")
def the_minus_stays(problem: SignedPower) -> Working | None:
    """Minus the power of the size."""
    if problem.exponent % 2:
        return None
    return problem.signed(-1, "keeps the minus in front")


@mal_rule("NO181")
def powers_are_positive(problem: SignedPower) -> Working | None:
    """A plus for odd exponents as well."""
    if problem.exponent % 2 == 0:
        return None
    return problem.signed(1, "says that powers are positive")


@form("number and operation", (7, 8), 1)
class SignedQuotient:
    """A division in which one number or both are negative."""

    first: int
    second: int

    def __post_init__(self) -> None:
        if not self.first or not self.second or min(self.first, self.second) > 0:
            raise ValueError("One of the numbers is negative, and neither is 0.")

    def stem(self) -> str:
        return f"What is ({self.first}) ÷ {write_bracketed(self.second)}?"

    def signed(self, sign: int, wording: str) -> Working:
        """The quotient of the sizes with a sign."""
        size = Fraction(abs(self.first), abs(self.second))
        answer = plain(sign * size)
        first = step("divides {0} by {1}: {2}", abs(self.first), abs(self.second), plain(size))
        return by_steps(answer, first, step(wording + " and gets {0}", answer), key_step=1)

    def solve(self) -> Working:
        same = (self.first < 0) == (self.second < 0)
        return self.signed(
            1 if same else -1, "sees equal signs" if same else "sees different signs"
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        divisor, times = draws.between(2, 9), draws.between(2, 6 + grade)
        if draws.chance(0.3):
            return cls(-divisor * times, -divisor)
        return cls(-divisor * times, divisor)


@mal_rule("NO182")
def divides_the_sizes(problem: SignedQuotient) -> Working | None:
    """No minus in the quotient."""
    if problem.second < 0:
        return None
    return problem.signed(1, "reads the sizes only")


@form("number and operation", (5, 7), 1)
class BracketProduct:
    """A number times a sum in brackets."""

    factor: int
    first: int
    second: int

    def __post_init__(self) -> None:
        if self.factor < 2 or self.first < 1 or self.second < 1:
            raise ValueError("The factor is from 2, and the numbers in the bracket from 1.")

    def stem(self) -> str:
        return f"What is {self.factor} × ({self.first} + {self.second})?"

    def solve(self) -> Working:
        inside = self.first + self.second
        return by_steps(
            Answer.number(self.factor * inside),
            step("adds {0} and {1} first: {2}", self.first, self.second, inside),
            step("multiplies {0} by {1}: {2}", self.factor, inside, self.factor * inside),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, 9), *draws.several(range(2, 4 * grade), 2))


@form("number and operation", (5, 7), 1)
class BracketQuotient:
    """A sum in brackets, or a difference, divided by a number.

    Attributes:
        first: the first number in the brackets.
        second: the second one, negative where it is taken away.
        divisor: what the brackets are divided by.
    """

    first: int
    second: int
    divisor: int

    def __post_init__(self) -> None:
        if self.first < 1 or not self.second or self.divisor < 2:
            raise ValueError("Two numbers stand in the brackets, and the divisor is from 2.")

    def stem(self) -> str:
        return f"What is ({self.first} {write_next(self.second)}) ÷ {self.divisor}?"

    def solve(self) -> Working:
        total = self.first + self.second
        answer = plain(Fraction(total, self.divisor))
        return by_steps(
            answer,
            step("works out the brackets: {0}", total),
            step("divides {0} by {1} and gets {2}", total, self.divisor, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        divisor = draws.between(2, grade)
        first = draws.between(2, 20)
        return cls(first, divisor * draws.between(2, 9) + (-first) % divisor, divisor)


@mal_rule("NO142")
def brackets_not_seen(
    problem: BracketProduct | BracketQuotient | ArithmeticExpression,
) -> Working | None:
    """Worked as if there were no brackets."""
    if isinstance(problem, ArithmeticExpression):
        return without_brackets(problem)
    if isinstance(problem, BracketQuotient):
        part = Fraction(problem.second, problem.divisor)
        answer = plain(problem.first + part)
        return by_steps(
            answer,
            step("divides {0} by {1} first: {2}", problem.second, problem.divisor, plain(part)),
            step("adds {0} and gets {1}", problem.first, answer),
        )
    product = problem.factor * problem.first
    return by_steps(
        Answer.number(product + problem.second),
        step("multiplies {0} by {1} first: {2}", problem.factor, problem.first, product),
        step("adds {0} and gets {1}", problem.second, product + problem.second),
    )


@form("number and operation", (5, 7), 1)
class QuotientChain:
    """Two divisions one after the other."""

    first: int
    second: int
    third: int

    def __post_init__(self) -> None:
        if min(self.first, self.second, self.third) < 2:
            raise ValueError("All three numbers are from 2.")

    def stem(self) -> str:
        return f"What is {self.first} ÷ {self.second} ÷ {self.third}?"

    def solve(self) -> Working:
        middle = plain(Fraction(self.first, self.second))
        answer = plain(Fraction(self.first, self.second * self.third))
        return by_steps(
            answer,
            step("divides {0} by {1} first: {2}", self.first, self.second, middle),
            step("divides {0} by {1}: {2}", middle, self.third, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        third = draws.between(2, 4)
        second = third * draws.between(2, 4)
        return cls(second * third * draws.between(1, grade), second, third)


@mal_rule("NO143")
def from_right_to_left(problem: QuotientChain) -> Working:
    """The last division first."""
    middle = Fraction(problem.second, problem.third)
    answer = plain(problem.first / middle)
    return by_steps(
        answer,
        step("divides {0} by {1} first: {2}", problem.second, problem.third, plain(middle)),
        step("divides {0} by {1}: {2}", problem.first, plain(middle), answer),
    )


@form("number and operation", (5, 7), 1)
class SquaredSum:
    """The square of a sum in brackets."""

    first: int
    second: int

    def __post_init__(self) -> None:
        if min(self.first, self.second) < 1:
            raise ValueError("Both numbers are from 1.")

    def stem(self) -> str:
        return f"What is ({self.first} + {self.second})^2?"

    def solve(self) -> Working:
        inside = self.first + self.second
        return by_steps(
            Answer.number(inside**2),
            step("adds {0} and {1} first: {2}", self.first, self.second, inside),
            step("multiplies {0} by itself: {1}", inside, inside**2),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.between(2, grade + 3), draws.between(2, grade + 3))


@mal_rule("NO183")
def power_takes_the_last(problem: SquaredSum) -> Working:
    """Only the number beside the power is squared."""
    square = problem.second**2
    return by_steps(
        Answer.number(problem.first + square),
        step("multiplies {0} by itself: {1}", problem.second, square),
        step("adds {0} and gets {1}", problem.first, problem.first + square),
    )
