"""Home: what this is, and a demo at one click."""

from pathlib import Path

import streamlit as st

from biaslab.roles import Role
from biaslab.runs import default_database
from biaslab.ui.demo.example import draw_picture
from biaslab.ui.demo.panel import draw_demo
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
    heading,
    link,
)
from biaslab.ui.serving.login import draw_login
from biaslab.ui.widgets import visitor
from biaslab.ui.widgets.progress import live
from biaslab.ui.widgets.words import plain

heading(
    "Do language models stumble where children do?",
    "One problem twice, one feature changed: does a model go wrong as people do?",
)
action, picture = st.columns([2, 3], gap="medium")
with action:
    with st.container(border=True):
        live(draw_demo)
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
with picture:
    draw_picture()

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
