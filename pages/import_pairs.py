"""Import pairs: a file of pairs read back, solved again, and kept as a set to ask."""

import json

import streamlit as st

from biaslab.runs import RunError, save_set
from biaslab.studies.word_problems.custom.imported import NAME as IMPORTED
from biaslab.ui.custom_pairs.importing.columns import draw_columns
from biaslab.ui.custom_pairs.importing.report import draw_report
from biaslab.ui.custom_pairs.importing.sets import ask_link, draw_sets
from biaslab.ui.custom_pairs.importing.work import ImportWork, check, draw_upload, forget
from biaslab.ui.navigation import COMPOSE, go, heading
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

heading(
    "Import pairs",
    "Bring pairs of problems of your own. Every text is read back and **solved again**. What can't "
    "be read is taken as your file has it, and results say of every pair how far it was proved.",
)


def draw_work(task: ImportWork) -> None:
    """The columns, the check, the report, and keeping the pairs."""
    st.header(plain(task.name), anchor=False)
    mapping = draw_columns(task.table)
    settled = task.found is not None and mapping == task.mapping
    with st.container(horizontal=True):
        checking = st.button(
            "Check every row again" if settled else "Check every row",
            type="secondary" if settled else "primary",
            disabled=mapping is None,
            key="check",
        )
        st.button("Leave this file", on_click=forget)
    if checking and mapping is not None:
        check(task, mapping)
        st.rerun()
    if task.fault:
        st.error(plain(task.fault), icon=":material/error:")
    if not settled:
        return
    assert task.found is not None
    found = task.found
    st.markdown(plain(found.summary()))
    if task.kept is not None:
        st.success(f"{count(task.kept.pairs, 'pair')} kept as “{plain(task.kept.name)}”.")
        ask_link(task.kept)
    elif found.pairs:
        draw_keeping(task)
    else:
        st.warning("No row has two different texts with an answer, so there is nothing to keep.")
    st.download_button(
        "The whole report (JSON)",
        lambda: json.dumps(found.as_json(), ensure_ascii=False, indent=1).encode(),
        f"{task.stem}-report.json",
        "application/json",
        on_click="ignore",
        icon=":material/download:",
    )
    draw_report(found.rows)


def draw_keeping(task: ImportWork) -> None:
    """The name of the set and the button that keeps it and leads to asking it."""
    found = task.found
    assert found is not None
    name = st.text_input("Name of the set", task.stem[:200], max_chars=200, key="import name")
    words = f"Keep {count(len(found.pairs), 'pair')} and ask a model"
    if not st.button(words, type="primary", key="keep"):
        return
    told = [row.as_json() for row in found.remarked()]
    try:
        task.kept = save_set(queries.store(), name, found.pairs, task.name, told)
    except RunError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    go(COMPOSE, study=IMPORTED, set=task.kept.id, n=str(task.kept.pairs))


with st.container(border=True):
    task = draw_upload()
    if task is not None:
        draw_work(task)
with st.container(border=True):
    draw_sets(with_report=task is None or task.found is None)
