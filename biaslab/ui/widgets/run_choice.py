"""Choosing one run or several, with a link to the choice."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from biaslab.runs import RunRecord, RunStatus, is_recorded, recording_of
from biaslab.ui.navigation import RUNS
from biaslab.ui.results.run_labels import options
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, choice, integer, several
from biaslab.ui.widgets.choosing import ListEntry, draw_links
from biaslab.ui.widgets.run_words import (
    RECORDED,
    recorded_how,
    recorded_sentence,
    run_caption,
    run_design,
    run_label,
    short_id,
)
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

ON_A_PAGE = 6
"""Runs in the list at a time."""

_ICONS = {
    RunStatus.READY: ":material/hourglass_empty:",
    RunStatus.RUNNING: ":material/sync:",
    RunStatus.STOPPING: ":material/pending:",
    RunStatus.STOPPED: ":material/stop_circle:",
    RunStatus.PAUSED: ":material/pause_circle:",
    RunStatus.INTERRUPTED: ":material/power_off:",
    RunStatus.FINISHED: ":material/check_circle:",
    RunStatus.FAILED: ":material/error:",
}


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
    """Draws a link to every run, the newest first."""
    ids = [run.id for run in runs]
    shown = run_parameter(runs).value
    pages = -(-len(ids) // ON_A_PAGE)
    where = integer("list", ids.index(shown) // ON_A_PAGE + 1, 1, pages)
    start = (where.value - 1) * ON_A_PAGE
    recorded = sum(is_recorded(each) for each in ids)
    own = f"{count(len(ids) - recorded, 'run')} in your file, the newest first"
    came = count(recorded, "recorded run")
    parts = [own] * (recorded < len(ids)) + [came] * (recorded > 0)
    st.caption(", and ".join(parts))
    draw_links(
        RUNS,
        [
            ListEntry(
                plain(f"{short_id(run)} · {run_label(run)}"),
                {"run": run.id},
                _ICONS[run.status] if run.bundle is None else RECORDED,
                plain(run_caption(run, st.context.timezone)),
                run.id == shown,
            )
            for run in runs[start : start + ON_A_PAGE]
        ],
    )
    if pages > 1:
        st.pagination(pages, max_visible_pages=3, **where.bind())


def run_of(label: str, runs: Sequence[RunRecord], parameter: Parameter[str]) -> RunRecord:
    """Draws a choice of one of several runs in a single line.

    Args:
        label: what the run is chosen for.
        runs: those to choose from; of a single one there is nothing to draw.
        parameter: the choice in the address.
    """
    by_id = {run.id: run for run in runs}
    if len(runs) > 1:
        _draw_line(label, runs, parameter)
    return by_id[parameter.value]


def one_run(runs: Sequence[RunRecord]) -> RunRecord:
    """Draws a choice of one run, with what it was."""
    parameter = run_parameter(runs)
    _draw_line("Run", runs, parameter)
    refused_link(parameter)
    chosen = chosen_run(runs)
    st.caption(plain(f"{run_label(chosen)} · {run_design(chosen)}"))
    draw_recorded([chosen])
    return chosen


def draw_gallery_fault() -> None:
    """Says why no recorded runs stand here, where they cannot be opened."""
    if fault := queries.gallery_fault():
        st.warning(plain(fault), icon=RECORDED)


def draw_recorded(runs: Sequence[RunRecord]) -> None:
    """Says of the runs of the gallery among some how they were recorded, each recording once."""
    found = {run.bundle: recording_of(run) for run in runs}
    for recording in filter(None, found.values()):
        st.caption(f"{RECORDED} {recorded_sentence(recording)}", help=recorded_how(recording))


def _draw_line(label: str, runs: Sequence[RunRecord], parameter: Parameter[str]) -> None:
    words = options(runs, st.context.timezone)
    choosing.selectbox(label, words, format_func=words.__getitem__, **parameter.bind())


def several_runs(runs: Sequence[RunRecord], default: Sequence[RunRecord] = ()) -> list[RunRecord]:
    """Draws a choice of several runs; by default the newest, or those given."""
    by_id = {run.id: run for run in runs}
    words = options(runs, st.context.timezone)
    first = [run.id for run in default] or [runs[0].id]
    parameter = several("runs", tuple(by_id), first)
    choosing.multiselect(
        "Runs to compare", words, format_func=words.__getitem__, select_all=False,
        **parameter.bind(),
    )  # fmt: skip
    refused_link(parameter)
    chosen = [by_id[run] for run in parameter.value]
    draw_recorded(chosen)
    return chosen
