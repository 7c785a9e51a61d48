"""Records in JSON: a list, an object by name, columns, or a line each."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from biaslab.files.columns import guess
from biaslab.files.errors import LETTERS, MAX_COLUMNS, MAX_NAMES, MAX_ROWS, InterchangeError
from biaslab.files.formats.format import Format, RawRows, TableRow
from schoolmath.text.given_files import DoubledName, TooDeep, parse_json

_DEEPEST = 6


def read_json(text: str) -> tuple[list[str], list[TableRow]]:
    """The names that records use, and the records as rows, numbered from 1.

    Nested texts are flattened: ``{"choices": {"A": ...}}`` has a column ``choices_A``; in a list
    the first is A. Numbers keep the digits that the file has.

    Raises:
        InterchangeError: it is no JSON, or no collection of records.
    """
    try:
        records = _records(parse_json(text, numbers_as_text=True))
    except json.JSONDecodeError as error:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) > 1 and lines[0].lstrip().startswith("{"):
            return _table(_lines(text))
        raise InterchangeError(_where(error)) from error
    except DoubledName as error:
        raise InterchangeError(
            f"One JSON object gives the name {error.name[:60]!r} twice, so one of the two would "
            "be lost. Nothing was read."
        ) from error
    except TooDeep as error:
        raise InterchangeError("The JSON is nested too deeply to hold items.") from error
    return _table(
        [
            TableRow(number, _flat(record), name=name)
            if isinstance(record, dict)
            else TableRow(number, name=name, refusal="it is no JSON object")
            for number, (name, record) in enumerate(records, start=1)
        ]
    )


def _where(error: json.JSONDecodeError) -> str:
    at = f"line {error.lineno}, column {error.colno}"
    if _cut_off(error):
        return f"The JSON is cut off: it is not finished at its end ({at})."
    return f"This is no JSON: {error.msg} at {at}."


def _cut_off(error: json.JSONDecodeError) -> bool:
    return error.pos >= len(error.doc.rstrip()) or "Unterminated" in error.msg


def _records(content: Any) -> list[tuple[str, Any]]:
    if isinstance(content, list):
        return [("", record) for record in content]
    if not isinstance(content, dict):
        raise InterchangeError("The JSON holds a single value, not items.")
    known = guess(list(content)[:MAX_COLUMNS])
    question = content.get(known.get("question", ""))
    holds_more = any(isinstance(each, dict | list) for each in content.values())
    if isinstance(question, str) or not holds_more:
        return [("", content)]
    if isinstance(question, dict | list) and {"options", "option_a"} & set(known):
        return _from_columns(content)
    if len(content) == 1:
        (only,) = content.values()
        if isinstance(only, list) and all(isinstance(each, dict) for each in only):
            return [("", record) for record in only]
    return list(content.items())


def _from_columns(content: dict[str, Any]) -> list[tuple[str, Any]]:
    """As pandas writes a table by columns: every column an object or list of its rows."""
    records: dict[str, dict[str, Any]] = {}
    for column, cells in content.items():
        if isinstance(cells, list):
            cells = {str(at): cell for at, cell in enumerate(cells)}
        if not isinstance(cells, dict):
            raise InterchangeError(f"The JSON's column {column[:60]!r} is no list of cells.")
        for name, cell in cells.items():
            records.setdefault(name, {})[column] = cell
    return list(records.items())


def _lines(text: str) -> list[TableRow]:
    rows = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = parse_json(line, numbers_as_text=True)
        except json.JSONDecodeError as error:
            why = "is cut off" if _cut_off(error) else f"is no JSON ({error.msg})"
            rows.append(TableRow(number, refusal=f"its line {why}"))
        except DoubledName:
            rows.append(TableRow(number, refusal="it gives one name twice"))
        except TooDeep:
            rows.append(TableRow(number, refusal="it is nested too deeply"))
        else:
            if isinstance(record, dict):
                rows.append(TableRow(number, _flat(record)))
            else:
                rows.append(TableRow(number, refusal="it is no JSON object"))
    return rows


def _table(rows: list[TableRow]) -> tuple[list[str], list[TableRow]]:
    if len(rows) > MAX_ROWS:
        raise InterchangeError(f"The file has {len(rows):,} records; the limit is {MAX_ROWS:,}.")
    if not rows:
        raise InterchangeError("The JSON holds no items.")
    columns: dict[str, None] = {}
    for row in rows:
        columns.update(dict.fromkeys(row.cells))
    if len(columns) > MAX_NAMES:
        raise InterchangeError(
            f"The records use {len(columns):,} different names; the limit is {MAX_NAMES:,}."
        )
    return list(columns), rows


def _flat(record: Mapping[str, Any]) -> dict[str, str]:
    cells: dict[str, str] = {}
    _flatten("", record, cells, 0)
    return cells


def _flatten(name: str, value: Any, cells: dict[str, str], depth: int) -> None:
    if isinstance(value, Mapping) and depth < _DEEPEST:
        for key, each in value.items():
            _flatten(f"{name}_{key}" if name else str(key), each, cells, depth + 1)
    elif isinstance(value, list) and depth < _DEEPEST:
        for at, each in enumerate(value):
            _flatten(f"{name}_{LETTERS[at] if at < len(LETTERS) else at}", each, cells, depth + 1)
    elif value is None:
        cells[name] = ""
    else:
        cells[name] = str(value)


_SHOWN = re.compile(r'\s*(?:\[\s*[\[{\]]|\{\s*["}])')

FORMAT = Format(
    name="json",
    endings=(".json", ".jsonl", ".ndjson"),
    rank=60,
    begins=lambda start: _SHOWN.match(start) is not None,
    decisive=True,
    rows=lambda source: RawRows(*read_json(source.text)),
)
