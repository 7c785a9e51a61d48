"""The file of rooms: rooms, who is in them, what they answered; opened, and tidied of old rooms."""

from __future__ import annotations

import math
import secrets
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from biaslab.room.records import (
    CODE_LENGTH,
    KEPT_DAYS,
    LASTS_HOURS,
    LETTERS,
    LONGEST_ANSWER,
    LONGEST_HOURS,
    LONGEST_TITLE,
    MOST_OPEN,
    MOST_PEOPLE,
    MOST_QUESTIONS,
    Allocation,
    AnsweredBy,
    Arrivals,
    BadRequest,
    CannotAsk,
    NotNow,
    Participant,
    QuestionCard,
    RawAnswer,
    Room,
    RoomAnswer,
    RoomError,
    RoomFull,
    RoomKind,
    RoomMember,
    RoomPace,
    RoomQuestion,
    RoomState,
    SubmissionResult,
    TooManyRooms,
    UnknownPerson,
    UnknownRoom,
    WrongMove,
    dealt,
    read_questions,
    write_questions,
)
from biaslab.room.writer import RoomWriter
from biaslab.runs import NewerStore, NotAStore
from biaslab.runs.store.connection import connect, store_errors
from biaslab.system.places import default_database
from biaslab.system.roles import May, require
from schoolmath.text.figures import count

_ANSWERS = f"""
INSERT OR IGNORE INTO answers (person, card, text, received)
SELECT people.id, json_extract(given.value, '$[1]'), json_extract(given.value, '$[2]'),
       json_extract(given.value, '$[3]')
FROM json_each(?) AS given
CROSS JOIN people ON people.id = json_extract(given.value, '$[0]')
JOIN rooms ON rooms.id = people.room
WHERE rooms.state <> '{RoomState.REVEALED}' AND rooms.ends > json_extract(given.value, '$[3]')
ORDER BY given.key
"""
"""Writes answers that are not too late, in the order in which they came."""

_ORDER = tuple(RoomState)
_COLUMNS = (
    "id, code, title, study, kind, allocation, pace, seed, state, step, shows_answers, rehearsal, "
    "created, ends"
)
_LARGEST_SEED = 2**31 - 1
_HOUR = 3_600.0


