"""The wrong answers that tell what went wrong, where a design's numbers are diagnosable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from biaslab.runs.answer_words import number_words
from biaslab.studies import Arms, Pair
from biaslab.studies.word_problems.error_models import WAYS
from biaslab.ui.widgets.words import plain

WAYS_FACT, LEFT_OUT_FACT = "ways", "ways_left_out"


def draw_list_of_ways() -> None:
    """Says which error models diagnosable numbers tell apart."""
    st.caption(
        f"Told apart are: {', '.join(WAYS.values())}. Ways that no numbers can tell apart in this "
        "structure are named below the pair, with the reason."
    )


def draw_wrong_answers(pair: Pair, arms: Arms) -> None:
    """Draws what each error model answers on both members; nothing where unknown."""
    members = (pair.x, pair.x_prime)
    known = [member.facts.get(WAYS_FACT, {}) for member in members]
    left_out = [member.facts.get(LEFT_OUT_FACT, {}) for member in members]
    if not any((*known, *left_out)):
        return
    with st.expander("What each error model answers", expanded=True):
        rows = [
            {
                "Who is": name[:1].upper() + name[1:],
                arms.x: _answers(known[0], way),
                arms.x_prime: _answers(known[1], way),
            }
            for way, name in WAYS.items()
            if way in known[0] or way in known[1]
        ]
        if rows:
            st.table(rows, border="horizontal")
            st.caption(
                "Each is different from the others in its column, from the right answer and from "
                "every number in the text: a wrong answer tells what went wrong."
            )
        for name, reason in _left_out(left_out, arms):
            st.markdown(f"- Not told apart: **{plain(name)}**. {plain(reason)}")


def _answers(ways: Mapping[str, list[str]], way: str) -> str:
    return " or ".join(number_words(answer) for answer in ways.get(way, ())) or "–"


def _left_out(left_out: list[Mapping[str, Any]], arms: Arms) -> list[tuple[str, str]]:
    """Ways without an answer of their own, with the reason; for one member where they differ."""
    found = []
    for way, name in WAYS.items():
        reasons = [str(each[way]) if way in each else "" for each in left_out]
        if reasons[0] == reasons[1]:
            if reasons[0]:
                found.append((name, reasons[0]))
            continue
        found += [
            (f"{name} ({arm})", reason)
            for arm, reason in zip((arms.x, arms.x_prime), reasons, strict=True)
            if reason
        ]
    return found
