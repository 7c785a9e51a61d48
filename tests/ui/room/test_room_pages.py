"""The host's pages of a live room: opening, leading, the wall, what came out."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.room import (
    CannotAsk,
    Room,
    RoomKind,
    Rooms,
    RoomState,
    questions_of_quiz,
    rehearse,
    rooms_here,
)
from biaslab.room.records import RoomAnswer, dealt
from biaslab.system import roles
from biaslab.system.places import RECORDED_VARIABLE
from biaslab.system.roles import NotAllowed, Role
from biaslab.ui.widgets import visitor
from schoolmath.malrules import Answer
from schoolmath.malrules.classes import Quiz, QuizItem
from tests.room.conftest import STUDY, bank, pairs
from tests.ui.conftest import Asked, Visit, links, words

pytestmark = pytest.mark.usefixtures("empty")


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitor, "role", lambda: Role.HERE)


@pytest.fixture
def rooms(empty: Path) -> Rooms:
    """The file of rooms beside the file of runs."""
    assert not empty.with_name("rooms.db").exists()
    return rooms_here()


def button(app: AppTest, label: str) -> AppTest:
    (found,) = [each for each in app.button if each.label == label]
    return found.click().run()


def answer_all(rooms: Rooms, room: Room, people: int, answer: str) -> None:
    """Everybody answers the same to everything."""
    for person in range(people):
        place = rooms.join(room.id, f"{person:032x}").result().place
        cards = dealt(room, place)
        rooms.answer(room.id, f"{person:032x}", [RoomAnswer(c.number, answer) for c in cards])


def test_a_visitor_opens_no_room_and_sees_none(
    rooms: Rooms, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = rooms.open_room("Secret plans", pairs(), STUDY)
    monkeypatch.setattr(visitor, "role", lambda: Role.VISITOR)
    for page in ("room", "wall"):
        app = visit(page, room=room.id)
        assert "Hosts and the person at this computer may open a room" in words(app)
        assert "Secret plans" not in words(app)
        assert not app.button


def test_a_room_is_opened_with_the_pairs_that_are_shown(rooms: Rooms, visit: Visit) -> None:
    app = visit("room", study="carry", n="4", who="within", pace="host")
    app.text_input(key="room title").set_value("Class 5").run()
    button(app, "Open the room")
    (room,) = rooms.rooms()
    assert (room.title, room.study, len(room.questions)) == ("Class 5", "carry", 4)
    assert (room.allocation, room.pace) == ("within", "host")


def test_a_room_without_a_name_gives_no_trick_away_and_late_comers_see_its_code(
    rooms: Rooms, visit: Visit
) -> None:
    button(visit("room", study="carry", n="4"), "Open the room")
    (room,) = rooms.rooms()
    assert room.title == "A short quiz"
    rooms.move(room.id, RoomState.ANSWERING)
    assert room.code in words(visit("wall", room=room.id))


@pytest.mark.parametrize("study", ["decision", "transfer-comparison"])
def test_every_kind_of_pairs_that_a_phone_can_ask_is_offered(
    study: str, rooms: Rooms, visit: Visit
) -> None:
    app = button(visit("room", study=study, n="3"), "Open the room")
    assert not app.error
    assert [room.study for room in rooms.rooms()] == [study]


def test_questions_with_mal_rules_are_counted_and_compare_nothing(
    rooms: Rooms, visit: Visit
) -> None:
    app = button(visit("room", study="bank", n="3"), "Open the room")
    assert not app.error
    (room,) = rooms.rooms()
    assert (room.kind, len(room.questions)) == (RoomKind.COUNT, 3)


def test_pairs_that_cannot_be_made_are_told_where_they_are_chosen(
    rooms: Rooms, visit: Visit
) -> None:
    app = visit("room", study="imported", n="3")
    assert app.error or app.warning
    (opening,) = [each for each in app.button if each.label == "Open the room"]
    assert opening.disabled
    assert rooms.rooms() == []


def test_a_room_goes_forward_and_back_by_its_buttons(rooms: Rooms, visit: Visit) -> None:
    room = rooms.open_room("A", pairs(), STUDY)
    app = visit("room", room=room.id)
    for label, state in [
        ("Begin", RoomState.ANSWERING), ("Close", RoomState.CLOSED), ("Reveal", RoomState.REVEALED),
        ("Back", RoomState.CLOSED), ("Back", RoomState.ANSWERING), ("Back", RoomState.WAITING),
    ]:  # fmt: skip
        button(app, label)
        assert rooms.room(room.id).state is state


def test_a_room_that_is_gone_is_told(rooms: Rooms, visit: Visit) -> None:
    assert rooms.rooms() == []
    assert "no room" in visit("room", room="0123456789abcdef").warning[0].value


@pytest.mark.usefixtures("rooms", "recorded")
def test_without_a_room_the_wall_shows_a_slide_of_recorded_answers(visit: Visit) -> None:
    shown = words(visit("wall"))
    assert "**Example**: one slide of a room." in shown
    assert "Right answer" in shown
    assert "Qwen2.5-Coder-0.5B-Instruct" in shown


def test_few_people_are_counted_and_have_no_effect(rooms: Rooms, visit: Visit) -> None:
    room = rooms.open_room("A", pairs(), STUDY)
    rooms.move(room.id, RoomState.ANSWERING)
    answer_all(rooms, room, 2, "7")
    rooms.move(room.id, RoomState.CLOSED)
    said = words(visit("room", room=room.id))
    assert "once 6 people have answered" in said
    # What one of two people answered is known to the other one.
    assert "Single answers are shown from 5 people on" in said
    assert "% right (" not in said


def test_pairs_that_a_recorded_model_answered_are_offered_first_with_its_answers(
    rooms: Rooms, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(RECORDED_VARIABLE, raising=False)
    app = visit("room", n="6")
    assert "Models answered these pairs" in words(app)
    button(app, "Open the room")
    (room,) = rooms.rooms()
    assert {each.strata["steps"] for each in room.questions} == {1}
    copy = rehearse(rooms, room.id, 20, 0.1, 1)
    rooms.move(copy.id, RoomState.REVEALED)
    slide = words(visit("wall", room=copy.id, slide="2"))
    assert "Qwen2.5-Coder-0.5B-Instruct, think step by step: <b>" in slide
    assert "Models answered these pairs" not in words(visit("room", n="6", steps="2-2"))


def test_a_rehearsal_shows_the_effect_it_was_made_with_and_says_what_it_is(
    rooms: Rooms, visit: Visit
) -> None:
    room = rooms.open_room("A", pairs(10), STUDY)
    copy = rehearse(rooms, room.id, 200, 0.3, 1)
    said = words(visit("room", room=copy.id))
    assert "everybody in it is simulated" in said
    assert "Rehearsal (simulated people)" in said
    assert "lies on one side of zero" in said
    rooms.move(copy.id, RoomState.REVEALED)
    app = visit("wall", room=copy.id)
    assert "Rehearsal (simulated people)" in words(app)
    app = button(app, "Next")
    assert "Question 1 of 10" in words(app)
    assert app.query_params["slide"] in ("1", ["1"])


def test_models_that_were_asked_the_same_study_stand_beside(
    asked: Asked, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIASLAB_DB", str(asked.path))
    rooms = rooms_here()
    try:
        room = rooms.open_room("A", pairs(10), STUDY)
        copy = rehearse(rooms, room.id, 30, 0.1, 1)
        app = visit("room", room=copy.id)
        assert not app.error
        assert "keyword" in words(app)
    finally:
        for each in rooms.rooms():
            rooms.delete(each.id)


def test_what_people_and_hosts_type_is_text(rooms: Rooms, visit: Visit) -> None:
    room = rooms.open_room("<script>alert(1)</script> **x**", bank(2), "")
    rooms.move(room.id, RoomState.ANSWERING)
    app = visit("wall", room=room.id)
    assert not [each for each in app.get("html") if "<script" in each.proto.body]


def test_the_wall_counts_down_where_that_is_wanted(rooms: Rooms, visit: Visit) -> None:
    room = rooms.open_room("A", pairs(), STUDY)
    rooms.move(room.id, RoomState.ANSWERING)
    assert "1:00" in words(visit("wall", room=room.id, timer="60"))
    assert 'role="timer"' not in words(visit("wall", room=room.id))


def test_a_room_is_deleted_once_it_is_confirmed(rooms: Rooms, visit: Visit) -> None:
    room = rooms.open_room("A", pairs(), STUDY)
    app = visit("room", room=room.id)
    (deletion,) = [each for each in app.button if each.label == "Delete"]
    assert deletion.disabled
    app.checkbox(key="sure").check().run()
    button(app, "Delete")
    assert rooms.rooms() == []


def test_the_page_leads_to_the_wall_of_this_room(rooms: Rooms, visit: Visit) -> None:
    room = rooms.open_room("A", pairs(), STUDY)
    app = visit("room", room=room.id, timer="60")
    assert links(app)["Show it on the wall"].endswith(f"wall?room={room.id}&timer=60")


class TestGuessTogether:
    """The game on phones: each question's guesses are shown before the next one."""

    def test_rounds_are_those_of_the_game_with_its_rules_to_choose_from(
        self, rooms: Rooms, visit: Visit
    ) -> None:
        app = button(visit("room", study="guess", n="3"), "Open the room")
        assert not app.error
        (room,) = rooms.rooms()
        assert (room.kind, room.pace) == (RoomKind.COUNT, "host")
        shown = words(visit("guess", seed="1", round="2"))
        asked = room.questions[1].x
        assert asked.text.partition("\n\nA pupil answers")[0].split()[0] in shown
        assert len(asked.choices) == 4

    def test_guesses_stand_on_the_wall_after_each_round(self, rooms: Rooms, visit: Visit) -> None:
        button(visit("room", study="guess", n="2"), "Open the room")
        (room,) = rooms.rooms()
        app = visit("wall", room=room.id)
        button(app, "Begin")
        for person, choice in enumerate("112"):
            phone = f"{person:032x}"
            rooms.join(room.id, phone).result()
            rooms.answer(room.id, phone, [RoomAnswer(0, choice)])
        app = button(app, "Show the answers")
        assert rooms.room(room.id).state is RoomState.REVEALED
        bars = [each.proto.body for each in app.get("html") if "bl-vote" in each.proto.body]
        assert [text.partition("<")[0] for text in bars[0].split("<b>")[1:]] == ["2", "1", "0", "0"]
        assert bars[0].count("✓") == 1
        app = button(app, "Next question")
        now = rooms.room(room.id)
        assert (now.state, now.step) == (RoomState.ANSWERING, 1)
        app = button(button(app, "Show the answers"), "Back")
        assert rooms.room(room.id).state is RoomState.ANSWERING


