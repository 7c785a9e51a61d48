"""One pair in a run: asked, answered, read and judged; and another run's answers beside."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from biaslab.models import Completion
from biaslab.runs import AnswerState, Exchange, MemberDetail, PairDetail, RunRecord
from biaslab.runs.store.records import number_words, response_words
from biaslab.studies import Answered, Experiment
from biaslab.studies.results import OutcomeScale
from biaslab.studies.study import outcome_scale
from biaslab.ui.results.diagnosis import draw_diagnosis
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import Parameter, choice, flag
from biaslab.ui.widgets.cards import (
    differing,
    picture_with,
    show_request,
    span_pieces,
    steps_html,
    to_html,
)
from biaslab.ui.widgets.runs import labels
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count, signed_number


def draw_pair(detail: PairDetail, study: Experiment) -> None:
    """Both members side by side, and what was sent word for word."""
    arms, scale = study.arms, outcome_scale(study.name)
    st.html(
        '<div class="bl bl-pair">'
        + _member(detail.x, detail.x_prime, arms.x, "x", scale)
        + _member(detail.x_prime, detail.x, arms.x_prime, "x-prime", scale)
        + "</div>"
    )
    draw_below(detail, study)


def draw_below(detail: PairDetail, study: Experiment) -> None:
    """What stands below the answers: marks explained, possible errors, what was sent."""
    arms, scale = study.arms, outcome_scale(study.name)
    st.caption("The words that differ, and the answer as we read it, are underlined.")
    if scale is None:
        draw_diagnosis(detail, arms)
    else:
        st.caption(plain(f"Outcome, in {scale.unit}: {scale.explanation}"))
    for member, arm in ((detail.x, arms.x), (detail.x_prime, arms.x_prime)):
        _prompts(member, arm)


def verdict(member: MemberDetail, scale: OutcomeScale | None = None) -> str:
    """How a member came out, with a mark in front, in words.

    Args:
        member: one of a pair.
        scale: of the study's outcomes; None where answers are right or wrong.
    """
    reading = member.reading
    if member.state is AnswerState.MISSING:
        return "… Not asked yet"
    if member.state is AnswerState.FAILED:
        return f"– Failed after {count(member.attempts, 'attempt')}: {member.reason}"
    if reading is None or reading.outcome is None:
        return "? No answer could be read"
    if scale is not None:
        return f"→ Chosen: {reading.value} (outcome {signed_number(reading.outcome)})"
    if reading.outcome == 1:
        return f"✓ Right: {number_words(reading.value or '')}"
    return f"✗ Wrong: {number_words(reading.value or '')}"


def _member(
    member: MemberDetail, other: MemberDetail, arm: str, side: str, scale: OutcomeScale | None
) -> str:
    return (
        f'<section class="bl-card {side}" aria-label="{html.escape(arm)}">'
        f"{asked_html(member, other, arm, scale)}{answered_html(member, scale)}</section>"
    )


def asked_html(
    member: MemberDetail, other: MemberDetail, arm: str, scale: OutcomeScale | None
) -> str:
    """What was asked, with what is right.

    Args:
        member: one of a pair.
        other: the other one, from whose words those of this one differ.
        arm: what its study calls it.
        scale: as for `verdict`.
    """
    item = member.item
    right = f"<p>Right answer: <b>{html.escape(item.answer)}</b></p>" if scale is None else ""
    return (
        f'<div class="bl-arm">{html.escape(arm)}</div>'
        f'<p class="bl-text">{to_html(differing(item.text, other.item.text))}</p>'
        f"{picture_with(item)}{steps_html(item.facts.get('steps', ()))}{right}"
    )


def answered_html(member: MemberDetail, scale: OutcomeScale | None) -> str:
    """How a member came out, every response as text, and how the last one was read."""
    return (
        f'<p class="bl-outcome">{html.escape(verdict(member, scale))}</p>'
        f"{_responses(member)}{_how_read(member)}"
    )


def _responses(member: MemberDetail) -> str:
    parts = []
    exchanges = member.stages
    for index, exchange in enumerate(exchanges):
        last = index == len(exchanges) - 1
        parts.append(_thinking(exchange.answered))
        parts.append(f'<p class="bl-faint">{html.escape(_heading(exchange, index, exchanges))}</p>')
        span = member.reading.span if last and member.reading is not None else None
        pieces = span_pieces(response_words(exchange.request, exchange.answered), span)
        shown = to_html(pieces) if pieces else "<i>(nothing)</i>"
        parts.append(f'<div class="bl-pre" role="group" tabindex="0">{shown}</div>')
    return "".join(parts)


def _heading(exchange: Exchange, index: int, exchanges: Sequence[Exchange]) -> str:
    several = len(exchanges) > 1
    name = f"Response {index + 1} of {len(exchanges)}" if several else "The whole response"
    answered = exchange.answered
    notes = []
    if isinstance(answered, Completion):
        notes.append(count(answered.tokens_out, "token"))
        if answered.finish == "length":
            notes.append("cut off at the length allowed")
    if answered.served:
        notes.append(f"served by {answered.served}")
    return f"{name} ({', '.join(notes)})" if notes else name


def _thinking(response: Answered) -> str:
    """What a server returned apart from the answer; closed at first, as it may be long."""
    if not isinstance(response, Completion) or not response.thinking:
        return ""
    words = count(len(response.thinking.split()), "word")
    return (
        '<details class="bl-thinking"><summary>What the model thought before '
        f"({words}, stored separately: no answer is read from it)</summary>"
        f'<div class="bl-pre" role="group" tabindex="0">{html.escape(response.thinking)}</div>'
        "</details>"
    )


def _how_read(member: MemberDetail) -> str:
    if member.reading is None:
        return ""
    return f'<p class="bl-faint">How it was read: {html.escape(member.reading.explanation)}</p>'


def _prompts(member: MemberDetail, arm: str) -> None:
    if not member.requests:
        return
    with st.expander(f"The exact prompt: {arm}"):
        for index, request in enumerate(member.requests):
            if len(member.requests) > 1:
                st.markdown(f"**Request {index + 1} of {len(member.requests)}**")
            show_request(request)


_NONE = ""


@dataclass(frozen=True, slots=True)
class ComparisonRun:
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


def choose_beside(
    run: RunRecord, runs: Sequence[RunRecord], detail: PairDetail
) -> ComparisonRun | None:
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
            f"The link puts a run “{plain(parameter.refused or '')}” next to this one, which has "
            "no answers to this pair, or is not in this file. This run is shown alone."
        )
    if not others:
        return None
    words = labels([run, *others])
    choosing.selectbox(
        "Compare with",
        [_NONE, *(each.id for each in others)],
        format_func=lambda each: words[each] if each else "No other run",
        help="Other runs with this pair. Your choice also applies to the next pairs.",
        **parameter.bind(),
    )
    chosen = next((each for each in others if each.id == parameter.value), None)
    if chosen is None:
        return None
    sample = min(detail.sample, chosen.options.samples - 1)
    samples = queries.samples_of(
        queries.OutcomesState.of(chosen), detail.pair.id, chosen.options.samples
    )
    return ComparisonRun(
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


def draw_beside(detail: PairDetail, other_run: ComparisonRun, study: Experiment) -> None:
    """Both problems one below the other, each with the answers of both runs side by side."""
    arms, scale = study.arms, outcome_scale(study.name)
    there = other_run.detail
    st.html(
        '<div class="bl bl-beside">'
        + _problem(detail.x, detail.x_prime, there.x, arms.x, "x", other_run, scale)
        + _problem(
            detail.x_prime, detail.x, there.x_prime, arms.x_prime, "x-prime", other_run, scale
        )
        + "</div>"
    )
    st.caption(plain(f"What follows is about {other_run.own}."))
    draw_below(detail, study)


def _called(label: str, run: RunRecord, sample: int) -> str:
    return label if run.options.samples == 1 else f"{label} (sample {sample + 1})"


def _problem(
    member: MemberDetail,
    other: MemberDetail,
    there: MemberDetail,
    arm: str,
    side: str,
    other_run: ComparisonRun,
    scale: OutcomeScale | None,
) -> str:
    answers = "".join(
        f'<section class="bl-answer" aria-label="{html.escape(label)}">'
        f"<b>{html.escape(label)}</b>{answered_html(answered, scale)}</section>"
        for label, answered in ((other_run.own, member), (other_run.other, there))
    )
    return (
        f'<section class="bl-card {side}" aria-label="{html.escape(arm)}">'
        f"{asked_html(member, other, arm, scale)}"
        f'<div class="bl-pair">{answers}</div></section>'
    )
