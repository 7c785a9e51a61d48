"""Asking a model to put a text into readable sentences; the teacher decides whether to use them."""

from __future__ import annotations

import html
from contextlib import closing

import streamlit as st

from biaslab.models import Completion, Failure
from biaslab.runs import RunError
from biaslab.studies.word_problems.custom.problem import OwnProblem, understand
from biaslab.studies.word_problems.custom.rephrasing import (
    Rephrased,
    judge_rephrasing,
    rephrasing_request,
)
from biaslab.ui.own_pairs.own_text import use_text
from biaslab.ui.own_pairs.own_understood import draw_sentences
from biaslab.ui.widgets.errors import told
from biaslab.ui.widgets.language_model import Writer, draw_writer
from biaslab.ui.widgets.words import plain

_RESULT = "own problem rephrased"


def draw_rephrasing(own: OwnProblem) -> None:
    """Draws the choice of the model, the button, and what the model wrote."""
    st.markdown("**Or let a language model rephrase it**")
    st.caption(
        "The model gets your text and writes it in sentences that can be read. What it writes is "
        "read back, solved, and compared with the numbers and names of your text; you see both "
        "and decide. **Your text is sent to the model you choose.**"
    )
    writer = draw_writer("rephrase")
    if st.button("Ask this model to rephrase", disabled=writer is None):
        assert writer is not None
        with told(), st.spinner("Asking …"):
            st.session_state[_RESULT] = (own.text, _ask(writer, own.text))
    kept: tuple[str, Rephrased] | None = st.session_state.get(_RESULT)
    if kept is not None and kept[0] == own.text:
        _draw(own, kept[1])


def _ask(writer: Writer, text: str) -> Rephrased:
    with closing(writer.ask([rephrasing_request(text, writer.form)])) as answered:
        for _, answer in answered:
            if isinstance(answer, Completion):
                return judge_rephrasing(text, answer)
            raise RunError(_no_answer(answer))
    raise RunError("The model gave no answer. Try again.")


def _no_answer(failure: Failure) -> str:
    again = " Try again in a while." if failure.retryable else ""
    return f"{failure.reason}{again}"


def _draw(own: OwnProblem, found: Rephrased) -> None:
    st.html(
        '<div class="bl bl-pair">'
        + _card("x", "Your text", own.text)
        + _card("x-prime", "The model's sentences", found.text)
        + "</div>"
    )
    if not found.offered:
        lines = "\n".join(f"- {plain(reason.text)}" for reason in found.reasons)
        st.warning("It did not pass the check, so it is not offered:\n\n" + lines)
        return
    again = understand(found.text)
    st.success(
        f"It can be read; the answer is {again.answer}. The numbers are those of your text. "
        "Whether the story is the same, only you can say.",
        icon=":material/check:",
    )
    draw_sentences(again)
    with st.container(horizontal=True):
        st.button("It says the same: use it", type="primary", on_click=use_text, args=(found.text,))
        st.button("Leave it", on_click=lambda: st.session_state.pop(_RESULT, None))


def _card(side: str, title: str, text: str) -> str:
    return (
        f'<section class="bl-card {side}" aria-label="{title}"><div class="bl-arm">{title}</div>'
        f'<p class="bl-text">{html.escape(text)}</p></section>'
    )
