"""Which keys of the environment may go to which servers, and taking that back."""

from __future__ import annotations

import streamlit as st

from biaslab.models.server.key_bindings import bound, unbind
from biaslab.system.roles import May
from biaslab.ui.widgets import visitor
from biaslab.ui.widgets.words import plain


def draw_keys_allowed() -> None:
    """Draws what the person at this computer has allowed, for them alone."""
    allowed = bound() if visitor.may(May.KEYS) else []
    if not allowed:
        return
    st.markdown("**Keys of the environment**")
    for variable, server in allowed:
        with st.container(border=True):
            st.markdown(f":material/key: **{plain(variable)}** may be sent to **{plain(server)}**")
            st.button(
                "Take back",
                key=f"take back {variable} {server}",
                icon=":material/undo:",
                help="Nothing that starts from now on sends the key there, and it can be allowed "
                "again. A run under way has the key already: stop it if you want that to end.",
                on_click=_take_back,
                args=(variable, server),
            )


def _take_back(variable: str, server: str) -> None:
    if visitor.may(May.KEYS):
        unbind(variable, server)
