"""Every screen in one visit: what axe-core finds, light and dark, how many words, its action."""

from __future__ import annotations

from contextlib import suppress
from importlib.resources import files

from playwright.sync_api import Page, ViewportSize, expect
from playwright.sync_api import TimeoutError as NotInTime

from biaslab.runs import open_store, prepare, run_here
from biaslab.studies import Design
from biaslab.ui.navigation import (
    BIASES,
    CHECK_TUTOR,
    CONCEPTS,
    EFFECTS,
    HOME,
    ITEMS,
    LOGS,
    MALGORITHMS,
    ORIGINS,
    RESULTS,
    RUNS,
    SCREENS,
)
from tests.browser.conftest import Server, Tab
from tests.conftest import DEADLINE_MS

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")

DESIGNS = [
    (Design("consistency", 30, 1), "learner:keyword", "direct"),
    (Design("consistency", 30, 1), "learner:keyword", "cot"),
    (Design("malgorithm", 30, 1, {"pictures": "shown"}), "learner:key-drawn", "simple"),
    (Design("concept-learning", 30, 1), "learner:up-biased", "likelihood"),
    (Design("decision", 20, 1, {"bias": "anchoring"}), "learner:anchored", "choose"),
]
"""Two runs of one model, and one of each other study."""


WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}

MOST_WORDS = 120
"""On a page before anything was run: prose and labels; no text of a problem, nothing folded."""

OVER = "main => main.scrollWidth - main.clientWidth"
"""Pixels that a page is wider than its window."""

FITS = """() => {
    const main = document.querySelector('[data-testid="stMain"]');
    return main.scrollWidth <= main.clientWidth;
}"""

SHIPS_RESULTS = {
    HOME: 250, ORIGINS: 450, ITEMS: 1_100, MALGORITHMS: 1_100,
    RESULTS: 650,  # a table of every recorded run, of eight studies
    **dict.fromkeys((EFFECTS, RUNS, CONCEPTS, BIASES, CHECK_TUTOR, LOGS), 550),
}  # fmt: skip
"""Screens that show what was measured before: charts, recorded runs, whole responses of models."""

WORDS = """() => {
    // Icons are letters of a font, drawn by their names; nobody reads those.
    const icons = '[data-testid="stIconMaterial"]';
    const problems = '.bl-text, .bl-sheet, [data-testid="stCode"]';
    const style = document.createElement('style');
    style.textContent = `${icons}, ${problems} { display: none }`;
    document.head.append(style);
    const text = document.querySelector('[data-testid="stMainBlockContainer"]').innerText;
    style.remove();
    return text.split(/\\s+/).filter(word => /[\\p{L}\\p{N}]/u.test(word)).length;
}"""


LOOK = """async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(broken => broken.nodes.map(
        node => `${broken.id}: ${node.html.slice(0, 200)} ${node.failureSummary}`
    ));
}"""


DARK = "rgb(14, 17, 23)"
"""The background of the dark theme, #0E1117."""


def findings(tab: Tab) -> list[str]:
    """What axe finds on the page as it is shown now, a line each."""
    # Boxes are laid out anew when letters have come, and scroll until then.
    tab.page.evaluate("document.fonts.ready.then(() => true)")
    tab.page.evaluate(AXE)
    found: list[str] = tab.page.evaluate(LOOK)
    return found


def still_over(page: Page) -> int:
    """Pixels that a page stays wider than its window once it has been laid out."""
    with suppress(NotInTime):
        page.wait_for_function(FITS, timeout=DEADLINE_MS)
    over: int = page.get_by_test_id("stMain").evaluate(OVER)
    return over


def test_no_screen_before_anything_was_run_shuts_anybody_out_is_wordy_or_hides_its_action(
    still: Tab, untouched: Server
) -> None:
    page = still.page
    shut, wordy, wider, below = [], [], [], []
    for screen in SCREENS:
        page.set_viewport_size(WIDE)
        page.goto(f"{untouched.address}/{screen.name}")
        still.drawn()
        shut += [f"{screen.title}: {each}" for each in findings(still)]
        words = page.evaluate(WORDS)
        if words > SHIPS_RESULTS.get(screen, MOST_WORDS):
            wordy.append((screen.title, words))
        action = page.get_by_test_id("stBaseButton-primary").first
        for size in (WIDE, PHONE):
            page.set_viewport_size(size)
            if over := still_over(page):
                wider.append((screen.title, size, over))
            box = action.bounding_box() if action.count() else None
            if box is not None and box["y"] + box["height"] > size["height"]:
                below.append((screen.title, size, round(box["y"])))
    assert shut == []
    assert wordy == []
    assert wider == []
    assert below == []
    assert not still.errors


def test_no_screen_shuts_anybody_out_when_runs_are_there_light_or_dark(
    tab: Tab, server: Server
) -> None:
    with open_store(server.database) as store:
        for design, model, strategy in DESIGNS:
            run_here(store, prepare(store, design, model, strategy))
    found = []
    for screen in SCREENS:
        tab.page.emulate_media(color_scheme="light")
        tab.page.goto(f"{server.address}/{screen.name}")
        tab.drawn()
        found += [f"{screen.title}, light: {each}" for each in findings(tab)]
        tab.page.emulate_media(color_scheme="dark")
        if tab.page.locator(".js-plotly-plot").count():
            # Pages change their colours at once, charts with the next run of their script.
            tab.page.reload()
        tab.drawn()
        expect(tab.page.get_by_test_id("stApp")).to_have_css("background-color", DARK)
        found += [f"{screen.title}, dark: {each}" for each in findings(tab)]
    assert found == []
    assert not tab.errors


def test_a_contrast_that_is_too_weak_is_found(still: Tab, untouched: Server) -> None:
    still.page.goto(untouched.address)
    still.settled()
    still.page.evaluate("document.querySelector('h1').style.color = '#888888'")
    still.page.evaluate("document.querySelector('h1').style.background = '#8a8a8a'")
    still.page.evaluate(AXE)
    result = still.page.evaluate("axe.run(document.querySelector('h1'))")
    assert "color-contrast" in {broken["id"] for broken in result["violations"]}


def test_a_new_screen_begins_at_its_top(still: Tab, untouched: Server) -> None:
    page = still.page
    page.goto(f"{untouched.address}/compose")
    still.settled()
    # However early the new screen's contents come, and however long they are.
    page.add_style_tag(content=".stMainBlockContainer { min-height: 5000px }")
    page.locator("[data-testid='stMain']").evaluate("main => main.scrollTo(0, main.scrollHeight)")
    page.get_by_role("link", name="Results", exact=True).click()
    # The address changes before the new screen is there: its heading says that it is.
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    still.settled()
    assert page.locator("[data-testid='stMain']").evaluate("main => main.scrollTop") == 0
