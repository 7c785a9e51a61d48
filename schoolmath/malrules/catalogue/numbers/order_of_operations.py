"""Expressions of several operations, worked out in the right order and in wrong ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.forms import check_that, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws

RIGHT_ORDER = ("×÷", "+-")
LEFT_TO_RIGHT = ("×÷+-",)
SUMS_FIRST = ("+-", "×÷")
MULTIPLICATION_FIRST = ("×", "÷", "+-")


def work_out(
    numbers: Sequence[int | Fraction],
    signs: Sequence[str],
    order: Sequence[str],
    *,
    larger_by_smaller: bool = False,
    before: Sequence[Step] = (),
) -> Working | None:
    """Works an expression out, operation by operation.

    Args:
        numbers: what the signs stand between.
        signs: ``+``, ``-``, ``×`` or ``÷``, one fewer than numbers.
        order: groups of signs; those of the first group are done first, from left to right.
        larger_by_smaller: whether a division is always of the larger number by the smaller.
        before: steps done before, for powers and roots.

    Returns:
        None where nothing differs from the right way (unless the order is the right one), or
        where the way leads to a division by 0.
    """
    done = _operations(signs, order)
    right = _operations(signs, RIGHT_ORDER)
    values = {index: Fraction(number) for index, number in enumerate(numbers)}
    steps, key = list(before), None
    for index, sign in enumerate(done):
        left = max(place for place in values if place <= sign)
        behind = min(place for place in values if place > sign)
        one, two = values[left], values.pop(behind)
        turned = larger_by_smaller and signs[sign] == "÷" and one < two
        if turned:
            one, two = two, one
        if two == 0 and signs[sign] == "÷":
            return None
        values[left] = _apply(signs[sign], one, two)
        if key is None and (turned or sign != right[index]):
            key = len(steps)
        clause = f"works out {{0}} {signs[sign]} {{1}} and gets {{2}}"
        steps.append(step(clause, one, two, values[left]))
    if key is None and (larger_by_smaller or tuple(order) != RIGHT_ORDER):
        return None
    (result,) = values.values()
    return Working(Answer.number(result), tuple(steps), key or 0)


def _operations(signs: Sequence[str], order: Sequence[str]) -> list[int]:
    return [index for group in order for index, sign in enumerate(signs) if sign in group]


def _apply(sign: str, one: Fraction, two: Fraction) -> Fraction:
    match sign:
        case "+":
            return one + two
        case "-":
            return one - two
        case "×":
            return one * two
    return one / two


def _solved(working: Working | None) -> Working:
    if working is None:
        raise ValueError("The expression divides by 0.")
    return working


@form("number and operation", (5, 7), 1)
class OperationChain:
    """Positive whole numbers joined by signs, without brackets.

    Attributes:
        numbers: three or more.
        signs: ``+``, ``-``, ``×`` or ``÷`` between them.
    """

    numbers: tuple[int, ...]
    signs: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.numbers) < 3 or len(self.signs) != len(self.numbers) - 1:
            raise ValueError("A chain has three or more numbers and a sign between any two.")
        if any(number < 1 for number in self.numbers):
            raise ValueError(f"The numbers of a chain are positive, not {self.numbers}.")
        if any(sign not in ("+", "-", "×", "÷") for sign in self.signs):
            raise ValueError(f"The signs of a chain are +, -, × and ÷, not {self.signs}.")

    def stem(self) -> str:
        rest = zip(self.signs, self.numbers[1:], strict=True)
        joined = "".join(f" {sign} {number}" for sign, number in rest)
        return f"What is {self.numbers[0]}{joined}?"

    def solve(self) -> Working:
        return _solved(work_out(self.numbers, self.signs, RIGHT_ORDER))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        kind = draws.below(10)
        if kind < 2:
            numbers = tuple(draws.between(2, 9) for _ in range(4))
            return cls(numbers, ("+", "×", "+"))
        high = 6 if grade <= 5 else 9
        one, two = draws.between(2, high), draws.between(2, 5)
        more, times = draws.between(2, high), draws.between(2, 5)
        if kind < 4 and grade >= 6:
            dividend = draws.between(2, 6)
            factor = draws.between(2, 4)
            return cls(
                (dividend, dividend * factor, factor * one, more, times), ("÷", "×", "+", "×")
            )
        dividend = one * two * draws.between(1, 3)
        return cls((dividend, one, two, more, times), ("÷", "×", "+", "×"))


_TOKEN = re.compile(r"\d+/\d+|\d+\.\d+|\d+|[-+×÷^()]")
_MOST_NUMBERS = 8
_LARGEST = 10**9
_MOST_EXPONENT = 6


@form("number and operation", (5, 8), 2)
class ArithmeticExpression:
    """Any calculation as it is written: ``4 × (7 - 2)^2``.

    Attributes:
        text: two to eight numbers (whole, decimal or ``3/4``) with ``+ - × ÷ ^`` and brackets.
    """

    text: str

    def __post_init__(self) -> None:
        written = "".join(self.tokens)
        check_that(written == self.text.replace(" ", ""), "It has numbers, signs and brackets.")
        numbers = sum(token[0].isdigit() for token in self.tokens)
        check_that(1 < numbers <= _MOST_NUMBERS, f"There are 2 to {_MOST_NUMBERS} numbers.")
        self.solve()

    @property
    def tokens(self) -> list[str]:
        """Its numbers, signs and brackets."""
        return _TOKEN.findall(self.text)

    def stem(self) -> str:
        return f"What is {self.text}?"

    def solve(self) -> Working:
        return self.by(self.tokens)

    def by(
        self, tokens: list[str], *, in_a_row: bool = False, sums: bool = False, power: bool = True
    ) -> Working:
        """The calculation as somebody does it.

        Args:
            tokens: what they see of it.
            in_a_row: whether one operation is done after the other, whichever it is.
            sums: whether sums and differences come before products and quotients.
            power: whether a power is one, and not a product.

        Raises:
            ValueError: it divides by 0, is too large, or is no calculation.
        """
        evaluation = _Evaluation(tokens, in_a_row=in_a_row, sums=sums, power=power)
        value = evaluation.whole()
        decimal = any("." in token for token in tokens)
        finite = 10**12 % value.denominator == 0
        answer = Answer.decimal(value) if decimal and finite else Answer.number(value)
        return Working(answer, tuple(evaluation.steps or [step("reads {0}", answer)]))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one, two, three, four = (draws.between(2, grade + 4) for _ in range(4))
        return cls(
            draws.one(
                (
                    f"({one} + {two}) × {three} - {draws.between(1, 4)}",
                    f"{one} + ({two} + {three}) × {four}",
                    f"{one} × ({two} + {three})^2",
                    f"{one}^2 + {two} × {three}",
                )
            )
        )


class _Evaluation:
    """Works a calculation out from its tokens, and notes what was done."""

    def __init__(self, tokens: list[str], *, in_a_row: bool, sums: bool, power: bool) -> None:
        self.steps: list[Step] = []
        self._left = tokens[::-1]
        self._power = power
        last, first = frozenset("+-"), frozenset("×÷")
        if in_a_row:
            last, first = last | first, frozenset()
        self._last, self._first = (first, last) if sums else (last, first)

    def whole(self) -> Fraction:
        value = self._outer()
        check_that(not self._left, "A bracket or a sign is missing.")
        return value

    def _next(self) -> str:
        return self._left[-1] if self._left else ""

    def _outer(self) -> Fraction:
        value = self._inner()
        while self._next() in self._last:
            sign = self._left.pop()
            value = self._done(sign, value, self._inner())
        return value

    def _inner(self) -> Fraction:
        value = self._raised()
        while self._next() in self._first:
            sign = self._left.pop()
            value = self._done(sign, value, self._raised())
        return value

    def _raised(self) -> Fraction:
        if self._next() == "-":
            self._left.pop()
            return -self._raised()
        value = self._single()
        if self._next() != "^":
            return value
        self._left.pop()
        exponent = -self._single() if self._next() == "-" and self._left.pop() else self._single()
        check_that(
            exponent.denominator == 1 and abs(exponent) <= _MOST_EXPONENT,
            f"An exponent is a whole number up to {_MOST_EXPONENT}.",
        )
        if not self._power:
            return self._done("×", value, exponent)
        check_that(bool(value) or exponent > 0, "It divides by 0.")
        result = self._within(value ** int(exponent))
        self.steps.append(step("raises {0} to the power {1} and gets {2}", value, exponent, result))
        return result

    def _single(self) -> Fraction:
        check_that(bool(self._left), "A number is missing.")
        token = self._left.pop()
        if token == "(":
            value = self._outer()
            check_that(self._next() == ")", "A bracket is not closed.")
            self._left.pop()
            return value
        check_that(token[0].isdigit() and not token.endswith("/0"), "A number is missing.")
        return Fraction(token)

    def _done(self, sign: str, one: Fraction, two: Fraction) -> Fraction:
        check_that(sign != "÷" or two != 0, "It divides by 0.")
        result = self._within(_apply(sign, one, two))
        self.steps.append(step(f"works out {{0}} {sign} {{1}} and gets {{2}}", one, two, result))
        return result

    @staticmethod
    def _within(value: Fraction) -> Fraction:
        large = max(abs(value.numerator), value.denominator) > _LARGEST
        check_that(not large, f"A number on the way is larger than {_LARGEST:,}.")
        return value


def _otherwise(
    problem: ArithmeticExpression,
    tokens: list[str],
    *,
    in_a_row: bool = False,
    sums: bool = False,
    power: bool = True,
) -> Working | None:
    """What comes out when it is done in another way; None where that is the right value."""
    try:
        found = problem.by(tokens, in_a_row=in_a_row, sums=sums, power=power)
    except ValueError:
        return None
    right = problem.solve()
    if found.answer.same_as(right.answer):
        return None
    usual = zip(found.steps, right.steps, strict=False)
    key = next((at for at, (one, other) in enumerate(usual) if one != other), 0)
    return Working(found.answer, found.steps, key)


@form("number and operation", (6, 8), 2)
class PowerInChain:
    """``first + factor × base^exponent + last``, all positive whole numbers; exponent from 2."""

    first: int
    factor: int
    base: int
    exponent: int
    last: int

    def __post_init__(self) -> None:
        if min(self.first, self.factor, self.base, self.last) < 1 or not 2 <= self.exponent <= 6:
            raise ValueError(
                "The numbers of a chain with a power are positive, its exponent is from 2 to 6."
            )

    def stem(self) -> str:
        return f"What is {self.first} + {self.factor} × {self.base}^{self.exponent} + {self.last}?"

    @property
    def power_step(self) -> Step:
        """The power, done right."""
        return step(
            "raises {0} to the power {1} and gets {2}",
            self.base,
            self.exponent,
            self.base**self.exponent,
        )

    def in_order(self, order: Sequence[str]) -> Working | None:
        """The right power, and then the other operations in some order."""
        return self.with_power(self.base**self.exponent, self.power_step, order)

    def with_power(self, power: int, first: Step, order: Sequence[str]) -> Working | None:
        """The operations in some order, with the power as somebody works it out."""
        numbers = (self.first, self.factor, power, self.last)
        return work_out(numbers, ("+", "×", "+"), order, before=(first,))

    def solve(self) -> Working:
        return _solved(self.in_order(RIGHT_ORDER))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        exponent = draws.between(2, 3)
        base = draws.between(3, 9) if exponent == 2 else draws.between(2, 5 if grade > 6 else 4)
        small = [draws.between(2, 9) for _ in range(3)]
        return cls(small[0], small[1], base, exponent, small[2])


@form("number and operation", (8, 9), 2)
class RootInChain:
    """``first + factor × √square + last``, all positive whole numbers.

    Attributes:
        first: added at the start.
        factor: in front of the root.
        root: what the root is; its square stands under the sign.
        last: added at the end.
    """

    first: int
    factor: int
    root: int
    last: int

    def __post_init__(self) -> None:
        if min(self.first, self.factor, self.root, self.last) < 1:
            raise ValueError("The numbers of a chain with a root are positive.")

    @property
    def square(self) -> int:
        """What stands under the root sign."""
        return self.root**2

    def stem(self) -> str:
        return f"What is {self.first} + {self.factor} × √{self.square} + {self.last}?"

    def in_order(self, order: Sequence[str]) -> Working | None:
        """The right root, and then the other operations in some order."""
        taking = step("takes the square root of {0} and gets {1}", self.square, self.root)
        return self.with_root(Fraction(self.root), taking, order)

    def with_root(self, root: Fraction, first: Step, order: Sequence[str]) -> Working | None:
        """The operations in some order, with the root as somebody works it out."""
        numbers = (self.first, self.factor, root, self.last)
        return work_out(numbers, ("+", "×", "+"), order, before=(first,))

    def solve(self) -> Working:
        return _solved(self.in_order(RIGHT_ORDER))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        small = [draws.between(2, 9) for _ in range(3)]
        return cls(small[0], small[1], 2 * draws.between(2, 6 if grade <= 8 else 8), small[2])


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

    def solve(self) -> Working:
        total = self.first + self.second
        result = isqrt(total)
        steps = [step("finds that {0} × {0} is {1}, so the square root is {0}", result, total)]
        if self.second:
            clause = "works out {0} + {1} under the root and gets {2}"
            if self.second < 0:
                clause = "works out {0} - {1} under the root and gets {2}"
            steps.insert(0, step(clause, self.first, abs(self.second), total))
        return Working(Answer.number(result), tuple(steps))

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
def square_root_as_half(problem: RootOfSum | RootInChain) -> Working | None:
    """The number is halved."""
    if isinstance(problem, RootInChain):
        half = Fraction(problem.square, 2)
        halving = step("halves {0} for its square root and gets {1}", problem.square, half)
        return problem.with_root(half, halving, RIGHT_ORDER)
    total = problem.first + problem.second
    answer = Answer.decimal(Fraction(total, 2))
    halving = step("halves {0} for its square root and gets {1}", total, answer)
    if not problem.second:
        return by_steps(answer, halving)
    inside = step("works out {0} under the root and gets {1}", problem.inside, total)
    return by_steps(answer, inside, halving, key_step=1)


@mal_rule("NO57")
def root_distributes_over_sum(problem: RootOfSum) -> Working | None:
    """Each square has its root taken alone."""
    if not problem.second:
        return None
    first, second = problem.first_root, isqrt(abs(problem.second))
    result = first + second if problem.second > 0 else first - second
    verb = "adds {0} and {1}" if problem.second > 0 else "takes {1} from {0}"
    return by_steps(
        Answer.number(result),
        step(
            "takes the roots of {0} and {1} one by one: {2} and {3}",
            problem.first,
            abs(problem.second),
            first,
            second,
        ),
        step(f"{verb} and gets {{2}}", first, second, result),
    )


@mal_rule("NO49")
def left_to_right(
    problem: OperationChain | ArithmeticExpression | PowerInChain | RootInChain | RootOfSum,
) -> Working | None:
    """Whatever comes first is done first."""
    match problem:
        case ArithmeticExpression():
            return _otherwise(problem, problem.tokens, in_a_row=True)
        case OperationChain():
            return work_out(problem.numbers, problem.signs, LEFT_TO_RIGHT)
        case RootOfSum():
            if not problem.second:
                return None
            root = problem.first_root
            result = root + problem.second
            verb = "adds {0} to it" if problem.second > 0 else "takes {0} from it"
            return by_steps(
                Answer.number(result),
                step("takes the square root of {0} first and gets {1}", problem.first, root),
                step(f"{verb} and gets {{1}}", abs(problem.second), result),
            )
    return problem.in_order(LEFT_TO_RIGHT)


@mal_rule("NO50")
def addition_before_multiplication(
    problem: OperationChain | ArithmeticExpression | PowerInChain | RootInChain,
) -> Working | None:
    """Sums and differences are done before products and quotients."""
    if isinstance(problem, ArithmeticExpression):
        return _otherwise(problem, problem.tokens, sums=True)
    if isinstance(problem, OperationChain):
        return work_out(problem.numbers, problem.signs, SUMS_FIRST)
    return problem.in_order(SUMS_FIRST)


@mal_rule("NO51")
def multiplication_always_before_division(problem: OperationChain) -> Working | None:
    """Every multiplication is done before any division."""
    return work_out(problem.numbers, problem.signs, MULTIPLICATION_FIRST)


def without_brackets(problem: ArithmeticExpression) -> Working | None:
    """Worked as if there were none."""
    left = [token for token in problem.tokens if token not in {"(", ")"}]
    return None if left == problem.tokens else _otherwise(problem, left)


def with_powers_as_products(problem: ArithmeticExpression) -> Working | None:
    """Every base times its exponent."""
    return _otherwise(problem, problem.tokens, power=False) if "^" in problem.tokens else None


@mal_rule("NO266", ArithmeticExpression("2 + 3^2"))
def adds_before_the_power(problem: ArithmeticExpression) -> Working | None:
    """2 + 3^2 is 5^2: what stands before the base belongs to it."""
    tokens = problem.tokens
    at = next((at for at, token in enumerate(tokens) if token == "^"), 0)
    if at < 3 or tokens[at - 2] not in {"+", "-"} or not tokens[at - 3][0].isdigit():
        return None
    if not tokens[at - 1][0].isdigit() or (at > 3 and tokens[at - 4] not in {"+", "-"}):
        return None
    return _otherwise(problem, [*tokens[: at - 3], "(", *tokens[at - 3 : at], ")", *tokens[at:]])