class Rooms:
    """A file of rooms, ready to use. Any number of threads may share one object.

    Everything is written by one thread (`biaslab.room.writer`) and is on the disk when a
    method returns, or when its future is done. Every method may raise a `StoreError`.
    """

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        """Use `biaslab.room.open_rooms`."""
        self._path = path
        self._now = now
        self._writer = RoomWriter(path, _ANSWERS)
        self._idle: deque[sqlite3.Connection] = deque()
        # Every request of every phone looks at its room, whose questions never change.
        self._questions: dict[str, tuple[RoomQuestion, ...]] = {}

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._path

    def close(self) -> None:
        """Writes what is waiting, and closes the file."""
        self._writer.close()
        while self._idle:
            self._idle.pop().close()

    def __enter__(self) -> Rooms:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open_room(
        self,
        title: str,
        questions: Sequence[RoomQuestion],
        study: str = "",
        *,
        allocation: Allocation = Allocation.BETWEEN,
        pace: RoomPace = RoomPace.EACH,
        seed: int | None = None,
        hours: float = LASTS_HOURS,
        shows_answers: bool = True,
        rehearsal: bool = False,
        quiz: bool = False,
    ) -> Room:
        """Opens a room; people may come in at once.

        Args:
            title: what people read above it.
            questions: as `questions_of` or `questions_of_items` made them.
            study: name of the study that reads the answers; empty for `questions_of_items`.
            allocation: who gets which member.
            pace: who decides when the next question comes.
            seed: decides who gets what; None draws one.
            hours: after which it ends.
            shows_answers: whether phones show their own answers beside the room's, once revealed.
            rehearsal: whether everybody in it will be simulated (`biaslab.room.rehearse`).
            quiz: whether the questions are those of `biaslab.room.questions_of_quiz`; then phones
                never show answers.

        Raises:
            CannotAsk: such a room cannot be.
            TooManyRooms: too many are open.
            NotAllowed: whoever acts may open no room, nor lead or delete one.
        """
        require(May.ROOM)
        title = " ".join(title.split())
        kind = RoomKind.QUIZ if quiz else RoomKind.PAIRS if study else RoomKind.COUNT
        shows_answers = shows_answers and not quiz
        _check(title, questions, kind, allocation, hours, seed)
        now = self._now()
        drawn = secrets.randbelow(_LARGEST_SEED + 1) if seed is None else seed

        def write(connection: sqlite3.Connection) -> Room:
            (there,) = connection.execute(
                "SELECT count(*) FROM rooms WHERE rehearsal = ? AND (ends > ? OR rehearsal)",
                (rehearsal, now),
            ).fetchone()
            if there >= MOST_OPEN:
                what = "rehearsals are saved" if rehearsal else "rooms are open"
                raise TooManyRooms(f"{MOST_OPEN} {what} already. Delete one first.")
            room = Room(
                secrets.token_hex(8), _free_code(connection), title, study, kind, allocation,
                pace, tuple(questions), drawn, RoomState.WAITING, 0, shows_answers, rehearsal, now,
                now + hours * _HOUR,
            )  # fmt: skip
            values = (
                room.id, room.code, title, study, kind, allocation, pace, drawn, room.state, 0,
                shows_answers, rehearsal, now, room.ends, write_questions(room.questions),
            )  # fmt: skip
            places = ", ".join("?" * len(values))
            connection.execute(
                f"INSERT INTO rooms ({_COLUMNS}, questions) VALUES ({places})", values
            )
            return room

        return self._writer.submit(write).result()

    def rooms(self) -> list[Room]:
        """Every room, the newest first; rehearsals among them."""
        with self._reading() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM rooms ORDER BY created DESC, rowid DESC"
            )
            return [self._room(connection, row) for row in rows.fetchall()]

    def room(self, room_id: str) -> Room:
        """One room as it stands now.

        Raises:
            UnknownRoom: there is none.
        """
        with self._reading() as connection:
            return self._room_of(connection, room_id)

    def find(self, code: str) -> Room:
        """The room that has this code, in capitals or not; rehearsals have none for people.

        Raises:
            UnknownRoom: there is none.
        """
        # Every request of every phone comes here, so without a transaction around one look.
        with self._connection() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM rooms WHERE code = ? AND NOT rehearsal", (code.upper(),)
            ).fetchall()
            if not rows:
                raise UnknownRoom(
                    "There is no room with this code. Look again at the four letters on the wall."
                )
            return self._room(connection, rows[0])

    def is_over(self, room: Room) -> bool:
        """Whether its time has ended."""
        return self._now() >= room.ends

    def move(self, room_id: str, state: RoomState, step: int | None = None) -> Room:
        """Takes a room a state forward or back, or its phones to another question.

        Args:
            room_id: the room.
            state: the state next to its own, or its own.
            step: where the host sets the pace: the question to show, from 0; None: as before.

        Raises:
            UnknownRoom: there is none.
            WrongMove: it cannot go there.
        """
        require(May.ROOM)

        def write(connection: sqlite3.Connection) -> Room:
            room = self._room_of(connection, room_id)
            if abs(_ORDER.index(state) - _ORDER.index(room.state)) > 1:
                raise WrongMove(
                    f"The room is {room.state}, and goes from {room.state} to "
                    f"{_neighbours(room.state)}, not to {state}."
                )
            to = room.step if step is None else step
            if to and room.pace is not RoomPace.HOST:
                raise WrongMove("In this room everybody goes on at their own pace.")
            if not 0 <= to < room.steps:
                raise WrongMove(f"The room has {count(room.steps, 'question')}.")
            connection.execute(
                "UPDATE rooms SET state = ?, step = ? WHERE id = ?", (state, to, room_id)
            )
            return self._room_of(connection, room_id)

        return self._writer.submit(write).result()

    def delete(self, room_id: str) -> None:
        """Deletes a room with everybody and everything in it, for good.

        Raises:
            UnknownRoom: there is none.
        """
        require(May.ROOM)

        def write(connection: sqlite3.Connection) -> None:
            # What is deleted is overwritten in the file, not only no longer found.
            connection.execute("PRAGMA secure_delete = ON")
            if not connection.execute("DELETE FROM rooms WHERE id = ?", (room_id,)).rowcount:
                raise _unknown_room()
            self._questions.pop(room_id, None)

        self._writer.submit(write).result()
        with self._connection() as connection:
            # Whoever reads at this moment keeps the log; then the next deletion empties it.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def join(self, room_id: str, phone: str) -> Future[RoomMember]:
        """Lets a phone in; one that was in before is who it was.

        Args:
            room_id: the room.
            phone: its random id, which is kept as a hash alone.

        Raises (the future, too):
            UnknownRoom: there is none.
            NotNow: nobody new gets in any more.
            RoomFull: it is full.
        """
        key, now = _hashed(phone), self._now()

        def write(connection: sqlite3.Connection) -> RoomMember:
            room = self._room_of(connection, room_id)
            known = _person(connection, room_id, key)
            if known is None:
                if room.state in (RoomState.CLOSED, RoomState.REVEALED) or now >= room.ends:
                    raise NotNow("This room is closed. Nobody new gets in.")
                (place,) = connection.execute(
                    "SELECT count(*) FROM people WHERE room = ?", (room_id,)
                ).fetchone()
                if place >= MOST_PEOPLE:
                    raise RoomFull(f"This room is full: {MOST_PEOPLE} people are in it.")
                connection.execute(
                    "INSERT INTO people (room, phone, place, joined) VALUES (?, ?, ?, ?)",
                    (room_id, key, place, now),
                )
                return RoomMember(place, ())
            return RoomMember(known.place, _answered(connection, known.number))

        return self._writer.submit(write)

    def person(self, room_id: str, phone: str) -> Participant:
        """Who a phone is in a room.

        Raises:
            UnknownPerson: it is not in it.
        """
        with self._connection() as connection:
            known = _person(connection, room_id, _hashed(phone))
        if known is None:
            raise UnknownPerson("This phone is not in the room yet.")
        return known

    def answer(self, room_id: str, phone: str, answers: Sequence[RoomAnswer]) -> SubmissionResult:
        """Writes down answers, and says what became of them; see `send`.

        Raises:
            UnknownRoom: there is no such room.
            UnknownPerson: this phone is not in it.
            BadRequest: as `send`.
        """
        person = self.person(room_id, phone)
        self.send(self.room(room_id), person, answers).result()
        return self.stored(person, answers)

    def send(self, room: Room, person: Participant, answers: Sequence[RoomAnswer]) -> Future[None]:
        """Has answers written down; of several to one card the first counts.

        Args:
            room: the room.
            person: who answers.
            answers: to their own cards.

        Returns:
            Done once those that are not too late are on the disk; `stored` says which.

        Raises:
            BadRequest: an answer is none, or to a card that this person has not.
        """
        _check_answers(room, person.place, answers)
        now = self._now()
        return self._writer.insert(
            [(person.number, each.card, each.text.strip(), now) for each in answers]
        )

    def stored(self, person: Participant, answers: Sequence[RoomAnswer]) -> SubmissionResult:
        """What is written down of a person, and which of these answers came too late."""
        with self._connection() as connection:
            answered = _answered(connection, person.number)
        refused = {each.card for each in answers} - {*answered}
        return SubmissionResult(answered, tuple(sorted(refused)))

    def arrivals(self, room_id: str) -> Arrivals:
        """How many people and answers there are; cheap, for screens that look every second.

        Raises:
            UnknownRoom: there is none.
        """
        with self._reading() as connection:
            room = self._room_of(connection, room_id)
            (joined,) = connection.execute(
                "SELECT count(*) FROM people WHERE room = ?", (room_id,)
            ).fetchone()
            counted = connection.execute(
                "SELECT place, count(*), group_concat(card) FROM people JOIN answers "
                "ON person = people.id WHERE room = ? GROUP BY people.id",
                (room_id,),
            ).fetchall()
        at_step = None
        if room.pace is RoomPace.HOST:
            at_step = sum(
                str(dealt(room, place)[room.step].number) in cards.split(",")
                for place, _, cards in counted
            )
        return Arrivals(
            joined,
            len(counted),
            sum(answers >= room.steps for _, answers, _ in counted),
            sum(answers for _, answers, _ in counted),
            at_step,
        )

    def answers(self, room_id: str) -> list[RawAnswer]:
        """Every answer of a room as it was given, by person and in the order of arrival.

        Raises:
            UnknownRoom: there is none.
        """
        with self._reading() as connection:
            self._room_of(connection, room_id)
            rows = connection.execute(
                "SELECT place, card, text, received FROM people JOIN answers "
                "ON person = people.id WHERE room = ? ORDER BY place, card",
                (room_id,),
            )
            return [
                RawAnswer(place, QuestionCard.numbered(card), text, received)
                for place, card, text, received in rows
            ]

    def _room_of(self, connection: sqlite3.Connection, room_id: str) -> Room:
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM rooms WHERE id = ?", (room_id,)
        ).fetchall()
        if not rows:
            raise _unknown_room()
        return self._room(connection, rows[0])

    def _room(self, connection: sqlite3.Connection, row: Sequence[Any]) -> Room:
        (
            room_id, code, title, study, kind, allocation, pace, seed, state, step, shows_answers,
            rehearsal, created, ends,
        ) = row  # fmt: skip
        questions = self._questions.get(room_id)
        if questions is None:
            texts = connection.execute(
                "SELECT questions FROM rooms WHERE id = ?", (room_id,)
            ).fetchall()
            if not texts:  # deleted since the look before
                raise _unknown_room()
            questions = self._questions[room_id] = read_questions(texts[0][0])
        return Room(
            room_id, code, title, study, RoomKind(kind), Allocation(allocation), RoomPace(pace),
            questions,
            seed, RoomState(state), step, bool(shows_answers), bool(rehearsal), created, ends,
        )  # fmt: skip

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """The file as it stands at the first look."""
        with self._connection() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("COMMIT")

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = connect(self._path)
        with store_errors(self._path):
            try:
                yield connection
            except RoomError:
                self._idle.append(connection)
                raise
            except BaseException:
                connection.close()
                raise
        self._idle.append(connection)


