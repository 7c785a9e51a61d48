"""Powers, and how they are misread."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.numbers.order_of_operations import RIGHT_ORDER, PowerInChain
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.draws import Draws


@form("number and operation", (8, 9), 1)
class SumOfPowers:
    """One power, or two powers added, the first perhaps with a minus sign in front.

    Attributes:
        bases: one or two, from 2.
        exponents: one for each base, from -6 to 6 and not 1.
        negated: whether a minus sign stands before the first.
    """

    bases: tuple[int, ...]
    exponents: tuple[int, ...]
    negated: bool

    def __post_init__(self) -> None:
        if not 1 <= len(self.bases) == len(self.exponents) <= 2 or min(self.bases) < 2:
            raise ValueError("There are one or two bases, from 2, with an exponent each.")
        if any(abs(exponent) > 6 or exponent == 1 for exponent in self.exponents):
            raise ValueError(f"Exponents are from -6 to 6 and not 1, unlike {self.exponents}.")

    @property
    def terms(self) -> tuple[tuple[int, int, bool], ...]:
        """Base, exponent and whether a minus sign stands in front."""
        minus = (self.negated, False)[: len(self.bases)]
        return tuple(zip(self.bases, self.exponents, minus, strict=True))

    @property
    def written(self) -> tuple[str, ...]:
        """The powers as they are written."""
        return tuple(f"{'-' * minus}{base}^{exponent}" for base, exponent, minus in self.terms)

    def stem(self) -> str:
        return f"What is {' + '.join(self.written)}?"

    def right_values(self) -> list[Fraction]:
        """What each power is, with its sign."""
        return [
            -(Fraction(base) ** exponent) if minus else Fraction(base) ** exponent
            for base, exponent, minus in self.terms
        ]

    def worked(self, changed: dict[int, tuple[Fraction, Step]]) -> Worked | None:
        """The sum, where some of the powers are worked out in another way.

        Args:
            changed: value and step by the index of the power; None comes back if it is empty.
        """
        if not changed:
            return None
        values = self.right_values()
        steps = [
            step("works out {0} and gets {1}", text, value)
            for text, value in zip(self.written, values, strict=True)
        ]
        for index, (value, clause) in changed.items():
            values[index], steps[index] = value, clause
        total = sum(values, Fraction(0))
        if len(values) > 1:
            steps.append(step("adds {0} and {1} and gets {2}", *values, total))
        return Worked(Answer.number(total), tuple(steps), min(changed))

    def solve(self) -> Worked:
        found: dict[int, tuple[Fraction, Step]] = {}
        texts = zip(self.written, self.right_values(), strict=True)
        for index, (text, value) in enumerate(texts):
            base, exponent = self.bases[index], self.exponents[index]
            if exponent < 0:
                clause = step(
                    "takes {0} as a fraction with the power in the bottom and gets {1}", text, value
                )
            elif exponent == 0:
                clause = step("takes {0} to the power {1} as {2}", base, exponent, abs(value))
                if value < 0:
                    clause = step("takes {0} as the opposite of {1}, {2}", text, -value, value)
            elif value < 0:
                clause = step(
                    "raises {0} to the power {1}, puts the minus in front and gets {2}",
                    base,
                    exponent,
                    value,
                )
            else:
                clause = step("raises {0} to the power {1} and gets {2}", base, exponent, value)
            found[index] = (value, clause)
        worked = self.worked(found)
        if worked is None:
            raise ValueError("There are no powers.")
        return worked

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        kind = draws.below(10)
        if kind == 0:
            return cls(
                (draws.between(2, 6),), (draws.one((-3, -2, 0, 2, 3, 4)),), draws.chance(0.3)
            )
        zero = draws.between(2, 12 if grade <= 8 else 20)
        even = draws.one(((2, 4), *((base, 2) for base in range(3, 10))))
        fraction = draws.one(((2, -2), (2, -3), (2, -4), (3, -2), (4, -2), (5, -2), (10, -2)))
        if kind < 5:
            return cls((even[0], zero), (even[1], 0), True)
        if kind < 7:
            pair = draws.several((fraction, (zero, 0)), 2)
            return cls((pair[0][0], pair[1][0]), (pair[0][1], pair[1][1]), False)
        even = draws.one(((2, 4), (3, 2), (4, 2), (5, 2)))
        return cls((even[0], fraction[0]), (even[1], fraction[1]), True)


@mal_rule("NO52")
def power_as_product(problem: SumOfPowers | PowerInChain) -> Worked | None:
    """The base times the exponent."""
    if isinstance(problem, PowerInChain):
        product = problem.base * problem.exponent
        clause = step(
            "multiplies {0} by the exponent {1} and gets {2}",
            problem.base,
            problem.exponent,
            product,
        )
        return problem.with_power(product, clause, RIGHT_ORDER)
    changed = {}
    for index, (base, exponent, minus) in enumerate(problem.terms):
        product = -base * exponent if minus else base * exponent
        clause = step(
            "multiplies {0} by the exponent {1} and gets {2}",
            -base if minus else base,
            exponent,
            product,
        )
        changed[index] = (Fraction(product), clause)
    return problem.worked(changed)


@mal_rule("NO53")
def sign_inside_the_power(problem: SumOfPowers) -> Worked | None:
    """The minus sign is raised to the power as well."""
    base, exponent, minus = problem.terms[0]
    if not minus or exponent % 2 or exponent == 0:
        return None
    value = Fraction(base) ** exponent
    clause = step(
        "raises {0}, with its minus sign, to the power {1} and gets {2}", -base, exponent, value
    )
    return problem.worked({0: (value, clause)})


@mal_rule("NO54")
def negative_exponent_gives_a_negative_number(problem: SumOfPowers) -> Worked | None:
    """The minus of the exponent goes in front of the power."""
    changed = {}
    for index, (base, exponent, minus) in enumerate(problem.terms):
        if exponent < 0:
            value = Fraction(base**-exponent)
            value = value if minus else -value
            clause = step(
                "raises {0} to the power {1}, puts the minus of {2} in front and gets {3}",
                base,
                -exponent,
                problem.written[index],
                value,
            )
            changed[index] = (value, clause)
    return problem.worked(changed)


@mal_rule("NO55")
def zero_exponent_is_zero(problem: SumOfPowers) -> Worked | None:
    """Anything to the power 0 is 0."""
    changed = {
        index: (Fraction(0), step("says that {0} is {1}, as there are no factors", text, 0))
        for index, text in enumerate(problem.written)
        if problem.exponents[index] == 0
    }
    return problem.worked(changed)
