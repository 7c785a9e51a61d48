"""What a rule works on and what it finds: a number, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from biaslab.studies.answers.asked import QuestionTarget
from biaslab.studies.answers.choosing import chosen
from biaslab.studies.answers.responses import Response
from biaslab.studies.answers.statements import AnswerText, NumberClaim

RULES: Mapping[str, str] = MappingProxyType({
    "boxed": "The number in the last \\boxed{...} is the answer.",
    "marked": "The number after the last #### is the answer.",
    "first number": "The response opens with a number, which completes the prompt's sentence.",
    "equation": "The response gives an equation, and the result it states is the answer.",
    "stated answer": "The number that the response calls the answer is read.",
    "alone": "The last result of the working is read: it stands alone on a line below it.",
    "conclusion": "The number that the last sentence concludes with (so, therefore) is read.",
    "bold": "The number set in bold in the last sentence is read.",
    "final statement": "The last sentence with a number holds only this one.",
    "self-correction": "The response corrects itself, and only what follows counts.",
    "empty": "Invalid: the response holds neither words nor numbers.",
    "unfinished thinking": "Invalid: the response ends before the model's thinking does.",
    "unfinished correction": "Invalid: the response takes its answer back and gives no other.",
    "cut off": "Invalid: the response breaks off before it has stated an answer.",
    "refusal": "Invalid: the response says that the answer is unknown or cannot be found.",
    "no number": "Invalid: the response holds no number that could be an answer.",
    "several candidates": "Invalid: the response offers several numbers and does not choose.",
    "range": "Invalid: the response gives a range, or a calculation that looks like one.",
    "unworked expression": "Invalid: the response gives a calculation without its result.",
    "comparison": "Invalid: the response says how much more, fewer or at least, not how many.",
    "unclear number": "Invalid: the number is written in a way that can mean different numbers.",
    "someone else": "Invalid: the last number belongs to somebody whom the question is not about.",
    "unfinished reasoning": "Invalid: the response brings in a new number and stops there.",
    "another unit": "Invalid: the number counts in another unit than the question asks for.",
    "weak evidence": "Invalid: little shows that the last result is the one asked for.",
    "statements disagree": "Invalid: the response states two different answers.",
})  # fmt: skip
"""Every finding's name and its explanation; those that begin with "Invalid" read no number."""

_INVALID_KINDS = {
    "expression": "unworked expression",
    "range": "range",
    "comparison": "comparison",
    "unclear": "unclear number",
}


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """A finding: its name in `RULES`, and the claim that is read unless it is invalid."""

    rule: str
    claim: NumberClaim | None = None

    def named(self, rule: str) -> RuleFinding:
        """The same under another name, unless a more telling name is there already."""
        return RuleFinding(rule, self.claim) if self.rule == "first number" else self


@dataclass(frozen=True, slots=True)
class Context:
    """What rules look at.

    Attributes:
        response: the response and its answering part.
        passage: that part, or less of it, with its numbers.
        asked: what the question asks for.
        rules: the ordered rules in use; a correction starts them again.
        cut_off: the response reached its limit of tokens.
    """

    response: Response
    passage: AnswerText
    asked: QuestionTarget
    rules: Sequence[Rule]
    cut_off: bool


Rule: TypeAlias = Callable[[Context], RuleFinding | None]
"""Reads the response, finds it invalid, or leaves it (None) to the next rule."""


def first_finding(context: Context, *, skipping: Rule | None = None) -> RuleFinding:
    """What the first rule that speaks finds; the last of every table always does."""
    for rule in context.rules:
        found = None if rule is skipping else rule(context)
        if found is not None:
            return found
    return RuleFinding("no number")


