"""A class's quiz in a room: pupils give the number of their row, then their answers.

Nothing is right or wrong on a phone, nobody sees another's answers, and the sheet that comes out
is the one that a teacher would have typed (`schoolmath.malrules.classes.read_sheet`).
"""

from __future__ import annotations

from biaslab.room.analysis.reading import RoomReading
from biaslab.room.asking import check_asked
from biaslab.room.errors import CannotAsk
from biaslab.room.limits import MOST_QUESTIONS
from biaslab.room.records import AnsweredBy, PairMember, Room, RoomKind, RoomQuestion
from biaslab.studies import Item
from schoolmath.malrules import AnswerKind
from schoolmath.malrules.classes import Quiz, QuizItem
from schoolmath.text.figures import count

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
    return (first, *(_question(at, item) for at, item in enumerate(quiz.items, start=1)))


def is_of(room: Room, quiz: Quiz) -> bool:
    """Whether a room asks this quiz."""
    ids = [f"number of quiz {quiz.code}", *(item.id for item in quiz.items)]
    return room.kind is RoomKind.QUIZ and [each.id for each in room.questions] == ids


def sheet_of(reading: RoomReading, quiz: Quiz) -> str:
    """The answers as the sheet of a class, a row for each phone that gave a number.

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


def _question(at: int, item: QuizItem) -> RoomQuestion:
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


def _cell(item: QuizItem, text: str) -> str:
    """An answer as it is written into a sheet: the letter of an option, or what was typed."""
    if item.options and text:
        return list(item.options)[int(text) - 1]
    return " ".join(text.split())
