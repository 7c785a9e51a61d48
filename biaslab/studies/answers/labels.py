"""Reading which of several labels a response names: leniently, and never by guessing.

What is asked for is ``{"answer": "B"}``. Also read are JSON in a code fence, with other quotes or
none, ``"answer": "Rationale B"``, ``{"rationale": "B"}``, a response or last line that is the
letter alone, a sentence that states it ("The answer is B.", "The rationale that led to this choice
is B.", "It is B."), and one of the texts quoted whole. The last statement wins. A letter that
merely occurs in a sentence is never taken; a statement of several letters, and a letter with the
text of another one, are unreadable.

Where nothing was written and letters were scored, it is the likeliest (`likeliest`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from biaslab.models import Likelihood


class LabelSubject(StrEnum):
    """What the labels are labels of."""

    RATIONALE = "rationale"
    MISCONCEPTION = "misconception"
    OPTION = "option"
    VERDICT = "verdict"
    """An option about a pupil's work, also stated as “the wrong step is …”."""
    CORRECT_CHOICE = "correct choice"
    """A rationale, under the name that the published prompt gives its letter."""


@dataclass(frozen=True, slots=True)
class LabelChoice:
    """Which label a response names.

    Attributes:
        value: the label, or None where none can be read.
        rule: name of the rule that read it; explanation: that rule in a sentence.
        span: where the label stands in the response.
        exact: whether the response ends with (or, after the cue of a base model, is) exactly
            the JSON asked for; None where nothing was written.
        missing: whether there is no answer at all, which is never a wrong one.
    """

    value: str | None
    rule: str
    explanation: str
    span: tuple[int, int] | None = None
    exact: bool | None = False
    missing: bool = False


