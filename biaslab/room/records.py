"""What a live room is: its questions, its states, who came, what they answered, and its limits."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from biaslab.studies import Item
from biaslab.studies.study import Value
from schoolmath.problems import Draws

Arm: TypeAlias = Literal["x", "x_prime"]
"""Which member of a pair."""


class RoomKind(StrEnum):
    """What a room is for."""

    PAIRS = "pairs"
    """People answer members of pairs; the room has an effect."""
    COUNT = "count"
    """Everybody answers the same questions; answers are counted."""
    QUIZ = "quiz"
    """A class answers by the numbers of its rows; no answer is right or wrong here."""


class Allocation(StrEnum):
    """Who gets which member of a pair."""

    BETWEEN = "between"
    """One member of each pair; the next person gets the other."""
    WITHIN = "within"
    """Both members, the second ones after all first ones."""


class RoomPace(StrEnum):
    """Who decides when the next question comes."""

    EACH = "each"
    """Everybody goes on when they have answered; questions come in an order of their own."""
    HOST = "host"
    """The host moves all phones from question to question; pairs come in one order."""


class RoomState(StrEnum):
    """Where a room stands. It goes forward and back, a step at a time."""

    WAITING = "waiting"
    """People come in; no question is shown."""
    ANSWERING = "answering"
    """Questions are shown and answered."""
    CLOSED = "closed"
    """No question is shown; answers that are still under way are taken."""
    REVEALED = "revealed"
    """Results are shown; nothing more is taken."""


class AnsweredBy(StrEnum):
    """How a question is answered on a phone."""

    NUMBER = "number"
    """Typed."""
    CHOICE = "choice"
    """One of the choices is tapped; the answer that is kept is its number, from 1."""


class PairMember(NamedTuple):
    """One thing that is asked.

    Attributes:
        item: as the study has it, for reading answers.
        text: what a phone shows.
        choices: what can be tapped, as shown; empty where a number is typed.
    """

    item: Item
    text: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoomQuestion:
    """A pair of a room, or one question of a room that only counts.

    Attributes:
        id: of the pair, or of the item: the same content has the same id in every run.
        x, x_prime: both members; the second is None where nothing is compared.
        answered_by: how.
        cluster, strata: as the pair has them.
        errors: by the choice's number what is behind it, where that is known: ids of mal-rules.
    """

    id: str
    x: PairMember
    x_prime: PairMember | None
    answered_by: AnsweredBy
    cluster: str
    strata: Mapping[str, Value]
    errors: Mapping[str, str]

    def asked(self, arm: Arm) -> PairMember:
        """The member of this arm.

        Raises:
            ValueError: it has one member only.
        """
        found = self.x if arm == "x" else self.x_prime
        if found is None:
            raise ValueError("This question has one member only.")
        return found


@dataclass(frozen=True, slots=True)
class Room:
    """A room as it stands.

    Attributes:
        id: never used again; code: what people type, free again once the room is deleted.
        title: for people.
        study: name of the study that reads the answers; empty where choices are counted.
        kind, allocation, pace: what is asked of whom, and when.
        questions: in the room's order.
        seed: decides who gets what, with the order of arrival.
        state: where it stands; step: which question all phones show, from 0, where the host sets
            the pace.
        shows_answers: whether phones show their own answers beside the room's once revealed.
        rehearsal: everybody in it is simulated; no phone gets in.
        created, ends: seconds since 1970. From `ends` on nobody comes in and nothing is taken.
    """

    id: str
    code: str
    title: str
    study: str
    kind: RoomKind
    allocation: Allocation
    pace: RoomPace
    questions: tuple[RoomQuestion, ...]
    seed: int
    state: RoomState
    step: int
    shows_answers: bool
    rehearsal: bool
    created: float
    ends: float

    @property
    def steps(self) -> int:
        """How many things each person is asked."""
        both = self.kind is RoomKind.PAIRS and self.allocation is Allocation.WITHIN
        return len(self.questions) * (2 if both else 1)


class QuestionCard(NamedTuple):
    """One thing that one person is asked.

    Attributes:
        number: names it in this room, for everybody alike.
        question: index of the room's question.
        arm: which member.
    """

    number: int
    question: int
    arm: Arm

    @classmethod
    def of(cls, question: int, arm: Arm) -> QuestionCard:
        """The card with its number."""
        return cls(2 * question + (arm == "x_prime"), question, arm)

    @classmethod
    def numbered(cls, number: int) -> QuestionCard:
        """The card that has this number."""
        return cls(number, number // 2, "x_prime" if number % 2 else "x")


class RoomAnswer(NamedTuple):
    """An answer on its way: the card's number, and what was typed or which choice was tapped."""

    card: int
    text: str


