"""What people's answers say: read by the reader that reads a model's, counted question by question.

Which error is behind a wrong answer is known where a choice was made by a mal-rule, and where a
word problem can be read back: then every rule that gives exactly this number may be behind it,
and up to three are named together.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from statistics import fmean

from biaslab.files.tables import guarded
from biaslab.room.asking import choices_by_letter, read_written
from biaslab.room.records import (
    AnsweredBy,
    Arm,
    QuestionCard,
    RawAnswer,
    Room,
    RoomKind,
    RoomQuestion,
    dealt,
)
from biaslab.room.store import Rooms
from biaslab.studies import Reading, experiment
from biaslab.studies.study import outcome_scale
from schoolmath.malrules import Answer, cards
from schoolmath.malrules.classes import Quiz, QuizItem
from schoolmath.malrules.diagnosis import UnreadStory, read_story
from schoolmath.malrules.diagnosis.diagnosing import single_candidates
from schoolmath.text.figures import listed

SEVERAL, UNKNOWN = "several errors give this", "no known error"
"""What stands for the error behind a wrong answer where none is known, or too many are."""

_NAMED_TOGETHER = 3


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """An answer as its study reads it.

    Attributes:
        place, card, text: as it was given.
        value: as read; None where nothing could be.
        outcome: 1 right, 0 wrong, or what the study's scale says; None with it.
    """

    place: int
    card: QuestionCard
    text: str
    value: str | None
    outcome: float | None


@dataclass(frozen=True, slots=True)
class RoomReading:
    """A room with all its answers as they are read.

    Attributes:
        room: as it stood.
        answers: of everybody in it.
        binary: whether outcomes are right (1) or wrong (0); else they are on the study's scale.
    """

    room: Room
    answers: tuple[ReadAnswer, ...]
    binary: bool


@dataclass(frozen=True, slots=True)
class MemberCount:
    """What was answered to one member of a question.

    Attributes:
        question: its index; arm: which member.
        answered: answers; right: of these; wrong: of these; unread: that say nothing to the
            reader. Where outcomes are on a scale, none is right or wrong.
        mean: of the outcomes that were read; None without any.
        values: how often each answer was given, as read, the most frequent first.
        errors: how often each error is behind a wrong answer, by name, the most frequent first;
            `SEVERAL` and `UNKNOWN` among them.
    """

    question: int
    arm: Arm
    answered: int
    right: int
    wrong: int
    unread: int
    mean: float | None
    values: Mapping[str, int]
    errors: Mapping[str, int]


def read_room(rooms: Rooms, room_id: str) -> RoomReading:
    """A room with all its answers, read.

    Raises:
        UnknownRoom: there is none.
        DesignError: its study is not there any more.
    """
    room = rooms.room(room_id)
    return RoomReading(room, read_answers(room, rooms.answers(room_id)), _is_binary(room))


def read_answers(room: Room, answers: Sequence[RawAnswer]) -> tuple[ReadAnswer, ...]:
    """Answers of a room, read by its study.

    Raises:
        DesignError: its study is not there any more.
    """
    known: dict[tuple[int, str], Reading] = {}
    found = []
    for each in answers:
        key = (each.card.number, each.text)
        if key not in known:
            known[key] = _read(room, each.card, each.text)
        reading = known[key]
        found.append(ReadAnswer(each.place, each.card, each.text, reading.value, reading.outcome))
    return tuple(found)


def member_counts(reading: RoomReading) -> tuple[MemberCount, ...]:
    """What was answered to each member of each question, in the room's order, x first."""
    by_card: dict[int, list[ReadAnswer]] = {}
    for each in reading.answers:
        by_card.setdefault(each.card.number, []).append(each)
    arms: tuple[Arm, ...] = ("x", "x_prime") if reading.room.kind is RoomKind.PAIRS else ("x",)
    return tuple(
        _count(
            reading,
            QuestionCard.of(index, arm),
            by_card.get(QuestionCard.of(index, arm).number, []),
        )
        for index in range(len(reading.room.questions))
        for arm in arms
    )


def answers_csv(reading: RoomReading) -> str:
    """All answers as a table; people are numbers in the order of arrival, and nothing else.

    The columns are room, rehearsal, person, step (from 1, in this person's order), question,
    pair, cluster, arm, a ``stratum_...`` for each stratum, text, right_answer, answer (as given;
    of a choice its number), value (as read) and outcome.
    """
    room = reading.room
    strata = sorted({name for each in room.questions for name in each.strata})
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow([
        "room", "rehearsal", "person", "step", "question", "pair", "cluster", "arm",
        *(f"stratum_{name}" for name in strata),
        "text", "right_answer", "answer", "value", "outcome",
    ])  # fmt: skip
    for each in reading.answers:
        question = room.questions[each.card.question]
        asked = question.asked(each.card.arm)
        step = dealt(room, each.place).index(each.card)
        row = [
            room.title, room.rehearsal, each.place + 1, step + 1, each.card.question + 1,
            question.id, question.cluster, each.card.arm,
            *(question.strata.get(name, "") for name in strata),
            asked.text, right_answer(question, each.card.arm), each.text, each.value or "",
            "" if each.outcome is None else f"{each.outcome:g}",
        ]  # fmt: skip
        table.writerow([guarded(str(cell)) for cell in row])
    return out.getvalue()


