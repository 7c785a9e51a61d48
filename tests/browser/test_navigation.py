"""The ways: areas and steps to every screen, and how many actions it takes to get something done.

An action is a click, a choice or a text typed. Asking a model that is here takes one, which
`tests/browser/test_first_visit.py` holds.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from biaslab.models import Access
from biaslab.publishing.paper import reproduce
from biaslab.runs import Connection, open_store, remember
from biaslab.ui.models.server_testing import try_server
from biaslab.ui.navigation import AREAS
from tests.browser.conftest import Server, Tab
from tests.servers.running import running


class Actions:
    """Does what a person does and counts it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.done = 0

    def press(self, name: str) -> None:
        """Clicks a button."""
        self.page.get_by_role("button", name=name).click()
        self.done += 1

    def follow(self, name: str) -> None:
        """Clicks a link of the page's own."""
        self.page.get_by_test_id("stMain").get_by_role("link", name=name).first.click()
        self.done += 1

    def open(self, area: str) -> None:
        """Opens an area of the navigation."""
        self.page.get_by_test_id("stTopNavLink").filter(has_text=area).click()
        self.done += 1

    def type(self, label: str, text: str) -> None:
        """Types into a field."""
        self.page.get_by_label(label).fill(text)
        self.done += 1


def connect(server: Server, url: str) -> None:
    access = Access((url,))
    with open_store(server.database) as store:
        found = try_server("openai:tiny", access, {}, lambda _: None)
        assert found.ok, found.problems
        reached = replace(access, endpoint=found.endpoint, served=found.served)
        remember(store, Connection("openai:tiny", reached, found))


def test_three_studies_of_a_model_on_a_server_and_a_paper_in_at_most_ten(
    tab: Tab, server: Server, tmp_path: Path
) -> None:
    with running("tests.servers.tiny_server") as address:
        connect(server, f"{address}/v1")
        _to_a_paper(tab, server, tmp_path / "paper.zip")


def _to_a_paper(tab: Tab, server: Server, paper: Path) -> None:
    page, person = tab.page, Actions(tab.page)
    page.goto(f"{server.address}/models")
    tab.settled()
    person.follow("Several studies")
    person.press("Run 3 runs")
    expect(page.get_by_text("Everything of this is finished.")).to_be_visible()
    person.follow("Compare their results")
    tab.settled()
    with page.expect_download() as download:
        person.press("Paper (ZIP)")
    download.value.save_as(paper)
    found = reproduce(paper)
    assert found.differences == ()
    assert person.done <= 10
    assert not tab.errors


def test_from_start_to_what_a_model_answers_on_twins_of_an_own_problem_in_at_most_four(
    tab: Tab, server: Server
) -> None:
    page, person = tab.page, Actions(tab.page)
    page.goto(server.address)
    tab.settled()
    person.open("Try a problem")
    page.wait_for_url("**/your_problem*")
    person.type(
        "A word problem, the question last",
        "Mia has 24 stickers. Omar has 18 more "
        "stickers than Mia. How many stickers does Omar have?",
    )
    person.press("Read it")
    person.press("Ask 1 model")
    expect(page.get_by_text("not asked yet")).to_have_count(0)
    expect(page.locator("details.bl-outcome").first).to_be_visible()
    assert person.done <= 4
    assert not tab.errors


def test_screens_are_reached_by_doors_and_steps_and_on_a_phone_by_a_list(
    still: Tab, untouched: Server
) -> None:
    page = still.page
    page.goto(untouched.address)
    still.settled()
    top = page.get_by_test_id("stTopNavLink")
    expect(top).to_have_count(len(AREAS))
    page.get_by_role("link", name=re.compile("Try a problem")).click()
    page.wait_for_url("**/your_problem*")
    still.settled()
    expect(page.get_by_role("heading", name="Your problem")).to_be_visible()
    page.get_by_role("link", name="What happened here?").click()
    page.wait_for_url("**/what_happened*")
    still.settled()
    expect(page.get_by_role("heading", name="What happened here?")).to_be_visible()

    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(untouched.address)
    still.settled()
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Studies").click()
    page.wait_for_url("**/compose*")
    still.settled()
    page.get_by_role("link", name=re.compile("Quality review")).first.click()
    page.wait_for_url("**/review*")
    still.settled()
    expect(page.get_by_role("heading", name="Quality review")).to_be_visible()
    assert not still.errors


def test_on_a_phone_the_step_shown_is_in_view_among_its_steps(
    still: Tab, untouched: Server
) -> None:
    page = still.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{untouched.address}/runs")
    still.settled()
    if not page.evaluate("CSS.supports('scroll-initial-target', 'nearest')"):
        pytest.skip("this browser does not know where to begin")
    steps = page.locator(".st-key-steps")
    expect(steps.get_by_role("link", name="Runs", exact=False)).to_be_in_viewport(ratio=0.5)
    expect(steps.get_by_role("link", name="Compose", exact=False)).not_to_be_in_viewport()


def test_a_screen_behind_a_door_marks_its_door(still: Tab, untouched: Server) -> None:
    page = still.page
    page.goto(f"{untouched.address}/items")
    still.drawn()
    marks = page.get_by_test_id("stTopNavLink").evaluate_all(
        "links => links.map(link => [link.innerText.trim().split('\\n').pop(),"
        " getComputedStyle(link).backgroundColor])"
    )
    plain = {color for title, color in marks if title not in ("Results",)}
    (marked,) = {color for title, color in marks if title == "Results"}
    assert len(plain) == 1
    assert marked not in plain


def test_addresses_of_before_lead_where_they_led(still: Tab, untouched: Server) -> None:
    page = still.page
    for address, title in {"effects": "Effects", "guess": "Guess the mal-rule"}.items():
        page.goto(f"{untouched.address}/{address}")
        still.settled()
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    assert not still.errors
