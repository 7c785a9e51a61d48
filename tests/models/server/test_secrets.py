"""A planted key is looked for wherever it could come out."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

import openai
import psutil
import pytest

from biaslab.models import OPENAI_URL, TYPED_KEY
from biaslab.models.server.background import run_in_background
from biaslab.models.server.channel import ServerChannel
from biaslab.models.server.request.client import open_client
from biaslab.models.server.worker_pool import WorkerPool
from tests.models.server.asking import QUICK, access, collect, request
from tests.servers.faulty import FaultyServer, answer, cut, half_json, raw, status

KEY = "sk-planted-0123456789"

pytestmark = pytest.mark.usefixtures("no_pauses")


@pytest.fixture
def _planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TYPED_KEY, KEY)


@pytest.mark.usefixtures("_planted")
def test_the_key_comes_out_nowhere(server: FaultyServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echo = {"message": f"Header was Bearer {KEY}", "code": KEY, "param": KEY}
    faults = {
        "answered": [answer(f"Your key is {KEY}", model=f"m {KEY}")],
        "key": [status(401, echo)],
        "request": [status(400, echo)],
        "inside": [raw({"error": echo})],
        "page": [raw(f"<p>{KEY}</p>", 404)],
        "half": [half_json()],
        "cut": [cut()] * 4,
        "busy": [status(503, echo)] * 4,
    }
    server.faults.update(faults)
    with ServerChannel("faulty", access(server.url), QUICK) as channel:
        for name in faults:
            channel.send(name, request(name))
        found = collect(channel, len(faults))
        assert KEY not in repr(channel) + repr(vars(channel))
        assert KEY not in "".join(repr(vars(place)["_asked"]) for place in channel._places)
    assert {asked.key for asked in server.asked} == {KEY}
    assert KEY not in repr(found)
    assert KEY not in caplog.text
    assert all(KEY not in repr(vars(record)) for record in caplog.records)


@pytest.mark.usefixtures("_planted")
def test_the_key_is_in_no_text_of_an_error_of_the_client(
    server: FaultyServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.always = cut()

    async def fail() -> None:
        async with open_client(access(server.url), server.url, patience=QUICK) as client:
            assert KEY not in repr(client)
            await client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "a"}]
            )

    with pytest.raises(openai.APIConnectionError) as caught:
        run_in_background(fail())
    error = caught.value
    shown = "".join(traceback.TracebackException.from_exception(error).format())
    assert KEY not in shown + repr(error) + repr(error.request) + repr(error.request.headers)
    assert KEY not in caplog.text


def test_nothing_that_belongs_to_openai_goes_to_another_host(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID"):
        monkeypatch.setenv(f"OPENAI_{name}", KEY)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"Authorization: Bearer {KEY}\nX-Mine: {KEY}")
    monkeypatch.setenv("OPENAI_BASE_URL", OPENAI_URL)
    with ServerChannel("faulty", access(server.url), QUICK) as channel:
        channel.send("a", request("a"))
        collect(channel, 1)
    (asked,) = server.asked
    assert KEY not in repr(asked)
    # Nor does it hear what machine this is.
    assert not [name for name in asked.headers if name.startswith(("x-", "openai-"))]


def test_loopback_is_never_reached_through_a_proxy(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with ServerChannel("faulty", access(server.url), QUICK) as channel:
        channel.send("a", request("a"))
        collect(channel, 1)
    assert server.prompts() == ["a"]


@pytest.mark.usefixtures("_planted")
def test_processes_get_the_key_through_their_environment_alone(
    server: FaultyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with WorkerPool("faulty", access(server.url, processes=2), QUICK) as pool:
        for number in range(8):
            pool.send(str(number), request(str(number)))
        found = collect(pool, 8)
        lines = [" ".join(child.cmdline()) for child in psutil.Process().children(recursive=True)]
    assert {asked.key for asked in server.asked} == {KEY}
    assert KEY not in repr(found) + repr(vars(pool)) + " ".join(lines)
    assert list(tmp_path.iterdir()) == []
