"""Singular and plural of English nouns, also of those that grammar books do not know."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import inflect

_NOT_PLURAL = ("ss", "us", "is")
_SINGULAR = frozenset({"gas", "lens", "canvas", "atlas", "bias", "series", "species"})


@lru_cache(maxsize=4096)
def singular_of(word: str) -> str:
    """The singular of an English noun in lower case; a singular is left as it is."""
    if word.endswith(_NOT_PLURAL) or word in _SINGULAR:
        return word
    without_s = word.removesuffix("s")
    if len(without_s) > 1 and without_s != word and not _plural(without_s).endswith("s"):
        # "Mouses" and "sheeps": a plural that grammar books do not know, of a noun that they do.
        return without_s
    return _english().singular_noun(word) or word


def one_of(plural: str) -> str:
    """A noun phrase in the singular, as a text would write it."""
    before, _, word = plural.rpartition(" ")
    return f"{before} {singular_of(word)}".strip()


def many_of(singular: str) -> str:
    """A noun phrase in the plural, as a text would write it."""
    before, _, word = singular.rpartition(" ")
    return f"{before} {_plural(word)}".strip()


def _plural(word: str) -> str:
    return str(_english().plural_noun(word))


@cache
def _english() -> inflect.engine:
    # Imported when a text has a noun of its own: it takes a moment. At its import inflect has every
    # function compiled again with checks of its arguments' types, six seconds of CPU for checks
    # that nothing here needs; what it answers is the same without. lemminflect, which is here as
    # well, guesses wrong at nouns that it does not know ("superheroes", "veggies", "calories").
    import typeguard

    checking = typeguard.typechecked
    typeguard.typechecked = cast("Any", lambda function: function)
    try:
        import inflect
    finally:
        typeguard.typechecked = checking
    return inflect.engine()
