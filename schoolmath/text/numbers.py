"""English numbers: the words for them, and which number words and digits in a text mean.

Written here because no kept library answers the question asked: text2num reads a phrase but
neither "a dozen", "two and a half" nor where in a text the words stand, and word2number has
had no release for years. Words that follow each other without making one number ("one five",
"twenty thirty") have no value: they are never added up or cut short.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
"""Words from nought to nineteen, each at its number."""

TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
"""Words of the tens, each at its tenth."""

SCALES = {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "dozen": 12}
"""Words that multiply the number before them, be it in words or in digits."""

TIMES = {"twice": 2, "thrice": 3, "double": 2, "triple": 3}
"""Words that multiply what comes after them."""

NUMBER_WORDS = frozenset({*UNITS, *filter(None, TENS), *SCALES, *TIMES, "half", "quarter"})
"""Every word that stands for a number, in the singular. Ordinals are none."""

_SMALL = {
    **{word: number for number, word in enumerate(UNITS)},
    **{word: 10 * number for number, word in enumerate(TENS) if word},
    "fourty": 40,  # A common misspelling that cannot mean anything else.
}

MOST_DIGITS = 40
"""A longer number is no answer to anything; it is left without a value."""

_DENOMINATORS = {
    "half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "twelfth": 12, "twentieth": 20, "hundredth": 100,
}  # fmt: skip
_PLURAL_DENOMINATORS = {
    ("halves" if word == "half" else f"{word}s"): number for word, number in _DENOMINATORS.items()
}
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12,
    **{f"{word}th": number for number, word in enumerate(UNITS) if number > 12},
    **{f"{word[:-1]}ieth": 10 * number for number, word in enumerate(TENS) if word},
}  # fmt: skip
"""Words for places in an order, up to the twentieth, and the round ones above."""

_ORDINALS = {"first", "second"} | (set(_DENOMINATORS) - {"half", "quarter"})


def _any_of(words: Sequence[str]) -> str:
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


_NUMBER_WORD = _any_of([*_SMALL, *SCALES])
_FOLLOWER = (
    rf"(?:{_any_of([*_SMALL, *SCALES, *_DENOMINATORS, *_PLURAL_DENOMINATORS, 'point', 'first'])}"
    r"|(?<=ty[\ -])second)"
)
_SPACE = r"[^\S\n]"
NUMBER_PHRASE = (
    rf"(?<![^\W_])(?<![^\W\d_]-)(?:half{_SPACE}a{_SPACE}dozen"
    rf"|(?:an?{_SPACE}(?:{_any_of([*SCALES])}|half|quarter)|{_any_of([*_SMALL])})"
    rf"(?:(?:-|{_SPACE}(?:and{_SPACE})?|,{_SPACE}(?:and{_SPACE})?(?={_NUMBER_WORD}\b))"
    rf"(?:a{_SPACE}(?=half\b|quarter\b))?{_FOLLOWER}(?![^\W_]))*)"
    r"(?![^\W_])(?!-[^\W_])"
)
"""Pattern (verbose, case ignored) of words that may make one number or several."""

_WORD = re.compile(r"[a-z]+|,", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WordNumber:
    """A number in words.

    Attributes:
        start, end: where it stands in the phrase.
        value: None where the words follow each other without making one number.
    """

    start: int
    end: int
    value: Fraction | None


def read_phrase(phrase: str) -> list[WordNumber]:
    """The numbers of a text that matches `NUMBER_PHRASE`, in order; ordinals are none."""
    spans = [match.span() for match in _WORD.finditer(phrase)]
    words = [phrase[start:end].lower() for start, end in spans]
    found: list[WordNumber] = []
    at = 0
    while at < len(words):
        value, after = _number(words, at)
        if after == at:
            at += 1
            continue
        while after < len(words) and (words[after] in _SMALL or words[after] in SCALES):
            value, after = None, after + 1
        if not (after < len(words) and _is_ordinal(words, after)):
            found.append(WordNumber(spans[at][0], spans[after - 1][1], value))
        at = after
    return found


def _is_ordinal(words: Sequence[str], at: int) -> bool:
    """Whether the word makes an ordinal of those before it, as in twenty-first."""
    before = words[at - 1]
    return words[at] in _ORDINALS and (before in SCALES or _SMALL.get(before, 0) >= 20)


def _number(words: Sequence[str], at: int) -> tuple[Fraction | None, int]:
    """The number that begins here and the index after it (the same index: there is none)."""
    if words[at : at + 3] == ["half", "a", "dozen"]:
        return Fraction(6), at + 3
    part = _fraction(words, at)
    if part is not None:
        return part, at + 2
    whole, after = _whole(words, at)
    if after == at or after == len(words):
        return Fraction(whole), after
    if words[after] == "and":
        part = _fraction(words, after + 1)
        if part is not None:
            return whole + part, after + 3
    if words[after] == "point":
        return _decimals(words, whole, after + 1)
    return Fraction(whole), after


def _fraction(words: Sequence[str], at: int) -> Fraction | None:
    """One half, a quarter, two thirds; "a third" is left alone, for it may be an ordinal."""
    if at + 1 >= len(words):
        return None
    count = 1 if words[at] == "a" else _SMALL.get(words[at], 0)
    names = _DENOMINATORS if count == 1 else _PLURAL_DENOMINATORS
    if count == 0 or words[at + 1] not in names:
        return None
    return Fraction(count, names[words[at + 1]])


def _decimals(words: Sequence[str], whole: int, at: int) -> tuple[Fraction | None, int]:
    after = at
    digits = ""
    while after < len(words) and _SMALL.get(words[after], 10) < 10:
        digits += str(_SMALL[words[after]])
        after += 1
    if not digits:
        return Fraction(whole), at - 1
    if len(digits) > MOST_DIGITS:
        return None, after
    return Fraction(f"{whole}.{digits}"), after


def _whole(words: Sequence[str], start: int) -> tuple[int, int]:
    """The whole number that begins here and the index after it."""
    total, group, ceiling, at = 0, 0, 10**12, start
    if words[at] in {"a", "an"} and at + 1 < len(words) and words[at + 1] in SCALES:
        group, at = 1, at + 1
    while at < len(words):
        word = words[at]
        if word in {"and", ","}:
            skip = 2 if words[at : at + 2] == [",", "and"] else 1
            follower = words[at + skip] if at + skip < len(words) else ""
            if words[at - 1] not in SCALES or at == start or _SMALL.get(follower, 0) == 0:
                break
            if word == "," and words[at - 1] == "hundred":
                break
            if _fraction(words, at + skip) is not None:
                break
            at += skip
            continue
        if word in _SMALL:
            number = _SMALL[word]
            if number == 0:
                return (0, at + 1) if at == start else (total + group, at)
            room = group % 100 == 0 or (number < 10 and group % 100 >= 20 and group % 10 == 0)
            if not room:
                break
            group += number
        elif word == "hundred" and 0 < group < 100:
            group *= 100
        elif word == "dozen" and group and not total:
            return group * 12, at + 1
        elif word in SCALES and word not in {"hundred", "dozen"} and group:
            if SCALES[word] >= ceiling:
                break
            ceiling = SCALES[word]
            total, group = total + group * ceiling, 0
        else:
            break
        at += 1
    return total + group, at


VULGAR_FRACTIONS = "".join(
    sign
    for sign in map(chr, [*range(0xBC, 0xBF), *range(0x2150, 0x215F)])
    if unicodedata.numeric(sign, 0)
)
"""Signs such as ½."""

_GROUPED = re.compile(
    r"[0-9]{1,3}(?:(?:,[0-9]{3})+|(?:'[0-9]{3})+|(?:\{,\}[0-9]{3})+|(?:\\,[0-9]{3})+"
    r"|(?:[ \u00a0][0-9]{3})+)(?:\.[0-9]+)?"
)
_GROUPED_BY_POINTS = re.compile(r"[0-9]{1,3}(?:(?:\.[0-9]{3})+,[0-9]+|(?:\.[0-9]{3}){2,})")
_DECIMAL = re.compile(r"[0-9]*\.[0-9]+")
_NON_DIGITS = re.compile(r"[^0-9.]+")
_INTEGERS = re.compile(r"[0-9]+")


def value_of_digits(text: str) -> tuple[Fraction | None, str]:
    """The number that digits write, and its role; no value where they are ambiguous."""
    if len(text) > MOST_DIGITS:
        return None, "plain"
    if text.isdecimal():
        return Fraction(int(text)), "plain"
    if _DECIMAL.fullmatch(text):
        return Fraction(text), "plain"
    if text[-1] in VULGAR_FRACTIONS:
        whole = text[:-1].strip()
        part = Fraction(unicodedata.numeric(text[-1])).limit_denominator(100)
        return Fraction(whole or 0) + part, "plain"
    if "frac" in text:
        return _value_of_latex(text)
    if "/" in text:
        *whole_part, numerator, denominator = (int(digits) for digits in _INTEGERS.findall(text))
        return _value_of_fraction(whole_part, numerator, denominator)
    if _GROUPED.fullmatch(text) and text[0] != "0":
        return Fraction(_NON_DIGITS.sub("", text)), "plain"
    if _GROUPED_BY_POINTS.fullmatch(text) and text[0] != "0":
        return Fraction(text.replace(".", "").replace(",", ".")), "plain"
    return None, "plain"


def _value_of_fraction(
    whole: list[int], numerator: int, denominator: int
) -> tuple[Fraction | None, str]:
    if denominator == 0:
        return None, "plain"
    part = Fraction(numerator, denominator)
    if whole:
        return (whole[0] + part if part < 1 else None), "plain"
    return part, ("division" if part.denominator == 1 else "plain")


def _value_of_latex(text: str) -> tuple[Fraction | None, str]:
    whole, _, rest = text.partition("\\")
    digits = _INTEGERS.findall(rest)
    if len(digits) == 1:
        digits = list(digits[0])
    return _value_of_fraction([int(whole)] if whole else [], int(digits[0]), int(digits[1]))


MOST_SENTENCE_DIGITS = 9
"""No number of a word problem has more digits."""

# A sentence of a word problem has no millions, and "the twelfth" without a number is a day.
_SENTENCE_SCALES = ("hundred", "thousand")
_SENTENCE_PARTS = {word: number for word, number in _DENOMINATORS.items() if number <= 10} | {
    "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15,
    "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20,
}  # fmt: skip
_SPELLED = frozenset({*UNITS, *filter(None, TENS), *_SENTENCE_SCALES})
_MAY_BEGIN_A_NUMBER = _SPELLED | {*TIMES, "half", "a", "an", "one", "1", "dozen"}
"""What no number begins with, of words without a hyphen, need not be looked at."""
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3}){1,2}(?![\d,]|\.\d)")
_PART_IN_DIGITS = re.compile(r"(?<![\d/])1/(\d{1,3})(?:st|nd|rd|th)\b")
_MONEY = re.compile(r"([$£€])\s?(\d{1,9})(?![\d,.]*\d)")
_COINS = {"$": "dollars", "£": "pounds", "€": "euros"}


def with_plain_digits(sentence: str) -> str:
    """The sentence with "1,200" as 1200, "$15" as 15 dollars and "1/10th" as 1/10."""
    if "/" in sentence:
        sentence = _PART_IN_DIGITS.sub(r"1/\1", sentence)
    if "," in sentence:
        sentence = _THOUSANDS.sub(lambda found: found[0].replace(",", ""), sentence)
    if _MONEY.search(sentence):
        sentence = _MONEY.sub(lambda found: f"{found[2]} {_COINS[found[1]]}", sentence)
    return sentence


def with_digits(words: Sequence[str]) -> list[str]:
    """The words of a sentence with numbers in digits: "twenty-one" is 21, "twice" 2 times.

    "Half as many" becomes 1 / 2 as many. What is no number is left as it is.
    """
    found: list[str] = []
    index = 0
    while index < len(words):
        word = words[index].lower()
        if word not in _MAY_BEGIN_A_NUMBER and "-" not in word:
            found.append(words[index])
            index += 1
            continue
        following = words[index + 1].lower() if index + 1 < len(words) else ""
        if word in TIMES:
            found += [str(TIMES[word]), "times"]
            index += 1
        elif word == "half" and following in ("as", "the", "of"):
            found += ["1", "/", "2"]
            index += 1
        elif word in ("a", "an", "one", "1") and following in _SENTENCE_PARTS:
            found += ["1", "/", str(_SENTENCE_PARTS[following])]
            index += 2
        elif word.startswith("one-") and word[4:] in _SENTENCE_PARTS:
            found += ["1", "/", str(_SENTENCE_PARTS[word[4:]])]
            index += 1
        elif word == "dozen" or (word == "a" and following == "dozen"):
            index += 1 if word == "dozen" else 2
            before = found.pop() if word == "dozen" and found and found[-1].isdigit() else "1"
            found.append(str(12 * int(before)))
        else:
            value, after = _spelled(words, index)
            found.append(words[index] if value is None else str(value))
            index = after
    return found


def _spelled(words: Sequence[str], start: int) -> tuple[int | None, int]:
    """The number that is spelled out from here on, and where it ends."""
    parts: list[str] = []
    index = start
    while index < len(words):
        word = words[index].lower()
        pieces = word.split("-")
        if all(piece in _SPELLED for piece in pieces):
            parts += pieces
        elif word == "a" and not parts and _next(words, index) in _SENTENCE_SCALES:
            parts.append("one")
        elif not (
            word == "and" and parts and parts[-1] in _SENTENCE_SCALES and _goes_on(words, index)
        ):
            break
        index += 1
    value = _value_of_words(parts)
    return (None, start + 1) if value is None else (value, index)


def _next(words: Sequence[str], index: int) -> str:
    return words[index + 1].lower() if index + 1 < len(words) else ""


def _goes_on(words: Sequence[str], index: int) -> bool:
    first, _, second = _next(words, index).partition("-")
    return first in TENS or (first in UNITS and not second)


def _value_of_words(parts: Sequence[str]) -> int | None:
    """The value of number words in a proper order, or None."""
    total = group = 0
    last = 1000
    for part in parts:
        if part == "thousand":
            if not group or total:
                return None
            total, group, last = group * 1000, 0, 1000
        elif part == "hundred":
            if not 0 < group < 10:
                return None
            group, last = group * 100, 100
        else:
            size = 10 if part in TENS else 1
            # "Twenty five" is a number, "five twenty" and "twenty fifteen" are none.
            if size >= last or (last == 10 and _SMALL[part] > 9):
                return None
            group += _SMALL[part]
            last = size
    return total + group if parts else None


def in_words(value: int) -> str:
    """A number from 1 to 999,999,999 in words: four hundred twenty-six."""
    millions, thousands = divmod(value // 1000, 1000)
    words = [_below_thousand(millions), "million"] if millions else []
    words += [_below_thousand(thousands), "thousand"] if thousands else []
    return " ".join([*words, _below_thousand(value % 1000)]).strip()


def _below_thousand(value: int) -> str:
    hundreds, rest = divmod(value, 100)
    words = [UNITS[hundreds], "hundred"] if hundreds else []
    if rest >= 20:
        tens, ones = divmod(rest, 10)
        words.append(TENS[tens] + (f"-{UNITS[ones]}" if ones else ""))
    elif rest:
        words.append(UNITS[rest])
    return " ".join(words)


_NUMBER = re.compile(r"\d[\d.,]*")


class FirstNumber(NamedTuple):
    """The first number of a text.

    Attributes:
        value: as it is read; "12.5" and "1,250" are 125 and 1250, and "-3" is 3.
        span: where it stands, as (start, end), without commas and points behind it.
        is_over: whether something follows that is no part of it, so that no more text can
            change it.
    """

    value: int
    span: tuple[int, int]
    is_over: bool


def first_number(text: str) -> FirstNumber | None:
    """The first number of a text; None: it has none."""
    match = _NUMBER.search(text)
    if match is None:
        return None
    written = match[0]
    value = int(written.replace(",", "").replace(".", ""))
    end = match.start() + len(written.rstrip(".,"))
    return FirstNumber(value, (match.start(), end), match.end() < len(text))
