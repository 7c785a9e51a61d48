"""Texts of this lab with what is true of them: known from how they were made, never read."""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.audit.features import AnswerStep, ComparisonWording
from biaslab.studies import Design, experiment
from schoolmath.problems.quantities import carries


@dataclass(frozen=True)
class Designed:
    """A text, and what its mental model says."""

    text: str
    wordings: tuple[ComparisonWording, ...]
    transfers: bool
    steps: tuple[AnswerStep, ...]

    @property
    def compares(self) -> bool:
        """Whether a comparison is on the way to the answer."""
        return bool(self.wordings)


def designed(study: str, n: int, seed: int = 1, **settings: object) -> list[Designed]:
    """Both members of the pairs of a design, one after the other."""
    pairs = experiment(study).pairs(Design(study, n, seed, settings))
    return [_of(item) for pair in pairs for item in (pair.x, pair.x_prime)]


def _of(item) -> Designed:
    steps = item.facts["steps"]
    wordings = tuple(
        ComparisonWording.CONSISTENT if step["consistent"] else ComparisonWording.INCONSISTENT
        for step in steps
        if step["consistent"] is not None
    )
    worked = tuple(
        AnswerStep(
            step["operation"],
            carries(step["operation"], step["left"], step["right"]) > 0
            if step["operation"] in "+-"
            else None,
        )
        for step in steps
    )
    transfers = any(step["rule"] in ("gain", "give") for step in steps)
    return Designed(item.text, wordings, transfers, worked)
