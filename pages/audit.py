"""Corpus audit: what share of a corpus of word problems is what."""

import streamlit as st

from biaslab.audit.report import correct
from biaslab.ui.audit.checking import draw_checking
from biaslab.ui.audit.results import draw_results
from biaslab.ui.audit.work import draw_source
from biaslab.ui.navigation import heading

heading(
    "Corpus audit",
    "What do the problems of a textbook or a corpus teach by their mix? Give them, and see **what "
    "share is what**: consistent and inconsistent comparisons, transfers, carries, operations.",
)
with st.container(border=True):
    task = draw_source()
if task is None:
    st.info("Upload a corpus, or paste some problems; there is an example to paste.")
    st.stop()
if not task.found.texts:
    st.info("Not one problem is in it. Choose another column or another file.")
    st.stop()
results = st.container(border=True)
with st.container(border=True):
    st.header("Check a sample", anchor=False)
    draw_checking(task)
# The answers above count in what is shown, so the results are drawn last and stand first.
with results:
    draw_results(task, correct(task.found, task.labels) if task.labels else None)