def _check(
    title: str,
    questions: Sequence[RoomQuestion],
    kind: RoomKind,
    allocation: Allocation,
    hours: float,
    seed: int | None,
) -> None:
    """Refuses a room that cannot be."""
    if not 1 <= len(title) <= LONGEST_TITLE:
        raise CannotAsk(f"A room needs a title of at most {LONGEST_TITLE} characters.")
    if not 1 <= len(questions) <= MOST_QUESTIONS:
        raise CannotAsk(f"A room has 1 to {MOST_QUESTIONS} questions, not {len(questions):,}.")
    if any((each.x_prime is None) == (kind is RoomKind.PAIRS) for each in questions):
        raise CannotAsk(
            "Pairs need the study that reads their answers, and questions that stand alone have "
            "none."
        )
    if allocation is Allocation.WITHIN and kind is RoomKind.PAIRS and len(questions) < 2:
        raise CannotAsk(
            "With one pair, its two members would follow each other. Take two pairs or more, or "
            "give each person one member."
        )
    if not (math.isfinite(hours) and 0 < hours <= LONGEST_HOURS):
        raise CannotAsk(f"A room lasts {LONGEST_HOURS} hours at most.")
    if seed is not None and not 0 <= seed <= _LARGEST_SEED:
        raise CannotAsk(f"A seed is a whole number from 0 to {_LARGEST_SEED:,}.")


