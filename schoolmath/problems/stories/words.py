"""Sentences, words and numbers of a story, and what is known about single words.

Inflections come from lemminflect (MIT licence); which lemma does what to amounts stands in
assets/vocabulary/stories.yaml.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from schoolmath.problems.vocabulary import ASSETS, remembered, vocabulary
from schoolmath.text.numbers import NUMBER_PHRASE, NUMBER_WORDS, read_phrase, value_of_digits
from schoolmath.text.yaml_files import read_yaml

_PHRASE = re.compile(NUMBER_PHRASE, re.IGNORECASE | re.VERBOSE)
_TOKEN = re.compile(
    r"(?P<number>[$€£]?\s?\d+\s*/\s*\d+(?![\d.])|[$€£]?\s?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)"
    r"|[$€£]?\s?\d*\.?\d+)(?P<suffix>[A-Za-z%]*(?:-[A-Za-z]+)*)"
    r"|(?P<word>[A-Za-z][A-Za-z0-9]*(?:[-'][A-Za-z0-9]+)*)"
    r"|(?P<mark>[^\sA-Za-z0-9])"
)
_NUMBER_WORDS = (
    NUMBER_WORDS - {"one"}
    | {"fourty"}
    | {f"{word}," for word in NUMBER_WORDS}
    | {f"{word}." for word in NUMBER_WORDS}
)
_TITLES = re.compile(r"\b(Mr|Mrs|Ms|Dr|Prof|St|Jr)\.", re.IGNORECASE)
_OTHER_DOTS = re.compile(r"\b(?:a\.m|p\.m|lbs|oz|ft|in|yd)\.(?=\s+[a-z])")


@dataclass(frozen=True, slots=True)
class StoryToken:
    """A word, number or mark.

    Attributes:
        text: as it stands.
        word: in lower case; "#" for a number.
        value: of a number; None for words, marks and numbers without a certain value.
        money: whether a sign of dollars stands before a number.
        capital: whether it begins with a capital.
        first: whether it begins a sentence.
        index: its place in the whole text.
    """

    text: str
    word: str
    value: Fraction | None
    money: bool
    capital: bool
    first: bool
    index: int

    @property
    def number(self) -> bool:
        """Whether it is a number."""
        return self.word == "#"


@dataclass(frozen=True, slots=True)
class StorySentence:
    """Tokens of a sentence without its end mark, and whether that is a question mark."""

    tokens: tuple[StoryToken, ...]
    asks: bool


@dataclass(frozen=True, slots=True)
class StoryLexicon:
    """What is known about lemmas: assets/vocabulary/stories.yaml."""

    verbs: dict[str, str]
    particles: dict[str, str]
    unclear: frozenset[str]
    unread: frozenset[str]
    kinds: dict[str, frozenset[str]]
    measures: dict[str, tuple[str, int]]


@cache
def _content() -> dict[str, Any]:
    where = ASSETS / "stories.yaml"
    content: dict[str, Any] = read_yaml(where)
    return content


@cache
def classes() -> dict[str, frozenset[str]]:
    """Words by their part in a sentence."""
    return {name: frozenset(listed.split()) for name, listed in _content()["classes"].items()}


@cache
def forms() -> dict[str, dict[str, str]]:
    """Irregular and short forms with the words that they stand for."""
    found: dict[str, dict[str, str]] = _content()["forms"]
    return found


@remembered
def lexicon() -> StoryLexicon:
    """The lexicon, read once, with what the vocabulary in use was taught besides."""
    content = _content()
    taught = vocabulary().taught
    kinds = {kind: frozenset(members) for kind, members in content["kinds"].items()}
    for kind, members in taught.kinds.items():
        kinds[kind] = kinds.get(kind, frozenset()) | members
    verbs = {lemma: kind for kind, lemmas in content["verbs"].items() for lemma in lemmas}
    alone = {lemma: kind for lemma, kind in taught.verbs.items() if " " not in lemma}
    with_particle = {lemma: kind for lemma, kind in taught.verbs.items() if " " in lemma}
    return StoryLexicon(
        verbs | alone,
        content["particles"] | with_particle,
        frozenset(content["unclear_verbs"]),
        frozenset(content["unread_words"]),
        kinds,
        {large: (small, int(many)) for large, (small, many) in content["measures"].items()},
    )


_TOPS = {"": 1, "a": 1, "one": 1, "two": 2, "three": 3}
_BOTTOMS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "tenth": 10}
_PART_IN_WORDS = re.compile(
    rf"\b(?:(a|one|two|three)[ -])?({'|'.join(_BOTTOMS)})s?( as (?=many\b|much\b)"
    r"|(?: of|(?<=half)) (?=(?:them|it|the|his|her|their|its|these|those)\b))",
    re.IGNORECASE,
)
_TWICE = re.compile(r"\btwice as (many|much)\b(?=.* as )")


def in_figures(text: str) -> str:
    """A text with "half of them" as "1/2 of them", "twice as many" as "2 times as many"."""

    def part(match: re.Match[str]) -> str:
        figures = f"{_TOPS[(match[1] or '').lower()]}/{_BOTTOMS[match[2].lower()]}"
        return figures + (" as " if match[3] == " as " else " of ")

    return _PART_IN_WORDS.sub(part, _TWICE.sub(r"2 times as \1", text))


def sentences_of(text: str) -> list[StorySentence]:
    """The sentences of a story."""
    plain = _OTHER_DOTS.sub(lambda m: m[0].replace(".", ""), _TITLES.sub(r"\1", text))
    plain = plain.replace("’", "'")
    if not _NUMBER_WORDS.isdisjoint(plain.lower().replace("-", " ").split()):
        plain = _PHRASE.sub(_in_digits, plain)
    found: list[StorySentence] = []
    tokens: list[StoryToken] = []
    index = 0
    for match in _TOKEN.finditer(plain):
        mark = match["mark"]
        if mark in {".", "?", "!"}:
            if tokens:
                found.append(StorySentence(tuple(tokens), mark == "?"))
                tokens = []
            continue
        for token in _tokens(match, index, not tokens):
            tokens.append(token)
            index += 1
    if tokens:
        found.append(StorySentence(tuple(tokens), _asks(tokens)))
    return found


def _tokens(match: re.Match[str], index: int, first: bool) -> list[StoryToken]:
    if match["number"] is None:
        text = match[0]
        capital = text[0].isupper()
        if text.endswith("'s") and len(text) > 2:
            head = StoryToken(text[:-2], text[:-2].lower(), None, False, capital, first, index)
            return [head, StoryToken("'s", "'s", None, False, False, False, index + 1)]
        # "Team A" is a name, not an article.
        word = "a_" if text == "A" and not first else text.lower()
        return [StoryToken(text, word, None, False, capital, first, index)]
    digits, suffix = match["number"].strip(), match["suffix"]
    money = digits[0] in "$€£"
    value, role = value_of_digits(digits.lstrip("$€£ ").replace(" ", ""))
    if (suffix and suffix.lower() not in _UNITS) or role == "division":
        # mp3, 5th, 7-year-old, 20%: words that hold a digit, not amounts.
        text = match[0].strip()
        return [StoryToken(text, text.lower(), None, False, False, first, index)]
    found = [StoryToken(digits, "#", value, money, False, first, index)]
    if suffix:
        found.append(
            StoryToken(suffix, _UNITS[suffix.lower()], None, False, False, False, index + 1)
        )
    return found


_UNITS = {"g": "gram", "kg": "kilogram", "cm": "centimeter", "m": "meter", "km": "kilometer",
          "lb": "pound", "lbs": "pound", "oz": "ounce", "ft": "foot", "in": "inch", "l": "liter",
          "ml": "milliliter", "mm": "millimeter"}  # fmt: skip
_SHORT = {"g": "gram", "kg": "kilogram", "cm": "centimeter", "km": "kilometer", "lbs": "pound",
          "lb": "pound", "l": "liter", "oz": "ounce", "ft": "foot", "ml": "milliliter",
          "pics": "picture", "photos": "photo", "kids": "kid", "buck": "dollar", "bucks": "dollar",
          "bars": "bar", "metre": "meter", "metres": "meter", "litre": "liter", "litres": "liter",
          "kilometre": "kilometer", "kilometres": "kilometer", "centimetre": "centimeter",
          "centimetres": "centimeter", "millilitre": "milliliter",
          "millilitres": "milliliter"}  # fmt: skip


def _in_digits(match: re.Match[str]) -> str:
    """Number words as digits; what is no certain number stays."""
    phrase = match[0]
    low = phrase.lower()
    if low == "one" or ("quarter" in low and " " in low and not low.startswith(("a ", "one "))):
        head = low.split()[0]
        if low == "one":
            return phrase
        numbers = read_phrase(head)
        if len(numbers) == 1 and numbers[0].value is not None:
            return f"{numbers[0].value}{phrase[len(head) :]}"
        return phrase
    numbers = read_phrase(phrase)
    text, end = "", 0
    for each in numbers:
        if each.value is None:
            return phrase
        text += phrase[end : each.start] + str(each.value)
        end = each.end
    return text + phrase[end:]


def _asks(tokens: Sequence[StoryToken]) -> bool:
    """Whether a sentence without a mark at its end asks: "If 7 are sold, how many are left"."""
    pairs = pairwise(tokens)
    return begins_like_a_question(tokens) or any(
        one.word == "how" and other.word in {"many", "much"} for one, other in pairs
    )


def begins_like_a_question(tokens: Sequence[StoryToken]) -> bool:
    """Whether the first word asks, whatever mark is at the end."""
    return bool(tokens) and tokens[0].word in {"how", "what", "find"}


# Closed classes.
DETERMINERS = classes()["determiners"]
POSSESSIVES = classes()["possessives"]
SUBJECTS = classes()["subjects"]
OBJECTS = classes()["objects"]
PREPOSITIONS = classes()["prepositions"]
CONJUNCTIONS = classes()["conjunctions"]
RELATIVES = classes()["relatives"]
ADVERBS = classes()["adverbs"]
BE = classes()["be"]
HAVE = classes()["have"]
DO = classes()["do"]
MODALS = classes()["modals"]
AUXILIARIES = BE | HAVE | DO | MODALS
FINITE_AUXILIARIES = AUXILIARIES - {"be", "been", "being"}
NEGATIONS = classes()["negations"]
CONTRACTED = forms()["contracted"]
TIMES = classes()["times"]
UNITS_OF_TIME = classes()["units_of_time"]
MEASURES = classes()["measures"]
KIN = classes()["kin"]
OPENERS = DETERMINERS | POSSESSIVES
"""Words that open a noun phrase."""
OWN = POSSESSIVES | {"her"}
PERSONAL = SUBJECTS | OBJECTS
ANY_TIME = TIMES | UNITS_OF_TIME


@lru_cache(maxsize=50_000)
def _lemmas(word: str) -> dict[str, tuple[str, ...]]:
    from lemminflect import getAllLemmas

    found: dict[str, tuple[str, ...]] = getAllLemmas(word)
    return found


_VERBS = forms()["verbs"]


def is_irregular(word: str) -> bool:
    """Whether it is an irregular form of a verb, such as "ate"."""
    return word in _VERBS


@remembered
def verb_lemma(word: str) -> str:
    """The verb that a word can be a form of; "" where it can be none."""
    taught = vocabulary().taught.verb_forms
    if word in taught:
        return taught[word]
    if word in _VERBS:
        return _VERBS[word]
    found = _lemmas(word).get("VERB", ())
    if not found:
        return ""
    known = lexicon().verbs
    return next((lemma for lemma in found if lemma in known), found[0])


@remembered
def noun_lemma(word: str) -> str:
    """The singular of a noun; the word itself where it is not known as one."""
    taught = vocabulary().taught.nouns
    if word in taught:
        return taught[word]
    if word in _SHORT:
        return _SHORT[word]
    if word in {
        "pies", "ties", "leaves", "people", "glasses", "classes", "dice", "cookies", "brownies",
        "movies", "gas", "bus", "grass", "glass", "dress", "class",
    }:  # fmt: skip
        return {
            "pies": "pie",
            "ties": "tie",
            "leaves": "leaf",
            "people": "person",
            "glasses": "glass",
            "classes": "class",
            "dice": "die",
            "cookies": "cookie",
            "brownies": "brownie",
            "movies": "movie",
        }.get(word, word)
    if "-" in word:
        head, _, tail = word.rpartition("-")
        return f"{head}-{noun_lemma(tail)}"
    found = _lemmas(word)
    if "NOUN" in found:
        lemma = found["NOUN"][0]
        if (
            lemma == word
            and word.endswith("s")
            and not word.endswith("ss")
            and "NOUN" in _lemmas(word[:-1])
        ):
            return word[:-1]
        return lemma
    plural = word.endswith("s") and not word.endswith("ss") and len(word) > 3
    if plural and (not found or "NOUN" in _lemmas(word[:-1])):
        return word[:-1]
    return word


@remembered
def can_be_noun(word: str) -> bool:
    """Whether a word can be a noun; what is in no dictionary can."""
    found = _lemmas(word)
    taught = vocabulary().taught
    if word in taught.verb_forms and word not in taught.nouns and not found:
        return False
    return not found or "NOUN" in found or word in {"bar", "bars"} or word in taught.nouns


@lru_cache(maxsize=50_000)
def can_be_adjective(word: str) -> bool:
    """Whether a word can be an adjective."""
    return "ADJ" in _lemmas(word)


@remembered
def is_plural(word: str) -> bool:
    """Whether a noun stands in the plural."""
    taught = vocabulary().taught.nouns
    if word in taught:
        return taught[word] != word
    if word in {
        "fish", "sheep", "deer", "people", "children", "men", "women", "geese", "mice", "feet",
        "teeth",
    }:  # fmt: skip
        return True
    return word.endswith("s") and noun_lemma(word) != word


def is_plural_form(singular: str, tokens: Sequence[StoryToken]) -> bool:
    """Whether a noun stands in the plural somewhere among the tokens."""
    return any(token.word != singular and noun_lemma(token.word) == singular for token in tokens)
