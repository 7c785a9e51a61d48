"""Letters and powers misread: ``3x + 4`` as ``7x``, ``3x`` for 2 as 32, ``3x²`` as ``(3x)²``."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.algebra.expression_values import (
    ExpressionValue,
    FractionValue,
    FunctionValue,
    PowerValue,
    TwoLetterValue,
)
from schoolmath.malrules.catalogue.algebra.like_terms_and_brackets import (
    BracketExpansion,
    BracketValue,
    LikeTerms,
    TwoLetterTerms,
)
from schoolmath.malrules.catalogue.algebra.powers_of_letters import PowerTerms
from schoolmath.malrules.catalogue.equations.linear_equations import (
    Inequality,
    LinearEquation,
    WordEquation,
)
from schoolmath.malrules.catalogue.equations.quadratic_equations import SquareEquation
from schoolmath.malrules.catalogue.equations.sequences import (
    Growth,
    NthTerm,
    joined_formula,
    power_of_parts,
)
from schoolmath.malrules.catalogue.equations.slopes import ProportionalTable, SlopeOfLine
from schoolmath.malrules.catalogue.writing import (
    write_bracketed,
    write_linear,
    write_next,
    write_term,
)
from schoolmath.malrules.rules import mal_rule


@mal_rule("AL03")
def conjoining(
    problem: LikeTerms
    | PowerTerms
    | TwoLetterTerms
    | BracketExpansion
    | ExpressionValue
    | FunctionValue
    | FractionValue
    | LinearEquation
    | Inequality
    | WordEquation
    | NthTerm
    | SlopeOfLine,
) -> Working | tuple[Working, ...] | None:
    """Adds the number to the coefficient, so that one term in the letter is left."""
    match problem:
        case LikeTerms():
            return _one_term(sum(problem.letters), sum(problem.constants))
        case PowerTerms():
            return _one_power(problem)
        case TwoLetterTerms():
            return _all_letters(problem)
        case BracketExpansion():
            return _one_term(problem.total, problem.factor * problem.constant)
        case ExpressionValue() | FunctionValue():
            return _value(problem)
        case FractionValue():
            return _fraction(problem)
        case LinearEquation():
            return _joined_equation(problem)
        case Inequality():
            return _inequality(problem)
        case WordEquation():
            return _joined_sentence(problem)
        case NthTerm():
            return joined_formula(problem)
    if not problem.intercept:
        return None
    total = problem.slope + problem.intercept
    idea = _joining(problem.slope, problem.intercept)
    last = step("takes the number in front of x: {0}", total)
    return by_steps(Answer.number(total), idea, last)


def _joining(coefficient: int, constant: int) -> Step:
    return step(
        "joins {0} to one term: {1}",
        write_linear(coefficient, constant),
        write_term(coefficient + constant),
    )


def _one_term(coefficient: int, constant: int) -> Working | None:
    answer = Answer.polynomial((0, coefficient + constant))
    if not coefficient or not constant or not coefficient + constant:
        return None
    return by_steps(
        answer,
        step("simplifies as far as {0}", write_linear(coefficient, constant)),
        step("joins both unlike terms to one and writes {0}", answer.shown),
        key_step=1,
    )


def _one_power(problem: PowerTerms) -> tuple[Working, ...]:
    """All numbers before the highest power, or before the powers multiplied."""
    kinds, total = list(problem.collected), sum(problem.collected.values())
    if len(kinds) < 2 or not total:
        return ()
    told = "adds all the numbers and leaves one term: {0}"
    return tuple(
        problem.left_by(told, {power: total}) for power in dict.fromkeys((max(kinds), sum(kinds)))
    )


def _all_letters(problem: TwoLetterTerms) -> Working | None:
    total = sum(problem.numbers)
    if not total or any(len(each) != 1 for each in problem.letters):
        return None
    answer = Answer.terms({"".join(problem.collected): total})
    return by_steps(
        answer,
        step("adds all the numbers in front and gets {0}", total),
        step("writes every letter behind it: {0}", answer),
    )


def _value(problem: ExpressionValue | FunctionValue) -> Working | None:
    if not problem.constant:
        return None
    total = problem.factor + problem.constant
    value = total * problem.x
    return by_steps(
        Answer.number(value),
        _joining(problem.factor, problem.constant),
        step("puts {0} for x, multiplies it by {1} and gets {2}", problem.x, total, value),
    )


def _fraction(problem: FractionValue) -> Working | None:
    total = problem.factor + problem.constant
    value = Fraction(total * problem.x, problem.divisor)
    return by_steps(
        Answer.number(value),
        _joining(problem.factor, problem.constant),
        step("puts {0} for x, so that the top is {1}", problem.x, total * problem.x),
        step("divides {0} by {1} and gets {2}", total * problem.x, problem.divisor, value),
    )


def _joined_equation(problem: LinearEquation) -> Working | None:
    total = problem.left_letters + problem.left_constant
    if problem.right_letters or not problem.left_constant or not total:
        return None
    value = Fraction(problem.right_constant, total)
    return by_steps(
        Answer.number(value),
        _joining(problem.left_letters, problem.left_constant),
        step("divides {0} by {1} and gets {2}", problem.right_constant, total, value),
    )


def _inequality(problem: Inequality) -> Working | None:
    total = problem.letters + problem.constant
    if not problem.constant or not total:
        return None
    answer = problem.bounded(Fraction(problem.right, total), turned=total < 0)
    turning = ", turns the sign round" if total < 0 else ""
    return by_steps(
        answer,
        _joining(problem.letters, problem.constant),
        step(
            f"divides {{0}} by {{1}}{turning} and writes {{2}}",
            *(problem.right, total, answer.shown),
        ),
    )


def _joined_sentence(problem: WordEquation) -> Working | None:
    if not problem.extra:
        return None
    _, few = problem.letters
    total = problem.factor + problem.extra
    answer = problem.equation(total, 0)
    return by_steps(
        answer,
        step(f"multiplies {few} by {{0}} and sees {{1}} more", problem.factor, problem.extra),
        step("joins both numbers to {0} and writes {1}", total, answer.shown),
        key_step=1,
    )


# Problems where a number stands in front of a letter or bracket whose value is known.
_Product = ExpressionValue | FunctionValue | BracketValue | PowerValue | FractionValue


@mal_rule("AL04")
def juxtaposition(
    problem: ExpressionValue
    | FunctionValue
    | BracketValue
    | PowerValue
    | FractionValue
    | TwoLetterValue,
) -> Working | None:
    """Writes the number in the place of the letter, so that 3x becomes 34."""
    if isinstance(problem, TwoLetterValue):
        if min(problem.factors, key=abs) in {1, -1}:
            return None
        idea = step("writes {0} and {1} straight behind the numbers in front", *problem.values)
        return problem.taken_together(lambda factor, value: int(f"{factor}{value}"), idea)
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
    | TwoLetterValue
    | LikeTerms
    | WordEquation
    | ProportionalTable,
) -> Working | None:
    """Reads 3x as 3 + x."""
    match problem:
        case TwoLetterValue():
            if set(map(abs, problem.factors)) == {1}:
                return None
            idea = step("adds {0} and {1} to the numbers in front", *problem.values)
            return problem.taken_together(lambda factor, value: value + factor * (factor > 1), idea)
        case LikeTerms():
            return _terms(problem)
        case WordEquation():
            return _put_in_sentence(problem)
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


def _finished(problem: _Product, value: int, steps: list[Step]) -> Working:
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
    return Working(Answer.number(answer), tuple(steps), key_step=place)


def _terms(problem: LikeTerms) -> Working:
    # Each x counts once, with the sign of its term; the numbers in front are added.
    letters = sum(1 if each > 0 else -1 for each in problem.letters)
    numbers = sum(each - (1 if each > 0 else -1) * (abs(each) == 1) for each in problem.letters)
    answer = Answer.polynomial((numbers + sum(problem.constants), letters))
    first = next((each for each in problem.letters if abs(each) != 1), problem.letters[0])
    return by_steps(
        answer,
        step("reads {0} beside x as {1} and x added", first, write_bracketed(first)),
        step("adds all the numbers and writes {0}", answer.shown),
    )


def _put_in_sentence(problem: WordEquation) -> Working:
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
    return Working(answer, tuple(steps))


def _table(problem: ProportionalTable) -> Working:
    value = problem.rate + problem.x2
    return by_steps(
        Answer.number(value),
        step("divides {0} by {1} and gets {2}", problem.y1, problem.x1, problem.rate),
        step("adds {0} to {1} and gets {2}", *(problem.rate, problem.x2, value)),
        key_step=1,
    )


@mal_rule("AL25")
def square_of_each_part(problem: PowerValue | Growth) -> Working | None:
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
    return Working(Answer.number(value), tuple(steps))


@mal_rule("AL29")
def power_of_the_coefficient(problem: PowerValue | SquareEquation) -> Working | None:
    """Lets the power reach the number in front as well."""
    if problem.factor == 1:
        return None
    if isinstance(problem, SquareEquation):
        return _misread_equation(problem)
    product = problem.factor * problem.base
    value = product**problem.exponent
    steps = [step("multiplies {0} by {1} first: {2}", problem.factor, problem.base, product)]
    if problem.constant:
        steps.insert(0, step("adds {0} and {1}: {2}", problem.x, problem.constant, problem.base))
    steps.append(
        step("raises the whole {0} to the power {1} and gets {2}", product, problem.exponent, value)
    )
    return Working(Answer.number(value), tuple(steps), key_step=len(steps) - 1)


def _misread_equation(problem: SquareEquation) -> Working | None:
    rest = problem.right - problem.constant
    rooted = problem.rooted(Fraction(rest, problem.factor**2))
    if rooted is None:
        return None
    return by_steps(
        rooted[0],
        *problem.undoing()[:-1],
        step(
            "reads the square as reaching the {0} and divides {1} by {0} twice: {2}",
            *(problem.factor, rest, Fraction(rest, problem.factor**2)),
        ),
        rooted[1],
        key_step=1 if problem.constant else 0,
    )
