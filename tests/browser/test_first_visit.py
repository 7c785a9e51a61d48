"""What a person who has just started the app does: demo, result, single problems, a look inside."""

from __future__ import annotations

import re
import sqlite3
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from tests.browser.conftest import Server, Tab


def test_from_the_first_click_to_a_single_problem(tab: Tab, server: Server) -> None:
    page = tab.page
    page.goto(server.address)
    tab.settled()

    # Both models are asked in processes of their own and their progress is shown in place.
    page.get_by_role("button", name="Run the demo").click()
    result = page.get_by_role("button", name="See the result")
    result.wait_for()
    expect(page.get_by_role("heading", name="The demo has been run")).to_be_visible()
    with sqlite3.connect(server.database) as file:
        runs = file.execute("SELECT status, pairs_total FROM runs").fetchall()
    assert runs == [("finished", 150)] * 2

    # The result names n, both accuracies and the interval of each, with one chart.
    result.click()
    expect(page.get_by_role("heading", name="Demo", exact=True)).to_be_visible()
    tab.settled()
    expect(
        page.get_by_text(re.compile(r"problems right, a difference of .*150 pairs"))
    ).to_have_count(2)
    expect(page.locator(".js-plotly-plot")).to_have_count(1)

    # A count leads to the problems behind it.
    page.get_by_role("link", name=re.compile("pairs with only “consistent” right")).first.click()
    expect(page.get_by_role("heading", name="Items", exact=True)).to_be_visible()
    tab.settled()
    assert _address(tab)["pattern"] == ["only x right"]
    expect(page.locator("section.bl-card")).to_have_count(2)
    # The demo asks for reasoning first, so either member has two responses.
    expect(page.get_by_text(re.compile("^Response 2 of 2"))).to_have_count(2)

    # The next pair has a link of its own, and the link opens it again.
    page.get_by_role("button", name=re.compile(r"^Next Shortcut")).click()
    expect(page.get_by_text(re.compile(r"^2 of \d+$"))).to_be_visible()
    tab.settled()
    heading = page.get_by_role("heading", name=re.compile(r"^Pair \d+$")).inner_text()
    page.goto(page.url)
    tab.settled()
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()

    # Home offers the result at once, now that it is there.
    page.goto(server.address)
    tab.settled()
    expect(page.get_by_role("button", name="See the result")).to_be_visible()

    assert not tab.outside, "something was asked of another machine"
    assert not tab.errors


def test_a_look_inside_shows_the_swaps_and_the_probe(still: Tab, untouched: Server) -> None:
    page = still.page
    page.goto(f"{untouched.address}/look_inside")
    still.settled()

    # The first pair shows what the page is about.
    page.get_by_role("button", name="Look inside").click()
    decided = page.get_by_role("heading", name="Where it is decided")
    expect(decided).to_be_visible()
    expect(
        page.get_by_text(re.compile("Inconsistent: after .* the reversed answer"))
    ).to_have_count(1)
    expect(page.get_by_text(re.compile("enough to turn it round"))).to_be_visible()

    # The effect of each swap stands in the row of a layer, over its word.
    wide, narrow = page.locator(".st-key-decided-wide"), page.locator(".st-key-decided-narrow")
    expect(wide.locator(".js-plotly-plot").first).to_be_visible()
    expect(narrow).to_be_hidden()
    expect(wide.get_by_text("fewer ← more")).to_be_visible()
    page.get_by_text("Effects of swaps: the numbers").click()
    expect(page.get_by_role("button", name="Effects of swaps (CSV)")).to_be_visible()

    # The probe takes longer, so it is asked for, from the keyboard as well.
    page.get_by_role("button", name="Read the operation off").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("A linear probe, which weighs"))).to_be_visible()
    still.settled()
    assert _address(still)["probe"] == ["yes"]

    # While a page is drawn anew, its charts of before stand beside those of now for a moment.
    # On a phone words are rows, and nothing is wider than the screen.
    page.set_viewport_size({"width": 390, "height": 844})
    expect(narrow.locator(".js-plotly-plot").first).to_be_visible()
    expect(wide).to_be_hidden()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390

    assert not still.outside, "something was asked of another machine"
    assert not still.errors


def _address(tab: Tab) -> dict[str, list[str]]:
    return parse_qs(urlsplit(tab.page.url).query)
