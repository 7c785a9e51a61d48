"""The models that can be asked: on servers, on this computer, and simulated learners."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

import streamlit as st

from biaslab.models import ModelChoice, ModelError, ModelForm, ModelKind, identify
from biaslab.models.tiny.model import DEFAULT_TINY
from biaslab.runs import Connection, connections, forget
from biaslab.system.roles import May
from biaslab.training.card import rare_words
from biaslab.training.mix import read_mix
from biaslab.ui.ask.asking import card_of
from biaslab.ui.ask.matrix import served_id
from biaslab.ui.compose.design_form import asked_of
from biaslab.ui.models.server_found import in_short
from biaslab.ui.models.servers import opened
from biaslab.ui.navigation import COMPOSE, MATRIX, MODELS, ORIGINS, link
from biaslab.ui.widgets import queries, visitor
from biaslab.ui.widgets.address import set_address
from biaslab.ui.widgets.words import KINDS, moment, plain, short_name

_AGAIN = "test again"


def draw_list() -> None:
    """Draws all of them, with what can be done with each."""
    st.header("Models that can be asked", anchor=False)
    servers = connections(queries.store())
    st.markdown("**On servers**")
    if not servers:
        st.caption("None yet.", help="Connect one with the form, and it is remembered here.")
    for number, connection in enumerate(servers):
        with st.container(border=True):
            _draw_server(connection, number)
    here = "this computer" if visitor.is_here() else "the computer that runs BiasLab"
    models = _here()
    tiny = dict.fromkeys(model.explanation for model in models if model.kind is ModelKind.TINY)
    st.markdown(f"**On {here}**", help=plain(" ".join(tiny)) or None)
    folded = [model for model in models if _is_further(model)]
    for model in models:
        if model not in folded:
            with st.container(border=True):
                _draw_model(model)
    if folded:
        with st.expander(f"More tiny models ({len(folded)})"):
            for model in folded:
                _draw_model(model)
            link(ORIGINS, "What comes of their lessons")
    with st.expander("Another language model"):
        st.markdown(
            f"For one whose files are on {here}, type local: and its folder or GGUF file as the "
            "model in Compose, as in local:/home/me/models/gpt2."
        )
    learners = [model for model in queries.models() if model.kind is ModelKind.LEARNER]
    with st.expander(f"Simulated learners ({len(learners)})"):
        st.caption(KINDS[ModelKind.LEARNER].explanation)
        for model in learners:
            link(COMPOSE, plain(model.label), {"model": model.spec}, icon="")
            st.caption(plain(model.explanation))


def is_wanted_again(connection: Connection) -> bool:
    """Whether somebody has just asked in the list for this server to be tested again."""
    mark = (connection.spec, connection.base_url)
    if st.session_state.get(_AGAIN) != mark:
        return False
    del st.session_state[_AGAIN]
    return True


def draw_changes(connection: Connection, name: str, *, quiet: bool = False) -> None:
    """Buttons that test a server again or forget it.

    Args:
        connection: the server.
        name: tells the buttons from others on the page.
        quiet: whether they are drawn as in a list.
    """
    if not visitor.may(May.CONNECT):
        return
    kind: Literal["secondary", "tertiary"] = "tertiary" if quiet else "secondary"
    st.button(
        "Test again",
        key=f"test again {name}",
        type=kind,
        on_click=_test_again,
        args=(connection,),
    )
    st.button(
        "Forget",
        key=f"forget {name}",
        type=kind,
        help="Takes it out of this list. Runs that asked it stay as they are.",
        on_click=_forget,
        args=(connection,),
    )


def local_models() -> list[ModelChoice]:
    """Directories of language models that were asked before, the one asked last first."""
    return [_local(spec) for spec in queries.local_specs()]


def _draw_server(connection: Connection, number: int) -> None:
    found = connection.capabilities
    link(MODELS, plain(found.name), opened(connection), icon=":material/dns:")
    others = len(connection.access.base_urls) - 1
    more = f" and {others} more" if others else ""
    tested = moment(connection.probed, st.context.timezone)
    st.caption(
        plain(
            f"{KINDS[ModelKind.LANGUAGE_MODEL].name} on {urlsplit(connection.base_url).netloc}"
            f"{more} · {in_short(found)} · tested {tested}"
        )
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        link(COMPOSE, "Ask", opened(connection))
        link(MATRIX, "Several studies", {"models": served_id(connection)})
        draw_changes(connection, f"{number}", quiet=True)


def _draw_model(model: ModelChoice) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        link(MODELS, plain(model.label), {"model": model.spec}, icon=":material/computer:")
        if model.ready:
            _draw_asking(model)
    if not model.ready:
        st.caption(plain(f"{KINDS[model.kind].name} · not available: {model.why_not}"))
    elif model.kind is not ModelKind.TINY:
        st.caption(plain(f"{KINDS[model.kind].name} · {model.explanation}"))
    elif _is_further(model):
        st.caption(plain(_lessons_of(model.spec)))


def _is_further(model: ModelChoice) -> bool:
    """Whether it comes with the app and is not the default: one of several that are much alike."""
    return model.kind is ModelKind.TINY and not model.own and model.spec != DEFAULT_TINY


def _lessons_of(spec: str) -> str:
    """How much a tiny model learnt, and what was rare in it."""
    card = card_of(spec)
    if card is None or not card.mix:
        return ""
    rare = rare_words(read_mix(card.mix))
    return f"{card.examples_seen:,} lessons · " + (f"rare: {rare}" if rare else "nothing is rare")


def _draw_asking(model: ModelChoice) -> None:
    link(COMPOSE, "Ask", asked_of(model.spec))
    link(MATRIX, "Several studies", {"models": model.spec})


def _here() -> list[ModelChoice]:
    here = [model for model in queries.models() if model.kind is not ModelKind.LEARNER]
    return [*here, *local_models()]


@st.cache_data(ttl=60, max_entries=64, show_spinner="Looking at the model …")
def _local(spec: str) -> ModelChoice:
    try:
        identity = identify(spec)
    except ModelError as error:
        kind = ModelKind.LANGUAGE_MODEL
        return ModelChoice(spec, short_name(spec), kind, "", ready=False, why_not=str(error))
    how = "answers in turns" if identity.form is ModelForm.CHAT else "continues text"
    return ModelChoice(
        spec,
        short_name(spec),
        identity.kind,
        f"{identity.details.get('directory') or identity.details.get('file', '')}, a model that "
        f"{how}.",
        ready=True,
    )


def _test_again(connection: Connection) -> None:
    st.session_state[_AGAIN] = (connection.spec, connection.base_url)
    set_address(opened(connection))


def _forget(connection: Connection) -> None:
    forget(queries.store(), connection.spec, connection.base_url)
    set_address({})
