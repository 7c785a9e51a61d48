"""Step 1 of Your class: a quiz to print, or a test of the teacher's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import streamlit as st

from biaslab.files import InterchangeError
from biaslab.files.exporting import QUIZ_FORMATS, QuizFormat, export_quiz
from biaslab.files.importing import MOST_SIGNS, GivenTest, as_given, read_test_file, read_typed
from biaslab.publishing.misconceptions import misconceptions_page
from biaslab.runs.library.sets import find_items
from biaslab.ui.classroom import session
from biaslab.ui.classroom.paper import answer_sheet, draw_paper, key_sheet, worksheet
from biaslab.ui.classroom.session import StoredTest
from biaslab.ui.navigation import IMPORT_ITEMS, LINK, YOUR_CLASS, link
from biaslab.ui.studies.malgorithm.item_sets import stored_sets
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import choice
from biaslab.ui.widgets.words import plain
from schoolmath.malrules.bank.design import GRADES
from schoolmath.malrules.classes import (
    MOST_CUSTOM_ITEMS,
    MOST_ITEMS,
    MOST_TOPICS,
    ItemRemark,
    Quiz,
    QuizDesign,
    custom_test,
    make_quiz,
    name_of,
    topics,
)
from schoolmath.malrules.classes.items import ENOUGH, ENOUGH_WITH_OPTIONS
from schoolmath.malrules.classes.quizzes import FEWEST_ITEMS
from schoolmath.malrules.rules import example_of
from schoolmath.text.figures import count

_PAPERS = {
    "worksheet": "Worksheet",
    "answers": "Answer sheet",
    "key": "Key for the teacher",
}


@st.cache_resource(show_spinner="Making the quiz …", max_entries=64)
def made(design: QuizDesign) -> Quiz:
    """The quiz of a design, shared by all sessions: it holds nothing of any class.

    Raises:
        DesignError: there are too few questions.
    """
    return make_quiz(design)


def draw_choice() -> None:
    """Draws the choice of a quiz."""
    grade = session.grade_parameter()
    chosen = session.topics_parameter(grade.value)
    of = {topic.form: topic for topic in topics(grade.value)}
    one, two = st.columns([1, 3], vertical_alignment="top")
    with one:
        st.number_input("Grade", *GRADES, step=1, **grade.bind())
    with two:
        choosing.multiselect(
            f"Topics (one to {MOST_TOPICS})",
            list(of),
            format_func=lambda name: of[name].title,
            max_selections=MOST_TOPICS,
            select_all=False,
            help="One topic gives the clearest result: its misconceptions can show repeatedly.",
            **chosen.bind(),
        )
    one, two, three = st.columns([1, 2, 1], vertical_alignment="top")
    with one:
        st.number_input(
            "Items", FEWEST_ITEMS, MOST_ITEMS, step=1, **session.count_parameter().bind()
        )
    with two:
        choosing.segmented_control(
            "Pupils answer with",
            [session.LETTERS, session.NUMBERS],
            format_func={
                session.LETTERS: "four options",
                session.NUMBERS: "their own number",
            }.__getitem__,
            required=True,
            help="Open answers say more: every misconception can show, and a slip seldom looks "
            "like one.",
            **session.answers_parameter().bind(),
        )
    with three:
        st.number_input(
            "Set",
            1,
            9999,
            step=1,
            help="Another set has other numbers. The same set is the same quiz on every computer "
            "with this version of BiasLab.",
            **session.set_parameter().bind(),
        )


def draw_quiz(quiz: Quiz, design: QuizDesign | None) -> None:
    """Draws what the quiz can tell, and its papers.

    Args:
        quiz: the quiz.
        design: what it was made from; None for a test of the teacher's own.
    """
    named = quiz.nameable
    if named:
        with st.expander(f"Quiz {quiz.code} can name {count(len(named), 'misconception')}"):
            st.markdown(
                "\n".join(f"- {each}" for each in _named(quiz, named)),
                help="Each of them can show often enough; in brackets: in how many items.",
            )
            st.download_button(
                "Every misconception, to print",
                lambda: misconceptions_page().encode(),
                "biaslab-misconceptions.html",
                "text/html",
                icon=":material/print:",
                on_click="ignore",
            )
    else:
        more = "Choose more items, fewer topics or another set." if design else (
            "It still shows, item by item, what would give each answer. A misconception is named "
            f"for a pupil where it can show in {ENOUGH} items with answers of their own, or in "
            f"{ENOUGH_WITH_OPTIONS} with options."
        )  # fmt: skip
        st.markdown(f"**Quiz {quiz.code}** can name **no misconception** for a pupil. {more}")
    _draw_files(quiz)
    paper = choice("paper", tuple(_PAPERS), "worksheet")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choosing.segmented_control(
            "Page to print",
            list(_PAPERS),
            format_func=_PAPERS.__getitem__,
            required=True,
            label_visibility="collapsed",
            **paper.bind(),
        )
        if design is not None:
            link(YOUR_CLASS, "Link to this quiz", session.address_of(design), icon=LINK)
    st.caption(
        "Print with Ctrl+P or ⌘P. Give pupils row numbers; keep names for yourself.",
        help="Only the page below is printed.",
    )
    whole = st.toggle(f"Show all {count(len(quiz.items), 'item')}", key="whole paper")
    draw_paper(
        [{"worksheet": worksheet, "answers": answer_sheet, "key": key_sheet}[paper.value](quiz)],
        whole=whole,
    )


def _named(quiz: Quiz, rules: Sequence[str]) -> Iterator[str]:
    """Rules by name with an example, and in how many items they can show, as Markdown."""
    for rule in rules:
        example = example_of(rule)
        shown = f": {plain(example.words)}" if example else ""
        yield f"**{plain(name_of(rule))}**{shown} ({quiz.rules[rule]})"


def _draw_files(quiz: Quiz) -> None:
    """Draws the quiz as files for learning platforms."""
    with st.expander("For Moodle, QTI"):
        st.caption(
            "The same questions and letters in the same order, scored there. Mal-rules stay out of "
            "the files, since pupils would read them. Answers such as 1/2 are short answers, right "
            "only as they are written here."
        )
        with st.container(horizontal=True):
            for form in QUIZ_FORMATS.values():
                _draw_file(quiz, form)


def _draw_file(quiz: Quiz, form: QuizFormat) -> None:
    st.download_button(
        form.label,
        lambda: export_quiz(quiz, form.name).content,
        f"quiz-{quiz.code}{form.suffix}",
        form.mime,
        on_click="ignore",
        icon=":material/download:",
        help=f"{form.program[0].upper()}{form.program[1:]}.",
        key=f"quiz as {form.name}",
    )


_TEXT, _FILE = "own test: text", "own test: file"
_EXAMPLE = (
    "52 - 17\n403 - 128\n600 - 245\n71 - 38\n1/2 + 1/3\nWhat time is a quarter to four?; 3:45"
)
_FILE_TYPES = ["csv", "tsv", "xlsx", "json", "jsonl", "xml", "gift", "zip", "txt"]
_MOST_MEGABYTES = 5


def draw_custom_choice() -> None:
    """Draws where the test comes from and what is to be said of its items."""
    source = session.custom_source_parameter()
    choosing.segmented_control(
        "Where it is",
        list(session.CUSTOM_SOURCES),
        format_func=session.CUSTOM_SOURCES.__getitem__,
        required=True,
        **source.bind(),
    )
    {session.KEPT: _draw_sets, session.FILE: _draw_file_form}.get(source.value, _draw_typing)()
    test = chosen_test()
    if test is not None:
        _draw_remarks(test)


def chosen_test() -> StoredTest | None:
    """The test of the teacher's own that the address and the session have; None: none yet."""
    if session.custom_source_parameter().value != session.KEPT:
        return session.stored_test()
    chosen = session.items_parameter().value
    known = stored_sets()
    return _of_set(str(queries.store().path), chosen) if chosen in known else None


