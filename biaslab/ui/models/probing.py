"""Tests servers in processes of their own, so that a key is never in the app's environment."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from biaslab.models import Access, ModelError
from biaslab.models.server.capabilities import Capabilities
from biaslab.models.server.key_bindings import check_bound
from biaslab.models.server.probe.listing import Listing
from biaslab.system.processes import Attached, TookTooLong, Waiting
from biaslab.system.roles import May, require
from biaslab.ui.widgets.words import duration

TEST_SECONDS = 300.0
"""A test that takes longer is ended: a server may load its model first, which takes a minute or
two, and the test itself takes seconds."""

LIST_SECONDS = 60.0
"""The same for asking which models there are."""


class NoResult(ModelError):
    """A test came to no result."""


def try_server(
    spec: str, access: Access, environment: Mapping[str, str], waiting: Waiting
) -> Capabilities:
    """What a server supports for a model.

    Args:
        spec: ``openai:NAME``.
        access: how it is reached; its way of writing is the only one that is tried, if given.
        environment: where a typed key is.
        waiting: is called again and again until the result is there.

    Raises:
        NotAllowed: whoever acts may not do this.
        NoResult: there is no result; the sentence says why.
        UnboundKey: nobody has allowed that the variable's key goes there; nothing was sent.
    """
    require(May.CONNECT)
    check_bound(access)
    arguments = ["probe", "--model", spec]
    for url in access.base_urls:
        arguments += ["--base-url", url]
    if access.key_env:
        arguments += ["--key-env", access.key_env]
    if access.endpoint is not None:
        arguments += ["--endpoint", str(access.endpoint)]
    for name in access.also_served:
        arguments += ["--also-served", name]
    return Capabilities.of_json(_output("biaslab", arguments, environment, waiting, TEST_SECONDS))


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
) -> dict[str, Any]:
    """The JSON object that a module of this project prints."""
    # The process ends also where the person has gone on to something else, which ends `waiting`.
    with Attached(module, arguments, environment) as process:
        try:
            found = json.loads("".join(process.lines(waiting, limit)))
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
