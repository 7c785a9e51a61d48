"""Step 1 of Your class with a test of the teacher's own: typed, in a file, or a kept set."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from biaslab.files import InterchangeError
from biaslab.files.custom_tests import MOST_SIGNS, GivenTest, as_given, read_test_file, read_typed
from biaslab.runs.library.sets import find_items
from biaslab.ui.classroom import address, session
from biaslab.ui.classroom.session import StoredTest
from biaslab.ui.navigation import IMPORT_ITEMS, link
from biaslab.ui.studies.malgorithm.item_sets import stored_sets
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.words import plain
from schoolmath.malrules.classes import MOST_CUSTOM_ITEMS, ItemRemark, custom_test
from schoolmath.text.figures import count

_TEXT, _FILE = "own test: text", "own test: file"
_EXAMPLE = (
    "52 - 17\n403 - 128\n600 - 245\n71 - 38\n1/2 + 1/3\nWhat time is a quarter to four?; 3:45"
)
_FILE_TYPES = ["csv", "tsv", "xlsx", "json", "jsonl", "xml", "gift", "zip", "txt"]
_MOST_MEGABYTES = 5


def draw_custom_choice() -> None:
    """Draws where the test comes from and what is to be said of its items."""
    source = address.custom_source_parameter()
    choosing.segmented_control(
        "Where it is",
        list(address.CUSTOM_SOURCES),
        format_func=address.CUSTOM_SOURCES.__getitem__,
        required=True,
        **source.bind(),
    )
    {address.KEPT: _draw_sets, address.FILE: _draw_file}.get(source.value, _draw_typing)()
    test = chosen_test()
    if test is not None:
        _draw_remarks(test)


def chosen_test() -> StoredTest | None:
    """The test of the teacher's own that the address and the session have; None: none yet."""
    if address.custom_source_parameter().value != address.KEPT:
        return session.stored_test()
    chosen = address.items_parameter().value
    known = stored_sets()
    return _of_set(str(queries.store().path), chosen) if chosen in known else None


def _draw_remarks(test: StoredTest) -> None:
    stops = [remark for remark in test.remarks if remark.stops]
    told = [remark for remark in test.remarks if not remark.stops]
    if stops:
        wrong = "\n".join(_line(each.number, each.text) for each in stops)
        st.warning(f"**The test cannot be used yet.** Put this right and read it again.\n\n{wrong}")
    if told or test.left_out:
        with st.expander(count(len(told) + len(test.left_out), "remark") + " on its items"):
            lines = [_line(each.number, each.text) for each in told]
            st.markdown("\n".join([*lines, *(f"- {plain(each)}" for each in test.left_out)]))


def _line(number: int, text: str) -> str:
    return f"- **Item {number}**: {plain(text)}" if number else f"- {plain(text)}"


def _draw_typing() -> None:
    before = session.stored_test()
    if before is not None:
        # The field is forgotten while another step is shown.
        st.session_state.setdefault(_TEXT, before.text)
    with st.form("own test", border=True):
        st.text_area(
            "One question a line; behind a semicolon the right answer, where it cannot be worked "
            "out",
            height=220,
            max_chars=MOST_SIGNS,
            placeholder=_EXAMPLE,
            help="Calculations, equations, fractions, lists of data, word problems: what is read "
            "is worked out here. Other questions are marked by the answer you give. Questions "
            "with options: lines “A. 35”, “B. 45” below each and “ANSWER: A”.",
            key=_TEXT,
        )
        st.form_submit_button(
            "Read the test", type="primary", on_click=_read_typed, key="read own test"
        )
    if not st.session_state.get(_TEXT):
        st.button("Use the example", on_click=_use_example, key="own example")
    _draw_limits()


def _draw_file() -> None:
    with st.form("own test file", border=True):
        st.file_uploader(
            "A file of items (CSV, Excel, JSON, Moodle, GIFT, QTI, Aiken), or of questions and "
            "right answers",
            type=_FILE_TYPES,
            max_upload_size=_MOST_MEGABYTES,
            key=_FILE,
        )
        st.form_submit_button(
            "Read the test", type="primary", on_click=_read_file, key="read own file"
        )
    _draw_limits()


def _draw_limits() -> None:
    st.caption(
        f"Up to {MOST_CUSTOM_ITEMS} items. The test stays in this browser session; nothing of it "
        "is sent anywhere or stands in the page's address."
    )


def _draw_sets() -> None:
    of = stored_sets()
    chosen = address.items_parameter()
    if not of:
        st.info(
            "No set of items is kept yet. Keep one on the page below, or give the file here alone: "
            "choose “in a file”."
        )
        link(IMPORT_ITEMS, "Import items")
        return
    if chosen.value and chosen.value not in of:
        st.warning("The set of items in this link is not kept in this file of runs. Choose one.")
    choosing.selectbox(
        "Set of items",
        ["", *of],
        format_func=lambda each: (
            f"{of[each].name} ({count(of[each].items, 'item')})" if each in of else "choose a set"
        ),
        **chosen.bind(),
    )


def _use_example() -> None:
    st.session_state[_TEXT] = _EXAMPLE
    _read_typed()


def _read_typed() -> None:
    text = st.session_state.get(_TEXT) or ""
    _keep(lambda: read_typed(text), text)


def _read_file() -> None:
    file = st.session_state.get(_FILE)
    if file is not None:
        _keep(lambda: read_test_file(file.getvalue(), file.name), "")


def _keep(read: Callable[[], GivenTest], text: str) -> None:
    """Reads a test and keeps it, or why it cannot be read."""
    try:
        session.keep_test(_kept(read(), text))
    except InterchangeError as error:
        session.keep_test(StoredTest(None, (ItemRemark(0, True, str(error)),), (), text))


def _kept(given: GivenTest, text: str, about: str = "own test") -> StoredTest:
    made = custom_test(given.items, about)
    return StoredTest(made.quiz, made.remarks, given.left_out, text)


@st.cache_resource(show_spinner="Reading the set …", max_entries=16)
def _of_set(path: str, set_id: str) -> StoredTest:
    """The test of a kept set, shared by all sessions that see this file of runs."""
    del path  # A set never changes, but files differ.
    found = find_items(queries.store(), set_id)
    assert found is not None
    return _kept(GivenTest(as_given(found)), "", found.set.name)
