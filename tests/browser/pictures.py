"""The pictures of the docs, one for each area, taken of the app with answers of models that ship.

    python -m tests.browser.pictures

writes them to docs/pictures: the first screen, a wrong answer explained, two problems that differ
in some words, what two tiny models made of 150 pairs, a made-up class in groups, a round of the
game, the wall of a rehearsed room, and effects by training mix. A minute.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import sync_playwright

from biaslab.room import RoomState, open_rooms, questions_of, rehearse
from biaslab.runs import open_store, prepare, run_here
from biaslab.studies import experiment
from biaslab.ui.training.demo import DESIGN, MODELS, STRATEGY
from tests.browser.conftest import Server, Tab, open_tab, start
from tests.conftest import DEADLINE, FLAGS, find_chromium

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
SIZE = (1280, 720)


class Picture(NamedTuple):
    """One of them.

    Attributes:
        path: of the page.
        there: what it must show, which stands in its middle where it is not the page's beginning.
        middle: whether it does.
        pressed: the button that is pressed before.
    """

    path: str
    there: str
    middle: bool = False
    pressed: str = ""


PICTURES = {
    "start": Picture("/", "figure.bl-bars"),
    "what-happened": Picture(
        "/what_happened?problem=702+-+345&answer=443", ".bl-diagnosis, .bl-card", middle=True
    ),
    "compose": Picture("/compose?study=consistency&n=200&pair=2", "section.bl-card"),
    "effects": Picture("/effects?runs={runs}&by=all", ".js-plotly-plot .main-svg", middle=True),
    "your-class": Picture(
        "/your_class?step=answers", "section.bl-sheet",
        pressed="Try it with a made-up class",
    ),
    "guess": Picture("/guess", "section.bl-guess"),
    "wall": Picture("/wall?room={room}", ".bl-wall-shares"),
    "origins": Picture("/origins", ".js-plotly-plot .main-svg"),
}  # fmt: skip


def main() -> None:
    """Opens the app, takes the first picture, asks the models, takes the others."""
    # The first screen says where everything is kept, in words that are true on every computer.
    kept = tempfile.TemporaryDirectory(prefix="biaslab-", dir=Path.home())
    with kept as place, sync_playwright() as playwright:
        database = Path(place) / "runs.db"
        process, server = start(database, Path(place) / "server.log")
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        width, height = SIZE
        context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB")
        context.request.get(server.start)
        tab = open_tab(context, server.address)
        try:
            _take(tab, server, "start", {})
            shown = {"runs": _ask(database), "room": _rehearse(database)}
            for name in PICTURES:
                if name != "start":
                    _take(tab, server, name, shown)
        finally:
            browser.close()
            process.terminate()
            process.wait(timeout=DEADLINE)


def _ask(database: Path) -> str:
    """Runs the demo; gives its runs as an address has them."""
    with open_store(database) as store:
        runs = [prepare(store, DESIGN, model, STRATEGY) for model in MODELS]
        for run in runs:
            run_here(store, run)
    return ",".join(runs)


def _rehearse(database: Path) -> str:
    """Fills a room with simulated people and reveals it; gives its id."""
    study = experiment(DESIGN.study)
    with open_rooms(database.with_name("rooms.db")) as rooms:
        asked = questions_of(study, study.pairs(replace(DESIGN, n=10)))
        room = rehearse(rooms, rooms.open_room("A rehearsal", asked, study.name).id, 30, 0.2, 1)
        return rooms.move(room.id, RoomState.REVEALED).id


def _take(tab: Tab, server: Server, name: str, shown: Mapping[str, str]) -> None:
    picture = PICTURES[name]
    tab.page.goto(server.address + picture.path.format(**shown))
    tab.drawn()
    if picture.pressed:
        tab.page.get_by_role("button", name=picture.pressed).click()
        tab.drawn()
    there = tab.page.locator(picture.there).first
    there.wait_for()
    tab.page.wait_for_load_state("networkidle")
    if picture.middle:
        there.evaluate("box => box.scrollIntoView({block: 'center'})")
    tab.page.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()
