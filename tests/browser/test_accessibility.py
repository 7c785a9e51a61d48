"""Every screen, empty and filled, light and dark: what axe-core finds, and where it begins."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Browser

from biaslab.runs import open_store, prepare, run_here
from biaslab.studies import Design
from biaslab.ui.navigation import SCREENS
from tests.browser.conftest import Server, Tab, open_tab

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")

SEVERE = {"serious", "critical"}
ORDERS = {"heading-order", "page-has-heading-one", "landmark-one-main"}
"""Of less weight to axe, and held all the same: how somebody who hears a page finds the way."""

DESIGNS = [
    (Design("consistency", 30, 1), "learner:keyword", "direct"),
    (Design("consistency", 30, 1), "learner:keyword", "cot"),
    (Design("malgorithm", 30, 1, {"pictures": "shown"}), "learner:key-drawn", "simple"),
    (Design("concept-learning", 30, 1), "learner:up-biased", "likelihood"),
    (Design("decision", 20, 1, {"bias": "anchoring"}), "learner:anchored", "choose"),
]
"""Two runs of one model, and one of each other study."""


LIGHT = pytest.mark.parametrize("look", ["light"], indirect=True)
LIGHT_AND_DARK = pytest.mark.parametrize("look", ["light", "dark"], indirect=True)


@pytest.fixture
def look(request, chromium: Browser, server: Server) -> Iterator[Tab]:
    context = chromium.new_context(
        viewport={"width": 1280, "height": 900}, locale="en-GB", color_scheme=request.param
    )
    context.request.get(server.start)
    yield open_tab(context, server.address)
    context.close()


LOOK = """async ([severe, orders]) => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    const held = violations.filter(
        broken => severe.includes(broken.impact) || orders.includes(broken.id)
    );
    return held.flatMap(broken => broken.nodes.map(
        node => `${broken.id}: ${node.html.slice(0, 200)} ${node.failureSummary}`
    ));
}"""


def findings(tab: Tab, server: Server) -> list[str]:
    """What axe finds on all screens, a line each."""
    found = []
    for screen in SCREENS:
        tab.page.goto(f"{server.address}/{screen.path.stem}")
        tab.settled()
        # Boxes are laid out anew when letters have come, and scroll until then.
        tab.page.wait_for_load_state("networkidle")
        tab.page.evaluate("document.fonts.ready.then(() => true)")
        tab.page.evaluate(AXE)
        held = [sorted(SEVERE), sorted(ORDERS)]
        found += [f"{screen.title}: {each}" for each in tab.page.evaluate(LOOK, held)]
    return found


@LIGHT
def test_no_screen_shuts_anybody_out_before_anything_was_run(look: Tab, server: Server) -> None:
    assert findings(look, server) == []


@LIGHT_AND_DARK
def test_no_screen_shuts_anybody_out_when_runs_are_there(look: Tab, server: Server) -> None:
    with open_store(server.database) as store:
        for design, model, strategy in DESIGNS:
            run_here(store, prepare(store, design, model, strategy))
    assert findings(look, server) == []
    assert not look.errors


@LIGHT
def test_a_contrast_that_is_too_weak_is_found(look: Tab, server: Server) -> None:
    look.page.goto(server.address)
    look.settled()
    look.page.evaluate("document.querySelector('h1').style.color = '#888888'")
    look.page.evaluate("document.querySelector('h1').style.background = '#8a8a8a'")
    look.page.evaluate(AXE)
    result = look.page.evaluate("axe.run(document.querySelector('h1'))")
    assert "color-contrast" in {broken["id"] for broken in result["violations"]}


@LIGHT
def test_a_new_screen_begins_at_its_top(look: Tab, server: Server) -> None:
    page = look.page
    page.goto(f"{server.address}/compose")
    look.settled()
    page.locator("[data-testid='stMain']").evaluate("main => main.scrollTo(0, main.scrollHeight)")
    page.get_by_role("link", name="Results", exact=True).click()
    page.wait_for_url("**/results*")
    look.settled()
    assert page.locator("[data-testid='stMain']").evaluate("main => main.scrollTop") == 0
