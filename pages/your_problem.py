"""Your problem: a text of one's own, how it is understood, and the pairs made from it."""

import streamlit as st

from biaslab.studies.word_problems.custom.problem import UnreadableProblem, understand
from biaslab.ui.custom_pairs.problem.answers import draw_answers
from biaslab.ui.custom_pairs.problem.by_hand import draw_by_hand
from biaslab.ui.custom_pairs.problem.proposal import draw_help
from biaslab.ui.custom_pairs.problem.text import draw_text
from biaslab.ui.custom_pairs.problem.twins import draw_twins
from biaslab.ui.custom_pairs.problem.understood import (
    draw_fault,
    draw_sentences,
    draw_solution,
    read_as_story,
)
from biaslab.ui.custom_pairs.problem.words import custom_words_in_use, draw_custom_words
from biaslab.ui.navigation import heading
from biaslab.ui.widgets.words import plain

heading(
    "Your problem",
    "Paste a word problem of your own. See how each sentence is understood, how it is solved, and "
    "get its **minimal pairs**: the same problem twice with one feature changed, to ask a model.",
)
with st.container(border=True):
    st.header("1. The text", anchor=False)
    text = draw_text()
    draw_custom_words()
if not text:
    st.info("Type or paste a problem, or use the example.")
    st.stop()
with custom_words_in_use():
    try:
        own = understand(text)
    except UnreadableProblem as refused:
        st.error(plain(str(refused)), icon=":material/error:")
        st.stop()

    sentences, solution = st.columns([3, 2], gap="medium")
    with sentences, st.container(border=True):
        st.header("2. How it is understood", anchor=False)
        draw_sentences(own)
    with solution, st.container(border=True):
        st.header("3. The solution", anchor=False)
        if own.answer is None:
            draw_fault(own)
        else:
            draw_solution(own)
    if own.answer is not None:
        st.header("4. Its pairs", anchor=False)
        ticked = draw_twins(own)
        st.header("5. What models answer", anchor=False)
        draw_answers(ticked)
    elif not read_as_story(own):
        draw_by_hand(own.text)
        draw_help(own)
