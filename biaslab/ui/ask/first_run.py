"""A study before it has any run: what to do, and a first run of a simulated learner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from biaslab.runs import RunStatus
from biaslab.studies import Design
from biaslab.system.roles import May
from biaslab.ui.ask import asking
from biaslab.ui.navigation import COMPOSE, RUNS, link
from biaslab.ui.widgets import queries, visitor
from biaslab.ui.widgets.progress import live, progress_bar
from biaslab.ui.widgets.run_words import run_label
from biaslab.ui.widgets.words import ACTIVE, plain


@dataclass(frozen=True, slots=True)
class FirstRun:
    """What is asked at one click.

    Attributes:
        design, learner, strategy: what is asked, of whom and how.
        nothing_yet: that nobody was asked, and what to do; about: what the run does, as Markdown.
        compose: the address of this study on Compose.
    """

    design: Design
    learner: str
    strategy: str
    nothing_yet: str
    about: str
    compose: Mapping[str, str]


def draw_first_run(first: FirstRun) -> None:
    """Says what to do; shows a run that is under way until it has answers."""
    live(lambda: _draw(first))


def _draw(first: FirstRun) -> bool:
    mine = [r for r in queries.runs_in_file() if r.study == first.design.study and r.bundle is None]
    if any(run.items_done or run.status is RunStatus.FINISHED for run in mine):
        st.rerun(scope="app")
    if mine:
        run = mine[0]
        st.markdown(f"**{plain(run_label(run))}**")
        progress_bar(run)
        link(RUNS, "Details of this run", {"run": run.id})
        return run.status in ACTIVE
    st.info(first.nothing_yet)
    with st.container(border=True):
        if not visitor.refused(May.RUN) and st.button(
            "Run the demo", type="primary", icon=":material/play_arrow:", key="demo"
        ):
            asking.start(first.design, first.learner, first.strategy)
            st.rerun()
        st.caption(first.about)
        link(COMPOSE, "Compose this study", dict(first.compose))
    return False
