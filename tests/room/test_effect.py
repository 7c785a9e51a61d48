"""What a room's answers say: counts, the effect, what it would take, models beside it."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from biaslab.room import (
    UNKNOWN,
    Allocation,
    CannotAsk,
    Room,
    RoomKind,
    RoomReading,
    Rooms,
    RoomState,
    answers_csv,
    member_counts,
    models_beside,
    people_needed,
    questions_of_design,
    read_room,
    rehearse,
    right_answer,
    room_effect,
)
from biaslab.room.records import RoomAnswer, dealt
from biaslab.runs import open_store, prepare, run_here
from biaslab.studies import Design
from tests.room.conftest import STUDY, bank, pairs, phone

QUESTIONS = pairs(6)


@pytest.fixture
def room(rooms: Rooms) -> Room:
    return rooms.open_room("Tuesday", QUESTIONS, STUDY, seed=1)


def answered(rooms: Rooms, room: Room, people: int, wrong: str = "999") -> RoomReading:
    """Everybody is right on x and gives one wrong answer on x', but every third person to two."""
    rooms.move(room.id, RoomState.ANSWERING)
    for person in range(people):
        place = rooms.join(room.id, phone(person)).result().place
        given = [
            RoomAnswer(
                card.number,
                right_answer(room.questions[card.question], card.arm)
                if card.arm == "x" or (card.question in (0, 5) and place % 3 == 0)
                else wrong,
            )
            for card in dealt(room, place)
        ]
        rooms.answer(room.id, phone(person), given)
    return read_room(rooms, room.id)


def test_under_six_people_there_are_counts_and_no_effect(rooms: Rooms, room: Room) -> None:
    found = room_effect(answered(rooms, room, 5))
    assert found.people == 5
    assert (found.effect, found.low, found.p) == (None, None, None)
    assert "once 6 people have answered" in found.reason
    assert found.mean_x == 1.0
    assert found.mean_x_prime is not None


@pytest.mark.parametrize(("people", "how"), [(6, "flipped"), (11, "flipped"), (12, "Student's t")])
def test_with_few_people_signs_are_flipped_and_with_a_dozen_t_is_used(
    rooms: Rooms, room: Room, people: int, how: str
) -> None:
    found = room_effect(answered(rooms, room, people))
    assert found.effect is not None
    assert found.low is not None
    assert found.high is not None
    assert found.p is not None
    assert found.low <= found.effect <= found.high
    assert found.effect > 0.5
    assert found.p <= 0.05
    assert how in found.method
    assert found.reason == ""


def test_where_everybody_is_right_there_is_an_effect_and_no_interval(
    rooms: Rooms, room: Room
) -> None:
    rooms.move(room.id, RoomState.ANSWERING)
    for person in range(8):
        place = rooms.join(room.id, phone(person)).result().place
        given = [
            RoomAnswer(card.number, right_answer(room.questions[card.question], card.arm))
            for card in dealt(room, place)
        ]
        rooms.answer(room.id, phone(person), given)
    found = room_effect(read_room(rooms, room.id))
    assert (found.effect, found.low, found.p) == (0.0, None, None)
    assert "vary too little" in found.reason


def test_an_answer_that_cannot_be_read_is_not_right_and_is_counted(
    rooms: Rooms, room: Room
) -> None:
    reading = answered(rooms, room, 12, wrong="no idea")
    found = room_effect(reading)
    assert found.unread > 0
    assert found.effect is not None
    assert found.effect > 0.5
    assert sum(each.unread for each in member_counts(reading)) == found.unread


def test_every_member_of_every_question_is_counted(rooms: Rooms, room: Room) -> None:
    reading = answered(rooms, room, 8)
    counts = member_counts(reading)
    assert [(each.question, each.arm) for each in counts] == [
        (question, arm) for question in range(6) for arm in ("x", "x_prime")
    ]
    assert all(each.answered == 4 for each in counts)
    second = counts[3]
    assert (second.right, second.wrong, second.unread) == (0, 4, 0)
    assert second.values == {"999": 4}
    assert second.errors == {UNKNOWN: 4}


def test_reversing_a_comparison_is_named_as_what_may_be_behind_an_answer(
    rooms: Rooms, room: Room
) -> None:
    last = [each.asked("x_prime").item.facts["steps"][-1] for each in room.questions]
    index = next(place for place, step in enumerate(last) if step["operation"] in "+-")
    left, right = last[index]["left"], last[index]["right"]
    backward = left - right if last[index]["operation"] == "+" else left + right
    counts = member_counts(answered(rooms, room, 8, wrong=str(backward)))
    (error,) = counts[2 * index + 1].errors
    assert "revers" in error


def test_a_room_of_choices_counts_the_mal_rule_behind_each(rooms: Rooms) -> None:
    questions = bank(3)
    room = rooms.open_room("Errors", questions)
    rooms.move(room.id, RoomState.ANSWERING)
    wrong = next(iter(questions[0].errors))
    for person in range(7):
        rooms.join(room.id, phone(person)).result()
        text = wrong if person else questions[0].x.item.answer
        rooms.answer(room.id, phone(person), [RoomAnswer(0, text)])
    reading = read_room(rooms, room.id)
    first = member_counts(reading)[0]
    assert (first.answered, first.right, first.wrong) == (7, 1, 6)
    assert list(first.errors.values()) == [6]
    assert first.values[questions[0].x.choices[int(wrong) - 1]] == 6
    assert "compares nothing" in room_effect(reading).reason