def settle(context: Context, claims: Sequence[NumberClaim], rule: str) -> RuleFinding | None:
    """The one number that the claims agree on, or why there is none.

    The result of the last equation outweighs all that stands before it, and what a preposition
    ties to it ("= 50 miles in 7 hours"). Between numbers that differ the question decides: the
    person that it names, and the thing.
    """
    if not claims:
        return None
    last_equation = max((i for i, c in enumerate(claims) if c.kind == "equation"), default=0)
    rest = claims[last_equation:]
    if rest[0].kind == "equation":
        rest = [claim for claim in rest if claim is rest[0] or not claim.oblique]
    numbers = [claim for claim in rest if claim.value is not None]
    if len({claim.value for claim in numbers}) > 1:
        one = _the_one(context, numbers)
        if one is not None and (one is rest[0] or rest[0].kind != "equation"):
            rest = numbers = [one]
    if len({claim.value for claim in numbers}) > 1:
        ranges = any(claim.next_link == "range" for claim in rest)
        return RuleFinding("range" if ranges else "several candidates")
    if not numbers:
        return RuleFinding(_INVALID_KINDS[rest[-1].kind])
    name = "equation" if rest[0].kind == "equation" else rule
    if len(numbers) == len(rest):
        return RuleFinding(
            name, next((each for each in reversed(rest) if not each.oblique), rest[-1])
        )
    # A number beside something that is none: "so Ben has 15, 3 fewer than Ana".
    beside = {claim.kind for claim in rest if claim.value is None}
    if rest[0].value is None or name == "final statement" or not beside <= _ASIDES:
        return RuleFinding("several candidates")
    return RuleFinding(name, rest[0])


def _the_one(context: Context, numbers: Sequence[NumberClaim]) -> NumberClaim | None:
    """Of numbers that differ the one that the question asks for, or that the working came to.

    "37 pencils are left of the 27 pencils" says 37 where the problem gives 27 and the last result
    was 37. Where the question's thing points to a number of the problem, and the result is beside
    it ("9 boxes that hold 3 marbles"), neither is taken.
    """
    one = chosen(context.passage, numbers, context.asked)
    before = [
        claim
        for claim in context.passage.claims
        if claim.kind == "equation" and claim.value is not None and claim.end <= numbers[0].start
    ]
    given = context.asked.given
    if not before or not given or before[-1].value in given:
        return one
    results = [claim for claim in numbers if claim.value == before[-1].value]
    others = {claim.value for claim in numbers} - {before[-1].value}
    if not results or not others <= given:
        return one
    return results[-1] if one is None or one.value == results[-1].value else None


_ASIDES = {"comparison", "expression"}
_FILLERS = frozenset({
    *("about", "approximately", "around", "roughly", "exactly", "just", "only", "simply", "still"),
    *("now", "equal", "to", "definitely", "probably", "maybe", "perhaps", "likely", "clearly"),
    *("therefore", "thus", "so", "it", "is", "it's", "a", "total", "of", "the", "number", "value"),
    *("that", "(", "[", "{", "}", "]", ":", "=", "≈", "–", "—", "-"),
})  # fmt: skip


def opening(passage: AnswerText, at: int) -> RuleFinding | None:
    """What a number right at this position says, if there is one ("first number")."""
    index = passage.token_at(at)
    while index < len(passage.tokens) and _may_precede(passage, index):
        index += 1
    first = passage.claim_at(index)
    if first == len(passage.claims) or passage.claims[first].first != index:
        return None
    claim = passage.claims[first]
    if claim.kind in _INVALID_KINDS:
        return RuleFinding(_INVALID_KINDS[claim.kind])
    following = first
    while passage.claims[following].next_link:
        link, following = passage.claims[following].next_link, following + 1
        other = passage.claims[following]
        aside = link == "list" and other.kind in _ASIDES
        if other.value != claim.value and not aside:
            return RuleFinding("range" if link == "range" else "several candidates")
    return RuleFinding("equation" if claim.kind == "equation" else "first number", claim)


def _may_precede(passage: AnswerText, index: int) -> bool:
    """Whether a token may stand before an opening number: a bracket, "about", "A:"."""
    token = passage.tokens[index]
    if token.kind == "line" or token.text in _FILLERS:
        return True
    if token.kind == "word" and len(token.text) == 1 and index + 1 < len(passage.tokens):
        return passage.tokens[index + 1].text in {":", "="}
    return False
