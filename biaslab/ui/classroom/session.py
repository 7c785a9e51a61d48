"""The page Your class: a class's answers in this browser session, and the quiz in the address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from biaslab.ui.widgets.address import Parameter, choice, integer, named, several, typed
from schoolmath.malrules.bank.design import GRADES
from schoolmath.malrules.classes import (
    MOST_ITEMS,
    ClassReport,
    ClassSheet,
    FollowUp,
    ItemRemark,
    PupilGroup,
    Quiz,
    QuizDesign,
    SheetRefusal,
    follow_up,
    group_class,
    topics,
)
from schoolmath.malrules.classes.quizzes import FEWEST_ITEMS, MOST_TOPICS

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


QUIZ, ANSWERS, GROUPS, NEXT = "quiz", "answers", "groups", "next"
STEPS = {
    QUIZ: "1 The test",
    ANSWERS: "2 Enter answers",
    GROUPS: "3 See groups",
    NEXT: "4 Follow-up questions",
}
LETTERS, NUMBERS = "letters", "own"
FIRST_TOPIC = "ColumnSubtraction"


MADE, CUSTOM_TEST = "made", "own"
SOURCES = {MADE: "a quiz made here", CUSTOM_TEST: "a test of your own"}
TYPED, FILE, KEPT = "typed", "file", "set"
CUSTOM_SOURCES = {TYPED: "I type it", FILE: "in a file", KEPT: "a saved set of items"}


def test_parameter() -> Parameter[str]:
    """Whether the test is made here or the teacher's own."""
    return choice("test", tuple(SOURCES), MADE)


def custom_source_parameter() -> Parameter[str]:
    """Where the teacher's own test comes from."""
    return choice("own", tuple(CUSTOM_SOURCES), TYPED)


def items_parameter() -> Parameter[str]:
    """The id of a kept set of items; empty: none is chosen."""
    return typed("items")


def step_parameter() -> Parameter[str]:
    """Which step is shown."""
    return choice("step", tuple(STEPS), QUIZ)


def grade_parameter() -> Parameter[int]:
    """The class's grade."""
    return integer("grade", 4, *GRADES, resets=("topics",))


def topics_parameter(grade: int) -> Parameter[list[str]]:
    """What the quiz is about, as names of forms."""
    known = [topic.form for topic in topics(grade)]
    first = FIRST_TOPIC if FIRST_TOPIC in known else known[0]
    return several("topics", known, (first,))


def count_parameter() -> Parameter[int]:
    """How many items."""
    return integer("n", 12, FEWEST_ITEMS, MOST_ITEMS)


def set_parameter() -> Parameter[int]:
    """Which of many quizzes of this kind."""
    return integer("set", 1, 1, 9999)


def answers_parameter() -> Parameter[str]:
    """Whether pupils choose a letter or write answers of their own."""
    return choice("answers", (LETTERS, NUMBERS), LETTERS)


_OF_A_QUIZ = ("step", "test", "grade", "topics", "n", "set", "answers")


def begin() -> None:
    """Whoever comes without a link gets a quiz that pupils answer with their own numbers.

    Its answers say more than choices among four. It stands in the address, so that links keep
    their meaning: those that name a quiz and no kind of answers mean four options, as ever.
    """
    if not named(_OF_A_QUIZ):
        answers_parameter().set(NUMBERS)


def by_parameter() -> Parameter[str]:
    """Whether answers are looked at by group or by item."""
    return choice("by", ("groups", "items"), "groups")


def design() -> QuizDesign:
    """The quiz that the address names.

    Raises:
        DesignError: there is none.
    """
    grade = grade_parameter().value
    return QuizDesign(
        grade,
        tuple(topics_parameter(grade).value[:MOST_TOPICS]),
        count_parameter().value,
        set_parameter().value,
        answers_parameter().value == LETTERS,
    )


def address_of(design: QuizDesign) -> dict[str, str]:
    """A quiz as it stands in the address."""
    return {
        "grade": str(design.grade),
        "topics": ",".join(design.topics),
        "n": str(design.n),
        "set": str(design.seed),
        "answers": LETTERS if design.letters else NUMBERS,
    }
