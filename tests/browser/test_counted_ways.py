"""From Start to what a person came for, with every click and every field counted."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page, expect

from biaslab.room import open_rooms
from tests.browser.conftest import Server, Tab
from tests.conftest import wait_for
from tests.room.test_killed import Phone

TEXT = "Ana has 24 pears. Ben has 18 more pears than Ana. How many pears does Ben have?"


@dataclass
class Way:
    """A page that counts what is done on it."""

    tab: Tab
    clicks: int = 0
    fields: int = 0

    @property
    def page(self) -> Page:
        return self.tab.page

    def click(self, role: str, name: str) -> None:
        self.page.get_by_role(role, name=name, exact=True).first.click()  # type: ignore[arg-type]
        self.clicks += 1
        self.tab.settled()

    def fill(self, role: str, label: str, text: str) -> None:
        self.page.get_by_role(role, name=label).fill(text)  # type: ignore[arg-type]
        self.fields += 1


def start_at(tab: Tab, server: Server) -> Way:
    tab.page.goto(server.address)
    tab.drawn()
    return Way(tab)


def test_a_teacher_sees_a_model_answer_twins_of_her_problem_in_three_clicks_and_a_field(
    tab: Tab, server: Server
) -> None:
    way = start_at(tab, server)
    way.click("link", "Your problem")
    way.fill("textbox", "A word problem, the question last", TEXT)
    way.click("button", "Read it")
    way.click("button", "Ask 1 model")
    expect(way.page.locator(".bl-pair").first).to_contain_text("✓ right")
    expect(way.page.get_by_text("not asked yet")).to_have_count(0)
    assert (way.clicks, way.fields) == (3, 1)
    assert tab.errors == []


def test_a_researcher_sees_three_studies_of_a_model_on_one_chart_in_three_clicks(
    tab: Tab, server: Server
) -> None:
    way = start_at(tab, server)
    way.click("link", "Several at once")
    way.fill("spinbutton", "Pairs of each", "4")
    way.page.keyboard.press("Tab")
    tab.settled()
    way.click("button", "Run 3 runs")
    expect(way.page.get_by_text("Everything of this is finished.")).to_be_visible()
    way.click("link", "Compare their results")
    expect(way.page.get_by_role("heading", name="Overview", exact=True)).to_be_visible()
    tab.drawn()
    for study in ("Consistent or inconsistent wording", "Transfer or comparison", "carry"):
        expect(way.page.locator(".js-plotly-plot").first).to_contain_text(study)
    assert (way.clicks, way.fields) == (3, 1)
    assert tab.errors == []


def test_a_host_has_the_first_answer_of_a_phone_in_three_clicks(tab: Tab, server: Server) -> None:
    way = start_at(tab, server)
    way.click("link", "Live room")
    way.click("button", "Open the room")
    expect(way.page.get_by_role("button", name="Begin", exact=True)).to_be_visible()
    way.click("button", "Begin")
    with open_rooms(server.database.with_name("rooms.db")) as rooms:
        (room,) = rooms.rooms()
        Phone(server.address, room.code, 1).play()
        wait_for(lambda: rooms.arrivals(room.id).answers > 0)
    assert (way.clicks, way.fields) == (3, 0)
    assert tab.errors == []
