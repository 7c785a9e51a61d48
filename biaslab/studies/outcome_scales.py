"""Studies without right answers: what their outcomes measure.

In most studies an outcome is 1 for right and 0 for wrong. A study whose outcomes are positions
on a scale offers an attribute ``outcome_scale``; an outcome of 1 is then no right answer, and
no share of right answers, vote or McNemar's test makes sense.
"""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.studies.registry import experiments


@dataclass(frozen=True, slots=True)
class OutcomeScale:
    """What outcomes on a scale are.

    Attributes:
        unit: in which they are told, in plural, such as ``scale lengths``.
        explanation: a sentence about what an outcome measures.
        positive, negative: what a positive and a negative difference x - x' mean, each the
            rest of a sentence that begins with “The answers moved”.
    """

    unit: str
    explanation: str
    positive: str
    negative: str


def outcome_scale(study: str) -> OutcomeScale | None:
    """The scale of a study's outcomes; None where answers are right or wrong.

    Args:
        study: its name; one that is not installed counts as right or wrong.
    """
    found = getattr(experiments().get(study), "outcome_scale", None)
    return found if isinstance(found, OutcomeScale) else None
