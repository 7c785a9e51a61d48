"""A field for a key that this session does not have."""

from __future__ import annotations

import os

import streamlit as st

from biaslab.models import Access, ModelError
from biaslab.models.server.key_bindings import check_bound
from biaslab.ui.widgets.session import is_key_missing, keep_key, wants_typed_key
from biaslab.ui.widgets.words import place, plain


def has_key(access: Access, name: str) -> bool:
    """Whether this session can reach the server; draws a field for its key where it cannot.

    Args:
        access: how the server is reached.
        name: tells this field from others of the page.
    """
    if is_key_missing(access):
        _draw_field(access, name)
        return not is_key_missing(access)
    variable = access.key_env
    if variable and not wants_typed_key(access) and not os.environ.get(variable):
        st.warning(
            f"The environment variable {plain(variable)} is to hold the server's key and is not "
            "set where BiasLab was started. Set it there and start BiasLab again, or test the "
            "model anew with a key that you type."
        )
        return False
    try:
        check_bound(access)
    except ModelError as error:
        st.warning(plain(str(error)))
        return False
    return True


def _draw_field(access: Access, name: str) -> None:
    field = f"key {name}"

    def keep() -> None:
        typed = str(st.session_state[field])
        # The field is emptied, so that the key is in one place only.
        st.session_state[field] = ""
        try:
            keep_key(access.base_urls, typed)
        except ModelError as error:
            st.session_state[f"{field} refused"] = str(error)
        else:
            st.session_state.pop(f"{field} refused", None)

    st.text_input(
        f"Key for {place(access.base_urls[0]) if access.base_urls else 'OpenAI'}",
        type="password",
        key=field,
        on_change=keep,
        autocomplete="off",
        placeholder="typed for this session alone",
        help="This server is asked with a key that is typed. It is kept in this session only, "
        "until the page is closed or loaded anew: in no file, link or log.",
    )
    if refused := st.session_state.get(f"{field} refused"):
        st.error(plain(refused), icon=":material/error:")