def _check_answers(room: Room, place: int, answers: Sequence[RoomAnswer]) -> None:
    cards = {each.number: each for each in dealt(room, place)}
    for each in answers:
        card = cards.get(each.card)
        if card is None:
            raise BadRequest("An answer is to a question that this phone was not asked.")
        text = each.text.strip()
        if not 1 <= len(text) <= LONGEST_ANSWER or not text.isprintable():
            raise BadRequest(f"An answer has 1 to {LONGEST_ANSWER} characters in one line.")
        question = room.questions[card.question]
        choices = question.asked(card.arm).choices
        if question.answered_by is AnsweredBy.CHOICE and text not in {
            str(number) for number in range(1, len(choices) + 1)
        }:
            raise BadRequest(f"A choice is a number from 1 to {len(choices)}.")


def _neighbours(state: RoomState) -> str:
    place = _ORDER.index(state)
    return " or ".join(_ORDER[max(0, place - 1) : place] + _ORDER[place + 1 : place + 2])


def _free_code(connection: sqlite3.Connection) -> str:
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        if not connection.execute("SELECT 1 FROM rooms WHERE code = ?", (code,)).fetchone():
            return code


def _hashed(phone: str) -> bytes:
    return sha256(phone.encode()).digest()


def _person(connection: sqlite3.Connection, room_id: str, key: bytes) -> Participant | None:
    """Who a phone is in a room; None where it is not in it."""
    found = connection.execute(
        "SELECT id, place FROM people WHERE room = ? AND phone = ?", (room_id, key)
    ).fetchall()
    return Participant(*found[0]) if found else None


