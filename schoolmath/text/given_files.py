"""Reading what people give: so much and no more, and nothing that never ends. In no layer.

    data = read_given(path, most=500_000)      # a regular file of at most 500,000 bytes
    check_size(upload, most=500_000)           # the same limit for what came by a browser
    content = parse_json(text)                 # at most DEEPEST objects and lists within another

Every file that is named on a command line or uploaded comes through here, so no importer can
forget the bound: a device such as /dev/zero has no end, a pipe may never answer, and a few
kilobytes of opening brackets bring a parser down that calls itself for each of them.
"""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from pathlib import Path
from typing import Any

DEEPEST = 32
"""Most lists and objects within one another; what people write has three or four."""

LARGEST = 256 * 2**20
"""Most bytes of a file whose kind has no smaller limit."""

_MEBIBYTE = 2**20


class FileRefused(Exception):
    """A file that is not read; the message is a sentence that says why and what to do."""


class TooDeep(ValueError):
    """Lists and objects lie too deep within one another."""

    def __init__(self) -> None:
        super().__init__(f"it is nested more than {DEEPEST} deep")


class DoubledName(ValueError):
    """A JSON object gives one name twice, where json would silently keep the last.

    Attributes:
        name: the name.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"the name {name[:60]!r} stands twice")
        self.name = name


def read_given(path: Path, most: int = LARGEST) -> bytes:
    """Everything in a file.

    Args:
        path: names a regular file.
        most: bytes that it may have.

    Raises:
        FileRefused: it is a device, a pipe or the like, or it has more bytes.
        OSError: it cannot be read.
    """
    data = read_beginning(path, most + 1)
    check_size(data, most, path.name)
    return data


def read_given_text(path: Path, most: int = LARGEST) -> str:
    """The text of a file in UTF-8; takes what `read_given` takes.

    Raises:
        FileRefused: also where it is no text in UTF-8.
        OSError: it cannot be read.
    """
    try:
        return read_given(path, most).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileRefused(f"{path.name} is no text in UTF-8. Save it as UTF-8.") from None


def numbered_lines(path: Path) -> list[tuple[int, str]]:
    """The lines of a file that are not blank, with their numbers from 1; raises as above."""
    return [
        (number, line)
        for number, line in enumerate(read_given_text(path).split("\n"), start=1)
        if line.strip()
    ]


def read_beginning(path: Path, most: int) -> bytes:
    """The first bytes of a regular file; raises what `read_given` raises but for its size."""
    # Without waiting: opening a pipe that nobody writes to would not return.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as file:  # noqa: PTH123 - opened already
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise FileRefused(
                f"{path.name} is no ordinary file but a device, a pipe or the like, which may "
                "never end. Save what it gives in a file and name that."
            )
        return file.read(most)


def check_size(data: bytes, most: int = LARGEST, name: str = "The file") -> None:
    """Refuses more bytes than a file of its kind may hold.

    Raises:
        FileRefused: naming the limit.
    """
    if len(data) > most:
        limit = f"{most // _MEBIBYTE} MiB" if most >= _MEBIBYTE else f"{most:,} bytes"
        raise FileRefused(f"{name} is larger than {limit}. Split it, or choose another file.")


def parse_json(text: str, *, numbers_as_text: bool = False) -> Any:
    """What a JSON text holds; a name in an object stands once.

    Args:
        text: of a file that `read_given` bounded.
        numbers_as_text: numbers keep the digits that the file has.

    Raises:
        json.JSONDecodeError: it is no JSON.
        TooDeep: more than `DEEPEST` lists and objects lie within one another.
        DoubledName: a name stands twice in one object.
        ValueError: one of these, or a number with thousands of digits.
    """
    as_text: dict[str, Any] = dict.fromkeys(("parse_float", "parse_int", "parse_constant"), str)
    try:
        found = json.loads(text, object_pairs_hook=_once, **(as_text if numbers_as_text else {}))
    except RecursionError:
        raise TooDeep from None
    _check_depth(found)
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise DoubledName(Counter(name for name, _ in pairs).most_common(1)[0][0])
    return found


def _check_depth(content: object) -> None:
    """Level by level, because a function that called itself would be what it guards against."""
    level = [content] if isinstance(content, dict | list) else []
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise TooDeep
