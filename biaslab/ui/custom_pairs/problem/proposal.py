"""A language model that helps with a text which the readers refuse: reads it, or rephrases it."""

from __future__ import annotations

import html

import streamlit as st

from biaslab.studies.word_problems.custom.asking_models import (
    ReadByModel,
    judge_reading,
    reading_requests,
)
from biaslab.studies.word_problems.custom.problem import CustomProblem
from biaslab.ui.custom_pairs.problem.rephrase import ask_all, draw_rephrasing
from biaslab.ui.custom_pairs.problem.text import use_text
from biaslab.ui.widgets.errors import shown_errors
from biaslab.ui.widgets.language_model import ReadyModel, draw_writer
from biaslab.ui.widgets.words import plain
from schoolmath.problems.proposals import lines_of
from schoolmath.problems.reading import read

_RESULT = "own problem read by a model"


def draw_help(own: CustomProblem) -> None:
    """Draws the choice of the model, what it can do, and what it did."""
    with st.expander("Or let a language model read or rephrase it"):
        st.caption("**Your text is sent to the model you choose.**")
        writer = draw_writer("rephrase")
        _draw_reading(own, writer)
        draw_rephrasing(own, writer)


def _draw_reading(own: CustomProblem, writer: ReadyModel | None) -> None:
    st.caption(
        "**Read:** it says what each number is, and apart from that writes the calculation. Both "
        "must agree with each other, with every clause of your text and with the readers here; "
        "what can't be checked is refused."
    )
    if st.button("Ask this model to read it", type="primary", disabled=writer is None):
        assert writer is not None
        with shown_errors(), st.spinner("Asking twice …"):
            asked = reading_requests(own.text, writer.form)
            reading, calculation = ask_all(writer, asked)
            found = judge_reading(own.text, reading, calculation)
            st.session_state[_RESULT] = (own.text, writer.label, found)
    kept: tuple[str, str, ReadByModel] | None = st.session_state.get(_RESULT)
    if kept is not None and kept[0] == own.text:
        _draw(kept[1], kept[2])


def _draw(model: str, found: ReadByModel) -> None:
    checked = found.checked
    if found.proposal is not None:
        lines = "".join(f"<li>{html.escape(line)}</li>" for line in lines_of(found.proposal))
        st.html(f'<ol class="bl" aria-label="What the model read">{lines}</ol>')
    if checked.answer is None:
        reasons = "\n".join(f"- {plain(reason)}" for reason in checked.reasons)
        st.warning("What it read did not pass the check, so it is not taken:\n\n" + reasons)
        return
    steps = "".join(f"<li><b>{html.escape(step)}</b></li>" for step in checked.steps)
    shown = html.escape(checked.shown_answer)
    st.html(
        f'<div class="bl"><ol aria-label="Steps">{steps}</ol>'
        f'<p class="bl-foot">Answer: <b>{shown}</b></p></div>'
    )
    st.success(
        f"Read by {plain(model)}, checked. That is no proof: only you can say whether the model "
        "read what is meant.",
        icon=":material/check:",
    )
    st.markdown(f"**In plain sentences:** {plain(checked.sentences)}")
    if read(checked.sentences).solution is not None:
        st.button("Make pairs of these sentences", on_click=use_text, args=(checked.sentences,))
