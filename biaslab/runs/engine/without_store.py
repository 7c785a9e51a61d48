"""Asks items and keeps nothing: for learners whose answers cost nothing to have again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from biaslab.models import Failure, Model, Sampling
from biaslab.runs.engine.ask import Asker, ItemFailed, ItemRead, RunAnswer, RunHalted
from biaslab.studies.study import Experiment, Item, Reading, Strategy

Outcomes: TypeAlias = Mapping[str, Reading | Failure]
"""What became of each item, by its id."""


def ask_without_store(
    study: Experiment,
    strategy: Strategy,
    model: Model,
    items: Iterable[Item],
    sampling: Sampling | None = None,
) -> Outcomes:
    """Asks every item once, by the study's own prompts, and reads what comes back.

    Args:
        study: whose items they are, which reads the answers.
        strategy: how they are asked.
        model: who is asked.
        items: each is asked once, however often it is given.
        sampling: as in `biaslab.runs.engine.ask.Asker`.

    Raises:
        ModelError: the model cannot do what is asked.
    """
    asker = Asker(study, strategy, model, sampling, lambda _: {})
    different = {item.id: item for item in items}
    said: dict[str, Reading | Failure] = {}
    for event in asker.ask(RunAnswer(item, 0) for item in different.values()):
        match event:
            case ItemRead(item=item, reading=reading):
                said[item] = reading
            case ItemFailed(item=item, failure=failure):
                said[item] = failure
            case RunHalted(failure=failure):
                said |= {item: failure for item in different if item not in said}
    return said
