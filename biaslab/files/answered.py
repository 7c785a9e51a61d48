"""Tables of problems and wrong answers: what happened in each row, row by row.

A row that cannot be read says why and costs no other row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from biaslab.files.errors import InterchangeError
from biaslab.files.opening import open_table
from biaslab.files.tables import Row
from biaslab.malrules.reading import Happened, UnreadAnswer, UnreadProblem, what_happened

MOST_ROWS = 2_000
"""So many rows are looked at; the rest is refused."""

_PROBLEM = ("problem", "question", "questiontext", "task", "item", "stem", "text", "exercise")
_ANSWER = (
    "answer", "wronganswer", "pupilanswer", "pupilsanswer", "studentanswer", "response", "given",
    "answered", "pupil", "student", "wrong",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnsweredRow:
    """A row of a table.

    Attributes:
        number: in its file, from 1.
        problem, answer: as they stand there.
        status: right, explained, slip, none known or not read.
        reason: why it was not read, as a sentence; else "".
        happened: what may have happened, where it was read.
    """

    number: int
    problem: str
    answer: str
    status: str
    reason: str = ""
    happened: Happened | None = None


def read_answered(
    data: bytes, name: str, problem: str | None = None, answer: str | None = None
) -> Iterator[AnsweredRow]:
    """Every row of a table (CSV, XLSX, JSON) with what may have happened there.

    Args:
        data: the file.
        name: its name.
        problem: the column of problems; None: told by its name.
        answer: the column of answers; None: told by its name.

    Raises:
        InterchangeError: it is no table, or has no such columns.
    """
    table = open_table(data, name)
    problem_column = _column(table.columns, problem, _PROBLEM, "problem")
    answer_column = _column(table.columns, answer, _ANSWER, "answer")
    if problem_column == answer_column:
        raise InterchangeError(f"“{problem_column}” cannot hold both the problem and the answer.")
    for index, row in enumerate(table.filled()):
        if index == MOST_ROWS:
            reason = f"Only the first {MOST_ROWS:,} rows of a table are looked at."
            yield AnsweredRow(row.number, "", "", "not read", reason)
            return
        yield _read(row, problem_column, answer_column)


def read_pairs(lines: Sequence[tuple[str, str]]) -> Iterator[AnsweredRow]:
    """What may have happened in each of some pairs of a problem and an answer."""
    for number, (problem, answer) in enumerate(lines, start=1):
        yield _read(Row(number, {"problem": problem, "answer": answer}), "problem", "answer")


def _column(columns: Sequence[str], given: str | None, known: Sequence[str], what: str) -> str:
    listed = ", ".join(f"“{each}”" for each in columns)
    if given is not None:
        if given not in columns:
            raise InterchangeError(f"There is no column “{given}”. The columns are {listed}.")
        return given
    plain = {re.sub(r"[^a-z]", "", each.lower()): each for each in columns}
    for name in known:
        if name in plain:
            return plain[name]
    raise InterchangeError(
        f"No column is named “{what}”. Name the columns problem and answer; they are {listed}."
    )


def _read(row: Row, problem_column: str, answer_column: str) -> AnsweredRow:
    problem = row.cells.get(problem_column, "")
    answer = row.cells.get(answer_column, "")
    if row.refusal:
        return AnsweredRow(row.number, problem, answer, "not read", f"{row.refusal}.")
    try:
        happened = what_happened(problem, answer)
    except (UnreadProblem, UnreadAnswer) as error:
        return AnsweredRow(row.number, problem, answer, "not read", str(error))
    return AnsweredRow(row.number, problem, answer, happened.status, "", happened)
