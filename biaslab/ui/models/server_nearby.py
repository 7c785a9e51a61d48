"""Servers that answer on this computer and wait for one click."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import streamlit as st

from biaslab.models.server.addresses import is_loopback
from biaslab.models.server.model import server_spec
from biaslab.models.server.nearby import Nearby, look_nearby
from biaslab.runs import connections
from biaslab.ui.models.server_presets import PRESETS, Preset
from biaslab.ui.widgets import choosing, queries, visitor
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import listed

_BUTTONS = 4
"""Most models of a server that have a button each; more are in a list."""

_SHOWN = 60
"""Characters of a name on a button."""


def draw_nearby(connect: Callable[[Preset, str, str], None]) -> bool:
    """Draws those that are not connected yet; nothing for visitors, whose computer is another.

    Args:
        connect: called with the preset at whose address a server answers, this address, and the
            model chosen.

    Returns:
        Whether there is any.
    """
    if not visitor.is_here():
        return False
    known = {(each.spec, each.base_url) for each in connections(queries.store())}
    waiting = [
        (found, names)
        for found in found_nearby()
        if (names := [each for each in found.names if (server_spec(each), found.url) not in known])
    ]
    for found, names in waiting:
        _draw(found, names, connect)
    return bool(waiting)


def draw_none_nearby() -> None:
    """Says where was looked in vain, to who is at this computer."""
    if visitor.is_here() and not found_nearby():
        names = list(dict.fromkeys(each.label for each in usual()))
        st.caption(
            "No server was found on this computer.",
            help=f"Nothing answers where {listed(names)} usually do. Start one, open this page "
            "again, and its models are here.",
        )


def _draw(found: Nearby, names: list[str], connect: Callable[[Preset, str, str], None]) -> None:
    at = [each for each in usual() if each.url == found.url]
    programs = " or ".join(each.label for each in at)
    st.markdown(
        f"**Found on this computer:** a server at {urlsplit(found.url).netloc}, where {programs} "
        "usually answers."
    )
    if len(names) <= _BUTTONS:
        for name in names:
            st.button(
                f"Connect {plain(_short(name))}",
                key=f"nearby {found.url} {name}",
                type="primary",
                icon=":material/cable:",
                on_click=connect,
                args=(at[0], found.url, name),
            )
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = choosing.selectbox(
            f"Its {len(names)} models", names, key=f"nearby {found.url}", filter_mode=None
        )
        st.button(
            "Connect it",
            key=f"nearby {found.url} chosen",
            type="primary",
            icon=":material/cable:",
            on_click=connect,
            args=(at[0], found.url, chosen or names[0]),
        )


def _short(name: str) -> str:
    return name if len(name) <= _SHOWN else f"{name[: _SHOWN - 1]}…"


def usual() -> list[Preset]:
    """Programs that run on this computer, with their usual addresses."""
    return [each for each in PRESETS if each.url and is_loopback(each.url)]


@st.cache_data(ttl=10, max_entries=1, show_spinner=False)
def found_nearby() -> tuple[Nearby, ...]:
    """What answers there, looked at again after ten seconds."""
    return look_nearby(each.url for each in usual())
