"""The way to every screen: seven doors, and the steps inside each."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from biaslab.ui.navigation import DOORS
from tests.browser.conftest import Tab


def test_screens_are_reached_by_doors_and_steps_and_on_a_phone_by_a_list(tab: Tab, server) -> None:
    page = tab.page
    page.goto(server.address)
    tab.settled()
    top = page.get_by_test_id("stTopNavLink")
    expect(top).to_have_count(len(DOORS))
    page.get_by_role("link", name=re.compile("Try a problem")).click()
    page.wait_for_url("**/your_problem*")
    tab.settled()
    expect(page.get_by_role("heading", name="Your problem")).to_be_visible()
    page.get_by_role("link", name="What happened here?").click()
    page.wait_for_url("**/what_happened*")
    tab.settled()
    expect(page.get_by_role("heading", name="What happened here?")).to_be_visible()

    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server.address)
    tab.settled()
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Studies").click()
    page.wait_for_url("**/compose*")
    tab.settled()
    page.get_by_role("link", name=re.compile("Quality review")).first.click()
    page.wait_for_url("**/review*")
    tab.settled()
    expect(page.get_by_role("heading", name="Quality review")).to_be_visible()
    assert not tab.errors


def test_a_screen_behind_a_door_marks_its_door(tab: Tab, server) -> None:
    page = tab.page
    page.goto(f"{server.address}/items")
    tab.settled()
    marks = page.get_by_test_id("stTopNavLink").evaluate_all(
        "links => links.map(link => [link.innerText.trim().split('\\n').pop(),"
        " getComputedStyle(link).backgroundColor])"
    )
    plain = {color for title, color in marks if title not in ("Results",)}
    (marked,) = {color for title, color in marks if title == "Results"}
    assert len(plain) == 1
    assert marked not in plain


def test_addresses_of_before_lead_where_they_led(tab: Tab, server) -> None:
    page = tab.page
    for address, title in {"effects": "Effects", "guess": "Guess the mal-rule"}.items():
        page.goto(f"{server.address}/{address}")
        tab.settled()
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    assert not tab.errors
