"""The table of the family of tiny models: what every model answered at every check.

The file is described in research/docs/family.md. Counts only: shares, effects and intervals are
worked out from it (`biaslab.training.origins.effects`).
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TypeVar

from biaslab.stats.errors import BrokenAssets

T = TypeVar("T")


def read_lines(
    path: Path,
    columns: Sequence[str],
    line: Callable[[Mapping[str, str]], T],
    key: Callable[[T], object],
    broken: Callable[[str], BrokenAssets],
) -> tuple[T, ...]:
    """What every line of a table says, in its order.

    Args:
        path: the table.
        columns: that it must have; others are left alone.
        line: reads a line, by column; raises TypeError or ValueError where it is malformed.
        key: what a line is of, which no other may be of.
        broken: makes the error from what follows the table's name: “has no column n”.

    Raises:
        BrokenAssets: it cannot be read, lacks a column, or a line of it is malformed or says
            what an earlier one says.
    """
    found: dict[object, T] = {}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            absent = [name for name in columns if name not in (reader.fieldnames or ())]
            if absent:
                raise broken(f"has no column {', '.join(absent)}")
            for number, values in enumerate(reader, start=2):
                if any(values[name] is None for name in columns):
                    raise broken(f"ends too early in line {number}")
                try:
                    one = line(values)
                except (TypeError, ValueError) as error:
                    raise broken(f"is malformed in line {number} ({error})") from error
                if key(one) in found:
                    raise broken(f"says in line {number} again what an earlier line says")
                found[key(one)] = one
    except OSError as error:
        raise broken(f"cannot be read ({error.strerror})") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise broken(f"cannot be read ({error})") from error
    return tuple(found.values())


def whole_number(name: str, value: object) -> int:
    """A whole number of a column, which may be a text.

    Raises:
        ValueError: it is none; the message names the column.
    """
    try:
        return int(value)  # type: ignore[call-overload, no-any-return]
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} is “{value}”, no whole number") from error


def write_lines(path: Path, columns: Sequence[str], lines: Iterable[Sequence[object]]) -> None:
    """Writes a table, replacing an earlier one at once; its folder is made where there is none.

    Args:
        path: the table.
        columns: their names.
        lines: what stands in them, in this order; a bool becomes 0 or 1.

    Raises:
        OSError: it cannot be written; the earlier one stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    with fresh.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for line in lines:
            writer.writerow(int(value) if isinstance(value, bool) else value for value in line)
    fresh.replace(path)


FAMILY_FILE = Path(__file__).resolve().parents[3] / "assets" / "origins" / "family.csv"
"""Where the family's table is, in the project."""

MAKE_IT = "python -m research.family"
"""The command that trains the family and writes the table."""

ALL = ""
"""In the columns ``comparison`` and ``wording``: all of them together."""


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """Pairs of one kind, asked in one way of one model at one check of its training.

    Attributes:
        mix: name of the mix; seed: of the lessons after the start, which all models share.
        examples: training examples seen so far, those of the start left out.
        final: whether this is the model at the end of its training.
        study: whose pairs; comparison: ``additive``, ``multiplicative`` or empty (all); wording:
            of the comparison, ``consistent``, ``inconsistent`` or empty (all).
        steps: reasoning steps; strategy: how it was asked.
        n: pairs; both, only_x, only_x_prime, neither: pairs by which members were answered
            rightly; they add up to n. An answer that could not be read is not right.
        unread_x, unread_x_prime: answers that could not be read.
        operator_asked_x: answers of x with a readable first calculation, where that is counted
            (one step, step by step); operator_right_x: whose operation is the right one;
            operator_plus_x: for which adding would be right. The same of x'.
        wrong_x: wrong answers of x that could be read; reversed_x: those that the reversed
            operation at a comparison gives. The same of x'.
    """

    mix: str
    seed: int
    examples: int
    final: bool
    study: str
    comparison: str
    wording: str
    steps: int
    strategy: str
    n: int
    both: int
    only_x: int
    only_x_prime: int
    neither: int
    unread_x: int
    unread_x_prime: int
    operator_asked_x: int
    operator_right_x: int
    operator_plus_x: int
    operator_asked_x_prime: int
    operator_right_x_prime: int
    operator_plus_x_prime: int
    wrong_x: int
    reversed_x: int
    wrong_x_prime: int
    reversed_x_prime: int

    def __post_init__(self) -> None:
        counts = {name: getattr(self, name) for name in COUNTS}
        below = next((name for name, value in counts.items() if value < 0), None)
        if below is not None:
            raise ValueError(f"{below} is {counts[below]}, below zero")
        if self.both + self.only_x + self.only_x_prime + self.neither != self.n:
            raise ValueError("both, only_x, only_x_prime and neither do not add up to n")
        for part, whole in _PARTS:
            if counts[part] > counts[whole]:
                raise ValueError(f"{part} is {counts[part]}, more than the {counts[whole]} {whole}")

    @property
    def key(self) -> tuple[object, ...]:
        """What it counts answers of: all that stands before the counts."""
        return tuple(getattr(self, name) for name in COLUMNS[: COLUMNS.index("n")])

    @property
    def right_x(self) -> int:
        """Pairs of which x was answered rightly."""
        return self.both + self.only_x

    @property
    def right_x_prime(self) -> int:
        """Pairs of which x' was answered rightly."""
        return self.both + self.only_x_prime

    @property
    def cate(self) -> float:
        """Share of x right minus share of x' right, -1 to 1; 0 without pairs."""
        return (self.only_x - self.only_x_prime) / self.n if self.n else 0.0


