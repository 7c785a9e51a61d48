"""A study beside its paper: what is as published, what was measured of it, and what differs."""

from __future__ import annotations

import streamlit as st

from biaslab.publishing.replication import SYSTEMS, Direction, ReplicationRow
from biaslab.studies import Design, Experiment
from biaslab.studies.published import NOT_HAD, SAME, fidelity_of
from biaslab.ui.compose.design_form import address_of
from biaslab.ui.navigation import COMPOSE, link
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.runs import legend
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count, listed


def draw_beside_paper(study: Experiment, design: Design) -> None:
    """Draws how much of the study is as published, the published design, and what came of it."""
    rows = fidelity_of(study.system)
    same = [row.what for row in rows if row.verdict == SAME]
    st.markdown(f"**{len(same)} of {len(rows)}** things in the paper are as published.")
    for offered in study.named_designs:
        published = Design(study.name, offered.n, design.seed, dict(offered.settings))
        link(COMPOSE, f"Take the design “{offered.name}”", address_of(published))
        st.caption(plain(offered.explanation))
    _draw_replications(study)
    st.markdown(
        "\n".join(
            f"- {plain(row.what)} ({plain(row.where)}). **Here:** "
            f"{'not had; ' if row.verdict == NOT_HAD else ''}{plain(row.how.replace('`', ''))}"
            for row in rows
            if row.verdict != SAME
        )
    )
    st.caption(f"As published: {plain('; '.join(same))}.")


def _draw_replications(study: Experiment) -> None:
    """Draws the figures of every run that asked the published design, each with what it says."""
    for paper in (each for each in SYSTEMS.values() if study.name in each.studies):
        runs = [run for run in queries.runs_of_study(study.name) if paper.replicates(run)]
        called = legend(runs)
        lines = [
            f"- {plain(called[run.id])}: **{plain(row.own.words)}** points, {plain(row.what)}. "
            f"{_verdict(row)}"
            for run in runs
            for row in _rows(OutcomesState.of(run), paper.studies[0])
        ]
        st.markdown("**Measured here**, asked as in the paper:")
        st.markdown("\n".join(lines) or "No run has asked the published design yet.")
        st.caption(plain(paper.source))


@st.cache_data(show_spinner="Working out the figures …", max_entries=32)
def _rows(state: OutcomesState, study: str) -> list[ReplicationRow]:
    """The rows of a run as it stands."""
    paper = next(each for each in SYSTEMS.values() if each.studies[0] == study)
    store = queries.store()
    return paper.rows(store, [store.run(state.run)])


def _verdict(row: ReplicationRow) -> str:
    """How many published models point the same way, as a sentence."""
    directions = [row.direction(each) for each in row.published]
    if not directions:
        return "No published model was asked so."
    told = ((each, directions.count(each)) for each in Direction)
    counts = listed(f"{n} {direction}" for direction, n in told if n)
    return f"Of {count(len(directions), 'published model')}: {counts}."
