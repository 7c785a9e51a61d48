"""Opening a room: what is asked, of whom, and at whose pace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import streamlit as st

from biaslab.files import ImportedItem
from biaslab.room import (
    LONGEST_TITLE,
    MOST_QUESTIONS,
    Allocation,
    Room,
    RoomPace,
    RoomQuestion,
    question_counted,
    questions_of_items,
)
from biaslab.room.records import LONGEST_CHOICE
from biaslab.runs import find_items
from biaslab.studies import Design, Experiment
from biaslab.ui.classroom.guess_rounds import from_bank
from biaslab.ui.classroom.room import (
    asked_studies,
    in_sentences,
    kept_items,
    questions,
    questions_answered,
    rooms,
)
from biaslab.ui.compose.design_form import design_of_settings, draw_settings
from biaslab.ui.navigation import ROOM, go, link
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import choice, integer, named
from biaslab.ui.widgets.cards import differing, to_html
from biaslab.ui.widgets.words import plain
from schoolmath.malrules import cards
from schoolmath.malrules.bank import BankDesign, ChoiceItem, make_items
from schoolmath.problems import DesignError

BANK = "bank"
"""Questions with mal-rules from the item bank."""
GUESS = "guess"
"""The game: which mal-rule gave a wrong answer?"""
_SET = "set:"
"""Before the name of a kept set of items."""

_SCRIPT = Path(__file__).resolve().parents[3] / "assets" / "room" / "script.html"

QUIZ = "A short quiz"
"""What a room of pairs is called where the host gives it no name."""

_USUAL = 10
"""Pairs of a room: answered in some five minutes, and twenty people find 15 points in two of three
rooms (docs/room.md)."""

_WHO = {
    Allocation.BETWEEN: "one member of each pair",
    Allocation.WITHIN: "both members",
}
_PACES = {RoomPace.EACH: "at their own pace", RoomPace.HOST: "all together, led by you"}


def draw_form() -> None:
    """Draws the form, with the first question as people will see it."""
    studies = asked_studies()
    sets = kept_items()
    sources = {name: study.title for name, study in studies.items()}
    sources[BANK] = "Questions with mal-rules, from the item bank"
    sources[GUESS] = "Guess the mal-rule, together"
    sources |= {f"{_SET}{name}": f"Questions of “{name}”" for name in sets}
    ask = choice("study", tuple(sources), next(iter(studies)), resets=("n",))
    with st.container(border=True):
        action = st.container(horizontal=True, vertical_alignment="bottom")
        one, other = st.columns(2)
        with one:
            choosing.selectbox(
                "What is asked",
                sources,
                format_func=sources.__getitem__,
                filter_mode=None,
                **ask.bind(),
            )
        study = studies.get(ask.value)
        size = integer("n", _USUAL, 1, MOST_QUESTIONS)
        with other:
            st.number_input(
                "Pairs" if study else "Questions",
                min_value=1,
                max_value=MOST_QUESTIONS,
                value=None,
                **size.bind(),
            )
        allocation, pace = _draw_how(
            study is not None, RoomPace.HOST if ask.value == GUESS else RoomPace.EACH
        )
        made = _made(study, ask.value, size.value)
        with action:
            title = st.text_input(
                "Name of the room",
                max_chars=LONGEST_TITLE,
                placeholder="People read it on their phones",
                key="room title",
            )
            opened = st.button(
                "Open the room",
                type="primary",
                icon=":material/meeting_room:",
                disabled=not made,
                key="open room",
            )
        if opened and made:
            with in_sentences():
                room = rooms().open_room(
                    # The name of a study would give its trick away.
                    title.strip() or (QUIZ if study else sources[ask.value]),
                    made,
                    study.name if study else "",
                    allocation=allocation,
                    pace=pace,
                )
                go(ROOM, room=room.id)
    if made:
        _draw_first(made[0], study)


def draw_rooms(there: Sequence[Room]) -> None:
    """Draws the rooms that are kept."""
    st.header("Rooms", anchor=False)
    st.download_button(
        "Script for 20 minutes",
        _SCRIPT.read_bytes,
        "biaslab-workshop.html",
        "text/html",
        icon=":material/print:",
        on_click="ignore",
        help="What to do and say with one screen and a room of phones: a page to print.",
    )
    if not there:
        st.caption("None yet.")
    for room in there:
        with st.container(horizontal=True, vertical_alignment="center"):
            link(ROOM, f"{room.title} · {room.code}", {"room": room.id})
            joined = rooms().arrivals(room.id).joined
            st.caption(f"{'rehearsal, ' if room.rehearsal else ''}{room.state}, {joined} joined")


def _draw_how(pairs: bool, usual: RoomPace) -> tuple[Allocation, RoomPace]:
    """Who gets what, and when."""
    who = choice("who", tuple(_WHO), Allocation.BETWEEN)
    pace = choice("pace", tuple(_PACES), usual)
    one, other = st.columns(2)
    with one:
        if pairs:
            choosing.segmented_control(
                "Each person answers",
                _WHO,
                format_func=lambda name: _WHO[Allocation(name)],
                required=True,
                help="One member: the next person gets the other one, so nobody compares. Both: "
                "half of the people are enough, but people who remember the first one will "
                "compare.",
                **who.bind(),
            )
    with other:
        choosing.segmented_control(
            "They go on",
            _PACES,
            format_func=lambda name: _PACES[RoomPace(name)],
            required=True,
            **pace.bind(),
        )
    return Allocation(who.value), RoomPace(pace.value)


def _made(study: Experiment | None, source: str, n: int) -> tuple[RoomQuestion, ...]:
    """The questions; none where there are no such ones, and then it is told why."""
    with in_sentences():
        if source == GUESS:
            return _guesses(n)
        if study is None:
            return questions_of_items(_items(source, n))
        design = replace(design_of_settings(study.name, study.settings), n=n)
        untouched = not named(["seed", *(setting.name for setting in study.settings)])
        made, error = questions_answered(study, n) if untouched else (), None
        if made:
            st.caption("Models answered these pairs: their answers stand next to the room's.")
        else:
            made, error = _of_design(design)
        with st.expander("Which pairs", expanded=error is not None):
            draw_settings(study, error)
        return made
    return ()


def _of_design(design: Design) -> tuple[tuple[RoomQuestion, ...], DesignError | None]:
    try:
        return questions(design), None
    except DesignError as error:
        return (), error


def _guesses(n: int) -> tuple[RoomQuestion, ...]:
    """Rounds of the game as questions; the seed is that of the game on one screen."""
    seed = integer("seed", 1, 0, 999_999).value
    found = []
    for number in range(1, n + 1):
        each = from_bank(seed, 0, "", number)
        known = [cards()[rule] for rule in each.choices]
        text = f"{each.question}\n\nA pupil answers {each.wrong}. Which rule did the pupil follow?"
        found.append(
            question_counted(
                f"guess {each.question_id} {each.letter}",
                text,
                [f"{card.name}: {card.description}"[:LONGEST_CHOICE] for card in known],
                each.choices.index(each.truth),
                {str(at): rule for at, rule in enumerate(each.choices, start=1)},
            )
        )
    return tuple(found)


def _items(source: str, n: int) -> list[ChoiceItem] | list[ImportedItem]:
    if source == BANK:
        return list(make_items(BankDesign(n, integer("seed", 1, 0, 999_999).value)))
    found = find_items(queries.store(), source.removeprefix(_SET))
    return [] if found is None else list(islice(iter(found), n))


def _draw_first(question: RoomQuestion, study: Experiment | None) -> None:
    """The first question as it stands on phones."""
    st.header("The first question", anchor=False)
    if study is None or question.x_prime is None:
        st.markdown(plain(question.x.text))
        return
    cards = [
        (study.arms.x, "x", question.x.text, question.x_prime.text),
        (study.arms.x_prime, "x-prime", question.x_prime.text, question.x.text),
    ]
    st.html(
        '<div class="bl bl-pair">'
        + "".join(
            f'<section class="bl-card {side}"><div class="bl-arm">{to_html(differing(arm, arm))}'
            f'</div><p class="bl-text">{to_html(differing(text, other))}</p></section>'
            for arm, side, text, other in cards
        )
        + "</div>"
    )
