"""Which rows of the family's table belong together: pairs of one kind, asked in one way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from biaslab.training.origins.rows import ALL, COUNTS, FamilyRow


@dataclass(frozen=True, slots=True)
class Kind:
    """Which pairs, asked how: one row a model and check in the family's table.

    Attributes:
        study, comparison, wording, steps, strategy: as in `FamilyRow`.
    """

    study: str
    steps: int
    strategy: str
    comparison: str = ALL
    wording: str = ALL


def of_kind(rows: Iterable[FamilyRow], kind: Kind) -> list[FamilyRow]:
    """The rows of a kind, one a model and check, pooled where the table has parts of it only.

    "All comparisons" is a row of its own where the table has one, and else the sum of the rows
    of additive and of multiplicative ones; the same holds of wordings. A check that lacks a part
    which others have is left out: its sum would be of other problems than theirs.
    """
    found: dict[tuple[str, int, int, bool], list[FamilyRow]] = {}
    for row in rows:
        if (row.study, row.steps, row.strategy) != (kind.study, kind.steps, kind.strategy):
            continue
        if kind.comparison not in (ALL, row.comparison) or kind.wording not in (ALL, row.wording):
            continue
        found.setdefault((row.mix, row.seed, row.examples, row.final), []).append(row)
    pooled = [(_parts(some), _pooled(kind, some)) for some in found.values()]
    whole = (kind.comparison, kind.wording)
    every = set().union(*(parts for parts, _ in pooled)) if pooled else set()
    return [row for parts, row in pooled if whole in parts or parts == every]


def narrowed(rows: Sequence[FamilyRow], kind: Kind) -> Kind:
    """The kind, of the one kind of comparison that all checks have where some have no other."""
    if kind.comparison != ALL:
        return kind
    found: dict[tuple[str, int, int, bool], set[str]] = {}
    for row in rows:
        if (row.study, row.steps, row.strategy) == (kind.study, kind.steps, kind.strategy):
            check = (row.mix, row.seed, row.examples, row.final)
            found.setdefault(check, set()).add(row.comparison)
    if len({frozenset(there) for there in found.values()}) <= 1:
        return kind
    shared = set.intersection(*found.values())
    return replace(kind, comparison=shared.pop()) if len(shared) == 1 else kind


def _parts(rows: Sequence[FamilyRow]) -> set[tuple[str, str]]:
    return {(row.comparison, row.wording) for row in rows}


def _pooled(kind: Kind, rows: Sequence[FamilyRow]) -> FamilyRow:
    """The row of the kind itself among these, else the sum of its parts."""
    for name, wanted in (("comparison", kind.comparison), ("wording", kind.wording)):
        whole = [row for row in rows if getattr(row, name) == wanted]
        rows = whole or rows
    sums = {name: sum(getattr(row, name) for row in rows) for name in COUNTS}
    return replace(rows[0], comparison=kind.comparison, wording=kind.wording, **sums)
