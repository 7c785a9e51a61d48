"""What a person does on the page Malgorithms: from a cell of the heat map to the reasons."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from biaslab.runs import open_store, prepare, run_here
from biaslab.studies import Design
from tests.browser.conftest import Server, Tab


def test_from_a_cell_of_the_heat_map_to_the_reasons(tab: Tab, server: Server) -> None:
    with open_store(server.database) as store:
        run = prepare(store, Design("malgorithm", 90, 1), "learner:key-drawn", "cot")
        run_here(store, run)
    page = tab.page
    page.goto(f"{server.address}/malgorithms")
    tab.settled()
    expect(page.locator(".js-plotly-plot")).to_have_count(3)

    # A cell opens the questions behind it.
    cell = page.locator(".js-plotly-plot").first.locator(".barlayer .point path").nth(1)
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 4, box["y"] + box["height"] / 4
    page.mouse.move(x - 2, y)
    page.mouse.move(x, y)
    page.wait_for_timeout(300)
    page.mouse.click(x, y)
    expect(page.get_by_role("heading", name=re.compile(r"^Question \d+$"))).to_be_visible()
    tab.settled()
    address = parse_qs(urlsplit(page.url).query)
    assert address["view"] == ["questions"]
    assert {"grade", "dok"} <= set(address)

    # Every choice has its verdict in words, and the reasoning below.
    expect(page.locator("section.bl-card .bl-arm")).to_have_count(4)
    expect(page.get_by_text(re.compile("^[✓✗] (Right|Wrong): named rationale"))).to_have_count(4)
    expect(page.get_by_text("Why, in its own words")).to_have_count(4)

    # The keyboard goes on to the next question, and its link opens it again on a phone.
    page.goto(f"{server.address}/malgorithms?view=questions")
    tab.settled()
    expect(page.get_by_text("1 of 30", exact=True)).to_be_visible()
    page.get_by_role("button", name=re.compile("^Next Shortcut")).press("Enter")
    expect(page.get_by_text("2 of 30", exact=True)).to_be_visible()
    tab.settled()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(page.url)
    tab.settled()
    expect(page.get_by_text("2 of 30", exact=True)).to_be_visible()
    wider = page.evaluate(
        """() => {
            const main = document.querySelector('[data-testid="stMain"]');
            return main.scrollWidth - main.clientWidth;
        }"""
    )
    assert wider == 0
    assert not tab.outside
    assert not tab.errors
