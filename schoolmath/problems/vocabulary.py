"""Names, nouns, units, attributes and containers that make sense together.

The lists are hand-checked files in assets/vocabulary; this module loads and checks them and
answers two questions: which words may stand together, and how is an entity written. Somebody may
put words of their own in their place (`schoolmath.problems.custom_words`): within `using`, all
texts are written and read with those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import yaml

from schoolmath.problems.errors import VocabularyError
from schoolmath.problems.logic import Entity
from schoolmath.text.yaml_files import read_yaml

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "vocabulary"


@dataclass(frozen=True, slots=True)
class Name:
    """A person's first name and the culture it was taken from."""

    text: str
    culture: str


@dataclass(frozen=True, slots=True)
class Unit:
    """A measure (litre) or a container (box) in singular and plural."""

    id: str
    singular: str
    plural: str
    container: bool


@dataclass(frozen=True, slots=True)
class Noun:
    """A thing that people have amounts of.

    Attributes:
        countable: whether the bare noun takes a number ("3 apples"); an uncountable noun is
            always written with one of its measures ("3 litres of milk").
        measures: measures in which an uncountable noun is counted.
        containers: containers in which a group of it is plausibly kept.
        attributes: adjectives that make sense with it.
        topic: a broad group ("fruit", "school"), for variety.
    """

    id: str
    singular: str
    plural: str
    countable: bool
    measures: tuple[str, ...]
    containers: tuple[str, ...]
    attributes: tuple[str, ...]
    topic: str


@dataclass(frozen=True, slots=True)
class Taught:
    """What somebody taught the reader of stories, beyond assets/vocabulary/stories.yaml.

    Attributes:
        verbs: what a verb does to amounts, by its lemma; a lemma may have a particle ("chuck out").
        verb_forms: lemma by inflected form.
        nouns: singular by plural and by itself.
        kinds: what a noun is one of, as its members: "fruit" of "durian".
    """

    verbs: Mapping[str, str] = field(default_factory=dict)
    verb_forms: Mapping[str, str] = field(default_factory=dict)
    nouns: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """All words of the generator, and how they are written.

    Two are the same only where they are one object, so that what is made from a vocabulary can be
    remembered for it (`remembered`).
    """

    names: tuple[Name, ...]
    nouns: dict[str, Noun]
    units: dict[str, Unit]
    attributes: tuple[str, ...]
    taught: Taught = field(default_factory=Taught)
    _written: dict[tuple[Entity, bool], str] = field(default_factory=dict, repr=False)

    def write(self, entity: Entity, quantity: int) -> str:
        """The noun phrase for this amount, without the number: "boxes of red apples"."""
        key = (entity, quantity == 1)
        phrase = self._written.get(key)
        if phrase is None:
            phrase = self._written[key] = self._write(entity, singular=quantity == 1)
        return phrase

    def _write(self, entity: Entity, *, singular: bool) -> str:
        noun = self.nouns.get(entity.noun)
        if noun is None:
            raise VocabularyError(f"The noun {entity.noun!r} is not in the vocabulary.")
        if not noun.countable and not entity.unit:
            raise VocabularyError(
                f"{noun.singular!r} cannot be counted: give it one of its measures "
                f"({', '.join(noun.measures)})."
            )
        if entity.unit and entity.unit not in self.units:
            raise VocabularyError(f"The unit {entity.unit!r} is not in the vocabulary.")
        one = singular and not entity.unit
        word = noun.singular if one or not noun.countable else noun.plural
        phrase = f"{entity.attribute} {word}" if entity.attribute else word
        if not entity.unit:
            return phrase
        unit = self.units[entity.unit]
        return f"{unit.singular if singular else unit.plural} of {phrase}"


def look_alike(first: str, second: str) -> bool:
    """Whether two names could be confused in one problem.

    Two names are look-alikes when they begin with the same letter or are at most two
    single-letter edits apart (Sofia and Sophia, Mia and Lia).
    """
    a, b = first.casefold(), second.casefold()
    return a[0] == b[0] or _edits(a, b) <= 2


