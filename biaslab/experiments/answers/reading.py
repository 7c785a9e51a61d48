"""Reading the number that a response gives as its answer: the rules in their order."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal, TypeAlias

from biaslab.experiments.answers.explicit_rules import (
    boxed,
    first_number,
    marked,
    nothing_there,
    refusal,
    self_correction,
    stated_answer,
)
from biaslab.experiments.answers.final_rules import bold, conclusion, final_statement, unfinished
from biaslab.experiments.answers.findings import RULES, Context, Found, Rule, first_finding, opening
from biaslab.experiments.answers.responses import Response, visible_part
from biaslab.experiments.answers.statements import Passage
from biaslab.experiments.answers.written_numbers import parse_number

STATED_RULES: tuple[Rule, ...] = (
    nothing_there,
    self_correction,
    boxed,
    marked,
    stated_answer,
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
    text: str, *, expects: Expectation = "stated", cut_off: bool = False
) -> NumberReading:
    """Reads the answer from a response. Never raises on any text.

    Args:
        text: the response.
        expects: ``continuation`` where the prompt ends with "The answer (Arabic numerals) is",
            so that a number at the opening is the answer; ``stated`` for free text, of which
            the final statement counts. A continuation that opens with no number is read as
            free text.
        cut_off: the response reached its limit of tokens. A number at its very end may then
            lack digits, and its last sentence is not its conclusion.
    """
    continues = expects == "continuation"
    response = visible_part(text, continuation=continues)
    passage = Passage.of(response.text, response.start, response.end)
    if continues:
        passage = _own_part(response, passage)
    rules = CONTINUATION_RULES if continues else STATED_RULES
    found = first_finding(Context(response, passage, rules, cut_off))
    if found.claim is not None and cut_off and found.claim.end >= len(text):
        found = Found("cut off")
    explanation = RULES[found.rule]
    if found.claim is None:
        return NumberReading(None, "", found.rule, explanation, None)
    span = (found.claim.start, found.claim.end)
    return NumberReading(found.claim.value, text[slice(*span)], found.rule, explanation, span)


def _own_part(response: Response, passage: Passage) -> Passage:
    """The first paragraph alone where it opens with the answer: a base model then goes on."""
    if response.paragraph_end >= response.end:
        return passage
    paragraph = Passage.of(response.text, response.start, response.paragraph_end)
    found = opening(paragraph, paragraph.start)
    return paragraph if found is not None and found.claim is not None else passage


def same_number(a: str, b: str | int | Fraction | Decimal) -> bool:
    """Whether both are numbers and exactly the same one: "12.0" and 12, "1,000" and "1000".

    Text that is no number, or not only a number, is the same as nothing.
    """
    first, second = parse_number(a), parse_number(b) if isinstance(b, str) else Fraction(b)
    return first is not None and first == second
