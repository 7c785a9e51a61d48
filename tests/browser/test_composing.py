"""What a person does who builds a structure: builds, breaks, mends, keeps, and sends a link."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as NotInTime

from biaslab.runs import newest_designs, open_store
from tests.browser.conftest import Server, Tab, open_tab
from tests.conftest import DEADLINE_MS

BUILT = "container . comparison+ inconsistent . transfer-"


def test_a_structure_is_built_broken_mended_kept_and_sent(tab: Tab, server: Server) -> None:
    page = tab.page
    page.goto(f"{server.address}/compose?study=composed&structure=container")
    tab.settled()

    # Two parts are added, each with a few clicks, and the line follows.
    _press(tab, "Compares")
    page.get_by_role("radio", name="Inconsistent").click()
    _line(page, "container . comparison inconsistent")
    page.get_by_role("radiogroup", name="Calculation that it needs").get_by_text(
        "+", exact=True
    ).click()
    _line(page, "container . comparison+ inconsistent")
    _press(tab, "Gives or gets")
    page.get_by_role("radio", name="− gives").click()
    _line(page, BUILT)
    tab.settled()
    expect(page.locator("section.bl-card")).to_have_count(2)
    expect(page.get_by_text("Pair 1 of 200.")).to_be_visible()

    # Somebody is compared with themselves: the reason stands beside the choice.
    page.get_by_role("radio", name=re.compile("^2. A has some fewer")).check(force=True)
    expect(page.get_by_text("Part 2", exact=True)).to_be_visible()
    _choose(tab, "Compared with", "B")
    expect(page.get_by_text("B is compared with themselves.")).to_be_visible()
    expect(page.locator("mark", has_text="comparison+ inconsistent B:B")).to_be_visible()
    expect(page.locator("section.bl-card")).to_have_count(0)

    # It is mended at the same place.
    _choose(tab, "Compared with", "A")
    expect(page.locator("section.bl-card")).to_have_count(2)
    expect(page.get_by_text("is compared with themselves")).to_have_count(0)
    text = page.locator("section.bl-card").first.inner_text()

    # It is kept under a name, and its link shows the same pair in another tab. (What is clicked
    # while the page is still being drawn anew is lost.)
    tab.settled()
    page.get_by_text("Export, paper, keep").click()
    tab.settled()
    page.get_by_role("radio", name="Keep this design").click()
    name = page.get_by_role("textbox", name="Save it here under a name")
    name.fill("Fewer, then give")
    name.press("Enter")
    expect(page.get_by_text("Saved as “Fewer, then give”, version 1.")).to_be_visible()
    link = page.get_by_text(re.compile("compose.study=composed")).first.inner_text()
    with open_store(server.database) as store:
        (saved,) = newest_designs(store)
    assert saved.design.settings["structure"] == BUILT.replace("inconsistent", "inconsistent B:A")
    other = open_tab(page.context, server.address)
    other.page.goto(link)
    other.settled()
    expect(other.page.locator("section.bl-card").first).to_have_text(text, use_inner_text=True)

    assert not tab.outside + other.outside, "something was asked of another machine"
    assert not tab.errors + other.errors


def _press(tab: Tab, name: str) -> None:
    tab.page.get_by_role("button", name=name).click()
    tab.settled()


_TRIES = 20


def _choose(tab: Tab, label: str, option: str) -> None:
    """Opens a list by the keyboard; a page that is being drawn anew closes it again."""
    wanted = tab.page.get_by_role("option", name=option, exact=True)
    for _ in range(_TRIES):
        tab.settled()
        tab.page.get_by_role("combobox", name=label).press("ArrowDown")
        try:
            wanted.click(timeout=DEADLINE_MS / _TRIES)
        except NotInTime:
            continue
        return
    raise AssertionError(f"The list {label!r} did not open.")


def _line(page: Page, text: str) -> None:
    expect(page.get_by_role("textbox", name="The same as one line of text")).to_have_value(text)
