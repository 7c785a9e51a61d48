"""A class's answers, in the memory of one browser session and nowhere else.

They are in no address, no file, no cache and no log. `forget` deletes them; closing or reloading
the page does the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from schoolmath.malrules.classes import (
    ClassReport,
    ClassSheet,
    FollowUp,
    ItemRemark,
    PupilGroup,
    Quiz,
    SheetRefusal,
    follow_up,
    group_class,
)

_CLASS = "class: answers"
_TEST = "class: own test"
_REFUSED = "class: refused"
_TURN = "class: turn"
_DELETED = "class: deleted"


@dataclass
class StoredClass:
    """What is kept of a class.

    Attributes:
        code: of the quiz that the answers belong to.
        sheet: the answers by row number.
        report: what they say.
        made_up: whether they are of simulated pupils.
        next: problems to ask next, by the rules of a group.
    """

    code: str
    sheet: ClassSheet
    report: ClassReport
    made_up: bool
    next: dict[tuple[str, ...], tuple[FollowUp, ...]]

    def __repr__(self) -> str:
        """Nothing of the answers: a printed session shows none."""
        return f"<answers to quiz {self.code}>"

    def ask_next(self, quiz: Quiz, group: PupilGroup) -> tuple[FollowUp, ...]:
        """Problems for a group, found once."""
        if group.rules not in self.next:
            self.next[group.rules] = follow_up(quiz, group)
        return self.next[group.rules]


@dataclass(frozen=True)
class StoredTest:
    """A teacher's own test.

    Attributes:
        quiz: its items; None where it cannot be used yet.
        remarks: on its items.
        left_out: what of a file is no item, each a sentence.
        text: as it was typed; "" where it came from a file.
    """

    quiz: Quiz | None
    remarks: tuple[ItemRemark, ...]
    left_out: tuple[str, ...]
    text: str


def keep_test(test: StoredTest | None) -> None:
    """Keeps a test in place of the one before; None: none."""
    st.session_state[_TEST] = test


def stored_test() -> StoredTest | None:
    """The test that was given in this session."""
    found: StoredTest | None = st.session_state.get(_TEST)
    return found


def keep(quiz: Quiz, sheet: ClassSheet, *, made_up: bool = False) -> None:
    """Keeps a class's answers in place of those kept before."""
    forget()
    st.session_state.pop(_DELETED, None)
    st.session_state[_CLASS] = StoredClass(quiz.code, sheet, group_class(quiz, sheet), made_up, {})


def stored_class() -> StoredClass | None:
    """What is kept in this session."""
    found: StoredClass | None = st.session_state.get(_CLASS)
    return found


def forget() -> None:
    """Deletes everything of a class from this session, what was typed included."""
    st.session_state.pop(_CLASS, None)
    st.session_state.pop(_REFUSED, None)
    empty_fields()
    st.session_state[_DELETED] = True


def was_deleted() -> bool:
    """Whether a class was deleted and none was given in since; told once."""
    return bool(st.session_state.pop(_DELETED, False))


def refuse(refusals: tuple[SheetRefusal, ...]) -> None:
    """Keeps why a sheet was refused; reasons hold nothing of it."""
    st.session_state[_REFUSED] = refusals


def refused() -> tuple[SheetRefusal, ...]:
    """Why the last sheet was refused."""
    found: tuple[SheetRefusal, ...] = st.session_state.get(_REFUSED, ())
    return found


def field_key(name: str) -> str:
    """The key of a widget that is emptied by `empty_fields`."""
    return f"class: {name} {st.session_state.get(_TURN, 0)}"


def empty_fields() -> None:
    """Empties what was pasted or uploaded: the widgets get new keys, their values are deleted."""
    for name in ("text", "file"):
        value = st.session_state.pop(field_key(name), None)
        if name == "file" and value is not None:
            _remove_upload(value)
    st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1


def _remove_upload(file: Any) -> None:
    """Deletes a file from the memory of the server, which else keeps it while the page is open."""
    context = get_script_run_ctx()
    if context is None:
        return
    manager = context.uploaded_file_mgr
    if isinstance(manager, MemoryUploadedFileManager):
        manager.remove_file(context.session_id, file.file_id)
    else:
        manager.remove_session_files(context.session_id)
