"""Which columns of a table hold word problems: a whole text in one, or what is told and what is
asked in two, such as Body and Question of SVAMP (Patel et al. 2021).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from biaslab.files.found import TableRow

WHOLE = (
    "text", "problem", "question", "body", "task", "stem", "item", "exercise", "wordproblem",
    "questiontext", "problemtext", "originaltext", "squestion", "fullquestion",
)  # fmt: skip
"""Names of columns of whole problems, the likelier ones first."""
_TOLD = (
    "body", "problembody", "bodytext", "story", "context", "premise", "scenario", "background",
    "passage", "stimulus",
)  # fmt: skip
_ASKED = ("question", "ques", "questiontext", "query", "asked")

_WORDS_OF_A_TEXT = 5
_MOST = 0.5
"""A column is what so many of its cells are."""
_ASKS = re.compile(
    r"\?\s*$|\b(?:how (?:many|much|long|far|old)|what|find|calculate)\b", re.IGNORECASE
)
_CALCULATES = re.compile(r"\d\s*[-−+*×·/÷:^]\s*[\d(a-z]|\d\s*%|[\da-z)]\s*=")
_ENDED = re.compile(r"[.?!,;:…]['\"”’)]*$")
_PLACE = re.compile(
    r"\bnumber_?\d+\b|\[[A-Z][A-Z_]+\d*\]|(?<![\\\w}])\{\{?[A-Za-z_]\w*\}?\}|"
    r"<(?:num|name|number|entity)_?\d*>|\bN_\d+\b|\bNUM_?\d*\b|\btemp_[a-z]\b"
)


def problem_columns(columns: Sequence[str], first: Sequence[TableRow]) -> tuple[str, ...]:
    """The columns that hold the problems, in the order in which their texts are read.

    Args:
        columns: of the table.
        first: some of its rows.

    Returns:
        one column; or two, what is told and what is asked; none where it is not clear.
    """
    plain = {column: re.sub(r"[^a-z]", "", column.lower()) for column in columns if column}
    wordy = [each for each in plain if _mostly(first, each, _is_text)]
    for told in (each for name in _TOLD for each in wordy if plain[each] == name):
        for asked in (each for name in _ASKED for each in plain if plain[each] == name):
            if _parts(first, told, asked):
                return told, asked
    short = [each for each in plain if _mostly(first, each, _is_calculation)]
    for likely in WHOLE:
        by_name = [column for column in (*wordy, *short) if plain[column] == likely]
        if len(by_name) == 1:
            return (by_name[0],)
    return (wordy[0],) if len(wordy) == 1 else ()


def problem_text(cells: Mapping[str, str], columns: Sequence[str]) -> str:
    """The problem of a row: its parts one after the other, each ended as a sentence."""
    parts = [part for column in columns if (part := cells.get(column, "").strip())]
    ended = [part if _ENDED.search(part) else f"{part}." for part in parts[:-1]]
    return " ".join([*ended, *parts[-1:]])


def place_in(text: str) -> str:
    """A place in a text where a number or a name should stand, such as “number0”; else ""."""
    found = _PLACE.search(text)
    return found[0] if found else ""


def is_inside(one: str, other: str) -> bool:
    """Whether one of two texts stands in the other, whatever their blanks and capitals."""
    first, second = (" ".join(text.lower().split()).rstrip(" .,") for text in (one, other))
    return bool(first and second) and (first in second or second in first)


def _parts(first: Sequence[TableRow], told: str, asked: str) -> bool:
    """Whether one column tells and the other asks, and neither has the other's text in it."""
    return (
        told != asked
        and _mostly(first, asked, _asks)
        and not _mostly(first, told, lambda cell: cell.endswith("?"))
        and not _mostly_of(
            first, lambda row: is_inside(row.cells.get(told, ""), row.cells.get(asked, ""))
        )
    )


def _is_text(cell: str) -> bool:
    return len(cell.split()) >= _WORDS_OF_A_TEXT


def _is_calculation(cell: str) -> bool:
    return not _is_text(cell) and _CALCULATES.search(cell) is not None


def _asks(cell: str) -> bool:
    return _ASKS.search(cell) is not None


def _mostly(first: Sequence[TableRow], column: str, test: Callable[[str], bool]) -> bool:
    cells = [cell for row in first if (cell := row.cells.get(column, "").strip())]
    return bool(cells) and sum(map(test, cells)) >= _MOST * len(cells)


def _mostly_of(first: Sequence[TableRow], test: Callable[[TableRow], bool]) -> bool:
    return bool(first) and sum(map(test, first)) >= _MOST * len(first)
