"""Proof, for every pair when it is made, that it differs in its treatment and nothing else."""

from __future__ import annotations

import re

from biaslab.problems import ProblemError
from biaslab.problems.quantities import LARGEST_RESULT, NumberRange
from biaslab.studies.word_problems.cast import Member

_NUMBER = re.compile(r"\d+")
_NUMBER_OR_BREAK = re.compile(r"\d+|\n")


class UnsoundPair(ProblemError):
    """A generated pair is not what it should be: an error in this program, never shown data."""


def verify_pair(x: Member, x_prime: Member, steps: int, numbers: NumberRange) -> None:
    """Checks a pair of word problems against everything that is promised of it.

    Both members solve to one answer in the stated number of steps, all of them needed; they
    have as many sentences and differ in the treated ones only; what stands in the text is
    what the logical forms say; numbers and amounts are in range; and the answer is not
    printed in the text.

    Raises:
        UnsoundPair: naming the first promise that is broken, and both texts.
    """
    fault = (
        _pair_fault(x, x_prime)
        or _member_fault(x, steps, numbers)
        or _member_fault(x_prime, steps, numbers)
    )
    if fault:
        raise UnsoundPair(
            f"A generated pair is unsound: {fault}. "
            f"x: {' '.join(x.sentences)} x': {' '.join(x_prime.sentences)}"
        )


def _pair_fault(x: Member, x_prime: Member) -> str:
    if x.solution.answer != x_prime.solution.answer:
        return "the two answers differ"
    if len(x.sentences) != len(x_prime.sentences) or x.treated != x_prime.treated:
        return "the members do not have the same sentences to compare"
    changed = tuple(
        index
        for index, (one, other) in enumerate(zip(x.sentences, x_prime.sentences, strict=True))
        if one != other
    )
    if changed != x.treated:
        return f"sentences {changed} differ, not {x.treated}"
    return ""


def _member_fault(member: Member, steps: int, numbers: NumberRange) -> str:
    solution = member.solution
    if solution.unused:
        return f"sentence {solution.unused[0] + 1} is not needed"
    if len(solution.steps) != steps:
        return f"it takes {len(solution.steps)} steps, not {steps}"
    for step in solution.steps:
        if not 1 <= step.result <= LARGEST_RESULT:
            return f"the amount {step.result} is out of range"
    low, high = numbers
    quantities = [statement.predicate.quantity for statement in member.problem.statements]
    # One search for all sentences: a number, a break, a number... and none in the question.
    said = "\n".join(member.sentences)
    if _NUMBER_OR_BREAK.findall(said) != [each for q in quantities for each in (str(q), "\n")]:
        return _misquoted(member)
    for quantity in quantities:
        if not low <= quantity <= high:
            return f"the number {quantity} is not from {low} to {high}"
    if solution.answer in quantities:
        return "the answer is printed in the text"
    return ""


def _misquoted(member: Member) -> str:
    for statement, sentence in zip(member.problem.statements, member.sentences, strict=False):
        quantity = statement.predicate.quantity
        if _NUMBER.findall(sentence) != [str(quantity)]:
            return f"the sentence {sentence!r} does not say {quantity} and nothing else"
    return "a number stands in the question"
