"""The experiment on the page Where biases come from: one figure, one sentence, its predictions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from biaslab.charts.training.dose import dose_chart
from biaslab.charts.training.rarer import rarer_chart
from biaslab.charts.training.school import school_chart
from biaslab.training.experiment import table as experiment_table
from biaslab.training.experiment.design import ROWS, STARTS
from biaslab.training.experiment.findings.dose import Dose, dose, in_mix_sentence, sentence
from biaslab.training.experiment.findings.rarer import (
    NumberOrShare,
    number_at_end,
    number_figures,
    number_or_share,
    number_sentence,
)
from biaslab.training.experiment.findings.school import (
    SchoolMixes,
    school_at_end,
    school_figures,
    school_mixes,
    school_sentence,
)
from biaslab.training.experiment.predictions import CARRY, CONSISTENCY, LEAST_STARTS, TRANSFER
from biaslab.training.experiment.table import read_table
from biaslab.training.experiment.verdicts import judge
from biaslab.training.origins.predictions import Judgement
from biaslab.ui.training.origins.choices import ARMS, STUDIES
from biaslab.ui.training.origins.queries import State, state
from biaslab.ui.training.origins.tables import draw_judgements
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

_OTHERS = {TRANSFER: "And transfers?", CARRY: "And carries?"}
"""Panels of the studies beside that of the page's first picture."""


@dataclass(frozen=True, slots=True)
class _Findings:
    """What the table says of whatever any start has all cells of.

    Attributes:
        doses: by study, the effect by ratio; rarer: number or share.
        school: mixes of school problems; None as long as no start has them.
        finished: trainings at their end; judgements: the predictions with their verdicts.
    """

    doses: dict[str, Dose]
    rarer: dict[str, NumberOrShare]
    school: SchoolMixes | None
    finished: int
    judgements: tuple[Judgement, ...]


def draw_experiment() -> bool:
    """The dose-response curve, as soon as one start has all its cells somewhere.

    Returns:
        whether there is one.
    """
    now = state(experiment_table.EXPERIMENT_FILE)
    found = None if now is None else _findings(now)
    if found is None or CONSISTENCY not in found.doses:
        return False
    st.header("How much of the bias is in the mix?", anchor=False)
    _draw_dose(found, CONSISTENCY)
    if CONSISTENCY in found.rarer:
        with st.expander("Number, or share?"):
            _draw_rarer(found, CONSISTENCY)
    for study, label in _OTHERS.items():
        if study in found.doses:
            with st.expander(label):
                _draw_dose(found, study)
                if study in found.rarer:
                    _draw_rarer(found, study)
    if (mixes := found.school) is not None:
        with st.expander("As in school problems?"):
            st.markdown(plain(f"Over learning: {school_sentence(mixes)} {school_at_end(mixes)}"))
            draw_chart(school_chart(mixes, STUDIES, dark=is_dark()), "mixes of school problems")
            st.caption(plain(school_figures(mixes)))
    trainings = sum(len(row.cells) * row.starts for row in ROWS)
    with st.expander("How it is done, and what was predicted"):
        st.caption(
            f"An experiment of {trainings} trainings, under way: one ratio varied at a time, from "
            f"{count(STARTS, 'start')} of their own; asked step by step, one step, additive. "
            f"{found.finished} trainings are at their end. Verdicts come with "
            f"{count(LEAST_STARTS, 'start')}. docs/experiment.md says how it is done. The "
            "predictions were committed before it began:"
        )
        draw_judgements(found.judgements)
    return True


def _draw_dose(found: _Findings, study: str) -> None:
    """The effect by the ratio of the study's own lessons."""
    arms, curve = ARMS[study], found.doses[study]
    st.markdown(plain(in_mix_sentence(curve)))
    st.markdown(plain(sentence(curve)))
    chart = dose_chart(curve, f"{arms[0]} to {arms[1]}", dark=is_dark())
    draw_chart(chart, f"{study} effect by ratio")


def _draw_rarer(found: _Findings, study: str) -> None:
    """Whether the number of the rarer form counts, or its share."""
    arms, both = ARMS[study], found.rarer[study]
    st.markdown(plain(f"Over learning: {number_sentence(both)} {number_at_end(both)}"))
    draw_chart(rarer_chart(both, *arms, dark=is_dark()), f"{study} number or share")
    st.caption(plain(number_figures(both, *arms)))


@st.cache_data(show_spinner=False, max_entries=2)
def _findings(now: State) -> _Findings:
    table = read_table(Path(now.path))
    ended = {(kept.row.mix, kept.row.seed) for kept in table if kept.row.final}
    doses = {study: dose(table, study) for study in STUDIES}
    rarer = {study: number_or_share(table, study) for study in STUDIES}
    return _Findings(
        {study: found for study, found in doses.items() if found is not None},
        {study: found for study, found in rarer.items() if found is not None},
        school_mixes(table), len(ended), judge(table),
    )  # fmt: skip
