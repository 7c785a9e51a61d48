"""The choice of one of the sets of pairs that are kept in the file."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from biaslab.runs import PairSet, pair_sets
from biaslab.studies import Setting
from biaslab.ui.navigation import IMPORT_PAIRS, link
from biaslab.ui.widgets import choosing, kept
from biaslab.ui.widgets.address import Parameter
from biaslab.ui.widgets.words import count, moment


def set_words(sets: Iterable[PairSet]) -> dict[str, str]:
    """What each set is called in a list to choose from, by id; two may have one name."""
    zone = st.context.timezone
    return choosing.told_apart(
        {
            each.id: f"{each.name} ({count(each.pairs, 'pair')}, {moment(each.created, zone)})"
            for each in sets
        }
    )


def draw_set(setting: Setting, parameter: Parameter[str]) -> None:
    """Draws the choice; a set that a link names and the file has not stays as it was typed."""
    sets = {kept_set.id: kept_set for kept_set in pair_sets(kept.store())}
    if parameter.value and parameter.value not in sets:
        st.text_input(setting.label, help=setting.explanation, **parameter.bind())
        return
    words = set_words(sets.values())
    choosing.selectbox(
        setting.label,
        words,
        index=None,
        format_func=words.__getitem__,
        placeholder="Choose a set" if sets else "No set is kept yet",
        help=setting.explanation,
        **parameter.bind(),
    )
    link(IMPORT_PAIRS, "Look at the sets" if sets else "Import pairs")