def _answered(connection: sqlite3.Connection, person: int) -> tuple[int, ...]:
    rows = connection.execute("SELECT card FROM answers WHERE person = ? ORDER BY card", (person,))
    return tuple(card for (card,) in rows)


def _unknown_room() -> UnknownRoom:
    return UnknownRoom("This room is not there any more: it was deleted.")


# Opening: a file is made where there is none.


APPLICATION_ID = 0x42694C52
"""Marks the file as one of BiasLab's rooms ("BiLR")."""

VERSION = 1

_TABLES = """
CREATE TABLE rooms (
    id TEXT PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,         -- what people type
    title TEXT NOT NULL,
    study TEXT NOT NULL,               -- whose reader reads the answers; '' where they are counted
    kind TEXT NOT NULL,
    allocation TEXT NOT NULL,
    pace TEXT NOT NULL,
    questions TEXT NOT NULL,           -- JSON list
    seed INTEGER NOT NULL,             -- decides, with the place of a person, who gets what
    state TEXT NOT NULL,
    step INTEGER NOT NULL,             -- the question that the host shows
    shows_answers INTEGER NOT NULL,
    rehearsal INTEGER NOT NULL,        -- 1: everybody in it is simulated
    created REAL NOT NULL,             -- seconds since 1970
    ends REAL NOT NULL
);

CREATE TABLE people (
    id INTEGER PRIMARY KEY,
    room TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
    phone BLOB NOT NULL,               -- a hash of the random id that the phone made
    place INTEGER NOT NULL,            -- in the order of arrival, from 0
    joined REAL NOT NULL,
    UNIQUE (room, phone),
    UNIQUE (room, place)
);

CREATE TABLE answers (
    -- The first answer of a person to a card counts.
    person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    card INTEGER NOT NULL,             -- twice the question's index, and one more for x'
    text TEXT NOT NULL,                -- as typed, or the number of the choice
    received REAL NOT NULL,
    PRIMARY KEY (person, card)
) WITHOUT ROWID;
"""

_DAY = 86_400.0


def rooms_beside(database: Path) -> Path:
    """Where rooms are kept: ``rooms.db`` beside a file of runs; it may not be there yet."""
    return database.with_name("rooms.db")


def default_rooms() -> Path:
    """The file of rooms beside the app's own file of runs."""
    return rooms_beside(default_database())


_OPENING = threading.Lock()


def rooms_here() -> Rooms:
    """The file of rooms of this process, opened once; pages and phones share it.

    Raises:
        StoreError: it cannot be opened.
    """
    with _OPENING:  # a page and a phone may come at the same moment
        return _opened(default_rooms())


@cache
def _opened(path: Path) -> Rooms:
    return open_rooms(path)


def open_rooms(path: Path, now: Callable[[], float] = time.time) -> Rooms:
    """Opens a file of rooms; makes it where there is none.

    Rooms older than `KEPT_DAYS` are deleted with everything in them.

    Raises:
        StoreError: it cannot be opened, or is no file of rooms; then nothing in it was changed.
    """
    with store_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    connection = connect(path)
    try:
        with store_errors(path):
            _make_ready(connection, path)
    finally:
        connection.close()
    rooms = Rooms(path, now)
    for room in rooms.rooms():
        if room.created < now() - KEPT_DAYS * _DAY:
            rooms.delete(room.id)
    return rooms


def _make_ready(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application == 0 and version == 0 and tables == 0:
        for statement in _TABLES.split(";\n"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    elif application != APPLICATION_ID:
        raise NotAStore(
            f"The file {path} is no file of rooms. Nothing in it was changed. Move it elsewhere."
        )
    elif version > VERSION:
        raise NewerStore(
            f"The file {path} was written by a newer BiasLab. Nothing in it was changed. Update "
            "BiasLab, or move the file elsewhere."
        )
    connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode = WAL")
