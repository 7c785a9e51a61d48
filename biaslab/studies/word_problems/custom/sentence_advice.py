"""What to write instead of a sentence that cannot be read: one of the same kind that can be."""

from __future__ import annotations

import re
from collections.abc import Sequence

from biaslab.problems.reading.words import split_words
from biaslab.text.further_numbers import with_digits, with_plain_digits

_QUESTION = re.compile(r"\?|\bhow (?:many|much)\b|\bwork out\b", re.IGNORECASE)
_TIMES = re.compile(r"\btimes\b|\btwice\b|\bdouble|\btriple|\bhalf\b", re.IGNORECASE)
_FEWER = re.compile(r"\bfewer\b|\bless\b|\bbehind\b|\bshort of\b", re.IGNORECASE)
_MORE = re.compile(r"\bthan\b|\bahead of\b", re.IGNORECASE)
_EACH = re.compile(r"\beach\b|\bevery\b|\bper\b|\bpacked\b|\bshare[sd]?\b", re.IGNORECASE)
_GIVING = re.compile(
    r"\bg[ai]v(?:e|es|en|ing)\b|\bpass|\bhand|\bsen[dt]\b|\blen[dt]", re.IGNORECASE
)
_LOSING = re.compile(
    r"\blos[et]|\bs[eo]l[ld]|\bate\b|\beats?\b|\bspen[dt]|\bbroke|\bused?\b|\bdonat|\bthr[eo]w",
    re.IGNORECASE,
)
_GETTING = re.compile(
    r"\bb(?:uy|ought)|\bg[eo]t\b|\bf[io](?:n|un)d|\bearn|\bcollect|\bpick|\breceiv|\bw[io]n\b|\badd",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<![.?!]\s)(?<!^)\b[A-Z][a-z]+\b")


def advice(sentence: str, names: Sequence[str], thing: str) -> str:
    """A readable sentence of the same kind, with the names and number of the one at hand.

    Args:
        sentence: the one that cannot be read.
        names: who is named elsewhere in the text, for a sentence that names too few.
        thing: what is counted elsewhere in the text, in the plural; or "".
    """
    written = _advice(sentence, *_people(sentence, names), thing)
    return written[0].upper() + written[1:]


def _advice(sentence: str, first: str, second: str, thing: str) -> str:
    things = thing or "apples"
    if _QUESTION.search(sentence):
        return f"How many {things} does {first} have now?"
    found = with_digits(split_words(with_plain_digits(sentence)))
    numbers = [word for word in found if word.isdigit() and len(word) <= 3] or ["5"]
    number = numbers[0]
    if _TIMES.search(sentence):
        return f"{first} has {number} times as many {things} as {second}."
    if _FEWER.search(sentence):
        return f"{first} has {number} fewer {things} than {second}."
    if _GIVING.search(sentence):
        return f"{first} gives {number} {things} to {second}."
    if _MORE.search(sentence):
        return f"{first} has {number} more {things} than {second}."
    if _EACH.search(sentence):
        holds = f"Each of {first}'s boxes holds {numbers[-1]} {things}."
        return holds if len(numbers) == 1 else f"{first} has {number} boxes of {things}. {holds}"
    if _LOSING.search(sentence):
        return f"{first} gives away {number} {things}."
    if _GETTING.search(sentence):
        return f"{first} buys {number} {things}."
    return f"{first} has {number} {things}."


def _people(sentence: str, names: Sequence[str]) -> tuple[str, str]:
    begins = sentence.split(maxsplit=1)[:1]
    known = [name for name in names if name and re.search(rf"\b{re.escape(name)}\b", sentence)]
    known.sort(key=sentence.index)
    others = [word for word in _NAME.findall(sentence) if word not in known]
    leads = [word for word in begins if word in names and word not in known]
    found = dict.fromkeys([*leads, *known, *others, *filter(None, names), "Ana", "Ben"])
    first, second, *_ = found
    return first, second
