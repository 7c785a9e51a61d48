"""The sets that are kept in the file of runs: choosing one of a list, and deleting it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from biaslab.runs.library.sets import StoredSet
from biaslab.system.roles import May
from biaslab.ui.widgets import choosing, visitor
from biaslab.ui.widgets.address import Parameter
from biaslab.ui.widgets.words import moment, plain


def chosen_set(words: Mapping[str, str], parameter: Parameter[str], none: str, gone: str) -> str:
    """Draws the list of sets, or why there is none.

    Args:
        words: what each set is called in the list, by id.
        parameter: the id of the one that the address names; "" for none.
        none: said where no set is kept.
        gone: said where the address names a set that is not in the file.

    Returns:
        the id of the one that is shown; "" for none.
    """
    if parameter.value and parameter.value not in words:
        st.warning(gone)
    if not words:
        st.info(none)
        return ""
    bound = parameter.bind()
    if parameter.value not in words:
        st.session_state[bound["key"]] = ""
    listed = {"": "Choose a set", **words}
    choosing.selectbox("Set", listed, format_func=listed.__getitem__, filter_mode=None, **bound)
    return parameter.value if parameter.value in words else ""


def origin_line(chosen: StoredSet) -> None:
    """Draws where a set comes from and when it was kept."""
    when = moment(chosen.created, st.context.timezone)
    st.caption(f"From {plain(chosen.origin)}, kept {when}.")


def delete_button(delete: Callable[[], None]) -> None:
    """Draws the button that deletes the set shown, behind a question."""
    if not visitor.may(May.DELETE):
        return
    with st.popover("Delete", icon=":material/delete:"):
        st.markdown("Runs that asked it stay as they are. The set itself is gone.")
        st.button("Delete this set", type="primary", on_click=delete)
