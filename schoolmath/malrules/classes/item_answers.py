"""Item by item: what a class answered, how often, and what would give it."""

from __future__ import annotations

from dataclasses import dataclass

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.classes.items import Quiz, QuizItem, simplest
from schoolmath.malrules.classes.sheets import ClassSheet


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer that pupils gave to an item, or could have chosen.

    Attributes:
        letter: of the option; "" where there are none.
        answer: what was answered.
        rows: row numbers of the pupils.
        right: whether it is the right one.
        ideas: everything known that gives it; empty for the right answer.
    """

    letter: str
    answer: Answer
    rows: tuple[int, ...]
    right: bool
    ideas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ItemAnswers:
    """What a class answered to an item.

    Attributes:
        item: its place, from 0.
        answered: so many pupils answered.
        blank: so many did not.
        given: with options all of them, in their order; else every answer, the right one first and
            then the most frequent.
    """

    item: int
    answered: int
    blank: int
    given: tuple[GivenAnswer, ...]

    @property
    def right(self) -> int:
        """So many pupils answered rightly."""
        return sum(len(each.rows) for each in self.given if each.right)


def answers_by_item(quiz: Quiz, sheet: ClassSheet) -> tuple[ItemAnswers, ...]:
    """What a class answered to every item."""
    return tuple(_of_item(at, item, sheet) for at, item in enumerate(quiz.items))


def _of_item(at: int, item: QuizItem, sheet: ClassSheet) -> ItemAnswers:
    known = list(item.options.values()) or [item.right]
    rows: list[list[int]] = [[] for _ in known]
    blank = 0
    for row, answers in sheet.answers.items():
        answer = answers[at]
        if answer is None:
            blank += 1
            continue
        place = next((place for place, each in enumerate(known) if each.same_as(answer)), None)
        if place is None:
            known.append(answer)
            rows.append([row])
        else:
            rows[place].append(row)
    letters = {id(answer): letter for letter, answer in item.options.items()}
    given = [
        GivenAnswer(
            letters.get(id(answer), ""),
            answer,
            tuple(found),
            right := answer.same_as(item.right),
            () if right else simplest(item.ideas_behind(answer)),
        )
        for answer, found in zip(known, rows, strict=True)
    ]
    if not item.options:
        given.sort(key=lambda each: (not each.right, -len(each.rows), each.answer.shown))
    return ItemAnswers(at, len(sheet.answers) - blank, blank, tuple(given))
