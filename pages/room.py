"""Live room: people answer on their phones, and the room has an effect of its own."""

import streamlit as st

from biaslab.room import RoomKind, RoomState
from biaslab.system.roles import May
from biaslab.ui.navigation import ROOM, YOUR_CLASS, action_row, heading, link
from biaslab.ui.room.leading import (
    draw_deletion,
    draw_joining,
    draw_rehearsal,
    draw_steps,
    draw_timer,
)
from biaslab.ui.room.opening import draw_form, draw_rooms
from biaslab.ui.room.queries import room_parameter
from biaslab.ui.room.results import draw_results
from biaslab.ui.serving.login import draw_login
from biaslab.ui.widgets.visitor import may, refused
from biaslab.ui.widgets.words import plain

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
        "People answer on their phones, each one member of every pair. See the room's own effect "
        "beside the models'.",
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