_OPEN = r"[\s\"'“”‘’`*_(\[]*"
_CLOSED = r"(?![A-Za-z0-9]|['’][A-Za-z])"
# "A" is also a word: in a sentence it is a label only where no noun can follow.
_NO_ARTICLE = r"(?!(?<=A)\s+(?!(?:because|since|as|for|which|that|and|led|leads|is)\b)[a-z])"
# "The rationale that led to this choice is": no letter and no end of a sentence before the verb.
_BETWEEN = r"(?:(?!\b[A-H]\b)[^.\n:=?!]){0,60}?"
_MORE = r"[\s\"'“”`*_)\].]*(?:,|/|&|\bor\b|\band\b)[\s\"'“”`*_(\[]*"
_FENCE = re.compile(r"\A\s*```[a-z]*\s*|\s*```\s*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Patterns:
    """How labels of one kind are stated.

    Attributes:
        continued: goes on where the prompt began the JSON; keyed: the key of the JSON;
            stated: sentences; alone: nothing but the letter; listed: a line of the list;
        item: where such a line begins in a longer text.
        more_in_json, more_in_sentence: a further letter behind a statement.
        exact, exact_continued: the JSON asked for, word for word.
    """

    continued: re.Pattern[str]
    keyed: re.Pattern[str]
    stated: tuple[re.Pattern[str], ...]
    alone: re.Pattern[str]
    listed: re.Pattern[str]
    item: re.Pattern[str]
    more_in_json: re.Pattern[str]
    more_in_sentence: re.Pattern[str]
    exact: re.Pattern[str]
    exact_continued: re.Pattern[str]


def read_choice(
    text: str,
    subject: LabelSubject,
    cut_off: bool = False,
    labels: int = 4,
    texts: Mapping[str, str] | None = None,
    sayings: Mapping[str, Sequence[str]] | None = None,
) -> LabelChoice:
    """The label that a response names.

    Args:
        text: the whole response.
        subject: what it was asked for. "Option B" is no statement about rationales.
        cut_off: whether it was cut off at its length: then its last line may go on.
        labels: how many there are, A first.
        texts: what each label stands for, where a text that is quoted counts as its label.
        sayings: shorter sentences that say the same as a text, by label.
    """
    patterns = _patterns(subject, "ABCDEFGH"[labels - 1])
    continued = patterns.continued.match(text)
    if continued is not None:
        return _found(
            continued, "continued",
            "The response goes on with the letter where the prompt begins the JSON.",
            patterns.exact_continued.match(text) is not None,
        )  # fmt: skip
    statements = [(match, "json") for match in patterns.keyed.finditer(text)]
    listed = _opens_a_list(text, patterns.item)
    for pattern in patterns.stated:
        statements += [
            (match, "stated")
            for match in pattern.finditer(text)
            if match.start("label") not in listed
        ]
    if not statements:
        found = _alone(patterns, text, cut_off)
        if found.value is not None:
            return found
        return _quoted(text, subject, texts or {}, sayings or {}) or found
    last, rule = max(statements, key=lambda each: each[0].start("label"))
    more = patterns.more_in_json if rule == "json" else patterns.more_in_sentence
    if more.match(text, last.end("label")):
        return LabelChoice(
            None, "several", "The last statement names several letters, so none is taken."
        )
    if _stands_for_another(text, last, texts or {}):
        return LabelChoice(None, "several", "The letter is given with the text of another one.")
    said = "JSON" if rule == "json" else "sentence that states one"
    return _found(
        last, rule, f"The letter in the last {said}.", patterns.exact.search(text) is not None
    )


def likeliest(scored: Likelihood, labels: Sequence[str]) -> LabelChoice:
    """The label that is likeliest to be written.

    Args:
        scored: how probable each label is.
        labels: in the same order.
    """
    numbers = dict(zip(labels, scored.log_probabilities, strict=True))
    unknown = [label for label, number in numbers.items() if not math.isfinite(number)]
    if unknown:
        return LabelChoice(
            None, "no number", f"How probable {unknown[0]} is, is not known.", None, None, True
        )
    most = max(numbers.values())
    best = [label for label, number in numbers.items() if number == most]
    if len(best) > 1:
        return LabelChoice(
            None, "tie",
            f"{' and '.join(best)} are exactly equally probable, so none is taken. If this is so "
            "for every item, the model or server gives no real probabilities.",
            None, None, True,
        )  # fmt: skip
    mass = math.fsum(map(math.exp, numbers.values()))
    return LabelChoice(
        best[0], "likeliest",
        f"The likeliest of {', '.join(labels)}, which together have a probability of {mass:.2g}.",
        None, None,
    )  # fmt: skip


_PLAIN = re.compile(r"[\s\"'“”‘’`*_.,:;(){}\[\]]+")
_LEAST_QUOTED = 8
"""A shorter text, such as “12”, may stand in a response for other reasons."""


def _plain(text: str) -> str:
    return _PLAIN.sub(" ", text).strip().casefold()


def _quoted(
    text: str, subject: LabelSubject, texts: Mapping[str, str], sayings: Mapping[str, Sequence[str]]
) -> LabelChoice | None:
    """The one text that a response quotes whole, or states as the answer."""
    body = f" {_plain(text)} "
    stated = [f" {_plain(part)} " for part in _stated(subject).findall(text)]
    labels = [
        label
        for label, meaning in texts.items()
        if any(
            (wanted := f" {_plain(each)} ").strip()
            and (wanted in {body, *stated[-1:]} or (len(wanted) > _LEAST_QUOTED and wanted in body))
            for each in (meaning, *sayings.get(label, ()))
        )
    ]
    if len(labels) != 1:
        return None
    return LabelChoice(labels[0], "quoted", "The response gives one of the texts, and no letter.")


@cache
def _stated(subject: LabelSubject) -> re.Pattern[str]:
    """What is stated as the answer, to the end of its line."""
    noun = "(?:answer|wrong (?:step|one)|verdict)" if subject is LabelSubject.VERDICT else "answer"
    return re.compile(
        rf"\b{noun}[\"'”’]?(?: to (?:this|the) question)?(?: is|\s*:| is:)\s*([^\n]{{1,300}})",
        re.IGNORECASE,
    )


def _opens_a_list(text: str, item: re.Pattern[str]) -> set[int]:
    """Where labels stand before lines of a list that goes on with another label.

    "Let's look at each rationale:" and then A, B and C with what each says states none of them.
    """
    items = [(match.start("label"), match["label"]) for match in item.finditer(text)]
    return {
        at
        for number, (at, label) in enumerate(items)
        if {each for _, each in items[number:]} > {label}
    }


def _stands_for_another(text: str, label: re.Match[str], texts: Mapping[str, str]) -> bool:
    """Whether the text behind a letter is that of another letter."""
    behind = f"{_plain(text[label.end('label') : label.end('label') + 400])} "
    own = label["label"].upper()
    said = {
        each
        for each, meaning in texts.items()
        if len(_plain(meaning)) >= _LEAST_QUOTED and behind.startswith(f"{_plain(meaning)} ")
    }
    return bool(said) and own not in said


def _alone(patterns: _Patterns, text: str, cut_off: bool) -> LabelChoice:
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
    match = patterns.listed.match(body)
    if match is not None and "\n" not in body:
        return _at(
            first + match.start("label"), match, "listed",
            "The response is one line of the list, with its letter.",
        )  # fmt: skip
    return LabelChoice(
        None, "none", "No letter is stated: a letter within a sentence is not taken for an answer."
    )


_NOUNS = {
    LabelSubject.OPTION: "(?:option|choice)",
    LabelSubject.VERDICT: "(?:option|choice)",
    LabelSubject.CORRECT_CHOICE: r"(?:correct\s+choice|(?:answer\s+)?rationale)",
}


@cache
def _patterns(subject: LabelSubject, last: str) -> _Patterns:
    noun = _NOUNS.get(subject, str(subject))
    key = "Correct Choice" if subject is LabelSubject.CORRECT_CHOICE else "answer"
    capital, either = f"A-{last}", f"A-{last}a-{last.lower()}"
    label = rf"(?P<label>[{either}])"
    stated = rf"(?P<label>[{capital}])"
    noun_or_key = rf"(?:answer|letter|label|{noun})"
    title = rf"(?:(?:the\s+)?(?:{noun}|letter|answer)\s*:?\s+)?"
    return _Patterns(
        re.compile(rf"\s*{title}{label}\.?[\"'”]?\s*\}}", re.IGNORECASE),
        re.compile(
            rf"(?:[\"'“‘]\s*{noun_or_key}\s*[\"'”’]|\{{\s*{noun_or_key})\s*:"
            rf"{_OPEN}{title}{_OPEN}{label}{_CLOSED}",
            re.IGNORECASE,
        ),
        (
            re.compile(
                rf"\b(?i:{noun_or_key})\b{_BETWEEN}(?i:\b(?:is|was|would\s+be|must\s+be|should\s+be)"
                rf"\s*:?|[:=]){_OPEN}(?i:{title}){_OPEN}{stated}{_CLOSED}{_NO_ARTICLE}"
            ),
            re.compile(
                rf"\b(?i:(?:it\s+is|it's|it\s+must\s+be|choose|chose|pick)\s+(?:the\s+)?{noun}\s+)"
                rf"{_OPEN}{stated}{_CLOSED}{_NO_ARTICLE}"
            ),
            re.compile(
                rf"\b(?i:it\s+(?:is|was|must\s+be)|it['’]s|i\s+(?:choose|chose|pick)):?{_OPEN}"
                rf"{stated}[\"'”’`*_)\]]*(?:[.!,;]|\s*(?:\n|\Z))"
            ),
            re.compile(
                rf"\b(?i:{noun})\s+{_OPEN}{stated}[\"'”’`*_)\]]*\s+"
                r"(?i:led|leads|is\s+(?:the\s+(?:one|rationale|answer|right|correct)"
                r"|right|correct))\b"
            ),
        ),
        re.compile(rf"{_OPEN}{title}{_OPEN}{label}[\"'”’`*_)\].:!]*", re.IGNORECASE),
        re.compile(rf"{_OPEN}{stated}[)\].:][*_]*\s+\S"),
        re.compile(rf"^[ \t*_(\[]*{stated}[)\].:][*_]*[ \t]+\S", re.MULTILINE),
        re.compile(rf"{_MORE}[{either}](?![A-Za-z'’])"),
        re.compile(rf"{_MORE}[{capital}](?![A-Za-z'’])"),
        re.compile(rf'\{{\s*"{key}"\s*:\s*"[{capital}]"\s*\}}\s*\Z'),
        re.compile(rf'\s*[{capital}]"\s*\}}'),
    )


def _found(match: re.Match[str], rule: str, explanation: str, exact: bool) -> LabelChoice:
    return LabelChoice(match["label"].upper(), rule, explanation, match.span("label"), exact)


def _at(start: int, match: re.Match[str], rule: str, explanation: str) -> LabelChoice:
    return LabelChoice(match["label"].upper(), rule, explanation, (start, start + 1))
