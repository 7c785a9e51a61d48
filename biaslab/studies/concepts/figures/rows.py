"""Items of the study of concepts as they come from the file, made ready to be counted."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from biaslab.stats.outcomes import require_items

if TYPE_CHECKING:
    import pandas as pd

STUDY = "concept-learning"
"""Name of the study whose items these figures are for."""

COLUMNS = (
    "run", "study", "model", "model_kind", "strategy", "arm", "item", "sample", "state",
    "outcome", "extra", "facts", "cluster", "strata",
)  # fmt: skip
"""What a table of items must have."""


@dataclass(frozen=True, slots=True)
class ConceptAnswer:
    """One question about a concept and what became of it.

    Attributes:
        arm: ``x`` or ``x_prime``; draw: what it shares with the matched prompt of its pair;
            cluster: with all prompts that have the same amounts.
        concept, pair_concept: its own concept and that of x in its pair; bound: its only
            threshold in words, or empty.
        semantics, wording: what the prompt says, and in which words ("" in version 1).
        direction, distance: monotonicity, bin of the distance.
        is_yes: whether yes is right; said_yes: None where it could not be read.
        state: answered, invalid, failed or missing; right: None unless answered.
        mass: probability of both answers together; None where text was read.
        strata: of its pair; facts: of the item.
    """

    arm: str
    draw: str
    cluster: str
    sample: int
    concept: str
    pair_concept: str
    bound: str
    family: str
    semantics: str
    wording: str
    direction: str
    distance: str
    is_yes: bool
    said_yes: bool | None
    state: str
    right: float | None
    mass: float | None
    strata: dict[str, Any]
    facts: dict[str, Any]

    @property
    def asked(self) -> tuple[str, str, str, int]:
        """What the two prompts of a pair have in common, and no others."""
        return self.draw, self.semantics, self.wording, self.sample


@dataclass(frozen=True, slots=True)
class RunAnswers:
    """The questions of one run."""

    run: str
    model: str
    model_kind: str
    strategy: str
    answers: tuple[ConceptAnswer, ...]


def run_answers(items: pd.DataFrame) -> list[RunAnswers]:
    """The runs of a table of items (`Store.answered_items`), in its order.

    Raises:
        BrokenOutcomes: a column is missing, or the items are another study's.
    """
    require_items(items, COLUMNS, STUDY, "These are figures of the study")
    return [
        RunAnswers(
            str(run),
            str(rows["model"].iloc[0]),
            str(rows["model_kind"].iloc[0]),
            str(rows["strategy"].iloc[0]),
            tuple(_answers(rows)),
        )
        for run, rows in items.groupby("run", sort=False)
    ]


def _answers(rows: pd.DataFrame) -> Iterable[ConceptAnswer]:
    columns = ("arm", "sample", "state", "outcome", "extra", "facts", "cluster", "strata")
    for arm, sample, state, outcome, extra, facts, cluster, strata in zip(
        *(rows[name] for name in columns), strict=True
    ):
        read = state == "answered"
        mass = (extra or {}).get("mass")
        yield ConceptAnswer(
            arm=arm,
            draw=facts["draw"],
            cluster=str(cluster),
            sample=int(sample),
            concept=facts["concept"],
            pair_concept=str(strata.get("concept", facts["concept"])),
            bound=facts["bound"],
            family=facts["family"],
            semantics=facts["semantics"],
            wording=str(facts.get("wording", "")),
            direction=facts["monotonicity"],
            distance=facts["distance_bin"],
            is_yes=facts["label"] == "yes",
            said_yes=(extra or {}).get("yes") if read else None,
            state=str(state),
            right=float(outcome) if read and not math.isnan(outcome) else None,
            mass=None if mass is None else float(mass),
            strata=strata,
            facts=facts,
        )
