"""Question by question: conditions, a page of them, and one with what each model said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from biaslab.runs import AnswerState, PairDetail, RunRecord
from biaslab.studies import experiment
from biaslab.studies.malgorithm.answers import KEY
from biaslab.ui.navigation import ITEMS, LINK, MALGORITHMS, RUNS, link
from biaslab.ui.studies.malgorithm import queries as read
from biaslab.ui.studies.malgorithm.queries import (
    ANY,
    ON_A_PAGE,
    OUTCOME_WORDS,
    QUESTIONS,
    QuestionFilter,
    QuestionOutcome,
    QuestionResult,
    filter_parameter,
    list_parameter,
    meets,
    question_parameter,
    sample_parameter,
)
from biaslab.ui.studies.malgorithm.question import QuestionAnswers, draw_question
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import Parameter
from biaslab.ui.widgets.cards import strata_tags
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.runs import labels
from biaslab.ui.widgets.words import plain, shown_errors
from schoolmath.text.figures import count

_TEXT = 60
"""Characters of a question in the list."""

CONDITIONS = ("grade", "dok", "content_class", "rule", "named", "outcome")
"""Names of the conditions in the address."""


@dataclass(frozen=True, slots=True)
class QuestionList:
    """The questions that meet the conditions.

    Attributes:
        questions: all of them, in the order of the run; shown: id of the one shown, empty where
            there is none; page, pages: of the list, from 1.
    """

    questions: tuple[QuestionResult, ...]
    shown: str
    page: int
    pages: int

    @property
    def place(self) -> int | None:
        """Where the one shown stands among them, from 0; None where it does not."""
        return next((i for i, each in enumerate(self.questions) if each.id == self.shown), None)


@st.cache_data(show_spinner=False, max_entries=64)
def _values(state: OutcomesState, sample: int) -> dict[str, list[str]]:
    """What there is to choose from for each condition."""
    questions = read.questions(state, sample)
    choices = [each for question in questions for each in question.choices]
    return {
        "grade": _numbers(each.grade for each in questions),
        "dok": _numbers(each.dok for each in questions),
        "content_class": sorted({each.content_class for each in questions} - {""}),
        "rule": sorted({each.rule for each in choices}),
        "named": sorted({each.named for each in choices if each.named}),
    }


@st.cache_data(show_spinner=False, max_entries=128)
def _counts(state: OutcomesState, sample: int, query: QuestionFilter) -> dict[str, int]:
    """How many questions come out in each way, of those that meet the other conditions."""
    questions = read.questions(state, sample)
    return {
        str(outcome): sum(meets(each, replace(query, outcome=outcome)) for each in questions)
        for outcome in QuestionOutcome
    }


@st.cache_resource(show_spinner=False, max_entries=128)
def _found(state: OutcomesState, sample: int, query: QuestionFilter) -> tuple[QuestionResult, ...]:
    return tuple(each for each in read.questions(state, sample) if meets(each, query))


def draw_filters(state: OutcomesState, sample: int) -> QuestionFilter:
    """Draws the conditions and gives those chosen."""
    strata = {each.name: each.label for each in experiment("malgorithm").strata}
    values = _values(state, sample)
    offered: dict[str, tuple[str, Callable[[str], str]]] = {
        "grade": (strata["grade"], str),
        "dok": (strata["dok"], str),
        "content_class": (strata["content_class"], str),
        "rule": ("What led to the choice", read.rule_words),
    }
    parameters = {name: filter_parameter(name, options) for name, options in values.items()}
    parameters["outcome"] = filter_parameter("outcome", QuestionOutcome)
    _tell_refused(parameters)
    wanted = QuestionFilter(**{name: parameters[name].value for name in CONDITIONS})
    with st.grid(4, min_column_width=170):
        for name, (label, words) in offered.items():
            _draw_choice(label, values[name], words, parameters[name])
    with st.grid(2, min_column_width=260):
        _draw_choice("What the model named", values["named"], read.rule_words, parameters["named"])
        _draw_outcome(_counts(state, sample, replace(wanted, outcome=ANY)), parameters["outcome"])
    if wanted != QuestionFilter():
        st.button(
            "Show all questions", icon=":material/filter_alt_off:", on_click=_clear,
            args=(tuple(parameters.values()),), key="all questions",
        )  # fmt: skip
    return wanted


def _clear(parameters: Sequence[Parameter[str]]) -> None:
    for parameter in parameters:
        parameter.change(ANY)


def _numbers(values: Iterable[int | None]) -> list[str]:
    return [str(value) for value in sorted({value for value in values if value is not None})]


def _tell_refused(parameters: dict[str, Parameter[str]]) -> None:
    refused = [each.refused for each in parameters.values() if each.refused is not None]
    if refused:
        st.warning(
            f"The link asks for “{plain('”, “'.join(refused))}”, which the questions of this run "
            "do not have. It is left out."
        )


def _draw_choice(
    label: str, options: list[str], words: Callable[[str], str], parameter: Parameter[str]
) -> None:
    choosing.selectbox(
        label[:1].upper() + label[1:],
        [ANY, *options],
        format_func=lambda option: words(option) if option else "all",
        filter_mode=None if len(options) < 12 else "fuzzy",
        **parameter.bind(),
    )


def _draw_outcome(counts: dict[str, int], parameter: Parameter[str]) -> None:
    choosing.selectbox(
        "How it came out",
        [ANY, *(each for each in QuestionOutcome if counts[each] or each == parameter.value)],
        format_func=lambda name: (
            f"{OUTCOME_WORDS[QuestionOutcome(name)]} ({counts[name]:,})" if name else "all"
        ),
        filter_mode=None,
        **parameter.bind(),
    )


def select(state: OutcomesState, sample: int, query: QuestionFilter) -> QuestionList:
    """The questions that meet the conditions, and which of them is shown."""
    found = _found(state, sample, query)
    named = question_parameter().value
    pages = max(1, -(-len(found) // ON_A_PAGE))
    place = next((i for i, each in enumerate(found) if each.id == named), 0)
    page = list_parameter(pages, place // ON_A_PAGE + 1).value
    first = found[(page - 1) * ON_A_PAGE].id if found else ""
    return QuestionList(found, named or first, page, pages)


def draw_list(questions: QuestionList) -> None:
    """Draws the page of questions and the way to the other pages."""
    parameter = question_parameter()
    start = (questions.page - 1) * ON_A_PAGE
    by_id = {each.id: each for each in questions.questions[start : start + ON_A_PAGE]}
    bound = parameter.bind()
    st.session_state[bound["key"]] = questions.shown if questions.shown in by_id else None
    choosing.radio(
        count(len(questions.questions), "question"),
        list(by_id),
        index=None,
        format_func=lambda question: plain(f"{by_id[question].number} · {marks(by_id[question])}"),
        captions=[plain(_shortened(each.text)) for each in by_id.values()],
        **bound,
    )
    if questions.pages > 1:
        pages = list_parameter(questions.pages, questions.page)
        st.pagination(questions.pages, max_visible_pages=3, **pages.bind())


def draw_steps(questions: QuestionList) -> None:
    """Buttons to the question before and after in the filtered list."""
    place = questions.place
    if place is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        for word, icon, to, shortcut in (
            ("Previous", ":material/chevron_left:", place - 1, "alt+p"),
            ("Next", ":material/chevron_right:", place + 1, "alt+n"),
        ):
            inside = 0 <= to < len(questions.questions)
            st.button(
                word,
                icon=icon,
                disabled=not inside,
                on_click=_show,
                args=(questions.questions[to].id if inside else "",),
                key=f"{word} question",
                shortcut=shortcut,
            )
        st.caption(f"{place + 1:,} of {len(questions.questions):,}")


def _show(question: str) -> None:
    list_parameter(1, 0).change(0)
    question_parameter().change(question)


def marks(question: QuestionResult) -> str:
    """How its choices came out in the order of the options, as in "A ✓ B ✗ C ✓ D ?"."""
    return " ".join(
        f"{each.letter}{'*' if each.rule == KEY else ''} {_mark(each.state, each.right)}"
        for each in question.choices
    )


def _mark(state: AnswerState, right: bool | None) -> str:
    if state is AnswerState.MISSING:
        return "…"
    if state is AnswerState.FAILED:
        return "–"
    if right is None:
        return "?"
    return "✓" if right else "✗"


def _shortened(text: str) -> str:
    return text if len(text) <= _TEXT else f"{text[:_TEXT].rsplit(' ', 1)[0]} …"


def draw_items(runs: Sequence[RunRecord], focus: RunRecord) -> None:
    """The questions of ``focus``, and what the other runs said to the one shown."""
    sample = _chosen_sample(focus)
    wanted = draw_filters(OutcomesState.of(focus), sample)
    listed = select(OutcomesState.of(focus), sample, wanted)
    if not listed.questions:
        again = (
            " Or look at another of the times it was asked." if focus.options.samples > 1 else ""
        )
        st.info(f"No question of this run is like that. Choose fewer conditions above.{again}")
        return
    # The chosen question comes first, so that on a phone it stands above the list.
    shown, others = st.columns([3, 1], gap="medium")
    with others:
        draw_list(listed)
        st.caption(
            "Marks stand for options: ✓ explained rightly, ✗ wrongly, ? not readable. "
            "* is the right option."
        )
    with shown, shown_errors():
        _draw_one(runs, focus, listed, sample, wanted)


def _chosen_sample(run: RunRecord) -> int:
    if run.options.samples == 1:
        return 0
    parameter = sample_parameter(run)
    choosing.selectbox(
        f"Every question was asked {run.options.samples} times. Shown is time",
        list(range(1, run.options.samples + 1)),
        filter_mode=None,
        **parameter.bind(),
    )
    return parameter.value - 1


def _draw_one(
    runs: Sequence[RunRecord],
    focus: RunRecord,
    questions: QuestionList,
    sample: int,
    query: QuestionFilter,
) -> None:
    place = questions.place
    pairs = read.pairs_of(OutcomesState.of(focus), questions.shown, sample)
    if not pairs:
        st.warning(
            f"This run has no question “{plain(questions.shown)}”. Choose one from the list."
        )
        return
    facts = pairs[0].x.item.facts
    number = next(
        each.number
        for each in read.questions(OutcomesState.of(focus), sample)
        if each.id == facts["question_id"]
    )
    st.header(f"Question {number}", anchor=False)
    if place is None:
        st.caption("It does not meet the conditions above.")
    draw_steps(questions)
    strata_tags(
        {name: facts[name] for name in ("grade", "dok", "content_class") if facts[name]},
        {"grade": "grade", "dok": "depth of knowledge", "content_class": "content class"},
    )
    called = labels(runs)
    if place is not None:
        st.caption(f"{plain(called[focus.id])}: {plain(marks(questions.questions[place]))}")
    ordered = [focus, *(run for run in runs if run.id != focus.id)]
    draw_question(facts, [QuestionAnswers(called[run.id], _pairs(run, questions.shown, sample))
                          for run in ordered])  # fmt: skip
    with st.container(horizontal=True):
        link(
            MALGORITHMS,
            "Link to this question",
            {
                "runs": ",".join(run.id for run in runs),
                "of": focus.id,
                "view": QUESTIONS,
                "sample": str(sample + 1),
                "question": questions.shown,
                **{name: text for name in CONDITIONS if (text := getattr(query, name))},
            },
            icon=LINK,
        )
        link(ITEMS, "Exact prompts and responses", {"run": focus.id, "pair": pairs[0].pair.id})
        link(RUNS, "About this run", {"run": focus.id})


def _pairs(run: RunRecord, question: str, sample: int) -> tuple[PairDetail, ...]:
    return read.pairs_of(OutcomesState.of(run), question, min(sample, run.options.samples - 1))
