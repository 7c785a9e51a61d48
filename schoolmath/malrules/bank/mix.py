"""How many items of each grade, content class and depth: as in MalAlgoQA, or evenly.

MalAlgoQA's tables give grades, classes and depths each by itself. Their shares of every cell
(grade, class, depth) are those that come from the number of templates in the cells by iterative
proportional fitting (Deming & Stephan 1940): rows are scaled to what they should hold, one table
after the other, until all of them hold as nearly as the cells that exist allow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from enum import StrEnum
from typing import Any, TypeAlias

from schoolmath.malrules.rules import ContentClass

Cell: TypeAlias = tuple[int, str, int]
"""Grade, content class and depth of knowledge."""


class BankMix(StrEnum):
    """In which shares a bank deals its cells."""

    PUBLISHED = "published"
    """Grades, classes and depths as in MalAlgoQA."""
    EVEN = "even"
    """Depths as in MalAlgoQA, grades and classes evenly over what there is of each depth."""


PUBLISHED_GRADES = {3: 132, 4: 120, 5: 94, 6: 140, 7: 159, 8: 128, 11: 34}
PUBLISHED_CLASSES = {
    ContentClass.ALGEBRA.value: 315,
    ContentClass.NUMBER.value: 312,
    ContentClass.GEOMETRY.value: 122,
    ContentClass.PROBABILITY.value: 44,
    ContentClass.DATA.value: 14,
}
PUBLISHED_DOKS = {1: 349, 2: 434, 3: 24}
"""Mathematics items of MalAlgoQA (Sonkar et al. 2024, tables 2, 3 and 4): 807 in all."""

PACK = 807
"""So many items hold the shares of a mix as nearly as whole numbers can."""

_ROUNDS = 200


def counts_of(templates: Mapping[Cell, int], mix: BankMix) -> dict[Cell, int]:
    """How many of `PACK` items each cell gets.

    A grade or class that the publication does not have gets none, but where nothing else is
    asked for (grade 10 alone): then all that are asked for come evenly.

    Args:
        templates: the cells that there are, with the number of their templates.
        mix: the shares.
    """
    cells = sorted(templates)
    if not cells:
        return {}
    if mix is BankMix.EVEN:
        depths = _margin(cells, 2, PUBLISHED_DOKS)
        size = {dok: sum(cell[2] == dok for cell in cells) for dok in depths}
        return _whole({cell: depths[cell[2]] / size[cell[2]] for cell in cells})
    margins: list[dict[Hashable, float]] = [
        _margin(cells, 2, PUBLISHED_DOKS),
        _margin(cells, 1, PUBLISHED_CLASSES),
        _margin(cells, 0, PUBLISHED_GRADES),
    ]
    shares = {
        cell: float(templates[cell])
        for cell in cells
        if all(margin[cell[at]] for at, margin in zip((2, 1, 0), margins, strict=True))
    }
    if not shares:
        # What is left has no grade and class that the publication has together.
        shares = {cell: float(templates[cell]) for cell in cells}
        return _whole(shares)
    for _ in range(_ROUNDS):
        for at, margin in zip((2, 1, 0), margins, strict=True):
            held: dict[Hashable, float] = defaultdict(float)
            for cell, share in shares.items():
                held[cell[at]] += share
            for cell in shares:
                shares[cell] *= margin[cell[at]] / held[cell[at]]
    return _whole(shares)


def _margin(cells: list[Cell], at: int, published: Mapping[Any, int]) -> dict[Hashable, float]:
    """The share of each level that there is; even where the publication has none of them."""
    levels = sorted({cell[at] for cell in cells}, key=str)
    known = {level: float(published.get(level, 0)) for level in levels}
    whole = sum(known.values())
    if not whole:
        return {level: 1 / len(levels) for level in levels}
    return {level: count / whole for level, count in known.items()}


def _whole(shares: Mapping[Cell, float]) -> dict[Cell, int]:
    """Whole numbers that come to `PACK`: largest remainders, the first cells where equal."""
    total = sum(shares.values())
    exact = {cell: PACK * share / total for cell, share in shares.items()}
    counts = {cell: int(value) for cell, value in exact.items()}
    # Rounded, so that the last digit of a sum decides nothing.
    by_rest = sorted(exact, key=lambda cell: (-round(exact[cell] - counts[cell], 6), cell))
    for cell in by_rest[: PACK - sum(counts.values())]:
        counts[cell] += 1
    return {cell: count for cell, count in counts.items() if count}
