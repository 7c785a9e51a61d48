"""Tables of trainings as files of comma-separated lines: how each is read and written."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
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
