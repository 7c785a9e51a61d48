"""Guess the mal-rule: a game for workshops on one screen."""

import secrets

import streamlit as st

from biaslab.ui.classroom.guess_rounds import (
    MOST_ROUNDS,
    answers_about,
    from_bank,
    from_run,
    from_set,
)
from biaslab.ui.classroom.guess_score import game
from biaslab.ui.classroom.guess_table import (
    draw_choices,
    draw_question,
    draw_score,
    draw_teams,
    draw_truth,
)
from biaslab.ui.navigation import GUESS, LINK, heading, link
from biaslab.ui.results.run_labels import options
from biaslab.ui.studies.malgorithm import queries as malgorithm_queries
from biaslab.ui.studies.malgorithm.item_sets import stored_sets
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import choice, integer
from biaslab.ui.widgets.words import plain
from schoolmath.malrules.bank.design import GRADES
from schoolmath.malrules.rules import ContentClass
from schoolmath.problems.errors import DesignError
from schoolmath.text.figures import count

heading(
    "Guess the mal-rule",
    "Press **1–4** to guess, then **N**.",
)
BANK = "bank"
runs = malgorithm_queries.study_runs()
by_id = {run.id: run for run in runs}
sets = stored_sets()
seed = integer("seed", 1, 1, 999_999, resets=("round",))
number = integer("round", 1, 1, MOST_ROUNDS)
grade = integer("grade", 0, 0, GRADES[1], resets=("round",))
classes = ("", *(each.value for each in ContentClass))
of = choice("class", classes, "", resets=("round",))
source = choice("from", (BANK, *by_id, *sets), BANK, resets=("round",))


def new_game() -> None:
    """Another game: a new seed, the first round; the score goes on."""
    seed.change(1 + secrets.randbelow(999_999))


def go_on() -> None:
    """The next round."""
    number.change(number.value % MOST_ROUNDS + 1)


playing = game()
run = by_id.get(source.value)
of_bank = source.value == BANK
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
    st.info("It has no question that can be played. Choose other questions below.")

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
        sources = {BANK: "the item bank"} | {
            name: f"run {words}" for name, words in options(runs, st.context.timezone).items()
        }
        sources |= {
            name: f"set {each.name} ({count(each.items, 'item')})" for name, each in sets.items()
        }
        choosing.selectbox(
            "Questions from",
            sources,
            format_func=sources.__getitem__,
            help="The questions of a run are those that a model was asked: after your guess you "
            "see what it said. A set that was imported is played with the reasons of its file.",
            **source.bind(),
        )
    if of_bank:
        choosing.selectbox(
            "Content class", classes, format_func=lambda name: name or "all classes", **of.bind()
        )
        choosing.selectbox(
            "Grade",
            [0, *range(GRADES[0], GRADES[1] + 1)],
            format_func=lambda value: f"grade {value}" if value else "all grades",
            **grade.bind(),
        )
    st.button("New game", icon=":material/casino:", on_click=new_game, key="new game")
