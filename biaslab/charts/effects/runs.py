"""Effects grouped by the run they belong to, in the order in which charts show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from biaslab.charts.chart import MOST_POINTS
from biaslab.models import ModelKind
from biaslab.stats import Effect
from biaslab.studies.published import PublishedEffect

_ORDER = {str(kind): place for place, kind in enumerate(ModelKind)}


@dataclass(frozen=True, slots=True)
class RunEffects:
    """The effects of one run.

    Attributes:
        run: its identifier; kind: kind of model; label: what it is called.
        effects: by stratum, in the order given.
    """

    run: str
    kind: str
    label: str
    effects: dict[str, Effect]


def by_run(effects: Sequence[Effect], called: Mapping[str, str] | None = None) -> list[RunEffects]:
    """Runs with their effects; kinds of model together, otherwise in the order given.

    Args:
        effects: of one study.
        called: what each run is called, by id; by default its model and strategy, and the beginning
            of its id where these do not tell it apart.
    """
    groups: dict[str, dict[str, Effect]] = {}
    for effect in effects:
        groups.setdefault(effect.run, {})[effect.stratum] = effect
    firsts = [next(iter(group.values())) for group in groups.values()]
    same = Counter((effect.model, effect.strategy) for effect in firsts)
    runs = [
        RunEffects(
            first.run,
            first.model_kind,
            (called or {}).get(first.run)
            or f"{first.model}, {first.strategy}"
            + (f", run {first.run[:6]}" if same[first.model, first.strategy] > 1 else ""),
            groups[first.run],
        )
        for first in firsts
    ]
    return sorted(runs, key=lambda run: _ORDER.get(run.kind, len(_ORDER)))


def strata_of(runs: Sequence[RunEffects]) -> dict[str, Effect]:
    """Every stratum of the runs, each with an effect that has it, in a common order."""
    found: dict[str, Effect] = {}
    for run in runs:
        for stratum, effect in run.effects.items():
            found.setdefault(stratum, effect)
    return dict(sorted(found.items(), key=lambda item: _place(item[1])))


def _place(effect: Effect) -> tuple[int, float, str]:
    match effect.stratum_value:
        case None:
            return (2, 0.0, "")
        case str() as text:
            return (1, 0.0, text)
        case value:
            return (0, float(value), "")


def why_empty(points: int, what: str, others: int = 0) -> str:
    """Why there is nothing to draw, or too much, and what to do; empty where all can be drawn.

    Args:
        points: how many marks there would be of the runs.
        what: what a mark is, in the plural.
        others: marks beside them.
    """
    if not points:
        return "There is no effect to show yet: no pair has both its answers."
    if points + others <= MOST_POINTS:
        return ""
    return (
        f"There are {points + others} {what}, more than a chart can show legibly: choose fewer "
        "runs, or break them down by something with fewer values. The table has them all."
    )


def one_study(effects: Sequence[Effect | PublishedEffect]) -> None:
    """Refuses effects of different studies, whose arms mean different things.

    Raises:
        ValueError: the message names the studies.
    """
    studies = sorted({effect.study for effect in effects})
    if len(studies) > 1:
        raise ValueError(
            f"A chart shows one study, but there are effects of {', '.join(studies)}: "
            "draw one chart for each."
        )
