"""Kept sets of pairs: the list, one of them, asking it, deleting it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from biaslab.runs import PairSet, delete_set, pair_sets, set_report
from biaslab.studies.word_problems.files import rows_of_json
from biaslab.ui.compose.design_form import set_words
from biaslab.ui.custom_pairs.importing.report import draw_report
from biaslab.ui.navigation import COMPOSE, link
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.address import Parameter
from biaslab.ui.widgets.stored_sets import chosen_set, delete_button, origin_line
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count


def set_parameter() -> Parameter[str]:
    """The kept set that the address names; none is shown by default."""
    return Parameter("set", "", lambda text: text or None, resets=("show", "page"))


def draw_sets(*, with_report: bool) -> None:
    """Draws the kept sets, and the one that the address names.

    Its report is left out where the page shows that of a file already.
    """
    st.header("Kept sets", anchor=False)
    by_id = {each.id: each for each in pair_sets(queries.store())}
    parameter = set_parameter()
    chosen = chosen_set(
        set_words(by_id.values()),
        parameter,
        "No set is kept yet. Choose a file above; its pairs become a set.",
        f"The link names a set “{plain(parameter.value)}” that is not in this file of runs. "
        "It may have been deleted.",
    )
    if chosen:
        _draw_set(by_id[chosen], with_report)


def ask_link(chosen: PairSet) -> None:
    """Draws the way to Compose with the set."""
    address = {"study": "imported", "set": chosen.id, "n": str(chosen.pairs)}
    link(COMPOSE, f"Ask a model these {count(chosen.pairs, 'pair')}", address)


def _draw_set(chosen: PairSet, with_report: bool) -> None:
    with st.container(border=True):
        st.markdown(f"**{plain(chosen.name)}**: {count(chosen.pairs, 'pair')}")
        origin_line(chosen)
        with st.container(horizontal=True, vertical_alignment="center"):
            ask_link(chosen)
            delete_button(partial(_delete, chosen.id))
        if not with_report:
            return
        report = rows_of_json(set_report(queries.store(), chosen.id))
        if report:
            with st.expander("What became of rows that are not proved, or have a remark"):
                draw_report(report)


def _delete(set_id: str) -> None:
    delete_set(queries.store(), set_id)
    set_parameter().change("")
