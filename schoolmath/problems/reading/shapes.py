"""Shapes of sentences, and which one a sentence has, its words brought to their plain form.

The shapes are the phrasings by which this lab writes (phrasings.yaml) and those it reads besides
(readings.yaml). They make one tree of words; a sentence goes down it once, word by word, so the
time that takes does not grow with the number of shapes, and no sentence can make it long: every
gap ends at one place, so no branch of the tree is gone down twice.

A sentence of somebody else's may be in the past, spell its numbers out, and begin or end with words
that change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import product
from typing import Any, NamedTuple

import yaml

from schoolmath.problems.errors import VocabularyError
from schoolmath.problems.vocabulary import ASSETS
from schoolmath.problems.writing import phrasings
from schoolmath.text.numbers import with_digits, with_plain_digits
from schoolmath.text.yaml_files import read_yaml

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
            f"The vocabulary file {path.name} is damaged: {error}. Repair it or install again."
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


@lru_cache(maxsize=64)
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


def _without_articles(words: list[str], added: set[str]) -> SentenceWords:
    """The words without those that only lead from a number to a thing: "another 5 of her pens"."""
    found = SentenceWords([], [], added)
    forms = lexicon().forms
    lowered = [*map(str.lower, words), ""]
    for index, word in enumerate(words):
        lower, following = lowered[index], lowered[index + 1]
        if lower in _ARTICLES and following.isdigit():
            continue
        if lower == "of" and following in _OWN and _counted(found.plain):
            continue
        if lower in _OWN and index and words[index - 1] == "of" and _counted(found.plain):
            continue
        owner = word == "'" and index and words[index - 1][0].isupper()
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


MOST_WORDS = 80
"""A sentence with more words is not read."""

NAMES = frozenset({"agent", "subject", "object", "sender", "receiver", "one", "two"})
"""Gaps that somebody's name fills."""

_MOST_IN_A_THING = 8
_MOST_IN_A_NAME = 4
_GAP = re.compile(r"\{(\w+)\}")
_CHOICE = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_NUMBERS = frozenset({"q", "k"})
_ONE = frozenset({"a", "an", "another"})
_NAMES_TOO = frozenset({"will", "per"})
_NO_NAME = re.compile(r"[A-Z]-.+|[A-Z]{2,}s?(?:-.+)?|.*\d.*")
"""A thing's word that begins with a capital or a digit: T-shirts, USB sticks, 3D-printers."""
_DETERMINERS = frozenset({"the", "a", "an", "another", "his", "her", "their", "my", "our", "its"})


class Match(NamedTuple):
    """The shape that a sentence has.

    Attributes:
        kind: as in the files of shapes.
        phrasing: which of the kind's own phrasings; 0 where it is none of them.
        gaps: for every gap its first word and the one after its last.
    """

    kind: str
    phrasing: int
    gaps: dict[str, tuple[int, int]]


class _Node:
    """A place in the tree: which words and gaps may follow."""

    __slots__ = ("kind", "literals", "names", "numbers", "phrasing", "things")

    def __init__(self) -> None:
        self.literals: dict[str, _Node] = {}
        self.names: dict[str, _Node] = {}
        self.numbers: dict[str, _Node] = {}
        self.things: dict[str, _Node] = {}
        self.kind = ""
        self.phrasing = 0


@dataclass(frozen=True, slots=True)
class ShapeTree:
    """All shapes as one tree.

    Attributes:
        root: where every sentence begins.
        not_names: words that are no names, though a sentence may begin with them.
        after_things: words that end the name of a thing.
        after_names: words that end the name of somebody.
        anybody: whether pronouns are names too.
    """

    root: _Node
    not_names: frozenset[str]
    after_things: frozenset[str]
    after_names: frozenset[str]
    anybody: bool

    def match(self, raw: list[str], plain: list[str]) -> Match | None:
        """The shape of a sentence, or None.

        Args:
            raw: its words as they stand, without the mark at the end.
            plain: the same words as they stand in shapes.
        """
        if len(raw) > MOST_WORDS:
            return None
        gaps: dict[str, tuple[int, int]] = {}
        node = self._down(self.root, 0, raw, plain, gaps)
        return None if node is None else Match(node.kind, node.phrasing, gaps)

    def _down(
        self,
        node: _Node,
        index: int,
        raw: list[str],
        plain: list[str],
        gaps: dict[str, tuple[int, int]],
    ) -> _Node | None:
        if index == len(raw):
            return node if node.kind else None
        child = node.literals.get(plain[index])
        if child is not None:
            found = self._down(child, index + 1, raw, plain, gaps)
            if found is not None:
                return found
        if node.numbers:
            end = self._number_end(index, plain)
            if end:
                found = self._through(node.numbers, index, end, raw, plain, gaps)
                if found is not None:
                    return found
        if node.names:
            end = self._name_end(index, raw, plain)
            if end:
                found = self._through(node.names, index, end, raw, plain, gaps)
                if found is not None:
                    return found
        if node.things:
            end = self._thing_end(index, raw, plain)
            if end:
                return self._through(node.things, index, end, raw, plain, gaps)
        return None

    def _through(
        self,
        able: dict[str, _Node],
        index: int,
        end: int,
        raw: list[str],
        plain: list[str],
        gaps: dict[str, tuple[int, int]],
    ) -> _Node | None:
        """Down through one of several gaps that the same words can fill."""
        for gap, child in able.items():
            found = self._down(child, end, raw, plain, gaps)
            if found is not None:
                gaps[gap] = (index, end)
                return found
        return None

    def _number_end(self, index: int, plain: list[str]) -> int:
        word = plain[index]
        if word.isdecimal():
            return index + 1
        return index + 1 if self.anybody and word in _ONE else 0

    def _thing_end(self, index: int, raw: list[str], plain: list[str]) -> int:
        """Where the name of a thing that begins here ends; 0: none begins."""
        stops = self.after_things
        end, most = index, min(len(plain), index + _MOST_IN_A_THING)
        while end < most:
            word = raw[end]
            if not word[0].isalnum() or word.isdecimal() or plain[end] in stops:
                break
            if end > index and word[0].isupper() and not _NO_NAME.fullmatch(word):
                break
            end += 1
        if end > index and plain[end - 1] == "of":
            end -= 1
        return end if end > index else 0

    def _name_end(self, index: int, raw: list[str], plain: list[str]) -> int:
        """Where the name of somebody that begins here ends; 0: none begins."""
        end, most = index, min(len(plain), index + _MOST_IN_A_NAME)
        while end < most and self._is_name(raw[end]):
            end += 1
        if end > index:
            return end
        word = plain[index]
        if word in _DETERMINERS:
            end = index + 1
            while end < most and self._in_a_role(raw[end], plain[end]):
                end += 1
            if end > index + 1:
                # "Her brother Ben" is Ben.
                while end < most and self._is_name(raw[end]):
                    end += 1
                return end
        return index + 1 if self.anybody and word in lexicon().pronouns else 0

    def _is_name(self, word: str) -> bool:
        return word[0].isupper() and word.lower() not in self.not_names

    def _in_a_role(self, word: str, plain: str) -> bool:
        stops = self.after_names
        return word[0].isalpha() and word[0].islower() and plain not in stops


