"""Questions for a room: from any study that people can answer on a phone, or from items.

A rehearsal: a copy of a room in which everybody is simulated.

Simulated people never stand in a room of real ones: a rehearsal is a room of its own, marked as
one, that no phone gets into. They take the same path and are written the same as phones do.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice

from biaslab.files import ImportedItem
from biaslab.models import Completion, ModelForm, Skill
from biaslab.room.records import (
    LONGEST_ANSWER,
    LONGEST_CHOICE,
    LONGEST_QUESTION,
    MOST_CHOICES,
    MOST_PEOPLE,
    MOST_QUESTIONS,
    AnsweredBy,
    CannotAsk,
    PairMember,
    QuestionCard,
    Room,
    RoomAnswer,
    RoomKind,
    RoomQuestion,
    RoomState,
    dealt,
)
from biaslab.room.store import Rooms
from biaslab.runs import RunRecord, Store, study_in
from biaslab.studies import Design, Experiment, Item, Pair, Reading, experiment
from schoolmath.malrules import AnswerKind, rules_for
from schoolmath.malrules.bank import LETTERS, ChoiceItem
from schoolmath.malrules.classes import Quiz, QuizItem
from schoolmath.malrules.diagnosis import UnreadStory, read_story
from schoolmath.text.figures import count

_NOT_ON_A_PHONE = {
    Skill.IDENTIFY: (
        "asks which reason led to a choice, with the reasons written out, too long for a phone. "
        "Open a room with the multiple-choice questions themselves: it counts which error is "
        "behind each choice."
    ),
    Skill.JUDGE: (
        "compares how probable two words are to a model after a list of examples. People have no "
        "such figures. Choose a study of word problems or of decisions."
    ),
    Skill.WEIGH: (
        "compares how probable a right and a wrong answer are to a model. People have no such "
        "figures. Choose the study of the same problems that asks for the answer."
    ),
}


def can_be_asked(study: Experiment) -> str:
    """Why people cannot answer this study on a phone; empty where they can."""
    reason = _NOT_ON_A_PHONE.get(study.asks, "")
    return reason and f"“{study.title}” {reason}"


def questions_of_design(store: Store, design: Design) -> tuple[RoomQuestion, ...]:
    """The pairs of a design as questions.

    Args:
        store: the file of runs, for studies that ask what people keep in it.
        design: its pairs, `MOST_QUESTIONS` at most.

    Raises:
        CannotAsk: as `questions_of`.
        DesignError: there is no such study, or no such pairs.
    """
    study = study_in(store, design.study)
    _check_number(design.n)
    _check_study(study)
    return questions_of(study, study.pairs(design))


def questions_of(study: Experiment, pairs: Iterable[Pair]) -> tuple[RoomQuestion, ...]:
    """Pairs as questions, each tried with the study's own reader.

    Args:
        study: that reads the answers.
        pairs: `MOST_QUESTIONS` at most.

    Raises:
        CannotAsk: the study, or one of the pairs, cannot be asked on a phone.
    """
    _check_study(study)
    found = tuple(_of_pair(study, pair) for pair in pairs)
    _check_number(len(found))
    if len({each.id for each in found}) < len(found):
        raise CannotAsk("A pair is there twice. Take each pair once.")
    return found


def questions_of_run(store: Store, run: RunRecord, n: int) -> tuple[RoomQuestion, ...]:
    """Pairs that a run asked as questions, so that its answers can stand next to the room's.

    Args:
        store: the file of runs, for studies that ask what people keep in it.
        run: of any design; where its pairs say how many steps they take, those of one are taken.
        n: how many, `MOST_QUESTIONS` at most; there are fewer where the run asked fewer.

    Raises:
        CannotAsk: as `questions_of`.
    """
    study = study_in(store, run.study)
    _check_number(n)
    easy = (pair for pair in study.pairs(run.design) if pair.strata.get("steps", 1) == 1)
    return questions_of(study, islice(easy, n))


def questions_of_items(items: Sequence[ChoiceItem | ImportedItem]) -> tuple[RoomQuestion, ...]:
    """Multiple-choice questions for a room that counts which error is behind each choice.

    Raises:
        CannotAsk: one of them cannot be asked on a phone.
    """
    _check_number(len(items))
    found = tuple(map(_of_item, items))
    if len({each.id for each in found}) < len(found):
        raise CannotAsk("A question is there twice. Take each question once.")
    return found


def question_counted(
    question_id: str, text: str, choices: Sequence[str], right: int, errors: Mapping[str, str]
) -> RoomQuestion:
    """A question of a room that counts choices.

    Args:
        question_id: names it, the same in every room.
        text: what a phone shows.
        choices: what can be tapped.
        right: index of the right choice.
        errors: by the choice's number, from 1, what is behind it.

    Raises:
        CannotAsk: it is too long for a phone.
    """
    shown = tuple(choices)
    asked = PairMember(Item(question_id, text, str(right + 1), {}, shown), text, shown)
    check_asked(asked)
    return RoomQuestion(question_id, asked, None, AnsweredBy.CHOICE, question_id, {}, dict(errors))


def _check_study(study: Experiment) -> None:
    reason = can_be_asked(study)
    if reason:
        raise CannotAsk(reason)


def _check_number(questions: int) -> None:
    if not 1 <= questions <= MOST_QUESTIONS:
        raise CannotAsk(
            f"A room has 1 to {count(MOST_QUESTIONS, 'question')}, not {questions:,}. Ten to "
            "twenty are answered in one go."
        )


def _of_pair(study: Experiment, pair: Pair) -> RoomQuestion:
    by = AnsweredBy.CHOICE if pair.x.options or pair.x_prime.options else AnsweredBy.NUMBER
    x, x_prime = (_asked(each, by) for each in (pair.x, pair.x_prime))
    for each in (x, x_prime):
        check_asked(each)
        _check_reading(study, each)
    return RoomQuestion(pair.id, x, x_prime, by, pair.cluster, pair.strata, {})


def _asked(item: Item, by: AnsweredBy) -> PairMember:
    if by is AnsweredBy.NUMBER:
        return PairMember(item, item.text.strip(), ())
    # Buttons say what a list of the options says to a model.
    if choices := choices_by_letter(item):
        kept = [each for each in item.text.strip().split("\n\n") if not each.startswith(_LIST)]
        return PairMember(item, "\n\n".join(kept), tuple(choices.values()))
    before, _, last = item.text.strip().rpartition("\n\n")
    listed = before and all(option in last for option in item.options)
    return PairMember(item, before if listed else item.text.strip(), item.options)


_LIST = "Options:\n"
"""Begins the list of what a tutor chooses from, which a phone has as buttons."""


def choices_by_letter(item: Item) -> Mapping[str, str]:
    """What the letters stand for that an item's options are; none where they are words."""
    choices = item.facts.get("options")
    if isinstance(choices, Mapping) and tuple(choices) == tuple(item.options):
        return choices
    return {}


