"""What one word problem is like, in numbers: as difficult as its steps, numbers and words.

Nothing here understands the sentence (that is the work of reading); it is what could make two
texts of one meaning unequally hard.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from biaslab.studies import Item
from biaslab.studies.word_problems.verification import sentences_of, steps_of, structure_of
from schoolmath.problems.vocabulary import remembered, vocabulary
from schoolmath.text.numbers import NUMBER_WORDS


def _words(text: str) -> list[str]:
    return text.split()


_WORD = re.compile(r"\d+(?:[.,/]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NUMBER = re.compile(r"\d+(?:,\d{3})*")
_NAME = re.compile(r"\b[A-Z][^\W\d_]+(?:-[A-Z][^\W\d_]+)*")
# Words with a capital that begin a sentence and are no names.
_OPENERS = frozenset(
    _words("""
    A Additionally After Afterwards All Also Altogether An And Are As At Before Both But By
    Calculate Can Compared Did Do Does During Each Eight Every Everyone Finally Find First
    Five Following For Four From Furthermore Given Has Have He Her His How However I If In
    Initially Is It Its Lastly Later Many Meanwhile Moreover Next Nine Now Of On One
    Originally Out Seven She Since Six So Some Still Suppose Ten Than That The Their Then
    There These They This Three To Today Together Two Until Was We What When Where Which
    While Who Whose With Work Yesterday You
    """)
)
_COUNTED = re.compile(r"(?<![\d.,/])(\d+) ((?:(?:more|fewer|less) )?[a-z][a-z -]*)")
_COMPARING = frozenset(("more", "fewer", "less"))
_BREAKS = frozenset(
    _words("""
    a an and are as at by does each every for from go goes had has have holds how in into is now
    of on than that the then times to were which who will with
    """)
)
_BAD_PLURAL = re.compile(r"\b[a-z]*(?:ch|sh|x|z|ss)s\b|\b[a-z]*[^aeiou\W]ys\b")
_DOUBLED = re.compile(r"\b([a-z]+) \1\b", re.IGNORECASE)
_NAME_HAVE = re.compile(r"(?<!\band )\b([A-Z][a-z]+) have\b")
_AUXILIARY = re.compile(r"\b(?:do|does|did|will|would|should|could|can|must|may|might)\b", re.I)
_LONGEST = 3


def words_in(text: str) -> list[str]:
    """Words and numbers, without marks."""
    return _WORD.findall(text)


def numbers_in(text: str) -> list[str]:
    """Numbers written in digits, as they stand; ``1,200`` is one, ``1/10`` two."""
    return _NUMBER.findall(text)


def number_words_in(text: str) -> int:
    """How many words stand for numbers: three, twelve, dozen, half, twice."""
    return sum(word.lower() in NUMBER_WORDS for word in re.split(r"[^A-Za-z]+", text))


def names_in(text: str) -> list[str]:
    """Words with a capital that are no openers of a sentence."""
    return [name for name in _NAME.findall(text) if name not in _OPENERS]


def grammar_faults(sentence: str, question: str = "") -> list[str]:
    """Plain faults that a reader stumbles over, each a clause; only what is sure is named.

    Args:
        sentence: one sentence.
        question: the thing that the question asks for in the plural, where it is known
            (`thing_asked`); it judges nouns that are not in the vocabulary.
    """
    faults = [
        fault for match in _COUNTED.finditer(sentence) if (fault := _counted(match, question))
    ]
    faults += [f"“{found}” is no plural" for found in _BAD_PLURAL.findall(sentence)]
    faults += [f"“{found}” stands twice" for found in _DOUBLED.findall(sentence)]
    if not _AUXILIARY.search(sentence):
        faults += [
            f"“{found} have” should be “{found} has”"
            for found in _NAME_HAVE.findall(sentence)
            if found not in _OPENERS
        ]
    if sentence[:1].islower():
        faults.append("it begins with a small letter")
    if sentence.rstrip()[-1:] not in (".", "?", "!"):
        faults.append("it has no mark at its end")
    return faults


_ASKED = re.compile(r"\b(?:how many|number of) ((?:[a-z-]+ ){1,5})", re.IGNORECASE)


def thing_asked(question: str) -> str:
    """What the question asks for: ``red apples``; empty where that is not plain."""
    match = _ASKED.search(question)
    return "" if match is None else _up_to_break(match[1])


def _counted(match: re.Match[str], question: str) -> str:
    number, phrase = int(match[1]), _up_to_break(match[2])
    said = f"“{match[1]} {phrase}”"
    plural = _is_plural(phrase)
    if plural is None and question and _is_plural(question) is None:
        if number == 1 and phrase == question and question.endswith("s"):
            plural = True
        elif number != 1 and question in (f"{phrase}s", f"{phrase}es"):
            plural = False
    if plural is None or plural is (number != 1):
        return ""
    return f"{said} should be in the {'plural' if number != 1 else 'singular'}"


def _up_to_break(phrase: str) -> str:
    kept: list[str] = []
    for word in phrase.split():
        # Whatever a container holds comes after its "of": the container is what is counted.
        if word in _BREAKS:
            break
        if word not in _COMPARING:
            kept.append(word)
    return " ".join(kept)


def _is_plural(phrase: str) -> bool | None:
    """Whether the counted thing stands in the plural; None where it may be either or unknown."""
    words = phrase.split()
    # The thing counted is the last word, before any "of": "orange wallets".
    for length in range(min(len(words), _LONGEST), 0, -1):
        found = _forms().get(" ".join(words[-length:]))
        if found is not None:
            return found == "plural" if found != "both" else None
    return None


@remembered
def _forms() -> dict[str, str]:
    words = vocabulary()
    forms: dict[str, str] = {}
    nouns = [(noun.singular, noun.plural) for noun in words.nouns.values()]
    units = [(unit.singular, unit.plural) for unit in words.units.values()]
    for singular, plural in (*nouns, *units):
        for text, form in ((singular, "singular"), (plural, "plural")):
            forms[text] = form if forms.get(text, form) == form else "both"
    return forms


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


Level: TypeAlias = int | float | str
"""A value of a measure: a number, or a name such as ``addition``."""

OPERATION_NAMES = {
    "+": "addition",
    "-": "subtraction",
    "*": "multiplication",
    "/": "division",
}
_KINDS = ("container", "transfer", "comparison", "rate")


@dataclass(frozen=True, slots=True)
class ProblemMeasure:
    """Something that is measured of every problem.

    Attributes:
        name: short, for tables and links.
        label: on screens and axes.
        explanation: one line for someone who does not know it.
        numeric: whether its levels are numbers; they have a mean then.
        read: its levels in one problem: one, or one for each number or sentence; none where
            they are not known.
    """

    name: str
    label: str
    explanation: str
    numeric: bool
    read: Callable[[Item], Sequence[Level]]


def sentence_kinds(item: Item) -> list[str]:
    """The kinds of the sentences: container, transfer, comparison (and its wording), rate."""
    kinds = []
    for part in structure_of(item).split(" . "):
        kind, _, rest = part.partition(" ")
        kind = kind.rstrip("+-*/±")
        if kind in _KINDS:
            wording = [word for word in rest.split() if word in ("consistent", "inconsistent")]
            kinds.append(" ".join((kind, *wording)))
    return kinds


def _steps(item: Item) -> list[Level]:
    steps = steps_of(item)
    return [len(steps)] if steps else []


def _carries(item: Item) -> list[Level]:
    steps = steps_of(item)
    return [sum(step.carries for step in steps)] if steps else []


def _plain_numbers(item: Item) -> list[str]:
    return [number.replace(",", "") for number in numbers_in(item.text)]


def _grade(item: Item) -> list[Level]:
    words = words_in(item.text)
    return [reading_grade(words, len(sentences_of(item)))] if words else []


MEASURES = (
    ProblemMeasure(
        "steps", "Reasoning steps", "How many calculations lead to the answer.", True, _steps
    ),
    ProblemMeasure(
        "operations", "Operations", "What the calculations are.", False,
        lambda item: [OPERATION_NAMES[step.operation] for step in steps_of(item)],
    ),
    ProblemMeasure(
        "carries", "Carries and borrows", "How many there are in all its calculations.", True,
        _carries,
    ),
    ProblemMeasure(
        "numbers", "Numbers", "Every number in the text.", True,
        lambda item: [int(number) for number in _plain_numbers(item)],
    ),
    ProblemMeasure(
        "digits", "Digits of a number", "How long every number in the text is.", True,
        lambda item: [len(number) for number in _plain_numbers(item)],
    ),
    ProblemMeasure(
        "zeros", "Zero digits", "How many zeros stand in the numbers of the text.", True,
        lambda item: [sum(number.count("0") for number in _plain_numbers(item))],
    ),
    ProblemMeasure(
        "kinds", "Sentence kinds", "What the sentences before the question say.", False,
        sentence_kinds,
    ),
    ProblemMeasure(
        "words", "Words", "How many words the problem has, numbers included.", True,
        lambda item: [len(words_in(item.text))],
    ),
    ProblemMeasure(
        "grade", "Reading grade",
        "Flesch-Kincaid: the school year (US) in which such a text is easily read.", True, _grade,
    ),
)  # fmt: skip
"""All measures, in the order in which they are shown."""
