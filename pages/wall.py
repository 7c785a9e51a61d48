"""The wall of a live room: what everybody in it looks at."""

import streamlit as st

from biaslab.system.roles import May
from biaslab.ui.navigation import ROOM, heading, link
from biaslab.ui.room.queries import room_parameter
from biaslab.ui.room.wall import draw_wall
from biaslab.ui.widgets.visitor import may, refused

if not may(May.ROOM):
    heading("Wall", "What everybody in a live room looks at.")
    refused(May.ROOM)
    st.stop()

chosen, there = room_parameter()
room = there.get(chosen.value)
if room is None:
    heading("Wall", "What everybody in a live room looks at.")
    st.info("Open or choose a room first.")
    link(ROOM, "Live room")
else:
    st.html(
        "<style>[data-testid='stHeader'], .st-key-steps { display: none; } "
        "[data-testid='stMainBlockContainer'] { padding-top: 1rem; }</style>"
    )
    st.title(room.title, anchor=False)
    draw_wall(room)