def _check_reading(study: Experiment, member: PairMember) -> None:
    """An answer that a phone can send has to mean to the study what it meant to the person."""
    item = member.item
    if member.choices:
        for number, choice in enumerate(item.options, 1):
            if read_written(study, item, str(number)).value != choice:
                raise CannotAsk(
                    f"“{study.title}” does not read the number of a tapped choice, here of "
                    f"“{choice}”, as that choice. It cannot be asked on a phone."
                )
    elif read_written(study, item, item.answer).outcome != 1.0:
        raise CannotAsk(
            f"The right answer “{item.answer}” cannot be typed as a number that “{study.title}” "
            f"reads as right. The question is: {_short(member.text)}"
        )


def _of_item(item: ChoiceItem | ImportedItem) -> RoomQuestion:
    letters: Sequence[str] = LETTERS
    text = item.question
    if isinstance(item, ImportedItem):
        letters, behind, cluster = item.letters, item.misconceptions, item.id
        text = f"{item.passage}\n\n{text}" if item.passage else text
        if item.lost:
            raise CannotAsk(f"This question is not whole ({item.lost[0]}): {_short(text)}")
    else:
        behind, cluster = item.rules, str(item.problem["form"])
    number = {letter: str(place) for place, letter in enumerate(letters, 1)}
    asked = PairMember(
        Item(item.id, text, number[item.key], {}, item.options), text.strip(), item.options
    )
    check_asked(asked)
    errors = {number[letter]: behind[letter] for letter in letters if letter in behind}
    return RoomQuestion(item.id, asked, None, AnsweredBy.CHOICE, cluster, {}, errors)


