"""Decisions as files: taken away, brought with their scores, and cases put to a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from biaslab.charts.decisions import ScoredRun, profile_chart
from biaslab.files import InterchangeError
from biaslab.publishing.decision_tables import case_rows, result_rows
from biaslab.runs import PairSet, RunRecord, case_sets, delete_cases, save_cases
from biaslab.runs.errors import RunError
from biaslab.stats.effects import ALL
from biaslab.studies.decisions.cases import CaseImport, import_cases
from biaslab.studies.decisions.importing import (
    DecisionImport,
    cases_csv,
    import_decisions,
    results_csv,
)
from biaslab.studies.decisions.results import STUDY, BiasScore, bias_profile
from biaslab.studies.decisions.study import CASES
from biaslab.ui.navigation import COMPOSE, link
from biaslab.ui.studies.decisions import queries as bias_queries
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.runs import labels
from biaslab.ui.widgets.words import plain, shown_errors
from schoolmath.text.figures import count, percent, signed_number

_SHOWN = 20


def draw_files(runs: Sequence[RunRecord]) -> None:
    """Draws the files of the runs chosen, and bringing results or cases."""
    _draw_taking(runs)
    _draw_results()
    _draw_cases()


def _draw_taking(runs: Sequence[RunRecord]) -> None:
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


def _draw_results() -> None:
    st.header("Bring published results", anchor=False)
    st.caption(
        "A CSV file with the columns bias, control_options, control_decision and "
        "treatment_decision. We compute every score again and compare it with the printed one. "
        "Biases whose parameters differ from case to case need the file of cases (bias, "
        "metric_params) with the same rows. Nothing is saved."
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


def _draw_import(result: DecisionImport) -> None:
    st.markdown(plain(result.summary()))
    for heading, lines in (
        ("Another score than printed", [_difference(result, at) for at in _first(result)]),
        ("Refused", [str(row) for row in result.refused[:_SHOWN]]),
    ):
        if lines:
            with st.expander(f"{heading}: the first {len(lines)}"):
                st.markdown("\n".join(f"- {plain(line)}" for line in lines))
    if result.unscored:
        named = sorted({each.bias for each in result.unscored})
        st.warning(
            f"{count(len(result.unscored), 'row')} have no score here, because their parameters "
            f"differ from case to case and no file of cases says them: {plain(', '.join(named))}."
        )
    items = result.items()
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


def _first(result: DecisionImport) -> range:
    return range(min(_SHOWN, len(result.differences)))


def _difference(result: DecisionImport, at: int) -> str:
    row = result.differences[at]
    return (
        f"Row {row.row} ({row.bias}): printed {signed_number(row.printed)}, worked out "
        f"{signed_number(row.score)}"
    )


def _draw_cases() -> None:
    """Draws the sets of cases that are kept, and keeping another one."""
    st.header("Put cases of a file to a model", anchor=False)
    for each in case_sets(queries.store()):
        _draw_set(each)
    st.caption(
        "A CSV file with the columns bias, control, treatment and metric_params, such as a "
        "published data set; options stand in the texts as “Option 1: …”."
    )
    chosen = st.file_uploader("Cases with their texts", type=["csv"], key="asked cases")
    if chosen is None:
        return
    try:
        found = _cases_of(chosen.file_id, chosen.getvalue(), chosen.name)
    except InterchangeError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    _draw_checked(found)
    if found.pairs:
        name = st.text_input("Name of the set", chosen.name.rpartition(".")[0] or chosen.name)
        st.button("Keep these cases", type="primary", on_click=partial(_keep, found, name))


@st.cache_data(show_spinner="Reading every case …", max_entries=2, scope="session")
def _cases_of(upload: str, _data: bytes, name: str) -> CaseImport:
    """The cases of an upload, kept in this session by its id."""
    del upload
    return import_cases(_data, name)


def _draw_set(cases: PairSet) -> None:
    with st.container(border=True):
        st.markdown(f"**{plain(cases.name)}**: {count(cases.pairs, 'case')}")
        choosing.origin_line(cases)
        with st.container(horizontal=True, vertical_alignment="center"):
            address = {"study": STUDY, CASES.name: cases.name, "n": str(min(cases.pairs, 200))}
            link(COMPOSE, "Ask a model", address)
            choosing.delete_button(cases.id, partial(delete_cases, queries.store(), cases.id))


def _draw_checked(cases: CaseImport) -> None:
    st.markdown(plain(cases.summary()))
    shares = cases.shares()
    if shares:
        names = bias_queries.names()
        st.dataframe(
            {
                "Bias": [names.get(each.bias, each.bias) for each in shares],
                "Cases": [each.cases for each in shares],
                "Scenarios": [each.scenarios for each in shares],
                "Refused": [each.refused for each in shares],
                "Words that two share": [
                    "–" if each.diversity is None else percent(each.diversity.overlap)
                    for each in shares
                ],
            },
            hide_index=True,
        )
    if cases.refused:
        with st.expander(f"Refused: the first {min(_SHOWN, len(cases.refused))}"):
            st.markdown("\n".join(f"- {plain(str(row))}" for row in cases.refused[:_SHOWN]))


def _keep(cases: CaseImport, name: str) -> None:
    report = [{"row": row.row, "bias": row.name, "reason": row.reason} for row in cases.refused]
    try:
        save_cases(queries.store(), name, cases.pairs, cases.name, report)
    except RunError as error:
        st.error(plain(str(error)), icon=":material/error:")
    else:
        st.session_state.pop("asked cases", None)
