"""Kept sets of items: the list, one of them, what can be done with it, deleting it."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import NamedTuple

import streamlit as st

from biaslab.runs import default_database
from biaslab.runs.library.sets import ItemSet, delete_items, find_items, item_sets
from biaslab.studies import Design
from biaslab.studies.malgorithm.items import NAME, QUESTION_ITSELF, of_import
from biaslab.studies.malgorithm.study import AGAINST, ITEMS
from biaslab.ui.navigation import COMPOSE, GUESS, WHAT_HAPPENED, YOUR_CLASS, link
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.address import Parameter, typed
from biaslab.ui.widgets.stored_sets import chosen_set, delete_button, origin_line
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count


def items_parameter() -> Parameter[str]:
    """The id of the kept set that the address names; empty: none."""
    return typed("items")


def stored_sets() -> dict[str, ItemSet]:
    """The kept sets by id, the newest first; without a file of runs none, and none is made."""
    found = item_sets(queries.store()) if default_database().exists() else []
    return {each.id: each for each in found}


def draw_sets() -> None:
    """Draws the kept sets, and the one that the address names."""
    st.header("Kept sets of items", anchor=False)
    by_id = stored_sets()
    chosen = chosen_set(
        {each.id: f"{each.name} ({count(each.items, 'item')})" for each in by_id.values()},
        items_parameter(),
        "No set is kept yet. Choose a file above; its items become a set.",
        "The set that the link names is not in this file of runs; it may be deleted.",
    )
    if chosen:
        _draw_set(by_id[chosen])


def _draw_set(chosen: ItemSet) -> None:
    usable = _usable(chosen.id)
    with st.container(border=True):
        st.markdown(f"**{plain(chosen.name)}**: {count(chosen.items, 'item')} ({usable.statuses})")
        origin_line(chosen)
        if usable.pairs and not usable.of_key:
            st.caption(
                "Right options have no reasons here, so there is no AIA: finding the reason of a "
                "wrong choice is compared with answering the question itself."
            )
        with st.container(horizontal=True, vertical_alignment="center"):
            if usable.pairs:
                address = {"study": NAME, "items": chosen.name, "n": str(usable.pairs)}
                if not usable.of_key:
                    address["against"] = QUESTION_ITSELF
                link(COMPOSE, "Ask a model which reason led to a choice", address)
            as_test = {"test": "own", "own": "set", "items": chosen.id}
            link(YOUR_CLASS, "Give it to your class", as_test)
            link(
                WHAT_HAPPENED,
                "Which rules give its wrong options",
                {"view": "several", "from": "set", "items": chosen.id},
            )
            if usable.of_wrong:
                link(GUESS, "Play it", {"from": chosen.id})
            delete_button(partial(_delete, chosen.id))


def set_sentence(design: Design) -> str:
    """Which set a run asked and what of it was left out; empty for the bank."""
    named = str(design.settings.get(ITEMS.name, ITEMS.default))
    if not named:
        return ""
    found = next(
        (each for each in item_sets(queries.store()) if named in (each.id, each.name)), None
    )
    if found is None:
        return f"Asked of the set “{named}”, which is not in this file of runs any more."
    usable = _usable(found.id)
    told = f"Asked of the set “{found.name}”, {count(found.items, 'item')}"
    against_question = design.settings.get(AGAINST.name) == QUESTION_ITSELF
    there = usable.of_wrong if against_question else usable.of_key
    if there == found.items:
        return f"{told}."
    why = (
        "fewer than two reasons of theirs can be told apart"
        if against_question
        else "their right options have no reason of their own that could be found"
    )
    return f"{told}. {count(found.items - there, 'item')} left out: {why}."


class _Usable(NamedTuple):
    """What can be asked of a set: statuses in words, items with a reason of the right option, items
    with those of wrong ones, and pairs that the study makes of it.
    """

    statuses: str
    of_key: int
    of_wrong: int
    pairs: int


@st.cache_data(show_spinner=False, max_entries=64)
def _usable(set_id: str) -> _Usable:
    """What can be asked of a set; a set never changes."""
    items = list(find_items(queries.store(), set_id) or ())
    counts = Counter(str(item.reasons.status) for item in items)
    with_key = [item for item in items if item.reasons.of_key]
    return _Usable(
        ", ".join(f"{n} {status}" for status, n in counts.most_common()),
        len(with_key),
        sum(bool(item.reasons.of_wrong) for item in items),
        sum(len(of_import(item).wrong) for item in with_key or items),
    )


def _delete(set_id: str) -> None:
    delete_items(queries.store(), set_id)
    items_parameter().change("")
