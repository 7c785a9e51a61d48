"""A paper from the page Effects in one click, and what a stranger does with it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from biaslab.publishing.paper import reproduce
from biaslab.runs import open_store, prepare, run_here
from biaslab.studies import Design
from tests.browser.conftest import Server, Tab


def test_a_click_gives_a_paper_that_can_be_made_again_and_another_a_report(
    tab: Tab, server: Server, tmp_path: Path
) -> None:
    with open_store(server.database) as store:
        run = prepare(store, Design("carry", 20, 1), "learner:keyword", "direct")
        run_here(store, run)
    page = tab.page
    page.goto(f"{server.address}/effects?runs={run}")
    tab.settled()
    button = page.get_by_role("button", name="Paper (ZIP)")
    expect(button).to_be_enabled()
    with page.expect_download() as download:
        button.click()
    paper = tmp_path / download.value.suggested_filename
    download.value.save_as(paper)

    with page.expect_download() as download:
        page.get_by_role("button", name="Report as one file").click()
    report = tmp_path / download.value.suggested_filename
    download.value.save_as(report)

    assert report.name == f"biaslab-report-{run}.html"
    assert report.read_text("utf-8").startswith("<!doctype html>")
    assert paper.name == f"biaslab-paper-{run}.zip"
    assert reproduce(paper).differences == ()
    assert not tab.errors
    assert not tab.outside
