"""The tables of a bundle: one declaration from which they are taken out of a file and put back.

A table is a file with a JSON object a line. Its columns are those of the file of runs
(docs/file-format.md) without what concerns one machine alone: workers, addresses, money.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from biaslab.publishing.paper.errors import BundleError

ENDING = ".jsonl"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what stands in it, and whether it may be empty (null)."""

    kind: str
    optional: bool = False

    def fits(self, value: object) -> bool:
        """Whether the value may stand here. True and false are no numbers."""
        if value is None:
            return self.optional
        if self.kind == "JSON":
            return isinstance(value, dict | list)
        return not isinstance(value, bool) and isinstance(value, _KINDS[self.kind])


_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "text": str,
    "whole number": int,
    "number": (int, float),
}
_TEXT, _WHOLE, _NUMBER, _JSON = (
    Column(kind) for kind in ("text", "whole number", "number", "JSON")
)
_NO_TEXT, _NO_WHOLE, _NO_NUMBER, _NO_JSON = (
    Column(kind, optional=True) for kind in ("text", "whole number", "number", "JSON")
)


@dataclass(frozen=True, slots=True)
class BundleTable:
    """A table of the bundle.

    Attributes:
        name: of the table in the file of runs, and of the bundle's file without its ending.
        columns: what stands in each, in order.
        rows: which rows belong to a bundle, as SQL after the name of the table; parameters are
            JSON lists of ids: ``:runs``, ``:pair_sets``, ``:item_sets``, ``:texts``.
        fills: columns that the file of runs wants besides, with what is put there, as SQL.
    """

    name: str
    columns: Mapping[str, Column]
    rows: str
    fills: Mapping[str, str]

    @property
    def file(self) -> str:
        """Name of its file in a bundle."""
        return f"{self.name}{ENDING}"

    @property
    def select(self) -> str:
        """The rows that belong to a bundle, in an order that is the same everywhere."""
        return f"SELECT {', '.join(self.columns)} FROM {self.name} {self.rows}"

    @property
    def insert(self) -> str:
        """Puts a row into a file of runs."""
        names = ", ".join((*self.columns, *self.fills))
        values = ", ".join((*(f":{name}" for name in self.columns), *self.fills.values()))
        return f"INSERT INTO {self.name} ({names}) VALUES ({values})"

    def line(self, row: Mapping[str, Any]) -> str:
        """A row of the file of runs as a line of the bundle."""
        found = {
            name: json.loads(row[name])
            if column.kind == "JSON" and row[name] is not None
            else row[name]
            for name, column in self.columns.items()
        }
        return json.dumps(found, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    def parameters(self, content: object, number: int) -> dict[str, Any]:
        """What `insert` wants of a line's content.

        Raises:
            BundleError: columns are missing, too many, or hold something else.
        """
        where = f"{self.file}, line {number}"
        if not isinstance(content, dict):
            raise BundleError(f"{where}: this is no JSON object.")
        if content.keys() != self.columns.keys():
            odd = sorted(map(str, content.keys() ^ self.columns.keys()))
            raise BundleError(f"{where}: it should have other columns ({', '.join(odd)[:200]}).")
        for name, column in self.columns.items():
            if not column.fits(content[name]):
                raise BundleError(f"{where}: {name} should be a {column.kind}.")
        return {
            name: _stored(content[name]) if column.kind == "JSON" else content[name]
            for name, column in self.columns.items()
        }


def _stored(value: object) -> str | None:
    if value is None:
        return None
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_OF_RUNS = "run IN (SELECT value FROM json_each(:runs))"
_PAIRS = (
    f"SELECT pair FROM run_pairs WHERE {_OF_RUNS} UNION "
    "SELECT pair FROM set_pairs WHERE pair_set IN (SELECT value FROM json_each(:pair_sets))"
)
_NOW = "'1970-01-01T00:00:00.000Z'"

TABLES = (
    BundleTable(
        "models",
        {"id": _TEXT, "spec": _TEXT, "kind": _TEXT, "revision": _TEXT, "form": _TEXT,
         "details": _JSON},
        "WHERE id IN (SELECT model FROM runs WHERE id IN (SELECT value FROM json_each(:runs))) "
        "ORDER BY id",
        {},
    ),
    BundleTable(
        "items",
        {"id": _TEXT, "study": _TEXT, "text": _TEXT, "answer": _TEXT, "facts": _JSON,
         "options": _JSON},
        f"WHERE id IN (SELECT x FROM pairs WHERE id IN ({_PAIRS}) UNION "
        f"SELECT x_prime FROM pairs WHERE id IN ({_PAIRS})) ORDER BY id",
        {},
    ),
    BundleTable(
        "pairs",
        {"id": _TEXT, "study": _TEXT, "x": _TEXT, "x_prime": _TEXT, "cluster": _TEXT,
         "strata": _JSON},
        f"WHERE id IN ({_PAIRS}) ORDER BY id",
        {},
    ),
    BundleTable(
        "runs",
        {"id": _TEXT, "study": _TEXT, "design": _JSON, "model": _TEXT, "strategy": _TEXT,
         "strategy_version": _TEXT, "sampling": _NO_JSON, "library_version": _TEXT,
         "reader": _NO_TEXT, "status": _TEXT, "pairs_total": _WHOLE, "items_total": _WHOLE,
         "samples": _WHOLE, "options": _JSON, "answered": _WHOLE, "invalid": _WHOLE,
         "failed": _WHOLE, "looks": _JSON, "enough": _NO_WHOLE, "created": _TEXT,
         "started": _NO_TEXT, "finished": _NO_TEXT},
        "WHERE id IN (SELECT value FROM json_each(:runs)) ORDER BY id",
        {},
    ),
    BundleTable(
        "run_pairs",
        {"run": _TEXT, "position": _WHOLE, "pair": _TEXT},
        f"WHERE {_OF_RUNS} ORDER BY run, position",
        {},
    ),
    BundleTable(
        "responses",
        {"id": _TEXT, "model": _TEXT, "request": _JSON, "text": _NO_TEXT, "thinking": _NO_TEXT,
         "finish": _NO_TEXT, "log_probabilities": _NO_JSON, "tokens_in": _NO_WHOLE,
         "tokens_out": _NO_WHOLE, "tokens": _NO_JSON, "seconds": _NO_NUMBER, "served": _NO_TEXT,
         "created": _TEXT},
        "WHERE id IN (SELECT listed.value FROM answers, json_each(answers.responses) AS listed "
        f"WHERE answers.{_OF_RUNS}) ORDER BY id",
        # Which run asked first is the cache's affair.
        {"run": "(SELECT min(id) FROM runs)"},
    ),
    BundleTable(
        "answers",
        {"run": _TEXT, "item": _TEXT, "sample": _WHOLE, "state": _TEXT, "value": _NO_TEXT,
         "outcome": _NO_NUMBER, "rule": _NO_TEXT, "explanation": _NO_TEXT, "span": _NO_JSON,
         "extra": _NO_JSON, "responses": _JSON, "reason": _NO_TEXT, "attempts": _WHOLE},
        f"WHERE {_OF_RUNS} ORDER BY run, item, sample",
        {},
    ),
    BundleTable(
        "pair_sets",
        {"id": _TEXT, "name": _TEXT, "origin": _TEXT, "pairs": _WHOLE},
        "WHERE id IN (SELECT value FROM json_each(:pair_sets)) ORDER BY id",
        {"report": "'[]'", "created": _NOW},
    ),
    BundleTable(
        "set_pairs",
        {"pair_set": _TEXT, "position": _WHOLE, "pair": _TEXT},
        "WHERE pair_set IN (SELECT value FROM json_each(:pair_sets)) ORDER BY pair_set, position",
        {},
    ),
    BundleTable(
        "item_sets",
        {"id": _TEXT, "name": _TEXT, "origin": _TEXT, "items": _WHOLE},
        "WHERE id IN (SELECT value FROM json_each(:item_sets)) ORDER BY id",
        {"report": "'{}'", "created": _NOW},
    ),
    BundleTable(
        "set_items",
        {"item_set": _TEXT, "position": _WHOLE, "item": _JSON},
        "WHERE item_set IN (SELECT value FROM json_each(:item_sets)) ORDER BY item_set, position",
        {},
    ),
    BundleTable(
        "own_biases",
        {"id": _TEXT, "name": _TEXT, "text": _TEXT},
        "WHERE id IN (SELECT value FROM json_each(:texts)) ORDER BY id",
        {"kept": _NOW},
    ),
)  # fmt: skip
"""All tables, each after those that it refers to. Empty ones have no file."""

Parse = Callable[[str], object]


def rows_of(table: BundleTable, text: str, parse: Parse) -> Iterator[dict[str, Any]]:
    """What `BundleTable.insert` wants of every line of a table's file.

    Raises:
        BundleError: a line is no row of the table; it is named.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        try:
            content = parse(line)
        except ValueError as error:
            raise BundleError(f"{table.file}, line {number}: this is no JSON ({error}).") from None
        yield table.parameters(content, number)
