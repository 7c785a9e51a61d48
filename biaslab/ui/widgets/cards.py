"""The two members of a pair side by side, as HTML of this project's own making.

Everything that comes from outside (texts of items, names) is escaped, so it stays text.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from biaslab.studies import Arms, Item, Pair, Value
from biaslab.ui.widgets.marks import differing, to_html
from biaslab.ui.widgets.words import MINUS

SIGNS = {"+": "+", "-": MINUS, "*": "×", "/": "÷"}
"""Operations as they are written by hand."""


def pair_cards(pair: Pair, arms: Arms, *, working: bool = True) -> None:
    """Draws both members: what is asked with the differing words marked, and the answer.

    With ``working``, the reasoning steps are shown as well.
    """
    x, x_prime = pair.x, pair.x_prime
    st.html(
        '<div class="bl bl-pair">'
        + member_html(x, x_prime, arms.x, "x", working=working)
        + member_html(x_prime, x, arms.x_prime, "x-prime", working=working)
        + "</div>"
    )


def member_html(
    item: Item, other: Item, arm: str, side: str, *, working: bool, outcome: str = ""
) -> str:
    """One member as a card.

    Its look follows ``side`` (``x`` or ``x-prime``); ``outcome`` says how it was answered.
    """
    shown = f'<p class="bl-outcome">{html.escape(outcome)}</p>' if outcome else ""
    steps = steps_html(item.facts.get("steps", ())) if working else ""
    # A study whose outcomes lie on a scale has no right answers.
    right = (
        f'<p class="bl-foot">Right answer: <b>{html.escape(item.answer)}</b></p>'
        if item.answer
        else ""
    )
    return (
        f'<section class="bl-card {side}" aria-label="{html.escape(arm)}">'
        f'<div class="bl-arm">{html.escape(arm)}</div>'
        f'<p class="bl-text">{to_html(differing(item.text, other.text))}</p>'
        f"{steps}"
        f"{right}{shown}</section>"
    )


def steps_html(steps: Sequence[Mapping[str, Any]]) -> str:
    """The calculations that lead to the answer, each in words and as an equation."""
    if not steps:
        return ""
    lines = []
    for step in steps:
        equation = (
            f"{step['left']} {SIGNS.get(step['operation'], step['operation'])} "
            f"{step['right']} = {step['result']}"
        )
        who = html.escape(f"{step['agent']} has {step['result']} {step['what']}")
        lines.append(f"<li><b>{html.escape(equation)}</b> <span class='bl-faint'>{who}</span></li>")
    return f'<ol aria-label="Reasoning steps">{"".join(lines)}</ol>'


def strata_tags(strata: Mapping[str, Value], labels: Mapping[str, str]) -> None:
    """What the pair belongs to, as small labels."""
    tags = "".join(
        f'<span class="bl-tag">{html.escape(labels.get(name, name))}: '
        f"<b>{html.escape(str(value))}</b></span>"
        for name, value in strata.items()
    )
    st.html(f'<div class="bl bl-tags">{tags}</div>')


def facts_list(facts: Mapping[str, str]) -> None:
    """Names and values under one another."""
    rows = "".join(
        f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>"
        for name, value in facts.items()
    )
    st.html(f'<dl class="bl bl-facts">{rows}</dl>')


def figures(values: Mapping[str, str]) -> None:
    """A few numbers with what they count, that wrap on a phone."""
    boxes = "".join(
        f'<div class="bl-figure"><b>{html.escape(value)}</b>'
        f'<span class="bl-faint">{html.escape(name)}</span></div>'
        for name, value in values.items()
    )
    st.html(f'<div class="bl bl-figures">{boxes}</div>')
