"""What a person who has just started the app does: a finding, its item and effect; do it again."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from tests.browser.conftest import Server, Tab
from tests.browser.test_navigation import connect
from tests.conftest import wait_for
from tests.servers.running import running


def test_from_a_fresh_start_to_a_recorded_pair_its_item_and_its_effect(
    still: Tab, untouched: Server
) -> None:
    page = still.page
    page.goto(untouched.address)
    still.drawn()
    expect(page.get_by_text("when the same sentence is turned round")).to_be_visible()
    bars = page.locator("figure.bl-bars strong")
    expect(bars).to_have_text(["43 of 50", "16 of 50"])
    # Either response is there whole, at a click.
    whole = page.locator(".bl-words details").last
    expect(whole.locator(".bl-pre").first).to_be_hidden()
    whole.locator("summary").click()
    expect(whole.locator(".bl-pre").first).to_be_visible()
    said = whole.locator(".bl-pre").first.inner_text()

    # The pair is an item of the recorded run, with the same words.
    page.get_by_role("link", name="This pair, in full").click()
    expect(page.get_by_role("heading", name="Items", exact=True)).to_be_visible()
    still.settled()
    run, pair = _address(still)["run"], _address(still)["pair"]
    expect(page.locator("section.bl-card")).to_have_count(2)
    expect(page.locator("section.bl-card .bl-pre").filter(has_text=said[-40:])).to_be_visible()
    assert run[0].startswith("r")
    assert pair

    # Its effect has the figures of the first screen, with every test beside them.
    page.go_back()
    still.drawn()
    page.get_by_role("link", name="The effect, with every test").click()
    expect(page.get_by_role("heading", name="Effects", exact=True)).to_be_visible()
    still.drawn()
    assert _address(still)["run" if "run" in _address(still) else "runs"] == run
    expect(page.locator(".js-plotly-plot").first).to_be_visible()

    assert not still.outside, "something was asked of another machine"
    assert not still.errors


def test_from_start_to_the_finished_check_of_a_recorded_tutor_in_one_click(
    still: Tab, untouched: Server
) -> None:
    page = still.page
    page.goto(untouched.address)
    still.drawn()
    page.get_by_role("main").get_by_role("link", name="Check a tutor").click()
    expect(page.get_by_role("heading", name="Check a tutor", exact=True)).to_be_visible()
    cards = page.locator(".bl-check .bl-card")
    expect(cards).to_have_count(5)
    expect(page.get_by_text("Recorded on")).to_be_visible()
    # Every line has a conversation of the real model, word for word.
    for card in cards.all():
        card.get_by_text("An example conversation").click()
        expect(card.locator(".bl-pre").last).to_be_visible()
    expect(page.get_by_text("What this does not say")).to_be_visible()
    assert not still.outside, "something was asked of another machine"
    assert not still.errors


def test_a_model_that_answers_here_gets_its_own_bars_with_one_click(
    tab: Tab, server: Server
) -> None:
    page = tab.page
    with running("tests.servers.tiny_server") as address:
        connect(server, f"{address}/v1")
        page.goto(server.address)
        tab.settled()
        page.get_by_role("button", name="Do it again").click()
        # How far it is shows in place, and then what came of it beside the recorded bars.
        expect(page.get_by_text(re.compile("asked here: .*20"))).to_be_visible()
        expect(page.locator("figure.bl-bars")).to_have_count(2)
        with closing(sqlite3.connect(server.database)) as file:
            # The last answers may be on the screen a moment before the run is told to be finished.
            asked = file.execute("SELECT pairs_total FROM runs").fetchall()
            wait_for(lambda: file.execute("SELECT status FROM runs").fetchall() == [("finished",)])
    assert asked == [(50,)]
    assert not tab.outside, "something was asked of another machine"
    assert not tab.errors


def test_two_tiny_models_are_asked_where_biases_come_from(tab: Tab, server: Server) -> None:
    page = tab.page
    page.goto(f"{server.address}/origins")
    tab.settled()
    page.get_by_role("link", name="Two tiny models").click()
    expect(page.get_by_text("one was taught to err")).to_be_visible()

    # Both models are asked in processes of their own and their progress is shown in place.
    page.get_by_role("button", name="Ask both").click()
    expect(
        page.get_by_text(re.compile(r"problems right, a difference of .*150 pairs"))
    ).to_have_count(2)
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    expect(page.get_by_role("link", name="Look inside while they read")).to_be_visible()
    with sqlite3.connect(server.database) as file:
        runs = file.execute("SELECT status, pairs_total FROM runs").fetchall()
    assert runs == [("finished", 150)] * 2

    # A count leads to the problems behind it.
    page.get_by_role("link", name=re.compile("pairs with only “consistent” right")).first.click()
    expect(page.get_by_role("heading", name="Items", exact=True)).to_be_visible()
    tab.settled()
    assert _address(tab)["pattern"] == ["only x right"]
    expect(page.locator("section.bl-card")).to_have_count(2)
    # They are asked for reasoning first, so either member has two responses.
    expect(page.get_by_text(re.compile("^Response 2 of 2"))).to_have_count(2)

    # The next pair has a link of its own, and the link opens it again.
    page.get_by_role("button", name=re.compile(r"^Next Shortcut")).click()
    expect(page.get_by_text(re.compile(r"^2 of \d+$"))).to_be_visible()
    tab.settled()
    heading = page.get_by_role("heading", name=re.compile(r"^Pair \d+$")).inner_text()
    page.goto(page.url)
    tab.settled()
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()

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
