"""Your class: a quiz to print, answers by row number, groups by likely mal-rule."""

import streamlit as st

from biaslab.problems.errors import DesignError
from biaslab.ui.classroom import address
from biaslab.ui.classroom.groups import draw_groups, draw_next
from biaslab.ui.classroom.quiz import draw_choice, draw_quiz, made
from biaslab.ui.classroom.session import kept_class
from biaslab.ui.classroom.sheet import draw_giving_in, draw_kept
from biaslab.ui.navigation import heading
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.words import plain

heading(
    "Your class",
    "Which wrong answers belong together? Print a quiz, give in what your pupils answered by row "
    "number, and see which **mal-rule**, a rule that gives wrong answers, would explain them. "
    "Works without any model; **nothing is sent anywhere**.",
)
step = address.step_parameter()
choosing.segmented_control(
    "Step",
    list(address.STEPS),
    format_func=address.STEPS.__getitem__,
    required=True,
    wrap=True,
    label_visibility="collapsed",
    **step.bind(),
)
if step.value == address.QUIZ:
    draw_choice()
try:
    quiz = made(address.design())
except DesignError as error:
    st.warning(plain(str(error)))
    st.stop()

kept = kept_class()
if step.value == address.QUIZ:
    draw_quiz(quiz)
elif step.value == address.ANSWERS:
    draw_kept(quiz)
    draw_giving_in(quiz)
else:
    draw_kept(quiz)
    if kept is None:
        st.info("Give in answers first, or try it with a made-up class: step 2.")
    elif kept.code == quiz.code:
        (draw_groups if step.value == address.GROUPS else draw_next)(quiz, kept)
