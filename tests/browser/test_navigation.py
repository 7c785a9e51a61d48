"""The way to every screen: menus on a wide page, a list at the side of a narrow one."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Tab


def test_screens_are_reached_by_menus_and_on_a_phone_by_a_list(tab: Tab, server) -> None:
    page = tab.page
    page.goto(server.address)
    tab.settled()
    page.get_by_text("Make pairs", exact=True).click()
    page.get_by_role("menuitem", name=re.compile("Your problem")).first.click()
    page.wait_for_url("**/your_problem*")
    tab.settled()
    expect(page.get_by_role("heading", name="Your problem")).to_be_visible()

    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server.address)
    tab.settled()
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_role("link", name=re.compile("Quality review")).first.click()
    page.wait_for_url("**/review*")
    tab.settled()
    expect(page.get_by_role("heading", name="Quality review")).to_be_visible()
    assert not tab.errors
