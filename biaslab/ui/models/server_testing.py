"""Testing a server, in a process of its own, so that no key is in the app's environment."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from biaslab.models import Access, ModelError, read_spec
from biaslab.models.prices import Price
from biaslab.models.server.capabilities import Capabilities
from biaslab.models.server.keys import check_bound
from biaslab.models.server.probe.listing import Listing
from biaslab.runs import Connection, find_connection, remember
from biaslab.system.processes import AttachedProcess, TookTooLong, Waiting
from biaslab.system.roles import May, require
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.session import environment_for
from biaslab.ui.widgets.words import duration, plain

TEST_SECONDS = 60.0
"""A test that takes longer ends with what is known by then. It takes seconds, but a server may
load its model first."""

_GRACE_SECONDS = 30.0
"""So much later its process is ended: it takes time to start, and may have further addresses."""

TellStep = Callable[[str], None]
"""Is told each step as it begins, in words."""


def _silent(step: str) -> None:
    """For whoever does not watch."""


LIST_SECONDS = 60.0
"""The same for asking which models there are."""


class NoResult(ModelError):
    """A test came to no result."""


def try_server(
    spec: str,
    access: Access,
    environment: Mapping[str, str],
    waiting: Waiting,
    tell: TellStep = _silent,
) -> Capabilities:
    """What a server supports for a model.

    Args:
        spec: ``openai:NAME``.
        access: how it is reached; its way of writing is the only one that is tried, if given.
        environment: where a typed key is.
        waiting: is called again and again until the result is there.
        tell: is told each step as it begins, in words.

    Raises:
        NotAllowed: whoever acts may not do this.
        NoResult: there is no result; the sentence says why.
        UnboundKey: nobody has allowed that the variable's key goes there; nothing was sent.
    """
    require(May.CONNECT)
    check_bound(access)
    arguments = ["probe", "--model", spec, "--steps", "--seconds", str(TEST_SECONDS)]
    for url in access.base_urls:
        arguments += ["--base-url", url]
    if access.key_env:
        arguments += ["--key-env", access.key_env]
    if access.endpoint is not None:
        arguments += ["--endpoint", str(access.endpoint)]
    for name in access.also_served:
        arguments += ["--also-served", name]
    limit = TEST_SECONDS + _GRACE_SECONDS
    return Capabilities.of_json(_output("biaslab", arguments, environment, waiting, limit, tell))


def ask_for_models(access: Access, environment: Mapping[str, str], waiting: Waiting) -> Listing:
    """Which models the first address has; takes what `try_server` takes.

    Raises:
        NotAllowed, NoResult, UnboundKey: as there.
    """
    require(May.CONNECT)
    check_bound(access)
    module = "biaslab.models.server.probe.listing"
    arguments = ["--base-url", access.base_urls[0]]
    if access.key_env:
        arguments += ["--key-env", access.key_env]
    return Listing.of_json(_output(module, arguments, environment, waiting, LIST_SECONDS))


def _output(
    module: str,
    arguments: Sequence[str],
    environment: Mapping[str, str],
    waiting: Waiting,
    limit: float,
    tell: TellStep = _silent,
) -> dict[str, Any]:
    """The JSON object that a module of this project prints, after the steps it tells."""
    # The process ends also where the person has gone on to something else, which ends `waiting`.
    with AttachedProcess(module, arguments, environment) as process:
        try:
            said: list[str] = []
            for line in process.lines(waiting, limit):
                if not said and not line.startswith("{"):
                    tell(line.strip())
                else:
                    said.append(line)
            found = json.loads("".join(said))
        except TookTooLong:
            raise NoResult(
                f"The server had not answered everything after {duration(limit)}, "
                "so the test was ended. If it was still loading its model, test it again."
            ) from None
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise NoResult(process.why_ended() or _FAULT)
    return found


_FAULT = (
    "The test ended without a result, which is a fault of BiasLab. Please report it with what "
    "the app wrote to its log."
)


PATIENT_SECONDS = 8.0
"""After so long a page says why it may take longer."""

_TEST = "About twenty-five short requests; this takes a few seconds."
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
    with _waiting(f"Testing {_host(access)} …", _TEST) as (waiting, tell):
        found = try_server(spec, access, environment_for(access), waiting, tell)
    if found.models:
        keep_list(found.base_urls or access.base_urls, Listing(found.models))
    if found.ok:
        _keep(spec, access, found)
    return found


def use_untested(spec: str, access: Access) -> Capabilities:
    """Remembers a server that did not answer in time, as one of which nothing is known.

    Raises:
        NotAllowed: whoever acts may not do this.
        UnboundKey, StoreError: as in `run_test`.
    """
    require(May.CONNECT)
    check_bound(access)
    found = Capabilities.untested(read_spec(spec).name, access)
    _keep(spec, access, found)
    return found


def _keep(spec: str, access: Access, capabilities: Capabilities) -> None:
    urls = capabilities.base_urls
    reached = Access(urls, also_served=access.also_served, key_env=access.key_env)
    if capabilities.chosen is not None:
        reached = capabilities.chosen.reached(reached)
    price = _price(spec, urls[0])
    remember(queries.store(), Connection(spec, reached, capabilities, price))


def list_models(access: Access) -> Listing:
    """Asks a server for its models while the person waits, and keeps them for this session.

    Raises:
        NoResult: nothing came of it.
    """
    with _waiting(f"Asking {_host(access)} for its models …", _LIST) as (waiting, _):
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
def _waiting(words: str, usual: str) -> Iterator[tuple[Waiting, TellStep]]:
    """Shows that something goes on and at which step, with a way to stop it.

    Whatever the person does meanwhile interrupts the script at the next thing that it draws,
    and that ends the test.
    """
    place = st.empty()
    try:
        with place.container(), st.spinner(plain(words), show_time=True):
            at = st.empty()
            line = st.empty()
            st.button("Stop", key=f"stop {words}", icon=":material/stop_circle:")

            def tell(seconds: float) -> None:
                line.caption(usual if seconds < PATIENT_SECONDS else _LATE)

            def show_step(step: str) -> None:
                at.markdown(plain(step))

            yield tell, show_step
    finally:
        place.empty()


def _host(access: Access) -> str:
    return urlsplit(access.base_urls[0]).netloc


def _price(spec: str, base_url: str) -> Price | None:
    """What a person said before that it costs: another test does not change it."""
    before = find_connection(queries.store(), spec, base_url)
    return None if before is None else before.price
