"""Numbers in a sentence that is read: digits, words from zero to the thousands, halves."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST_DIGITS = 9
"""No number of a word problem has more digits."""

_SMALL = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
    "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
    "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
_SCALES = {"hundred": 100, "thousand": 1000}
_NUMBER_WORDS = frozenset({*_SMALL, *_TENS, *_SCALES})
_PARTS = {
    "half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10,
}  # fmt: skip
_TIMES = {"twice": "2", "thrice": "3", "double": "2", "triple": "3"}
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3}){1,2}(?![\d,]|\.\d)")
_MONEY = re.compile(r"([$£€])\s?(\d{1,9})(?![\d,.]*\d)")
_COINS = {"$": "dollars", "£": "pounds", "€": "euros"}


def with_plain_digits(sentence: str) -> str:
    """The sentence with "1,200" as 1200 and "$15" as 15 dollars."""
    if "," in sentence:
        sentence = _GROUPED.sub(lambda found: found[0].replace(",", ""), sentence)
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
        following = words[index + 1].lower() if index + 1 < len(words) else ""
        if word in _TIMES:
            found += [_TIMES[word], "times"]
            index += 1
        elif word == "half" and following in ("as", "the", "of"):
            found += ["1", "/", "2"]
            index += 1
        elif word in ("a", "an", "one", "1") and following in _PARTS:
            found += ["1", "/", str(_PARTS[following])]
            index += 2
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
        if all(piece in _NUMBER_WORDS for piece in pieces):
            parts += pieces
        elif word == "a" and not parts and _next(words, index) in _SCALES:
            parts.append("one")
        elif not (word == "and" and parts and parts[-1] in _SCALES and _goes_on(words, index)):
            break
        index += 1
    value = _value(parts)
    return (None, start + 1) if value is None else (value, index)


def _next(words: Sequence[str], index: int) -> str:
    return words[index + 1].lower() if index + 1 < len(words) else ""


def _goes_on(words: Sequence[str], index: int) -> bool:
    first, _, second = _next(words, index).partition("-")
    return first in _TENS or (first in _SMALL and not second)


def _value(parts: Sequence[str]) -> int | None:
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
            size = 10 if part in _TENS else 1
            # "Twenty five" is a number, "five twenty" and "twenty fifteen" are none.
            if size >= last or (last == 10 and _SMALL.get(part, 0) > 9):
                return None
            group += _TENS.get(part, _SMALL.get(part, 0))
            last = size
    return total + group if parts else None
