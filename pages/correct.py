"""Mend the grammar: a language model corrects pairs, and only what still says the same is kept."""

import streamlit as st

from biaslab.ui.custom_pairs.correcting.result import draw_keeping, draw_result
from biaslab.ui.custom_pairs.correcting.run import mend, stored_result
from biaslab.ui.custom_pairs.correcting.source import draw_source
from biaslab.ui.navigation import action_row, heading
from biaslab.ui.widgets.errors import shown_errors
from biaslab.ui.widgets.language_model import draw_writer
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

heading(
    "Mend the grammar",
    "A language model corrects the grammar of pairs, sentence by sentence. Each mended text is "
    "**read back and solved**: only pairs that still say the same, number by number and name by "
    "name, are kept.",
)
action = action_row()
what, who = st.columns(2, gap="medium")
with what, st.container(border=True):
    st.header("1. What to mend", anchor=False)
    source = draw_source()
with who, st.container(border=True):
    st.header("2. Who mends", anchor=False)
    writer = draw_writer("correct")

possible = source is not None and writer is not None
if action.button("Mend these pairs", type="primary", disabled=not possible):
    assert source is not None
    assert writer is not None
    with shown_errors():
        mend(source, writer)
if source is None or writer is None:
    st.stop()
result = stored_result(source, writer)
if result is None:
    st.caption("The result appears here. One request is sent for each pair.")
    st.stop()

with st.container(border=True):
    st.header("3. What came of it", anchor=False)
    if result.not_answered:
        st.warning(
            f"{count(len(result.not_answered), 'pair')} got no answer and count nowhere: "
            + plain(result.not_answered[0].reason)
        )
        if st.button("Ask these again"):
            with shown_errors():
                mend(source, writer, result)
                st.rerun()
    draw_result(result)
    draw_keeping(result, source, writer)
