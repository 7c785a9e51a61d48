"""The choice of one of the sets of pairs that are kept in the file."""

from __future__ import annotations

import streamlit as st

from biaslab.experiments import Setting
from biaslab.runs import pair_sets
from biaslab.ui import kept
from biaslab.ui.address import Parameter
from biaslab.ui.navigation import IMPORT_PAIRS, link
from biaslab.ui.words import count


def draw_set(setting: Setting, parameter: Parameter[str]) -> None:
    """Draws the choice; a set that a link names and the file has not stays as it was typed."""
    sets = {kept_set.id: kept_set for kept_set in pair_sets(kept.store())}
    if parameter.value and parameter.value not in sets:
        st.text_input(setting.label, help=setting.explanation, **parameter.bind())
        return
    st.selectbox(
        setting.label,
        list(sets),
        index=None,
        format_func=lambda each: f"{sets[each].name} ({count(sets[each].pairs, 'pair')})",
        placeholder="Choose a set" if sets else "No set is kept yet",
        help=setting.explanation,
        **parameter.bind(),
    )
    link(IMPORT_PAIRS, "Look at the sets" if sets else "Import pairs")
