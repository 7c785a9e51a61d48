"""Choosing one run or several, with a link to the choice."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from biaslab.runs import RunRecord
from biaslab.ui.address import Parameter, choice, integer, several
from biaslab.ui.run_words import run_caption, run_design, run_label, run_option
from biaslab.ui.words import plain

ON_A_PAGE = 6
"""Runs in the list at a time."""


def run_parameter(runs: Sequence[RunRecord]) -> Parameter[str]:
    """The run that the address names, by default the newest."""
    return choice("run", tuple(run.id for run in runs), runs[0].id)


def refused_link(parameter: Parameter[str] | Parameter[list[str]]) -> None:
    """Says so when the address names a run that is not there."""
    if parameter.refused is not None:
        st.warning(
            f"The link names a run “{plain(parameter.refused)}” that is not in this file. "
            "Shown is the newest one."
        )


def chosen_run(runs: Sequence[RunRecord]) -> RunRecord:
    """The run that the address names, by default the newest."""
    parameter = run_parameter(runs)
    return next(run for run in runs if run.id == parameter.value)


def draw_run_list(runs: Sequence[RunRecord]) -> None:
    """Draws the runs to choose from, the newest first."""
    parameter = run_parameter(runs)
    by_id = {run.id: run for run in runs}
    ids = list(by_id)
    pages = -(-len(ids) // ON_A_PAGE)
    where = integer("list", ids.index(parameter.value) // ON_A_PAGE + 1, 1, pages)
    start = (where.value - 1) * ON_A_PAGE
    shown = ids[start : start + ON_A_PAGE]
    bound = parameter.bind()
    if parameter.value not in shown:
        st.session_state[bound["key"]] = None
    zone = st.context.timezone
    st.radio(
        f"Runs ({len(ids)}), the newest first",
        shown,
        index=None,
        format_func=lambda run: plain(run_label(by_id[run])),
        captions=[plain(run_caption(by_id[run], zone)) for run in shown],
        **bound,
    )
    if pages > 1:
        st.pagination(pages, max_visible_pages=3, **where.bind())


def one_run(runs: Sequence[RunRecord]) -> RunRecord:
    """Draws a choice of one run in a single line."""
    parameter = run_parameter(runs)
    by_id = {run.id: run for run in runs}
    st.selectbox(
        "Run", list(by_id), format_func=lambda run: run_option(by_id[run]), **parameter.bind()
    )
    refused_link(parameter)
    chosen = by_id[parameter.value]
    st.caption(plain(f"{run_label(chosen)} · {run_design(chosen)}"))
    return chosen


def several_runs(runs: Sequence[RunRecord]) -> list[RunRecord]:
    """Draws a choice of several runs; by default the newest."""
    by_id = {run.id: run for run in runs}
    parameter = several("runs", tuple(by_id), (runs[0].id,))
    st.multiselect(
        "Runs to compare",
        list(by_id),
        format_func=lambda run: run_option(by_id[run]),
        select_all=False,
        **parameter.bind(),
    )
    refused_link(parameter)
    return [by_id[run] for run in parameter.value]
