"""What the screens of a room read, and how its refusals are told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import streamlit as st

from biaslab.room import (
    MemberCount,
    ModelBeside,
    Room,
    RoomEffect,
    RoomError,
    RoomKind,
    RoomQuestion,
    RoomReading,
    Rooms,
    can_be_asked,
    member_counts,
    models_beside,
    questions_of_design,
    read_room,
    room_effect,
    rooms_here,
)
from biaslab.runs import ItemSet, item_sets, study_in
from biaslab.studies import Arms, Design, Experiment, experiments
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.address import Parameter, choice
from biaslab.ui.widgets.words import plain

NO_ARMS = Arms("the question", "the question")


class RoomResults(NamedTuple):
    """Everything that a room's answers say."""

    reading: RoomReading
    effect: RoomEffect
    counts: tuple[MemberCount, ...]
    beside: list[ModelBeside]
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
        beside = models_beside(store, room)
    return RoomResults(reading, room_effect(reading), member_counts(reading), beside, arms)
