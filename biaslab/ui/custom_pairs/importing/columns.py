"""Which column of an uploaded table holds what."""

from __future__ import annotations

import streamlit as st

from biaslab.files.columns import problem_columns
from biaslab.files.opening import RawTable
from biaslab.studies.word_problems.files import likely_mapping, released_layout, suggest_pairs
from biaslab.ui.navigation import AUDIT, link
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

_NONE = "–"

_FIELDS = {
    "x": ("First text", "The member of the pair that you expect to be easier."),
    "x_prime": ("Second text", "The other member of the pair."),
    "answer": ("Answer to both", "The right answer, where both texts have the same."),
    "answer_x": ("Answer to the first", "Where the two texts have different answers."),
    "answer_x_prime": ("Answer to the second", "Where the two texts have different answers."),
}
_NAMES = {
    "consistency": "consistent or inconsistent wording",
    "transfer-comparison": "transfer or comparison",
    "carry": "carry or no carry",
}


def draw_columns(table: RawTable) -> dict[str, str] | None:
    """Draws what the file is taken for, and the choice of columns where that is not known.

    Returns:
        the column of each field, empty where the layout says it; None while it is not settled.
    """
    told = f"{table.container.upper()}{', ' if table.encoding else ''}{table.encoding}"
    named = [column for column in table.columns if column]
    st.caption(f"{told}; {count(len(named), 'column')}.")
    for remark in table.remarks:
        st.warning(plain(remark))
    layout = released_layout(table.columns)
    if layout is not None:
        study = _NAMES.get(layout.name, layout.name)
        st.markdown(
            f"These are the columns of a released file: **{plain(study)}**. Checked are the "
            f"corrected texts of “{plain(layout.x.name)}” and “{plain(layout.x_prime.name)}”, and "
            "whether correction changed what they say."
        )
        return {}
    return _choose(table, named)


def _choose(table: RawTable, named: list[str]) -> dict[str, str] | None:
    st.markdown("Say which column holds what. Found by its name or contents is chosen already.")
    known = likely_mapping(table.columns)
    by_contents = suggest_pairs(table.columns, table.first, known)
    likely = known | by_contents
    if by_contents:
        st.info(
            "The columns’ names do not tell everything. By what stands in them it may be as "
            "chosen here. Look at it, change what is wrong, then say that it is right."
        )
    elif "x" not in known and problem_columns(named, table.first):
        st.info("Each row seems to hold one problem, not a pair of two.")
        link(AUDIT, "See what these problems are like")
    chosen: dict[str, str] = {}
    columns = st.columns(2)
    options = [_NONE, *named]
    fields = [name for name in _FIELDS if likely.get("answer") is None or "answer_" not in name]
    if st.session_state.get("import column answer") == _NONE:
        fields = list(_FIELDS)
    for index, name in enumerate(fields):
        label, explained = _FIELDS[name]
        with columns[index % 2]:
            column = choosing.selectbox(
                label,
                options,
                index=options.index(likely.get(name, _NONE)),
                help=explained,
                key=f"import column {name}",
            )
        if column is not None and column != _NONE:
            chosen[name] = column
    fault = _fault(chosen)
    if fault:
        st.info(fault)
        return None
    if by_contents and not st.checkbox("The columns are right", key="import columns are right"):
        return None
    return chosen


def _fault(chosen: dict[str, str]) -> str:
    if not {"x", "x_prime"} <= set(chosen):
        return "Choose the columns of the first and of the second text."
    if len(set(chosen.values())) < len(chosen):
        return "One column is chosen twice. Every choice needs a column of its own."
    if "answer" in chosen and len(chosen) > 3:
        return "Choose one answer to both texts, or an answer to each."
    if "answer" not in chosen and not {"answer_x", "answer_x_prime"} <= set(chosen):
        return "Choose the column of the answer to both texts, or those of the two answers."
    return ""
