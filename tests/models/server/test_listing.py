"""Which models a server has, before one is chosen."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from biaslab.models import TYPED_KEY
from biaslab.models.server.probe.listing import Listing, list_served
from tests.servers.fixtures import ServerUrl

KEY = "sk-planted-for-listing"


def test_the_models_are_named_in_the_servers_order(tiny_server: ServerUrl) -> None:
    assert list_served(tiny_server()) == Listing(("tiny",))


@pytest.mark.parametrize("path", ["", "/page/v1", "/v1/chat/completions"])
def test_an_address_that_was_meant_is_found(tiny_server: ServerUrl, path: str) -> None:
    listing = list_served(tiny_server(path=path))
    assert listing.meant_url == tiny_server()
    assert listing.problem


def test_a_key_that_is_refused_is_told_without_the_key(
    tiny_server: ServerUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TYPED_KEY, KEY)
    listing = list_served(tiny_server("key=another"))
    assert "refuses the key" in listing.problem
    assert KEY not in listing.problem
    assert "run" not in listing.problem.split()


@pytest.mark.parametrize("url", ["ftp://x", "http://127.0.0.1:9/v1", ""])
def test_what_is_no_server_is_a_sentence(url: str) -> None:
    listing = list_served(url)
    assert not listing.names
    assert listing.problem.endswith(".")


def test_a_process_prints_it_for_the_screens(tiny_server: ServerUrl) -> None:
    command = [sys.executable, "-m", "biaslab.models.server.probe.listing"]
    done = subprocess.run(
        [*command, "--base-url", tiny_server()], capture_output=True, text=True, check=True
    )
    assert Listing.of_json(json.loads(done.stdout)) == Listing(("tiny",))