def test_decisions_have_an_effect_on_their_scale_and_no_right_answer(rooms: Rooms) -> None:
    room = rooms.open_room("Decisions", pairs(6, "decision"), "decision", seed=1)
    reading = read_room(rooms, rehearse(rooms, room.id, 30, 1.0).id)
    found = room_effect(reading)
    assert not found.binary
    assert found.low is not None
    assert found.low > 0
    counts = member_counts(reading)
    assert all(each.right == each.wrong == 0 for each in counts)
    assert all(each.mean is not None for each in counts)


def test_within_people_the_effect_is_found_too(rooms: Rooms) -> None:
    room = rooms.open_room("Both", QUESTIONS, STUDY, allocation=Allocation.WITHIN, seed=1)
    reading = read_room(rooms, rehearse(rooms, room.id, 20, 0.5).id)
    found = room_effect(reading)
    assert found.answers == 20 * 12
    assert found.low is not None
    assert found.low > 0


def test_simulated_people_stand_in_a_room_of_their_own_that_is_marked(
    rooms: Rooms, room: Room
) -> None:
    made = rehearse(rooms, room.id, 9, 0.2, seed=4)
    assert made.rehearsal
    assert made.state is RoomState.CLOSED
    assert (made.questions, made.seed) == (room.questions, room.seed)
    assert rooms.arrivals(made.id) == (9, 9, 9, 54, None)
    assert rooms.arrivals(room.id).joined == 0
    assert not rooms.room(room.id).rehearsal
    rows = list(csv.DictReader(io.StringIO(answers_csv(read_room(rooms, made.id)))))
    assert {row["rehearsal"] for row in rows} == {"True"}


def test_the_same_rehearsal_gives_the_same_answers(rooms: Rooms, room: Room) -> None:
    one, other, third = (
        [(each.place, each.card, each.text) for each in rooms.answers(made.id)]
        for made in (rehearse(rooms, room.id, 5, 0.2, seed) for seed in (1, 1, 2))
    )
    assert one == other != third


def test_a_rehearsal_that_cannot_be_is_refused(rooms: Rooms, room: Room) -> None:
    for people, bias in ((0, 0.0), (401, 0.0), (5, 1.5), (5, float("nan"))):
        with pytest.raises(CannotAsk):
            rehearse(rooms, room.id, people, bias)
    assert rooms.rooms() == [room]


def test_the_table_of_answers_has_numbers_for_people_and_no_formula(
    rooms: Rooms, room: Room
) -> None:
    rooms.move(room.id, RoomState.ANSWERING)
    cards = dealt(room, rooms.join(room.id, phone(1)).result().place)
    texts = ["=1+1", "-12", "@a", "7", "+3", "-2+3"]
    given = [RoomAnswer(card.number, text) for card, text in zip(cards, texts, strict=True)]
    rooms.answer(room.id, phone(1), given)
    table = answers_csv(read_room(rooms, room.id))
    rows = list(csv.DictReader(io.StringIO(table)))
    by_step = sorted(rows, key=lambda row: int(row["step"]))
    assert [row["answer"] for row in by_step] == ["'=1+1", "-12", "'@a", "7", "+3", "'-2+3"]
    assert {row["person"] for row in rows} == {"1"}
    assert {row["rehearsal"] for row in rows} == {"False"}
    assert [row["stratum_steps"] for row in rows]
    assert phone(1) not in table


def test_people_needed_are_those_of_the_table(room: Room) -> None:
    def of(pairs_there: int) -> Room:
        return replace(
            room, questions=(*QUESTIONS, *QUESTIONS, *QUESTIONS, *QUESTIONS)[:pairs_there]
        )

    assert [people_needed(of(each)).interval for each in (6, 10, 20)] == [20, 13, 8]
    assert [people_needed(of(each)).finding for each in (6, 10, 20)] == [38, 24, 13]
    both = replace(of(6), allocation=Allocation.WITHIN)
    assert people_needed(both).interval < people_needed(of(6)).interval
    assert people_needed(of(6), 0.3).interval < people_needed(of(6)).interval


def test_models_that_were_asked_the_same_pairs_stand_beside_the_room(
    room: Room, tmp_path: Path
) -> None:
    with open_store(tmp_path / "runs.db") as store:
        assert models_beside(store, room.study, room.questions) == []
        same = prepare(store, Design(STUDY, 10, 1), "learner:careless", "direct")
        other = prepare(store, Design(STUDY, 10, 2), "learner:careless", "direct")
        run_here(store, same)
        run_here(store, other)
        beside = {each.run.id: each for each in models_beside(store, room.study, room.questions)}
    assert (beside[same].shared, beside[same].effect.n) == (6, 6)
    assert (beside[other].shared, beside[other].effect.n) == (0, 10)


def test_recorded_models_stand_beside_a_room_after_those_of_the_file(
    recorded: str, rooms: Rooms, tmp_path: Path
) -> None:
    with open_store(tmp_path / "runs.db") as store:
        design = store.run(recorded).design
        asked = questions_of_design(store, replace(design, n=5))
        room = rooms.open_room("Tuesday", asked, design.study, seed=1)
        run_here(store, own := prepare(store, Design(STUDY, 4, 1), "learner:careless", "direct"))
        beside = models_beside(store, room.study, room.questions)
    assert beside[0].run.id == own
    mine = {each.run.id: each for each in beside}[recorded]
    # Of the room's own pairs alone, since this very model was asked these.
    assert (mine.shared, mine.effect.n) == (5, 5)
    assert len(beside) > 2


def test_a_room_of_one_member_has_nothing_to_need_people_for(room: Room) -> None:
    assert room.kind is RoomKind.PAIRS
    with pytest.raises(ValueError, match="one member"):
        bank(1)[0].asked("x_prime")
