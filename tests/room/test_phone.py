"""A phone in a room: the real app, the real page, a real browser of a phone's size."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from biaslab.room import Allocation, Room, RoomPace, Rooms, RoomState, open_rooms
from tests.browser.conftest import Server, start
from tests.conftest import DEADLINE, wait_for
from tests.room.conftest import STUDY, bank, pairs

PHONE = {"width": 320, "height": 640}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("app")
    process, running = start(folder / "runs.db", folder / "server.log")
    yield running
    process.terminate()
    process.wait(timeout=DEADLINE)


@pytest.fixture(scope="module")
def rooms(server: Server) -> Iterator[Rooms]:
    """The app's file of rooms, as the host's screen has it."""
    with open_rooms(server.database.with_name("rooms.db")) as opened:
        yield opened


@pytest.fixture
def context(chromium: Browser, server: Server) -> Iterator[BrowserContext]:
    """A phone whose pages ask nobody else, break no rule of the app, and have no errors."""
    made = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True, locale="en-GB")
    wrong: list[str] = []

    def watch(page: Page) -> None:
        page.on("request", lambda each: None if local(each.url) else wrong.append(each.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console",
            lambda each: wrong.append(each.text) if "Security Policy" in each.text else None,
        )

    def local(url: str) -> bool:
        return url.startswith((server.address, "data:"))

    made.on("page", watch)
    yield made
    made.close()
    assert wrong == []


def open_phone(context: BrowserContext, server: Server, room: Room) -> Page:
    """A phone on the page of a room."""
    page = context.new_page()
    page.goto(f"{server.address}/R/{room.code}")
    return page


def join(page: Page) -> None:
    expect(page.get_by_text("What is saved:")).to_be_visible()
    page.get_by_role("button", name="Join").click()


def answer(page: Page, text: str) -> None:
    page.get_by_label("Your answer").fill(text)
    page.get_by_role("button", name="Send").click()


def test_a_phone_that_loses_its_connection_keeps_its_answers_and_sends_them(
    server: Server, rooms: Rooms, context: BrowserContext
) -> None:
    room = rooms.open_room("Tuesday", pairs(4), STUDY)
    page = open_phone(context, server, room)
    join(page)
    expect(page.get_by_role("heading", name="You are in")).to_be_visible()

    rooms.move(room.id, RoomState.ANSWERING)
    expect(page.get_by_role("heading", name="Question 1 of 4")).to_be_focused()
    answer(page, "7")
    expect(page.get_by_text("1 answer is stored.")).to_be_visible()

    context.set_offline(True)
    answer(page, "8")
    answer(page, "9")
    expect(page.get_by_text("2 wait on this phone until there is a connection.")).to_be_visible()
    assert rooms.arrivals(room.id).answers == 1

    context.set_offline(False)
    expect(page.get_by_text("3 answers are stored.")).to_be_visible()
    answer(page, "10")
    expect(page.get_by_role("heading", name="All answered")).to_be_visible()
    wait_for(lambda: rooms.arrivals(room.id).finished == 1)
    assert sorted(each.text for each in rooms.answers(room.id)) == ["10", "7", "8", "9"]


def test_a_page_that_is_closed_offline_and_opened_again_sends_what_it_kept(
    server: Server, rooms: Rooms, context: BrowserContext
) -> None:
    room = rooms.open_room("Tuesday", pairs(3), STUDY)
    rooms.move(room.id, RoomState.ANSWERING)
    page = open_phone(context, server, room)
    join(page)
    expect(page.get_by_role("heading", name="Question 1 of 3")).to_be_visible()
    context.set_offline(True)
    answer(page, "7")
    expect(page.get_by_role("heading", name="Question 2 of 3")).to_be_visible()
    page.close()

    context.set_offline(False)
    again = open_phone(context, server, room)
    expect(again.get_by_text("1 answer is stored.")).to_be_visible()
    expect(again.get_by_role("heading", name="Question 2 of 3")).to_be_visible()
    assert rooms.arrivals(room.id).joined == 1


def test_choices_are_tapped_and_what_was_answered_stands_beside_the_room_once_revealed(
    server: Server, rooms: Rooms, context: BrowserContext
) -> None:
    questions = bank(1)
    room = rooms.open_room("Errors", questions)
    rooms.move(room.id, RoomState.ANSWERING)
    page = open_phone(context, server, room)
    join(page)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert")).to_have_text("Choose one.")
    right = questions[0].x.choices[int(questions[0].x.item.answer) - 1]
    page.get_by_label(right, exact=True).check()
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("1 answer is stored.")).to_be_visible()

    rooms.move(room.id, RoomState.CLOSED)
    rooms.move(room.id, RoomState.REVEALED)
    expect(page.get_by_text(f"Your answer: {right} – right")).to_be_visible()
    expect(page.get_by_text("Right in the room: 1 of 1.")).to_be_visible()


def test_what_is_no_number_is_not_sent_and_a_keyboard_is_enough(
    server: Server, rooms: Rooms, context: BrowserContext
) -> None:
    room = rooms.open_room("Tuesday", pairs(2), STUDY, allocation=Allocation.WITHIN)
    rooms.move(room.id, RoomState.ANSWERING)
    page = open_phone(context, server, room)
    expect(page.get_by_text("What is saved:")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Question 1 of 4")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("many")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Type a number, for example 12.")
    expect(page.get_by_label("Your answer")).to_be_focused()
    page.get_by_label("Your answer").fill("12")
    page.get_by_role("button", name="Change the sign").click()
    expect(page.get_by_label("Your answer")).to_have_value("-12")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 answer is stored.")).to_be_visible()
    assert [each.text for each in rooms.answers(room.id)] == ["-12"]


def test_the_page_fits_a_narrow_phone_and_asks_for_a_code_where_it_has_none(
    server: Server, rooms: Rooms, context: BrowserContext
) -> None:
    room = rooms.open_room("A" * 120, pairs(2), STUDY)
    rooms.move(room.id, RoomState.ANSWERING)
    page = context.new_page()
    page.goto(f"{server.address}/r")
    page.get_by_label("Four letters, as on the wall").fill(room.code.lower())
    page.get_by_role("button", name="Continue").click()
    join(page)
    expect(page.get_by_role("heading", name="Question 1 of 2")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    small = page.evaluate(
        "[...document.querySelectorAll('button, input')].filter(each => each.offsetParent"
        " && each.getBoundingClientRect().height < 48).length"
    )
    assert small == 0


def test_a_wrong_code_is_said_to_be_one(server: Server, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{server.address}/r/ZZZZ")
    join(page)
    expect(page.get_by_role("heading", name="No such room")).to_be_visible()
    expect(page.get_by_label("Four letters, as on the wall")).to_be_visible()


def test_a_browser_that_keeps_nothing_says_so_and_answers_all_the_same(
    server: Server, rooms: Rooms, context: BrowserContext
) -> None:
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('private'); }})"
    )
    room = rooms.open_room("Tuesday", pairs(2), STUDY)
    rooms.move(room.id, RoomState.ANSWERING)
    page = open_phone(context, server, room)
    expect(page.get_by_text("This browser saves nothing for this page")).to_be_visible()
    join(page)
    answer(page, "7")
    answer(page, "8")
    expect(page.get_by_text("2 answers are stored.")).to_be_visible()
    assert rooms.arrivals(room.id).finished == 1


def test_phones_follow_the_host_from_question_to_question(
    server: Server, rooms: Rooms, context: BrowserContext
) -> None:
    room = rooms.open_room("Tuesday", pairs(3), STUDY, pace=RoomPace.HOST)
    page = open_phone(context, server, room)
    join(page)
    rooms.move(room.id, RoomState.ANSWERING)
    expect(page.get_by_role("heading", name="Question 1 of 3")).to_be_visible()
    answer(page, "7")
    expect(page.get_by_role("heading", name="Answered")).to_be_visible()
    rooms.move(room.id, RoomState.ANSWERING, 2)
    expect(page.get_by_role("heading", name="Question 3 of 3")).to_be_visible()
    rooms.move(room.id, RoomState.ANSWERING, 0)
    expect(page.get_by_role("heading", name="Answered")).to_be_visible()
    rooms.move(room.id, RoomState.CLOSED)
    expect(page.get_by_role("heading", name="The room is closed")).to_be_visible()
