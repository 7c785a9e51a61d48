"""What a teacher prints, as HTML of this project's own making, all texts escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import streamlit as st

from biaslab.malrules.bank import LETTERS
from biaslab.malrules.classes import FollowUp, Group, Member, Quiz, Sheet, topics
from biaslab.malrules.rules import Card, rules
from biaslab.text.figures import count
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
        body = "".join(
            _item(
                at,
                item.question,
                '<div class="bl-choices">'
                + "".join(
                    f"<span><b>{letter}</b> {html.escape(text)}</span>"
                    for letter, text in zip(LETTERS, item.options, strict=True)
                )
                + "</div>",
            )
            for at, item in enumerate(quiz.items, start=1)
        )
    else:
        how = "Show how you work it out."
        body = "".join(
            _item(at, item.question, _answer_line()) for at, item in enumerate(quiz.items, start=1)
        )
    return _sheet("Worksheet", quiz, f'<ol class="bl-items">{body}</ol>', how=how, pupil=True)


def answer_sheet(quiz: Quiz) -> str:
    """Boxes for the answers, by item number."""
    inside = (
        "".join(f"<span>{letter}</span>" for letter in LETTERS)
        if quiz.design.letters
        else '<span style="flex: 1; border-bottom: 1px solid currentColor">&nbsp;</span>'
    )
    boxes = "".join(f"<div><b>{at}</b>{inside}</div>" for at in range(1, len(quiz.items) + 1))
    how = "Circle one letter for each item." if quiz.design.letters else "One answer for each item."
    return _sheet("Answers", quiz, f'<div class="bl-boxes">{boxes}</div>', how=how, pupil=True)


def key_sheet(quiz: Quiz) -> str:
    """For the teacher: every item's right answer and what is behind the wrong ones."""
    known = rules()
    rows = []
    for at, item in enumerate(quiz.items):
        right = quiz.right[at].shown
        shown = f"{item.key}: {right}" if quiz.design.letters else right
        if quiz.design.letters:
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
        listed = "".join(f"<div>{html.escape(text)}</div>" for text in wrong)
        rows.append(
            f"<tr><th scope='row'>{at + 1}</th><td><b>{html.escape(shown)}</b></td>"
            f"<td>{listed}</td></tr>"
        )
    table = (
        "<table><thead><tr><th>Item</th><th>Right</th><th>What gives the wrong answers</th></tr>"
        f"</thead><tbody>{''.join(rows)}</tbody></table>"
    )
    return _sheet("Key for the teacher", quiz, table)


