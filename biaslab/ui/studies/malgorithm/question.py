"""One question: what was asked, and for every choice what each model named and why.

What a model wrote is escaped, so it is text whatever it holds.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from biaslab.models import Completion
from biaslab.runs import AnswerState, Exchange, MemberDetail, PairDetail
from biaslab.studies.malgorithm.items import NOT_NAMED, OTHER, RATIONALE, asks_reason
from biaslab.ui.studies.malgorithm import queries as read
from biaslab.ui.widgets.cards import picture_of, span_pieces, to_html
from biaslab.ui.widgets.words import source_words
from schoolmath.text.figures import count


@dataclass(frozen=True, slots=True)
class QuestionAnswers:
    """What one run has about a question.

    Attributes:
        who: what the run is called, plain text.
        pairs: its pairs of this question; none where it was not asked it.
    """

    who: str
    pairs: tuple[PairDetail, ...]

    @property
    def key(self) -> MemberDetail | None:
        """The member with the right choice."""
        return self.pairs[0].x if self.pairs else None

    def member(self, letter: str) -> MemberDetail | None:
        """The member with this choice."""
        members = [*(pair.x_prime for pair in self.pairs), *([self.key] if self.key else [])]
        return next((each for each in members if each.item.facts["choice"] == letter), None)


def draw_question(facts: Mapping[str, Any], answers: Sequence[QuestionAnswers]) -> None:
    """Draws a question with its options and rationales, then a card for every choice.

    Args:
        facts: of an item of the question, as the run in focus has it.
        answers: what each run has about it, the run in focus first.
    """
    st.html(f'<div class="bl bl-stack">{_asked(facts)}{_itself(facts, answers)}</div>')
    noun = facts.get("told", RATIONALE)
    st.header(f"Which {noun} led to each choice?", anchor=False)
    cards = "".join(_choice(letter, facts, answers) for letter in facts["options"])
    st.html(f'<div class="bl bl-stack">{cards}</div>')


def _asked(facts: Mapping[str, Any]) -> str:
    told = facts.get("told", RATIONALE).capitalize()
    options = "".join(
        f"<li><b>{html.escape(letter)}.</b> {html.escape(text)}"
        + (" <b>✓ the right option</b>" if letter == facts["key"] else "")
        + "</li>"
        for letter, text in facts["options"].items()
    )
    rationales = "".join(
        f"<li><b>{html.escape(label)}.</b> {html.escape(text)} "
        f'<span class="bl-faint">– {html.escape(_leads_to(facts, label))}</span></li>'
        for label, text in facts["rationales"].items()
    )
    return (
        '<section class="bl-card" aria-label="The question">'
        f'<p class="bl-text">{html.escape(facts["question"])}</p>'
        f"{picture_of(str(facts['question']), str(facts.get('picture', '')))}"
        '<div class="bl-two"><div><div class="bl-faint">Options</div>'
        f'<ul class="bl-plain">{options}</ul></div>'
        f'<div><div class="bl-faint">{told}s as the model saw them, without what stands '
        f'behind the dash</div><ul class="bl-plain">{rationales}</ul></div></div></section>'
    )


def _leads_to(facts: Mapping[str, Any], label: str) -> str:
    letter = str(facts["letters"].get(label, "?"))
    if letter.startswith(OTHER):
        return "belongs to another question"
    option = f"option {letter}, {facts['options'].get(letter, '')}"
    return f"leads to {option} ({read.rule_words(facts['rules'].get(label, ''))})"


def _itself(facts: Mapping[str, Any], answers: Sequence[QuestionAnswers]) -> str:
    lines = "".join(
        f"<p>{_who(each, answers)}<b>{html.escape(mcq_words(each.key, facts))}</b></p>"
        for each in answers
    )
    return (
        '<section class="bl-card" aria-label="The question itself">'
        f'<div class="bl-faint">Asked the question itself</div>{lines}</section>'
    )


def _who(question: QuestionAnswers, answers: Sequence[QuestionAnswers]) -> str:
    return f"{html.escape(question.who)}: " if len(answers) > 1 else ""


def mcq_words(key: MemberDetail | None, facts: Mapping[str, Any]) -> str:
    """How the question itself was answered, with a mark in front."""
    if key is None:
        return "… was not asked this question"
    if key.reading is None:
        return _absent(key)
    value = key.reading.extra.get("mcq_value")
    if value is None:
        return "? no answer could be read"
    option = f"{value}, {facts['options'].get(value, '')}"
    return f"✓ Right: {option}" if value == facts["key"] else f"✗ Wrong: {option}"


def _absent(member: MemberDetail) -> str:
    if member.state is AnswerState.FAILED:
        return f"– Failed after {count(member.attempts, 'attempt')}: {member.reason}"
    return "… Not asked yet"


def _choice(letter: str, facts: Mapping[str, Any], answers: Sequence[QuestionAnswers]) -> str:
    label = next((label for label, of in facts["letters"].items() if of == letter), "")
    noun = facts.get("told", RATIONALE)
    rule = facts["rules"].get(label, NOT_NAMED)
    is_key = letter == facts["key"]
    side = "x" if is_key else "x-prime"
    name = f"Choice {letter}: {facts['options'][letter]}"
    if is_key:
        what = "the right option"
    elif rule == NOT_NAMED or not label:
        what = "a wrong option"
    else:
        what = f"what {read.rule_words(rule)} gives"
    led = (
        f"{noun[:1].upper() + noun[1:]} that led to it: <b>{html.escape(label)}.</b> "
        f"{html.escape(facts['rationales'][label])}"
        if label
        else f"No {noun} is known for it, so it was not asked."
    )
    told = "".join(_answer(each, letter, answers) for each in answers) if label else ""
    known = _rule(rule, facts.get("problem", {}).get("form", ""))
    return (
        f'<section class="bl-card {side}" aria-label="{html.escape(name)}">'
        f'<div class="bl-arm">{html.escape(name)}</div>'
        f"<p>{html.escape(what[:1].upper() + what[1:])}. {led}</p>"
        f'<div class="bl-pair">{told}</div>{known}</section>'
    )


def _answer(question: QuestionAnswers, letter: str, answers: Sequence[QuestionAnswers]) -> str:
    member = question.member(letter)
    who = f'<p class="bl-faint">{html.escape(question.who)}</p>' if len(answers) > 1 else ""
    if member is None or not asks_reason(member.item.facts):
        what = "choice" if question.pairs else "question"
        return f'<div class="bl-told">{who}<p class="bl-outcome">… Not asked this {what}</p></div>'
    return (
        f'<div class="bl-told {_colour(member)}">{who}'
        f'<p class="bl-outcome">{html.escape(verdict(member))}</p>'
        f"{_named(member)}{_why(member)}</div>"
    )


def verdict(member: MemberDetail) -> str:
    """Whether the rationale was identified, with a mark in front, in words."""
    reading = member.reading
    if reading is None:
        return _absent(member)
    if reading.value is None:
        return "? No answer could be read"
    facts = member.item.facts
    noun = facts.get("told", RATIONALE)
    if reading.value == facts["right"]:
        return f"✓ Right: named {noun} {reading.value}"
    return f"✗ Wrong: named {noun} {reading.value} instead of {facts['right']}"


def _colour(member: MemberDetail) -> str:
    """The class of the card's colour, which repeats what the verdict says."""
    reading = member.reading
    if reading is None or reading.value is None:
        return ""
    return "right" if reading.value == member.item.facts["right"] else "wrong"


