"""Step 1 of Your class: choosing a quiz and printing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import streamlit as st

from biaslab.files.exporting import QUIZ_FORMATS, QuizFormat, export_quiz
from biaslab.ui.classroom import address
from biaslab.ui.classroom.paper import answer_sheet, draw_paper, key_sheet, worksheet
from biaslab.ui.navigation import LINK, YOUR_CLASS, link
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import choice
from biaslab.ui.widgets.words import plain
from schoolmath.malrules.bank.design import GRADES
from schoolmath.malrules.classes import (
    MOST_ITEMS,
    MOST_TOPICS,
    Quiz,
    QuizDesign,
    make_quiz,
    name_of,
    topics,
)
from schoolmath.malrules.classes.items import ENOUGH, ENOUGH_WITH_OPTIONS
from schoolmath.malrules.classes.quizzes import FEWEST_ITEMS
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
    grade = address.grade_parameter()
    chosen = address.topics_parameter(grade.value)
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
            help="One topic says most: its mal-rules can show again and again.",
            **chosen.bind(),
        )
    one, two, three = st.columns([1, 2, 1], vertical_alignment="top")
    with one:
        st.number_input(
            "Items", FEWEST_ITEMS, MOST_ITEMS, step=1, **address.count_parameter().bind()
        )
    with two:
        choosing.segmented_control(
            "Pupils answer with",
            [address.LETTERS, address.NUMBERS],
            format_func={
                address.LETTERS: "four options",
                address.NUMBERS: "their own number",
            }.__getitem__,
            required=True,
            help="Numbers of their own say more: every mal-rule can show, and a slip seldom "
            "looks like one.",
            **address.answers_parameter().bind(),
        )
    with three:
        st.number_input(
            "Set",
            1,
            9999,
            step=1,
            help="Another set has other numbers. The same set is the same quiz on every computer "
            "with this version of BiasLab.",
            **address.set_parameter().bind(),
        )


def draw_quiz(quiz: Quiz, design: QuizDesign | None) -> None:
    """Draws what the quiz can tell, and its papers.

    Args:
        quiz: the quiz.
        design: what it was made from; None for a test of the teacher's own.
    """
    named = quiz.nameable
    if named:
        st.markdown(
            f"**Quiz {quiz.code}** can name **{count(len(named), 'mal-rule')}**: "
            + plain(" · ".join(_named(quiz, named))),
            help="Each of them can show often enough; in brackets: in how many items, where not in "
            "as many as the one before.",
        )
    else:
        more = "Choose more items, fewer topics or another set." if design else (
            "It still says item by item what would give each answer. A rule is named for a pupil "
            f"where it can show in {ENOUGH} items with answers of their own, or in "
            f"{ENOUGH_WITH_OPTIONS} with options."
        )  # fmt: skip
        st.markdown(f"**Quiz {quiz.code}** can name **no mal-rule** for a pupil. {more}")
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
            link(YOUR_CLASS, "Link to this quiz", address.address_of(design), icon=LINK)
    st.caption(
        "Print with Ctrl+P or ⌘P. Give pupils row numbers; keep names for yourself.",
        help="All of the page below comes out, and nothing else of the screen.",
    )
    whole = st.toggle(f"Show all {count(len(quiz.items), 'item')}", key="whole paper")
    draw_paper(
        [{"worksheet": worksheet, "answers": answer_sheet, "key": key_sheet}[paper.value](quiz)],
        whole=whole,
    )


def _named(quiz: Quiz, rules: Sequence[str]) -> Iterator[str]:
    """Rules by name; in how many items they can show, where it is not as many as the one before."""
    before = 0
    for rule in rules:
        items, name = quiz.rules[rule], name_of(rule)
        yield name if items == before else f"{name} ({items})"
        before = items


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
