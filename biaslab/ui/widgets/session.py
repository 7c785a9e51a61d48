"""Keys that a person typed: kept in the memory of one browser session, for the servers they
were typed for, and handed to programs that ask these servers through their environment.

A key is in no address of a page, no file, no log, no command line, and never in the environment
of the app itself, which all sessions share. Closing or reloading the page forgets it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

import streamlit as st

from biaslab.models import TYPED_KEY, Access, ModelError
from biaslab.models.server.addresses import base_urls as normal_urls
from biaslab.models.server.keys import check_bound
from biaslab.ui.widgets.words import place, plain

_KEPT = "typed keys"


class BadKey(ModelError):
    """What was typed cannot be a key. The text never holds it."""


@dataclass(frozen=True, slots=True)
class _Key:
    """A key that no printed object shows."""

    text: str = field(repr=False)


def keep_key(base_urls: Sequence[str], key: str) -> None:
    """Keeps a key for this session; it is given to these addresses and no others.

    Raises:
        BadKey: it is empty, or has spaces or signs that no key has.
        BadAddress: one of the addresses is none.
    """
    text = key.strip()
    if not text:
        raise BadKey("No key was typed: type the server's key, or choose “No key”.")
    if not (text.isascii() and text.isprintable()) or " " in text:
        raise BadKey(
            "What was typed cannot be a key: it has spaces or signs that no key has, perhaps "
            "copied along with it. Copy the key again."
        )
    for url in normal_urls(Access(tuple(base_urls))):
        _kept()[url] = _Key(text)


def typed_key(base_urls: Sequence[str]) -> str | None:
    """The key that was typed for all of these addresses; None where there is none.

    Raises:
        BadAddress: one of the addresses is none.
    """
    found = {_kept().get(url) for url in normal_urls(Access(tuple(base_urls)))}
    key = found.pop()
    return None if found or key is None else key.text


def forget_key(base_urls: Sequence[str]) -> None:
    """Forgets what was typed for these addresses.

    Raises:
        BadAddress: one of the addresses is none.
    """
    for url in normal_urls(Access(tuple(base_urls))):
        _kept().pop(url, None)


def wants_typed_key(access: Access) -> bool:
    """Whether the server is reached with a key that somebody types."""
    return access.key_env == TYPED_KEY


def is_key_missing(access: Access) -> bool:
    """Whether the server needs a key to be typed that this session does not have."""
    return wants_typed_key(access) and typed_key(access.base_urls) is None


def environment_for(access: Access) -> dict[str, str]:
    """What a program that asks this server needs in its environment beyond the app's own.

    Returns:
        the typed key under the name that `biaslab.models` reads; empty where the access needs
        no typed key or this session has none (`is_key_missing`).
    """
    key = typed_key(access.base_urls) if wants_typed_key(access) else None
    return {} if key is None else {TYPED_KEY: key}


def _kept() -> dict[str, _Key]:
    kept: dict[str, _Key] = st.session_state.setdefault(_KEPT, {})
    return kept


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
        help="This server is asked with a key that is typed. It is held in this session only, "
        "until the page is closed or loaded anew: in no file, link or log.",
    )
    if refused := st.session_state.get(f"{field} refused"):
        st.error(plain(refused), icon=":material/error:")
