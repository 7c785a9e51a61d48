"""How division of whole numbers goes wrong."""

from __future__ import annotations

from fractions import Fraction

from biaslab.malrules.answers import Answer
from biaslab.malrules.catalogue.numbers.order_of_operations import (
    RIGHT_ORDER,
    OperationChain,
    work_out,
)
from biaslab.malrules.catalogue.numbers.whole_division import (
    Division,
    DivisionThenSum,
    has_inner_zero,
    long_division,
)
from biaslab.malrules.rules import mal_rule
from biaslab.malrules.traces import Worked, step


@mal_rule("NO21")
def drops_zero_in_quotient(problem: Division | DivisionThenSum) -> Worked | None:
    """The zero inside the quotient is left out."""
    if problem.dividend < problem.divisor:
        return None
    if not has_inner_zero(problem.dividend // problem.divisor):
        return None
    steps, quotient, key = long_division(problem.dividend, problem.divisor, writes_zero=False)
    if isinstance(problem, Division):
        steps.append(step("reads the answer {0}", quotient))
        return Worked(Answer.number(quotient), tuple(steps), key)
    result = quotient + problem.added
    return Worked(
        Answer.number(result),
        (
            step(
                "divides {0} by {1}, writes nothing where {1} does not go into a digit, and "
                "gets {2}",
                problem.dividend,
                problem.divisor,
                quotient,
            ),
            step("adds {0} to {1} and gets {2}", problem.added, quotient, result),
        ),
    )


@mal_rule("NO22")
def larger_divided_by_smaller(problem: Division | OperationChain) -> Worked | None:
    """The larger number is divided by the smaller one, whichever comes first."""
    if isinstance(problem, OperationChain):
        turned = work_out(problem.numbers, problem.signs, RIGHT_ORDER, larger_by_smaller=True)
        return turned if turned and turned.answer != problem.solve().answer else None
    if problem.dividend >= problem.divisor:
        return None
    result = Answer.number(Fraction(problem.divisor, problem.dividend))
    return Worked(
        result,
        (
            step(
                "takes the larger number {0} and divides it by the smaller number {1}",
                problem.divisor,
                problem.dividend,
            ),
            step("gets {0}", result),
        ),
    )
