"""Settings and the browser shared by all tests."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
# Nothing that a test writes by default goes to where the person who runs it keeps their own.
os.environ["BIASLAB_DB"] = str(Path(tempfile.mkdtemp(prefix="biaslab-tests-")) / "runs.db")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

# No test is timed: how long an example takes depends on what else the machine does. A failure is
# made small but not explained: of a state machine that took minutes, and told little.
settings.register_profile(
    "same",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[phase for phase in Phase if phase is not Phase.explain],
)
# The same examples every time, so that a red run is somebody's change; `make quick` has fewer of
# them, `make explore` draws others and more.
settings.register_profile("quick", settings.get_profile("same"), max_examples=15)
settings.register_profile(
    "explore",
    settings.get_profile("same"),
    derandomize=False,
    print_blob=True,
    max_examples=500,
)
settings.load_profile(os.environ.get("BIASLAB_EXAMPLES", "same"))

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