def _edits(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (left != right))
    return row[-1]


_in_use: ContextVar[Vocabulary | None] = ContextVar("vocabulary in use", default=None)
_P = ParamSpec("_P")
_T = TypeVar("_T")


def vocabulary() -> Vocabulary:
    """The vocabulary that texts are written and read with: the shipped one, or that of `using`.

    Raises:
        VocabularyError: as `shipped` does.
    """
    return _in_use.get() or shipped()


@contextmanager
def using(words: Vocabulary | None) -> Iterator[None]:
    """Within it `vocabulary` is another one, for this thread or task alone.

    Args:
        words: None: whichever is in use already.
    """
    token = _in_use.set(words or _in_use.get())
    try:
        yield
    finally:
        _in_use.reset(token)


def remembered(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Remembers what a function gives, for every vocabulary in use.

    Args:
        function: of hashable arguments, that asks `vocabulary`.
    """

    @lru_cache(maxsize=50_000)
    def found(_: Vocabulary, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return function(*args, **kwargs)

    @wraps(function)
    def with_words(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        return found(_in_use.get() or shipped(), *args, **kwargs)  # type: ignore[arg-type]

    return with_words


@cache
def shipped() -> Vocabulary:
    """The vocabulary shipped in assets/vocabulary, loaded once and checked.

    Raises:
        VocabularyError: a file is missing, or an entry refers to an unknown word.
    """
    try:
        return _read()
    except (yaml.YAMLError, KeyError, TypeError, AttributeError) as error:
        raise VocabularyError(
            f"A vocabulary file in {ASSETS.name}/ is damaged: {error}. Repair it or install again."
        ) from error


def _read() -> Vocabulary:
    units = {
        key: Unit(key, entry["singular"], entry["plural"], kind == "containers")
        for kind in ("measures", "containers")
        for key, entry in _load("units.yaml")[kind].items()
    }
    attributes = tuple(_load("attributes.yaml")["attributes"])
    nouns = {
        key: Noun(
            id=key,
            singular=entry["singular"],
            plural=entry["plural"],
            countable=entry["countable"],
            measures=tuple(entry.get("measures", ())),
            containers=tuple(entry.get("containers", ())),
            attributes=tuple(entry.get("attributes", ())),
            topic=entry["topic"],
        )
        for key, entry in _load("nouns.yaml")["nouns"].items()
    }
    names = tuple(
        Name(text, culture)
        for culture, texts in _load("names.yaml")["names"].items()
        for text in texts
    )
    _check(names, nouns, units, attributes)
    return Vocabulary(names, nouns, units, attributes)


def _load(file: str) -> dict[str, Any]:
    path = ASSETS / file
    try:
        return dict(read_yaml(path))
    except OSError as error:
        raise VocabularyError(
            f"The vocabulary file {path} cannot be read ({error.strerror}). Install again."
        ) from error


def _check(
    names: tuple[Name, ...],
    nouns: dict[str, Noun],
    units: dict[str, Unit],
    attributes: tuple[str, ...],
) -> None:
    texts = [name.text for name in names]
    if len(set(texts)) != len(texts):
        raise VocabularyError("A name stands twice in names.yaml: remove one.")
    for noun in nouns.values():
        for unit in (*noun.measures, *noun.containers):
            if unit not in units:
                raise VocabularyError(
                    f"nouns.yaml, {noun.id}: the unit {unit!r} is not in units.yaml."
                )
        for attribute in noun.attributes:
            if attribute not in attributes:
                raise VocabularyError(
                    f"nouns.yaml, {noun.id}: {attribute!r} is not in attributes.yaml."
                )
        if not noun.countable and not noun.measures:
            raise VocabularyError(
                f"nouns.yaml, {noun.id}: an uncountable noun needs at least one measure."
            )