def _named(member: MemberDetail) -> str:
    """What was named for it, where that is wrong."""
    reading = member.reading
    facts = member.item.facts
    if reading is None or reading.value in (None, facts["right"]):
        return ""
    value = str(reading.value)
    text = facts["rationales"].get(value, "")
    return f"<p>{html.escape(f'That is “{text}”: it {_leads_to(facts, value)}.')}</p>"


def _why(member: MemberDetail) -> str:
    """The responses about the rationale, the reasoning first."""
    exchanges = about_rationale(member)
    if not exchanges:
        return ""
    *before, last = exchanges
    reasoned = bool(before) or len(_text(last).split()) > 12
    span = member.reading.span if member.reading is not None else None
    parts = [html.escape(_text(each)) for each in before]
    parts.append(to_html(span_pieces(_text(last), span)))
    body = "\n".join(part for part in parts if part) or "<i>(nothing)</i>"
    shown = f'<div class="bl-pre bl-reason" role="group" tabindex="0">{body}</div>'
    explained = member.reading.explanation if member.reading is not None else ""
    how = f'<p class="bl-faint">How it was read: {html.escape(explained)}</p>' if explained else ""
    cut = _cut_off(last)
    thought = _thinking(exchanges)
    if reasoned:
        return f'<p class="bl-faint">Why, in its own words{cut}</p>{shown}{thought}{how}'
    return (
        f'<details class="bl-thinking"><summary>The whole response{cut}</summary>{shown}{how}'
        f"</details>{thought}"
    )


def about_rationale(member: MemberDetail) -> tuple[Exchange, ...]:
    """The exchanges about the rationale, without those that ask the question itself first."""
    exchanges = member.stages
    facts = member.item.facts
    # As many requests ask the question as ask for the rationale; see the study's way of reading.
    if facts["choice"] == facts["key"] and len(exchanges) % 2 == 0:
        return exchanges[len(exchanges) // 2 :]
    return exchanges if facts["choice"] != facts["key"] else ()


def _text(exchange: Exchange) -> str:
    answered = exchange.answered
    return answered.text.strip("\n") if isinstance(answered, Completion) else ""


def _cut_off(exchange: Exchange) -> str:
    answered = exchange.answered
    cut = isinstance(answered, Completion) and answered.finish == "length"
    return " (cut off at the length allowed)" if cut else ""


def _thinking(exchanges: Sequence[Exchange]) -> str:
    thought = "\n".join(
        each.answered.thinking
        for each in exchanges
        if isinstance(each.answered, Completion) and each.answered.thinking
    )
    if not thought:
        return ""
    return (
        '<details class="bl-thinking"><summary>What the model thought before '
        f"({count(len(thought.split()), 'word')}, stored separately: no answer is read from "
        "it)</summary>"
        f'<div class="bl-pre" role="group" tabindex="0">{html.escape(thought)}</div></details>'
    )


def _rule(rule: str, form: str) -> str:
    """What is known of the mal-rule on problems of this form, closed at first."""
    card = read.card(rule)
    if card is None:
        return ""
    lines = {
        "What the pupil does": card.description,
        "What sort of mistake": str(card.kind),
        "Look for": card.look_for,
        "Ask": card.probe,
        "Source": source_words(card, form),
    }
    rows = "".join(
        f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>"
        for name, text in lines.items()
        if text
    )
    return (
        f'<details class="bl-thinking"><summary>About {html.escape(read.rule_words(rule))}'
        f'</summary><dl class="bl bl-facts">{rows}</dl></details>'
    )
