"""Rules on responses that name, mark, correct or refuse their answer."""

from __future__ import annotations

import re
from dataclasses import replace

from biaslab.studies.answers.final_rules import (
    WEAK,
    comes_from_nowhere,
    conclusion,
    conclusion_of,
    values_of,
)
from biaslab.studies.answers.findings import Context, RuleFinding, first_finding, opening, settle
from biaslab.studies.answers.statements import AnswerText, NumberClaim

_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


def nothing_there(context: Context) -> RuleFinding | None:
    """The response is empty, or only punctuation, or only thinking."""
    if _LETTER_OR_DIGIT.search(context.passage.text) is not None:
        return None
    return RuleFinding("unfinished thinking" if context.response.unfinished_thinking else "empty")


_CLAUSE_START = r"(?:(?<=[,.;:!?(\n—–-])[^\S\n]{0,3}|(?<=[,.;:!?(—–-]\n)|\A\s{0,3})"
_TAKES_BACK = re.compile(
    rf"{_CLAUSE_START}(?:wait|hold on|on second thoughts?|correction"
    r"|that(?:'s| is) (?:wrong|incorrect|not right)|i made an? (?:mistake|error)"
    r"|no(?=[,.!:—–-]|\s(?:it|that|the|i)\b))(?![\w'])"
    r"|(?<![\w'])(?:no,? wait|oh,? wait|scratch that)(?![\w'])",
    re.IGNORECASE,
)
_SAYS_ANEW = re.compile(
    rf"{_CLAUSE_START}(?:sorry|oops|actually|i mean|let me (?:re\w+|correct|fix|try))(?![\w'])"
    r"|(?<![\w'])or rather(?![\w'])",
    re.IGNORECASE,
)


def self_correction(context: Context) -> RuleFinding | None:
    """12, no wait, 15."""
    passage = context.passage
    numbers = [token for token in passage.tokens if token.kind == "number"]
    if not numbers:
        return None
    for pattern in (_TAKES_BACK, _SAYS_ANEW):
        last = None
        for last in pattern.finditer(passage.text, numbers[0].end):  # noqa: B007
            pass
        if last is None:
            continue
        if numbers[-1].start >= last.end():
            rest = AnswerText.of(passage.text, last.end(), target=passage.asked)
            again = replace(context, passage=rest)
            found = first_finding(again, skipping=self_correction)
            return RuleFinding("self-correction", found.claim) if found.claim else found
        if pattern is _TAKES_BACK:
            return RuleFinding("unfinished correction")
    return None


_MOST_BOXED = 300
"""A box holds an answer; what is longer is none."""


def boxed(context: Context) -> RuleFinding | None:
    r"""\boxed{15}, also with an equation or a unit in it."""
    source, passage = context.response.source, context.passage
    at = source.rfind(r"\boxed{", passage.start, len(passage.text))
    if at < 0:
        return None
    start = at + len(r"\boxed{")
    depth = 1
    for end in range(start, min(start + _MOST_BOXED, len(passage.text))):
        depth += {"{": 1, "}": -1}.get(source[end], 0)
        if depth == 0:
            return settle(context, passage.claims_within(start, end), "boxed") or RuleFinding(
                "no number"
            )
    return RuleFinding("cut off")


def marked(context: Context) -> RuleFinding | None:
    """#### 15, as data sets of worked solutions end."""
    passage = context.passage
    at = context.response.source.rfind("####", passage.start, len(passage.text))
    found = opening(passage, at + 4) if at >= 0 else None
    return found and found.named("marked")


_BARE = re.compile(
    r"[\s\])}*_`'\"$]{0,6}(?:(?!(?:is|are|was|were|has|have|had|and|or|so)\b)/?[^\W\d_][\w'/-]*+[*_`]{0,3}"
    r"[^\S\n]?){0,4}[\s*_`'\"$)\]}]{0,4}(?:[.,;!?…\n(—–]|\Z|\b(?:because|since|as|so)\b)",
    re.IGNORECASE,
)


def bare_opening(passage: AnswerText) -> NumberClaim | None:
    """The number that a passage opens with, if it stands there bare, with its unit at most."""
    found = opening(passage, passage.start)
    if found is None or found.claim is None or found.rule != "first number":
        return None
    bare = _BARE.match(passage.text, found.claim.end)
    if bare is None or (bare[0][-1:] == "," and _tells_more(passage, found.claim)):
        return None
    return found.claim


