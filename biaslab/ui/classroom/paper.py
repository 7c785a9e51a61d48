"""What a teacher prints, as HTML of assets/templates/paper.html."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

import streamlit as st

from biaslab.malrules.bank import LETTERS
from biaslab.malrules.classes import FollowUp, Group, Member, Quiz, Sheet, topics
from biaslab.malrules.rules import Card, rules
from biaslab.text.figures import count
from biaslab.ui.widgets.templates import part
from biaslab.ui.widgets.words import CONFIDENCE

STYLE = Path(__file__).resolve().parents[3] / "assets" / "style" / "paper.css"

Asked: TypeAlias = Sequence[tuple[int, Group, Sequence[FollowUp]]]
"""What to ask next: number of a group, the group, its problems."""

NOT_A_DIAGNOSIS = (
    "This is a reading of a few answers and no diagnosis of a child. It says what would give these "
    "answers; only talking with the pupil tells why they were given."
)


def draw_paper(sheets: Iterable[str]) -> None:
    """Draws sheets that print one a page, without anything else of the page."""
    st.html(STYLE)
    st.html(f'<div class="bl bl-paper">{"".join(sheets)}</div>')


def rows_words(rows: Sequence[int]) -> str:
    """Row numbers as a sentence has them: "rows 2, 5 and 9"."""
    if len(rows) == 1:
        return f"row {rows[0]}"
    return f"rows {', '.join(map(str, rows[:-1]))} and {rows[-1]}"


def title_of(quiz: Quiz) -> str:
    """What the quiz is about."""
    names = {topic.form: topic.title for topic in topics(quiz.design.grade)}
    return ", ".join(names[name] for name in quiz.design.topics)


def worksheet(quiz: Quiz) -> str:
    """The questions, with a place for the row number."""
    if quiz.design.letters:
        how = "Choose A, B, C or D."
        items = [
            (item.question, list(zip(LETTERS, item.options, strict=True))) for item in quiz.items
        ]
    else:
        how = "Show how you work it out."
        items = [(item.question, []) for item in quiz.items]
    return _part("worksheet", quiz=_head(quiz), title="Worksheet", how=how, items=items)


def answer_sheet(quiz: Quiz) -> str:
    """Boxes for the answers, by item number."""
    letters = LETTERS if quiz.design.letters else ""
    how = "Circle one letter for each item." if letters else "One answer for each item."
    head = _head(quiz)
    return _part("answer_sheet", quiz=head, how=how, items=len(quiz.items), letters=letters)


def key_sheet(quiz: Quiz) -> str:
    """For the teacher: every item's right answer and what is behind the wrong ones."""
    known = rules()
    rows = []
    for at, item in enumerate(quiz.items):
        right = quiz.right[at].shown
        if quiz.design.letters:
            right = f"{item.key}: {right}"
            wrong = [
                f"{letter}: {item.option(letter)}, {known[item.rules[letter]].card.name}"
                for letter in LETTERS
                if letter != item.key
            ]
        else:
            wrong = [
                f"{' or '.join(each.shown for each in answers[:3])}: {known[rule].card.name}"
                for rule, answers in quiz.gives[at].items()
            ]
        rows.append((right, wrong))
    return _part("key_sheet", quiz=_head(quiz), rows=rows)


def group_sheet(quiz: Quiz, sheet: Sheet, number: int, group: Group, *, made_up: bool) -> str:
    """A group: what they do, what to look for, a question to ask."""
    cards = [rules()[rule].card for rule in group.rules]
    label = "Made-up pupils. " if made_up else ""
    return _part(
        "group_sheet",
        code=quiz.code,
        number=number,
        heading=cards[0].name if len(cards) == 1 else f"One of {len(cards)} rules, open which",
        who=f"{label}{count(len(group.members), 'pupil')}: {rows_words(group.rows)}",
        how_sure=how_sure(group),
        rules=[
            {
                "card": card,
                "confidence": CONFIDENCE[card.confidence],
                "example": _example(quiz, group, card),
            }
            for card in cards
        ],
        why=[evidence(sheet, member) for member in group.members],
        note=NOT_A_DIAGNOSIS,
    )


def how_sure(group: Group) -> str:
    """How sure a group is, in plain words."""
    steady = sum(member.explanation.steady for member in group.members)
    least = min(len(member.explanation.hits) for member in group.members)
    found = f"Each row has {least} or more wrong answers that are exactly what it gives."
    if len(group.rules) > 1:
        found = f"Each row has {least} or more wrong answers that every one of them gives."
    if steady == len(group.members):
        return f"{found} It shows nearly every time it can."
    if not steady:
        return f"{found} It shows at times, not always."
    return f"{found} In {rows_words(_steady(group))} it shows nearly every time it can."


def _steady(group: Group) -> list[int]:
    return [member.row for member in group.members if member.explanation.steady]


def evidence(sheet: Sheet, member: Member) -> str:
    """Why a row is in a group: which items, how many of how many, and chance."""
    found = member.explanation
    answers = sheet.answers[member.row]
    items = ", ".join(f"{at + 1} ({answers[at]})" for at in found.hits)
    return (
        f"Row {member.row}: items {items} ({len(found.hits)} of the {len(found.chances)} answered "
        f"where it can show). Slips alone would bring this "
        f"about {chance_words(float(found.by_chance))}."
    )


def chance_words(chance: float) -> str:
    """A small probability in words that anybody reads."""
    if chance < 1e-6:
        return "for fewer than one pupil in a million"
    return f"for about one pupil in {round(1 / chance, -3):,.0f}"


def _example(quiz: Quiz, group: Group, card: Card) -> dict[str, object] | None:
    """One item of the quiz that shows the rule, step by step."""
    hits = group.members[0].explanation.hits
    at = next((at for at in hits if card.id in quiz.gives[at]), None)
    if at is None:
        return None
    wrong = quiz.gives[at][card.id][0]
    worked = next(
        each for each in rules()[card.id].run(quiz.problems[at]) if each.answer.same_as(wrong)
    )
    return {
        "item": at + 1,
        "question": quiz.items[at].question,
        "right": quiz.right[at].shown,
        "wrong": wrong.shown,
        "steps": [step.text for step in worked.steps],
    }


def next_worksheets(quiz: Quiz, asked: Asked) -> list[str]:
    """The problems to ask next, a sheet for each group; which group it is stands in the key."""
    head, how = _head(quiz), "Show how you work it out."
    return [
        _part(
            "worksheet",
            quiz=head,
            title=f"Sheet {number}",
            how=how,
            items=[(each.problem.stem(), []) for each in problems],
        )
        for number, _, problems in asked
    ]


def next_key(quiz: Quiz, asked: Asked) -> str:
    """For the teacher: who gets which sheet, and what each rule answers."""
    known = rules()
    rows = [
        {
            "item": f"{at} of sheet {number}",
            "who": f"Group {number}: {rows_words(group.rows)}",
            "right": each.right.answer.shown,
            "expected": [
                f"{' or '.join(answers[:4])}: {known[rule].card.name}"
                for rule, answers in each.expected.items()
            ],
            "note": each.reason,
        }
        for number, group, problems in asked
        for at, each in enumerate(problems, start=1)
    ]
    return _part("next_key", quiz=_head(quiz), rows=rows)


def _head(quiz: Quiz) -> dict[str, str]:
    """What stands at the head of every sheet."""
    return {"code": quiz.code, "about": f"{title_of(quiz)}, grade {quiz.design.grade}"}


_part = partial(part, "paper.html")