class TestAQuizOnPhones:
    """A class answers by row numbers; the sheet is as if a teacher had typed it."""

    def opened(self, rooms: Rooms, visit: Visit, **how: str) -> tuple[AppTest, Room]:
        app = button(visit("your_class", **how), "Open a room with this quiz")
        assert not app.error
        (room,) = rooms.rooms()
        return app, room

    def test_answers_are_taken_over_and_leave_the_disk(self, rooms: Rooms, visit: Visit) -> None:
        _, room = self.opened(rooms, visit, step="quiz")
        assert room.kind is RoomKind.QUIZ
        rooms.move(room.id, RoomState.ANSWERING)
        for row, phone in [("7", "a" * 32), ("3", "b" * 32)]:
            place = rooms.join(room.id, phone).result().place
            cards = dealt(room, place)
            assert [card.question for card in cards] == list(range(len(room.questions)))
            given = [RoomAnswer(card.number, "1") for card in cards]
            given[0] = RoomAnswer(cards[0].number, row)
            rooms.answer(room.id, phone, given)
        app = button(visit("your_class", step="answers"), f"Take over and delete room {room.code}")
        assert rooms.rooms() == []
        kept = app.session_state["class: answers"]
        assert sorted(kept.sheet.answers) == [3, 7]
        assert not kept.sheet.marks
        assert app.query_params["step"] in ("groups", ["groups"])

    def test_what_phones_may_still_hold_is_given_up_only_by_saying_so(
        self, rooms: Rooms, visit: Visit
    ) -> None:
        _, room = self.opened(rooms, visit, step="quiz")
        rooms.move(room.id, RoomState.ANSWERING)
        place = rooms.join(room.id, "a" * 32).result().place
        cards = dealt(room, place)
        rooms.answer(room.id, "a" * 32, [RoomAnswer(cards[0].number, "7")])
        label = f"Take over and delete room {room.code}"
        app = visit("your_class", step="answers")
        assert [each.disabled for each in app.button if each.label == label] == [True]
        (sure,) = (each for each in app.checkbox if "not sent" in each.label)
        assert sure.label == "Leave out what 1 has not sent"
        app = sure.check().run()
        assert [each.disabled for each in app.button if each.label == label] == [False]

    def test_a_room_of_another_quiz_is_not_offered(self, rooms: Rooms, visit: Visit) -> None:
        self.opened(rooms, visit, step="quiz")
        app = visit("your_class", step="answers", set="2")
        assert not [each for each in app.button if each.label.startswith("Take over")]

    def test_answers_that_numbers_cannot_say_are_refused_in_a_sentence(self, rooms: Rooms) -> None:
        item = QuizItem("one", "Simplify 2x + 3x.", Answer.expression("5*x"), {})
        with pytest.raises(CannotAsk, match="numbers alone can be typed"):
            questions_of_quiz(Quiz((item,), "algebra"))
        assert rooms.rooms() == []

    def test_nobody_opens_a_room_without_the_role(
        self, rooms: Rooms, visit: Visit, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(visitor, "role", lambda: Role.VISITOR)
        app = visit("your_class", step="quiz")
        assert "phones" not in " ".join(each.label for each in app.expander)
        assert rooms.rooms() == []


@pytest.mark.parametrize("deed", ["open", "move", "delete"])
def test_rooms_are_led_by_those_who_may_whatever_a_screen_shows(
    deed: str, rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = rooms.open_room("A", pairs(), STUDY)
    monkeypatch.setattr(roles, "_whose", lambda: Role.VISITOR)
    deeds = {
        "open": lambda: rooms.open_room("B", pairs(), STUDY),
        "move": lambda: rooms.move(room.id, RoomState.ANSWERING),
        "delete": lambda: rooms.delete(room.id),
    }
    with pytest.raises(NotAllowed, match="open a room"):
        deeds[deed]()
    assert [each.state for each in rooms.rooms()] == [RoomState.WAITING]
