"""Decisions as files: a run in the published columns, and published results scored anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from biaslab.charts.decisions.profile import ScoredRun, profile_chart
from biaslab.files import InterchangeError
from biaslab.publishing.decision_tables import case_rows, result_rows
from biaslab.runs import RunRecord
from biaslab.stats.effects import ALL
from biaslab.studies.decisions.importing import (
    DecisionImport,
    cases_csv,
    import_decisions,
    results_csv,
)
from biaslab.studies.decisions.results import BiasScore, bias_profile
from biaslab.ui.results.run_labels import labels
from biaslab.ui.studies.decisions import queries as bias_queries
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.errors import shown_errors
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count, signed_number

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 20


def draw_files(runs: Sequence[RunRecord]) -> None:
    """Draws the files of the runs chosen, and bringing a file."""
    st.header("Take decisions away", anchor=False)
    st.caption(
        "In the columns of the published data: **results** has a row per pair with both answers "
        "and the score (20 columns); **cases** has the texts and the parameters of the score, in "
        "the same order of rows."
    )
    if not runs:
        st.info("There is no run of decisions yet.")
    called = labels(runs)
    for run in runs:
        st.markdown(f"**{plain(called[run.id])}**")
        with st.container(horizontal=True):
            _draw_download(run, "Results (CSV)", "results")
            _draw_download(run, "Cases (CSV)", "cases")
    st.header("Bring published results", anchor=False)
    st.caption(
        "A CSV file with the columns bias, control_options, control_decision and "
        "treatment_decision. Every score is worked out anew and compared with the printed one. "
        "Biases whose parameters differ from case to case need the file of cases (bias, "
        "metric_params) with the same rows. Nothing is kept."
    )
    one, other = st.columns(2)
    with one:
        results = st.file_uploader("Results", type=["csv"], key="decision results")
    with other:
        cases = st.file_uploader("Cases (optional)", type=["csv"], key="decision cases")
    if results is None:
        return
    with shown_errors():
        try:
            found = import_decisions(
                results.getvalue(), results.name, None if cases is None else cases.getvalue()
            )
        except InterchangeError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        _draw_import(found)


def _draw_download(run: RunRecord, label: str, what: str) -> None:
    def content() -> bytes:
        store = queries.store()
        if what == "results":
            return results_csv(result_rows(store, run.id))
        return cases_csv(case_rows(store, run.id))

    st.download_button(
        label, content, f"biaslab-decisions-{run.id}-{what}.csv", "text/csv",
        key=f"{what} {run.id}", on_click="ignore", icon=":material/download:",
    )  # fmt: skip


def _draw_import(found: DecisionImport) -> None:
    st.markdown(plain(found.summary()))
    for heading, lines in (
        ("Another score than printed", [_difference(found, at) for at in _first(found)]),
        ("Refused", [str(row) for row in found.refused[:_SHOWN]]),
    ):
        if lines:
            with st.expander(f"{heading}: the first {len(lines)}"):
                st.markdown("\n".join(f"- {plain(line)}" for line in lines))
    if found.unscored:
        named = sorted({each.bias for each in found.unscored})
        st.warning(
            f"{count(len(found.unscored), 'row')} have no score here, because their parameters "
            f"differ from case to case and no file of cases says them: {plain(', '.join(named))}."
        )
    items = found.items()
    if items.empty:
        return
    runs = [
        ScoredRun(model, "language model", {s.bias: s for s in scores if s.bias != ALL})
        for model, scores in _by_model(items).items()
    ]
    draw_chart(profile_chart(runs, bias_queries.names(), dark=is_dark()), "imported decisions")


def _by_model(items: pd.DataFrame) -> Mapping[str, list[BiasScore]]:
    found: dict[str, list[BiasScore]] = {}
    for score in bias_profile(items):
        found.setdefault(score.model, []).append(score)
    return found


def _first(found: DecisionImport) -> range:
    return range(min(_SHOWN, len(found.differences)))


def _difference(found: DecisionImport, at: int) -> str:
    row = found.differences[at]
    return (
        f"Row {row.row} ({row.bias}): printed {signed_number(row.printed)}, worked out "
        f"{signed_number(row.score)}"
    )
