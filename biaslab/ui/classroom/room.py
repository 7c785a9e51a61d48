"""A live room: what its screens read, and leading it: the code, who is there, the next step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

import streamlit as st

from biaslab.models.server.addresses import addresses_here, is_loopback
from biaslab.room import (
    MOST_PEOPLE,
    Arrivals,
    MemberCount,
    ModelEffect,
    Room,
    RoomEffect,
    RoomError,
    RoomKind,
    RoomPace,
    RoomQuestion,
    RoomReading,
    Rooms,
    RoomState,
    can_be_asked,
    join_address,
    member_counts,
    models_beside,
    qr_svg,
    questions_of_design,
    questions_of_run,
    read_room,
    rehearse,
    room_effect,
    rooms_here,
)
from biaslab.runs import ItemSet, RunError, item_sets, study_in
from biaslab.studies import Arms, Design, Experiment, experiments
from biaslab.ui.navigation import ROOM, WALL, go, link
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, choice, integer
from biaslab.ui.widgets.cards import figures
from biaslab.ui.widgets.visitor import is_shared
from biaslab.ui.widgets.words import plain
from schoolmath.problems import DesignError
from schoolmath.text.figures import count

NO_ARMS = Arms("the question", "the question")


class RoomResults(NamedTuple):
    """Everything that a room's answers say."""

    reading: RoomReading
    effect: RoomEffect
    counts: tuple[MemberCount, ...]
    beside: list[ModelEffect]
    arms: Arms


@contextmanager
def in_sentences() -> Iterator[None]:
    """Shows why a room cannot do what was asked, as a sentence where it was asked."""
    try:
        yield
    except RoomError as error:
        st.error(plain(str(error)), icon=":material/error:")


def rooms() -> Rooms:
    """The file of rooms."""
    return rooms_here()


def room_parameter() -> tuple[Parameter[str], dict[str, Room]]:
    """The room as it stands in the address, and all rooms by id, the newest first."""
    there = {room.id: room for room in rooms().rooms()}
    return choice("room", ("", *there), ""), there


def asked_studies() -> dict[str, Experiment]:
    """Studies that people can answer on a phone, by name."""
    return {name: study for name, study in experiments().items() if not can_be_asked(study)}


def kept_items() -> dict[str, ItemSet]:
    """Sets of items in the file of runs, by name."""
    return {each.name: each for each in item_sets(queries.store())}


def questions(design: Design) -> tuple[RoomQuestion, ...]:
    """The pairs of a design as questions.

    Raises:
        CannotAsk: they cannot be asked on a phone.
        DesignError: there are no such pairs.
    """
    return questions_of_design(queries.store(), design)


def questions_answered(study: Experiment, n: int) -> tuple[RoomQuestion, ...]:
    """The easiest pairs that a recorded model answered; none where there is no recording.

    Raises:
        CannotAsk: as `questions`.
    """
    run = next((each for each in queries.recorded_runs() if each.study == study.name), None)
    if run is None:
        return ()
    try:
        return questions_of_run(queries.store(), run, n)
    except (DesignError, RunError):  # Somebody's own gallery may ask sets that are not here.
        return ()


def results(room: Room) -> RoomResults:
    """A room's answers read, once for all who look while nothing new comes in."""
    here = rooms().arrivals(room.id)
    store = queries.store()
    return _results(room.id, room.state, here.answers, str(store.path), store.change_counter())


@st.cache_resource(show_spinner=False, max_entries=16)
def _results(
    room_id: str,
    state: str,  # noqa: ARG001  (with those below it tells what was read from what was not)
    answers: int,  # noqa: ARG001
    runs: str,  # noqa: ARG001
    changes: int,  # noqa: ARG001
) -> RoomResults:
    reading = read_room(rooms(), room_id)
    room = reading.room
    beside, arms = [], NO_ARMS
    if room.kind is RoomKind.PAIRS:
        store = queries.store()
        arms = study_in(store, room.study).arms
        beside = models_beside(store, room.study, room.questions)
    return RoomResults(reading, room_effect(reading), member_counts(reading), beside, arms)


_ORDER = list(RoomState)

LONGEST_TIMER = 3600
"""Seconds."""

_TIMES = {0: "none", 30: "30 s", 60: "1 min", 120: "2 min", 300: "5 min"}


class RoomStep(NamedTuple):
    """Where a room can be taken: its state, the question where the host leads, and its name."""

    state: RoomState
    step: int
    label: str
    icon: str


def next_step(room: Room) -> RoomStep | None:
    """The step forward; None at the end."""
    match room.state:
        case RoomState.WAITING:
            return RoomStep(RoomState.ANSWERING, 0, "Begin", ":material/play_arrow:")
        case RoomState.ANSWERING if by_rounds(room):
            return RoomStep(
                RoomState.REVEALED, room.step, "Show the answers", ":material/visibility:"
            )
        case RoomState.REVEALED if by_rounds(room) and room.step + 1 < room.steps:
            return RoomStep(
                RoomState.ANSWERING, room.step + 1, "Next question", ":material/arrow_forward:"
            )
        case RoomState.ANSWERING if room.pace is RoomPace.HOST and room.step + 1 < room.steps:
            return RoomStep(
                RoomState.ANSWERING, room.step + 1, "Next question", ":material/arrow_forward:"
            )
        case RoomState.ANSWERING:
            return RoomStep(RoomState.CLOSED, room.step, "Close", ":material/stop:")
        case RoomState.CLOSED:
            return RoomStep(RoomState.REVEALED, room.step, "Reveal", ":material/visibility:")
        case _:
            return None


