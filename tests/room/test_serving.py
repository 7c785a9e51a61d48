"""What a phone sends and gets, over HTTP, and what strangers are told."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from biaslab.room import (
    KEPT_DAYS,
    Room,
    RoomPace,
    Rooms,
    RoomState,
    open_rooms,
)
from biaslab.room.records import (
    CODE_LENGTH,
    LARGEST_BODY,
    LETTERS,
    LONGEST_ANSWER,
    MOST_PEOPLE,
    WRONG_CODES,
)
from biaslab.room.serving import PERSON, WrongCodes, routes
from tests.room.conftest import STUDY, Clock, bank, pairs, phone

QUESTIONS = pairs(3)
ASSETS = Path(__file__).resolve().parents[2] / "assets" / "room"


def client_of(rooms: Rooms, address: str = "192.0.2.1") -> TestClient:
    app = Starlette(routes=routes(lambda: rooms))
    return TestClient(app, client=(address, 50_000), raise_server_exceptions=False)


@pytest.fixture
def client(rooms: Rooms) -> Iterator[TestClient]:
    with client_of(rooms) as made:
        yield made


@pytest.fixture
def room(rooms: Rooms) -> Room:
    made = rooms.open_room("Tuesday", QUESTIONS, STUDY, seed=1)
    return rooms.move(made.id, RoomState.ANSWERING)


def join(client: TestClient, room: Room, number: int = 1) -> dict[str, Any]:
    reply = client.post(f"/r/{room.code}/join", json={"person": phone(number)})
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def send(client: TestClient, room: Room, answers: dict[int, str], number: int = 1) -> Any:
    told = [{"card": card, "text": text} for card, text in answers.items()]
    body = json.dumps({"person": phone(number), "answers": told})
    return client.post(f"/r/{room.code}/answers", content=body)


def test_a_phone_joins_answers_and_hears_what_is_stored(
    client: TestClient, rooms: Rooms, room: Room
) -> None:
    joined = join(client, room)
    assert joined["title"] == "Tuesday"
    assert joined["state"] == "answering"
    assert [each["step"] for each in joined["cards"]] == [0, 1, 2]
    first = joined["cards"][0]["card"]
    assert send(client, room, {first: "7"}).json()["answered"] == [first]
    assert join(client, room)["answered"] == [first]
    assert rooms.arrivals(room.id).answers == 1


def test_no_phone_gets_a_question_before_it_is_asked(client: TestClient, rooms: Rooms) -> None:
    room = rooms.open_room("Tuesday", QUESTIONS, STUDY, pace=RoomPace.HOST)
    assert join(client, room)["cards"] == []
    rooms.move(room.id, RoomState.ANSWERING, 1)
    assert [each["step"] for each in join(client, room)["cards"]] == [1]
    rooms.move(room.id, RoomState.CLOSED)
    assert join(client, room)["cards"] == []


def test_no_reply_tells_the_right_answer_before_it_is_revealed(
    client: TestClient, rooms: Rooms
) -> None:
    room = rooms.open_room("Errors", bank(3))
    rooms.move(room.id, RoomState.ANSWERING)
    joined = join(client, room)
    assert set(joined["cards"][0]) == {"card", "step", "text", "kind", "choices"}
    assert joined["results"] == []


def test_a_phone_gets_its_answers_beside_the_rooms_once_they_are_revealed(
    client: TestClient, rooms: Rooms, room: Room
) -> None:
    for number in range(4):
        joined = join(client, room, number)
        send(client, room, {each["card"]: "7" for each in joined["cards"]}, number)
    rooms.move(room.id, RoomState.CLOSED)
    rooms.move(room.id, RoomState.REVEALED)
    results = join(client, room, 2)["results"]
    assert [each["answer"] for each in results] == ["7"] * 3
    assert all(each["answered"] + each["twin_answered"] == 4 for each in results)
    assert all(each["right_answer"] for each in results)


def test_a_host_may_keep_results_from_phones(client: TestClient, rooms: Rooms) -> None:
    room = rooms.open_room("Tuesday", QUESTIONS, STUDY, shows_answers=False)
    rooms.move(room.id, RoomState.ANSWERING)
    joined = join(client, room)
    send(client, room, {joined["cards"][0]["card"]: "7"})
    rooms.move(room.id, RoomState.CLOSED)
    rooms.move(room.id, RoomState.REVEALED)
    assert join(client, room)["results"] == []


def test_a_room_that_is_over_is_closed_to_phones(
    client: TestClient, room: Room, clock: Clock
) -> None:
    join(client, room)
    clock.seconds = room.ends
    again = join(client, room)
    assert again["state"] == "closed"
    assert again["cards"] == []


def test_where_the_room_stands_is_told_to_who_is_in_it(client: TestClient, room: Room) -> None:
    join(client, room)
    told = client.get(f"/r/{room.code}/state", headers={PERSON: phone(1)})
    assert told.json()["state"] == "answering"
    assert client.get(f"/r/{room.code}/state").status_code == 400
    stranger = client.get(f"/r/{room.code}/state", headers={PERSON: phone(2)})
    assert stranger.status_code == 401


@pytest.mark.parametrize("base", ["r", "R"])
def test_codes_and_addresses_are_the_same_in_capitals_and_small(
    client: TestClient, room: Room, base: str
) -> None:
    for code in (room.code, room.code.lower()):
        reply = client.post(f"/{base}/{code}/join", json={"person": phone(1)})
        assert reply.json()["room"] == room.id
        assert client.get(f"/{base}/{code}").status_code == 200


REFUSED: tuple[tuple[bytes, int], ...] = (
    (b"", 400), (b"{", 400), (b"[]", 400), (b"null", 400), (b"\xff", 400),
    (b"[" * 10_000, 400), (b'{"a":' * 2_000, 400), (b'{"person": 1}', 400),
    (b'{"person": "x"}', 400), (b'{"person": "a", "person": "b"}', 400),
    (b'{"person": "' + b"0" * LARGEST_BODY + b'"}', 413),
)  # fmt: skip


@pytest.mark.parametrize(("body", "status"), REFUSED, ids=[str(each) for each in range(11)])
@pytest.mark.parametrize("path", ["join", "answers"])
def test_what_no_phone_sends_is_refused_in_a_sentence(
    client: TestClient, room: Room, path: str, body: bytes, status: int
) -> None:
    reply = client.post(f"/r/{room.code}/{path}", content=body)
    assert reply.status_code == status
    assert re.fullmatch(r"[A-Z].*\.", reply.json()["error"])


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=50),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(("card", "text", "answers", "person")), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Rooms, Room]]:
    """One room that every example is sent to."""
    with (
        open_rooms(tmp_path_factory.mktemp("rooms") / "rooms.db") as rooms,
        client_of(rooms) as client,
    ):
        room = rooms.open_room("Tuesday", QUESTIONS, STUDY)
        rooms.move(room.id, RoomState.ANSWERING)
        join(client, room)
        yield client, rooms, room


@given(answers=json_values)
def test_whatever_stands_where_answers_should_is_refused_in_a_sentence(
    shared: tuple[TestClient, Rooms, Room], answers: Any
) -> None:
    client, rooms, room = shared
    body = json.dumps({"person": phone(1), "answers": answers})
    reply = client.post(f"/r/{room.code}/answers", content=body)
    assert reply.status_code == 400 or answers == []
    assert rooms.arrivals(room.id).answers == 0


def test_an_answer_that_is_too_long_or_not_asked_is_refused(
    client: TestClient, rooms: Rooms, room: Room
) -> None:
    card = join(client, room)["cards"][0]["card"]
    for answers in (
        {card: "1" * (LONGEST_ANSWER + 1)},
        {card: "\ud800"},
        {card ^ 1: "7"},
        {-1: "7"},
    ):
        assert send(client, room, answers).status_code == 400
    assert rooms.arrivals(room.id).answers == 0


def test_a_full_room_and_a_closed_one_say_so(client: TestClient, rooms: Rooms, room: Room) -> None:
    waiting = [rooms.join(room.id, phone(each)) for each in range(MOST_PEOPLE)]
    assert waiting[-1].result()
    full = client.post(f"/r/{room.code}/join", json={"person": phone(MOST_PEOPLE)})
    assert (full.status_code, "full" in full.json()["error"]) == (409, True)
    rooms.move(room.id, RoomState.CLOSED)
    closed = client.post(f"/r/{room.code}/join", json={"person": phone(MOST_PEOPLE)})
    assert (closed.status_code, "closed" in closed.json()["error"]) == (409, True)


def test_an_address_that_tries_codes_is_slowed_down_and_whoever_is_in_goes_on(
    rooms: Rooms, room: Room
) -> None:
    with client_of(rooms) as client, client_of(rooms, "192.0.2.2") as elsewhere:
        join(client, room)
        wrong = "AAAA" if room.code != "AAAA" else "BBBB"
        tried = [
            client.post(f"/r/{wrong}/join", json={"person": phone(2)}).status_code
            for _ in range(WRONG_CODES + 5)
        ]
        assert tried[:WRONG_CODES] == [404] * WRONG_CODES
        assert set(tried[WRONG_CODES + 1 :]) == {429}
        # Were the right code answered otherwise, it would be told from the wrong ones.
        assert client.post(f"/r/{room.code}/join", json={"person": phone(2)}).status_code == 429
        assert join(client, room)["room"] == room.id
        assert join(elsewhere, room, 3)["room"] == room.id


def test_tries_come_back_with_time() -> None:
    clock = Clock()
    codes = WrongCodes(clock)
    for _ in range(WRONG_CODES):
        codes.count("192.0.2.1")
    assert not codes.are_left("192.0.2.1")
    clock.seconds += 60 / WRONG_CODES + 0.01
    assert codes.are_left("192.0.2.1")


def test_addresses_of_one_network_share_their_tries_where_each_computer_has_many() -> None:
    codes = WrongCodes(Clock())
    for each in range(WRONG_CODES):
        codes.count(f"2001:db8::{each:x}")
    assert not codes.are_left("2001:db8::ffff")
    assert codes.are_left("2001:db8:0:1::1")


def test_a_rehearsal_lets_no_phone_in(client: TestClient, rooms: Rooms) -> None:
    room = rooms.open_room("Tuesday", QUESTIONS, STUDY, rehearsal=True)
    assert client.post(f"/r/{room.code}/join", json={"person": phone(1)}).status_code == 404


def test_a_room_that_was_deleted_is_not_there(client: TestClient, rooms: Rooms, room: Room) -> None:
    join(client, room)
    rooms.delete(room.id)
    assert send(client, room, {0: "7"}).status_code == 404


def test_the_page_is_small_comes_from_here_alone_and_says_what_is_kept(
    client: TestClient,
) -> None:
    page, script = client.get("/r/ABCD"), client.get("/r/phone.js")
    assert len(page.content) + len(script.content) < 100_000
    for text in (page.text, re.sub(r"(?m)//.*$", "", script.text)):
        assert not re.search(r"https?:|//", text)
    assert f"older than {KEPT_DAYS} days" in page.text
    assert re.search(r"What is saved:.*No name and no address", page.text)
    assert f'maxlength="{LONGEST_ANSWER}"' in page.text
    assert f'maxlength="{CODE_LENGTH}"' in page.text
    assert client.get("/r", follow_redirects=False).headers["location"] == "/r/"


def test_the_script_is_es5_and_needs_no_secure_context() -> None:
    script = (ASSETS / "phone.js").read_text(encoding="utf-8")
    code = re.sub(r"(?m)//.*$", "", script)
    assert not re.search(r"\b(?:let|const|class|async|await|fetch)\b|=>|`", code)
    missing = ("subtle", "randomUUID", "serviceWorker", "wakeLock", "clipboard", "navigator")
    assert not [name for name in missing if name in code]
    assert "innerHTML" not in code


def test_every_letter_of_codes_is_told_from_digits() -> None:
    assert len(LETTERS) == 24
    assert not set(LETTERS) & {"I", "O"}
