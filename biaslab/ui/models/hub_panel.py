"""A small language model from the hub: the list, a button each, and how far a download is."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from biaslab.models.local.hub import HubModel, gigabytes, hub_list
from biaslab.models.local.hub_download import hub_address
from biaslab.system.roles import May
from biaslab.ui.compose.design_form import asked_of
from biaslab.ui.models.hub_fetching import Fetching, look, start, stop
from biaslab.ui.navigation import COMPOSE, link
from biaslab.ui.widgets import queries, visitor
from biaslab.ui.widgets.errors import shown_errors
from biaslab.ui.widgets.progress import live
from biaslab.ui.widgets.words import plain


def draw_hub() -> None:
    """Draws it for the person at this computer, whose disk and network it uses."""
    if not visitor.may(May.TRAIN):
        return
    running = any(each.running for each in _states())
    with st.expander("A small language model from the hub", expanded=running), shown_errors():
        host = plain(urlsplit(hub_address()).netloc)
        st.caption(
            f"Openly licensed models, as of {hub_list().date}, from {host}. Nothing is downloaded "
            "before you click. Sizes of directories are reckoned from the number of parameters. "
            "What was measured with BiasLab stands with a model; of the others nothing was."
        )
        if running:
            live(_draw_all)
        else:
            # What draws itself again by the clock would disturb whoever types in the form beside.
            _draw_all()


def _states() -> list[Fetching]:
    return [look(model) for model in hub_list().models]


def _draw_all() -> bool:
    """All models of the list; whether one is being downloaded."""
    states = _states()
    known = {choice.spec for choice in queries.models()}
    if any(each.complete and each.spec not in known for each in states):
        queries.models.clear()
    for state in states:
        with st.container(border=True):
            _draw(state)
    return any(state.running for state in states)


def _draw(state: Fetching) -> None:
    model = state.model
    st.markdown(f"**{plain(model.name)}**")
    st.caption(
        f"{plain(model.licence)} · about {gigabytes(model.download_bytes)} to download · about "
        f"{gigabytes(model.memory_bytes)} of memory · {plain(model.expect)}"
    )
    if state.complete:
        link(COMPOSE, "Ask this model", asked_of(state.spec))
        return
    if state.running:
        draw_progress(state)
        return
    if state.error:
        st.error(plain(state.error), icon=":material/error:")
    begun = state.here > 0
    if begun:
        st.caption(f"{gigabytes(state.here)} of {gigabytes(state.total)} are here already.")
    st.button(
        "Go on" if begun else "Download",
        key=f"fetch {model.repository}",
        icon=":material/download:",
        on_click=_start,
        args=(model,),
    )


def draw_progress(state: Fetching) -> None:
    """How far a download is, with a button that stops it."""
    if state.total:
        share = min(state.here / state.total, 1.0)
        st.progress(share, f"{gigabytes(state.here)} of {gigabytes(state.total)}")
    else:
        st.progress(0.0, "Asking the hub …")
    st.caption("It goes on when you leave this page.")
    st.button(
        "Stop",
        key=f"stop {state.model.repository}",
        icon=":material/stop_circle:",
        on_click=_stop,
        args=(state.model,),
    )


def _start(model: HubModel) -> None:
    if visitor.may(May.TRAIN):
        with shown_errors():
            start(model)


def _stop(model: HubModel) -> None:
    if visitor.may(May.TRAIN):
        stop(model)
