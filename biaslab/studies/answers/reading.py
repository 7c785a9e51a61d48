"""Reading the number that a response gives as its answer: the rules in their order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal, TypeAlias

from biaslab.studies.answers.asked import NOTHING_KNOWN, Asked
from biaslab.studies.answers.choosing import unit_of
from biaslab.studies.answers.explicit_rules import (
    alone,
    boxed,
    first_number,
    marked,
    nothing_there,
    refusal,
    self_correction,
    stated_answer,
)
from biaslab.studies.answers.final_rules import bold, conclusion, final_statement, unfinished
from biaslab.studies.answers.findings import RULES, Context, Found, Rule, first_finding, opening
from biaslab.studies.answers.responses import Response, visible_part
from biaslab.studies.answers.statements import Claim, Passage
from biaslab.studies.answers.written_numbers import parse_number

STATED_RULES: tuple[Rule, ...] = (
    nothing_there,
    self_correction,
    boxed,
    marked,
    stated_answer,
    alone,
    refusal,
    unfinished,
    conclusion,
    bold,
    final_statement,
)
"""The rules for free text. The first that speaks decides; after the last: no number."""

CONTINUATION_RULES: tuple[Rule, ...] = (
    nothing_there,
    self_correction,
    boxed,
    marked,
    first_number,
    stated_answer,
    alone,
    refusal,
    unfinished,
    conclusion,
    bold,
    final_statement,
)
"""The rules for a response that continues "The answer (Arabic numerals) is"."""

Expectation: TypeAlias = Literal["stated", "continuation"]


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
    text: str,
    *,
    asked: Asked = NOTHING_KNOWN,
    expects: Expectation = "stated",
    cut_off: bool = False,
) -> NumberReading:
    """Reads the answer from a response. Never raises on any text.

    Args:
        text: the response.
        asked: what the question asks for (`asked_by`); it decides between several numbers.
        expects: ``continuation`` where the prompt ends with "The answer (Arabic numerals) is",
            so that a number at the opening is the answer; ``stated`` for free text, of which
            the final statement counts. A continuation that opens with no number is read as
            free text.
        cut_off: the response reached its limit of tokens. A number at its very end may then
            lack digits, and its last sentence is not its conclusion.
    """
    continues = expects == "continuation"
    response = visible_part(text, continuation=continues)
    passage = Passage.of(response.text, response.start, response.end, compares=asked.difference)
    if continues:
        passage = _part_of_model(response, passage)
    rules = CONTINUATION_RULES if continues else STATED_RULES
    found = first_finding(Context(response, passage, asked, rules, cut_off))
    if found.claim is not None and cut_off and found.claim.end >= len(text):
        found = Found("cut off")
    if found.claim is not None and _is_of_another_unit(passage, found.claim, asked):
        found = Found("another unit")
    explanation = RULES[found.rule]
    if found.claim is None:
        return NumberReading(None, "", found.rule, explanation, None)
    span = (found.claim.start, found.claim.end)
    written = text[slice(*span)]
    value = found.claim.value
    if value is not None and asked.percent and _PERCENT.search(written):
        value *= 100
    return NumberReading(value, written, found.rule, explanation, span)


_PERCENT = re.compile(r"(?:%|％|per\s?cent)\s*\Z", re.IGNORECASE)


def _is_of_another_unit(passage: Passage, claim: Claim, asked: Asked) -> bool:
    """Whether dollars stand where cents, or things that are no money, are asked for."""
    if "dollar" not in unit_of(passage, claim):
        return False
    return asked.cents or (bool(asked.things) and not asked.money)


def _part_of_model(response: Response, passage: Passage) -> Passage:
    """The first paragraph alone where it opens with the answer: a base model then goes on."""
    if response.paragraph_end >= response.end:
        return passage
    paragraph = Passage.of(
        response.text, response.start, response.paragraph_end, compares=passage.compares
    )
    found = opening(paragraph, paragraph.start)
    return paragraph if found is not None and found.claim is not None else passage


def same_number(a: str, b: str | int | Fraction | Decimal) -> bool:
    """Whether both are numbers and exactly the same one: "12.0" and 12, "1,000" and "1000".

    Text that is no number, or not only a number, is the same as nothing.
    """
    first, second = parse_number(a), parse_number(b) if isinstance(b, str) else Fraction(b)
    return first is not None and first == second
