"""What a study's simple strategies get on the items of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from biaslab.models import LEARNERS, LearnerModel
from biaslab.runs.engine.without_store import ask_without_store
from biaslab.studies.study import Experiment, Item, Reading


def strategy_outcomes(study: Experiment, items: Iterable[Item]) -> dict[str, Mapping[str, float]]:
    """Outcomes by item, by the name of each of the study's strategies.

    A strategy is a simulated learner: it is asked by the study's first prompt strategy, and the
    study reads and scores its answers. An item that it cannot answer is left out, such as an
    imported text that was not read.
    """
    asked = list(items)
    learners = {learner.name: learner for learner in LEARNERS}
    found: dict[str, Mapping[str, float]] = {}
    for name in study.baselines:
        said = ask_without_store(study, study.strategies[0], LearnerModel(learners[name]), asked)
        found[name] = {
            item: reading.outcome
            for item, reading in said.items()
            if isinstance(reading, Reading) and reading.outcome is not None
        }
    return found
