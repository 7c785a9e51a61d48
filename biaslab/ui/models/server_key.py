"""How a server's key is given: not at all, by the name of a variable, or typed."""

from __future__ import annotations

import streamlit as st

from biaslab.models import TYPED_KEY, Access
from biaslab.models.server.key_bindings import bind, unbound
from biaslab.system.roles import May
from biaslab.ui.models import server_address as address
from biaslab.ui.widgets import choosing, visitor
from biaslab.ui.widgets.address import draft_field
from biaslab.ui.widgets.session import forget_key, has_key
from biaslab.ui.widgets.words import plain

_WAYS = {
    address.NO_KEY: "No key",
    address.VARIABLE: "Environment",
    address.TYPED: "Typed here",
}


def draw_key(base_urls: tuple[str, ...]) -> None:
    """Draws the choice, and the field that belongs to it.

    Args:
        base_urls: of the server; empty where there is none yet.
    """
    parameter = address.key_parameter()
    choosing.segmented_control(
        "Key",
        address.key_ways(),
        format_func=lambda way: _WAYS[way],
        required=True,
        wrap=True,
        help="Services want a key that says who pays; programs on your own computer usually do "
        "not. “Environment” names a variable that BiasLab was started with.",
        **parameter.bind(),
    )
    if parameter.value == address.VARIABLE:
        _draw_variable(base_urls)
    elif parameter.value == address.TYPED:
        if base_urls:
            _draw_typed(base_urls)
        else:
            st.caption("Give the base URL first: a key is kept for one address.")


def _draw_variable(base_urls: tuple[str, ...]) -> None:
    wrong = draft_field(
        "Name of the environment variable",
        address.variable_parameter(),
        placeholder="OPENAI_API_KEY",
        help="Only the name is kept. The key itself stays where it is.",
        autocomplete="off",
    )
    if wrong is not None or not address.is_set(address.variable_parameter().value):
        # What was typed may be the key itself, so it is not repeated.
        st.warning(
            "No environment variable of this name is set where BiasLab was started. Set it there "
            "and start BiasLab again, or type the key for this session."
        )
        return
    if base_urls:
        _draw_binding(Access(base_urls, key_env=address.variable_parameter().value))


def _draw_binding(access: Access) -> None:
    """Asks the person at this computer before a key goes where it never went."""
    servers = unbound(access)
    if not servers:
        return
    to = " and ".join(servers)
    st.warning(
        f"The key in **{plain(access.key_env)}** may not be sent to **{plain(to)}** yet. Whoever "
        "runs that server can read it and use it. Allow it only if the key is meant for this "
        "server."
    )

    def allow() -> None:
        if visitor.may(May.KEYS):
            bind(access.key_env, access.base_urls)

    st.button(
        f"Allow {plain(access.key_env)} for this server",
        key="bind key",
        icon=":material/key:",
        on_click=allow,
    )


def _draw_typed(base_urls: tuple[str, ...]) -> None:
    access = Access(base_urls, key_env=TYPED_KEY)
    if visitor.is_overheard():
        st.warning(
            "This page came over plain http, so a key that you type crosses the network readable "
            "for others on it. Ask the host for https, or for a server that is connected already."
        )
    if has_key(access, "connect"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(":material/key: A typed key is kept for this address.")
            st.button(
                "Forget the key",
                key="forget key",
                on_click=forget_key,
                args=(access.base_urls,),
                type="tertiary",
            )
    st.caption(
        "Kept in this session's memory, never written down.",
        help="It is handed to the program that asks through its environment. Reloading or closing "
        "the page forgets it.",
    )
