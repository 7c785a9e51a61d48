"""How a wrong answer may have come about, in words for people who teach."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from biaslab.models import Completion
from biaslab.runs import MemberDetail, PairDetail
from biaslab.runs.store.records import number_words
from biaslab.studies import Arms
from biaslab.ui.widgets.cards import SIGNS
from biaslab.ui.widgets.words import CONFIDENCE, plain
from schoolmath.malrules.answers import Working
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.diagnosis import (
    SLIPPED,
    Calculation,
    Candidate,
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
from schoolmath.malrules.rules import Card, rules
from schoolmath.problems.draws import Draws
from schoolmath.text.figures import count
from schoolmath.text.written_answers import readable

_OPERATION = re.compile(r"\b(needs|has) ([-+*/])(?![^\s.])")

SLIP = "Correct method with one slip"
NO_KNOWN_RULE = "No known rule"
SEVERAL = "Several explanations fit"


@dataclass(frozen=True, slots=True)
class ShownExplanation:
    """One way to come to an answer, as it is shown.

    Attributes:
        name: of what is done; ids: of its rules, empty for a slip.
        plain: what is done, in general.
        trace: what is done in this problem, a sentence a step.
        key_step: index of the sentence where it goes wrong.
        source: where the rules are known from, with the letter of confidence; "" for a slip.
        ask: a question that may show whether this is it; "" where there is none.
    """

    name: str
    ids: tuple[str, ...]
    plain: str
    trace: tuple[str, ...]
    key_step: int
    source: str
    ask: str


def summary(diagnosis: Diagnosis, answer: str) -> str:
    """What can be said at all of an answer, in a sentence; never one name where several fit."""
    if diagnosis.unknown:
        return (
            f"{NO_KNOWN_RULE} gives {answer} here, and no slip and no two rules together do. "
            "That is not the same as having no misconception."
        )
    if diagnosis.ambiguous:
        return f"{SEVERAL}. The answer {answer} alone cannot tell us which one it was."
    if diagnosis.slip is not None:
        return f"{SLIP}: that alone gives {answer}, and no single rule does."
    if diagnosis.single:
        return f"One known rule gives {answer}, and no single slip does."
    return f"No single rule and no slip gives {answer}, but two things at once do."


def brief(diagnosis: Diagnosis) -> str:
    """What may be behind an answer in a few words, for lists."""
    if diagnosis.unknown:
        return "no known rule"
    if diagnosis.ambiguous:
        return "several explanations"
    if diagnosis.slip is not None:
        return "a slip"
    # Two things are no name for a list, which has not seen the working.
    return names_of(diagnosis.single[0].rules) if diagnosis.single else "two things at once"


def explanations(diagnosis: Diagnosis) -> tuple[list[ShownExplanation], list[ShownExplanation]]:
    """Everything that gives the answer, in order: what takes one thing, and what takes two."""
    plain = [_explained(each) for each in diagnosis.single]
    if diagnosis.slip is not None:
        what = diagnosis.slip.what
        plain.append(
            ShownExplanation(
                f"{SLIP}: {what}", (), "Everything is understood; one calculation went wrong.",
                _sentences(diagnosis.slip.trace), diagnosis.slip.trace.key_step, "", "",
            )
        )  # fmt: skip
    return plain, [_explained(each) for each in diagnosis.candidates if len(each.rules) > 1]


def alternatives(diagnosis: Diagnosis, value: str) -> list[str]:
    """What is left beside the explanations, in sentences."""
    if diagnosis.unknown:
        return []
    answer = number_words(value)
    left = [] if diagnosis.slip is not None else [f"{SLIP}: no single slip gives {answer}."]
    left.append(
        f"{NO_KNOWN_RULE}: always possible. These are the explanations that the catalogue "
        "knows, found from the answer alone."
    )
    return left


def names_of(ids: Sequence[str]) -> str:
    """Rules by their names, in the order in which they are applied."""
    known = rules()
    return ", then ".join(
        "a slip" if each == SLIPPED else known[each].card.name if each in known else each
        for each in ids
    )


def _explained(candidate: Candidate) -> ShownExplanation:
    known = rules()
    found: list[Card] = [known[each].card for each in candidate.rules if each != SLIPPED]
    name = names_of(candidate.rules)
    ids = tuple(card.id for card in found)
    return ShownExplanation(
        name=f"{name[:1].upper()}{name[1:]}",
        ids=ids,
        plain=" ".join(card.description for card in found),
        trace=_sentences(candidate.trace),
        key_step=candidate.trace.key_step,
        source="; ".join(f"{card.source} ({card.confidence.value})" for card in found),
        ask=found[0].probe if len(candidate.rules) == 1 else "",
    )


def _sentences(working: Working) -> tuple[str, ...]:
    return tuple(f"{step.text[:1].upper()}{step.text[1:]}." for step in working.steps)


def confidence_words(explanations: Sequence[ShownExplanation]) -> str:
    """What the letters that stand beside these sources mean."""
    known = rules()
    letters = sorted({known[each].card.confidence for one in explanations for each in one.ids})
    told = "; ".join(f"{letter.value} is {CONFIDENCE[letter]}" for letter in letters)
    return f"Letters after sources: {told}. No citation was opened page by page." if told else ""


def next_label(diagnosis: Diagnosis) -> str:
    """What the next problem is for."""
    plain = len(diagnosis.single) + (diagnosis.slip is not None)
    if plain > 1 or diagnosis.ambiguous:
        return "Show the next problem that separates them"
    return "Show a next problem that would test this"


def expected_rows(next_one: Separation) -> list[tuple[str, str]]:
    """What each explanation, and the correct method, answers on the next problem."""
    if next_one.problem is None:
        return []
    right = next_one.problem.solve().answer.shown
    # Next to a fraction, a fraction.
    words = str if "/" in right else number_words
    rows = [
        (names_of(each.rules), " or ".join(map(words, each.answers))) for each in next_one.expected
    ]
    rows = [(name, answers or "the right answer as well") for name, answers in rows]
    return [("correct method", right), *rows]


def step_sentences(reading: StepReading, value: str) -> tuple[str, str]:
    """What went wrong first in the working: a headline, and the details.

    Args:
        reading: of `first_wrong_step`.
        value: the answer as read.
    """
    if not reading.told:
        return "we cannot tell which step went wrong first.", reading.why
    if reading.found is None:
        return (
            f"no step of it is wrong, and yet the answer is {number_words(value)}.",
            reading.why,
        )
    result = f"{number_words(str(reading.found))} in place of {reading.expected}"
    where = (
        "its first calculation is none of the story's steps"
        if reading.step is None
        else f"step {reading.step + 1} is the first that went wrong"
    )
    gives = f"gives {number_words(str(reading.found))}"
    fits = []
    if reading.rules:
        # Operation and number are two findings: the rules are those of the operation.
        what = "The operation" if reading.miscalculated else "It"
        fits.append(f"{what} fits: {' or '.join(names_of([each]) for each in reading.rules)}.")
    if reading.slip:
        also = " as well" if reading.rules else ""
        fits.append(f"A slip at this step {gives}{also}.")
    if not fits:
        fits.append(f"No known rule {gives} at this step.")
    return f"{where}: {result}.", " ".join([_with_signs(reading.why), *fits])


def _with_signs(why: str) -> str:
    """Operations as they are written by hand."""
    return _OPERATION.sub(lambda found: f"{found[1]} {SIGNS[found[2]]}", why)


def more_words(pairs: Sequence[ShownExplanation]) -> str:
    """A heading for explanations that need two things at once."""
    return f"{count(len(pairs), 'explanation')} with two things at once, which is rarer"


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


def _body(diagnosis: DiagnosedAnswer, text: str) -> str:
    one, two = explanations(diagnosis.diagnosis)
    # What is written is better evidence than what can be worked out from the answer.
    told = _step(diagnosis, text)
    says = summary(diagnosis.diagnosis, number_words(diagnosis.value))
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
    for left in alternatives(diagnosis.diagnosis, diagnosis.value):
        parts.append(f'<p class="bl-faint">{html.escape(left)}</p>')
    if letters := confidence_words([*one, *two]):
        parts.append(f'<p class="bl-faint">{html.escape(letters)}</p>')
    return f'<div class="bl bl-diagnosis">{"".join(parts)}</div>'


def _list(explanations: Sequence[ShownExplanation]) -> str:
    return f'<ol aria-label="Explanations">{"".join(map(_explanation, explanations))}</ol>'


def _explanation(explanation: ShownExplanation) -> str:
    ids = (
        f' <span class="bl-faint">{html.escape(", ".join(explanation.ids))}</span>'
        if explanation.ids
        else ""
    )
    trace = " ".join(
        f"<mark>{html.escape(text)}</mark>" if index == explanation.key_step else html.escape(text)
        for index, text in enumerate(explanation.trace)
    )
    foot = [
        f"<span>{name}: {html.escape(text)}</span>"
        for name, text in (("To ask", explanation.ask), ("Source", explanation.source))
        if text
    ]
    return (
        f"<li><strong>{html.escape(explanation.name)}</strong>{ids}<p>{html.escape(explanation.plain)}</p>"
        f"<p>Here: {trace}</p>"
        + "".join(f'<p class="bl-faint">{line}</p>' for line in foot)
        + "</li>"
    )


def _step(diagnosis: DiagnosedAnswer, text: str) -> str:
    reading = wrong_step(diagnosis, text)
    if reading is None:
        return ""
    headline, details = step_sentences(reading, diagnosis.value)
    said = " ".join(readable(reading.sentence).split())
    quoted = f"<p>It says: <q>{html.escape(said)}</q></p>" if said else ""
    return (
        f'<div class="bl-told"><p><strong>In the working: {html.escape(headline)}</strong></p>'
        f"{quoted}<p>{html.escape(details)}</p></div>"
    )


def _draw_next(diagnosis: DiagnosedAnswer, name: str) -> None:
    if not diagnosis.diagnosis.candidates:
        if diagnosis.diagnosis.slip is not None:
            st.caption("A slip seldom comes twice in the same way: try any other problem.")
        return
    # In a fragment of its own, so that looking at it runs nothing else again.
    st.fragment(partial(_next, diagnosis, name))()


def _next(diagnosis: DiagnosedAnswer, name: str) -> None:
    if not st.toggle(next_label(diagnosis.diagnosis), key=f"next {name}"):
        return
    separation = next_problem(diagnosis)
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
        st.caption(plain(f"It cannot separate all explanations. {separation.reason}"))


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
def next_problem(diagnosis: DiagnosedAnswer) -> Separation:
    """The problem to ask next, the same whenever it is asked for."""
    draws = Draws(f"next/{diagnosis.story.stem()}/{diagnosis.value}")
    return find_separation(diagnosis.story, diagnosis.diagnosis.candidates, draws)


def wrong_step(diagnosis: DiagnosedAnswer, text: str) -> StepReading | None:
    """What went wrong first in a written solution; None for a bare answer."""
    said = read_calculations(text)
    if not any(isinstance(each, Calculation) for each in said) and len(said) < 2:
        return None
    return first_wrong_step(diagnosis.story, text)


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
