"""Asking a model to put a text into readable sentences; the teacher decides whether to use them."""

from __future__ import annotations

import html
from collections.abc import Sequence
from contextlib import closing

import streamlit as st

from biaslab.models import Completion, Failure, GenerationRequest
from biaslab.runs import RunError
from biaslab.studies.word_problems.custom.asking_models import (
    Rephrased,
    judge_rephrasing,
    rephrasing_request,
)
from biaslab.studies.word_problems.custom.problem import CustomProblem, understand
from biaslab.ui.custom_pairs.problem.text import use_text
from biaslab.ui.custom_pairs.problem.understood import draw_sentences
from biaslab.ui.widgets.errors import shown_errors
from biaslab.ui.widgets.language_model import ReadyModel
from biaslab.ui.widgets.words import plain

_RESULT = "own problem rephrased"


def draw_rephrasing(own: CustomProblem, writer: ReadyModel | None) -> None:
    """Draws the button, and what the model wrote in place of the text."""
    st.caption(
        "**Rephrase:** it writes your text in sentences that can be read. What it writes is read "
        "back, solved, and compared with the numbers and names of your text; you see both and "
        "decide."
    )
    if st.button("Ask this model to rephrase", disabled=writer is None):
        assert writer is not None
        with shown_errors(), st.spinner("Asking …"):
            (answer,) = ask_all(writer, [rephrasing_request(own.text, writer.form)])
            st.session_state[_RESULT] = (own.text, judge_rephrasing(own.text, answer))
    kept: tuple[str, Rephrased] | None = st.session_state.get(_RESULT)
    if kept is not None and kept[0] == own.text:
        _draw(own, kept[1])


def ask_all(writer: ReadyModel, requests: Sequence[GenerationRequest]) -> list[Completion]:
    """The model's answers to all requests, in their order.

    Raises:
        RunError: one has no answer.
    """
    found: dict[int, Completion] = {}
    with closing(writer.ask(requests)) as answered:
        for place, answer in answered:
            if not isinstance(answer, Completion):
                raise RunError(_no_answer(answer))
            found[place] = answer
    if len(found) < len(requests):
        raise RunError("The model gave no answer. Try again.")
    return [found[place] for place in range(len(requests))]


def _no_answer(failure: Failure) -> str:
    again = " Try again in a while." if failure.retryable else ""
    return f"{failure.reason}{again}"


def _draw(own: CustomProblem, found: Rephrased) -> None:
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
