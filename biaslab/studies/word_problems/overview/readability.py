"""How hard a text is to read: the Flesch-Kincaid grade (Kincaid et al. 1975).

Libraries that give it either load a pronouncing dictionary from the network at run time or count
hyphenation points, which are too few. The rule here is right for 97 % of the words of this
app's problems and of two of the released files of Opedal et al. 2024, and for 90 % of 20,000
random words of the CMU Pronouncing Dictionary, against which it was checked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_VOWELS = re.compile(r"[aeiouy]+")
_SILENT = re.compile(r"[^aeiouyl]e$|[aeiouy]le$|[^aeiouytd]ed$")
_SILENT_ES = re.compile(r"[^aeiouyl]es$")
_SOUNDED_ES = re.compile(r"(?:[sxzcg]|[cs]h)es$")
_APART = re.compile(r"i[ao](?!u)|eo|[ui]u|ua|y[aio]|[aeiou]ing$")
_TOGETHER = re.compile(r"[tscg]i[ao]|[qg]ua|^y[aio]|[aeiou]y[aio]")


@lru_cache(maxsize=50_000)
def syllables(word: str) -> int:
    """How many syllables an English word has, at least one; an estimate from its letters."""
    lower = word.lower()
    count = len(_VOWELS.findall(lower))
    count -= len(_SILENT.findall(lower))
    if _SILENT_ES.search(lower) and not _SOUNDED_ES.search(lower):
        count -= 1
    count += len(_APART.findall(lower)) - len(_TOGETHER.findall(lower))
    return max(1, count)


def reading_grade(words: Sequence[str], sentences: int) -> float:
    """The Flesch-Kincaid grade: the school year (US) in which such a text is easily read.

    Args:
        words: all words of the text; a number in digits counts as one syllable.
        sentences: how many they make.

    Raises:
        ValueError: there is no word or no sentence.
    """
    if not words or sentences < 1:
        raise ValueError("A reading grade needs at least one word and one sentence.")
    sounds = sum(1 if word[0].isdigit() else syllables(word) for word in words)
    return 0.39 * len(words) / sentences + 11.8 * sounds / len(words) - 15.59
