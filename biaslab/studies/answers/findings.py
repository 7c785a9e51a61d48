"""What a rule works on and what it finds: a number, or the reason why there is none.

Which number of a sentence the question asks for: by the person that has it, and by the thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from biaslab.studies.answers.asked import (
    MONEY,
    NO_SUBJECT_AFTER,
    NO_UNITS,
    SAYS_OF,
    SOMEBODY,
    QuestionTarget,
    singular,
)
from biaslab.studies.answers.responses import Response
from biaslab.studies.answers.statements import AnswerText, NumberClaim

_CURRENCY = frozenset("$€£")
_CURRENCY_BEHIND = re.compile(r"[ \u00a0]?[€£]")


MOST_WORDS_BEFORE = 40
"""Whose number it is, is looked for so many words before it, which bounds the time."""


def owner(passage: AnswerText, claim: NumberClaim, target: QuestionTarget) -> frozenset[str]:
    """Whom the claim's sentence gives the number to; nobody where that is not plainly said.

    "Ben has 15", "Ben's total is 15"; of "he has 15" and "18 - 3 = 15" nobody.
    """
    tokens = passage.tokens
    at = claim.first - 1
    earliest = max(at - MOST_WORDS_BEFORE, 0)
    while at >= earliest and tokens[at].kind not in {"stop", "line"}:
        word = tokens[at].text.removesuffix("'s")
        if tokens[at].text in SOMEBODY:
            break
        before = tokens[at - 1].text if at else ""
        if word in target.names and before not in NO_SUBJECT_AFTER:
            after = tokens[at + 1]
            says = after.text in SAYS_OF or after.text in {":", "="} or at + 1 == claim.first
            if not says and not tokens[at].text.endswith("'s"):
                break
            names = {word}
            while at and tokens[at - 1].text in {"and", ",", *target.names}:
                at -= 1
                names |= {tokens[at].text} & target.names
            return frozenset(names)
        at -= 1
    return frozenset()


def fits(passage: AnswerText, claim: NumberClaim, target: QuestionTarget) -> bool | None:
    """Whether the claim counts what is asked for; None where neither of both says of what."""
    units = unit_of(passage, claim)
    if not units or not (target.money or target.things):
        return None
    if target.money and units & MONEY:
        return True
    return not units.isdisjoint(target.things)


def unit_of(passage: AnswerText, claim: NumberClaim) -> frozenset[str]:
    """The words behind the number, without endings of the plural; "dollar" for a $."""
    text, tokens = passage.text, passage.tokens
    in_latex = text[claim.end : claim.end + 1] == "$"
    before = claim.start > 0 and text[claim.start - 1] in _CURRENCY and not in_latex
    if before or _CURRENCY_BEHIND.match(text, claim.end):
        return frozenset({"dollar"})
    words: list[str] = []
    for token in tokens[passage.token_at(claim.end) : passage.token_at(claim.end) + 3]:
        if token.kind != "word" or token.text in NO_UNITS or token.text[0] == "/":
            break
        words.append(singular(token.text))
    return frozenset(words)


def chosen(
    passage: AnswerText, claims: Sequence[NumberClaim], target: QuestionTarget
) -> NumberClaim | None:
    """The one of several numbers that the question asks for, where that is plain.

    All the others have to be plainly something else: somebody else's, another thing, or, beside
    a number of what is asked for, behind a preposition.
    """
    if target.people:
        owners = [owner(passage, claim, target) for claim in claims]
        if all(owners):
            pairs = zip(claims, owners, strict=True)
            claims = [claim for claim, who in pairs if who == target.people]
            if len({claim.value for claim in claims}) < 2:
                return _agreed(claims)
    fitting = [claim for claim in claims if fits(passage, claim, target)]
    direct = [claim for claim in fitting if not claim.oblique] or fitting
    unsaid = [claim for claim in claims if fits(passage, claim, target) is None]
    if any(not claim.oblique for claim in unsaid):
        return None
    return _agreed(direct)


def _agreed(claims: Sequence[NumberClaim]) -> NumberClaim | None:
    return claims[-1] if len({claim.value for claim in claims}) == 1 else None


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
