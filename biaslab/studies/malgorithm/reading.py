"""Reading which of four labels a response names: leniently, and never by guessing.

What is asked for is ``{"answer": "B"}``. Also read are JSON in a code fence, with other quotes or
none, ``"answer": "Rationale B"``, a response or last line that is the letter alone, and a sentence
that states it ("The answer is B."). The last statement wins. A letter that merely occurs in a
sentence is never taken, and a statement of several letters is unreadable.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache


class Named(StrEnum):
    """What the labels are labels of."""

    RATIONALE = "rationale"
    OPTION = "option"


@dataclass(frozen=True, slots=True)
class ChoiceFound:
    """Which label a response names.

    Attributes:
        value: the label, or None where none can be read.
        rule: name of the rule that read it; explanation: that rule in a sentence.
        span: where the label stands in the response.
        exact: whether the response ends with (or, after the cue of a base model, is) exactly
            the JSON asked for.
    """

    value: str | None
    rule: str
    explanation: str
    span: tuple[int, int] | None = None
    exact: bool = False


_OPEN = r"[\s\"'“”‘’`*_(\[]*"
_CLOSED = r"(?![A-Za-z0-9]|['’][A-Za-z])"
_LABEL = r"(?P<label>[A-Da-d])"
_CAPITAL = r"(?P<label>[A-D])"
# "A" is also a word: in a sentence it is a label only where no noun can follow.
_NO_ARTICLE = r"(?!(?<=A)\s+(?!(?:because|since|as|for|which|that|and|led|leads|is)\b)[a-z])"
_MORE = r"[\s\"'“”`*_)\].]*(?:,|/|&|\bor\b|\band\b)[\s\"'“”`*_(\[]*"
_MORE_IN_JSON = re.compile(_MORE + r"[A-Da-d](?![A-Za-z'’])")
_MORE_IN_SENTENCE = re.compile(_MORE + r"[A-D](?![A-Za-z'’])")
_LISTED = re.compile(rf"{_OPEN}{_CAPITAL}[)\].:][*_]*\s+\S")
_EXACT = re.compile(r'\{\s*"answer"\s*:\s*"[A-D]"\s*\}\s*\Z')
_EXACT_CONTINUED = re.compile(r'\s*[A-D]"\s*\}')
_FENCE = re.compile(r"\A\s*```[a-z]*\s*|\s*```\s*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Patterns:
    """How labels of one kind are stated.

    Attributes:
        continued: goes on where the prompt began the JSON; keyed: the key of the JSON;
            stated: sentences; alone: nothing but the letter.
    """

    continued: re.Pattern[str]
    keyed: re.Pattern[str]
    stated: tuple[re.Pattern[str], ...]
    alone: re.Pattern[str]


def read_choice(text: str, named: Named, cut_off: bool = False) -> ChoiceFound:
    """The label that a response names.

    Args:
        text: the whole response.
        named: what it was asked for. "Option B" is no statement about rationales.
        cut_off: whether it was cut off at its length: then its last line may go on.
    """
    patterns = _patterns(named)
    continued = patterns.continued.match(text)
    if continued is not None:
        return _found(
            continued, "continued",
            "The response goes on with the letter where the prompt begins the JSON.",
            _EXACT_CONTINUED.match(text) is not None,
        )  # fmt: skip
    statements = [(match, "json") for match in patterns.keyed.finditer(text)]
    for pattern in patterns.stated:
        statements += [(match, "stated") for match in pattern.finditer(text)]
    if not statements:
        return _alone(patterns, text, cut_off)
    last, rule = max(statements, key=lambda each: each[0].start("label"))
    more = _MORE_IN_JSON if rule == "json" else _MORE_IN_SENTENCE
    if more.match(text, last.end("label")):
        return ChoiceFound(
            None, "several", "The last statement names several letters, so none is taken."
        )
    said = "JSON" if rule == "json" else "sentence that states one"
    return _found(last, rule, f"The letter in the last {said}.", _EXACT.search(text) is not None)


def _alone(patterns: _Patterns, text: str, cut_off: bool) -> ChoiceFound:
    """A response, or its last line, that is nothing but the letter (and what it stands for)."""
    body = _FENCE.sub("", text).strip()
    first = text.find(body)
    last = body.rpartition("\n")[2]
    parts = [("alone", "response", body)]
    if not cut_off:
        parts.append(("last line", "last line", last))
    for rule, name, part in parts:
        match = patterns.alone.fullmatch(part)
        if match is not None:
            start = first + len(body) - len(part) + match.start("label")
            return _at(start, match, rule, f"The {name} is the letter alone.")
    match = _LISTED.match(body)
    if match is not None and "\n" not in body:
        return _at(
            first + match.start("label"), match, "listed",
            "The response is one line of the list, with its letter.",
        )  # fmt: skip
    return ChoiceFound(
        None, "none", "No letter is stated: a letter within a sentence is not taken for an answer."
    )


@cache
def _patterns(named: Named) -> _Patterns:
    noun = "rationale" if named is Named.RATIONALE else "(?:option|choice)"
    title = rf"(?:(?:the\s+)?(?:{noun}|letter|answer)\s*:?\s+)?"
    return _Patterns(
        re.compile(rf"\s*{title}{_LABEL}\.?[\"'”]?\s*\}}", re.IGNORECASE),
        re.compile(
            rf"(?:[\"'“‘]\s*answer\s*[\"'”’]|\{{\s*answer)\s*:{_OPEN}{title}{_OPEN}{_LABEL}{_CLOSED}",
            re.IGNORECASE,
        ),
        (
            re.compile(
                rf"\b(?i:(?:{noun}|answer|letter)\s*(?:is|was|would\s+be|must\s+be|should\s+be"
                rf"|[:=])){_OPEN}(?i:{title}){_OPEN}{_CAPITAL}{_CLOSED}{_NO_ARTICLE}"
            ),
            re.compile(
                rf"\b(?i:(?:it\s+is|it's|it\s+must\s+be|choose|chose|pick)\s+(?:the\s+)?{noun}\s+)"
                rf"{_OPEN}{_CAPITAL}{_CLOSED}{_NO_ARTICLE}"
            ),
            re.compile(
                rf"\b(?i:{noun})\s+{_OPEN}{_CAPITAL}[\"'”’`*_)\]]*\s+"
                r"(?i:led|leads|is\s+(?:the\s+(?:one|rationale|answer|right|correct)"
                r"|right|correct))\b"
            ),
        ),
        re.compile(rf"{_OPEN}{title}{_OPEN}{_LABEL}[\"'”’`*_)\].:!]*", re.IGNORECASE),
    )


def _found(match: re.Match[str], rule: str, explanation: str, exact: bool) -> ChoiceFound:
    return ChoiceFound(match["label"].upper(), rule, explanation, match.span("label"), exact)


def _at(start: int, match: re.Match[str], rule: str, explanation: str) -> ChoiceFound:
    return ChoiceFound(match["label"].upper(), rule, explanation, (start, start + 1))
