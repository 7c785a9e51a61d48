"""Somebody looks inside the model that the page begins with, and sees where its answer turns."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from tests.browser.conftest import Server, Tab

OPENING = 240_000
"""Milliseconds that a process with a model may take on a slow machine with other work to do."""


def test_from_the_button_to_the_swaps_and_the_probe(still: Tab, untouched: Server) -> None:
    page = still.page
    page.goto(f"{untouched.address}/look_inside")
    still.settled()

    # The first pair shows what the page is about.
    page.get_by_role("button", name="Look inside").click()
    decided = page.get_by_role("heading", name="Where it is decided")
    expect(decided).to_be_visible(timeout=OPENING)
    expect(
        page.get_by_text(re.compile("Inconsistent: after .* the reversed answer"))
    ).to_have_count(1)
    expect(page.get_by_text(re.compile("enough to turn it round"))).to_be_visible()

    # The effect of each swap stands in the row of a layer, over its word.
    wide, narrow = page.locator(".st-key-decided-wide"), page.locator(".st-key-decided-narrow")
    expect(wide.locator(".js-plotly-plot")).to_be_visible()
    expect(narrow).to_be_hidden()
    expect(wide.get_by_text("fewer ← more")).to_be_visible()
    page.get_by_text("Effects of swaps: the numbers").click()
    expect(page.get_by_role("button", name="Effects of swaps (CSV)")).to_be_visible()

    # The probe takes longer, so it is asked for, from the keyboard as well.
    page.get_by_role("button", name="Read the operation off").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("A linear probe, which weighs"))).to_be_visible(
        timeout=OPENING
    )
    assert parse_qs(urlsplit(page.url).query)["probe"] == ["yes"]

    # On a phone words are rows, and nothing is wider than the screen.
    page.set_viewport_size({"width": 390, "height": 844})
    expect(narrow.locator(".js-plotly-plot")).to_be_visible()
    expect(wide).to_be_hidden()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390

    assert not still.outside, "something was asked of another machine"
    assert not still.errors
