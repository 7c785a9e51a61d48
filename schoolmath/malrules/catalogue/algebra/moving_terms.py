"""Solving equations step by step, with a step that does not keep both sides equal."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.algebra.expression_values import FractionValue, divided_in_part
from schoolmath.malrules.catalogue.equations.linear_equations import Inequality, LinearEquation
from schoolmath.malrules.catalogue.equations.number_sentences import Blank, QuotientSumEquation
from schoolmath.malrules.catalogue.equations.quadratic_equations import (
    FactoredEquation,
    SquareEquation,
)
from schoolmath.malrules.catalogue.equations.slopes import SlopeOfStandardForm
from schoolmath.malrules.catalogue.writing import write_bracketed, write_next, write_sum, write_term
from schoolmath.malrules.rules import mal_rule


@mal_rule("AL08")
def moves_without_changing_the_sign(
    problem: Blank
    | LinearEquation
    | Inequality
    | SlopeOfStandardForm
    | SquareEquation
    | FactoredEquation
    | QuotientSumEquation,
) -> Working | None:
    """Carries a term across the equals sign as it stands."""
    match problem:
        case Blank():
            return _moved_in_blank(problem)
        case LinearEquation():
            return _moved_in_equation(problem)
        case Inequality():
            return _moved_in_inequality(problem)
        case SquareEquation():
            return _moved_in_square(problem)
        case FactoredEquation():
            return _moved_in_product(problem)
        case QuotientSumEquation():
            moved = problem.right + problem.constant
            answer = Answer.number(moved * problem.divisor)
            last = step("multiplies {0} by {1} and gets {2}", moved, problem.divisor, answer)
            return by_steps(answer, _across(problem.constant, problem.right), last)
    slope = -problem.slope
    last = step("divides everything by {0}, so the slope is {1}", problem.b, slope)
    return by_steps(Answer.number(slope), problem.alone(problem.a), last)


def _across(constant: int, right: int) -> Step:
    return step(
        "carries {0} across with its sign: {1} {2} is {3}",
        *(write_bracketed(constant), right, write_next(constant), right + constant),
    )


def _moved_in_blank(problem: Blank) -> Working | None:
    if not problem.right:
        return None
    total = sum(problem.left)
    value = total + problem.right
    return by_steps(
        Answer.number(value),
        step("works out {0} and gets {1}", write_sum(problem.left), total),
        step("carries the {0} across and adds it: {1}", problem.right, value),
        key_step=1,
    )


def _moved_in_equation(problem: LinearEquation) -> Working | None:
    if not problem.left_constant:
        return None
    rest = problem.right_constant + problem.left_constant
    value = Fraction(rest, problem.letters)
    steps = problem.gathering()
    place = len(steps)
    steps.append(_across(problem.left_constant, problem.right_constant))
    if problem.letters == 1:
        steps.append(step("gives x = {0}", value))
    else:
        steps.append(step("divides {0} by {1} and gets {2}", rest, problem.letters, value))
    return Working(Answer.number(value), tuple(steps), key_step=place)


def _moved_in_inequality(problem: Inequality) -> Working | None:
    if not problem.constant:
        return None
    rest = problem.right + problem.constant
    answer, last = problem.dividing(Fraction(rest), turned=problem.letters < 0)
    return by_steps(answer, _across(problem.constant, problem.right), last)


def _moved_in_square(problem: SquareEquation) -> Working | None:
    rest = problem.right + problem.constant
    square = Fraction(rest, problem.factor)
    rooted = problem.rooted(square)
    if not problem.constant or rooted is None:
        return None
    steps = [_across(problem.constant, problem.right)]
    if problem.factor != 1:
        steps.append(step("divides {0} by {1}: {2}", rest, problem.factor, square))
    return by_steps(rooted[0], *steps, rooted[1])


def _moved_in_product(problem: FactoredEquation) -> Working:
    high, low = problem.roots
    answer = problem.answered(-high, -low)
    return by_steps(
        answer,
        *problem.factoring(),
        step(
            "sets each bracket equal to {0} and takes {1} and {2} from the brackets",
            *(0, write_bracketed(-high), write_bracketed(-low)),
        ),
        step("gives {0}", answer.shown),
        key_step=2,
    )


@mal_rule("AL09")
def subtracts_the_coefficient(problem: LinearEquation | Inequality) -> Working | None:
    """Takes the number in front of x away instead of dividing by it."""
    letters, rest = problem.letters, problem.rest
    if letters == 1:
        return None
    value = Fraction(rest - letters)
    if isinstance(problem, Inequality):
        answer = problem.bounded(value, turned=False)
        steps = problem.undoing()
        verb = "writes"
    else:
        answer = Answer.number(value)
        steps = problem.gathering() + problem.undoing()
        verb = "gets"
    place = len(steps)
    steps.append(
        step(
            f"takes {{0}} from {{1}} and {verb} {{2}}",
            *(write_bracketed(letters), rest, answer.shown),
        )
    )
    return Working(answer, tuple(steps), key_step=place)


@mal_rule("AL10")
def divides_the_wrong_way(problem: LinearEquation) -> Working | None:
    """Divides the larger number by the smaller one, whichever belongs to x."""
    letters, rest = problem.letters, problem.rest
    if not letters > rest > 0:
        return None
    value = Fraction(letters, rest)
    steps = problem.gathering() + problem.undoing()
    place = len(steps)
    steps.append(
        step(
            "divides the larger number {0} by the smaller number {1} and gets {2}",
            *(letters, rest, value),
        )
    )
    return Working(Answer.number(value), tuple(steps), key_step=place)


@mal_rule("AL11")
def divides_only_one_term(
    problem: LinearEquation | Inequality | SlopeOfStandardForm | FractionValue,
) -> Working | tuple[Working, ...] | None:
    """Divides by the coefficient and leaves a term as it is."""
    match problem:
        case FractionValue():
            return divided_in_part(problem)
        case SlopeOfStandardForm():
            return _divided_in_line(problem)
        case Inequality():
            return _divided_in_inequality(problem)
    letters, constant = problem.letters, problem.left_constant
    if letters == 1 or not constant:
        return None
    quotient = Fraction(problem.right_constant, letters)
    value = quotient - constant
    steps = problem.gathering()
    place = len(steps)
    steps += _one_divided(letters, constant, problem.right_constant)
    steps.append(step("works out {0} {1} and gets {2}", quotient, write_next(-constant), value))
    return Working(Answer.number(value), tuple(steps), key_step=place)


def _one_divided(letters: int, constant: int, right: int) -> list[Step]:
    return [
        step(
            "divides {0} and {1} by {2} and leaves the {3} as it is: {4} on the right",
            write_term(letters),
            right,
            letters,
            constant,
            Fraction(right, letters),
        )
    ]


def _divided_in_inequality(problem: Inequality) -> Working | None:
    if not problem.constant:
        return None
    quotient = Fraction(problem.right, problem.letters)
    turned = problem.letters < 0
    answer = problem.bounded(quotient - problem.constant, turned=turned)
    steps = _one_divided(problem.letters, problem.constant, problem.right)
    words = "turns the sign round, works out" if turned else "works out"
    steps.append(
        step(
            words + " {0} {1} and writes {2}",
            *(quotient, write_next(-problem.constant), answer.shown),
        )
    )
    return Working(answer, tuple(steps))


def _divided_in_line(problem: SlopeOfStandardForm) -> Working | None:
    if problem.b == 1:
        return None
    return by_steps(
        Answer.number(-problem.a),
        problem.alone(-problem.a),
        step(
            "divides {0} and {1} by {2} and leaves {3} as it is",
            write_term(problem.b, "y"),
            problem.c,
            problem.b,
            write_term(-problem.a),
        ),
        step("takes the number in front of x: {0}", -problem.a),
        key_step=1,
    )


@mal_rule("AL12")
def collects_across_the_equals_sign(problem: LinearEquation) -> Working | None:
    """Adds everything with x and everything without it, from both sides."""
    letters = problem.left_letters + problem.right_letters
    constants = problem.left_constant + problem.right_constant
    if not problem.right_letters or not letters:
        return None
    value = Fraction(constants, letters)
    return by_steps(
        Answer.number(value),
        step(
            "adds {0} to the {1} of the left side, signs as they stand: {2}",
            write_term(problem.right_letters),
            write_term(problem.left_letters),
            write_term(letters),
        ),
        step(
            "adds the numbers of both sides, {0} {1}: {2}",
            *(problem.left_constant, write_next(problem.right_constant), constants),
        ),
        step("divides {0} by {1} and gets {2}", constants, letters, value),
    )


@mal_rule("AL105", LinearEquation(-3, 0, 0, 12))
def factor_loses_its_minus(problem: LinearEquation) -> Working | None:
    """-3x = 12 gives 4: what stands before x is divided by without its minus."""
    if problem.letters >= -1 or not problem.rest:
        return None
    value = Fraction(problem.rest, -problem.letters)
    steps = problem.gathering() + problem.undoing()
    last = step("divides {0} by {1} and gets {2}", problem.rest, -problem.letters, value)
    return Working(Answer.number(value), (*steps, last), key_step=len(steps))
