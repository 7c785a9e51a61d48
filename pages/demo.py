"""Two tiny models, one of which was taught to err, asked the same problems."""

import streamlit as st

from biaslab.ui.demo.panel import draw_unfinished
from biaslab.ui.demo.result import draw_result
from biaslab.ui.demo.starting import demo
from biaslab.ui.navigation import heading
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.progress import live

heading(
    "Two tiny models",
    "Two networks of this project's own, alike in all but their lessons: **one was taught to "
    "err**. Is it misled where “more” or “fewer” suggests the wrong calculation?",
)


def draw_until_done() -> bool:
    """The demo while it has no result; whether it is running."""
    unfinished = demo(queries.runs_in_file())
    if unfinished.done:
        st.rerun()
    return draw_unfinished(unfinished)


now = demo(queries.runs_in_file())
if now.done:
    draw_result(now)
else:
    with st.container(border=True):
        live(draw_until_done)
