"""A sample of the texts, judged by the person one after the other: it corrects the shares."""

from __future__ import annotations

import html

import streamlit as st

from biaslab.audit import AuditError
from biaslab.audit.report import (
    Compared,
    Label,
    draw_sample,
    read_labels,
    sample_csv,
)
from biaslab.ui.audit.work import AuditWork
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.words import plain

SIZE = 60
"""Texts of the sample."""

_COMPARED = {
    Compared.NONE: "nothing is compared",
    Compared.CONSISTENT: "consistent: the unknown has more or fewer than the known",
    Compared.INCONSISTENT: "inconsistent: the known has more or fewer than the unknown",
    Compared.BOTH: "one of each",
    Compared.OTHER: "it compares, but both are known or neither is",
}
_TRANSFERS = {True: "yes", False: "no"}


def draw_checking(task: AuditWork) -> None:
    """Draws the text whose turn it is with its two questions; every answer counts at once."""
    drawn = draw_sample(task.found, SIZE, task.seed)
    undone = [place for place, text in enumerate(drawn) if text.id not in task.labels]
    st.markdown(
        f"The reading misses some and takes some wrongly. Judge {len(drawn)} texts drawn by lot, "
        "some of every kind that was seen, and the shares above are corrected. You are not told "
        "what the reading says of a text."
    )
    done = len(drawn) - len(undone)
    st.progress(done / len(drawn), text=f"{done} of {len(drawn)} judged")
    if not undone:
        st.success("All of them are judged, thank you. You may still change your answers.")
    at = task.turn if task.turn is not None else (undone[0] if undone else len(drawn) - 1)
    at = min(at, len(drawn) - 1)
    text = drawn[at]
    st.html(
        '<div class="bl"><section class="bl-card" aria-label="The text to judge">'
        f'<div class="bl-faint">Text {at + 1} of {len(drawn)}</div>'
        f'<p class="bl-text">{html.escape(text.text)}</p></section></div>'
    )
    label = task.labels.get(text.id)
    compared = choosing.radio(
        "Is somebody said to have so many more, fewer, or times as many?",
        list(_COMPARED),
        format_func=_COMPARED.__getitem__,
        index=None if label is None else list(_COMPARED).index(label.compared),
        help="Consistent: “Ana has 9. Ben has 4 more than Ana”, and Ben's are looked for. "
        "Inconsistent: “Ana has 9. Ana has 4 more than Ben”, and Ben's are looked for. “How many "
        "more has Ana than Ben?” says nothing of how many, so nothing is compared.",
        key=f"judged comparison {text.id}",
    )
    transfers = choosing.radio(
        "Does somebody get, make, lose or hand over a number of things?",
        list(_TRANSFERS),
        format_func=_TRANSFERS.__getitem__,
        index=None if label is None else int(not label.transfers),
        horizontal=True,
        key=f"judged transfer {text.id}",
    )
    with st.container(horizontal=True):
        st.button("Back", disabled=at == 0, on_click=_turn, args=(task, at - 1))
        if st.button(
            "Keep and go on",
            type="primary",
            disabled=compared is None or transfers is None,
            key="judge",
        ):
            assert compared is not None
            assert transfers is not None
            task.labels[text.id] = Label(compared, transfers)
            last = at + 1 >= len(drawn)
            task.turn = None if task.turn is None or last else at + 1
            st.rerun()
    _draw_files(task)


def _turn(task: AuditWork, at: int) -> None:
    task.turn = at


def _draw_files(task: AuditWork) -> None:
    with st.expander("Judge in a spreadsheet, or go on from a file"):
        st.download_button(
            "The sample (CSV)",
            lambda: sample_csv(draw_sample(task.found, SIZE, task.seed), task.labels).encode(),
            "sample.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
        given = st.file_uploader("A sample that was filled in", type=("csv",), key="labels file")
        if given is None:
            return
        try:
            task.labels |= read_labels(given.getvalue(), given.name)
        except AuditError as error:
            st.error(plain(str(error)), icon=":material/error:")
        else:
            st.caption("Its answers count. Press “Back” or “Keep and go on” to see them.")
