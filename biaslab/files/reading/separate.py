"""A stranger's file is read in a process of its own, which can do little else and soon ends.

The readers hold limits of their own (`biaslab.files.errors`), and are made of other people's code:
whatever a file makes of that, this process gets a table or a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from biaslab.files.errors import InterchangeError
from biaslab.files.formats.format import RawRows
from biaslab.files.found import FileEntry, FileReading, TableRow
from biaslab.files.reading.content import Content
from biaslab.files.reading.trying import READ
from biaslab.system.confined import ProcessLimits
from biaslab.system.processes import EndedEarly, confined
from biaslab.system.roles import Role, acting

BOUNDS = ProcessLimits(memory=2**30, seconds=30, written=2**28)
"""What such a process may take: a GiB of memory, half a minute of a core, 256 MiB of table."""

TRIAL = ProcessLimits(memory=2**30, seconds=10, written=len(READ))
"""What reading once may take before a file is read in this process."""

_WORKER = "biaslab.files.reading.worker"
_TRYING = "biaslab.files.reading.trying"
_TOO_MUCH = (
    "The file takes more memory or time than a file may, or breaks what reads it. Save it "
    "anew in the program that made it, or split it."
)


def read_separately(data: bytes, name: str, form: str = "", *, is_table: bool = False) -> Content:
    """As `biaslab.files.reading.content.read_content`, in a process of its own; all rows at once.

    Raises:
        InterchangeError: also where the process took too much, or died.
    """
    asked = json.dumps({"name": name, "form": form, "is_table": is_table}).encode()
    try:
        said = json.loads(confined(_WORKER, asked + b"\n" + data, BOUNDS))
        if "refused" in said:
            raise InterchangeError(str(said["refused"]))
        return _content(said)
    except (EndedEarly, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InterchangeError(_TOO_MUCH) from error


def withstood(read: Callable[[bytes], object], data: bytes) -> bytes:
    """Has a file that is no table read once in a process of its own, where a stranger gave it.

    What such files become (a design, a review) is too various to come back from there; so they
    are read once more here, which then takes no more than it took there.

    Args:
        read: a function of a module; whatever it refuses it will refuse again.
        data: the file.

    Returns:
        the file.

    Raises:
        InterchangeError: reading it took too much, or broke the process.
    """
    if acting() is Role.HERE:
        return data
    asked = json.dumps([read.__module__, read.__qualname__]).encode()
    try:
        confined(_TRYING, asked + b"\n" + data, TRIAL)
    except EndedEarly as error:
        raise InterchangeError(_TOO_MUCH) from error
    return data


def _content(said: dict[str, Any]) -> Content:
    rows, items = said["rows"], said["items"]
    return Content(
        str(said["form"]),
        str(said["found_by"]),
        str(said["encoding"]),
        _texts(said["remarks"]),
        rows=rows
        and RawRows(list(_texts(rows["columns"])), _rows(rows["rows"]), _texts(rows["remarks"])),
        items=items and FileReading(
            [_found(each) for each in items["found"]],
            _texts(items["remarks"]),
            _cells(items["mapping"]),
            str(items["form"]),
        ),
    )  # fmt: skip


def _rows(said: list[Any]) -> list[TableRow]:
    return [
        TableRow(int(number), _cells(cells), str(name), str(refusal), _texts(remarks))
        for number, cells, name, refusal, remarks in said
    ]


def _found(said: dict[str, Any]) -> FileEntry:
    told: dict[str, Any] = {
        name: _texts(value) if isinstance(value, list) else str(value)
        for name, value in said.items()
    }
    right = tuple(int(place) for place in said["right"])
    return FileEntry(**(told | {"row": int(said["row"]), "right": right}))


def _texts(said: list[Any]) -> tuple[str, ...]:
    return tuple(str(each) for each in said)


def _cells(said: dict[str, Any]) -> dict[str, str]:
    return {str(name): str(value) for name, value in said.items()}
