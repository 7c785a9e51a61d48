"""Whether a model says the same again: between samples of a run, and between runs."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from biaslab.runs import RunRecord
from biaslab.stats import Agreement, Interval
from biaslab.studies import Experiment
from biaslab.studies.study import strategy_label
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count, exact_percent, percent, percents

EXPLAINED = (
    "Two answers agree when both could be read and say the same. It says nothing about being "
    "right: a model may be wrong in the same way every time. The two problems of a pair count as "
    "one observation for the intervals."
)


def draw_agreement(study: Experiment, runs: Sequence[RunRecord], *, headed: bool = False) -> None:
    """Draws how much repeated answers agree, where there are any; ``headed`` as for effects."""
    found = [*_within(runs), *_between(runs)]
    if not found:
        return
    section = st.subheader if headed else st.header
    section("Does it say the same again?", anchor=False)
    for agreement in found:
        st.markdown(plain(agreement_sentence(agreement)))
    st.dataframe(
        {
            "Who": [queries.model_label(a.model) for a in found],
            "Asked": [strategy_label(study.name, a.strategy) for a in found],
            "Compared": [_compared(a) for a in found],
            "Problems": [a.items for a in found],
            "Two answers agree": [_share(a.agreement, a.agreement_ci) for a in found],
            "All answers the same": [_share(a.alike, a.alike_ci) for a in found],
            "Once right, once wrong": [_share(a.differing, a.differing_ci) for a in found],
            "Unread": [a.unreadable for a in found],
        },
        hide_index=True,
        column_config={
            "Problems": st.column_config.NumberColumn(
                help="Problems with at least two answers to compare."
            ),
            "Two answers agree": st.column_config.TextColumn(
                help="How likely two answers to the same problem are to say the same."
            ),
            "All answers the same": st.column_config.TextColumn(
                help="Share of problems all of whose answers were read and say the same."
            ),
            "Once right, once wrong": st.column_config.TextColumn(
                help="Share of problems that were answered right at least once and not right at "
                "least once."
            ),
            "Unread": st.column_config.NumberColumn(
                help="Answers that could not be read. They agree with nothing."
            ),
        },
        alt=f"Agreement between repeated answers, {count(len(found), 'row')}",
    )
    st.caption(EXPLAINED)


def agreement_sentence(agreement: Agreement) -> str:
    """How much repeated answers agree, with n and interval, in plain text."""
    runs, samples = len(agreement.runs), agreement.samples
    asked = f"Asked in {runs} runs" if runs > 1 else f"Asked {samples} times"
    told = (
        f"{asked}, {queries.model_label(agreement.model)} gave the same answer every time to "
        f"{percent(agreement.alike)} of {count(agreement.items, 'problem')}"
        f"{_interval(agreement.alike_ci, agreement.confidence)}. Two answers to the same problem "
        f"agreed in {percent(agreement.agreement)} of cases"
        f"{_interval(agreement.agreement_ci, agreement.confidence)}, and "
        f"{percent(agreement.differing)} of the problems were right once and not right another "
        "time."
    )
    if agreement.left_out:
        told += (
            f" {count(agreement.left_out, 'problem')} with fewer than two answers "
            f"{'is' if agreement.left_out == 1 else 'are'} left out."
        )
    return told


def _within(runs: Sequence[RunRecord]) -> list[Agreement]:
    repeated = tuple(OutcomesState.of(run) for run in runs if run.options.samples > 1)
    found = queries.agreement_of(repeated) if repeated else []
    return [agreement for agreement in found if agreement.items]


def _between(runs: Sequence[RunRecord]) -> list[Agreement]:
    """Only where two of the runs asked the same model in the same way."""
    alike: dict[tuple[str, str], list[RunRecord]] = {}
    for run in runs:
        alike.setdefault((run.model_spec, run.strategy), []).append(run)
    several = tuple(
        OutcomesState.of(run) for same in alike.values() if len(same) > 1 for run in same
    )
    found = queries.agreement_between(several) if several else []
    return [agreement for agreement in found if agreement.items]


def _compared(agreement: Agreement) -> str:
    if len(agreement.runs) > 1:
        return f"{len(agreement.runs)} runs"
    return count(agreement.samples, "sample")


def _share(share: float | None, interval: Interval | None) -> str:
    if interval is None:
        return percent(share)
    return f"{percent(share)} ({percents(interval.low, interval.high)})"


def _interval(interval: Interval | None, confidence: float) -> str:
    if interval is None:
        return ""
    return f" ({exact_percent(confidence)} interval {percents(interval.low, interval.high)})"
