"""Which number of a sentence the question asks for: by the person that has it, and by the thing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from biaslab.studies.answers.asked import QuestionTarget, singular
from biaslab.studies.answers.statements import AnswerText, NumberClaim
from biaslab.studies.answers.word_classes import (
    MONEY,
    NO_SUBJECT_AFTER,
    NO_UNITS,
    SAYS_OF,
    SOMEBODY,
)

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
