"""Wrong answers where the words mislead: how many reverse the operation."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from biaslab.runs import RunRecord
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.runs import labels
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count, hundredths, percent, percents

if TYPE_CHECKING:
    from biaslab.studies.word_problems.inside.reversals import Reversals

_NULLS = (
    "By chance means: **random operations** draws the operation of every step at random and keeps "
    "what is wrong; **random slips** takes every slip as equally likely (off by one, two or ten, "
    "or two digits swapped). Lines across the bars: dashed for random operations, dotted for "
    "random slips; the thin bar is the 95 % interval, pairs that share a cluster counted together."
)


WRONG_ANSWERS = 5_000
"""Most wrong answers of a run that are looked at for reversed operations."""


@st.cache_data(show_spinner=False, max_entries=32)
def reversals_of(state: queries.OutcomesState) -> tuple[list[Reversals], bool]:
    """Reversed operations among a run's wrong answers as it stands.

    Also whether it has more wrong answers than the `WRONG_ANSWERS` that were looked at.
    """
    # The catalogue of rules takes a moment to load, and most pages do without it.
    from biaslab.studies.word_problems.inside.reversals import reversals

    wrong = queries.store().wrong_answers(state.run, WRONG_ANSWERS + 1)
    return reversals(wrong[:WRONG_ANSWERS]), len(wrong) > WRONG_ANSWERS


@st.cache_data(show_spinner=False, max_entries=256)
def _any_wrong(state: queries.OutcomesState) -> bool:
    """Whether a run as it stands has a wrong answer at all."""
    return queries.store().any_wrong(state.run)


def draw_reversals(runs: Sequence[RunRecord]) -> None:
    """A folded panel with the share of reversals of each run, counted when it is opened.

    Nothing where no answer of the runs is wrong.
    """
    if not any(_any_wrong(queries.OutcomesState.of(run)) for run in runs):
        return
    panel = st.expander(
        "Wrong because the words mislead?",
        key=f"reversals {','.join(run.id for run in runs)}",
        on_change="rerun",
    )
    if not panel.open:
        return
    with panel:
        _draw_shares(runs)


def _draw_shares(runs: Sequence[RunRecord]) -> None:
    """What the panel holds: a frame for each run that has such wrong answers."""
    st.caption(
        "Some problems suggest another operation than they need: “6 more than Ben” where 6 is to "
        "be taken away. A model that follows the word does the reversed operation, whatever the "
        "resulting number."
    )
    with st.spinner("Looking at the wrong answers …"):
        found = [(run, *reversals_of(queries.OutcomesState.of(run))) for run in runs]
    found = [each for each in found if each[1]]
    if not found:
        st.caption("No answer is wrong here where the words mislead.")
        return
    called = labels(runs)
    for run, counted, sampled in found:
        with st.container(border=True):
            st.markdown(f"**{plain(called[run.id])}**")
            st.markdown(plain(reversal_sentence(counted[0], sampled)))
            st.html(f'<div class="bl bl-diagnosis">{"".join(map(_row, counted))}</div>')
    st.caption(_NULLS)


def reversal_sentence(reversals: Reversals, sampled: bool = False) -> str:
    """How many wrong answers are the reversed operation, against chance.

    Args:
        reversals: of all steps together.
        sampled: whether the run has more wrong answers than were looked at.
    """
    low, high = percent(reversals.interval.low), percent(reversals.interval.high)
    which = (
        f" (those among {WRONG_ANSWERS:,} wrong answers of this run taken at random)"
        if sampled
        else ""
    )
    numbers = (
        f" {reversals.miscalculated:,} of these are another number than that operation gives: "
        "miscalculated, or changed later on."
        if reversals.miscalculated
        else ""
    )
    return (
        f"Of {count(reversals.wrong, 'wrong answer')} to problems whose words mislead{which}, "
        f"{reversals.reversed:,} reverse the operation: {percent(reversals.share)} (95 % "
        f"interval {low} to "
        f"{high}). {_seen(reversals)}{numbers} By chance it would be "
        f"{percent(reversals.by_operation)} "
        f"with random operations and {percent(reversals.by_slip)} with random slips."
    )


def _seen(reversals: Reversals) -> str:
    """From what it was told whether the operation is reversed."""
    if not reversals.worked:
        return "No working shows the operation, so the answers decide."
    rest = reversals.wrong - reversals.worked
    others = f"; in the other {rest:,} the answer decides" if rest else ""
    return f"In {reversals.worked:,} the working shows the operation{others}."


def _row(reversals: Reversals) -> str:
    name = "all problems" if reversals.steps is None else count(reversals.steps, "step")
    low, high = reversals.interval.low, reversals.interval.high
    words = (
        f"{percent(reversals.share)} ({percents(low, high)}), {reversals.reversed:,} of "
        f"{reversals.wrong:,}; by chance {percent(reversals.by_operation)} or "
        f"{percent(reversals.by_slip)}"
    )
    return (
        f"<div><p><strong>{html.escape(name)}</strong> {html.escape(words)}</p>"
        '<div class="bl-share" aria-hidden="true">'
        f'<b style="width:{hundredths(reversals.share, 2)}%"></b>'
        f'<i style="left:{hundredths(low, 2)}%;width:{hundredths(high - low, 2)}%"></i>'
        f'<u style="left:{hundredths(reversals.by_operation, 2)}%"></u>'
        f'<u class="slip" style="left:{hundredths(reversals.by_slip, 2)}%"></u></div></div>'
    )
