"""Rules on the last sentence with a number, for responses that do not mark their answer."""

from __future__ import annotations

import re

from biaslab.experiments.answers.findings import Context, Found, settle
from biaslab.experiments.answers.statements import Passage, Sentence

_CONCLUDES = re.compile(
    r"(?<![\w'])(?:so(?! (?:far|many|much|that)\b)|therefore|thus|hence|consequently"
    r"|(?:which|that|this) means(?: that)?|in conclusion)(?![\w'])|[∴⇒→]|=>",
    re.IGNORECASE,
)
_PREMISE = re.compile(r"[\s,:*_]{0,6}(?:since|because|if|as|given|when)(?![\w'])", re.IGNORECASE)
_REASON = re.compile(r"(?<![\w'])(?:because|since|as|while|whereas|if)(?![\w'])", re.IGNORECASE)


def conclusion_of(passage: Passage, sentence: Sentence) -> Found | None:
    """What a sentence says after so or therefore, or beside the premise that it gives."""
    text, start, end = passage.text, sentence.start, sentence.end
    concluded = False
    for mark in _CONCLUDES.finditer(text, start, end):
        if passage.has_claim_within(mark.end(), end):
            start, concluded = mark.end(), True
    if _PREMISE.match(text, start, end):
        for token in passage.tokens[passage.token_at(start) : passage.token_at(end)]:
            if token.text == "," and passage.has_claim_within(token.end, end):
                start, concluded = token.end, True
    reason = _REASON.search(text, start, end)
    if reason and passage.has_claim_within(start, reason.start()):
        end, concluded = reason.start(), True
    if not concluded:
        return None
    return settle(passage.claims_within(start, end), "conclusion")


_QUESTION = re.compile(
    r"[^\w]{0,6}(?:how|what|which|who|is|are|does|do|did|can|could|will|would|if)\b", re.IGNORECASE
)
_CHECK = re.compile(
    r"[^\w]{0,6}(?:(?:let's|let me|we can|you can|i can|i'll|to|now)\s(?:\w+\s)?)?"
    r"(?:check|checking|verify|verification|verifying|double-check)\b",
    re.IGNORECASE,
)


def _final_sentence(passage: Passage) -> Sentence | None:
    """The last sentence with a number that is neither a question nor a check of the result."""
    text = passage.text
    chosen: Sentence | None = None
    checking = False
    for sentence in passage.sentences:
        if _CHECK.match(text, sentence.start):
            checking = True
        elif _CONCLUDES.search(text, sentence.start, sentence.end):
            checking = False
        asks = text[sentence.end - 1] == "?" and _QUESTION.match(text, sentence.start)
        if not sentence.claims or asks:
            continue
        if not checking:
            chosen = sentence
        checking = False
    return chosen


_DANGLING = re.compile(
    r"(?:\b(?:has|have|had|is|are|was|were|the|a|an|(?<!or )so|and|or|of|to|with|that|then|by"
    r"|from|gives)"
    r"|[=+×:,])\s*\Z",
    re.IGNORECASE,
)
_ENDING = 40
"""So many last characters show whether a sentence breaks off."""


def unfinished(context: Context) -> Found | None:
    """Before the rules on the last sentence: the response stops short of it."""
    if not context.passage.claims:
        return None
    broken = context.cut_off or _DANGLING.search(context.passage.text[-_ENDING:]) is not None
    return Found("cut off") if broken else None


def conclusion(context: Context) -> Found | None:
    """Ana has 18, so Ben has 15."""
    sentence = _final_sentence(context.passage)
    return conclusion_of(context.passage, sentence) if sentence else None


_BOLD = re.compile(r"\*\*([^*\n]{1,200})\*\*|__([^_\n]{1,200})__|<b>([^<\n]{1,200})</b>")
_MARK = 4
"""A mark of bold may stand so far outside the sentence, for it is blank in the passage."""


def bold(context: Context) -> Found | None:
    """Ben has **15** apples."""
    sentence = _final_sentence(context.passage)
    if sentence is None:
        return None
    start, end = max(sentence.start - _MARK, 0), sentence.end + _MARK
    claims = [
        claim
        for match in _BOLD.finditer(context.response.source, start, end)
        for claim in context.passage.claims_within(*match.span())
    ]
    return settle(claims, "bold") if any(claim.value is not None for claim in claims) else None


def final_statement(context: Context) -> Found | None:
    """Ben has 15 apples. Nothing in it says that it is the answer, so nothing may contradict."""
    passage = context.passage
    sentence = _final_sentence(passage)
    if sentence is None:
        return None
    found = settle(sentence.claims, "final statement")
    earlier = _earlier_conclusion(passage, sentence)
    if found is None or earlier is None or earlier.claim is None:
        return found
    if found.rule == "comparison":
        return earlier
    plain = found.rule == "final statement" and found.claim is not None
    if plain and found.claim and found.claim.value != earlier.claim.value:
        return Found("statements disagree")
    return found


def _earlier_conclusion(passage: Passage, sentence: Sentence) -> Found | None:
    for other in reversed(passage.sentences):
        if other.claims and other.end <= sentence.start:
            found = conclusion_of(passage, other) or _bare_number(other)
            if found is not None:
                return found
    return None


def _bare_number(sentence: Sentence) -> Found | None:
    """A number that is a sentence of its own, such as "15." before an explanation."""
    claim = sentence.claims[0]
    rest = (sentence.end - sentence.start) - (claim.end - claim.start)
    if len(sentence.claims) > 1 or rest > 1 or claim.value is None:
        return None
    return Found("final statement", claim)