class RoomMember(NamedTuple):
    """Somebody in a room: when they came, counted from 0, and the cards that are answered."""

    place: int
    answered: tuple[int, ...]


class Participant(NamedTuple):
    """Somebody in a room: their number in the file, and when they came, counted from 0."""

    number: int
    place: int


class SubmissionResult(NamedTuple):
    """What became of answers that were sent.

    Attributes:
        answered: numbers of all cards of this person that are written down, those sent before
            included.
        refused: of those sent, the cards that came too late.
    """

    answered: tuple[int, ...]
    refused: tuple[int, ...]


class RawAnswer(NamedTuple):
    """An answer as it was given: by whom (their place), to which card, and when (since 1970)."""

    place: int
    card: QuestionCard
    text: str
    received: float


class Arrivals(NamedTuple):
    """How many there are.

    Attributes:
        joined: people in the room; begun: with an answer; finished: with every answer.
        answers: of all of them.
        at_step: who have answered the question that the host shows; None at everybody's own pace.
    """

    joined: int
    begun: int
    finished: int
    answers: int
    at_step: int | None


# How much a room takes: limits of this app, against strangers and for phones.


LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Of codes: without I and O, which are read as digits."""

CODE_LENGTH = 4
"""Letters of a code: 331,776 codes."""

MOST_QUESTIONS = 40
"""Questions of a room: nobody answers more on a phone."""

LONGEST_QUESTION = 2_000
"""Characters of a question."""

LONGEST_TITLE = 120
"""Characters of a room's title."""

MOST_CHOICES = 12
"""Choices of a question, each a button."""

LONGEST_CHOICE = 300
"""Characters of a choice."""

LONGEST_ANSWER = 40
"""Characters of an answer that is typed."""

MOST_PEOPLE = 400
"""People in a room."""

MOST_OPEN = 20
"""Rooms that are open at once, and rehearsals that are kept at once."""

LASTS_HOURS = 24
"""Hours after which a room ends, unless it is opened for another time."""

LONGEST_HOURS = 14 * 24
"""Hours for which a room may be opened."""

KEPT_DAYS = 30
"""Days after which a room is deleted when the file of rooms is opened."""

LARGEST_BODY = 16_384
"""Bytes of a request of a phone: all answers to the questions of a room have some 6,000."""

WRONG_CODES = 30
"""Wrong codes that an address may try at once, and in a minute ever after.

A class behind one address mistypes some; somebody who tries codes one after the other meets one of
20 rooms after nine hours on average.
"""

MOST_ADDRESSES = 10_000
"""Addresses whose wrong codes are remembered."""

TOGETHER = 256
"""Requests that share a commit."""

MOST_WAITING = 4_096
"""Requests that wait to be written; further ones are asked to come again."""

FEWEST_FOR_ANSWERS = 5
"""With fewer people in a room no single answers are shown: everybody would know whose they are."""

FEWEST_FOR_EFFECT = 6
"""People below which there are counts and no effect."""

FEWEST_FOR_T = 12
"""People below which the interval comes from flipping signs instead of Student's t."""


# What can go wrong. Every message is a sentence for the person who sees it: what, where, what to
# do. What is wrong with the file of rooms is a `biaslab.runs.StoreError`.


class RoomError(Exception):
    """Base of everything this package raises on purpose; its text is for the user."""


class CannotAsk(RoomError):
    """These questions cannot be asked on a phone."""


class WrongMove(RoomError):
    """A room cannot go from where it is to there."""


class TooManyRooms(RoomError):
    """So many rooms are open that no other is."""


class UnknownRoom(RoomError):
    """There is no such room."""


