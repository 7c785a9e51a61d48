"""Home: what this is, and a demo at one click."""

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
    "BiasLab asks a model the same school problem twice, with one feature changed. If the answers "
    "to one kind are right less often, that feature misled the model. You see whether models go "
    "wrong at mathematics in the ways that people do, problem by problem.",
)
action, picture = st.columns([2, 3], gap="medium")
with action, st.container(border=True):
    live(draw_demo)
with picture:
    draw_picture()

st.header("Where to go next", anchor=False)
with st.grid(3, min_column_width=260, border=True):
    with st.container():
        st.markdown("**You teach**")
        st.markdown(
            "Print a quiz and see by row numbers which mal-rules, wrong ways of working, your "
            "class may follow. Or make pairs of problems and see which words mislead."
        )
        link(YOUR_CLASS, "Look at your class")
        link(YOUR_PROBLEM, "Bring a problem of your own")
        link(COMPOSE, "Compose pairs")
    with st.container():
        st.markdown("**You do research**")
        st.markdown(
            "Effects with intervals, tests and published models beside them; every number leads "
            "to the answers behind it."
        )
        link(EFFECTS, "See effects")
        with st.container(horizontal=True, gap="xsmall"):
            link(MALGORITHMS, "Malgorithms")
            link(CONCEPTS, "Concepts")
            link(BIASES, "Decision biases")
    with st.container():
        st.markdown("**You host a workshop**")
        st.markdown(
            "Everyone may watch the same runs at the same time; stop and resume them when you "
            "like. Or guess together how a pupil came to a wrong answer."
        )
        link(GUESS, "Guess the mal-rule")
        link(RUNS, "Watch runs")
if visitor.role() in (Role.VISITOR, Role.PARTICIPANT):
    draw_login()
if visitor.is_here():
    st.caption(
        "Everything stays on this computer: problems, answers and results are kept in one file, "
        f"{plain(str(default_database()))}, and nothing is sent anywhere unless you choose a model "
        "on a server."
    )
else:
    st.caption(
        "Problems, answers and results are kept on the computer that runs BiasLab, where everybody "
        "who opens it sees them. Nothing is sent anywhere else unless somebody chooses a model on "
        "a server."
    )
