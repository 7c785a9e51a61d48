"""Results of a quality review: agreement, error rates, and what to do next."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence

import streamlit as st

from biaslab.problems import DesignError
from biaslab.review.advice import Advice, NextStep, advise, kappa_words, paper_text
from biaslab.review.quality import EITHER, ErrorRate, Judged, RaterAgreement, error_rates, fails
from biaslab.review.reading import texts
from biaslab.review.records import ReviewRecord
from biaslab.review.reviews import delete_review, hand_out, repeat_control
from biaslab.review.texts import Criterion
from biaslab.runs import RunError
from biaslab.studies import experiment
from biaslab.text.figures import MINUS, count, exact_percent, percent, percents
from biaslab.ui.review.address import review_parameter, stratum_parameter
from biaslab.ui.review.queries import Standing, part_words
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.cards import figures
from biaslab.ui.widgets.errors import shown_errors
from biaslab.ui.widgets.figures import to_csv
from biaslab.ui.widgets.words import plain

COLUMNS = (
    "number", "part", "pair", "member", "text", "answer", "strata", "reviewers",
    "natural_no", "natural_faulty", "clear_no", "clear_faulty", "comments",
)  # fmt: skip
"""``member`` is x or x_prime; ``..._no`` how many said no; nobody's name is there."""


def result_rows(record: ReviewRecord, judged: Sequence[Judged]) -> Iterator[dict[str, str]]:
    """A row for each text."""
    known = texts(queries.store(), record.id)
    for each in judged:
        text = known[each.number]
        row = {
            "number": str(each.number),
            "part": part_words(text.round),
            "pair": text.pair,
            "member": text.member,
            "text": text.text,
            "answer": text.answer,
            "strata": "; ".join(f"{name}: {value}" for name, value in text.strata.items()),
            "reviewers": str(len(each.judgements)),
            "comments": " | ".join(said.comment for said in each.judgements if said.comment),
        }
        for criterion in Criterion:
            noes = sum(not said.answer_to(criterion) for said in each.judgements)
            row[f"{criterion}_no"] = str(noes)
            row[f"{criterion}_faulty"] = "yes" if fails(each.judgements, criterion) else "no"
        yield row


_REFUSED = "review: next refused"


