"""What a teacher prints, as HTML of assets/templates/paper.html; every text in it is escaped.

A file of assets/templates holds the parts of one subject as macros of Jinja2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import streamlit as st
from markupsafe import Markup

from biaslab.ui.widgets.cards import picture_of
from biaslab.ui.widgets.words import raised, source_words
from schoolmath.malrules.classes import (
    ClassSheet,
    FollowUp,
    ItemAnswers,
    PupilGroup,
    Quiz,
    name_of,
)
from schoolmath.malrules.classes.grouping import NOT_A_DIAGNOSIS, evidence, how_sure, rows_words
from schoolmath.malrules.classes.items import simplest
from schoolmath.malrules.rules import FOR_EVERY_RULE, rules
from schoolmath.text.figures import count

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).resolve().parents[3] / "assets" / "templates"


def part(file: str, name: str, **values: object) -> str:
    """A part of a template as HTML.

    Args:
        file: name of the template, such as ``paper.html``.
        name: of one of its macros.
        values: the macro's arguments.

    Raises:
        jinja2.UndefinedError: the macro uses what it was not given.
    """
    macro = getattr(_environment().get_template(file).module, name)
    return str(macro(**values))


@cache
def _environment() -> Environment:
    # Imported when a page has such parts: it takes a moment.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip


STYLE = Path(__file__).resolve().parents[3] / "assets" / "style" / "paper.css"

Asked: TypeAlias = Sequence[tuple[int, PupilGroup, Sequence[FollowUp]]]
"""What to ask next: number of a group, the group, its problems."""


def draw_paper(sheets: Iterable[str], *, whole: bool = True) -> None:
    """Draws sheets that print one a page, without anything else of the page.

    Unless ``whole``, the screen shows the beginning of each sheet; paper has all of it.
    """
    st.html(STYLE)
    shown = "" if whole else " bl-beginning"
    st.html(f'<div class="bl bl-paper{shown}">{"".join(sheets)}</div>')


def worksheet(quiz: Quiz) -> str:
    """The questions, with a place for the row number."""
    items = [
        _asked(item.question, [(letter, each.shown) for letter, each in item.options.items()])
        for item in quiz.items
    ]
    how = "Show how you work it out."
    if quiz.has_options:
        every = all(item.options for item in quiz.items)
        how = f"Choose {_letters(quiz)}." if every else "Choose a letter, or write your answer."
    return _part("worksheet", head=_head(quiz), title="Worksheet", how=how, items=items)


def _asked(question: str, options: Sequence[tuple[str, str]]) -> dict[str, object]:
    """A question of a worksheet; its picture is the only markup in it."""
    picture = Markup(picture_of(question))
    shown = [(letter, raised(text)) for letter, text in options]
    return {"question": raised(question), "picture": picture, "options": shown}


def _letters(quiz: Quiz) -> str:
    """The letters of a quiz with options, as a sentence has them."""
    *most, last = max((tuple(item.options) for item in quiz.items), key=len)
    return f"{', '.join(most)} or {last}"


def answer_sheet(quiz: Quiz) -> str:
    """Boxes for the answers, by item number."""
    how = "Circle one letter for each item." if quiz.has_options else "One answer for each item."
    items = ["".join(item.options) for item in quiz.items]
    return _part("answer_sheet", head=_head(quiz), how=how, items=items)


def key_sheet(quiz: Quiz) -> str:
    """For the teacher: every item's right answer and what is behind the wrong ones."""
    rows = []
    for item in quiz.items:
        right = item.right.shown
        if item.options:
            right = f"{item.key}: {right}"
            wrong = [
                f"{letter}: {answer.shown}{_behind(simplest(item.ideas_behind(answer)))}"
                for letter, answer in item.options.items()
                if letter != item.key
            ]
        else:
            wrong = [
                f"{' or '.join(each.shown for each in answers[:3])}: {name_of(idea)}"
                for idea, answers in item.gives.items()
            ]
        rows.append((right, wrong))
    return _part("key_sheet", head=_head(quiz), rows=rows)


def _behind(ideas: Sequence[str]) -> str:
    return f", {' or '.join(map(name_of, ideas))}" if ideas else ""


def items_sheet(quiz: Quiz, items: Sequence[ItemAnswers], *, made_up: bool) -> str:
    """Item by item: every answer, how many gave it, and what would give it."""
    pupils = items[0].answered + items[0].blank
    rows = [
        {
            "question": quiz.items[each.item].question,
            "answered": each.answered,
            "blank": each.blank,
            "answers": [
                {
                    "shown": f"{one.letter}: {one.answer.shown}"
                    if one.letter
                    else one.answer.shown,
                    "right": one.right,
                    "n": len(one.rows),
                    "share": len(one.rows) / each.answered if each.answered else 0.0,
                    "behind": "right" if one.right else " or ".join(map(name_of, one.ideas)),
                }
                for one in each.given
                if one.letter or one.rows
            ],
        }
        for each in items
    ]
    who = f"{'Made-up pupils: ' if made_up else ''}{count(pupils, 'pupil')}."
    return _part("items_sheet", head=_head(quiz), who=who, rows=rows)


