"""What somebody from the network gets to see, and that it is all they can do."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from biaslab.system.roles import May, Role
from biaslab.ui.navigation import SCREENS, Screen
from biaslab.ui.serving.guard import UPLOADS
from biaslab.ui.widgets import visitor
from tests.browser.conftest import TOKEN, Server, start
from tests.conftest import DEADLINE
from tests.ui.conftest import Visit, words

HOST = "a-token-for-hosts-in-tests"
STARTS = re.compile(r"(Run|Start|Resume|Retry|Stop|Delete|Train|Go on|Save|Keep)\b|Ask \d")


@pytest.fixture
def visited(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> Visit:
    monkeypatch.setattr(visitor, "role", lambda: Role.VISITOR)
    return visit


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
def test_a_visitor_starts_keeps_and_gives_in_nothing(screen: Screen, visited: Visit) -> None:
    app = visited(screen.name)
    assert not app.get("file_uploader")
    offered = [each.label for each in app.button if not each.disabled]
    assert not [label for label in offered if STARTS.match(label)]
    if screen.needs is not May.SEE:
        assert f"may {screen.needs}. " in words(app)
        assert not app.button


@pytest.mark.usefixtures("empty")
def test_what_a_forged_click_asks_for_is_refused_in_a_sentence(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Given a page that was drawn for a host
    monkeypatch.setattr(visitor, "role", lambda: Role.HOST)
    app = visit("compose", model="learner:shy", n="5")
    # When somebody sends its click who is none (any more)
    monkeypatch.setattr(visitor, "role", lambda: Role.VISITOR)
    app.button(key="run").click().run()
    # Then nothing is run, and it is said who may
    assert "Hosts and the person at this computer may ask models" in words(app)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("shared")
    process, server = start(
        folder / "runs.db",
        folder / "server.log",
        "--server.address",
        "0.0.0.0",
        BIASLAB_HOST_TOKEN=HOST,
    )
    yield server
    process.terminate()
    process.wait(timeout=DEADLINE)


def _asked(server: Server, method: str, path: str, cookie: str = "") -> tuple[int, str, str]:
    connection = http.client.HTTPConnection(
        server.address.removeprefix("http://"), timeout=DEADLINE
    )
    connection.request(method, path, headers={"Cookie": cookie} if cookie else {})
    answer = connection.getresponse()
    return answer.status, answer.read().decode(), answer.getheader("Set-Cookie", "")


def test_files_are_taken_from_those_alone_who_may_give_some(shared: Server) -> None:
    path = f"{UPLOADS}a-session/a-file"
    status, said, _ = _asked(shared, "PUT", path)
    assert status == 403
    assert "Hosts and the person at this computer may bring files" in said
    status, _, cookie = _asked(shared, "GET", f"/start?token={HOST}")
    assert status == 303
    # Streamlit has its own reasons not to take a file of no session.
    assert "may bring files" not in _asked(shared, "PUT", path, cookie.partition(";")[0])[1]


def test_a_link_for_hosts_takes_nothing_from_the_person_here(shared: Server) -> None:
    _, _, here = _asked(shared, "GET", f"/start?token={TOKEN}")
    status, _, cookie = _asked(shared, "GET", f"/start?token={HOST}", here.partition(";")[0])
    assert (status, cookie) == (303, "")
