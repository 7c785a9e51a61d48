"""A class's quiz on phones: the room that asks it, and its answers taken over into this session."""

from __future__ import annotations

import streamlit as st

from biaslab.room import (
    Room,
    RoomState,
    default_rooms,
    is_of,
    questions_of_quiz,
    read_room,
    sheet_of,
)
from biaslab.system.roles import May
from biaslab.ui.classroom import session
from biaslab.ui.classroom.address import GROUPS, step_parameter
from biaslab.ui.navigation import ROOM, go, link
from biaslab.ui.room.queries import in_sentences, rooms
from biaslab.ui.widgets.visitor import may
from schoolmath.malrules.classes import Quiz, SheetRefused, read_sheet
from schoolmath.text.figures import count


def draw_opening(quiz: Quiz) -> None:
    """Draws what opens a room with this quiz, for those who may."""
    if not may(May.ROOM):
        return
    with st.expander("On phones"):
        st.caption(
            "Pupils join by a code and give the number of their row, no name. Their answers stay "
            "on this computer until you take them over or delete the room."
        )
        opened = st.button("Open a room with this quiz", icon=":material/meeting_room:")
        if opened:
            with in_sentences():
                asked = questions_of_quiz(quiz)
                go(ROOM, room=rooms().open_room(f"Quiz {quiz.code}", asked, quiz=True).id)


def draw_taking(quiz: Quiz) -> None:
    """Draws the rooms that asked this quiz, with what takes their answers over."""
    if not may(May.ROOM):
        return
    # Looking makes no file.
    there = rooms().rooms() if default_rooms().is_file() else []
    for room in there:
        if not is_of(room, quiz):
            continue
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            here = rooms().arrivals(room.id)
            st.markdown(
                f"On phones: room **{room.code}**, {count(here.joined, 'pupil')}, "
                f"{here.finished} finished."
            )
            missing = here.joined - here.finished
            is_sure = not missing or st.checkbox(
                f"Leave out what {missing} {'has' if missing == 1 else 'have'} not sent",
                key=f"sure {room.id}",
                help="A phone without a connection keeps answers until it has one. Once the room "
                "is deleted they cannot come in any more.",
            )
            st.button(
                f"Take over and delete room {room.code}",
                on_click=_take,
                args=(quiz, room),
                disabled=not (here.begun and is_sure),
                key=f"take {room.id}",
            )
            link(ROOM, "Look at the room", {"room": room.id})


def _take(quiz: Quiz, room: Room) -> None:
    """The answers become those of this session, and leave the computer's disk."""
    with in_sentences():
        if room.state is RoomState.ANSWERING:
            room = rooms().move(room.id, RoomState.CLOSED)
        try:
            sheet = read_sheet(sheet_of(read_room(rooms(), room.id), quiz), quiz)
        except SheetRefused as refused:
            session.refuse(refused.refusals)
            return
        session.keep(quiz, sheet)
        rooms().delete(room.id)
        step_parameter().change(GROUPS)
