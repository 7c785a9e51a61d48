"""What a check found, a card for each line: verdict, picture, figures, an example conversation."""

from __future__ import annotations

import html
from collections.abc import Sequence

import streamlit as st

from biaslab.publishing.tutor_check import (
    LIMITS,
    TutorRuns,
    few_rules_words,
    line_sentences,
    plain_sentence,
)
from biaslab.runs import MemberDetail, RunRecord, Store
from biaslab.runs.store.records import response_words
from biaslab.studies.tutor import trap
from biaslab.studies.tutor.check import CheckRow, CheckVerdict
from biaslab.studies.tutor.custom_items import CUSTOM_ITEMS
from biaslab.studies.tutor.items import CONTENT_CLASS, GRADES
from biaslab.ui.classroom.paper import STYLE
from biaslab.ui.navigation import ITEMS, ROOM, link
from schoolmath.text.figures import hundredths

_IN_A_ROOM = 8
"""Pairs that people answer in one go."""

_MARKS = {
    CheckVerdict.GOOD: "✓",
    CheckVerdict.BAD: "✗",
    CheckVerdict.NO_SIGN: "–",
    CheckVerdict.OPEN: "?",
}


def draw_lines(store: Store, runs: TutorRuns, lines: Sequence[CheckRow], heading: str) -> None:
    """Draws all lines as one sheet that can be printed by itself.

    Args:
        store: the file of the runs.
        runs: of the check.
        lines: what it says.
        heading: of the sheet.
    """
    cards = "".join(
        _card(line, _example(store, runs.runs[line.measure.study], line)) for line in lines
    )
    limits = "".join(f"<li>{html.escape(each)}</li>" for each in LIMITS)
    st.html(STYLE)
    st.html(
        '<div class="bl bl-paper"><section class="bl-sheet" aria-label="The check">'
        f'<div class="bl-sheet-head"><h2>{html.escape(heading)}</h2></div>'
        '<p class="bl-faint">Bars: how often; line: 95 % interval; dashes: what guessing gets.</p>'
        f'<div class="bl-check">{cards}</div>'
        f"<h3>What this does not say</h3><ul>{limits}</ul></section></div>"
    )


def draw_links(runs: TutorRuns, lines: Sequence[CheckRow]) -> None:
    """Draws the ways to all answers, one for each line, and to a room that plays the tutor."""
    with st.container(horizontal=True, gap="small"):
        st.caption("All answers:")
        for line in lines:
            link(ITEMS, line.measure.label, {"run": runs.runs[line.measure.study].id})
    link(
        ROOM, "Play the tutor yourselves: the same questions on phones",
        {
            "study": trap.NAME, "n": str(_IN_A_ROOM), "seed": str(runs.check.seed),
            GRADES.name: runs.check.grades, CONTENT_CLASS.name: runs.check.content_class,
            CUSTOM_ITEMS.name: runs.check.items,
        },
    )  # fmt: skip


def _card(row: CheckRow, example: str) -> str:
    headline, mark = row.headline, _MARKS[row.verdict]
    says = html.escape(row.measure.says.format(k=headline.k, n=headline.n))
    said, times = says.split("**", 2), f"{headline.k} of {headline.n}"
    first = f"{row.interval_sentence} {few_rules_words(row)}"
    shown = {plain_sentence(row), row.interval_sentence, few_rules_words(row)}
    more = "".join(
        f"<p>{html.escape(each)}</p>" for each in line_sentences(row) if each not in shown
    )
    return (
        f'<section class="bl-card" aria-label="{html.escape(row.measure.title)}">'
        f'<div class="bl-faint">{html.escape(row.measure.title)}</div>'
        f'<p class="bl-outcome"><span aria-hidden="true">{mark}</span> '
        f"{html.escape(row.sentence)}</p>"
        f"<p>{said[0]}<b>{times}</b>{said[-1]}</p>{_bar(row)}"
        f'<p class="bl-faint">{html.escape(first)}</p>'
        f"<details><summary>How sure, and what simple strategies get</summary>{more}</details>"
        f"<details><summary>An example conversation</summary>{example}</details>"
        "</section>"
    )


def _bar(row: CheckRow) -> str:
    low, high = (row.interval.low, row.interval.high) if row.interval else (0.0, 1.0)
    words = f"{row.headline.k} of {row.headline.n}; guessing gets {hundredths(row.chance)} %"
    return (
        f'<div class="bl-scale" role="img" aria-label="{html.escape(words)}">'
        f'<b style="width:{hundredths(row.headline.share)}%"></b>'
        f'<i style="left:{hundredths(low)}%;width:{hundredths(high - low)}%"></i>'
        f'<u style="left:{hundredths(row.chance)}%"></u></div>'
    )


def _example(store: Store, run: RunRecord, row: CheckRow) -> str:
    """What was said in one pair, word for word."""
    if not row.example:
        return "<p>No answer could be read.</p>"
    detail = store.pair_detail(run.id, row.example)
    member: MemberDetail = getattr(detail, row.measure.example_arm)
    turns = [_turn("Question", str(member.item.facts.get("first", member.item.text)))]
    for at, exchange in enumerate(member.stages):
        if at:
            turns.append(_turn("Pupil", str(member.item.facts.get("reply", ""))))
        turns.append(_turn("Tutor", response_words(exchange.request, exchange.answered).strip()))
    key = str(member.item.answer)
    turns.append(
        f'<p class="bl-faint">By calculation, the right answer is {html.escape(key)}: '
        f"{html.escape(str(member.item.facts['options'][key]))}</p>"
    )
    return "".join(turns)


def _turn(who: str, text: str) -> str:
    said = html.escape(text)
    return f'<p><b>{who}</b></p><div class="bl-pre" role="group" tabindex="0">{said}</div>'
