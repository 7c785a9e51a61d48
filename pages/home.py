"""Home: what a real language model was found to do, and doing it again."""

from datetime import date
from pathlib import Path

import streamlit as st

from biaslab.runs import default_database, recording_of
from biaslab.system.roles import Role
from biaslab.ui.first_finding import shown_run
from biaslab.ui.home.again import draw_again
from biaslab.ui.home.finding import draw_bars, draw_pair, draw_sentence, found_in
from biaslab.ui.navigation import (
    BIASES,
    COMPOSE,
    CONCEPTS,
    EFFECTS,
    GUESS,
    MALGORITHMS,
    ROOM,
    RUNS,
    YOUR_CLASS,
    YOUR_PROBLEM,
    link,
)
from biaslab.ui.serving.login import draw_login
from biaslab.ui.widgets import queries, visitor
from biaslab.ui.widgets.progress import live
from biaslab.ui.widgets.run_words import recorded_words
from biaslab.ui.widgets.words import plain

st.title("Do language models stumble where children do?", anchor=False)
recorded = shown_run(queries.recorded_runs())
found = None if recorded is None else found_in(queries.OutcomesState.of(recorded))
recording = {} if recorded is None else recording_of(recorded)
asked = date.fromisoformat(recording["date"]) if recording else None
day = f"{asked.day} {asked:%B %Y}" if asked else ""
shown, words = st.columns(2, gap="medium")
with shown:
    if recorded is not None and found is not None:
        draw_sentence(recorded, found)
        draw_bars(recorded, found, f"Recorded on {day}")
    else:
        st.markdown(
            "One problem twice, one sentence turned round: does a model still get it right? This "
            "copy of BiasLab came without recorded answers; ask a model yourself."
        )
        if fault := queries.gallery_fault():
            st.error(plain(fault), icon=":material/error:")
    live(lambda: draw_again(recorded))
with words:
    if recorded is not None:
        draw_pair(recorded, day)
        with st.expander("How was this made?"):
            st.markdown(
                f"{recorded_words(recording)} BiasLab asked it once, and counts its answers anew "
                "on this page. docs/real-models.md says how, and how you record a model."
            )
if visitor.is_here():
    kept, home = default_database(), Path.home()
    where = f"~/{kept.relative_to(home)}" if kept.is_relative_to(home) else str(kept)
    st.caption(
        f"Everything stays on this computer, in {plain(where)}. "
        "Nothing is sent anywhere unless you choose a server."
    )
else:
    st.caption(
        "Problems, answers and results are kept on the computer that runs BiasLab, where "
        "everybody who opens it sees them. Nothing is sent anywhere else unless somebody "
        "chooses a model on a server."
    )

with st.grid(3, min_column_width=260, border=True):
    with st.container():
        st.markdown(
            "**You teach**",
            help="Print a quiz and see by row numbers which mal-rules, wrong ways of working, your "
            "class may follow. Or make pairs of problems and see which words mislead.",
        )
        link(YOUR_CLASS, "Your class")
        link(YOUR_PROBLEM, "Your problem")
        link(COMPOSE, "Compose")
    with st.container():
        st.markdown(
            "**You do research**",
            help="Effects with intervals, tests and published models beside them; every number "
            "leads to the answers behind it.",
        )
        link(EFFECTS, "Effects")
        with st.container(horizontal=True, gap="xsmall"):
            link(MALGORITHMS, "Malgorithms")
            link(CONCEPTS, "Concepts")
            link(BIASES, "Decision biases")
    with st.container():
        st.markdown(
            "**You host a workshop**",
            help="People answer on their phones, and the room has an effect of its own; all may "
            "watch the same runs; or guess together how a pupil came to a wrong answer.",
        )
        link(ROOM, "Live room")
        link(GUESS, "Guess the mal-rule")
        link(RUNS, "Runs")
if visitor.role() in (Role.VISITOR, Role.PARTICIPANT, Role.HOST):
    draw_login()
