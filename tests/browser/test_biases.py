"""What a person does on the page Decision biases: from the profile to a scene, to an own bias."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from biaslab.runs import open_store, prepare, run_here
from biaslab.studies import Design
from tests.browser.conftest import Server, Tab


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