def group_sheet(quiz: Quiz, sheet: Sheet, number: int, group: Group, *, made_up: bool) -> str:
    """A group: what they do, what to look for, a question to ask."""
    cards = [rules()[rule].card for rule in group.rules]
    several = len(cards) > 1
    heading = cards[0].name if not several else f"One of {len(cards)} rules, open which"
    parts = [_rule_part(quiz, group, card, several=several) for card in cards]
    if several:
        parts.insert(
            0,
            "<p>All of these rules give the same answers to your quiz. Nothing says which one it "
            "is; step 4 has problems that tell them apart.</p>",
        )
    why = "".join(f"<li>{html.escape(evidence(sheet, member))}</li>" for member in group.members)
    label = "Made-up pupils. " if made_up else ""
    return (
        f'<section class="bl-sheet" aria-label="Group {number}">'
        f'<div class="bl-sheet-head"><h2>Group {number}: {html.escape(heading)}</h2>'
        f'<span class="bl-faint">Quiz {quiz.code}</span></div>'
        f"<p><b>{label}{count(len(group.members), 'pupil')}: "
        f"{html.escape(rows_words(group.rows))}.</b> {html.escape(how_sure(group))}</p>"
        f"{''.join(parts)}"
        f"<h3>Why these rows</h3><ul>{why}</ul>"
        f'<p class="bl-faint" style="margin-top: 0.8rem">{html.escape(NOT_A_DIAGNOSIS)}</p>'
        "</section>"
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


def _rule_part(quiz: Quiz, group: Group, card: Card, *, several: bool) -> str:
    lines = {"What they do": card.description, "Look for": card.look_for, "Ask": card.probe}
    listed = "".join(
        f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>"
        for name, text in lines.items()
        if text
    )
    name = f"<h3>{html.escape(card.name)}</h3>" if several else ""
    source = (
        f'<p class="bl-faint">{html.escape(card.id)}, {html.escape(card.kind)}. Source: '
        f"{html.escape(card.source)}; confidence {card.confidence} "
        f"({html.escape(CONFIDENCE[card.confidence])}).</p>"
    )
    body = f'{name}<dl class="bl bl-facts">{listed}</dl>{_example(quiz, group, card)}{source}'
    return f'<div class="bl-either">{body}</div>' if several else body


def _example(quiz: Quiz, group: Group, card: Card) -> str:
    """One item of the quiz that shows the rule, step by step."""
    hits = group.members[0].explanation.hits
    at = next((at for at in hits if card.id in quiz.gives[at]), None)
    if at is None:
        return ""
    wrong = quiz.gives[at][card.id][0]
    worked = next(
        each for each in rules()[card.id].run(quiz.problems[at]) if each.answer.same_as(wrong)
    )
    steps = "".join(f"<li>{html.escape(step.text)}</li>" for step in worked.steps)
    return (
        f"<h3>In item {at + 1}</h3><p>{html.escape(quiz.items[at].question)}</p>"
        f"<p>Right is {html.escape(quiz.right[at].shown)}; with this rule it is "
        f"<b>{html.escape(wrong.shown)}</b>. Somebody who follows it</p><ol>{steps}</ol>"
    )


def next_worksheets(quiz: Quiz, asked: Asked) -> list[str]:
    """The problems to ask next, a sheet for each group; which group it is stands in the key."""
    sheets = []
    for number, _, problems in asked:
        body = "".join(
            _item(at, each.problem.stem(), _answer_line())
            for at, each in enumerate(problems, start=1)
        )
        listed = f'<ol class="bl-items">{body}</ol>'
        how = "Show how you work it out."
        sheets.append(_sheet(f"Sheet {number}", quiz, listed, how=how, pupil=True))
    return sheets


def next_key(quiz: Quiz, asked: Asked) -> str:
    """For the teacher: who gets which sheet, and what each rule answers."""
    known, rows = rules(), []
    for number, group, problems in asked:
        for at, each in enumerate(problems, start=1):
            expected = "".join(
                f"<div>{html.escape(' or '.join(answers[:4]))}: "
                f"{html.escape(known[rule].card.name)}</div>"
                for rule, answers in each.expected.items()
            )
            note = f'<div class="bl-faint">{html.escape(each.reason)}</div>' if each.reason else ""
            who = f"<div>Group {number}: {html.escape(rows_words(group.rows))}</div>"
            rows.append(
                f"<tr><th scope='row'>{at} of sheet {number}</th>"
                f"<td>{who}</td><td><b>{html.escape(each.right.answer.shown)}</b></td>"
                f"<td>{expected}{note}</td></tr>"
            )
    table = (
        "<table><thead><tr><th>Item</th><th>For</th><th>Right</th><th>With the rule</th></tr>"
        f"</thead><tbody>{''.join(rows)}</tbody></table>"
    )
    return _sheet("Key to what to ask next", quiz, table)


def _item(number: int, question: str, below: str) -> str:
    return f"<li><b>{number}</b><div><div>{html.escape(question)}</div>{below}</div></li>"


def _answer_line() -> str:
    return (
        '<div class="bl-answer-line">Answer: '
        '<span class="bl-rule-line" style="min-width: 9rem">&nbsp;</span></div>'
    )


def _sheet(title: str, quiz: Quiz, body: str, *, how: str = "", pupil: bool = False) -> str:
    about = f"{title_of(quiz)}, grade {quiz.design.grade}"
    row = (
        '<p><b>Row number:</b> <span class="bl-rule-line">&nbsp;</span> '
        '<span class="bl-faint">Please write no name.</span></p>'
        if pupil
        else ""
    )
    told = f"<p>{html.escape(how)}</p>" if how else ""
    return (
        f'<section class="bl-sheet" aria-label="{html.escape(title)}">'
        f'<div class="bl-sheet-head"><h2>{html.escape(title)}</h2>'
        f'<span class="bl-faint">Quiz {quiz.code} · {html.escape(about)}</span></div>'
        f'{row}{told}<div style="height: 0.8rem"></div>{body}</section>'
    )