COLUMNS = tuple(field.name for field in fields(FamilyRow))
"""The columns of the file, in their order."""

COUNTS = COLUMNS[COLUMNS.index("n") :]
"""Those that are counts of pairs or answers."""

_TEXTS = ("mix", "study", "comparison", "wording", "strategy")
_PARTS = (
    *((f"unread_{arm}", "n") for arm in ("x", "x_prime")),
    *((f"operator_asked_{arm}", "n") for arm in ("x", "x_prime")),
    *((f"operator_right_{arm}", f"operator_asked_{arm}") for arm in ("x", "x_prime")),
    *((f"operator_plus_{arm}", f"operator_asked_{arm}") for arm in ("x", "x_prime")),
    *((f"wrong_{arm}", "n") for arm in ("x", "x_prime")),
    *((f"reversed_{arm}", f"wrong_{arm}") for arm in ("x", "x_prime")),
)


def read_family(path: Path | None = None) -> tuple[FamilyRow, ...]:
    """All rows of the table, in its order.

    Args:
        path: the file; the project's own unless told.

    Raises:
        BrokenAssets: it is missing, lacks a column, or a line of it contradicts itself.
    """
    path = FAMILY_FILE if path is None else path
    return read_lines(
        path, COLUMNS, family_row, lambda row: row.key, lambda what: _broken(path, what)
    )


def family_row(values: Mapping[str, object]) -> FamilyRow:
    """A row from its values by column; whole numbers may be texts, ``final`` 0 or 1.

    Raises:
        KeyError: a column is missing.
        ValueError: a value means nothing, or the counts contradict each other.
    """
    texts = {name: _text(values[name]) for name in _TEXTS}
    numbers = {name: whole_number(name, values[name]) for name in COLUMNS if name not in _TEXTS}
    final = numbers.pop("final")
    if final not in (0, 1):
        raise ValueError(f"final is {final}, and may only be 0 or 1")
    return FamilyRow(final=bool(final), **texts, **numbers)  # type: ignore[arg-type]


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _broken(path: Path, what: str) -> BrokenAssets:
    return BrokenAssets(
        f"The table of the family {path.name} {what}: take the project's own again, or make it "
        f"anew with {MAKE_IT}."
    )


@dataclass(frozen=True, slots=True)
class CheckKind:
    """Which pairs, asked how: one row a model and check in the family's table.

    Attributes:
        study, comparison, wording, steps, strategy: as in `FamilyRow`.
    """

    study: str
    steps: int
    strategy: str
    comparison: str = ALL
    wording: str = ALL


def of_kind(rows: Iterable[FamilyRow], kind: CheckKind) -> list[FamilyRow]:
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


def narrowed(rows: Sequence[FamilyRow], kind: CheckKind) -> CheckKind:
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


def _pooled(kind: CheckKind, rows: Sequence[FamilyRow]) -> FamilyRow:
    """The row of the kind itself among these, else the sum of its parts."""
    for name, wanted in (("comparison", kind.comparison), ("wording", kind.wording)):
        whole = [row for row in rows if getattr(row, name) == wanted]
        rows = whole or rows
    sums = {name: sum(getattr(row, name) for row in rows) for name in COUNTS}
    return replace(rows[0], comparison=kind.comparison, wording=kind.wording, **sums)
