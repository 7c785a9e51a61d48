"""Powers read as reaching further, or less far, than they do."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.algebra.power_values import PowerValue
from schoolmath.malrules.catalogue.equations.growth import Growth, power_of_parts
from schoolmath.malrules.catalogue.equations.quadratic_equations import SquareEquation
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step


@mal_rule("AL25")
def square_of_each_part(problem: PowerValue | Growth) -> Worked | None:
    """Takes the power of each part of a sum and adds."""
    if isinstance(problem, Growth):
        return power_of_parts(problem)
    if not problem.constant:
        return None
    first, second = problem.x**problem.exponent, problem.constant**problem.exponent
    total = first + second
    value = problem.factor * total
    steps = [
        step(
            "raises {0} and {1} to the power {2} one by one: {3} and {4}",
            *(problem.x, problem.constant, problem.exponent, first, second),
        ),
        step("adds {0} and {1} and gets {2}", first, second, total),
    ]
    if problem.factor != 1:
        steps.append(step("multiplies {0} by {1} and gets {2}", problem.factor, total, value))
    return Worked(Answer.number(value), tuple(steps))


@mal_rule("AL29")
def power_of_the_coefficient(problem: PowerValue | SquareEquation) -> Worked | None:
    """Lets the power reach the number in front as well."""
    if problem.factor == 1:
        return None
    if isinstance(problem, SquareEquation):
        return _equation(problem)
    product = problem.factor * problem.base
    value = product**problem.exponent
    steps = [step("multiplies {0} by {1} first: {2}", problem.factor, problem.base, product)]
    if problem.constant:
        steps.insert(0, step("adds {0} and {1}: {2}", problem.x, problem.constant, problem.base))
    steps.append(
        step("raises the whole {0} to the power {1} and gets {2}", product, problem.exponent, value)
    )
    return Worked(Answer.number(value), tuple(steps), key_step=len(steps) - 1)


def _equation(problem: SquareEquation) -> Worked | None:
    rest = problem.right - problem.constant
    rooted = problem.rooted(Fraction(rest, problem.factor**2))
    if rooted is None:
        return None
    return Worked(
        rooted[0],
        (
            *problem.undoing()[:-1],
            step(
                "reads the square as reaching the {0} and divides {1} by {0} twice: {2}",
                *(problem.factor, rest, Fraction(rest, problem.factor**2)),
            ),
            rooted[1],
        ),
        key_step=1 if problem.constant else 0,
    )