def step_back(room: Room) -> RoomStep | None:
    """The step back; None at the beginning."""
    icon = ":material/arrow_back:"
    match room.state:
        case RoomState.WAITING:
            return None
        case RoomState.ANSWERING if room.step:
            return RoomStep(RoomState.ANSWERING, room.step - 1, "Question before", icon)
        case RoomState.REVEALED if by_rounds(room):
            return RoomStep(RoomState.ANSWERING, room.step, "Back to the question", icon)
        case _:
            before = _ORDER[_ORDER.index(room.state) - 1]
            return RoomStep(before, room.step, "Back", icon)


def by_rounds(room: Room) -> bool:
    """Whether each question's answers are shown before the next one is asked."""
    return room.kind is RoomKind.COUNT and room.pace is RoomPace.HOST


def take(room: Room, step: RoomStep) -> None:
    """Takes a room where a step leads, through the states between; for buttons."""
    at, to = _ORDER.index(room.state), _ORDER.index(step.state)
    way = _ORDER[at + 1 : to] if to > at else _ORDER[to + 1 : at][::-1]
    with in_sentences():
        for state in way:
            rooms().move(room.id, state)
        rooms().move(room.id, step.state, step.step if room.pace is RoomPace.HOST else None)


def draw_steps(room: Room) -> None:
    """Draws the buttons that take the room on."""
    forward, back = next_step(room), step_back(room)
    if forward is not None:
        st.button(
            forward.label,
            type="primary",
            icon=forward.icon,
            on_click=take,
            args=(room, forward),
            key="forward",
        )
    if back is not None:
        st.button(back.label, icon=back.icon, on_click=take, args=(room, back), key="back")
    timer = integer("timer", 0, 0, LONGEST_TIMER)
    with_time = {"timer": str(timer.value)} if timer.value else {}
    link(WALL, "Show it on the wall", {"room": room.id, **with_time})


def draw_joining(room: Room) -> None:
    """Draws the code, its address and who is there; again every second."""
    one, other = st.columns([1, 2], vertical_alignment="center")
    address = room_address(room)
    with one:
        if not room.rehearsal:
            st.image(qr_svg(address), width=220)
    with other:
        if room.rehearsal:
            st.info("A rehearsal: everybody in it is simulated, and no phone gets in.")
        else:
            st.markdown(f"# {room.code}")
            st.markdown(f"`{address}`")
            if not is_shared():
                st.warning(
                    "Only this computer can open this. Start BiasLab with `biaslab host` to let "
                    "phones in.",
                    icon=":material/wifi_off:",
                )
        st.fragment(lambda: _draw_arrivals(room), run_every=1.0)()


def draw_timer() -> None:
    """Draws how long the wall counts down for each question, or for all of them."""
    choosing.segmented_control(
        "Countdown on the wall",
        _TIMES,
        format_func=_TIMES.__getitem__,
        help="Nothing ends automatically: the timer is only for people to see.",
        required=True,
        **integer("timer", 0, 0, LONGEST_TIMER).bind(),
    )


def draw_rehearsal(room: Room) -> None:
    """Draws the form that fills a copy with simulated people."""
    with st.form("rehearsal", border=False):
        people = st.number_input("Simulated people", 1, MOST_PEOPLE, 30)
        points = st.slider("How much better they are at the first kind, in points", -50, 50, 15, 5)
        if st.form_submit_button("Rehearse", icon=":material/smart_toy:"):
            with in_sentences():
                copy = rehearse(rooms(), room.id, int(people), points / 100)
                go(ROOM, room=copy.id)


def draw_deletion(room: Room) -> None:
    """Draws what deletes the room, once it is confirmed."""
    sure = st.checkbox("Delete this room and every answer in it, for good", key="sure")
    if st.button("Delete", icon=":material/delete:", disabled=not sure, key="delete room"):
        with in_sentences():
            rooms().delete(room.id)
            go(ROOM)


def arrival_words(room: Room, here: Arrivals) -> str:
    """Who is there, in a few words for the wall."""
    if room.state is RoomState.WAITING:
        return f"{count(here.joined, 'person', 'people')} here"
    done = here.finished if here.at_step is None else here.at_step
    if done == here.joined > 0:
        return f"Everybody is in: {here.joined} of {here.joined}"
    return f"{done} of {here.joined} have {'finished' if here.at_step is None else 'answered'}"


def room_address(room: Room) -> str:
    """What phones open: under the name by which the host has opened it, or this computer's own."""
    here = urlsplit(st.context.url or "")
    port = here.port or int(st.get_option("server.port"))
    if here.hostname and not is_loopback(f"http://{here.hostname}"):
        return join_address(f"{here.scheme}://{here.netloc}", room.code)
    own = next(iter(addresses_here()), "localhost") if is_shared() else "localhost"
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    return join_address(f"{scheme}://{own}:{port}", room.code)


def _draw_arrivals(room: Room) -> None:
    now = rooms().room(room.id)
    here = rooms().arrivals(room.id)
    if (now.state, now.step) != (room.state, room.step):
        st.rerun()
    figures(
        {
            "joined": f"{here.joined}",
            "answers": f"{here.answers}",
            "finished" if here.at_step is None else "answered this question": (
                f"{here.finished if here.at_step is None else here.at_step}"
            ),
        }
    )