def check_asked(member: PairMember) -> None:
    """Sees that a phone can show it.

    Raises:
        CannotAsk: it is too long.
    """
    if len(member.text) > LONGEST_QUESTION:
        raise CannotAsk(
            f"A question has {len(member.text):,} characters; on a phone {LONGEST_QUESTION:,} are "
            f"read at most. It begins: {_short(member.text)}"
        )
    longest = max(map(len, member.choices), default=0)
    if len(member.choices) > MOST_CHOICES or longest > LONGEST_CHOICE:
        raise CannotAsk(
            f"A question has {MOST_CHOICES} choices of {LONGEST_CHOICE} characters at most. This "
            f"one has more: {_short(member.text)}"
        )


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"


def read_written(study: Experiment, item: Item, answer: str) -> Reading:
    """What a person's answer says, read as that of a model which answers a turn.

    A phone sends the number of a button; where options have letters, it is read as its letter.
    """
    if choices_by_letter(item) and answer.isdigit():
        answer = item.options[int(answer) - 1]
    return study.read(item, (Completion(answer, "stop", 0, 0, 0.0),), ModelForm.CHAT)


# A class's quiz: pupils give the number of their row, then their answers. Nothing is right or wrong
# on a phone, and nobody sees another's answers.

_NUMBER = "The number that your teacher gave you:"


def questions_of_quiz(quiz: Quiz) -> tuple[RoomQuestion, ...]:
    """The quiz as questions, after one for the number of the row.

    Raises:
        CannotAsk: an item cannot be answered on a phone.
    """
    if len(quiz.items) >= MOST_QUESTIONS:
        raise CannotAsk(
            f"On phones a quiz has {count(MOST_QUESTIONS - 1, 'item')} at most, not "
            f"{len(quiz.items)}."
        )
    number = PairMember(Item("number", _NUMBER, "", {}), _NUMBER, ())
    first = RoomQuestion(
        f"number of quiz {quiz.code}", number, None, AnsweredBy.NUMBER, "number", {}, {}
    )
    return (first, *(_of_quiz(at, item) for at, item in enumerate(quiz.items, start=1)))


def is_of(room: Room, quiz: Quiz) -> bool:
    """Whether a room asks this quiz."""
    ids = [f"number of quiz {quiz.code}", *(item.id for item in quiz.items)]
    return room.kind is RoomKind.QUIZ and [each.id for each in room.questions] == ids


def _of_quiz(at: int, item: QuizItem) -> RoomQuestion:
    choices = tuple(answer.shown for answer in item.options.values())
    if not choices and item.right.kind is not AnswerKind.NUMBER:
        raise CannotAsk(
            f"Item {at} is answered with “{item.right.shown}”, and numbers alone can be typed on a "
            "phone. Take options, or other topics, or paper."
        )
    asked = PairMember(Item(item.id, item.question, "", {}, choices), item.question, choices)
    check_asked(asked)
    by = AnsweredBy.CHOICE if choices else AnsweredBy.NUMBER
    return RoomQuestion(item.id, asked, None, by, item.id, {}, {})


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
