"""What a live room is: its questions, its states, who came, what they answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple, TypeAlias

from biaslab.studies import Item
from biaslab.studies.study import Value

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


class Given(NamedTuple):
    """An answer on its way: the card's number, and what was typed or which choice was tapped."""

    card: int
    text: str


class Joined(NamedTuple):
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
