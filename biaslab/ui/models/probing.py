"""Tests servers in processes of their own, so that a key is never in the app's environment."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import biaslab
from biaslab.models import TYPED_KEY, Access, ModelError
from biaslab.models.server.capabilities import Capabilities
from biaslab.models.server.key_bindings import check_bound
from biaslab.models.server.keys import hide_key, inherited_environment
from biaslab.models.server.probe.listing import Listing
from biaslab.ui.widgets.words import duration

TEST_SECONDS = 300.0
"""A test that takes longer is ended: a server may load its model first, which takes a minute or
two, and the test itself takes seconds."""

LIST_SECONDS = 60.0
"""The same for asking which models there are."""

_STEP = 0.3
"""Seconds after which somebody who waits is told again how long it has taken."""

_log = logging.getLogger(__name__)

Waiting = Callable[[float], None]
"""Is told the seconds since the beginning; what it raises ends the process."""


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
        NoResult: there is no result; the sentence says why.
        UnboundKey: nobody has allowed that the variable's key goes there; nothing was sent.
    """
    check_bound(access)
    arguments = ["biaslab", "probe", "--model", spec]
    for url in access.base_urls:
        arguments += ["--base-url", url]
    if access.key_env:
        arguments += ["--key-env", access.key_env]
    if access.endpoint is not None:
        arguments += ["--endpoint", str(access.endpoint)]
    return Capabilities.of_json(_output(arguments, environment, waiting, TEST_SECONDS))


def ask_for_models(access: Access, environment: Mapping[str, str], waiting: Waiting) -> Listing:
    """Which models the first address has; takes what `try_server` takes.

    Raises:
        NoResult, UnboundKey: as there.
    """
    check_bound(access)
    arguments = ["biaslab.models.server.probe.listing", "--base-url", access.base_urls[0]]
    if access.key_env:
        arguments += ["--key-env", access.key_env]
    return Listing.of_json(_output(arguments, environment, waiting, LIST_SECONDS))


def _output(
    arguments: Sequence[str], environment: Mapping[str, str], waiting: Waiting, limit: float
) -> dict[str, Any]:
    """The JSON object that a module of this project prints."""
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(environment),
        encoding="utf-8",
        errors="replace",
    )
    began = time.monotonic()
    try:
        while True:
            try:
                printed, said = process.communicate(timeout=_STEP)
                break
            except subprocess.TimeoutExpired:
                spent = time.monotonic() - began
                if spent > limit:
                    raise NoResult(
                        f"The server had not answered everything after {duration(limit)}, "
                        "so the test was ended. If it was still loading its model, test it again."
                    ) from None
                waiting(spent)
    finally:
        # Also where the person has gone on to something else, which ends `waiting`.
        if process.poll() is None:
            process.kill()
            process.communicate()
    try:
        found = json.loads(printed)
        if not isinstance(found, dict):
            raise ValueError("no object")
    except ValueError as error:
        raise NoResult(_why_nothing(said, environment.get(TYPED_KEY, ""))) from error
    return found


def _environment(further: Mapping[str, str]) -> dict[str, str]:
    package = str(Path(biaslab.__file__).parents[1])
    paths = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**inherited_environment(), **further, "PYTHONPATH": paths, "PYTHONIOENCODING": "utf-8"}


def _why_nothing(said: str, key: str) -> str:
    words = hide_key(said.strip(), key)
    if words.startswith("Error: "):
        return words.removeprefix("Error: ")
    _log.error("The test of a server ended without a result:\n%s", words)
    return (
        "The test ended without a result, which is a fault of BiasLab. Please report it with what "
        "the app wrote to its log."
    )
