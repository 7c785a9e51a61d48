"""Reading a run's stored responses again, and how often that was done."""

from __future__ import annotations

import streamlit as st

from biaslab.problems import ProblemError
from biaslab.runs import RunError, RunRecord
from biaslab.runs.engine.sources import study_in
from biaslab.runs.rereading import reread, rereadings
from biaslab.text.figures import count
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.words import ACTIVE, moment, plain

_TOLD = "told of rereading"


def draw_rereading(run: RunRecord) -> None:
    """Draws a button where today's reader is another one, and every earlier rereading."""
    store = queries.store()
    _draw_button(run)
    if st.session_state.get(_TOLD, ("", ""))[0] == run.id:
        st.success(plain(st.session_state.pop(_TOLD)[1]))
    for past in rereadings(store, run.id):
        st.caption(
            plain(
                f"Read again on {moment(past.reread, st.context.timezone)} by "
                f"“{past.reader_after}” (before: {past.reader_before or 'an earlier reader'}): "
                f"{past.changed:,} of {count(past.answers, 'answer')} changed. What was read "
                "before is kept in the file."
            )
        )


def _draw_button(run: RunRecord) -> None:
    if run.status in ACTIVE or not run.answered + run.invalid:
        return
    try:
        today = study_in(queries.store(), run.study).reader
    except ProblemError:
        return  # The study is gone; the run can be looked at all the same.
    if today == run.reader:
        return
    if st.button(
        "Read the stored answers again",
        icon=":material/menu_book:",
        key=f"reread {run.id}",
        help=f"By today's reader, “{today}”. No request is sent; earlier readings are kept.",
    ):
        try:
            found = reread(queries.store(), run.id)
        except RunError as error:
            st.error(plain(str(error)))
            return
        st.session_state[_TOLD] = (run.id, found.sentence)
        st.rerun()
