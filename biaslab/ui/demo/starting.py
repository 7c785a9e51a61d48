"""The demo as it stands here: who is asked, and how far the asking is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biaslab.models import ModelError, identify, learner_spec
from biaslab.runs import RunRecord, RunStatus
from biaslab.ui.demo.design import DESIGN, MODELS, STRATEGY
from biaslab.ui.widgets.words import ACTIVE, RESUMABLE

SIMULATED = (learner_spec("keyword"), learner_spec("perfect"))
"""Asked where a model of the demo is missing; screens say so."""


@dataclass(frozen=True, slots=True)
class Demo:
    """Both sides of the demo.

    Attributes:
        models: who is asked, the one that is misled first.
        runs: the newest run of each with the model as it is now; None where there is none.
        why_simulated: why they are simulated learners, or empty.
    """

    models: tuple[str, ...]
    runs: tuple[RunRecord | None, ...]
    why_simulated: str

    @property
    def begun(self) -> bool:
        """Whether any of them was ever asked."""
        return any(run is not None for run in self.runs)

    @property
    def busy(self) -> bool:
        """Whether any of them is being asked now."""
        return any(run is not None and run.status in ACTIVE for run in self.runs)

    @property
    def to_resume(self) -> list[RunRecord]:
        """Runs that ended before their end."""
        return [run for run in self.runs if run is not None and run.status in RESUMABLE]

    @property
    def missing(self) -> list[str]:
        """Models that were not asked although another one was, or not at all."""
        return [spec for spec, run in zip(self.models, self.runs, strict=True) if run is None]

    @property
    def done(self) -> list[RunRecord]:
        """Both runs where both are finished, else nothing."""
        done = [r for r in self.runs if r is not None and r.status is RunStatus.FINISHED]
        return done if len(done) == len(self.models) else []


def demo(runs: Sequence[RunRecord]) -> Demo:
    """The demo with the models that are there, and its runs among these, the newest first."""
    models, why = MODELS, ""
    try:
        revisions = [identify(spec).revision for spec in models]
    except ModelError as error:
        models, why = SIMULATED, str(error)
        revisions = [identify(spec).revision for spec in models]
    found = [_run_of(*each, runs) for each in zip(models, revisions, strict=True)]
    return Demo(models, tuple(found), why)


def _run_of(model: str, revision: str, runs: Sequence[RunRecord]) -> RunRecord | None:
    for run in runs:
        same = run.design == DESIGN and run.strategy == STRATEGY and run.bundle is None
        if same and (run.model_spec, run.model_revision) == (model, revision):
            return run
    return None
