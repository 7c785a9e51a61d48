"""What a person does on the pages of three studies: from a picture to what is behind it."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from biaslab.runs import open_store, prepare, run_here
from biaslab.studies import Design
from tests.browser.conftest import Server, Tab
from tests.browser.test_accessibility import MOST_WORDS, WORDS


def test_from_the_profile_to_a_bias_of_ones_own(tab: Tab, server: Server) -> None:
    with open_store(server.database) as store:
        run = prepare(
            store, Design("decision", 40, 1, {"bias": "anchoring,framing-effect"}),
            "learner:random", "choose",
        )  # fmt: skip
        run_here(store, run)
    page = tab.page
    page.goto(f"{server.address}/biases")
    tab.settled()
    expect(page.locator(".js-plotly-plot")).to_have_count(1)

    # The profile leads to one bias, without the chart.
    page.get_by_text("Open a bias without a mouse").click()
    page.get_by_role("link", name="Framing effect").press("Enter")
    expect(page.get_by_role("heading", name="Scenes side by side")).to_be_visible()
    tab.settled()
    page.wait_for_url(re.compile("bias=framing-effect"))

    expect(page.get_by_text(re.compile("^→ Chosen: "))).to_have_count(2)

    # A bias of one's own: a fault stands at its line, and what is sound can be kept.
    page.get_by_role("radio", name="Write a bias").click()
    tab.settled()
    text = page.get_by_role("textbox", name="The bias as YAML")
    expect(text).to_have_value(re.compile("id: my-decoy"))
    sound = text.input_value()
    text.fill(sound.replace("scale: likely-unlikely", "scale: likly-unlikely"))
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_text("Did you mean likely-unlikely?")).to_be_visible()
    expect(page.get_by_role("button", name="Keep it, to run it")).to_be_disabled()
    text.fill(sound)
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_text("It does what it says")).to_be_visible()
    page.get_by_role("button", name="Keep it, to run it").click()
    expect(page.get_by_text("Saved as “my-decoy”.")).to_be_visible()

    # Its link leads to its pairs, also on a phone.
    page.get_by_role("link", name="Ask a model about my-decoy").click()
    expect(page.get_by_text("The first offer is").first).to_be_visible()
    tab.settled()
    page.set_viewport_size({"width": 390, "height": 844})
    for view in ("profile", "one&bias=my-decoy", "write"):
        page.goto(f"{server.address}/biases?view={view}")
        tab.settled()
        wider = page.evaluate(
            """() => {
                const main = document.querySelector('[data-testid="stMain"]');
                return main.scrollWidth - main.clientWidth;
            }"""
        )
        assert wider == 0, view
    assert not tab.outside
    assert not tab.errors


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
