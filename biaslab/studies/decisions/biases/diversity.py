"""How different scenes are from each other, said plainly: words and word sequences shared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from biaslab.studies.decisions.biases.template import Vignette

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
MOST_COMPARED = 200
"""More scenes than this are not compared pair by pair."""


@dataclass(frozen=True, slots=True)
class Diversity:
    """How different some scenes are.

    Attributes:
        scenes: how many.
        distinct_words: different words among all words, 0..1.
        distinct_pairs: different pairs of neighbouring words among all such pairs, 0..1.
        overlap: mean share of words that two scenes have in common (Jaccard), 0..1; None for a
            single scene.
        closest: ids of the two that share most; closest_overlap: how much.
    """

    scenes: int
    distinct_words: float
    distinct_pairs: float
    overlap: float | None
    closest: tuple[str, str] | None
    closest_overlap: float


def diversity(vignettes: Sequence[Vignette]) -> Diversity:
    """The figures of some scenes.

    Raises:
        ValueError: there are none.
    """
    if not vignettes:
        raise ValueError("There are no scenes.")
    worded = {each.id: _words(each) for each in vignettes[:MOST_COMPARED]}
    words = [word for each in worded.values() for word in each]
    pairs = [pair for each in worded.values() for pair in pairwise(each)]
    shared = {
        (one, other): _jaccard(set(worded[one]), set(worded[other]))
        for one, other in combinations(worded, 2)
    }
    closest = max(shared, key=shared.__getitem__, default=None)
    return Diversity(
        len(vignettes),
        len(set(words)) / (len(words) or 1),
        len(set(pairs)) / (len(pairs) or 1),
        sum(shared.values()) / len(shared) if shared else None,
        closest,
        0.0 if closest is None else shared[closest],
    )


def _words(vignette: Vignette) -> list[str]:
    texts = []
    for content in vignette.slots.values():
        texts += [content] if isinstance(content, str) else list(content.values())
    return _WORD.findall(" ".join(texts).lower())


def _jaccard(one: set[str], other: set[str]) -> float:
    return len(one & other) / (len(one | other) or 1)