_REASON = re.compile(r"\s*(?:because|since|as|so|which|that|and)\b", re.IGNORECASE)


def _tells_more(passage: AnswerText, opening_claim: NumberClaim) -> bool:
    """Whether its sentence goes on to another number: "12 potatoes, each boiled for 6 minutes"."""
    sentence = passage.sentence_at(opening_claim.start)
    others = [claim for claim in sentence.claims if claim.value is not None] if sentence else []
    if len(others) < 2:
        return False
    comma = passage.text.find(",", opening_claim.end)
    return _REASON.match(passage.text, comma + 1) is None


def first_number(context: Context) -> RuleFinding | None:
    """The number that a continuation opens with: the paper's rule, refined.

    Only a bare number completes the prompt's sentence. What opens with a calculation or a sentence
    is free text, as a chat model writes it.
    """
    passage = context.passage
    claim = bare_opening(passage)
    if claim is None:
        return None
    sentence = passage.sentence_at(claim.start)
    concluded = conclusion_of(context, sentence) if sentence else None
    for other in (stated_answer(context), concluded):
        if other is not None and other.claim and other.claim.value != claim.value:
            return RuleFinding("statements disagree")
    if _is_built_on(context, claim):
        return RuleFinding("statements disagree")
    return RuleFinding("first number", claim)


def opening_of_chat(context: Context) -> RuleFinding | None:
    """The bare number that an answer in a chat opens with, unless it then comes to another one.

    Whatever is marked or stated was read before; here a working stands below at most, and where
    its result is another number, the answer is not sure.
    """
    passage = context.passage
    found = first_number(context)
    if found is None or found.claim is None:
        return found
    sentence = passage.sentence_at(found.claim.start)
    behind = sentence.end if sentence else found.claim.end
    rest = AnswerText.of(passage.text, behind, target=passage.asked)
    after = first_finding(replace(context, passage=rest), skipping=opening_of_chat)
    if after.claim is None or after.claim.value in {found.claim.value, *context.asked.given}:
        return found
    return RuleFinding("statements disagree")


def _is_built_on(context: Context, answer: NumberClaim) -> bool:
    """Whether the response goes on to calculate with its answer, and ends with another result.

    A result that the problem gives may be a check: "15. Check: 15 + 3 = 18."
    """
    passage, given = context.passage, context.asked.given
    behind = [
        claim
        for claim in passage.claims[passage.claim_at(passage.token_at(answer.end)) :]
        if claim.kind == "equation" and claim.value is not None
    ]
    if behind and behind[-1].value == answer.value:
        return False
    for claim in behind:
        if claim.value == answer.value:
            continue
        numbers = {token.value for token in passage.tokens[claim.first : claim.last + 1]}
        if given and answer.value in numbers and claim.value not in given:
            return True
    return False


_CUE = re.compile(
    r"\b(?:answer|ans)\b(?! (?:to|of|for|from|in) (?:the |this |that )?(?:first|second|previous"
    r"|last|next|step|part))(?:[^\S\n]?\([^()\n]{0,40}\))?[^.\n:=?!]{0,80}?"
    r"(?:\b(?:is|are|was|be|equals|becomes)\b|[:=])(?P<that>\s{1,3}that\b)?[\s:=]{0,4}",
    re.IGNORECASE,
)
_CUE_BEHIND = re.compile(r"\bis (?:the|my|our) (?:final |correct |right )?answer\b", re.IGNORECASE)


def stated_answer(context: Context) -> RuleFinding | None:
    """The answer is 15; Answer: 15; 15 is the answer. The last of several counts."""
    passage = context.passage
    cues = [*_CUE.finditer(passage.text), *_CUE_BEHIND.finditer(passage.text)]
    for cue in sorted(cues, key=re.Match.start, reverse=True):
        if cue.re is _CUE_BEHIND:
            found = _before(context, cue.start())
        else:
            found = opening(passage, cue.end())
            if found is None and cue["that"]:
                found = _until_full_stop(context, cue.end())
            if found is None and _is_no_plain_number(passage, cue.end()):
                found = RuleFinding("unclear number")
        if found is None:
            continue
        claim = found.claim
        if claim and (_is_built_on(context, claim) or _concludes_otherwise(context, claim)):
            return RuleFinding("statements disagree")
        return found.named("stated answer")
    return None


