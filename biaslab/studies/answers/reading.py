"""Reading the number that a response gives as its answer: the rules in their order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal, TypeAlias

from biaslab.studies.answers.asked import NOTHING_KNOWN, QuestionTarget
from biaslab.studies.answers.explicit_rules import (
    alone,
    bare_opening,
    boxed,
    first_number,
    marked,
    nothing_there,
    opening_of_chat,
    refusal,
    self_correction,
    stated_answer,
)
from biaslab.studies.answers.final_rules import bold, conclusion, final_statement, unfinished
from biaslab.studies.answers.findings import (
    RULES,
    Context,
    Rule,
    RuleFinding,
    first_finding,
    unit_of,
)
from biaslab.studies.answers.responses import Response, visible_part
from biaslab.studies.answers.statements import AnswerText, is_of_another_unit
from biaslab.studies.answers.written_numbers import parse_number

_MARKED_FIRST: tuple[Rule, ...] = (nothing_there, self_correction, boxed, marked)
_FREE: tuple[Rule, ...] = (alone, unfinished, refusal, conclusion, bold, final_statement)

Form: TypeAlias = Literal["chat", "text"]
"""How the model was addressed: a turn that it answers, or a text that it continues."""

RULES_OF: Mapping[Form, tuple[Rule, ...]] = {
    "chat": (*_MARKED_FIRST, stated_answer, opening_of_chat, *_FREE),
    "text": (*_MARKED_FIRST, first_number, stated_answer, *_FREE),
}
"""The rules in their order. The first that speaks decides; after the last: no number."""


@dataclass(frozen=True, slots=True)
class NumberReading:
    """The number that a response was taken to give.

    Attributes:
        value: exactly the number, or None where none could be read.
        text: the number as written, or "".
        rule: a name of `RULES`.
        explanation: that rule in one sentence.
        span: where the number stands in the response, as (start, end).
    """

    value: Fraction | None
    text: str
    rule: str
    explanation: str
    span: tuple[int, int] | None


def read_number(
    text: str, *, target: QuestionTarget = NOTHING_KNOWN, form: Form = "chat", cut_off: bool = False
) -> NumberReading:
    """Reads the answer from a response. Never raises on any text.

    Args:
        text: the response.
        target: what the question asks for (`asked_by`); it decides between several numbers.
        form: ``chat`` where the response answers a turn: all of it counts, and an answer that is
            marked or stated outweighs a number at the opening. ``text`` where it continues a
            prompt that ends with "The answer (Arabic numerals) is": a number at the opening
            completes that sentence, and what stands below it is the model's own going on.
        cut_off: the response reached its limit of tokens. A number at its very end may then
            lack digits, and its last sentence is not its conclusion.
    """
    response = visible_part(text, goes_on=form == "text")
    if form == "chat" and response.next_task < response.end:
        before = _finding(response.until(response.next_task), target, form, cut_off=False)
        if before.value is not None:
            return before
    return _finding(response, target, form, cut_off=cut_off)


def _finding(
    response: Response, target: QuestionTarget, form: Form, *, cut_off: bool
) -> NumberReading:
    passage = AnswerText.of(response.text, response.start, response.end, target=target)
    if form == "text":
        passage = _part_of_model(response, passage)
    found = first_finding(Context(response, passage, target, RULES_OF[form], cut_off))
    if cut_off and (found.claim is None or found.claim.end >= len(response.source)):
        found = RuleFinding("cut off")
    if found.claim is not None:
        number = response.source[found.claim.start : found.claim.end]
        if is_of_another_unit(unit_of(passage, found.claim), number, target):
            found = RuleFinding("another unit")
    explanation = RULES[found.rule]
    if found.claim is None:
        return NumberReading(None, "", found.rule, explanation, None)
    span = (found.claim.start, found.claim.end)
    written = response.source[slice(*span)]
    value = found.claim.value
    if value is not None and target.percent and _PERCENT.search(written):
        value *= 100
    return NumberReading(value, written, found.rule, explanation, span)


_PERCENT = re.compile(r"(?:%|％|per\s?cent)\s*\Z", re.IGNORECASE)


def _part_of_model(response: Response, passage: AnswerText) -> AnswerText:
    """The first paragraph alone where it is the answer: a base model then goes on."""
    if response.paragraph_end >= response.end:
        return passage
    paragraph = AnswerText.of(
        response.text, response.start, response.paragraph_end, target=passage.asked
    )
    return paragraph if bare_opening(paragraph) is not None else passage


def same_number(a: str, b: str | int | Fraction | Decimal) -> bool:
    """Whether both are numbers and exactly the same one: "12.0" and 12, "1,000" and "1000".

    Text that is no number, or not only a number, is the same as nothing.
    """
    first, second = parse_number(a), parse_number(b) if isinstance(b, str) else Fraction(b)
    return first is not None and first == second
