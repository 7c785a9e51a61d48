"""What a person does in the training lab: set a mix, watch a training, stop it, come back."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from biaslab.training.jobs import JobStatus, look
from tests.browser.conftest import Server, Tab
from tests.ui.training.simulated_trainings import write_training


def test_from_a_mix_to_watching_and_stopping_a_training(tab: Tab, server: Server) -> None:
    models = server.database.parent / "models"
    write_training(models, "school-1")
    running = write_training(models, "now-1", status="running", share=0.6)
    page = tab.page
    page.goto(f"{server.address}/training_lab")
    tab.settled()

    # Another mix, by keyboard: its picture follows, and it stands in the address.
    page.get_by_role("radio", name="Balanced").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/training_lab?*mix=balanced*")
    expect(page.get_by_text("getting and giving: 50")).to_be_visible()
    tab.settled()
    expect(page.get_by_role("button", name="Start training")).to_be_disabled()

    # The one that runs: its curves, and it is asked to stop.
    page.get_by_role("link", name="now-1").click()
    expect(page.get_by_text("3.0 of 5 min")).to_be_visible()
    assert parse_qs(urlsplit(page.url).query)["training"] == ["now-1"]
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    page.get_by_role("main").get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("button", name="Stopping …")).to_be_visible()
    assert (running / "stop").exists()

    # Another one, and back to setting up.
    page.get_by_role("link", name="school-1").click()
    expect(page.get_by_text("What it does now")).to_be_visible()
    page.get_by_role("link", name="Set up another training").click()
    expect(page.get_by_role("button", name="Start training")).to_be_visible()
    assert tab.errors == []
    assert tab.outside == []


def test_a_real_training_is_watched_stopped_and_gone_on_with(tab: Tab, server: Server) -> None:
    """Nothing is simulated: a process trains, and the page shows what it says."""
    page = tab.page
    page.context.request.get(server.start)
    page.goto(f"{server.address}/training_lab?name=real-1&minutes=3")
    tab.settled()
    page.get_by_role("button", name="Start training").click()

    # What will come, from the first second; the loss with the first lessons; then the effect.
    expect(page.get_by_text("The curves of right answers")).to_be_visible()
    expect(page.get_by_text("lessons seen")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(1)
    expect(
        page.get_by_text(re.compile(r"After 0\.[5-9] minutes and [\d,]+ lessons"))
    ).to_be_visible()
    assert page.locator(".js-plotly-plot").count() >= 4

    main = page.get_by_role("main")
    main.get_by_role("button", name="Stop", exact=True).click()
    expect(main.get_by_role("button", name="Go on")).to_be_enabled()
    models = server.database.parent / "models" / "real-1"
    stopped = look(models)
    assert stopped.status is JobStatus.STOPPED
    assert stopped.checks

    main.get_by_role("button", name="Go on").click()
    expect(main.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    main.get_by_role("button", name="Stop", exact=True).click()
    expect(main.get_by_role("button", name="Go on")).to_be_enabled()
    assert look(models).progress[-1].examples >= stopped.progress[-1].examples
    assert tab.errors == []
    assert tab.outside == []
