"""How a teacher's text was understood, sentence by sentence, and its solution."""

from __future__ import annotations

import html

import streamlit as st

from biaslab.charts import structure_chart
from biaslab.studies.word_problems.custom.problem import OwnProblem, OwnSentence
from biaslab.ui.widgets.cards import steps_html
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain


def draw_sentences(own: OwnProblem) -> None:
    """A line for every sentence; those that could not be read say what to write instead."""
    lines = "".join(f"<li>{_line(sentence)}</li>" for sentence in own.sentences)
    st.html(f'<ol class="bl bl-understood" aria-label="Sentences">{lines}</ol>')


def _line(sentence: OwnSentence) -> str:
    text = html.escape(sentence.text)
    if sentence.is_read:
        understood = html.escape(sentence.understood)
        return f'✓ {text}<br><span class="bl-faint">Understood: {understood}</span>'
    return (
        f"<b>✗ Not read:</b> <mark>{text}</mark><br>"
        f'<span class="bl-faint">{html.escape(sentence.reason)}</span><br>'
        f"Write it like: <b>{html.escape(sentence.suggestion)}</b>"
    )


def draw_solution(own: OwnProblem) -> None:
    """The equations, the answer, and the structure as a line and as a picture."""
    steps = own.facts.get("steps", ())
    shown = steps_html(steps) if steps else "<p>The answer stands in the text itself.</p>"
    st.html(
        f'<div class="bl">{shown}<p class="bl-foot">Answer: <b>{own.answer}</b></p>'
        f'<p class="bl-faint">Structure: {html.escape(own.structure)}</p></div>'
    )
    if steps:
        with st.expander("How the answer comes about, as a picture"):
            draw_chart(structure_chart(own.facts, dark=is_dark()), "your problem")


def draw_fault(own: OwnProblem) -> None:
    """Why there is no solution."""
    st.warning(plain(own.fault or "The text could not be understood."), icon=":material/help:")
