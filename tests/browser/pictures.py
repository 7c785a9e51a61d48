"""The pictures of the README, taken of the app itself with answers of the models that ship.

    python -m tests.browser.pictures

writes compose.png and effects.png to docs/pictures: two problems that differ in some words, and
what two tiny models made of 150 pairs. Half a minute.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from biaslab.keeping.word_problems.demonstration import DESIGN, MODELS, STRATEGY
from biaslab.runs import open_store, prepare, run_here
from tests.browser.conftest import Server, open_tab, start
from tests.conftest import FLAGS, find_chromium

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
SIZE = (1280, 720)


def main() -> None:
    """Asks the models, opens the app, takes both pictures."""
    with tempfile.TemporaryDirectory() as place:
        database = Path(place) / "runs.db"
        with open_store(database) as store:
            runs = [prepare(store, DESIGN, model, STRATEGY) for model in MODELS]
            for run in runs:
                run_here(store, run)
        process, server = start(database, Path(place) / "server.log")
        try:
            _take(server, ",".join(runs))
        finally:
            process.terminate()
            process.wait(timeout=30)


def _take(server: Server, runs: str) -> None:
    width, height = SIZE
    shown = {
        "compose": ("/compose?study=consistency&steps=2-2&pair=2", "section.bl-card"),
        "effects": (f"/effects?runs={runs}&by=all", ".js-plotly-plot .main-svg"),
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale="en-GB", device_scale_factor=1.25
        )
        context.request.get(server.start)
        tab = open_tab(context, server.address)
        for name, (path, there) in shown.items():
            tab.page.goto(server.address + path)
            tab.settled()
            tab.page.locator(there).first.wait_for()
            tab.page.wait_for_load_state("networkidle")
            tab.page.locator(there).first.evaluate("box => box.scrollIntoView({block: 'center'})")
            tab.page.screenshot(path=FOLDER / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
