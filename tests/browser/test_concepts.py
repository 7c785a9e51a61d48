"""What a person does on the page Concepts: build one, go to asking, read the results."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from biaslab.runs import open_store, prepare, run_here
from biaslab.studies import Design
from tests.browser.conftest import Server, Tab
from tests.browser.test_accessibility import MOST_WORDS, WORDS


def test_from_a_concept_to_asking_and_to_the_results(tab: Tab, server: Server) -> None:
    with open_store(server.database) as store:
        run = prepare(store, Design("concept-learning", 60, 1), "learner:up-biased", "likelihood")
        run_here(store, run)
    page = tab.page
    page.goto(f"{server.address}/concepts")
    tab.settled()
    expect(page.locator(".js-plotly-plot")).to_have_count(2)

    # What stands there at first is little.
    assert page.evaluate(WORDS) <= MOST_WORDS

    # Another concept, typed: its pictures follow, and it stands in the address.
    page.get_by_text("Change the concept").click()
    box = page.get_by_label("Concept", exact=True)
    box.click()
    box.fill("at least 1/2")
    box.press("Enter")
    page.get_by_text("What exactly is asked").click()
    expect(page.get_by_text("“at least 1/2” is upward")).to_be_visible()
    page.wait_for_url("**concept=at*least*1*2*")
    tab.settled()
    assert parse_qs(urlsplit(page.url).query)["concept"] == ["at least 1/2"]

    # Asking takes the design along.
    page.get_by_role("button", name="Ask a model").click()
    page.wait_for_url("**/compose?**")
    tab.settled()
    address = parse_qs(urlsplit(page.url).query)
    assert address["study"] == ["concept-learning"]
    assert address["concept"] == ["at least 1/2"]

    # The results of a run have a link.
    page.goto(f"{server.address}/concepts?view=results&runs={run}")
    tab.settled()
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    expect(page.get_by_text("60 matched pairs, p ")).to_be_visible()
    assert tab.errors == []
    assert tab.outside == []
