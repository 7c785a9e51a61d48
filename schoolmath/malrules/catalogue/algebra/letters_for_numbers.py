"""Putting a number for a letter: written beside the coefficient, or added to it."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.algebra.brackets import BracketValue
from schoolmath.malrules.catalogue.algebra.expression_values import ExpressionValue, FunctionValue
from schoolmath.malrules.catalogue.algebra.fraction_values import FractionValue
from schoolmath.malrules.catalogue.algebra.like_terms import LikeTerms
from schoolmath.malrules.catalogue.algebra.power_values import PowerValue
from schoolmath.malrules.catalogue.algebra_writing import write_bracketed, write_next
from schoolmath.malrules.catalogue.equations.proportional_tables import ProportionalTable
from schoolmath.malrules.catalogue.equations.word_equations import WordEquation
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step

# Problems where a number stands in front of a letter or bracket whose value is known.
_Product = ExpressionValue | FunctionValue | BracketValue | PowerValue | FractionValue


@mal_rule("AL04")
def juxtaposition(
    problem: ExpressionValue | FunctionValue | BracketValue | PowerValue | FractionValue,
) -> Worked | None:
    """Writes the number in the place of the letter, so that 3x becomes 34."""
    behind, steps = _behind(problem)
    if problem.factor < 2 or behind < 0:
        return None
    value = int(f"{problem.factor}{behind}")
    steps.append(
        step("writes {0} straight behind the {1} and reads {2}", behind, problem.factor, value)
    )
    return _finished(problem, value, steps)


@mal_rule("AL05")
def adds_the_value(
    problem: ExpressionValue
    | FunctionValue
    | BracketValue
    | PowerValue
    | FractionValue
    | LikeTerms
    | WordEquation
    | ProportionalTable,
) -> Worked | None:
    """Reads 3x as 3 + x."""
    match problem:
        case LikeTerms():
            return _terms(problem)
        case WordEquation():
            return _sentence(problem)
        case ProportionalTable():
            return _table(problem)
    if problem.factor == 1:
        return None
    behind, steps = _behind(problem)
    value = problem.factor + behind
    steps.append(
        step(
            "adds the {0} in front, {0} {1}, and gets {2}",
            *(problem.factor, write_next(behind), value),
        )
    )
    return _finished(problem, value, steps)


def _behind(problem: _Product) -> tuple[int, list[Step]]:
    # The value of what stands behind the factor, and the way to it.
    match problem:
        case BracketValue():
            inside = problem.inside
            return inside, [step("puts {0} for x: the bracket is worth {1}", problem.x, inside)]
        case PowerValue():
            steps = []
            if problem.constant:
                steps.append(
                    step("adds {0} and {1}: {2}", problem.x, problem.constant, problem.base)
                )
            steps.append(
                step(
                    "raises {0} to the power {1} and gets {2}",
                    *(problem.base, problem.exponent, problem.power),
                )
            )
            return problem.power, steps
    return problem.x, [step("puts {0} for x", problem.x)]


def _finished(problem: _Product, value: int, steps: list[Step]) -> Worked:
    # What the rest of the problem makes of the wrong product.
    place = len(steps) - 1
    answer = Fraction(value)
    if isinstance(problem, ExpressionValue | FunctionValue | FractionValue) and problem.constant:
        answer += problem.constant
        steps.append(
            step("works out {0} {1} and gets {2}", value, write_next(problem.constant), answer)
        )
    if isinstance(problem, FractionValue):
        top, answer = answer, answer / problem.divisor
        steps.append(step("divides {0} by {1} and gets {2}", top, problem.divisor, answer))
    return Worked(Answer.number(answer), tuple(steps), key_step=place)


def _terms(problem: LikeTerms) -> Worked:
    # Each x counts once, with the sign of its term; the numbers in front are added.
    letters = sum(1 if each > 0 else -1 for each in problem.letters)
    numbers = sum(each - (1 if each > 0 else -1) * (abs(each) == 1) for each in problem.letters)
    answer = Answer.polynomial((numbers + sum(problem.constants), letters))
    first = next((each for each in problem.letters if abs(each) != 1), problem.letters[0])
    return Worked(
        answer,
        (
            step("reads {0} beside x as {1} and x added", first, write_bracketed(first)),
            step("adds all the numbers and writes {0}", answer.shown),
        ),
    )


def _sentence(problem: WordEquation) -> Worked:
    _, few = problem.letters
    answer = problem.equation(1, problem.factor + problem.extra)
    steps = [step(f"reads {{0}} times {few} as {few} and {{0}} added", problem.factor)]
    if problem.extra:
        steps.append(
            step(
                "adds {0}, {1} in all, and writes {2}",
                *(problem.extra, problem.factor + problem.extra, answer.shown),
            )
        )
    else:
        steps.append(step("writes {0}", answer.shown))
    return Worked(answer, tuple(steps))


def _table(problem: ProportionalTable) -> Worked:
    value = problem.rate + problem.x2
    return Worked(
        Answer.number(value),
        (
            step("divides {0} by {1} and gets {2}", problem.y1, problem.x1, problem.rate),
            step(
                "adds {0} to {1} and gets {2}",
                *(problem.rate, problem.x2, value),
            ),
        ),
        key_step=1,
    )