class UnknownPerson(RoomError):
    """Nobody in this room has this id."""


class RoomFull(RoomError):
    """So many people are in it that nobody else gets in."""


class NotNow(RoomError):
    """The room takes nobody, or no answers, at this moment."""


class BadRequest(RoomError):
    """A phone sent something that is none of what it may send."""


class RoomBusy(RoomError):
    """More waits to be written than can be; trying again helps."""


# Who gets which member of which pair, and in which order. Between people: blocks of two in the
# order of arrival. The first gets a random half of the pairs as x and the rest as x', the second
# the mirror. So everybody meets both conditions and never both members, each pair is met in both
# conditions equally often, and a drop in skill from early to late comers is no effect. Were all x
# given to one of the two, the effect could not be told from their skill. Within people: the same,
# and after it the other member of each pair.


_OTHER: dict[Arm, Arm] = {"x": "x_prime", "x_prime": "x"}


def dealt(room: Room, place: int) -> tuple[QuestionCard, ...]:
    """The cards of the person who came at this place, from 0, in their order."""
    return _dealt(len(room.questions), room.kind, room.allocation, room.pace, room.seed, place)


@lru_cache(maxsize=4_096)
def _dealt(
    questions: int, kind: RoomKind, allocation: Allocation, pace: RoomPace, seed: int, place: int
) -> tuple[QuestionCard, ...]:
    draws = Draws(f"room/{seed}/person/{place}")
    every = list(range(questions))

    def order() -> list[int]:
        in_order = pace is RoomPace.HOST or kind is RoomKind.QUIZ
        return every if in_order else draws.several(every, questions)

    if kind is not RoomKind.PAIRS:
        return tuple(QuestionCard.of(question, "x") for question in order())
    arms = _arms(questions, seed, place)
    first = [QuestionCard.of(question, arms[question]) for question in order()]
    if allocation is Allocation.BETWEEN:
        return tuple(first)
    then = order()
    if then[0] == first[-1].question:
        # Both members of a pair would follow each other.
        then[0], then[1] = then[1], then[0]
    return (*first, *(QuestionCard.of(question, _OTHER[arms[question]]) for question in then))


def _arms(questions: int, seed: int, place: int) -> list[Arm]:
    """Which member of each pair this person gets first: half of them x, as near as may be."""
    draws = Draws(f"room/{seed}/block/{place // 2}")
    half = questions // 2 + (questions % 2 and draws.below(2))
    chosen = set(draws.several(range(questions), half))
    mirrored = place % 2 == 1
    return ["x" if (question in chosen) != mirrored else "x_prime" for question in range(questions)]


# Questions as they stand in the file of rooms.


def write_questions(questions: Sequence[RoomQuestion]) -> str:
    """Questions as JSON."""
    return json.dumps([_question_json(each) for each in questions], ensure_ascii=False)


def read_questions(text: str) -> tuple[RoomQuestion, ...]:
    """The questions that `write_questions` wrote."""
    return tuple(
        RoomQuestion(
            each["id"],
            _asked(each["x"]),
            None if each["x_prime"] is None else _asked(each["x_prime"]),
            AnsweredBy(each["answered_by"]),
            each["cluster"],
            each["strata"],
            each["errors"],
        )
        for each in json.loads(text)
    )


def _question_json(question: RoomQuestion) -> dict[str, Any]:
    return {
        "id": question.id,
        "x": _asked_json(question.x),
        "x_prime": None if question.x_prime is None else _asked_json(question.x_prime),
        "answered_by": question.answered_by,
        "cluster": question.cluster,
        "strata": dict(question.strata),
        "errors": dict(question.errors),
    }


def _asked_json(member: PairMember) -> dict[str, Any]:
    item = member.item
    return {
        "id": item.id,
        "text": item.text,
        "answer": item.answer,
        "facts": dict(item.facts),
        "options": list(item.options),
        "shown": member.text,
        "choices": list(member.choices),
    }


def _asked(record: dict[str, Any]) -> PairMember:
    item = Item(
        record["id"], record["text"], record["answer"], record["facts"], tuple(record["options"])
    )
    return PairMember(item, record["shown"], tuple(record["choices"]))
