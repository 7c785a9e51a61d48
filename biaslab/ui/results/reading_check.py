"""Thirty readings of a run for a person to check, and the error that this finds.

What was judged stays in the session, and as a file if the person wants it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from biaslab.runs import AnswerState, RunRecord
from biaslab.stats import wilson
from biaslab.studies.study import outcome_scale
from biaslab.ui.results.item_detail import answered_html
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.figures import to_csv
from biaslab.ui.widgets.words import plain
from schoolmath.problems.draws import Draws
from schoolmath.text.figures import percent, percents

READINGS = 30
"""Enough to tell an error of 0 to 12 % from none of 30 wrong."""
_RIGHT, _WRONG = "read correctly", "read wrongly"


class AnswerAt(NamedTuple):
    """An answer of a run: its pair and which member; of several samples the first."""

    pair: str
    is_x: bool


class ReadingCheck(NamedTuple):
    """How many readings a person judged, and how many of them were wrong."""

    judged: int
    wrong: int

    @property
    def words(self) -> str:
        """The error with its interval, in a sentence."""
        interval = wilson(self.wrong, self.judged)
        assert interval is not None
        return (
            f"Of {self.judged} readings that you checked, {self.wrong or 'none'} "
            f"{'was' if self.wrong == 1 else 'were'} wrong: {percent(self.wrong / self.judged)} "
            f"(95 % interval {percents(interval.low, interval.high)})."
        )


def check_of(run: str) -> ReadingCheck | None:
    """What was judged of a run in this session; None where nothing was."""
    judged = _judged(run)
    return ReadingCheck(len(judged), sum(not each for each in judged.values())) if judged else None


def draw_reading_check(run: RunRecord) -> None:
    """A folded panel: one answer after the other with how it was read, and what came out so far."""
    panel = st.expander(
        f"Check {READINGS} readings",
        key=f"check readings of {run.id}",
        icon=":material/rule:",
        on_change="rerun",
    )
    if not panel.open:
        return
    with panel:
        st.caption(
            "Answers drawn at random from this run. Is the answer that stands there what the model "
            "said? Whether it is the right answer does not matter here."
        )
        st.fragment(lambda: _draw_next(run))()


def _draw_next(run: RunRecord) -> None:
    drawn = _drawn(run)
    judged = _judged(run.id)
    left = [each for each in drawn if each not in judged]
    if found := check_of(run.id):
        st.markdown(f"**{plain(found.words)}**")
        st.download_button(
            "What you judged (CSV)",
            lambda: to_csv(("pair", "member", "judged"), _rows(judged)),
            f"biaslab-readings-{run.id}.csv",
            "text/csv",
            on_click="ignore",
        )
    if not left:
        st.caption("These are all." if drawn else "Nothing was answered yet.")
        return
    at = left[0]
    state = queries.OutcomesState.of(run)
    detail = queries.samples_of(state, at.pair, run.options.samples)[0]
    member = detail.x if at.is_x else detail.x_prime
    st.caption(f"{len(drawn) - len(left) + 1} of {len(drawn)}")
    text = answered_html(member, outcome_scale(run.study))
    st.html(f'<div class="bl"><section class="bl-card">{text}</section></div>')
    with st.container(horizontal=True):
        for label, is_right in ((_RIGHT, True), (_WRONG, False)):
            st.button(
                label.capitalize(),
                key=f"{label} {at.pair} {at.is_x}",
                on_click=judged.__setitem__,
                args=(at, is_right),
            )


def _drawn(run: RunRecord) -> list[AnswerAt]:
    """The same answers whenever a finished run is checked."""
    table = queries.outcomes((queries.OutcomesState.of(run),))
    read = {str(AnswerState.ANSWERED), str(AnswerState.INVALID)}
    every = [
        AnswerAt(row["pair"], side == "x")
        for row in table[table["sample"] == 0].to_dict("records")
        for side in ("x", "x_prime")
        if row[f"state_{side}"] in read
    ]
    return Draws(f"readings/{run.id}").several(every, min(READINGS, len(every)))


def _judged(run: str) -> dict[AnswerAt, bool]:
    found: dict[AnswerAt, bool] = st.session_state.setdefault(f"readings of {run}", {})
    return found


def _rows(judgements: Mapping[AnswerAt, bool]) -> list[dict[str, object]]:
    return [
        {"pair": at.pair, "member": "x" if at.is_x else "x_prime",
         "judged": _RIGHT if is_right else _WRONG}
        for at, is_right in judgements.items()
    ]  # fmt: skip
