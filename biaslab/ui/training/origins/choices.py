"""What the page Where biases come from shows, as it stands in its address."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from biaslab.charts.training.abilities import COMPARISONS
from biaslab.training.origins.effects import OriginEffect
from biaslab.training.origins.predictions import CONSISTENCY, STUDIES
from biaslab.training.origins.rows import ALL, CheckKind, FamilyRow
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import choice, integer, several

STRATEGIES = {"direct": "Directly", "cot": "Step by step", "child-cot": "Like a child"}
ASKED = {"direct": "asked directly", "cot": "step by step", "child-cot": "step by step as a child"}
_COMPARISONS = {ALL: "All", **COMPARISONS}
_EVERY = "all"


@dataclass(frozen=True, slots=True)
class OriginChoice:
    """How the pairs were asked that the page shows.

    Attributes:
        strategy: prompt strategy; steps: reasoning steps; comparison: as in `CheckKind`, for the
            consistency study.
    """

    strategy: str
    steps: int
    comparison: str

    def kind(self, study: str, wording: str = ALL) -> CheckKind:
        """The pairs of a study as chosen."""
        comparison = self.comparison if study == CONSISTENCY else ALL
        return CheckKind(study, self.steps, self.strategy, comparison, wording)

    @property
    def way(self) -> str:
        """In words: ``asked directly, 1 step``."""
        steps = "1 step" if self.steps == 1 else f"{self.steps} steps"
        return f"{ASKED.get(self.strategy, self.strategy)}, {steps}"

    def title(self, study: str) -> str:
        """The study, with the comparisons where only some are shown."""
        if study == CONSISTENCY and self.comparison != ALL:
            return f"{STUDIES[study]}, {self.comparison}"
        return STUDIES[study]


def draw_choices(rows: Sequence[FamilyRow]) -> OriginChoice:
    """Draws the switches; only what the table has can be chosen."""
    strategies = _present((row.strategy for row in rows), STRATEGIES)
    strategy = choice("strategy", strategies, strategies[0])
    steps_there = sorted({row.steps for row in rows})
    steps = integer("steps", steps_there[0], steps_there[0], steps_there[-1])
    of = {row.comparison for row in rows if row.study == CONSISTENCY} - {ALL}
    comparisons = [_EVERY, *_present(of, _COMPARISONS)]
    more_than_one = len(of) > 1
    comparison = choice("comparison", comparisons, _EVERY)
    with st.container(horizontal=True, gap="medium"):
        choosing.segmented_control(
            "Asked", strategies, required=True,
            format_func=lambda name: STRATEGIES.get(name, name), **strategy.bind(),
        )  # fmt: skip
        if len(steps_there) > 1:
            choosing.segmented_control("Steps", steps_there, required=True, **steps.bind())
        if more_than_one:
            choosing.segmented_control(
                "Comparisons", comparisons, required=True,
                format_func=lambda name: _COMPARISONS.get(ALL if name == _EVERY else name, name),
                help="In the study of wordings: by a difference, by a factor, or both together.",
                **comparison.bind(),
            )  # fmt: skip
    chosen = comparison.value if more_than_one else _EVERY
    return OriginChoice(strategy.value, steps.value, ALL if chosen == _EVERY else chosen)


def draw_study(studies: Sequence[str]) -> str:
    """Draws the choice of the study that is followed along training."""
    study = choice("study", studies, studies[0])
    choosing.segmented_control(
        "Study", studies, required=True, wrap=True,
        format_func=lambda name: STUDIES.get(name, name), **study.bind(),
    )  # fmt: skip
    return study.value


def draw_mixes(mixes: Sequence[str]) -> list[str]:
    """Draws the choice of the mixes that are followed; all of them unless told."""
    chosen = several("mixes", mixes, mixes)
    choosing.pills("Mixes", mixes, selection_mode="multi", **chosen.bind())
    return [mix for mix in mixes if mix in chosen.value]


def curve_title(
    curves: Mapping[str, Sequence[OriginEffect]], chosen: OriginChoice, study: str
) -> str:
    """The title of a study's curves, which may be of one kind of comparison only."""
    of = {effect.kind.comparison for curve in curves.values() for effect in curve}
    narrowed = replace(chosen, comparison=of.pop()) if len(of) == 1 else chosen
    return narrowed.title(study)


def _present(found: Iterable[str], names: Mapping[str, str]) -> list[str]:
    there = set(found)
    return [*(name for name in names if name in there), *sorted(there - set(names))]
