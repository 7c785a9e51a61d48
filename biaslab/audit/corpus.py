"""The texts in a file that somebody gives: the column of a table, or plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from biaslab.audit.auditing import MOST_TEXTS, AuditError
from biaslab.files.columns import listed
from biaslab.files.decoding import check_size, clean, decode, has_odd_bytes, is_package
from biaslab.files.formats.registry import is_named_table
from biaslab.files.found import Row
from biaslab.files.opening import Table, open_table

MAX_BYTES = 64 * 2**20
"""Of a file with texts."""

_LIKELY = ("text", "problem", "question", "body", "task", "stem", "item", "exercise", "wordproblem")
_AMONG_WORDS = 0.5
"""A column of texts has at least five words in so many of its cells."""
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts and what is to be said of how they were found.

    Attributes:
        texts: one a problem.
        column: from which they were taken; "" for plain text.
        columns: of the table; none for plain text.
        refused: rows that could not be read, as sentences.
        remarks: on the file as a whole.
    """

    texts: tuple[str, ...]
    column: str
    columns: tuple[str, ...]
    refused: tuple[str, ...]
    remarks: tuple[str, ...]


def read_corpus(data: bytes, name: str, column: str | None = None) -> Corpus:
    """The texts in a file.

    Args:
        data: its content.
        name: of the file; its ending says table or plain text.
        column: that has the texts; None: found by its name or its cells.

    Raises:
        InterchangeError: it is no text and no table, or too large.
        AuditError: it is not clear which column has the texts, or there are too many.
    """
    check_size(data, MAX_BYTES)
    if is_package(data) or is_named_table(name):
        return _from_table(open_table(data, name), column)
    if column is not None:
        raise AuditError(f"{name} is plain text and has no columns: leave --text out.")
    decoded = decode(data)
    texts = split_texts(decoded.text)
    if not texts:
        raise AuditError("The file is empty: give a problem a line, or blank lines between them.")
    return Corpus(_few(texts), "", (), (), (decoded.doubt,) if decoded.doubt else ())


def split_texts(text: str) -> tuple[str, ...]:
    """The problems in plain text: paragraphs where blank lines part them, else a line each."""
    plain = clean(text)
    parts = _PARAGRAPH.split(plain) if _PARAGRAPH.search(plain) else plain.split("\n")
    return tuple(" ".join(part.split()) for part in parts if part.strip())


def _from_table(table: Table, column: str | None) -> Corpus:
    named = tuple(each for each in table.columns if each)
    if column is not None and column not in table.columns:
        raise AuditError(f"There is no column {column!r}. The columns are {listed(named)}.")
    chosen = likely_column(named, table.first) if column is None else column
    if chosen is None:
        raise AuditError(
            f"It is not clear which column has the problems. The columns are {listed(named)}: "
            "name one (--text COLUMN)."
        )
    texts: list[str] = []
    refused: list[str] = []
    for row in table.filled():
        if row.refusal:
            refused.append(f"Row {row.number}: {row.refusal}.")
        elif has_odd_bytes(row.cells.get(chosen, "")):
            refused.append(f"Row {row.number}: its text holds bytes that are not UTF-8.")
        else:
            texts.append(clean(row.cells.get(chosen, "")))
        if len(texts) > MOST_TEXTS:
            break
    return Corpus(_few(texts), chosen, named, tuple(refused), table.remarks)


def likely_column(columns: Sequence[str], first: Sequence[Row]) -> str | None:
    """The one column that has the texts: by its name, else the only one with sentences."""
    plain = {column: re.sub(r"[^a-z]", "", column.lower()) for column in columns}
    wordy = [column for column in columns if _is_wordy(column, first)]
    for likely in _LIKELY:
        by_name = [column for column in wordy if plain[column] == likely]
        if len(by_name) == 1:
            return by_name[0]
    return wordy[0] if len(wordy) == 1 else None


def _is_wordy(column: str, first: Sequence[Row]) -> bool:
    cells = [cell for row in first if (cell := row.cells.get(column, "").strip())]
    return bool(cells) and sum(len(cell.split()) >= 5 for cell in cells) >= _AMONG_WORDS * len(
        cells
    )


def _few(texts: Sequence[str]) -> tuple[str, ...]:
    if len(texts) > MOST_TEXTS:
        raise AuditError(
            f"There are more than {MOST_TEXTS:,} texts: audit a part of them, drawn by lot."
        )
    return tuple(texts)
