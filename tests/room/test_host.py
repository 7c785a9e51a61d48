"""A host from opening a room to its effect on the wall, in a real browser, with 30 phones."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from biaslab.room import RoomState, open_rooms
from tests.browser.conftest import Server, open_tab, start
from tests.conftest import DEADLINE
from tests.room.test_killed import Phone

SCREEN = {"width": 1280, "height": 800}
PHONES = 30


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("app")
    process, running = start(folder / "runs.db", folder / "server.log", BIASLAB_HOSTS="lab.example")
    yield running
    process.terminate()
    process.wait(timeout=DEADLINE)


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    made = chromium.new_context(viewport=SCREEN, locale="en-GB")
    yield made
    made.close()


def test_a_room_of_thirty_from_its_opening_to_the_wall(
    context: BrowserContext, server: Server
) -> None:
    context.request.get(server.start)
    tab = open_tab(context, server.address)
    page = tab.page
    page.goto(f"{server.address}/room?n=6")
    tab.settled()
    page.get_by_label("Name of the room").fill("Tuesday")
    page.get_by_label("Name of the room").blur()
    tab.settled()
    page.get_by_role("button", name="Open the room").click()
    expect(page.get_by_role("heading", name="Tuesday")).to_be_visible()
    with open_rooms(server.database.with_name("rooms.db")) as rooms:
        (room,) = rooms.rooms()
        expect(page.get_by_role("heading", name=room.code)).to_be_visible()
        page.get_by_role("link", name="Show it on the wall").click()
        expect(page.get_by_text("Join on your phone")).to_be_visible()
        tab.settled()
        page.keyboard.press("ArrowRight")
        expect(page.get_by_text("Answer on your phone")).to_be_visible()
        phones = [Phone(server.address, room.code, number) for number in range(PHONES)]
        with ThreadPoolExecutor(PHONES) as pool:
            list(pool.map(Phone.play, phones))
        expect(page.get_by_text(f"Everybody is in: {PHONES} of {PHONES}")).to_be_visible()
        assert len(rooms.answers(room.id)) == PHONES * 6
        tab.settled()
        page.keyboard.press("PageDown")  # of a clicker
        expect(page.get_by_text("All answers are in")).to_be_visible()
        tab.settled()
        page.keyboard.press("PageDown")
        expect(page.get_by_text("This room: ").first).to_be_visible()
        assert rooms.room(room.id).state is RoomState.REVEALED
        tab.settled()
        page.keyboard.press("ArrowRight")
        expect(page.get_by_text("Question 1 of 6")).to_be_visible()
        tab.settled()
        page.keyboard.press("PageUp")
        expect(page.get_by_text("Question 1 of 6")).to_have_count(0)
    assert tab.errors == []
    assert tab.outside == []


def test_a_second_browser_without_the_role_sees_no_room(
    context: BrowserContext, server: Server
) -> None:
    tab = open_tab(context, server.address)
    tab.page.goto(f"{server.address}/room")
    tab.settled()
    expect(tab.page.get_by_text("may open a room and reveal its answers")).to_be_visible()
    expect(tab.page.get_by_text("Tuesday")).to_have_count(0)
