"""A room's report: the figures of its screens, everybody a number, nothing of phones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.charts.room import finding_words
from biaslab.cli import main
from biaslab.publishing.report import AnswerMark, page, report_of_room
from biaslab.room import (
    NotNow,
    Room,
    Rooms,
    RoomState,
    open_rooms,
    read_room,
    rehearse,
    room_effect,
)
from biaslab.room.records import RoomAnswer, dealt
from biaslab.runs import Store, open_store
from biaslab.studies import experiment
from tests.room.conftest import STUDY, bank, pairs, phone


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "runs.db") as opened:
        yield opened


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Rooms]:
    with open_rooms(tmp_path / "rooms.db") as opened:
        yield opened


def answered(rooms: Rooms, room: Room, people: int = 8) -> Room:
    """The room after everybody has answered 7 to everything."""
    rooms.move(room.id, RoomState.ANSWERING)
    for person in range(people):
        place = rooms.join(room.id, phone(person)).result().place
        text = "7" if room.study else "1"
        rooms.answer(
            room.id, phone(person), [RoomAnswer(card.number, text) for card in dealt(room, place)]
        )
    return rooms.move(room.id, RoomState.CLOSED)


def test_it_says_what_the_screen_says(store: Store, rooms: Rooms) -> None:
    room = rehearse(rooms, rooms.open_room("Tuesday", pairs(8), STUDY).id, 30, 0.3, 1)
    report = report_of_room(store, rooms, room.id)
    effect = room_effect(read_room(rooms, room.id))
    assert report.findings[0].sentences[0] == finding_words(room, effect, experiment(STUDY).arms)
    assert "simulated" in report.title
    assert any("simulated" in each for each in report.limitations)
    assert b"Tuesday" in page(report)


def test_every_answer_is_there_and_every_person_a_number(store: Store, rooms: Rooms) -> None:
    room = answered(rooms, rooms.open_room("A", pairs(4), STUDY))
    report = report_of_room(store, rooms, room.id)
    assert report.items is not None
    given = [
        each for entry in report.items.entries for part in entry.parts for each in part.answers
    ]
    assert len(given) == 8 * 4
    assert {each.who for each in given} == {f"Person {n}" for n in range(1, 9)}
    assert {each.mark for each in given} <= {AnswerMark.RIGHT, AnswerMark.WRONG}
    written = page(report) + report.files["answers.csv"].encode()
    assert not any(phone(person).encode() in written for person in range(1, 8))


def test_a_room_that_counts_has_no_effect(store: Store, rooms: Rooms) -> None:
    room = answered(rooms, rooms.open_room("A", bank(3)))
    report = report_of_room(store, rooms, room.id)
    assert [section.heading for section in report.sections] == ["Question by question"]
    assert "answers were right" in report.findings[0].sentences[0]
    assert b"<html" in page(report)


def test_a_room_without_answers_is_told(store: Store, rooms: Rooms) -> None:
    room = rooms.open_room("A", pairs(4), STUDY)
    with pytest.raises(NotNow, match="Nobody has answered"):
        report_of_room(store, rooms, room.id)


def test_the_command_writes_it_by_the_code_on_the_wall(
    store: Store, rooms: Rooms, tmp_path: Path
) -> None:
    room = answered(rooms, rooms.open_room("A", pairs(4), STUDY))
    out = tmp_path / "room.html"
    command = ["report", "--room", room.code.lower(), "--db", str(store.path), "--out", str(out)]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    assert out.stat().st_size > 10_000
    out.unlink()
    done = CliRunner().invoke(main, [*command[:2], "ZZZZ", *command[3:]])
    assert done.exit_code == 1
    assert "no room with this code" in done.output
