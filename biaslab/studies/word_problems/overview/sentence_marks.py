"""What stands in a sentence for the eye: its words, numbers, names, and plain faults of grammar.

Nothing here understands the sentence (that is the work of reading); it is what could make two
texts of one meaning unequally hard.
"""

from __future__ import annotations

import re

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


def grammar_faults(sentence: str, asked: str = "") -> list[str]:
    """Plain faults that a reader stumbles over, each a clause; only what is sure is named.

    Args:
        sentence: one sentence.
        asked: the thing that the question asks for in the plural, where it is known
            (`thing_asked`); it judges nouns that are not in the vocabulary.
    """
    faults = [fault for match in _COUNTED.finditer(sentence) if (fault := _counted(match, asked))]
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


def _counted(match: re.Match[str], asked: str) -> str:
    number, phrase = int(match[1]), _up_to_break(match[2])
    said = f"“{match[1]} {phrase}”"
    plural = _is_plural(phrase)
    if plural is None and asked and _is_plural(asked) is None:
        if number == 1 and phrase == asked and asked.endswith("s"):
            plural = True
        elif number != 1 and asked in (f"{phrase}s", f"{phrase}es"):
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
