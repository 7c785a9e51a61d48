"""Finding the numbers in a text: in digits or in words, with what stands around them.

What merely looks like a number is none here: ordinals, times, dates, ratios, list numbering,
labels such as "Step 2", and digits that are part of a word (H2O, m2). A number that could be
meant in two ways ("3,5", "12k") is found, but has no value.

"50%" is one half, "15 thousand" is 15,000; `digits` tells the other conventions.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from schoolmath.text.numbers import (
    NUMBER_PHRASE,
    SCALES,
    VULGAR_FRACTIONS,
    read_phrase,
    value_of_digits,
)
from schoolmath.text.written_answers import normalise


class AnswerToken(NamedTuple):
    """A piece of text.

    Attributes:
        kind: ``number``, ``word`` (also the "/day" of a rate), ``sign`` (an operator, comma or
            bracket), ``stop`` (ends a sentence) or ``line`` (ends a line).
        text: as normalised, in small letters.
        start, end: where it stands.
        value: of a number; None where it is unclear which number is meant.
        role: of a number: ``plain``, ``comparison`` ("3 more than"), ``bound`` ("at least 3"),
            ``division`` ("18/3") or ``dashed`` ("Ben - 3": a minus or a dash).
    """

    kind: str
    text: str
    start: int
    end: int
    value: Fraction | None = None
    role: str = "plain"


_MONTH = (
    r"(?:(?-i:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)"
    r"(?:uary|ruary|ch|il|ust|tember|ober|ember)?\b\.?)"
)
_LABEL = (
    r"(?:steps?|questions?|problem|exercise|part|example|case|option|figure|page|chapter|lines?"
    r"|sentences?|equation|row|grade|room)"
)
_LABEL_WORD = re.compile(_LABEL)
_SCAN = re.compile(
    rf"""
      (?P<aside>
          (?<![\w.]) (?:
              [0-9]+:[0-9]+(?::[0-9]+)?
            | [0-9]{{4}}-[0-9]{{1,2}}-[0-9]{{1,2}}(?![0-9])
            | [0-9]{{1,2}}[/.][0-9]{{1,2}}[/.][0-9]{{2,4}}(?![0-9])
            | [0-9]{{1,2}}[ ]?(?:[ap]\.?m\b|o'clock)
            | [0-9]{{1,2}}(?:st|nd|rd|th)?[ ](?:of[ ])?{_MONTH}(?:,?[ ][0-9]{{4}})?(?!\w)
            | [0-9]+[ ]?(?:st|nd|rd|th)\b
          )
        | (?<![^\W_]) (?:
              {_MONTH}[ ][0-9]{{1,2}}(?:st|nd|rd|th)?(?:,?[ ][0-9]{{4}})?(?![0-9.,][0-9])(?!\w)
            | {_LABEL}[ ]?\#?[0-9]{{1,3}}(?![0-9.,/][0-9])(?![0-9])
          )
      )
    | (?P<words>{NUMBER_PHRASE})
    | (?P<digits> (?<![^\W_]) (?:
          [0-9]*\\[dt]?frac[ ]?(?:\{{[0-9]+\}}[ ]?\{{[0-9]+\}}|[0-9][0-9])
        | [0-9]{{1,3}}(?:(?:[ \u00a0]|\\,|\{{,\}})[0-9]{{3}})+(?![0-9])(?!,[0-9])(?:\.[0-9]+)?
        | [0-9]+[ ][0-9]+/[0-9]+(?![0-9./,][0-9])
        | [0-9]*[ ]?[{VULGAR_FRACTIONS}]
        | [0-9]+/[0-9]+(?![0-9./,][0-9])
        | [0-9]+(?:[.,'][0-9]+)*
        | (?<!\.)\.[0-9]+
      ))
    | (?P<word>[^\W\d_](?:[\w']*\w)?)
    | (?P<rate>(?<=[^\W_])/[ ]?[^\W\d_]+)
    | (?P<line>\n)
    | (?P<stop>[.!?;…]+)
    | (?P<sign>[-=≈≡≠±+−×÷·/^–—,:()\[\]{{}}&] | (?<=\s)\*(?=\s) | (?<=[0-9)])\*(?=[0-9($.]))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_AFTER = re.compile(
    r"""
      (?P<percent>[^\S\n]?%|[^\S\n]?per[^\S\n]?cent\b)
        (?P<certain>[^\S\n](?:sure|certain|confident|correct)\b)?
    | (?P<scale>[^\S\n](?:hundred|thousand|million|billion|dozen)\b)
    | (?P<half>[^\S\n]and[^\S\n]a[^\S\n](?:half|quarter)\b)
    | (?P<unclear>\^|\*\*|_[0-9]|[\u00b2\u00b3\u00b9\u2070-\u2079]|e[+-]?[0-9])
    | (?P<glued>[^\W\d_]+)(?P<more>[\d_])?
    | (?P<compound>-[^\W\d_])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_COMPARING = re.compile(
    r"[^\S\n]+(?:times[^\S\n]+(?:as|more|fewer|less|the|that)\b|(?:fewer|less)\b"
    r"|(?:[^\W\d_]+[^\S\n]+){0,2}?(?:more|fewer|less|greater|bigger|smaller|longer|shorter"
    r"|taller|older|younger|heavier|lighter)\b(?:[^\S\n]+[^\W\d_]+){0,4}?[^\S\n]+(?:than|compared[^\S\n]+(?:to|with))\b)",
    re.IGNORECASE,
)
_OF_THEM = re.compile(r"[^\S\n]+of\b", re.IGNORECASE)
_LIST_MARK = re.compile(
    r"^[^\S\n]*(?:[#>]{1,6}[^\S\n]*)?\(?(?P<n>[0-9]{1,2})[.)](?:[^\S\n]+(?=(?P<next>\S))|(?=(?P<glued>[^\W\d_])))",
    re.MULTILINE,
)
_UNITS_OF_ONE_LETTER = frozenset("mglhscf")
_PRONOUN_BEFORE = frozenset(
    [
        *("no", "any", "every", "each", "which", "the", "some", "another", "other", "last"),
        *("next", "these", "those", "all"),
    ]
)
_OPENERS = frozenset("([{=,;*_\"'`+×÷/·~≈>|$")
_CURRENCY = "$€£¥₹"


def scan(text: str) -> list[AnswerToken]:
    """The tokens of a text that `normalise` has returned, in order."""
    return list(_Scanner(text).tokens())


def parse_number(text: str) -> Fraction | None:
    """The number that the whole text is, or None: it is none, or not only one.

    >>> parse_number("1,000.50"), parse_number("twelve apples")
    (Fraction(2001, 2), None)
    """
    shown = normalise(text.strip())
    if shown[:1] in {"-", "+", "−"}:
        shown = shown[0].replace("+", "") + shown[1:].lstrip()
    tokens = scan(shown)
    return tokens[0].value if len(tokens) == 1 else None


class _Scanner:
    """One pass over a text; what a number means depends on the tokens before it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._made: list[AnswerToken] = []
        self._masked, self._doubtful = _list_marks(text)

    def tokens(self) -> list[AnswerToken]:
        made = self._made
        for match in _SCAN.finditer(self._text):
            start, end = match.span()
            if made and start < made[-1].end:
                continue  # "percent" or "thousand", already read with its number
            kind = match.lastgroup or ""
            if kind == "digits":
                self._digits(match)
            elif kind == "words":
                self._words(match)
            else:
                text = match[0].lower()
                if kind == "rate":
                    text = text.replace(" ", "")
                kind = "word" if kind in {"aside", "rate"} else kind
                made.append(AnswerToken(kind, text, start, end))
        return made

    def _add(
        self,
        kind: str,
        start: int,
        end: int,
        value: Fraction | None = None,
        role: str = "plain",
    ) -> None:
        text = self._text[start:end].lower()
        self._made.append(AnswerToken(kind, text, start, end, value, role))

    def _before(self, back: int = 1) -> AnswerToken:
        return self._made[-back] if len(self._made) >= back else _NOTHING

    def _digits(self, match: re.Match[str]) -> None:
        text, (start, end) = self._text, match.span()
        if start in self._masked or (start and text[start - 1] == "^"):
            return self._add("word", start, end)
        if start > 1 and text[start - 1] in "-_" and text[start - 2].isalpha():
            return self._add("word", start, end)
        value, role = value_of_digits(match[0])
        if start in self._doubtful or (
            start > 1 and text[start - 1] == "." and text[start - 2].isalpha()
        ):
            value = None
        after = _AFTER.match(text, end)
        if after is not None:
            if after["certain"] or after["compound"] or _is_identifier(after):
                return self._add("word", start, end)
            if after["percent"]:
                value, end = value and value / 100, after.end("percent")
            elif after["scale"]:
                value, end = value and value * SCALES[after["scale"].strip().lower()], after.end()
            elif after["half"]:
                part = Fraction(1, 2 if after["half"].lower().endswith("half") else 4)
                value = None if value is None else value + part
                end = after.end()
            elif after["unclear"] or (after["glued"] or "").lower() in {"k", "x"}:
                value = None
        return self._number(start, end, value, role)

    def _words(self, match: re.Match[str]) -> None:
        offset, read = match.start(), match.start()
        for number in read_phrase(match[0]):
            start, end = offset + number.start, offset + number.end
            self._between(read, start)
            read = end
            if number.value is not None and self._is_pronoun(number.value, end):
                self._add("word", start, end)
                continue
            before = self._before().text
            if _LABEL_WORD.fullmatch(before):
                self._add("word", start, end)
                continue
            value = None if before == "point" else number.value
            percent = _AFTER.match(self._text, end)
            if percent is not None and percent["percent"] and percent["percent"] != "%":
                value, end = value and value / 100, percent.end("percent")
            self._number(start, end, value, "plain")
        self._between(read, match.end())

    def _between(self, start: int, end: int) -> None:
        """Words of a phrase that belong to none of its numbers: "and", an ordinal."""
        words = self._text[start:end].strip()
        if words:
            kind = "sign" if words == "," else "word"
            at = self._text.index(words, start)
            self._add(kind, at, at + len(words))

    def _is_pronoun(self, value: Fraction, end: int) -> bool:
        """Whether a small number in words stands for a person or thing: "one of them"."""
        if value > 3:
            return False
        before = self._before().text
        if before in _PRONOUN_BEFORE and (value == 1 or before != "the"):
            return True
        return _OF_THEM.match(self._text, end) is not None

    def _number(self, start: int, end: int, value: Fraction | None, role: str) -> None:
        before = self._before()
        if before.text in {"not", "≠"} or before.text.endswith("n't"):
            return self._add("word", start, end)
        if _COMPARING.match(self._text, end):
            role = "comparison"
        elif self._is_bounded(before, start):
            role = "bound"
        start, value, role = self._signed(start, value, role)
        return self._add("number", start, end, value, role)

    def _is_bounded(self, before: AnswerToken, start: int) -> bool:
        if before.text == "than":
            return True
        if before.text in {"least", "most"}:
            return self._before(2).text == "at"
        return self._text[max(start - 2, 0) : start].strip()[-1:] in set("<≤≥±")

    def _signed(
        self, start: int, value: Fraction | None, role: str
    ) -> tuple[int, Fraction | None, str]:
        """The number with the minus that belongs to it: a word, a sign, or none."""
        before, previous = self._before(), self._before(2)
        if before.text in {"minus", "negative"}:
            if before.text == "minus" and self._follows_a_number():
                return start, value, (role if _ends_operand(previous) else "dashed")
            self._made.pop()
            return before.start, value and -value, role
        text = self._text
        at = start - 1
        while at >= 0 and text[at] in _CURRENCY and start - at < 4:
            at -= 1
        spaced = at >= 1 and text[at] in " \u00a0" and text[at - 1] in "-−"
        at -= spaced
        if at < 0 or text[at] not in "-−" or before.start != at or _ends_operand(previous):
            return start, value, role
        ahead = text[at - 1] if at else " "
        if not spaced:
            if not (ahead.isspace() or ahead in _OPENERS or ahead == ":"):
                return start, value, role
            if ahead == ":" and text[at] == "-":
                value = None
        elif previous.text not in {"=", "+", "×", "÷", "/", "·"}:
            if previous.kind == "line" and at and text[at] == "-":
                return start, value, role
            if text[at] == "-" or self._follows_a_number():
                return start, value, "dashed"
        self._made.pop()
        return at, value and -value, role

    def _follows_a_number(self) -> bool:
        """Whether the sign just made stands after a number and at most two units."""
        for back in (2, 3, 4):
            previous = self._before(back)
            if _ends_operand(previous):
                return True
            if previous.kind != "word":
                return False
        return False


def _ends_operand(token: AnswerToken) -> bool:
    return token.kind == "number" or token.text == ")"


_NOTHING = AnswerToken("line", "", 0, 0)


def _list_marks(text: str) -> tuple[frozenset[int], frozenset[int]]:
    """Where numbers stand that number a list, and where one may or may not."""
    marks = [
        (int(match["n"]), match.start("n"), match["next"] or match["glued"])
        for match in _LIST_MARK.finditer(text)
    ]
    masked: set[int] = set()
    doubtful: set[int] = set()
    expected = 1
    for index, (number, start, follower) in enumerate(marks):
        if number not in {1, expected}:
            if follower.isdigit():
                doubtful.add(start)
            continue
        continued = number > 1 or any(n == 2 for n, _, _ in marks[index + 1 : index + 2])
        if not continued and not follower.isalpha():
            if follower.isdigit():
                doubtful.add(start)
            continue
        masked.add(start)
        expected = number + 1
    return frozenset(masked), frozenset(doubtful)


def _is_identifier(after: re.Match[str]) -> bool:
    """Whether letters that follow digits make them part of a name, as in 4a or 3f2."""
    glued = after["glued"]
    if glued is None:
        return False
    if after["more"] is not None:
        return True
    return len(glued) == 1 and glued.lower() not in _UNITS_OF_ONE_LETTER | {"k", "x"}
