"""A school's own system prompt: pasted, used, and gone with the session unless somebody keeps it.

What is asked with it lies in a file of runs of its own, in a folder that only this user can read,
and the folder is deleted when the session ends or the app does.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path

import streamlit as st

from biaslab.runs import RunError, Store, StoreError, open_store
from biaslab.runs.engine.leases import request_stop
from biaslab.runs.store.options import MOST_SYSTEM
from biaslab.ui.widgets import queries, visitor
from biaslab.ui.widgets.words import ACTIVE

_PROMPT, _KEEP, _FILE = "tutor prompt", "tutor prompt kept", "tutor session file"


class SessionFile:
    """A file of runs that goes with the session.

    Attributes:
        store: the file.
    """

    def __init__(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="biaslab-session-"))
        self.store = open_store(folder / "runs.db")
        self._end = weakref.finalize(self, _end, self.store, folder)

    def delete(self) -> None:
        """Stops what is being asked and deletes the folder at once."""
        self._end()


def _end(store: Store, folder: Path) -> None:
    """Nobody is to be asked for answers that nobody will see."""
    with suppress(RunError, StoreError):
        for run in store.runs():
            if run.status in ACTIVE:
                request_stop(store, run.id)
    store.close()
    shutil.rmtree(folder, ignore_errors=True)


def draw_custom_prompt() -> str:
    """Draws the field where a prompt may be pasted, and gives what stands in it; "" for none."""
    if not visitor.is_here():
        return ""  # On a shared computer a session's file would escape its limits.
    with st.expander("Your tutor's own system prompt", icon=":material/description:"):
        prompt = st.text_area(
            "System prompt", key=_PROMPT, max_chars=MOST_SYSTEM, height=140,
            placeholder="You are a patient mathematics tutor …",
            help="The tutor is checked with it and without it, on the same questions. For models "
            "that chat; simulated tutors read no prompt.",
        )  # fmt: skip
        st.toggle(
            "Keep it with its answers in the file of runs", key=_KEEP,
            help="Otherwise the prompt and all answers are deleted when this page is closed.",
        )  # fmt: skip
        if prompt:
            st.button(
                "Delete it now", icon=":material/delete:", key="delete tutor prompt",
                on_click=_delete,
            )  # fmt: skip
    return (prompt or "").strip()


def _delete() -> None:
    if _FILE in st.session_state:
        st.session_state.pop(_FILE).delete()
    st.session_state[_PROMPT] = ""


def file_for(prompt: str) -> Store:
    """Where the runs of a check belong: the session's own file for a prompt that nobody keeps."""
    if not prompt or st.session_state.get(_KEEP):
        return queries.store()
    if _FILE not in st.session_state:
        st.session_state[_FILE] = SessionFile()
    held: SessionFile = st.session_state[_FILE]
    return held.store
