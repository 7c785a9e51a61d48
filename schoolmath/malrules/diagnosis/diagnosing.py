"""What may be behind one answer: all that reproduces it, and never one name of several."""

from __future__ import annotations

from dataclasses import dataclass

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.diagnosis.candidates import (
    Candidate,
    pair_candidates,
    single_candidates,
)
from schoolmath.malrules.diagnosis.slips import Slip, slips
from schoolmath.malrules.forms import Form


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What reproduces an answer.

    Attributes:
        correct: the answer is right; then there is nothing else to say.
        candidates: everything that gives this answer, single rules before pairs.
        slip: right plan and an arithmetic slip, where one gives this answer.
        unknown: nothing known gives this answer.
        ambiguous: no one explanation stands out: several single rules fit, or one and a
            slip, or nothing but pairs of which there are several.
    """

    correct: bool
    candidates: tuple[Candidate, ...] = ()
    slip: Slip | None = None
    unknown: bool = False
    ambiguous: bool = False

    @property
    def single(self) -> tuple[Candidate, ...]:
        """The candidates of one rule."""
        return tuple(each for each in self.candidates if len(each.rules) == 1)


def diagnose(problem: Form, answer: Answer) -> Diagnosis:
    """What may be behind an answer.

    Args:
        problem: a problem of any registered form. Pairs of rules are tried on stories only.
        answer: what was answered.
    """
    if answer.same_as(problem.solve().answer):
        return Diagnosis(correct=True)
    single = single_candidates(problem, answer)
    pairs: list[Candidate] = []
    if isinstance(problem, Story):
        explained = {each.rules[0] for each in single}
        # A rule that explains it alone needs no second one.
        pairs = [
            each
            for each in pair_candidates(problem, answer)
            if not explained.intersection(each.rules)
        ]
    slip = next((each for each in slips(problem) if each.trace.answer.same_as(answer)), None)
    plain = len(single) + (slip is not None)
    return Diagnosis(
        correct=False,
        candidates=(*single, *pairs),
        slip=slip,
        unknown=not (single or pairs or slip),
        ambiguous=plain > 1 or (plain == 0 and len(pairs) > 1),
    )
