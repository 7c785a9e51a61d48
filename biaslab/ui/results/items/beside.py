"""Another run's answers to the same pair, beside those of the chosen one."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from biaslab.runs import MemberDetail, PairDetail, RunRecord
from biaslab.studies import Experiment
from biaslab.studies.results import OutcomeScale
from biaslab.studies.study import outcome_scale
from biaslab.ui.results.item_detail import answered_html, asked_html, draw_below
from biaslab.ui.results.run_labels import labels
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, choice, flag
from biaslab.ui.widgets.words import plain

_NONE = ""


@dataclass(frozen=True, slots=True)
class Beside:
    """Another run's answers to a pair.

    Attributes:
        run: its id.
        own: what the chosen run is called; other: this one, which reads otherwise.
        detail: the pair as it was answered there.
    """

    run: str
    own: str
    other: str
    detail: PairDetail


def beside_parameter(runs: Sequence[str]) -> Parameter[str]:
    """The run that the address puts beside, by default none."""
    return choice("beside", runs, _NONE)


def choose_beside(run: RunRecord, runs: Sequence[RunRecord], detail: PairDetail) -> Beside | None:
    """Draws the choice of another run that was asked this pair, where there is one.

    Args:
        run: the chosen one.
        runs: those that have something to show.
        detail: the pair, in the sample that is shown.
    """
    sharing = set(queries.store().runs_sharing(run.id, detail.pair.id))
    others = [each for each in runs if each.id in sharing]
    parameter = beside_parameter([each.id for each in others])
    if parameter.refused not in (None, run.id):
        st.warning(
            f"The link puts a run “{plain(parameter.refused or '')}” beside this one, which has no "
            "answers to this pair, or is not in this file. This run is shown alone."
        )
    if not others:
        return None
    words = labels([run, *others])
    choosing.selectbox(
        "Beside it",
        [_NONE, *(each.id for each in others)],
        format_func=lambda each: words[each] if each else "No other run",
        help="Other runs that asked this very pair. It stays chosen for the next pairs.",
        **parameter.bind(),
    )
    chosen = next((each for each in others if each.id == parameter.value), None)
    if chosen is None:
        return None
    sample = min(detail.sample, chosen.options.samples - 1)
    samples = queries.samples_of(
        queries.OutcomesState.of(chosen), detail.pair.id, chosen.options.samples
    )
    return Beside(
        chosen.id,
        _called(words[run.id], run, detail.sample),
        _called(words[chosen.id], chosen, sample),
        samples[sample],
    )


def differ_parameter() -> Parameter[bool]:
    """Whether the address wants only pairs that both runs answered otherwise."""
    return flag("differ", resets=("page", "pair"))


def differing_pairs(
    run: RunRecord, runs: Sequence[RunRecord], sample: int
) -> tuple[str, ...] | None:
    """Ids of the pairs that came out otherwise in the run beside; None where there is no such run.

    Args:
        run: the chosen one.
        runs: those that have something to show.
        sample: which of the run's samples is looked at, from 0.
    """
    others = {each.id: each for each in runs if each.study == run.study and each.id != run.id}
    other = others.get(beside_parameter(list(others)).value)
    if other is None:
        return None
    of_other = min(sample, other.options.samples - 1)
    return queries.differing(
        queries.OutcomesState.of(run), queries.OutcomesState.of(other), sample, of_other
    )


def draw_differing(pairs: tuple[str, ...] | None) -> None:
    """Draws the filter, where a run is beside; the pairs are those that it leaves."""
    if pairs is None:
        return
    st.toggle(
        f"The two runs differ ({len(pairs):,})",
        help="Only pairs that both runs answered, and of which at least one problem came out "
        "otherwise: right in the one, not in the other, or read as another value on a scale.",
        **differ_parameter().bind(),
    )


def draw_beside(detail: PairDetail, beside: Beside, study: Experiment) -> None:
    """Both problems one below the other, each with the answers of both runs side by side."""
    arms, scale = study.arms, outcome_scale(study.name)
    there = beside.detail
    st.html(
        '<div class="bl bl-beside">'
        + _problem(detail.x, detail.x_prime, there.x, arms.x, "x", beside, scale)
        + _problem(detail.x_prime, detail.x, there.x_prime, arms.x_prime, "x-prime", beside, scale)
        + "</div>"
    )
    st.caption(plain(f"What follows is about {beside.own}."))
    draw_below(detail, study)


def _called(label: str, run: RunRecord, sample: int) -> str:
    return label if run.options.samples == 1 else f"{label} (sample {sample + 1})"


def _problem(
    member: MemberDetail,
    other: MemberDetail,
    there: MemberDetail,
    arm: str,
    side: str,
    beside: Beside,
    scale: OutcomeScale | None,
) -> str:
    answers = "".join(
        f'<section class="bl-answer" aria-label="{html.escape(label)}">'
        f"<b>{html.escape(label)}</b>{answered_html(answered, scale)}</section>"
        for label, answered in ((beside.own, member), (beside.other, there))
    )
    return (
        f'<section class="bl-card {side}" aria-label="{html.escape(arm)}">'
        f"{asked_html(member, other, arm, scale)}"
        f'<div class="bl-pair">{answers}</div></section>'
    )
