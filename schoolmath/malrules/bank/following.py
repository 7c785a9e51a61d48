"""Where somebody comes to who has a question and a rationale, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from schoolmath.malrules.bank.balancing import could_tell
from schoolmath.malrules.bank.options import wrong_answers
from schoolmath.malrules.forms import Form
from schoolmath.malrules.traces import Worked

_SENTENCE = re.compile(r"(?<=\.) (?=[A-Z])")
_THEN = ", then "


def followed(problem: Form, text: str) -> frozenset[Fraction | str]:
    """The answers to which a rationale's text leads: exactly one, where it is sound.

    The text alone is read: it is taken apart into what is done, and each way that the library knows
    of working on the problem, right or wrong, is tried: the text leads to the answer of a way that
    does all of it, in this order.

    Args:
        problem: what the rationale is about.
        text: the rationale, without a question to ask about it.

    Returns:
        Values of answers (`schoolmath.malrules.Answer.value`); empty where no way is told so.
    """
    clauses = [
        clause[:1].lower() + clause[1:]
        for sentence in _SENTENCE.split(text.removesuffix("."))
        for clause in sentence.removesuffix(".").split(_THEN)
    ]
    right = problem.solve()
    ways = (right, *(each.worked for each in wrong_answers(problem, right)))
    return frozenset(way.answer.value for way in ways if _does(way, clauses))


def _does(way: Worked, clauses: Sequence[str]) -> bool:
    """Whether the steps of a way, in their order, can be told by these clauses."""
    told = [step.text.removeprefix("so ") for step in way.steps]
    return _told_by(told, list(clauses))


def _told_by(steps: Sequence[str], clauses: list[str]) -> bool:
    if not clauses:
        return True
    for parts in range(1, len(clauses) + 1):
        # A step may have the word between two clauses in itself.
        clause = _THEN.join(clauses[:parts])
        for place, step in enumerate(steps):
            if could_tell(clause, [step]) and _told_by(steps[place + 1 :], clauses[parts:]):
                return True
    return False
