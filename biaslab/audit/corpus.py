"""The texts in a file that somebody gives: a table's column or two of them, or plain text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from biaslab.audit.auditing import MOST_TEXTS, AuditError
from biaslab.files.columns import listed, place_in, problem_columns, problem_text
from biaslab.files.decoding import check_size, clean, decode, has_odd_bytes
from biaslab.files.errors import only_refusals
from biaslab.files.opening import RawTable, is_plain_text, open_table

MAX_BYTES = 64 * 2**20
"""Of a file with texts."""

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts and what is to be said of how they were found.

    Attributes:
        texts: one a problem.
        columns: from which they were taken, in the order of reading; none for plain text.
        refused: rows that could not be read, as sentences.
        remarks: on the file as a whole.
    """

    texts: tuple[str, ...]
    columns: tuple[str, ...]
    refused: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def column(self) -> str:
        """The columns in one name; "" for plain text."""
        return " + ".join(self.columns)


@only_refusals(AuditError)
def read_corpus(data: bytes, name: str, columns: Sequence[str] = ()) -> Corpus:
    """The texts in a file.

    Args:
        data: its content.
        name: of the file; its ending says table or plain text.
        columns: that have the texts, one or what is told and what is asked; none: found by their
            names or cells.

    Raises:
        InterchangeError: it is no text and no table, or too large.
        AuditError: it is not clear which column has the texts, or there are too many.
    """
    check_size(data, MAX_BYTES)
    if not is_plain_text(data, name):
        return _from_table(open_table(data, name), columns)
    if columns:
        raise AuditError(f"{name} is plain text and has no columns: leave --text out.")
    decoded = decode(data)
    texts = split_texts(decoded.text)
    if not texts:
        raise AuditError("The file is empty: give a problem a line, or blank lines between them.")
    return Corpus(_few(texts), (), (), (decoded.doubt,) if decoded.doubt else ())


def split_texts(text: str) -> tuple[str, ...]:
    """The problems in plain text: paragraphs where blank lines part them, else a line each."""
    plain = clean(text)
    parts = _PARAGRAPH.split(plain) if _PARAGRAPH.search(plain) else plain.split("\n")
    return tuple(" ".join(part.split()) for part in parts if part.strip())


def _from_table(table: RawTable, columns: Sequence[str]) -> Corpus:
    named = tuple(each for each in table.columns if each)
    for column in columns:
        if column not in named:
            raise AuditError(f"There is no column {column!r}. The columns are {listed(named)}.")
    chosen = tuple(columns) or problem_columns(named, table.first)
    if not chosen:
        raise AuditError(
            f"It is not clear which column has the problems. The columns are {listed(named)}: "
            "name one (--text COLUMN), or the one with the facts and the one with the question."
        )
    texts: list[str] = []
    refused: list[str] = []
    for row in table.filled():
        text = problem_text(row.cells, chosen)
        if row.refusal:
            refused.append(f"Row {row.number}: {row.refusal}.")
        elif has_odd_bytes(text):
            refused.append(f"Row {row.number}: its text holds bytes that are not UTF-8.")
        elif place := place_in(text):
            refused.append(f"Row {row.number}: “{place}” stands in its text in place of a value.")
        else:
            texts.append(clean(text))
        if len(texts) > MOST_TEXTS:
            break
    return Corpus(_few(texts), chosen, tuple(refused), table.remarks)


def _few(texts: Sequence[str]) -> tuple[str, ...]:
    if len(texts) > MOST_TEXTS:
        raise AuditError(
            f"There are more than {MOST_TEXTS:,} texts: audit a random sample of them."
        )
    return tuple(texts)