def _concludes_otherwise(context: Context, answer: NumberClaim) -> bool:
    """Whether the response goes on and concludes with another number than its answer."""
    passage = context.passage
    sentence = passage.sentence_at(answer.start)
    if sentence is None or not passage.has_claim_within(sentence.end, len(passage.text)):
        return False
    rest = AnswerText.of(passage.text, sentence.end, target=passage.asked)
    found = conclusion(replace(context, passage=rest))
    if found is None or found.claim is None:
        return False
    return found.claim.value not in {answer.value, *context.asked.given}


_POINTS_BACK = re.compile(r"\W*(?:this|that|it|which)\W*", re.IGNORECASE)


def _is_no_plain_number(passage: AnswerText, at: int) -> bool:
    """Whether digits stand there that are a ratio, a time or a date."""
    index = passage.token_at(at)
    if index == len(passage.tokens):
        return False
    token = passage.tokens[index]
    return token.kind == "word" and token.text[0].isdigit()


def _before(context: Context, at: int) -> RuleFinding | None:
    passage = context.passage
    sentence = passage.sentence_at(at)
    if sentence is None:
        return None
    claims = passage.claims_within(sentence.start, at)
    if _POINTS_BACK.fullmatch(passage.text[sentence.start : at]):
        before = passage.sentences[: passage.sentences.index(sentence)]
        claims = before[-1].claims if before else ()
    return settle(context, claims, "stated answer")


def _until_full_stop(context: Context, at: int) -> RuleFinding | None:
    passage = context.passage
    sentence = passage.sentence_at(at)
    if sentence is None:
        return None
    return settle(context, passage.claims_within(at, sentence.end), "stated answer")


_ALONE = re.compile(
    r"^[^\S\n]*(?P<mark>[*_$`]{0,3})[^\S\n]*[$€£]?[^\S\n]*[-−]?\d[\d.,/ ]*[^\S\n]?[%€£]?"
    r"(?:[^\S\n](?!(?:is|are|was|were|has|have|had|and|or|so)\b)[^\W\d_][\w'-]*){0,2}"
    r"[^\S\n]*[*_$`]{0,3}[.!]?[*_$`]{0,3}[^\S\n]*$",
    re.MULTILINE,
)
"""A line of nothing but a number, with its unit at most."""


def alone(context: Context) -> RuleFinding | None:
    """15, on a line below the working that came to 15: as marked as in a sentence that says so.

    Only where it is what the last calculation above it gives. A number alone that no working gave,
    or that a further calculation uses, is left to the rules on the last sentence; beside one that
    does not use it the answer is not sure. In a response that was cut off a line may be a step.
    """
    if context.cut_off:
        return None
    passage = context.passage
    lines = [
        claims[0]
        for line in _ALONE.finditer(context.response.source, passage.start, len(passage.text))
        if len(claims := passage.claims_within(*line.span())) == 1
        and claims[0].kind != "equation"
        and claims[0].value is not None
    ]
    if not lines:
        return None
    last = lines[-1]
    worked = [claim for claim in passage.claims if claim.kind == "equation"]
    above = [claim for claim in worked if claim.end <= last.start]
    if not above or above[-1].value != last.value:
        return None
    if {claim.value for claim in lines if claim.start > above[-1].end} != {last.value}:
        return None
    for claim in worked[len(above) :]:
        if last.value in values_of(passage.tokens[claim.first : claim.last + 1]):
            return None  # a check, or the working goes on
        if not comes_from_nowhere(context, claim):
            return RuleFinding(WEAK)
    return RuleFinding("alone", last)


_REFUSAL = re.compile(
    r"\b(?:i (?:do not|don't) know|(?:not|n't) (?:be )?(?:determined|possible|sure|enough info\w*)"
    r"|(?:cannot|can't|can not|unable to|impossible to|not able to)"
    r" (?:be )?(?:determin\w+|answer\w*|solv\w+|tell|say|know\w*|calculat\w+|find|found)"
    r"|(?:is|are|answer) unknown|undetermined|insufficient information|no (?:answer|solution)"
    r"|idk)\b|\A\s{0,9}unknown\b",
    re.IGNORECASE,
)
_GUESS = re.compile(
    r"\b(?:maybe|perhaps|probably|guess|i think|i'd say|must be|should be)\b", re.IGNORECASE
)


def refusal(context: Context) -> RuleFinding | None:
    """I don't know; unless a guess follows."""
    text = context.passage.text
    refused = _REFUSAL.search(text)
    if refused is None or _GUESS.search(text, refused.end()) is not None:
        return None
    return RuleFinding("refusal")
