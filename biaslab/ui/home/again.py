"""Doing it again: the same question to a language model that is here, or one click to get one."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from biaslab.models import Access, ModelKind
from biaslab.models.local.hub import gigabytes, hub_list
from biaslab.models.server.addresses import is_loopback
from biaslab.models.server.model import server_spec
from biaslab.runs import RunOptions, RunRecord, RunStatus, connections, find_connection, launch
from biaslab.runs.hosting import why_not_listed
from biaslab.system.roles import May
from biaslab.ui.ask.asking import RunChoices, start_asking
from biaslab.ui.first_finding import DESIGN, MODEL, STRATEGY, again
from biaslab.ui.home.finding import draw_bars, found_in
from biaslab.ui.models.hub_fetching import look
from biaslab.ui.models.hub_fetching import start as start_fetching
from biaslab.ui.models.hub_panel import draw_progress
from biaslab.ui.models.server_nearby import found_nearby
from biaslab.ui.models.server_testing import run_test
from biaslab.ui.navigation import COMPOSE, EFFECTS, ITEMS, MODELS, RUNS, link
from biaslab.ui.widgets import choosing, queries, visitor
from biaslab.ui.widgets.progress import progress_bar
from biaslab.ui.widgets.words import ACTIVE, RESUMABLE, moment, place, plain
from schoolmath.text.figures import count

_LEAST_PARAMETERS = 400_000_000
"""Smaller ones get too few problems right for the wording to show (docs/real-models.md)."""


@dataclass(frozen=True, slots=True)
class Here:
    """A language model that answers on this computer.

    Attributes:
        spec: what opens it; name: what it is called.
        access: how it is reached; tested: whether its server was tested before.
    """

    spec: str
    name: str
    access: Access = Access()
    tested: bool = True


def draw_again(recorded: RunRecord | None) -> bool:
    """Draws the offer, how far it is, or what came of it; whether anything is going on.

    Args:
        recorded: the run that is shown, if there is one.
    """
    run = again(queries.runs_in_file())
    if run is None:
        return _draw_offer()
    if found := found_in(queries.OutcomesState.of(run)):
        finished = run.status is RunStatus.FINISHED
        when = moment(run.created, st.context.timezone) if finished else "as far as it is"
        draw_bars(run, found, f"{queries.model_label(run.model_spec)}, asked here: {when}")
    if run.status is not RunStatus.FINISHED:
        progress_bar(run)
    with st.container(horizontal=True, gap="small"):
        if (
            run.status in RESUMABLE
            and not visitor.refused(May.RUN)
            and st.button("Go on", type="primary", icon=":material/play_arrow:")
        ):
            launch(queries.store().path, run.id)
            st.rerun()
        if run.status is not RunStatus.FINISHED:
            link(RUNS, "Details of this run", {"run": run.id})
        else:
            link(ITEMS, "All its answers", {"run": run.id})
            both = ",".join([run.id, recorded.id] if recorded else [run.id])
            link(EFFECTS, "Beside the recorded run", {"runs": both})
            link(COMPOSE, "Ask another model", _ON_COMPOSE)
    return run.status in ACTIVE


_ON_COMPOSE = {
    "study": DESIGN.study, "n": str(DESIGN.n), "seed": str(DESIGN.seed), "strategy": STRATEGY,
    **{name: str(value) for name, value in DESIGN.settings.items()},
}  # fmt: skip


def models_here() -> list[Here]:
    """Language models that can be asked on this computer, the one of the recorded run first."""
    found = [
        Here(each.spec, each.label)
        for each in queries.models()
        if each.ready and each.kind is ModelKind.LANGUAGE_MODEL and not why_not_listed(each.spec)
    ]
    tested = connections(queries.store())
    found += [
        Here(each.spec, f"{each.capabilities.name} at {place(each.base_url)}", each.access)
        for each in tested
        if each.capabilities.ok and is_loopback(each.base_url)
        and not why_not_listed(each.spec, each.access)
    ]  # fmt: skip
    if visitor.is_here():
        known = {(each.spec, each.base_url) for each in tested}
        found += [
            Here(server_spec(name), f"{name} at {place(each.url)}", Access((each.url,)), False)
            for each in found_nearby()
            for name in each.names
            # A model that turns texts into numbers answers nothing.
            if (server_spec(name), each.url) not in known and "embed" not in name.lower()
        ]
    return sorted(found, key=lambda each: MODEL.lower() not in each.name.lower())


def _draw_offer() -> bool:
    """Offers to ask a model that is here, else to get one; whether one is being downloaded."""
    if visitor.refused(May.RUN):
        return False
    here = models_here()
    if not here:
        return _draw_fetching()
    labels = choosing.distinct_labels({str(at): each.name for at, each in enumerate(here)})
    chosen: str | None = "0"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(here) > 1:
            chosen = choosing.selectbox("Who is asked", labels, format_func=labels.__getitem__)
        asked = here[int(chosen or 0)]
        name = "" if len(here) > 1 else f": ask {plain(asked.name)}"
        pressed = st.button(f"Do it again{name}", type="primary", icon=":material/replay:")
    same = MODEL.lower() in asked.name.lower()
    another = "" if same else " It is another model than the one above."
    st.caption(
        f"{count(DESIGN.n, 'new pair')} of the same kind, on this computer; its bars appear here."
        f"{another}"
    )
    if pressed:
        _ask(asked)
    return False


def _ask(asked: Here) -> None:
    """Starts the run; a server that was never tested is tested first."""
    access = asked.access
    if not asked.tested:
        found = run_test(asked.spec, access)
        connection = find_connection(queries.store(), asked.spec, access.base_urls[0])
        if not found.ok or connection is None:
            st.error(plain(" ".join(found.problems)), icon=":material/error:")
            return
        access = connection.access
    start_asking(RunChoices(DESIGN, asked.spec, STRATEGY, options=RunOptions(access=access)))
    st.rerun()


def _draw_fetching() -> bool:
    offered = [each for each in hub_list().models if each.parameters >= _LEAST_PARAMETERS]
    model = min(offered, key=lambda each: MODEL not in each.repository, default=None)
    if model is None or not visitor.may(May.TRAIN):
        link(MODELS, "Do it again: first get a language model")
        return False
    state = look(model)
    if state.complete:
        return _draw_fetched(state.spec)
    if state.running:
        draw_progress(state)
        return True
    if state.error:
        st.error(plain(state.error), icon=":material/error:")
    size = gigabytes(model.download_bytes)
    if st.button(
        f"Do it again: get the model ({size})", type="primary", icon=":material/download:"
    ):
        start_fetching(model)
        st.rerun()
    st.caption(
        f"{plain(model.name)}, {plain(model.licence)}, about {gigabytes(model.memory_bytes)} of "
        "memory. It is downloaded once, then asked on this computer: about 10 minutes on two "
        "cores. Models that Ollama or another program here serves are found automatically."
    )
    return False


def _draw_fetched(spec: str) -> bool:
    """A model that was just downloaded is offered in a moment, or it is said why it cannot be."""
    listed = {each.spec: each for each in queries.models()}
    if spec in listed:
        st.error(plain(listed[spec].why_not), icon=":material/error:")
        link(MODELS, "Models")
        return False
    st.caption("The model is here.")
    queries.models.clear()
    return True
