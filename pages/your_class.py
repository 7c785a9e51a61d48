"""Your class: a test, answers by row number, groups by likely mal-rule."""

import streamlit as st

from biaslab.ui.classroom import address
from biaslab.ui.classroom.custom_test import chosen_test, draw_custom_choice
from biaslab.ui.classroom.groups import draw_groups, draw_next
from biaslab.ui.classroom.phones import draw_opening, draw_taking
from biaslab.ui.classroom.quiz import draw_choice, draw_quiz, made
from biaslab.ui.classroom.session import stored_class
from biaslab.ui.classroom.sheet import draw_giving_in, draw_kept
from biaslab.ui.navigation import heading
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.words import plain
from schoolmath.problems.errors import DesignError

heading(
    "Your class",
    "Which **mal-rule**, a rule that gives wrong answers, explains your pupils' answers? No model; "
    "**nothing is sent anywhere**.",
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
design, quiz = None, None
own = address.test_parameter().value == address.CUSTOM_TEST
if step.value == address.QUIZ:
    choosing.segmented_control(
        "The test is",
        list(address.SOURCES),
        format_func=address.SOURCES.__getitem__,
        required=True,
        label_visibility="collapsed",
        **address.test_parameter().bind(),
    )
    (draw_custom_choice if own else draw_choice)()
if own:
    test = chosen_test()
    quiz = None if test is None else test.quiz
    if test is None and step.value != address.QUIZ:
        st.info("Give a test of your own first, or have one made: step 1.")
else:
    try:
        design = address.design()
        quiz = made(design)
    except DesignError as error:
        st.warning(plain(str(error)))
if quiz is None:
    st.stop()

kept = stored_class()
if step.value == address.QUIZ:
    draw_quiz(quiz, design)
    draw_opening(quiz)
elif step.value == address.ANSWERS:
    draw_kept(quiz)
    draw_taking(quiz)
    draw_giving_in(quiz)
else:
    draw_kept(quiz)
    if kept is None:
        st.info("Give in answers first, or try it with a made-up class: step 2.")
    elif kept.code == quiz.code:
        (draw_groups if step.value == address.GROUPS else draw_next)(quiz, kept)
