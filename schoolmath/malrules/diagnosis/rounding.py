"""Answers that were rounded to a few decimals: 5.67 for 17/3.

Mal-rules on stories may give fractions without end, which hardly anybody writes as fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.diagnosis.diagnosing import Diagnosis, diagnose
from schoolmath.malrules.forms import Form
from schoolmath.malrules.rules import rules_for

_MOST_PLACES = 6


@dataclass(frozen=True, slots=True)
class WrittenDiagnosis:
    """What may be behind a number as somebody wrote it.

    Attributes:
        diagnosis: of the number, or of what it was rounded from where only that is explained.
        exact: what it was rounded from, such as ``17/3`` for 5.67; empty if it was not.
    """

    diagnosis: Diagnosis
    exact: str = ""


def diagnose_written(problem: Form, given: Answer | Fraction) -> WrittenDiagnosis:
    """What may be behind an answer as somebody wrote it, rounded or not."""
    answer = given if isinstance(given, Answer) else Answer.number(given)
    diagnosis = diagnose(problem, answer)
    exact = None
    if diagnosis.unknown and isinstance(answer.value, Fraction):
        exact = unrounded(problem, answer.value)
    if exact is None or exact.same_as(problem.solve().answer):
        return WrittenDiagnosis(diagnosis)
    return WrittenDiagnosis(diagnose(problem, exact), exact.shown)


def is_rounded(given: Fraction, exact: Fraction | str) -> bool:
    """Whether a decimal is what this value is when rounded to as many places; never if whole.

    Whole numbers are not taken for rounded ones: too many explanations would fit.
    """
    places = _places(given)
    if not places or not isinstance(exact, Fraction) or given == exact:
        return False
    return abs(given - exact) <= Fraction(1, 2 * 10**places)


def unrounded(problem: Form, given: Fraction) -> Answer | None:
    """The exact answer of a mal-rule of which a decimal may be the rounded form.

    Returns:
        None where there is none, or where several different ones round to it.
    """
    if not _places(given):
        return None
    found = {
        worked.answer.value: worked.answer
        for rule in rules_for(problem)
        for worked in rule.run(problem)
        if is_rounded(given, worked.answer.value)
    }
    return next(iter(found.values())) if len(found) == 1 else None


def _places(value: Fraction) -> int:
    """How many decimals a number has; 0 for whole numbers and for what has no end or too many."""
    for places in range(1, _MOST_PLACES + 1):
        if (value * 10**places).denominator == 1:
            return 0 if value.denominator == 1 else places
    return 0
