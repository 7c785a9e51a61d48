"""Pages for a class and for a room full of people."""

from __future__ import annotations

import secrets

import streamlit as st

from biaslab.room import RoomKind, RoomState
from biaslab.studies.malgorithm.answers import STUDY as MALGORITHM
from biaslab.system.roles import May
from biaslab.ui.classroom import session
from biaslab.ui.classroom.groups import draw_groups, draw_next
from biaslab.ui.classroom.guess_rounds import (
    MOST_ROUNDS,
    answers_about,
    from_bank,
    from_run,
    from_set,
)
from biaslab.ui.classroom.guess_table import (
    draw_choices,
    draw_question,
    draw_score,
    draw_teams,
    draw_truth,
    game,
)
from biaslab.ui.classroom.quiz import chosen_test, draw_choice, draw_custom_choice, draw_quiz, made
from biaslab.ui.classroom.room import (
    draw_deletion,
    draw_joining,
    draw_rehearsal,
    draw_steps,
    draw_timer,
    room_parameter,
)
from biaslab.ui.classroom.room_opening import draw_form, draw_rooms
from biaslab.ui.classroom.room_results import draw_example, draw_results
from biaslab.ui.classroom.session import stored_class
from biaslab.ui.classroom.sheet import draw_giving_in, draw_kept, draw_opening, draw_taking
from biaslab.ui.classroom.wall import draw_wall
from biaslab.ui.navigation import (
    CHECK_TUTOR,
    GUESS,
    LINK,
    ROOM,
    YOUR_CLASS,
    action_row,
    heading,
    link,
)
from biaslab.ui.studies.malgorithm.item_sets import stored_sets
from biaslab.ui.studies.tutor.check import draw_check
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import choice, integer
from biaslab.ui.widgets.cards import live
from biaslab.ui.widgets.runs import options
from biaslab.ui.widgets.visitor import draw_login, may, refused
from biaslab.ui.widgets.words import plain
from schoolmath.malrules.bank.design import GRADES
from schoolmath.malrules.rules import ContentClass
from schoolmath.problems.errors import DesignError
from schoolmath.text.figures import count

_BANK = "bank"


def check_tutor_page() -> None:
    """Check a tutor: five kinds of questions about pupils' work, and what a model makes of them."""
    heading("Check a tutor", CHECK_TUTOR.help)
    live(draw_check)


def your_class_page() -> None:
    """Your class: a test, answers by row number, groups by likely mal-rule."""
    heading(
        "Your class",
        "Which **misconception** explains your pupils' answers? No AI is used and **nothing "
        "leaves this computer**.",
    )
    session.begin()
    step = session.step_parameter()
    choosing.segmented_control(
        "Step",
        list(session.STEPS),
        format_func=session.STEPS.__getitem__,
        required=True,
        wrap=True,
        label_visibility="collapsed",
        **step.bind(),
    )
    design, quiz = None, None
    own = session.test_parameter().value == session.CUSTOM_TEST
    if step.value == session.QUIZ:
        choosing.segmented_control(
            "The test is",
            list(session.SOURCES),
            format_func=session.SOURCES.__getitem__,
            required=True,
            label_visibility="collapsed",
            **session.test_parameter().bind(),
        )
        (draw_custom_choice if own else draw_choice)()
    if own:
        test = chosen_test()
        quiz = None if test is None else test.quiz
        if test is None and step.value != session.QUIZ:
            st.info("Bring your own test first, or generate one: step 1.")
    else:
        try:
            design = session.design()
            quiz = made(design)
        except DesignError as error:
            st.warning(plain(str(error)))
    if quiz is None:
        st.stop()

    kept = stored_class()
    if step.value == session.QUIZ:
        draw_quiz(quiz, design)
        draw_opening(quiz)
    elif step.value == session.ANSWERS:
        draw_kept(quiz)
        draw_taking(quiz)
        draw_giving_in(quiz)
    else:
        draw_kept(quiz)
        if kept is None:
            st.info("Enter answers first, or try it with a made-up class: step 2.")
        elif kept.code == quiz.code:
            (draw_groups if step.value == session.GROUPS else draw_next)(quiz, kept)


def room_page() -> None:
    """Live room: people answer on their phones, and the room has an effect of its own."""
    if not may(May.ROOM):
        heading("Live room", "Answer on your phone: open the address on the wall.")
        refused(May.ROOM)
        draw_login()
        st.stop()

    chosen, there = room_parameter()
    room = there.get(chosen.value)
    if room is None:
        heading(
            "Live room",
            "People answer on their phones, each one member of every pair. See the room's own "
            "effect next to the models'.",
        )
        if chosen.refused:
            st.warning(f"There is no room “{plain(chosen.refused)}” any more.")
        draw_form()
        draw_rooms([*there.values()])
    else:
        heading(plain(room.title), f"{len(room.questions)} questions · {room.state}")
        with action_row():
            draw_steps(room)
            link(ROOM, "All rooms", {})
        draw_joining(room)
        if room.kind is RoomKind.QUIZ:
            st.info("Take the answers over in step 2 of My class, with the same quiz.")
            link(YOUR_CLASS, "My class", {"step": "answers"})
        elif room.state in (RoomState.CLOSED, RoomState.REVEALED):
            draw_results(room)
        with st.expander("The wall"):
            draw_timer()
        if not room.rehearsal and room.kind is not RoomKind.QUIZ:
            with st.expander("Rehearse with simulated people"):
                draw_rehearsal(room)
        with st.expander("Delete"):
            draw_deletion(room)


