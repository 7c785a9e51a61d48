"""Settings and the browser shared by all tests."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from socket import socket
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import engine

from tests.tiers import TESTS, is_rest, is_slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DEADLINE = 600.0
"""Seconds within which whatever a test waits for must have happened: a page, another process, a
reply. The one limit of all tests, and so long that only what hangs reaches it: a busy machine is no
fault of what is tested. Only where a time-out itself is tested, there is a shorter one."""
DEADLINE_MS = 1000 * DEADLINE
"""The same as browsers are told it."""


SHIPPED_RECORDED = TESTS.parent / "assets" / "recorded"
"""The gallery of recorded runs that comes with BiasLab."""


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The shipped gallery is there; the run of consistency, step by step, that it begins with."""
    monkeypatch.setenv("BIASLAB_RECORDED", str(SHIPPED_RECORDED))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return "r560df2fe621"


def free_port() -> int:
    """A port of this computer at which a server can be told to listen.

    Below those that a system gives to connections, one of which might take it before the server
    has begun.
    """
    while True:
        port = SystemRandom().randrange(20_000, 32_000)
        with socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def wait_for(condition: Callable[[], object]) -> None:
    """Looks again and again until the condition holds, and fails after the deadline."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        if condition():
            return
        threading.Event().wait(0.02)
    pytest.fail("This did not happen in time.")


os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
# Nothing that a test writes by default goes to where the person who runs it keeps their own.
os.environ["BIASLAB_DB"] = str(Path(tempfile.mkdtemp(prefix="biaslab-tests-")) / "runs.db")
# The runs that come with BiasLab stand beside one's own everywhere; tests of them say so.
os.environ["BIASLAB_RECORDED"] = str(Path(os.environ["BIASLAB_DB"]).parent / "no gallery")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

# No test is timed: how long an example takes depends on what else the machine does. A failure is
# made small but not explained: of a state machine that took minutes, and told little.
settings.register_profile(
    "same",
    deadline=None,
    derandomize=True,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[phase for phase in Phase if phase is not Phase.explain],
)
# The same examples every time, so that a red run is somebody's change; what passed once, passes
# again, so more of them cost every run and find nothing new. `make quick` has fewer, `make explore`
# draws others and ten times as many.
settings.register_profile("quick", settings.get_profile("same"), max_examples=15)
settings.register_profile(
    "explore",
    settings.get_profile("same"),
    derandomize=False,
    print_blob=True,
    max_examples=500,
)
settings.load_profile(os.environ.get("BIASLAB_EXAMPLES", "same"))

# A failure is told within a minute, as small as it has become until then: the library's own limit
# is five minutes, and no setting.
assert engine.MAX_SHRINKING_SECONDS > 30
engine.MAX_SHRINKING_SECONDS = 30


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves modules unread of which no test will run: to read all takes half a minute."""
    if not collection_path.is_file():
        return None
    wanted = config.option.markexpr
    left_out = (
        ("not slow" in wanted and is_slow(collection_path))
        or ("not rest" in wanted and is_rest(collection_path))
        or (wanted.startswith("rest") and not is_rest(collection_path))
    )
    return True if left_out else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tiers and what drives a browser, so that no module says it of itself."""
    for item in items:
        if is_slow(item.path):
            item.add_marker(pytest.mark.slow)
        if is_rest(item.path):
            item.add_marker(pytest.mark.rest)
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]


def find_chromium() -> str:
    """The browser that is installed, or an empty text."""
    return next((path for name in NAMES if (path := shutil.which(name))), "")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    path = find_chromium()
    if not path:
        reason = "No Chromium or Chrome is installed: apt-get install chromium, or see README.md."
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
