"""Question by question: conditions, the list, and one question with what each model said."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from biaslab.runs import PairDetail, RunRecord
from biaslab.ui.navigation import ITEMS, LINK, MALGORITHMS, RUNS, link
from biaslab.ui.results.run_labels import labels
from biaslab.ui.studies.malgorithm import queries as read
from biaslab.ui.studies.malgorithm.address import QUESTIONS, QuestionFilter, sample_parameter
from biaslab.ui.studies.malgorithm.list import (
    CONDITIONS,
    QuestionList,
    draw_filters,
    draw_list,
    draw_steps,
    marks,
    select,
)
from biaslab.ui.studies.malgorithm.question import QuestionAnswers, draw_question
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.cards import strata_tags
from biaslab.ui.widgets.errors import shown_errors
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.words import plain


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
    listed: QuestionList,
    sample: int,
    wanted: QuestionFilter,
) -> None:
    place = listed.place
    pairs = read.pairs_of(OutcomesState.of(focus), listed.shown, sample)
    if not pairs:
        st.warning(f"This run has no question “{plain(listed.shown)}”. Choose one from the list.")
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
    draw_steps(listed)
    strata_tags(
        {name: facts[name] for name in ("grade", "dok", "content_class") if facts[name]},
        {"grade": "grade", "dok": "depth of knowledge", "content_class": "content class"},
    )
    called = labels(runs)
    if place is not None:
        st.caption(f"{plain(called[focus.id])}: {plain(marks(listed.questions[place]))}")
    ordered = [focus, *(run for run in runs if run.id != focus.id)]
    draw_question(facts, [QuestionAnswers(called[run.id], _pairs(run, listed.shown, sample))
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
                "question": listed.shown,
                **{name: text for name in CONDITIONS if (text := getattr(wanted, name))},
            },
            icon=LINK,
        )
        link(ITEMS, "Exact prompts and responses", {"run": focus.id, "pair": pairs[0].pair.id})
        link(RUNS, "About this run", {"run": focus.id})


def _pairs(run: RunRecord, question: str, sample: int) -> tuple[PairDetail, ...]:
    return read.pairs_of(OutcomesState.of(run), question, min(sample, run.options.samples - 1))