def draw_results(record: ReviewRecord, standing: Standing) -> None:
    """Draws how far everybody is and, once all have judged, what came out."""
    rates = error_rates(standing.all) if record.handed_out and not standing.waiting else []
    advice = advise(standing.agreements, record.handed_out, standing.waiting, rates)
    _draw_advice(record, advice)
    figures(
        {
            f"{each.name}, {part_words(each.part)}": f"{each.done} of {each.total}"
            for each in standing.progress
        }
    )
    if standing.agreements:
        st.header("Do the reviewers agree?", anchor=False)
        for agreement in standing.agreements:
            _draw_agreement(agreement)
    if rates:
        _draw_rates(record, standing, rates)
        st.header("For a paper", anchor=False)
        st.code(
            paper_text(record.title, standing.agreements, rates), language=None, wrap_lines=True
        )
    _draw_texts(record, standing, advice)
    if standing.agreements:
        st.download_button(
            "Texts with what was said, without names (CSV)",
            lambda: to_csv(COLUMNS, result_rows(record, standing.all)),
            f"review-{record.id}.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
    with st.expander("Delete this review"):
        st.markdown("Texts, judgements and comments of this review are deleted from this file.")
        st.button(
            "Delete it for good",
            icon=":material/delete:",
            on_click=_delete,
            args=(record.id,),
            key="delete review",
        )


def _draw_advice(record: ReviewRecord, advice: Advice) -> None:
    with st.container(border=True):
        st.header(f"Next: {advice.headline}", anchor=False)
        st.markdown(" ".join(advice.reasons))
        refused = st.session_state.pop(_REFUSED, "")
        if refused:
            st.error(plain(refused), icon=":material/error:")
        if advice.step not in (NextStep.HAND_OUT, NextStep.DISCUSS):
            return
        wanted = advice.step is NextStep.HAND_OUT
        with st.container(horizontal=True):
            st.button(
                f"Split the {record.further} further texts",
                type="primary" if wanted else "secondary",
                icon=":material/call_split:",
                on_click=_go_on,
                args=(record.id, False),
                key="hand out",
            )
            st.button(
                f"Judge {record.control} new control texts",
                type="secondary" if wanted else "primary",
                icon=":material/refresh:",
                on_click=_go_on,
                args=(record.id, True),
                key="repeat control",
            )


def _go_on(review: str, again: bool) -> None:
    try:
        (repeat_control if again else hand_out)(queries.store(), review)
    except (DesignError, RunError) as error:
        st.session_state[_REFUSED] = str(error)


def _delete(review: str) -> None:
    with shown_errors():
        delete_review(queries.store(), review)
        review_parameter().change("")


def _draw_agreement(agreement: RaterAgreement) -> None:
    st.markdown(f"**{agreement.criterion.question}**")
    shown = {"same answer": percent(agreement.raw), "answers “no”": str(agreement.noes)}
    if agreement.kappa is None:
        shown = {agreement.method: "undefined", **shown}
    else:
        interval = agreement.interval
        ends = f"{_two(interval.low)} to {_two(interval.high)}" if interval else "–"
        shown = {
            agreement.method: _two(agreement.kappa),
            f"{exact_percent(agreement.confidence)} interval": ends,
            **shown,
        }
    figures(shown)
    st.caption(kappa_words(agreement))


def _draw_rates(record: ReviewRecord, standing: Standing, rates: list[ErrorRate]) -> None:
    st.header("How many texts are faulty?", anchor=False)
    st.caption(
        f"Of the {count(len(standing.all), 'text')} of the last control set and the further "
        "texts. A text of the control set counts as faulty if at least half of the reviewers said "
        "no. The exact interval (Clopper and Pearson) shows which rates fit what was found."
    )
    st.table(_rows(rates), border="horizontal")
    study = None if record.design is None else experiment(record.design.study)
    strata = {} if study is None else {each.name: each for each in study.strata}
    there = [name for name in strata if all(name in text.strata for text in standing.all)]
    if not there:
        return
    by = stratum_parameter(there)
    choosing.selectbox(
        "Broken down by",
        ["", *there],
        format_func=lambda name: strata[name].label if name else "nothing",
        filter_mode=None,
        **by.bind(),
    )
    if by.value:
        parts = [rate for rate in error_rates(standing.all, by.value) if rate.criterion == EITHER]
        st.table(_rows(parts, strata[by.value].label), border="horizontal")


def _rows(rates: list[ErrorRate], stratum: str = "") -> list[dict[str, str]]:
    return [
        {
            (plain(stratum).capitalize() if stratum else "Fails"): (
                plain(str(rate.stratum)) if stratum else _criterion_words(rate.criterion)
            ),
            "Faulty": f"{len(rate.faulty)} of {rate.texts}",
            "Rate": percent(rate.rate),
            f"{exact_percent(rate.confidence)} interval": (
                percents(rate.interval.low, rate.interval.high)
            ),
        }
        for rate in rates
    ]


def _criterion_words(criterion: str) -> str:
    return "at least one" if criterion == EITHER else Criterion(criterion).label


def _draw_texts(record: ReviewRecord, standing: Standing, advice: Advice) -> None:
    """Texts to look at, with how many said no and what was said, without names."""
    if not advice.texts:
        return
    st.header("Texts to look at", anchor=False)
    all_texts = texts(queries.store(), record.id)
    by_number = {text.number: text for text in standing.all}
    for number in advice.texts:
        judged = by_number[number]
        said = []
        for criterion in Criterion:
            noes = sum(not each.answer_to(criterion) for each in judged.judgements)
            if noes:
                fault = "" if fails(judged.judgements, criterion) else ", not counted as faulty"
                asked = len(judged.judgements)
                said.append(f"{criterion.label}: {noes} of {asked} said no{fault}")
        comments = "".join(
            f"<li>“{html.escape(each.comment)}”</li>" for each in judged.judgements if each.comment
        )
        text = all_texts[number]
        st.html(
            f'<div class="bl"><section class="bl-card" aria-label="Text {number}">'
            f'<div class="bl-faint">Text {number}</div>'
            f'<p class="bl-text">{html.escape(text.text)}</p>'
            f"<p>Stated answer: <b>{html.escape(text.answer)}</b></p>"
            f'<p class="bl-outcome">{html.escape("; ".join(said))}</p>'
            + (f"<ul>{comments}</ul>" if comments else "")
            + "</section></div>"
        )


def _two(value: float) -> str:
    # A rounded zero has no sign.
    return f"{round(value, 2) + 0.0:.2f}".replace("-", MINUS)
