"""Testing a server from a page: what is seen meanwhile, and what is remembered of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import streamlit as st

from biaslab.models import Access
from biaslab.models.prices import Price
from biaslab.models.server.capabilities import Capabilities
from biaslab.models.server.probe.listing import Listing
from biaslab.runs import Connection, find_connection, remember
from biaslab.system.processes import Waiting
from biaslab.ui.models.probing import ask_for_models, try_server
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.session import environment_for
from biaslab.ui.widgets.words import plain

PATIENT_SECONDS = 8.0
"""After so long a page says why it may take longer."""

_TEST = "About twenty short requests; this takes a few seconds."
_LIST = "One short request."
_LATE = "Still waiting: a server that was just started may be loading its model."

_LISTS = "models listed"


def run_test(spec: str, access: Access) -> Capabilities:
    """Tests a server for a model while the person waits, and remembers it if it can be asked.

    Args:
        spec: ``openai:NAME``.
        access: how it is reached.

    Raises:
        NoResult: the test itself failed.
        StoreError: it cannot be remembered.
    """
    with _waiting(f"Testing {_host(access)} …", _TEST) as waiting:
        found = try_server(spec, access, environment_for(access), waiting)
    if found.models:
        keep_list(found.base_urls or access.base_urls, Listing(found.models))
    if found.ok:
        reached = Access(found.base_urls, also_served=access.also_served, key_env=access.key_env)
        if found.chosen is not None:
            reached = found.chosen.reached(reached)
        store = queries.store()
        remember(store, Connection(spec, reached, found, _price(spec, reached.base_urls[0])))
    return found


def list_models(access: Access) -> Listing:
    """Asks a server for its models while the person waits, and keeps them for this session.

    Raises:
        NoResult: nothing came of it.
    """
    with _waiting(f"Asking {_host(access)} for its models …", _LIST) as waiting:
        listing = ask_for_models(access, environment_for(access), waiting)
    if listing.names:
        keep_list(access.base_urls, listing)
    return listing


def listed(access: Access) -> tuple[str, ...]:
    """The names that the server is known to have in this session."""
    lists: dict[str, Listing] = st.session_state.get(_LISTS, {})
    return lists.get(access.base_urls[0], Listing()).names if access.base_urls else ()


def keep_list(base_urls: tuple[str, ...], listing: Listing) -> None:
    """Keeps what the first address has."""
    st.session_state.setdefault(_LISTS, {})[base_urls[0]] = listing


@contextmanager
def _waiting(words: str, usual: str) -> Iterator[Waiting]:
    """Shows that something goes on, with a way to stop it.

    Whatever the person does meanwhile interrupts the script at the next thing that it draws,
    and that ends the test.
    """
    place = st.empty()
    try:
        with place.container(), st.spinner(plain(words), show_time=True):
            line = st.empty()
            st.button("Stop", key=f"stop {words}", icon=":material/stop_circle:")

            def tell(seconds: float) -> None:
                line.caption(usual if seconds < PATIENT_SECONDS else _LATE)

            yield tell
    finally:
        place.empty()


def _host(access: Access) -> str:
    return urlsplit(access.base_urls[0]).netloc


def _price(spec: str, base_url: str) -> Price | None:
    """What a person said before that it costs: another test does not change it."""
    before = find_connection(queries.store(), spec, base_url)
    return None if before is None else before.price
