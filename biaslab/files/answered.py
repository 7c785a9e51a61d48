"""Tables of problems and wrong answers, options of items: what happened in each, row by row.

A row that cannot be read says why and costs no other row.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from biaslab.files.columns import WHOLE, guess, problem_columns, problem_text
from biaslab.files.errors import InterchangeError, only_refusals
from biaslab.files.formats.format import TableRow
from biaslab.files.items import ImportedItem
from biaslab.files.opening import open_table
from biaslab.files.tables import guarded
from schoolmath.malrules.reading import (
    AnswerDiagnoses,
    UnreadAnswer,
    UnreadProblem,
    next_problem,
    what_happened,
)
from schoolmath.malrules.reading.given_answers import read_given
from schoolmath.malrules.reading.happening import as_json, names_of
from schoolmath.text.written_answers import MADE_BY_A_SPREADSHEET, is_date

MOST_ROWS = 2_000
"""So many rows are looked at; the rest is refused."""

_COLUMNS = (
    "row", "problem", "answer", "status", "right_answer", "rules", "names", "how_sure",
    "next_problem", "reason", "label",
)  # fmt: skip
_ANSWER = (
    "wronganswer", "incorrectanswer", "wrongresponse", "incorrectresponse", "pupilanswer",
    "pupilsanswer", "studentanswer", "studentresponse", "wrong", "answer", "response", "given",
    "answered", "pupil", "student",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnsweredRow:
    """A row of a table.

    Attributes:
        number: in its file, or of its item, from 1.
        problem, answer: as they stand there.
        status: right, unfinished, explained, slip, none known or not read.
        reason: why it was not read, as a sentence; else "".
        happened: what may have happened, where it was read.
        label: what its source says is behind the answer; often empty.
    """

    number: int
    problem: str
    answer: str
    status: str
    reason: str = ""
    happened: AnswerDiagnoses | None = None
    label: str = ""


def read_answered(
    data: bytes, name: str, problem: str | None = None, answer: str | None = None
) -> Iterator[AnsweredRow]:
    """Every row of a table (CSV, XLSX, JSON) with what may have happened there.

    Args:
        data: the file.
        name: its name.
        problem: the column of problems; None: told by names, also where what is told and what is
            asked stand in two.
        answer: the column of answers; None: told by its name.

    Raises:
        InterchangeError: it is no table, or has no such columns.
    """
    with only_refusals():
        table = open_table(data, name)
        columns = () if problem else problem_columns(table.columns, table.first)
        if len(columns) < 2:
            columns = (_column(table.columns, problem, WHOLE, "problem"),)
        answer_column = _column(table.columns, answer, _ANSWER, "answer")
        if answer_column in columns:
            raise InterchangeError(
                f"“{answer_column}” cannot hold both the problem and the answer."
            )
        further = guess([each for each in table.columns if each not in (*columns, answer_column)])
        for index, row in enumerate(table.filled()):
            if index == MOST_ROWS:
                reason = f"Only the first {MOST_ROWS:,} rows of a table are checked."
                yield AnsweredRow(row.number, "", "", "not read", reason)
                return
            yield _read(
                row.number,
                problem_text(row.cells, columns),
                row.cells.get(answer_column, ""),
                right=_given_by(row, further.get("key")),
                label=_given_by(row, further.get("misconception")),
                refusal=row.refusal,
            )


def read_pairs(lines: Sequence[tuple[str, str]]) -> Iterator[AnsweredRow]:
    """What may have happened in each of some pairs of a problem and an answer."""
    for number, (problem, answer) in enumerate(lines, start=1):
        yield _read(number, problem, answer)


def read_options(items: Iterable[ImportedItem]) -> Iterator[AnsweredRow]:
    """What may be behind every wrong option of some items; a row's number is its item's, from 1.

    Beside it stands what the items' file says is behind the option.
    """
    looked_at = 0
    for number, item in enumerate(items, start=1):
        for letter in item.letters:
            if letter == item.key:
                continue
            if looked_at == MOST_ROWS:
                reason = f"Only the first {MOST_ROWS:,} wrong options of a set are checked."
                yield AnsweredRow(number, "", "", "not read", reason)
                return
            looked_at += 1
            yield _read(
                number,
                item.question,
                item.option(letter),
                right=item.option(item.key) if item.key else "",
                label=item.misconceptions.get(letter) or item.rationales.get(letter, ""),
            )


def _column(columns: Sequence[str], column: str | None, names: Sequence[str], what: str) -> str:
    listed = ", ".join(f"“{each}”" for each in columns)
    if column is not None:
        if column not in columns:
            raise InterchangeError(f"There is no column “{column}”. The columns are {listed}.")
        return column
    plain = {re.sub(r"[^a-z]", "", each.lower()): each for each in columns}
    for name in names:
        if name in plain:
            return plain[name]
    raise InterchangeError(
        f"No column is named “{what}”. Name the columns problem and answer; they are {listed}."
    )


def _given_by(row: TableRow, column: str | None) -> str:
    """What a row says in a column that its table may not have."""
    return row.cells.get(column, "").strip() if column else ""


def _read(
    number: int, problem: str, answer: str, *, right: str = "", label: str = "", refusal: str = ""
) -> AnsweredRow:
    """What may have happened in one row; `right` is what its source says is right."""
    unread = partial(AnsweredRow, number, problem, answer, "not read", label=label)
    if refusal:
        return unread(f"{refusal}.")
    if is_date(answer):
        return unread(f"“{answer}” is a date, {MADE_BY_A_SPREADSHEET}: write it as text.")
    try:
        happened = what_happened(problem, answer)
    except (UnreadProblem, UnreadAnswer) as error:
        return unread(str(error))
    worked = happened.meanings[0].right.answer
    told = read_given(right, worked, (), new_phrases=False) if right else None
    if told is not None and not told.same_as(worked):
        return unread(
            f"Its source says that {right} is right; read as it was here, the problem gives "
            f"{worked}."
        )
    return AnsweredRow(number, problem, answer, happened.status, "", happened, label)


def rows_as_csv(rows: Sequence[AnsweredRow], seed: int) -> str:
    """The rows as CSV, with what may have happened in each; seed is of the next problems."""
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(_COLUMNS)
    for row in rows:
        # Strangers typed some of it: no spreadsheet may take it for a formula.
        table.writerow([guarded(cell) for cell in (*_cells(row, seed), row.label)])
    return written.getvalue()


def _cells(row: AnsweredRow, seed: int) -> list[str]:
    head = [str(row.number), row.problem, row.answer, row.status]
    if row.happened is None:
        return [*head, "", "", "", "", "", row.reason]
    found = row.happened.meanings[0]
    candidates = found.diagnosis.candidates
    separation = next_problem(found, seed)
    chosen = None if separation is None else separation.problem
    return [
        *head,
        str(found.right.answer),
        "; ".join(" + ".join(each.rules) for each in candidates),
        "; ".join(names_of(each) for each in candidates),
        found.how_sure(candidates[0]) if candidates else "",
        "" if chosen is None else chosen.stem(),
        row.reason,
    ]


def row_as_json(row: AnsweredRow, seed: int) -> dict[str, Any]:
    """A row as a JSON object, with everything that may have happened there."""
    content: dict[str, Any] = {
        "row": row.number, "status": row.status, "reason": row.reason or None,
        "problem": row.problem, "answer": row.answer, "label": row.label or None,
    }  # fmt: skip
    if row.happened is not None:
        content |= as_json(row.happened, seed)
    return content
