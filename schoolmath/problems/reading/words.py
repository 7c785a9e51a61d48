"""The words of a sentence that is read, in the plain form in which shapes are written down.

A sentence of this lab needs none of it. One of somebody else's may be in the past, spell its
numbers out, and begin or end with words that change nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import yaml

from schoolmath.problems.errors import VocabularyError
from schoolmath.problems.vocabulary import ASSETS
from schoolmath.text.numbers import with_digits, with_plain_digits
from schoolmath.text.shipped_files import read_yaml

NOW, FIRST, ALTOGETHER, EACH = "now", "first", "altogether", "each"
"""What an ending can add to a sentence."""

_WORD = re.compile(r"[^\W_](?:[^\W_]|(?:'(?!s\b)|-)(?=[^\W_]))*|'s?|[^\w\s]|_")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "–": "-", "−": "-", "‑": "-"})
_OWN = ("his", "her", "their", "its", "the", "them", "those", "these", "my", "our", "your")

_ARTICLES = frozenset({"a", "an", "another", "the"})
_NOW_WORDS = frozenset({"now", "still"})


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What readings.yaml says of words; see there."""

    forms: dict[str, str]
    dropped: frozenset[str]
    leading: dict[str, tuple[tuple[str, ...], ...]]
    trailing: dict[str, tuple[tuple[tuple[str, ...], str], ...]]
    not_in_a_thing: frozenset[str]
    pronouns: dict[str, str]
    titles: dict[str, str]
    coins: frozenset[str]
    shapes: dict[str, tuple[str, ...]]


@dataclass(slots=True)
class SentenceWords:
    """A sentence word by word.

    Attributes:
        raw: as they stand, numbers in digits.
        plain: the same, in lower case and each in its plain form.
        added: what the endings that were taken off add: `NOW`, `FIRST`, ...
    """

    raw: list[str]
    plain: list[str]
    added: set[str] = field(default_factory=set)


def split_words(sentence: str) -> list[str]:
    """Words and marks, "Ana's" as two."""
    return _WORD.findall(sentence)


@cache
def lexicon() -> Lexicon:
    """The words of assets/vocabulary/readings.yaml, loaded once.

    Raises:
        VocabularyError: the file is missing or damaged.
    """
    path = ASSETS / "readings.yaml"
    try:
        return _lexicon(read_yaml(path))
    except (OSError, yaml.YAMLError, KeyError, TypeError, AttributeError) as error:
        raise VocabularyError(
            f"The vocabulary file {path.name} is damaged: {error}. Mend it or install again."
        ) from error


def _lexicon(loaded: dict[str, Any]) -> Lexicon:
    leading: dict[str, list[tuple[str, ...]]] = {}
    for phrase in loaded["leading"]:
        words = tuple(phrase.split())
        leading.setdefault(words[0], []).append(words)
    trailing: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for added, phrases in loaded["trailing"].items():
        for phrase in phrases:
            for own in _OWN[:5] if "{own}" in phrase else ("",):
                words = tuple(phrase.replace("{own}", own).split())
                trailing.setdefault(words[-1], []).append((words, added))
    return Lexicon(
        forms={form: word for word, forms in loaded["forms"].items() for form in forms},
        dropped=frozenset(loaded["dropped"]),
        leading={k: tuple(sorted(v, key=len, reverse=True)) for k, v in leading.items()},
        trailing={k: tuple(sorted(v, key=lambda each: -len(each[0]))) for k, v in trailing.items()},
        not_in_a_thing=frozenset(loaded["not_in_a_thing"]),
        pronouns={word: who for who, words in loaded["pronouns"].items() for word in words},
        titles={word: who for who, words in loaded["titles"].items() for word in words},
        coins=frozenset(loaded["coins"]),
        shapes={kind: tuple(shapes) for kind, shapes in loaded["shapes"].items()},
    )


def plain_form(word: str) -> str:
    """The word in lower case, and of several that say the same the one used in shapes."""
    lower = word.lower()
    return lexicon().forms.get(lower, lower)


def plain_words(sentence: str) -> SentenceWords:
    """The words of anybody's sentence in their plain form, without what changes nothing."""
    raw = with_digits(split_words(with_plain_digits(sentence.translate(_QUOTES))))
    lower = [word.lower() for word in raw]
    start = _begin(lower)
    end, added = _end(lower, start)
    dropped = lexicon().dropped
    kept: list[str] = []
    for word, low in zip(raw[start:end], lower[start:end], strict=True):
        if low in _NOW_WORDS:
            added.add(NOW)
        elif low not in dropped and (kept or word != ","):
            kept.append(word)
    return _without_articles(kept, added)


def _without_articles(kept: list[str], added: set[str]) -> SentenceWords:
    """The words without those that only lead from a number to a thing: "another 5 of her pens"."""
    found = SentenceWords([], [], added)
    forms = lexicon().forms
    lowered = [*map(str.lower, kept), ""]
    for index, word in enumerate(kept):
        lower, following = lowered[index], lowered[index + 1]
        if lower in _ARTICLES and following.isdigit():
            continue
        if lower == "of" and following in _OWN and _counted(found.plain):
            continue
        if lower in _OWN and index and kept[index - 1] == "of" and _counted(found.plain):
            continue
        owner = word == "'" and index and kept[index - 1][0].isupper()
        found.raw.append(word)
        found.plain.append("'s" if owner else forms.get(lower, lower))
    return found


def _counted(before: list[str]) -> bool:
    return bool(before) and before[-1].isdigit() and before[-2:-1] != ["/"]


def _begin(lower: list[str]) -> int:
    """Where the sentence begins, after words such as "after that"."""
    start = 0
    while start < len(lower):
        for phrase in lexicon().leading.get(lower[start], ()):
            after = start + len(phrase)
            if tuple(lower[start:after]) == phrase:
                break
        else:
            return start
        start = after + (lower[after : after + 1] == [","])
    return start


def _end(lower: list[str], start: int) -> tuple[int, set[str]]:
    """Where the sentence ends, before words such as "in total", and what they add."""
    end, added = len(lower), set[str]()
    while end > start:
        ending = _ending(lower, start, end)
        if ending is None:
            break
        phrase, adds = ending
        if adds != "nothing":
            added.add(adds)
        end -= len(phrase)
        end -= lower[end - 1] == ","
    return end, added


def _ending(lower: list[str], start: int, end: int) -> tuple[tuple[str, ...], str] | None:
    for phrase, adds in lexicon().trailing.get(lower[end - 1], ()):
        before = end - len(phrase)
        if before > start and tuple(lower[before:end]) == phrase:
            return phrase, adds
    return None