def right_answer(question: RoomQuestion, arm: Arm) -> str:
    """The right answer as a phone shows it; empty where there is none."""
    asked = question.asked(arm)
    if question.x_prime is None and asked.item.answer:
        return asked.choices[int(asked.item.answer) - 1]
    return choices_by_letter(asked.item).get(asked.item.answer, asked.item.answer)


def _is_binary(room: Room) -> bool:
    if room.kind is RoomKind.PAIRS:
        return outcome_scale(room.study) is None
    return room.kind is RoomKind.COUNT


def _read(room: Room, card: QuestionCard, text: str) -> Reading:
    question = room.questions[card.question]
    asked = question.asked(card.arm)
    if room.kind is RoomKind.QUIZ:
        shown = asked.choices[int(text) - 1] if asked.choices else text
        return Reading(shown, None, "quiz", "Saved as entered.")
    if room.kind is RoomKind.COUNT:
        right = float(text == asked.item.answer)
        return Reading(asked.choices[int(text) - 1], right, "choice", "The choice that was tapped.")
    reading = read_written(experiment(room.study), asked.item, text)
    # What a letter stands for says more than the letter.
    value = choices_by_letter(asked.item).get(reading.value or "", reading.value)
    return replace(reading, value=value)


def _count(reading: RoomReading, card: QuestionCard, answers: Sequence[ReadAnswer]) -> MemberCount:
    outcomes = [each.outcome for each in answers if each.outcome is not None]
    wrong = [each for each in answers if reading.binary and each.outcome == 0.0]
    question = reading.room.questions[card.question]
    errors = Counter(_error(question, card.arm, each) for each in wrong)
    return MemberCount(
        card.question,
        card.arm,
        len(answers),
        sum(reading.binary and outcome == 1.0 for outcome in outcomes),
        len(wrong),
        len(answers) - len(outcomes),
        fmean(outcomes) if outcomes else None,
        dict(Counter(each.value for each in answers if each.value is not None).most_common()),
        dict(errors.most_common()),
    )


def _error(question: RoomQuestion, arm: Arm, answer: ReadAnswer) -> str:
    """The name of what is behind a wrong answer."""
    if question.answered_by is AnsweredBy.CHOICE:
        behind = question.errors.get(answer.text, "")
        return _name(behind) if behind else UNKNOWN
    found = _rules_behind(question.asked(arm).item.text, answer.value or "")
    if len(found) > _NAMED_TOGETHER:
        return SEVERAL
    return listed(map(_name, found), "or") or UNKNOWN


def _name(rule: str) -> str:
    known = cards().get(rule)
    return known.name if known else rule


@lru_cache(maxsize=10_000)
def _rules_behind(text: str, value: str) -> tuple[str, ...]:
    """Mal-rules that give this number on a word problem; none where it cannot be read."""
    try:
        story = read_story(text)
        answer = Answer.number(Fraction(value))
    except (UnreadStory, ValueError, ZeroDivisionError):
        return ()
    return tuple(dict.fromkeys(each.rules[0] for each in single_candidates(story, answer)))


def sheet_of(reading: RoomReading, quiz: Quiz) -> str:
    """The answers to a quiz as the sheet of a class, a row for each phone that gave a number.

    It is the one that a teacher would have typed (`schoolmath.malrules.classes.read_sheet`).

    Args:
        reading: of a room that asks the quiz (`is_of`).
        quiz: what was asked.
    """
    rows: dict[int, dict[int, str]] = {}
    for each in reading.answers:
        rows.setdefault(each.place, {})[each.card.question] = each.text
    items = range(1, len(quiz.items) + 1)
    lines = ["\t".join(["row", *map(str, items)])]
    for _, given in sorted(rows.items()):
        if 0 in given:
            cells = [_cell(quiz.items[at - 1], given.get(at, "")) for at in items]
            lines.append("\t".join([given[0].strip(), *cells]))
    return "\n".join(lines)


def _cell(item: QuizItem, text: str) -> str:
    """An answer as it is written into a sheet: the letter of an option, or what was typed."""
    if item.options and text:
        return list(item.options)[int(text) - 1]
    return " ".join(text.split())
