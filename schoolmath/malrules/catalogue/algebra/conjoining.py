"""Unlike terms joined to one: ``3x + 4`` written as ``7x``."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.algebra.brackets import BracketExpansion
from schoolmath.malrules.catalogue.algebra.expression_values import ExpressionValue, FunctionValue
from schoolmath.malrules.catalogue.algebra.fraction_values import FractionValue
from schoolmath.malrules.catalogue.algebra.like_terms import LikeTerms
from schoolmath.malrules.catalogue.algebra_writing import write_linear, write_term
from schoolmath.malrules.catalogue.equations.arithmetic_sequences import NthTerm, joined_formula
from schoolmath.malrules.catalogue.equations.inequalities import Inequality
from schoolmath.malrules.catalogue.equations.linear_equations import LinearEquation
from schoolmath.malrules.catalogue.equations.slopes import SlopeOfLine
from schoolmath.malrules.catalogue.equations.word_equations import WordEquation
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step


@mal_rule("AL03")
def conjoining(
    problem: LikeTerms
    | BracketExpansion
    | ExpressionValue
    | FunctionValue
    | FractionValue
    | LinearEquation
    | Inequality
    | WordEquation
    | NthTerm
    | SlopeOfLine,
) -> Worked | None:
    """Adds the number to the coefficient, so that one term in the letter is left."""
    match problem:
        case LikeTerms():
            return _one_term(sum(problem.letters), sum(problem.constants))
        case BracketExpansion():
            return _one_term(problem.total, problem.factor * problem.constant)
        case ExpressionValue() | FunctionValue():
            return _value(problem)
        case FractionValue():
            return _fraction(problem)
        case LinearEquation():
            return _equation(problem)
        case Inequality():
            return _inequality(problem)
        case WordEquation():
            return _sentence(problem)
        case NthTerm():
            return joined_formula(problem)
    if not problem.intercept:
        return None
    total = problem.slope + problem.intercept
    idea = _joining(problem.slope, problem.intercept)
    last = step("takes the number in front of x: {0}", total)
    return Worked(Answer.number(total), (idea, last))


def _joining(coefficient: int, constant: int) -> Step:
    return step(
        "joins {0} to one term: {1}",
        write_linear(coefficient, constant),
        write_term(coefficient + constant),
    )


def _one_term(coefficient: int, constant: int) -> Worked | None:
    answer = Answer.polynomial((0, coefficient + constant))
    if not coefficient or not constant or not coefficient + constant:
        return None
    return Worked(
        answer,
        (
            step("simplifies as far as {0}", write_linear(coefficient, constant)),
            step("joins both unlike terms to one and writes {0}", answer.shown),
        ),
        key_step=1,
    )


def _value(problem: ExpressionValue | FunctionValue) -> Worked | None:
    if not problem.constant:
        return None
    total = problem.factor + problem.constant
    value = total * problem.x
    return Worked(
        Answer.number(value),
        (
            _joining(problem.factor, problem.constant),
            step("puts {0} for x, multiplies it by {1} and gets {2}", problem.x, total, value),
        ),
    )


def _fraction(problem: FractionValue) -> Worked | None:
    total = problem.factor + problem.constant
    value = Fraction(total * problem.x, problem.divisor)
    return Worked(
        Answer.number(value),
        (
            _joining(problem.factor, problem.constant),
            step("puts {0} for x, so that the top is {1}", problem.x, total * problem.x),
            step("divides {0} by {1} and gets {2}", total * problem.x, problem.divisor, value),
        ),
    )


def _equation(problem: LinearEquation) -> Worked | None:
    total = problem.left_letters + problem.left_constant
    if problem.right_letters or not problem.left_constant or not total:
        return None
    value = Fraction(problem.right_constant, total)
    return Worked(
        Answer.number(value),
        (
            _joining(problem.left_letters, problem.left_constant),
            step("divides {0} by {1} and gets {2}", problem.right_constant, total, value),
        ),
    )


def _inequality(problem: Inequality) -> Worked | None:
    total = problem.letters + problem.constant
    if not problem.constant or not total:
        return None
    answer = problem.bounded(Fraction(problem.right, total), turned=total < 0)
    turning = ", turns the sign round" if total < 0 else ""
    return Worked(
        answer,
        (
            _joining(problem.letters, problem.constant),
            step(
                f"divides {{0}} by {{1}}{turning} and writes {{2}}",
                *(problem.right, total, answer.shown),
            ),
        ),
    )


def _sentence(problem: WordEquation) -> Worked | None:
    if not problem.extra:
        return None
    _, few = problem.letters
    total = problem.factor + problem.extra
    answer = problem.equation(total, 0)
    return Worked(
        answer,
        (
            step(f"multiplies {few} by {{0}} and sees {{1}} more", problem.factor, problem.extra),
            step("joins both numbers to {0} and writes {1}", total, answer.shown),
        ),
        key_step=1,
    )