def _draw_remarks(test: StoredTest) -> None:
    stops = [remark for remark in test.remarks if remark.stops]
    told = [remark for remark in test.remarks if not remark.stops]
    if stops:
        wrong = "\n".join(_line(each.number, each.text) for each in stops)
        st.warning(f"**The test cannot be used yet.** Correct this and read it again.\n\n{wrong}")
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


def _draw_file_form() -> None:
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
    chosen = session.items_parameter()
    if not of:
        st.info(
            "No set of items is saved yet. Keep one on the page below, or give the file here "
            "alone: choose “in a file”."
        )
        link(IMPORT_ITEMS, "Import items")
        return
    if chosen.value and chosen.value not in of:
        st.warning("The set of items in this link is not saved in this file of runs. Choose one.")
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


def _kept(test: GivenTest, text: str, about: str = "own test") -> StoredTest:
    made = custom_test(test.items, about)
    return StoredTest(made.quiz, made.remarks, test.left_out, text)


@st.cache_resource(show_spinner="Reading the set …", max_entries=16)
def _of_set(path: str, set_id: str) -> StoredTest:
    """The test of a kept set, shared by all sessions that see this file of runs."""
    del path  # A set never changes, but files differ.
    found = find_items(queries.store(), set_id)
    assert found is not None
    return _kept(GivenTest(as_given(found)), "", found.set.name)
