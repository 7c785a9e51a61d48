"""The experiment on the page Where biases come from: one figure, one sentence, its predictions."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from biaslab.charts.training.dose import dose_chart
from biaslab.charts.training.rarer import rarer_chart
from biaslab.charts.training.school import school_chart
from biaslab.text.figures import count
from biaslab.training.experiment import table as experiment_table
from biaslab.training.experiment.design import ROWS, STARTS
from biaslab.training.experiment.dose import Dose, dose, sentence
from biaslab.training.experiment.predictions import CONSISTENCY, LEAST_STARTS
from biaslab.training.experiment.rarer import (
    NumberOrShare,
    number_figures,
    number_or_share,
    number_sentence,
)
from biaslab.training.experiment.school import (
    SchoolMixes,
    school_figures,
    school_mixes,
    school_sentence,
)
from biaslab.training.experiment.table import read_table
from biaslab.training.experiment.verdicts import judge
from biaslab.training.origins.predictions import Judgement
from biaslab.ui.training.origins.choices import ARMS, STUDIES
from biaslab.ui.training.origins.queries import State, state
from biaslab.ui.training.origins.tables import draw_judgements
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain


def draw_experiment() -> bool:
    """The dose-response curve, as soon as one start has all its cells somewhere.

    Returns:
        whether there is one.
    """
    now = state(experiment_table.EXPERIMENT_FILE)
    found = None if now is None else _dose(now)
    if now is None or found is None:
        return False
    st.header("How much is in the mix", anchor=False)
    st.markdown(plain(sentence(found)))
    draw_chart(
        dose_chart(found, "consistent to inconsistent", dark=is_dark()), "effect by ratio"
    )  # fmt: skip
    both = _number_or_share(now)
    if both is not None:
        arms = ARMS[both.study]
        with st.expander(f"Number of {arms[1]} lessons, or their share?"):
            st.markdown(plain(number_sentence(both)))
            draw_chart(rarer_chart(both, *arms, dark=is_dark()), "number or share")
            st.caption(plain(number_figures(both, *arms)))
    mixes = _school_mixes(now)
    if mixes is not None:
        with st.expander("As in real school problems?"):
            st.markdown(plain(school_sentence(mixes)))
            draw_chart(school_chart(mixes, STUDIES, dark=is_dark()), "mixes of school problems")
            st.caption(plain(school_figures(mixes)))
    trainings = sum(len(row.cells) * row.starts for row in ROWS)
    with st.expander("How it is done, and what was predicted"):
        st.caption(
            f"An experiment of {trainings} trainings, under way: one ratio varied at a time, from "
            f"{count(STARTS, 'start')} of their own; asked step by step, one step, additive. "
            f"{_finished(now)} trainings are at their end. Verdicts come with "
            f"{count(LEAST_STARTS, 'start')}. docs/experiment.md says how it is done. The "
            "predictions were committed before it began:"
        )
        draw_judgements(_judgements(now))
    return True


@st.cache_data(show_spinner=False, max_entries=2)
def _dose(now: State) -> Dose | None:
    return dose(read_table(Path(now.path)), CONSISTENCY)


@st.cache_data(show_spinner=False, max_entries=2)
def _number_or_share(now: State) -> NumberOrShare | None:
    return number_or_share(read_table(Path(now.path)), CONSISTENCY)


@st.cache_data(show_spinner=False, max_entries=2)
def _school_mixes(now: State) -> SchoolMixes | None:
    return school_mixes(read_table(Path(now.path)))


@st.cache_data(show_spinner=False, max_entries=2)
def _finished(now: State) -> int:
    rows = [kept.row for kept in read_table(Path(now.path)) if kept.row.final]
    return len({(row.mix, row.seed) for row in rows})


@st.cache_data(show_spinner=False, max_entries=2)
def _judgements(now: State) -> tuple[Judgement, ...]:
    return judge(read_table(Path(now.path)))
