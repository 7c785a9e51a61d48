"""Runs of one model and one prompt strategy: each has an address and a link and stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Page, expect

from biaslab.runs import Store, open_store, prepare, run_here
from biaslab.runs.engine import leases
from biaslab.studies import Design
from tests.browser.conftest import Server, Tab, open_tab

STUDIES = ("consistency", "transfer-comparison", "carry")
MODEL = "learner:keyword"


def test_each_of_several_runs_alike_opens_and_stays(
    tab: Tab, server: Server, chromium: Browser
) -> None:
    page = tab.page
    with open_store(server.database) as store:
        runs = [_done(store, study) for study in STUDIES]
        # The page looks for changes every second while something is running.
        going = prepare(store, Design("carry", 1, 9), MODEL, "direct")
        leases.claim(store, going, 900, None)

        for run in runs:
            page.goto(f"{server.address}/runs?run={run}")
            tab.settled()
            with _looks_again(page, store, going):
                _shows(page, run)
            _shows(page, run)

        for run in runs:
            page.get_by_role("link", name=run[:6]).click()
            _shows(page, run)
            with _looks_again(page, store, going):
                assert parse_qs(urlsplit(page.url).query)["run"] == [run]
            _shows(page, run)

        # Somebody else's window shows another run, and neither takes the other's.
        elsewhere = chromium.new_context(viewport={"width": 390, "height": 844})
        other = open_tab(elsewhere, server.address)
        other.page.goto(f"{server.address}/runs?run={runs[0]}")
        other.settled()
        _shows(other.page, runs[0])

        # The keyboard opens one on a phone.
        link = other.page.get_by_role("link", name=runs[1][:6])
        link.focus()
        with _looks_again(other.page, store, going):
            expect(link).to_be_focused()
        expect(link).to_be_focused()
        link.press("Enter")
        _shows(other.page, runs[1])
        _shows(page, runs[2])
        wider = other.page.evaluate(
            """() => {
                const main = document.querySelector('[data-testid="stMain"]');
                return main.scrollWidth - main.clientWidth;
            }"""
        )
        assert wider == 0
        elsewhere.close()
    assert not tab.errors
    assert not other.errors


def test_a_run_that_was_just_started_is_the_one_shown(tab: Tab, server: Server) -> None:
    page = tab.page
    with open_store(server.database) as store:
        before = [_done(store, study) for study in STUDIES]
    page.goto(f"{server.address}/compose?study=consistency&n=3&seed=7&model={MODEL}")
    tab.settled()
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url("**/runs?run=*")
    (made,) = parse_qs(urlsplit(page.url).query)["run"]
    assert made not in before
    expect(page.get_by_text("Every problem was asked.")).to_be_visible()
    _shows(page, made)
    with open_store(server.database) as store, _looks_again(page, store, before[0]):
        _shows(page, made)
    _shows(page, made)
    assert parse_qs(urlsplit(page.url).query)["run"] == [made]


def test_two_runs_alike_are_chosen_apart_where_results_are_read(tab: Tab, server: Server) -> None:
    page = tab.page
    with open_store(server.database) as store:
        one, two, three = (_done(store, "consistency") for _ in range(3))
    page.goto(f"{server.address}/items?run={two}")
    tab.settled()
    for run in (one, two, three):
        page.get_by_role("combobox", name="Run").click()
        page.get_by_role("option", name=run[:6]).click()
        about = page.get_by_role("link", name="About this run")
        expect(about).to_have_attribute("href", f"runs?run={run}")
        tab.settled()

    page.goto(f"{server.address}/effects?runs={one},{three}")
    tab.settled()
    for run in (one, three):
        expect(page.get_by_text(f"run {run[:6]}", exact=False).first).to_be_visible()
    expect(page.get_by_text(f"run {two[:6]}", exact=False)).to_have_count(0)
    assert not tab.errors


def _done(store: Store, study: str) -> str:
    run = prepare(store, Design(study, 3, 1), MODEL, "direct")
    run_here(store, run)
    return run


@contextmanager
def _looks_again(page: Page, store: Store, other: str) -> Iterator[None]:
    """What is done while the page looks into the file and draws itself anew.

    It is known to have done so when the list says what was changed of another run.
    """
    yield
    more = max(store.run(other).pairs_total, 1000) + 1
    with store.writing() as file:
        file.execute("UPDATE runs SET pairs_total = ? WHERE id = ?", (more, other))
    expect(page.get_by_text(f"{more:,} pairs")).to_be_visible()


def _shows(page: Page, run: str) -> None:
    """The facts of this run are on the page, and those of no other."""
    expect(page.locator(".bl-facts").get_by_text(run, exact=True)).to_be_visible()


def test_two_runs_stand_beside_each_other_on_a_pair_and_a_note_reaches_other_windows(
    tab: Tab, server: Server, chromium: Browser
) -> None:
    page = tab.page
    with open_store(server.database) as store:
        one, other = _done(store, "consistency"), _done(store, "consistency")
    address = f"{server.address}/items?run={one}&beside={other}"
    page.goto(address)
    tab.settled()
    assert _columns(page) == 2

    page.get_by_text("Mark and note").click()
    page.get_by_role("radio", name="★ star").click()
    page.get_by_label("Note", exact=True).fill("Shows the reversal.\n**Not bold.**")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("✎ Shows the reversal. **Not bold.**")).to_be_visible()

    phone = chromium.new_context(viewport={"width": 390, "height": 844})
    phone.request.get(server.start)
    mine = open_tab(phone, server.address)
    mine.page.goto(address)
    mine.settled()
    expect(mine.page.get_by_label("Note", exact=True)).to_have_value(
        "Shows the reversal.\n**Not bold.**"
    )
    assert _columns(mine.page) == 1
    wider = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not mine.page.evaluate(wider)
    phone.close()

    elsewhere = chromium.new_context(viewport={"width": 390, "height": 844})
    visitor = open_tab(elsewhere, server.address)
    visitor.page.goto(f"{address}&marked=star")
    visitor.settled()
    expect(visitor.page.get_by_text("all pairs are listed")).to_be_visible()
    assert "Shows the reversal" not in visitor.page.content()
    assert not tab.errors + mine.errors + visitor.errors
    elsewhere.close()


def _columns(page: Page) -> int:
    """How many answers to one problem stand in a line."""
    answers = page.locator(".bl-beside > section").first.locator(".bl-answer")
    expect(answers).to_have_count(2)
    # Both at one moment: what stands above may still be growing.
    tops = answers.evaluate_all(
        "all => all.map(one => Math.round(one.getBoundingClientRect().top))"
    )
    return 3 - len(set(tops))
