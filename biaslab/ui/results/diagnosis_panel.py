"""How a wrong answer may have come about: a panel below the two members of a pair."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from biaslab.models import Completion
from biaslab.runs import MemberDetail, PairDetail
from biaslab.runs.answer_words import number_words
from biaslab.studies import Arms
from biaslab.ui.results.diagnosis_words import (
    ShownExplanation,
    alternatives,
    confidence_words,
    expected_rows,
    explanations,
    more_words,
    next_label,
    step_sentences,
    summary,
)
from biaslab.ui.widgets.words import plain
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.diagnosis import (
    Calculation,
    Diagnosis,
    Separation,
    StepReading,
    UnreadStory,
    diagnose_written,
    find_separation,
    first_wrong_step,
    read_calculations,
    read_story,
)
from schoolmath.problems.draws import Draws
from schoolmath.text.written_answers import readable

_PAIRS_OPEN = 3
"""So many explanations by two things at once are shown at once where nothing else fits."""


def draw_diagnosis(detail: PairDetail, arms: Arms) -> None:
    """A panel for each member that was answered wrong, where something can be said."""
    panels = [
        (arm, member, found)
        for arm, member in zip(arms, (detail.x, detail.x_prime), strict=True)
        if (found := _found(member)) is not None
    ]
    for place, (arm, member, found) in zip(_places(len(panels)), panels, strict=True):
        with place, st.container(border=True):
            st.markdown("**How this answer may have come about**")
            exact = f", taken for {found.exact} rounded" if found.exact else ""
            st.caption(plain(f"{arm}: answered {number_words(found.value)}{exact}"))
            st.html(_body(found, _written(member)))
            _draw_next(found, f"{detail.pair.id} {arm}")


def _found(member: MemberDetail) -> DiagnosedAnswer | None:
    reading = member.reading
    if reading is None or reading.outcome != 0:
        return None
    item = member.item
    return found_for(item.text, item.answer, reading.value, item.facts)


def _places(number: int) -> Sequence[st.delta_generator.DeltaGenerator]:
    if number == 2:
        return st.columns(2)
    return [st.container() for _ in range(number)]


def _written(member: MemberDetail) -> str:
    answered = [each.answered for each in member.stages]
    return "\n".join(each.text for each in answered if isinstance(each, Completion))


def _body(found: DiagnosedAnswer, text: str) -> str:
    one, two = explanations(found.diagnosis)
    # What is written is better evidence than what can be worked out from the answer.
    told = _step(found, text)
    says = summary(found.diagnosis, found.value)
    said = f"From the answer alone: {says[0].lower()}{says[1:]}" if told else says
    parts = [told, f"<p><strong>{html.escape(said)}</strong></p>"]
    if one:
        parts.append(_list(one))
    shown = 0 if one else _PAIRS_OPEN
    if two[:shown]:
        parts.append(_list(two[:shown]))
    if two[shown:]:
        parts.append(
            f"<details><summary>{html.escape(more_words(two[shown:]))}</summary>"
            f"{_list(two[shown:])}</details>"
        )
    for left in alternatives(found.diagnosis, found.value):
        parts.append(f'<p class="bl-faint">{html.escape(left)}</p>')
    if letters := confidence_words([*one, *two]):
        parts.append(f'<p class="bl-faint">{html.escape(letters)}</p>')
    return f'<div class="bl bl-diagnosis">{"".join(parts)}</div>'


def _list(shown: Sequence[ShownExplanation]) -> str:
    return f'<ol aria-label="Explanations">{"".join(map(_explanation, shown))}</ol>'


def _explanation(each: ShownExplanation) -> str:
    ids = f' <span class="bl-faint">{html.escape(", ".join(each.ids))}</span>' if each.ids else ""
    trace = " ".join(
        f"<mark>{html.escape(text)}</mark>" if index == each.key_step else html.escape(text)
        for index, text in enumerate(each.trace)
    )
    foot = [
        f"<span>{name}: {html.escape(text)}</span>"
        for name, text in (("To ask", each.ask), ("Source", each.source))
        if text
    ]
    return (
        f"<li><strong>{html.escape(each.name)}</strong>{ids}<p>{html.escape(each.plain)}</p>"
        f"<p>Here: {trace}</p>"
        + "".join(f'<p class="bl-faint">{line}</p>' for line in foot)
        + "</li>"
    )


def _step(found: DiagnosedAnswer, text: str) -> str:
    reading = wrong_step(found, text)
    if reading is None:
        return ""
    headline, details = step_sentences(reading, found.value)
    said = " ".join(readable(reading.sentence).split())
    quoted = f"<p>It says: <q>{html.escape(said)}</q></p>" if said else ""
    return (
        f'<div class="bl-told"><p><strong>In the working: {html.escape(headline)}</strong></p>'
        f"{quoted}<p>{html.escape(details)}</p></div>"
    )


def _draw_next(found: DiagnosedAnswer, name: str) -> None:
    if not found.diagnosis.candidates:
        if found.diagnosis.slip is not None:
            st.caption("A slip seldom comes twice in the same way: any other problem will tell.")
        return
    # In a fragment of its own, so that looking at it runs nothing else again.
    st.fragment(partial(_next, found, name))()


def _next(found: DiagnosedAnswer, name: str) -> None:
    if not st.toggle(next_label(found.diagnosis), key=f"next {name}"):
        return
    separation = next_problem(found)
    if separation.problem is None:
        st.markdown(f"There is none: {plain(separation.reason)}")
        return
    rows = "".join(
        f"<dt>{html.escape(who)}</dt><dd><b>{html.escape(answers)}</b></dd>"
        for who, answers in expected_rows(separation)
    )
    st.html(
        f'<div class="bl bl-diagnosis"><p class="bl-text">{html.escape(separation.problem.stem())}'
        f'</p><dl class="bl bl-facts">{rows}</dl></div>'
    )
    if separation.reason:
        st.caption(plain(f"It does not tell everything apart. {separation.reason}"))


_KEPT = 4096


@dataclass(frozen=True, slots=True)
class DiagnosedAnswer:
    """A wrong answer to a story, and what may be behind it.

    Attributes:
        story: the problem.
        value: the answer as read, such as ``21`` or ``7/2``.
        diagnosis: everything known that gives this answer.
        exact: what the answer was rounded from, such as ``17/3`` for 5.67, where only that is
            explained; "" otherwise.
    """

    story: Story
    value: str
    diagnosis: Diagnosis
    exact: str = ""


def found_for(
    text: str, right: str, value: str | None, facts: Mapping[str, Any] | None = None
) -> DiagnosedAnswer | None:
    """What may be behind an answer; None where there is nothing to diagnose.

    That is a problem that is no word problem of steps, an answer that is no number, and a
    right one.

    Args:
        text: the problem as it was asked.
        right: its right answer.
        value: the answer as read; None: none could be read.
        facts: what the study knows of the problem, for texts that cannot be read.
    """
    story = _story(text)
    known = None if facts is None else Story.of_facts(facts)
    # Reading the text tells of people whom the facts do not name; the facts decide.
    if known is not None and (story is None or story.operations != known.operations):
        story = known
    if story is None or value is None or _number(right) != story.amounts[-1]:
        return None
    return _found_in(story, value)


@lru_cache(maxsize=256)
def next_problem(found: DiagnosedAnswer) -> Separation:
    """The problem to ask next, the same whenever it is asked for."""
    draws = Draws(f"next/{found.story.stem()}/{found.value}")
    return find_separation(found.story, found.diagnosis.candidates, draws)


def wrong_step(found: DiagnosedAnswer, text: str) -> StepReading | None:
    """What went wrong first in a written solution; None for a bare answer."""
    said = read_calculations(text)
    if not any(isinstance(each, Calculation) for each in said) and len(said) < 2:
        return None
    return first_wrong_step(found.story, text)


@lru_cache(maxsize=_KEPT)
def _story(text: str) -> Story | None:
    try:
        return read_story(text)
    except UnreadStory:
        return None


@lru_cache(maxsize=_KEPT)
def _found_in(story: Story, value: str) -> DiagnosedAnswer | None:
    number = _number(value)
    if number is None:
        return None
    written = diagnose_written(story, number)
    if written.diagnosis.correct:
        return None
    return DiagnosedAnswer(story, value, written.diagnosis, written.exact)


def _number(text: str) -> Fraction | None:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None
