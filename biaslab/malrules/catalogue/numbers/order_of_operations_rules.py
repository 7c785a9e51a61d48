"""Wrong orders of operations."""

from __future__ import annotations

from biaslab.malrules.answers import Answer
from biaslab.malrules.catalogue.numbers.order_of_operations import (
    LEFT_TO_RIGHT,
    MULTIPLICATION_FIRST,
    SUMS_FIRST,
    OperationChain,
    PowerInChain,
    RootInChain,
    work_out,
)
from biaslab.malrules.catalogue.numbers.roots import RootOfSum
from biaslab.malrules.rules import mal_rule
from biaslab.malrules.traces import Worked, step


@mal_rule("NO49")
def left_to_right(
    problem: OperationChain | PowerInChain | RootInChain | RootOfSum,
) -> Worked | None:
    """Whatever comes first is done first."""
    match problem:
        case OperationChain():
            return work_out(problem.numbers, problem.signs, LEFT_TO_RIGHT)
        case RootOfSum():
            if not problem.second:
                return None
            root = problem.first_root
            result = root + problem.second
            verb = "adds {0} to it" if problem.second > 0 else "takes {0} from it"
            return Worked(
                Answer.number(result),
                (
                    step("takes the square root of {0} first and gets {1}", problem.first, root),
                    step(f"{verb} and gets {{1}}", abs(problem.second), result),
                ),
            )
    return problem.in_order(LEFT_TO_RIGHT)


@mal_rule("NO50")
def addition_before_multiplication(
    problem: OperationChain | PowerInChain | RootInChain,
) -> Worked | None:
    """Sums and differences are done before products and quotients."""
    if isinstance(problem, OperationChain):
        return work_out(problem.numbers, problem.signs, SUMS_FIRST)
    return problem.in_order(SUMS_FIRST)


@mal_rule("NO51")
def multiplication_always_before_division(problem: OperationChain) -> Worked | None:
    """Every multiplication is done before any division."""
    return work_out(problem.numbers, problem.signs, MULTIPLICATION_FIRST)