def group_sheet(
    quiz: Quiz, sheet: ClassSheet, number: int, group: PupilGroup, *, made_up: bool
) -> str:
    """A group: what they do, what to look for, a question to ask."""
    label = "Made-up pupils. " if made_up else ""
    one = len(group.rules) == 1
    return _part(
        "group_sheet",
        code=quiz.code,
        number=number,
        heading=name_of(group.rules[0]) if one else f"One of {len(group.rules)} rules, open which",
        who=f"{label}{count(len(group.members), 'pupil')}: {rows_words(group.rows)}",
        names=", ".join(sheet.names[row] for row in group.rows if row in sheet.names),
        how_sure=how_sure(group),
        rules=[_rule_part(quiz, group, idea) for idea in group.rules],
        why=[evidence(sheet, member) for member in group.members],
        note=NOT_A_DIAGNOSIS,
    )


def _rule_part(quiz: Quiz, group: PupilGroup, idea: str) -> dict[str, object]:
    """What is known of an idea: a rule's card, or the words of whoever wrote the test."""
    known = rules().get(idea)
    if known is None:
        return {"name": idea, "card": None}
    return {
        "name": known.card.name,
        "card": known.card,
        "source": source_words(known.card, _form(quiz, idea)),
        "helps": [*known.card.helps, FOR_EVERY_RULE],
        "example": _example(quiz, group, idea),
    }


def _form(quiz: Quiz, idea: str) -> str:
    """The form of the first item in which a rule can show; "" where none reads it."""
    read = (item.reads([idea]) for item in quiz.items if idea in item.gives)
    return next((type(each).__name__ for each in read if each is not None), "")


def _example(quiz: Quiz, group: PupilGroup, rule: str) -> dict[str, object] | None:
    """One item of the quiz that shows the rule, step by step."""
    hits = group.members[0].explanation.hits
    at = next((at for at in hits if rule in quiz.items[at].gives), None)
    if at is None:
        return None
    item = quiz.items[at]
    problem = item.reads([rule])
    assert problem is not None
    wrong = item.gives[rule][0]
    worked = next(each for each in rules()[rule].run(problem) if each.answer.same_as(wrong))
    return {
        "item": at + 1,
        "question": item.question,
        "right": item.right.shown,
        "wrong": wrong.shown,
        "steps": [step.text for step in worked.steps],
    }


def next_worksheets(quiz: Quiz, worksheet: Asked) -> list[str]:
    """The problems to ask next, a sheet for each group; which group it is stands in the key."""
    head, how = _head(quiz), "Show how you work it out."
    return [
        _part(
            "worksheet",
            head=head,
            title=f"Sheet {number}",
            how=how,
            items=[_asked(each.problem.stem(), []) for each in problems],
        )
        for number, _, problems in worksheet
    ]


def next_key(quiz: Quiz, worksheet: Asked) -> str:
    """For the teacher: who gets which sheet, and what each rule answers."""
    rows = [
        {
            "item": f"{at} of sheet {number}",
            "who": f"Group {number}: {rows_words(group.rows)}",
            "right": each.right.answer.shown,
            "expected": [
                f"{' or '.join(answers[:4])}: {name_of(rule)}"
                for rule, answers in each.expected.items()
            ],
            "note": each.reason,
        }
        for number, group, problems in worksheet
        for at, each in enumerate(problems, start=1)
    ]
    return _part("next_key", head=_head(quiz), rows=rows)


def problems_sheet(problems: Sequence[str]) -> str:
    """Any problems for pupils, with a line for each answer and a place for the row number."""
    return _part(
        "worksheet",
        head="",
        title="Worksheet",
        how="Show how you work it out.",
        items=[_asked(each, []) for each in problems],
    )


def teacher_sheet(title: str, how: str, body: str) -> str:
    """What the screen shows, as a page for the teacher.

    Args:
        title: of the page.
        how: a sentence below it.
        body: HTML, in which every text is escaped.
    """
    return _part("page", head="", title=title, how=how, body=Markup(body))


def _head(quiz: Quiz) -> str:
    """What stands at the head of every sheet."""
    return f"Quiz {quiz.code} · {quiz.about}"


_part = partial(part, "paper.html")
