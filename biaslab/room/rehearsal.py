"""A rehearsal: a copy of a room in which everybody is simulated.

Simulated people never stand in a room of real ones: a rehearsal is a room of its own, marked as
one, that no phone gets into. They take the same path and are written the same as phones do.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction
from functools import lru_cache

from biaslab.room.asking import read_written
from biaslab.room.records import (
    LONGEST_ANSWER,
    MOST_PEOPLE,
    AnsweredBy,
    CannotAsk,
    PairMember,
    QuestionCard,
    Room,
    RoomAnswer,
    RoomKind,
    RoomState,
    dealt,
)
from biaslab.room.store import Rooms
from biaslab.studies import Experiment, experiment
from schoolmath.malrules import rules_for
from schoolmath.malrules.diagnosis import UnreadStory, read_story

RIGHT = 1.4
"""Logit of how often a simulated person is right, people and questions being as usual: four in
five, which is three in four over people and questions as they vary."""

_PEOPLE, _QUESTIONS = 1.0, 0.8
"""Standard deviations of people and of questions, in logits."""

_BY_RULE = 0.6
"""Share of simulated wrong answers that a mal-rule gives, where one does."""


def rehearse(rooms: Rooms, room_id: str, people: int, bias: float, seed: int = 0) -> Room:
    """Fills a copy of a room with simulated people, and closes it.

    Args:
        rooms: the file of rooms.
        room_id: the room to rehearse; nothing in it changes.
        people: how many come, 1 to `MOST_PEOPLE`.
        bias: by how much they are better on x than on x', as a fraction from -1 to 1: of right
            answers, or of how often they choose what the study expects.
        seed: of their answers.

    Returns:
        The rehearsal.

    Raises:
        UnknownRoom: there is no such room.
        CannotAsk: as many people, or such a bias, cannot be.
        TooManyRooms: too many rehearsals are kept.
        DesignError: the room's study is not there any more.
    """
    if not 1 <= people <= MOST_PEOPLE:
        raise CannotAsk(f"A room has 1 to {MOST_PEOPLE} people, not {people:,}.")
    if not -1 <= bias <= 1:
        raise CannotAsk("A bias is a fraction from -1 to 1.")
    original = rooms.room(room_id)
    if original.kind is RoomKind.QUIZ:
        raise CannotAsk("A quiz is tried with a made-up class, in step 2 of My class.")
    study = experiment(original.study) if original.kind is RoomKind.PAIRS else None
    room = rooms.open_room(
        original.title,
        original.questions,
        original.study,
        allocation=original.allocation,
        pace=original.pace,
        seed=original.seed,
        shows_answers=original.shows_answers,
        rehearsal=True,
    )
    room = rooms.move(room.id, RoomState.ANSWERING)
    draws = random.Random(f"rehearsal/{seed}")
    hard = [draws.gauss(0, _QUESTIONS) for _ in room.questions]
    phones = [f"simulated {person}" for person in range(people)]
    joining = [rooms.join(room.id, phone) for phone in phones]
    waiting = []
    for phone, joined in zip(phones, joining, strict=True):
        place = joined.result().place
        person = rooms.person(room.id, phone)
        level = RIGHT + draws.gauss(0, _PEOPLE)
        answers = [
            RoomAnswer(
                card.number, _answer(room, study, card, level - hard[card.question], bias, draws)
            )
            for card in dealt(room, place)
        ]
        waiting.append(rooms.send(room, person, answers))
    for each in waiting:
        each.result()
    return rooms.move(room.id, RoomState.CLOSED)


def _answer(
    room: Room,
    study: Experiment | None,
    card: QuestionCard,
    logit: float,
    bias: float,
    draws: random.Random,
) -> str:
    """What a simulated person answers to a card."""
    question = room.questions[card.question]
    asked = question.asked(card.arm)
    side = 1 if card.arm == "x" else -1
    if study is not None and study.outcome_scale is not None:
        return _on_scale(study, asked, side * bias, draws)
    chance = 1 / (1 + math.exp(-logit))
    if question.x_prime is not None:
        chance = min(1.0, max(0.0, chance + side * bias / 2))
    is_right = draws.random() < chance
    if question.answered_by is AnsweredBy.NUMBER:
        return asked.item.answer if is_right else _wrong_number(asked, draws)
    right = _right_choice(study, asked)
    others = [str(each) for each in range(1, len(asked.choices) + 1) if str(each) != right]
    return right if is_right else draws.choice(others)


def _right_choice(study: Experiment | None, member: PairMember) -> str:
    if study is None:
        return member.item.answer
    numbers = [str(each) for each in range(1, len(member.choices) + 1)]
    return next(
        (each for each in numbers if _outcome(study, member, each) == 1.0),
        numbers[0],
    )


def _on_scale(study: Experiment, member: PairMember, pull: float, draws: random.Random) -> str:
    """Any choice alike, but for a share that takes the end to which the bias pulls."""
    numbers = [str(each) for each in range(1, len(member.choices) + 1)]
    if draws.random() >= abs(pull) / 2:
        return draws.choice(numbers)
    return (max if pull > 0 else min)(numbers, key=lambda each: _outcome(study, member, each))


def _outcome(study: Experiment, member: PairMember, number: str) -> float:
    return read_written(study, member.item, number).outcome or 0.0


def _wrong_number(member: PairMember, draws: random.Random) -> str:
    """What a mal-rule gives, or a slip."""
    right = Fraction(member.item.answer)
    by_rule = [each for each in _wrong_by_rule(member.item.text) if Fraction(each) != right]
    if by_rule and draws.random() < _BY_RULE:
        return draws.choice(by_rule)
    return str(right + draws.choice((-10, -2, -1, 1, 2, 10)))


@lru_cache(maxsize=1_000)
def _wrong_by_rule(text: str) -> tuple[str, ...]:
    """Numbers that mal-rules give on a word problem and that can be typed; none if it is unread."""
    try:
        story = read_story(text)
    except UnreadStory:
        return ()
    found = {
        worked.answer.value: None
        for rule in rules_for(story)
        for worked in rule.run(story)
        if isinstance(worked.answer.value, Fraction) and worked.answer.value.denominator == 1
    }
    return tuple(text for each in found if len(text := str(each)) <= LONGEST_ANSWER)
