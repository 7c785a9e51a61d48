"""Rules on the last sentence with a number, for responses that do not mark their answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from biaslab.studies.answers.asked import SOMEBODY
from biaslab.studies.answers.findings import Context, RuleFinding, fits, owner, settle
from biaslab.studies.answers.statements import AnswerSentence, AnswerText, NumberClaim
from biaslab.studies.answers.written_numbers import AnswerToken, parse_number

_CONCLUDES = re.compile(
    r"(?<![\w'])(?:so(?! (?:far|many|much|that)\b)|therefore|thus|hence|consequently"
    r"|(?:which|that|this) means(?: that)?|in conclusion|for a total of|in total|altogether)"
    r"(?![\w'])|[∴⇒→]|=>",
    re.IGNORECASE,
)
_PREMISE = re.compile(r"[\s,:*_]{0,6}(?:since|because|if|as|given|when)(?![\w'])", re.IGNORECASE)
_REASON = re.compile(
    r"(?<![\w'])(?:because|since|as(?= (?:he|she|they|it|there|we|each|(?-i:[A-Z])))|while|whereas"
    r"|if)(?![\w'])",
    re.IGNORECASE,
)


def conclusion_of(context: Context, sentence: AnswerSentence) -> RuleFinding | None:
    """What a sentence says after so or therefore, or beside the premise that it gives."""
    passage = context.passage
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
        behind = passage.claims_within(reason.end(), end)
        works = any(claim.kind == "equation" for claim in behind)
        if reason[0].lower() == "because" or not works:
            end, concluded = reason.start(), True
    if not concluded:
        return None
    found = settle(context, passage.claims_within(start, end), "conclusion")
    worked = [
        claim
        for claim in passage.claims_within(end, sentence.end)
        if claim.kind == "equation" and claim.value is not None
    ]
    if found and found.claim and worked and worked[-1].value != found.claim.value:
        return RuleFinding("statements disagree")  # Ben has 30 because 10 + 3 = 13.
    return found


_QUESTION = re.compile(
    r"[^\w]{0,6}(?:how|what|which|who|is|are|does|do|did|can|could|will|would|if)\b", re.IGNORECASE
)
_CHECK = re.compile(
    r"[^\w]{0,8}(?:(?:let's|let me|we can|you can|i can|i'll|to|now|quick|final)\s(?:\w+\s)?)?"
    r"(?:check|checking|verify|verification|verifying|double-check|proof|sanity check"
    r"|(?:an )?(?:alternative|another|other|different)\s(?:way|method|approach|solution)\w*"
    r"|(?:you|we) (?:can|could) also)\b",
    re.IGNORECASE,
)


def _telling(passage: AnswerText) -> list[AnswerSentence]:
    """The sentences with a number that are neither a question nor a check of the result."""
    text = passage.text
    telling: list[AnswerSentence] = []
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
            telling.append(sentence)
        checking = False
    return telling


def final_sentence(context: Context) -> AnswerSentence | RuleFinding | None:
    """The last sentence that tells a result of the person asked about, or why none is the last.

    What the problem itself gives is no result: a sentence that only repeats it is passed over,
    and one that brings in a number of the problem that was not used yet shows that the reasoning
    stops short. Nor is what somebody else has.
    """
    asked, passage = context.asked, context.passage
    telling = _telling(passage)
    if not telling:
        return None
    listed = {each.claims[0].value for each in telling[-2:] if _is_bare(passage, each)}
    if len(listed) > 1:
        return RuleFinding("several candidates")
    passed: list[AnswerSentence] = []
    for sentence in reversed(telling):
        if _is_about_others(context, sentence):
            passed.append(sentence)
            continue
        if not _is_given(context, sentence):
            of_others = any(_is_about_others(context, other) for other in passed)
            if of_others and asked.people != _owner(context, sentence):
                return RuleFinding("someone else")
            return _unless_unsettled(context, sentence, passed)
        passed.append(sentence)
    # Nothing but what the problem gives, or what others have.
    last = telling[-1]
    return RuleFinding("someone else") if _is_about_others(context, last) else last


def _is_bare(passage: AnswerText, sentence: AnswerSentence) -> bool:
    """Whether it is one number, with its unit at most: the line of a list."""
    if len(sentence.claims) != 1 or sentence.claims[0].kind != "number":
        return False
    first, end = passage.token_at(sentence.start), passage.token_at(sentence.end)
    at = sentence.claims[0].first
    before = any(token.text[0].isalpha() for token in passage.tokens[first:at])
    return not before and sum(token.kind == "word" for token in passage.tokens[at:end]) <= _UNIT


_UNIT = 2
"""A unit has so many words at most, as in "12 blue pens"."""


def _unless_unsettled(
    context: Context, sentence: AnswerSentence, passed: Sequence[AnswerSentence]
) -> AnswerSentence | RuleFinding:
    asked, passage = context.asked, context.passage
    result = settle(context, sentence.claims, "final statement")
    if _undoes(passage, sentence) or _counts_something_else(context, sentence):
        return RuleFinding("statements disagree")
    told = {
        token.value for token in passage.tokens[: passage.token_at(sentence.end)] if token.value
    }
    for other in passed:
        values = {claim.value for claim in other.claims if claim.value is not None}
        if result is not None and result.claim is not None and values == {result.claim.value}:
            continue
        if _is_about_others(context, other):
            continue
        if any(fits(passage, claim, asked) for claim in other.claims):
            return RuleFinding(WEAK)
        if not values <= told:
            return RuleFinding("unfinished reasoning")
        if asked.people and _owner(context, other) == asked.people and values:
            return RuleFinding("statements disagree")
    return sentence


def _owner(context: Context, sentence: AnswerSentence) -> frozenset[str]:
    return owner(context.passage, sentence.claims[-1], context.asked)


def _is_about_others(context: Context, sentence: AnswerSentence) -> bool:
    """Whether the sentence plainly tells what others have, or only some of those asked about."""
    people = context.asked.people
    if not people or _CUES.search(context.passage.text, sentence.start, sentence.end):
        return False
    owners = [owner(context.passage, claim, context.asked) for claim in sentence.claims]
    if context.asked.difference:
        return all(owners) and all(
            claim.kind != "equation" and not _MORE.match(context.passage.text, claim.end)
            for claim in sentence.claims
        )
    return all(who and who != people for who in owners)


_CUES = re.compile(r"\b(?:answer|in total|altogether|result)\b", re.IGNORECASE)
_MORE = re.compile(r"(?:\s+\w+){0,2}?\s+(?:more|fewer|less|older|younger|\w+er)\b", re.IGNORECASE)
_BRINGS_TO_AN_END = re.compile(
    r"\b(?:now|finally|in the end|altogether|in total|total|left|remain\w*|answer|ends? up)\b"
    r"|\A[^\w]*\w+[^\w]*\Z",
    re.IGNORECASE,
)


def _is_given(context: Context, sentence: AnswerSentence) -> bool:
    """Whether the sentence only repeats numbers of the problem, and concludes nothing."""
    if any(claim.kind == "equation" for claim in sentence.claims):
        return False
    text = context.passage.text[sentence.start : sentence.end]
    if _CONCLUDES.search(text) or _BRINGS_TO_AN_END.search(text):
        return False
    values = {claim.value for claim in sentence.claims if claim.value is not None}
    return bool(values) and values <= context.asked.given


def _undoes(passage: AnswerText, sentence: AnswerSentence) -> bool:
    """Whether a bare equation takes an earlier one back: 18 - 3 = 15, then 15 + 3 = 18.

    It may check the earlier result or be the next step.
    """
    last = sentence.claims[-1]
    numbers = _numbers(passage, last)
    bare = passage.tokens[passage.token_at(sentence.start)].kind != "word"
    if not bare or last.kind != "equation" or len(numbers) != 3 or last.value is None:
        return False
    return any(
        claim.kind == "equation"
        and claim.value != last.value
        and _numbers(passage, claim) == numbers
        for claim in passage.claims
        if claim.end <= sentence.start
    )


def _counts_something_else(context: Context, sentence: AnswerSentence) -> bool:
    """Whether the sentence plainly states a number of another thing, and one before of this."""
    passage, asked = context.passage, context.asked
    text = passage.text[sentence.start : sentence.end]
    if _CONCLUDES.search(text) or any(claim.kind == "equation" for claim in sentence.claims):
        return False
    if any(fits(passage, claim, asked) is not False for claim in sentence.claims):
        return False
    return any(
        claim.value is not None and claim.value not in asked.given and fits(passage, claim, asked)
        for claim in passage.claims
        if claim.end <= sentence.start
    )


def _numbers(passage: AnswerText, claim: NumberClaim) -> list[Fraction]:
    tokens = passage.tokens[claim.first : claim.last + 1]
    return sorted(token.value for token in tokens if token.value is not None)


_DANGLING = re.compile(
    r"(?:\b(?:has|have|had|is|are|was|were|the|a|an|(?<!or )so|and|or|of|to|with|that|then|by"
    r"|from|gives)"
    r"|[=+×:,])\s*\Z",
    re.IGNORECASE,
)
_ENDING = 40
"""So many last characters show whether a sentence breaks off."""


def unfinished(context: Context) -> RuleFinding | None:
    """Before the rules on the last sentence: the response stops short of it."""
    if not context.passage.claims:
        return None
    broken = context.cut_off or _DANGLING.search(context.passage.text[-_ENDING:]) is not None
    return RuleFinding("cut off") if broken else None


WEAK = "weak evidence"
"""The finding that little shows that a number is the answer."""


def _sure(context: Context, finding: RuleFinding | None) -> RuleFinding | None:
    """What is found, unless there is little to show that it is the answer.

    Doubtful is a number that counts another thing and stands behind a preposition ("for 5
    hours"), and one that is neither the last result nor the last number, nor said to be that of
    the person asked about.
    """
    claim = finding and finding.claim
    if not claim:
        return finding
    passage, asked = context.passage, context.asked
    if claim.oblique and fits(passage, claim, asked) is False:
        return RuleFinding(WEAK)
    told = [other for sentence in _telling(passage) for other in sentence.claims]
    values = [other for other in told if other.value is not None]
    results = [other for other in values if other.kind == "equation"]
    if comes_from_nowhere(context, claim) or _leaves_the_thing(context, claim, values):
        return RuleFinding(WEAK)
    if not asked.is_known or not results:
        return finding
    if claim.value == results[-1].value:
        return finding
    owned = bool(asked.people) and owner(passage, claim, asked) == asked.people
    if claim.value == values[-1].value and _is_supported(context, claim, results[-1]):
        return finding
    return finding if owned else RuleFinding(WEAK)


def _is_supported(context: Context, claim: NumberClaim, result: NumberClaim) -> bool:
    """Whether a last number that no working gave is one of what is asked for, or the result's."""
    if claim.kind == "equation":
        return True
    of_what_is_asked = fits(context.passage, claim, context.asked)
    return of_what_is_asked or (of_what_is_asked is None and _is_rounded(claim, result))


def _is_rounded(claim: NumberClaim, result: NumberClaim) -> bool:
    """Whether a number is a result without its last digits, or as a percentage."""
    if claim.value is None or result.value is None:
        return False
    shares = {result.value * 100, result.value / 100}
    return abs(claim.value - result.value) < 1 or claim.value in shares


_SAYS_NOTHING = {Fraction(1)}
"""A number of nearly every text: that a calculation uses it does not show where it comes from."""


def comes_from_nowhere(context: Context, claim: NumberClaim) -> bool:
    """Whether a calculation uses neither a number of the problem nor one that was told before."""
    passage, asked = context.passage, context.asked
    if claim.kind != "equation" or not asked.given:
        return False
    told = values_of(passage.tokens[: claim.first])
    operands = [
        token
        for token in passage.tokens[claim.first : claim.last + 1]
        if token.start != claim.start
    ]
    used = values_of(operands)
    return bool(told and used) and used & (told | asked.given) <= _SAYS_NOTHING


_SUBJECTS = SOMEBODY - {"there"}


def _leaves_the_thing(context: Context, claim: NumberClaim, claims: Sequence[NumberClaim]) -> bool:
    """Whether a number counts another thing, behind one of what is asked for that was found.

    Where nothing says what it counts, also if nothing says whose it is, or that it is the end.
    """
    passage, asked = context.passage, context.asked
    of_what_is_asked = fits(passage, claim, asked)
    if claim.kind == "equation" or of_what_is_asked:
        return False
    sentence = passage.sentence_at(claim.start)
    if of_what_is_asked is None and sentence is not None:
        words = passage.tokens[passage.token_at(sentence.start) : claim.first]
        ends = any(
            pattern.search(passage.text, sentence.start, sentence.end)
            for pattern in (_CONCLUDES, _BRINGS_TO_AN_END)
        )
        if ends or any(token.text in _SUBJECTS | asked.people for token in words):
            return False
    return any(
        other.value not in {claim.value, *asked.given} and fits(passage, other, asked)
        for other in claims
        if other.end <= claim.start
    )


def values_of(tokens: Sequence[AnswerToken]) -> set[Fraction]:
    """The numbers of some tokens; of one such as 48/6 both parts as well."""
    numbers = [token for token in tokens if token.value is not None]
    parts = (part for token in numbers for part in token.text.split("/"))
    return {token.value for token in numbers if token.value is not None} | {
        value for part in parts if (value := parse_number(part)) is not None
    }


def conclusion(context: Context) -> RuleFinding | None:
    """Ana has 18, so Ben has 15."""
    sentence = final_sentence(context)
    if isinstance(sentence, RuleFinding):
        return sentence
    return _sure(context, conclusion_of(context, sentence)) if sentence else None


_BOLD = re.compile(r"\*\*([^*\n]{1,200})\*\*|__([^_\n]{1,200})__|<b>([^<\n]{1,200})</b>")
_MARK = 4
"""A mark of bold may stand so far outside the sentence, for it is blank in the passage."""


def bold(context: Context) -> RuleFinding | None:
    """Ben has **15** apples."""
    sentence = final_sentence(context)
    if not isinstance(sentence, AnswerSentence):
        return sentence
    start, end = max(sentence.start - _MARK, 0), sentence.end + _MARK
    claims = [
        claim
        for match in _BOLD.finditer(context.response.source, start, end)
        for claim in context.passage.claims_within(*match.span())
    ]
    if not any(claim.value is not None for claim in claims):
        return None
    return _sure(context, settle(context, claims, "bold"))


def final_statement(context: Context) -> RuleFinding | None:
    """Ben has 15 apples.

    Nothing in it says that it is the answer, so an earlier conclusion may not contradict it,
    unless the question shows that it is the one asked for.
    """
    passage = context.passage
    sentence = final_sentence(context)
    if not isinstance(sentence, AnswerSentence):
        return sentence
    found = _sure(context, settle(context, sentence.claims, "final statement"))
    earlier = _earlier_conclusion(context, sentence)
    if found is None or earlier is None or earlier.claim is None:
        return found
    if found.rule == "comparison":
        return _sure(context, earlier)
    if found.rule != "final statement" or found.claim is None:
        return found
    ends = _BRINGS_TO_AN_END.search(passage.text, sentence.start, sentence.end) is not None
    if context.asked.is_known or ends or found.claim.value == earlier.claim.value:
        return found
    return RuleFinding("statements disagree")


def _earlier_conclusion(context: Context, sentence: AnswerSentence) -> RuleFinding | None:
    for other in reversed(context.passage.sentences):
        if other.claims and other.end <= sentence.start:
            found = conclusion_of(context, other) or _bare_number(other)
            if found is not None:
                return found
    return None


def _bare_number(sentence: AnswerSentence) -> RuleFinding | None:
    """A number that is a sentence of its own, such as "15." before an explanation."""
    claim = sentence.claims[0]
    rest = (sentence.end - sentence.start) - (claim.end - claim.start)
    if len(sentence.claims) > 1 or rest > 1 or claim.value is None:
        return None
    return RuleFinding("final statement", claim)
