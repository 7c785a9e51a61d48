"""The file of rooms: what is in it, what is refused, what is gone for good."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from biaslab.room import (
    KEPT_DAYS,
    MOST_OPEN,
    MOST_PEOPLE,
    Allocation,
    BadRequest,
    CannotAsk,
    NotNow,
    Room,
    RoomFull,
    RoomPace,
    Rooms,
    RoomState,
    TooManyRooms,
    UnknownPerson,
    UnknownRoom,
    WrongMove,
    open_rooms,
    rooms_here,
)
from biaslab.room.records import CODE_LENGTH, LETTERS, RoomAnswer, RoomMember, dealt
from biaslab.runs import NotAStore
from tests.room.conftest import STUDY, Clock, bank, pairs, phone

QUESTIONS = pairs(4)


@pytest.fixture
def room(rooms: Rooms) -> Room:
    made = rooms.open_room("Tuesday", QUESTIONS, STUDY, seed=1)
    return rooms.move(made.id, RoomState.ANSWERING)


def cards_of(room: Room, joined: RoomMember) -> list[int]:
    return [each.number for each in dealt(room, joined.place)]


def test_a_room_is_found_by_its_code_and_is_the_same_after_a_restart(
    rooms: Rooms, open_file: Callable[[], Rooms]
) -> None:
    room = rooms.open_room("  Tuesday\n morning ", QUESTIONS, STUDY, pace=RoomPace.HOST)
    assert room.title == "Tuesday morning"
    assert len(room.code) == CODE_LENGTH
    assert set(room.code) <= set(LETTERS)
    again = open_file()
    assert again.find(room.code.lower()) == room == again.room(room.id)
    assert again.rooms() == [room]


def test_people_have_the_places_in_which_they_came_and_keep_them(rooms: Rooms, room: Room) -> None:
    places = [rooms.join(room.id, phone(each)).result().place for each in (1, 2, 1, 3)]
    assert places == [0, 1, 0, 2]
    assert rooms.person(room.id, phone(3)).place == 2


def test_people_who_come_at_the_same_moment_get_places_without_gaps(
    rooms: Rooms, room: Room
) -> None:
    with ThreadPoolExecutor(20) as pool:
        joined = list(pool.map(lambda each: rooms.join(room.id, phone(each)).result(), range(60)))
    assert sorted(each.place for each in joined) == list(range(60))


def test_the_first_answer_counts(rooms: Rooms, room: Room) -> None:
    joined = rooms.join(room.id, phone(1)).result()
    card = cards_of(room, joined)[0]
    rooms.answer(room.id, phone(1), [RoomAnswer(card, "7"), RoomAnswer(card, "8")])
    stored = rooms.answer(room.id, phone(1), [RoomAnswer(card, "9")])
    assert stored.answered == (card,)
    assert stored.refused == ()
    assert [each.text for each in rooms.answers(room.id)] == ["7"]


def test_an_answer_under_way_counts_until_results_are_shown(rooms: Rooms, room: Room) -> None:
    joined = rooms.join(room.id, phone(1)).result()
    one, two, *_ = cards_of(room, joined)
    rooms.move(room.id, RoomState.CLOSED)
    assert rooms.answer(room.id, phone(1), [RoomAnswer(one, "7")]).refused == ()
    rooms.move(room.id, RoomState.REVEALED)
    late = rooms.answer(room.id, phone(1), [RoomAnswer(one, "7"), RoomAnswer(two, "8")])
    assert late.answered == (one,)
    assert late.refused == (two,)


def test_an_answer_under_way_counts_after_the_host_went_back(rooms: Rooms, room: Room) -> None:
    joined = rooms.join(room.id, phone(1)).result()
    card = cards_of(room, joined)[0]
    rooms.move(room.id, RoomState.WAITING)
    assert rooms.answer(room.id, phone(1), [RoomAnswer(card, "7")]).answered == (card,)


def test_pages_and_phones_of_a_process_share_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "runs.db"))
    with ThreadPoolExecutor(8) as pool:
        opened = {id(each) for each in pool.map(lambda _: rooms_here(), range(8))}
    assert opened == {id(rooms_here())}
    assert rooms_here().path == tmp_path / "rooms.db"
    rooms_here().close()


def test_a_closed_room_lets_in_whoever_was_in_and_nobody_else(rooms: Rooms, room: Room) -> None:
    rooms.join(room.id, phone(1)).result()
    rooms.move(room.id, RoomState.CLOSED)
    assert rooms.join(room.id, phone(1)).result().place == 0
    with pytest.raises(NotNow):
        rooms.join(room.id, phone(2)).result()


def test_a_room_that_is_over_takes_nobody_and_nothing(
    rooms: Rooms, room: Room, clock: Clock
) -> None:
    joined = rooms.join(room.id, phone(1)).result()
    clock.seconds = room.ends
    with pytest.raises(NotNow):
        rooms.join(room.id, phone(2)).result()
    card = cards_of(room, joined)[0]
    assert rooms.answer(room.id, phone(1), [RoomAnswer(card, "7")]).refused == (card,)


@pytest.mark.parametrize("text", ["", "  ", "1" * 41, "a\nb", "\x00", "\ud800"])
def test_what_is_no_answer_is_refused_and_hurts_nobody_else(
    rooms: Rooms, room: Room, text: str
) -> None:
    joined = rooms.join(room.id, phone(1)).result()
    card = cards_of(room, joined)[0]
    with pytest.raises(BadRequest):
        rooms.answer(room.id, phone(1), [RoomAnswer(card, text)])
    assert rooms.answer(room.id, phone(1), [RoomAnswer(card, "7")]).answered == (card,)


def test_an_answer_to_a_card_of_somebody_else_is_refused(rooms: Rooms, room: Room) -> None:
    mine = set(cards_of(room, rooms.join(room.id, phone(1)).result()))
    theirs = cards_of(room, rooms.join(room.id, phone(2)).result())[0]
    assert theirs not in mine
    with pytest.raises(BadRequest):
        rooms.answer(room.id, phone(1), [RoomAnswer(theirs, "7")])


def test_a_choice_is_one_of_those_offered(rooms: Rooms) -> None:
    room = rooms.open_room("Errors", bank())
    rooms.move(room.id, RoomState.ANSWERING)
    rooms.join(room.id, phone(1)).result()
    for text in ("0", "5", "x", "1.0"):
        with pytest.raises(BadRequest):
            rooms.answer(room.id, phone(1), [RoomAnswer(0, text)])
    assert rooms.answer(room.id, phone(1), [RoomAnswer(0, "4")]).answered == (0,)


def test_who_is_not_in_the_room_cannot_answer(rooms: Rooms, room: Room) -> None:
    with pytest.raises(UnknownPerson):
        rooms.answer(room.id, phone(1), [RoomAnswer(0, "7")])


def test_a_room_goes_forward_and_back_step_by_step(rooms: Rooms) -> None:
    room = rooms.open_room("Tuesday", QUESTIONS, STUDY)
    with pytest.raises(WrongMove, match="waiting to answering, not to revealed"):
        rooms.move(room.id, RoomState.REVEALED)
    way = [
        RoomState.ANSWERING,
        RoomState.CLOSED,
        RoomState.REVEALED,
        RoomState.CLOSED,
        RoomState.ANSWERING,
    ]
    assert [rooms.move(room.id, state).state for state in (*way, RoomState.WAITING)] == [
        *way, RoomState.WAITING,
    ]  # fmt: skip


def test_the_host_takes_all_phones_to_a_question_where_the_host_sets_the_pace(
    rooms: Rooms,
) -> None:
    room = rooms.open_room("Tuesday", QUESTIONS, STUDY, pace=RoomPace.HOST)
    assert rooms.move(room.id, RoomState.ANSWERING, 3).step == 3
    with pytest.raises(WrongMove):
        rooms.move(room.id, RoomState.ANSWERING, 4)
    card = cards_of(room, rooms.join(room.id, phone(1)).result())[3]
    assert rooms.arrivals(room.id).at_step == 0
    rooms.answer(room.id, phone(1), [RoomAnswer(card, "7")])
    assert rooms.arrivals(room.id).at_step == 1
    each = rooms.open_room("Wednesday", QUESTIONS, STUDY)
    with pytest.raises(WrongMove):
        rooms.move(each.id, RoomState.ANSWERING, 2)


def test_arrivals_tell_who_came_began_and_finished(rooms: Rooms, room: Room) -> None:
    for number, answers in enumerate((0, 1, 4)):
        joined = rooms.join(room.id, phone(number)).result()
        given = [RoomAnswer(card, "7") for card in cards_of(room, joined)[:answers]]
        rooms.answer(room.id, phone(number), given)
    assert rooms.arrivals(room.id) == (3, 2, 1, 5, None)


def test_a_deleted_room_is_gone_with_everything_also_from_the_file(
    rooms: Rooms, room: Room
) -> None:
    joined = rooms.join(room.id, phone(1)).result()
    rooms.answer(room.id, phone(1), [RoomAnswer(cards_of(room, joined)[0], "7654321")])
    other = rooms.open_room("Wednesday", QUESTIONS, STUDY)
    rooms.delete(room.id)

    assert rooms.rooms() == [other]
    for gone in (rooms.room, rooms.answers, rooms.arrivals, rooms.delete):
        with pytest.raises(UnknownRoom):
            gone(room.id)
    bytes_left = b"".join(
        path.read_bytes() for path in rooms.path.parent.glob("rooms.db*") if "shm" not in path.name
    )
    assert b"7654321" not in bytes_left
    assert b"Wednesday" in bytes_left
    assert b"Tuesday" not in bytes_left


def test_an_old_room_is_deleted_when_the_file_is_opened(
    room: Room, open_file: Callable[[], Rooms], clock: Clock
) -> None:
    clock.seconds += KEPT_DAYS * 86_400
    assert open_file().rooms() == [room]
    clock.seconds += 1
    assert open_file().rooms() == []


def test_the_file_knows_no_phone_by_its_id(rooms: Rooms, room: Room) -> None:
    rooms.join(room.id, phone(0xABCDEF)).result()
    with sqlite3.connect(rooms.path) as connection:
        (kept,) = connection.execute("SELECT phone FROM people").fetchone()
    assert phone(0xABCDEF).encode() not in kept
    assert bytes.fromhex(phone(0xABCDEF)) not in kept


def test_a_full_room_takes_nobody_else(rooms: Rooms, room: Room) -> None:
    waiting = [rooms.join(room.id, phone(each)) for each in range(MOST_PEOPLE)]
    assert {each.result().place for each in waiting} == set(range(MOST_PEOPLE))
    with pytest.raises(RoomFull):
        rooms.join(room.id, phone(MOST_PEOPLE)).result()


def test_only_so_many_rooms_are_open_at_once(rooms: Rooms, clock: Clock) -> None:
    for _ in range(MOST_OPEN):
        last = rooms.open_room("Tuesday", QUESTIONS, STUDY)
    with pytest.raises(TooManyRooms):
        rooms.open_room("Tuesday", QUESTIONS, STUDY)
    clock.seconds = last.ends
    rooms.open_room("Wednesday", QUESTIONS, STUDY)


def test_what_cannot_be_a_room_is_refused(rooms: Rooms) -> None:
    with pytest.raises(CannotAsk, match="title"):
        rooms.open_room(" ", QUESTIONS, STUDY)
    with pytest.raises(CannotAsk, match="1 to 40 questions"):
        rooms.open_room("Tuesday", (), STUDY)
    with pytest.raises(CannotAsk, match="follow each other"):
        rooms.open_room("Tuesday", QUESTIONS[:1], STUDY, allocation=Allocation.WITHIN)
    with pytest.raises(CannotAsk, match="study"):
        rooms.open_room("Tuesday", QUESTIONS)
    with pytest.raises(CannotAsk, match="hours"):
        rooms.open_room("Tuesday", QUESTIONS, STUDY, hours=float("nan"))


def test_the_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE mine (a)")
    before = path.read_bytes()
    with pytest.raises(NotAStore):
        open_rooms(path)
    assert path.read_bytes() == before
