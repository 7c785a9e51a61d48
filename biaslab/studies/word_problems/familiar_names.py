"""Which first names a reader of US English texts meets often, and which hardly ever.

The lists are in assets/vocabulary/names.yaml under ``familiarity``, as pairs of one initial and
one length; what familiar means there is said in docs/treatments.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import yaml

from biaslab.problems import VocabularyError
from biaslab.problems.vocabulary import ASSETS


class NamePair(NamedTuple):
    """Two names of one initial and one length."""

    familiar: str
    unfamiliar: str


@cache
def name_pairs() -> tuple[NamePair, ...]:
    """All pairs, each initial once.

    Raises:
        VocabularyError: the names of a pair differ in initial or length, or one stands twice.
    """
    path = ASSETS / "names.yaml"
    pairs = tuple(
        NamePair(*names)
        for names in yaml.safe_load(path.read_text(encoding="utf-8"))["familiarity"]
    )
    for pair in pairs:
        if len(pair.familiar) != len(pair.unfamiliar) or pair.familiar[0] != pair.unfamiliar[0]:
            raise VocabularyError(
                f"{path.name}: {pair.familiar} and {pair.unfamiliar} need one initial and one "
                "length: change one."
            )
    if len({name for pair in pairs for name in pair}) != 2 * len(pairs):
        raise VocabularyError(f"{path.name}: a name stands twice under familiarity: remove one.")
    return pairs


@cache
def _familiar() -> frozenset[str]:
    return frozenset(pair.familiar for pair in name_pairs())


@cache
def _unfamiliar() -> frozenset[str]:
    return frozenset(pair.unfamiliar for pair in name_pairs())


def familiarity(names: Iterable[str]) -> tuple[int, int]:
    """How many of the names are familiar, and how many unfamiliar."""
    given = frozenset(names)
    return len(given & _familiar()), len(given & _unfamiliar())
