"""Questions for a room: from any study that people can answer on a phone, or from items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from biaslab.files import ImportedItem
from biaslab.models import Completion, ModelForm, Skill
from biaslab.room.records import (
    LONGEST_CHOICE,
    LONGEST_QUESTION,
    MOST_CHOICES,
    MOST_QUESTIONS,
    AnsweredBy,
    CannotAsk,
    PairMember,
    Room,
    RoomKind,
    RoomQuestion,
)
from biaslab.runs import RunRecord, Store, study_in
from biaslab.studies import Design, Experiment, Item, Pair, Reading
from schoolmath.malrules import AnswerKind
from schoolmath.malrules.bank import LETTERS, ChoiceItem
from schoolmath.malrules.classes import Quiz, QuizItem
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