def wall_page() -> None:
    """The wall of a live room: what everybody in it looks at."""
    if not may(May.ROOM):
        heading("Wall", "The screen that everybody in a live room sees.")
        refused(May.ROOM)
        st.stop()

    chosen, there = room_parameter()
    room = there.get(chosen.value)
    if room is None:
        heading("Wall", "The screen that everybody in a live room sees.")
        link(ROOM, "Open a live room", icon=":material/meeting_room:")
        draw_example()
    else:
        st.html(
            "<style>[data-testid='stHeader'], .st-key-steps { display: none; } "
            "[data-testid='stMainBlockContainer'] { padding-top: 1rem; }</style>"
        )
        st.title(room.title, anchor=False)
        draw_wall(room)


def guess_page() -> None:
    """Guess the mal-rule: a game for workshops on one screen."""
    heading(
        "Guess the mal-rule",
        "Press **1–4** to guess, then **N**.",
    )
    runs = queries.runs_of_study(MALGORITHM)
    by_id = {run.id: run for run in runs}
    sets = stored_sets()
    seed = integer("seed", 1, 1, 999_999, resets=("round",))
    number = integer("round", 1, 1, MOST_ROUNDS)
    grade = integer("grade", 0, 0, GRADES[1], resets=("round",))
    classes = ("", *(each.value for each in ContentClass))
    of = choice("class", classes, "", resets=("round",))
    source = choice("from", (_BANK, *by_id, *sets), _BANK, resets=("round",))

    def new_game() -> None:
        """Another game: a new seed, the first round; the score goes on."""
        seed.change(1 + secrets.randbelow(999_999))

    def go_on() -> None:
        """The next round."""
        number.change(number.value % MOST_ROUNDS + 1)

    playing = game()
    run = by_id.get(source.value)
    of_bank = source.value == _BANK
    try:
        if run is not None:
            shown = from_run(run, seed.value, number.value)
        elif not of_bank:
            shown = from_set(source.value, seed.value, number.value)
        else:
            shown = from_bank(seed.value, grade.value, of.value, number.value)
    except DesignError as error:
        st.warning(plain(str(error)))
        shown = None
    if not of_bank and shown is None:
        st.info("It has no question for this game. Choose other questions below.")

    if shown is not None:
        which = (source.value, seed.value, grade.value, of.value, number.value)
        draw_score(playing)
        draw_question(shown)
        guessed = playing.guesses.get(which)
        if guessed is None or guessed not in shown.choices:
            draw_choices(shown, which, playing)
        else:
            with st.container(horizontal=True):
                st.button(
                    "Next round",
                    type="primary",
                    icon=":material/arrow_forward:",
                    on_click=go_on,
                    shortcut="n",
                    key="next round",
                )
            draw_truth(shown, guessed, answers_about(shown, runs), runs)
        with st.expander(f"Round {number.value} of game {seed.value}"):
            address = {"seed": str(seed.value), "round": str(number.value)}
            address |= {"grade": str(grade.value)} if grade.value else {}
            address |= {"class": of.value} if of.value else {}
            address |= {} if of_bank else {"from": source.value}
            link(GUESS, "Link", address, icon=LINK)

    draw_teams(playing)
    with st.expander("Which questions"):
        if runs or sets:
            sources = {_BANK: "the item bank"} | {
                name: f"run {words}" for name, words in options(runs, st.context.timezone).items()
            }
            sources |= {
                name: f"set {each.name} ({count(each.items, 'item')})"
                for name, each in sets.items()
            }
            choosing.selectbox(
                "Questions from",
                sources,
                format_func=sources.__getitem__,
                help="The questions of a run are those that a model was asked: after your guess "
                "you see what it said. An imported set is played with the reasons in its file."
                "",
                **source.bind(),
            )
        if of_bank:
            choosing.selectbox(
                "Content class",
                classes,
                format_func=lambda name: name or "all classes",
                **of.bind(),
            )
            choosing.selectbox(
                "Grade",
                [0, *range(GRADES[0], GRADES[1] + 1)],
                format_func=lambda value: f"grade {value}" if value else "all grades",
                **grade.bind(),
            )
        st.button("New game", icon=":material/casino:", on_click=new_game, key="new game")
