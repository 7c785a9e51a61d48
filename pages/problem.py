"""Pages about one problem: of your own, with a wrong answer, and inside a model."""

from __future__ import annotations

import streamlit as st

from biaslab.studies import Design, experiment
from biaslab.studies.word_problems.custom.problem import UnreadableProblem, understand
from biaslab.ui.classroom.happened import VIEW, draw_one, draw_several, draw_view
from biaslab.ui.compose.design_form import address_of
from biaslab.ui.custom_pairs.refused_text import draw_by_hand, draw_help
from biaslab.ui.custom_pairs.text import (
    custom_words_in_use,
    draw_fault,
    draw_sentences,
    draw_solution,
    draw_text,
    read_as_story,
)
from biaslab.ui.custom_pairs.twins import draw_answers, draw_keeping, draw_twins
from biaslab.ui.inside import queries as inside_queries
from biaslab.ui.inside.drawing import draw_decided, draw_in_short, draw_inside
from biaslab.ui.inside.models import (
    design_of_address,
    draw_models,
    draw_pair_fields,
    look_parameter,
    pair_of,
    swaps_parameter,
    warn_of_limits,
)
from biaslab.ui.navigation import COMPOSE, LINK, LOOK_INSIDE, action_row, heading, link
from biaslab.ui.widgets.cards import pair_cards
from biaslab.ui.widgets.words import plain


def your_problem_page() -> None:
    """Your problem: a text of one's own, how it is understood, and the pairs made from it."""
    heading(
        "Your problem",
        "Paste a word problem and get its **minimal pairs**: the same problem twice with one "
        "feature changed, to ask a model.",
    )
    with st.container(border=True):
        text = draw_text()
    if not text:
        st.info("Type or paste a problem, or use the example.")
        st.stop()
    with custom_words_in_use():
        try:
            own = understand(text)
        except UnreadableProblem as refused:
            st.error(plain(str(refused)), icon=":material/error:")
            st.stop()

        if own.answer is None:
            sentences, solution = st.columns([3, 2], gap="medium")
            with sentences, st.container(border=True):
                st.header("How it is understood", anchor=False)
                draw_sentences(own)
            with solution, st.container(border=True):
                st.header("The solution", anchor=False)
                draw_fault(own)
            if not read_as_story(own):
                draw_by_hand(own.text)
                draw_help(own)
            st.stop()

        with st.expander(f"Understood. The answer is {plain(str(own.answer))}"):
            sentences, solution = st.columns([3, 2], gap="medium")
            with sentences:
                draw_sentences(own)
            with solution:
                draw_solution(own)
        st.header("Its pairs, and what models answer", anchor=False)
        ticked = draw_twins(own)
        draw_answers(own, ticked)
        draw_keeping(own, ticked)


def what_happened_page() -> None:
    """What happened here? A problem, a wrong answer, and everything known that leads to it."""
    heading(
        "What happened here?",
        "Type a problem and the wrong answer. See **every known misconception that gives it**, "
        "step by step next to the correct method, and what to ask next.",
    )
    draw_view()
    if VIEW.value == "several":
        draw_several()
    else:
        draw_one()


def look_inside_page() -> None:
    """Look inside: what a model would answer after each word of a problem."""
    heading(
        "Look inside",
        "What would a model answer if the problem stopped after each word? See the **right "
        "answer** and that of the **reversed operation** rise and fall.",
    )
    action = action_row()
    form, shown = st.columns([2, 3], gap="medium")
    with form, st.container(border=True):
        models = draw_models()
        draw_pair_fields()
    design = design_of_address()
    study = experiment(design.study)
    pair = pair_of(design)
    with shown:
        pair_cards(pair, study.arms, working=False)
    if not models:
        st.info("Choose a model that can be opened on this computer to look inside it.")
        st.stop()

    warn_of_limits(models, design.study, int(pair.strata["steps"]))
    look = look_parameter()
    swaps = models[0].tiny or (swaps_parameter().value and not models[0].server)
    if not look.value and not inside_queries.is_kept(models, pair, swaps):
        action.button(
            "Look inside",
            type="primary",
            icon=":material/visibility:",
            on_click=look.set,
            args=(True,),
        )
        action.caption(
            "Sends several requests for each word: minutes where the server has no GPU."
            if any(model.server for model in models)
            else "Opens the model next to the app: seconds for a tiny one, perhaps minutes for a "
            "large one.",
            help="It is asked after every word. What was worked out is saved.",
        )
        st.stop()
    found, refused, decided = inside_queries.look(models, pair, swaps)
    for label, reason in refused.items():
        st.error(plain(f"{label}: {reason}"), icon=":material/error:")
    if found:
        with shown:
            draw_in_short(found, study.arms)
        draw_inside(found, study.arms)
    if models[0].server:
        st.caption(
            "Where it is decided can be seen in models that are opened here, not on a server."
        )
    elif models[0].label in found:
        draw_decided(decided, models[0], study.arms)
    many = Design(design.study, 200, design.seed, design.settings)
    with st.container(horizontal=True):
        state = {"model": models[0].spec, **st.query_params.to_dict(), "look": "yes"}
        link(LOOK_INSIDE, "Link to this view", state, icon=LINK)
        link(COMPOSE, "Ask about many such pairs", address_of(many) | {"model": models[0].spec})