def is_role(word: str) -> bool:
    """Whether a name that begins with this word is a role: "the farmer", "her sister"."""
    return word.lower() in _DETERMINERS


@cache
def built_in_shapes() -> ShapeTree:
    """The sentences that this lab writes, word for word."""
    return _tree(_built_in(), str.lower, anybody=False)


@cache
def all_shapes() -> ShapeTree:
    """Everything that is read, in plain forms."""
    return _tree((*_built_in(), *_others()), plain_form, anybody=True)


class _Shape(NamedTuple):
    kind: str
    phrasing: int
    text: str


def _built_in() -> Iterator[_Shape]:
    for kind, templates in phrasings().items():
        for index, template in enumerate(templates):
            shape = template.rstrip(".?!")
            if "{now}" in shape:
                yield _Shape(f"{kind}, now", index, shape.replace("{now}", " now"))
            yield _Shape(kind, index, shape.replace("{now}", ""))


def _others() -> Iterator[_Shape]:
    for kind, shapes in lexicon().shapes.items():
        for shape in shapes:
            for text in _expanded(shape):
                yield _Shape(kind, 0, text)


def _expanded(shape: str) -> Iterator[str]:
    """Every sentence that a shape with choices stands for."""
    fixed, choices, end = [], [], 0
    for choice in _CHOICE.finditer(shape):
        fixed.append(shape[end : choice.start()])
        options = (choice[1] or choice[2]).split("|")
        choices.append(options if choice[2] is None else [*options, ""])
        end = choice.end()
    for chosen in product(*choices):
        pieces = [piece for pair in zip(fixed, chosen, strict=True) for piece in pair]
        yield "".join([*pieces, shape[end:]])


def _tree(shapes: Iterable[_Shape], plain: Callable[[str], str], *, anybody: bool) -> ShapeTree:
    root = _Node()
    literals, after_things, after_names = set[str](), set[str](), set[str]()
    for shape in shapes:
        node, before = root, ""
        for word, gap in _pieces(shape.text):
            if gap:
                node = _children(node, gap).setdefault(gap, _Node())
            else:
                if anybody and word in lexicon().dropped:
                    continue
                literals.add(word.lower())
                word = plain(word)
                if before in NAMES:
                    after_names.add(word)
                elif before and before not in _NUMBERS:
                    after_things.add(word)
                node = node.literals.setdefault(word, _Node())
            before = gap
        if not node.kind:
            node.kind, node.phrasing = shape.kind, shape.phrasing
    known = lexicon()
    stops = known.not_in_a_thing
    return ShapeTree(
        root,
        frozenset(literals).union(known.pronouns, known.dropped, known.leading, stops, _DETERMINERS)
        - _NAMES_TOO,
        frozenset((after_things | stops) - {"of"}),
        frozenset(after_names | stops),
        anybody,
    )


def _children(node: _Node, gap: str) -> dict[str, _Node]:
    if gap in _NUMBERS:
        return node.numbers
    return node.names if gap in NAMES else node.things


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """The words and gaps of a shape in order, each as (word, "") or ("", gap)."""
    end = 0
    for gap in _GAP.finditer(text):
        for word in split_words(text[end : gap.start()]):
            yield word, ""
        yield "", gap[1]
        end = gap.end()
    for word in split_words(text[end:]):
        yield word, ""
