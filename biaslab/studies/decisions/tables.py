"""Tables of decisions as they were published: their columns, and what one row says.

Two forms. Results: a row per case with both arms' answers (`RESULT_COLUMNS`). Cases: what was
asked, with the metric's parameters (`CASE_COLUMNS`), as in the data set on Hugging Face.
"""

from __future__ import annotations

import ast
import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from biaslab.files.cells import guarded
from biaslab.studies.decisions.biases import Metric

RESULT_COLUMNS = (
    "id", "model", "temperature", "seed", "timestamp", "control_options",
    "control_option_order", "control_answer", "control_extraction", "control_decision",
    "treatment_options", "treatment_option_order", "treatment_answer", "treatment_extraction",
    "treatment_decision", "status", "error_message", "individual_score", "weight", "bias",
)  # fmt: skip
"""The columns of a file of results. Lists are written as Python writes them; decisions are
positions from 0 in the order of the scale, whatever order was shown; biases are joined names."""

CASE_COLUMNS = ("bias", "scenario", "control", "treatment", "metric_params")
"""The columns of a file of cases; metric_params is a dictionary with k, x_1 and x_2."""

OK, ERROR = "OK", "ERROR"
"""What a row's status says."""

_NEEDED = ("bias", "control_options", "control_decision", "treatment_decision")
_LONGEST = 20_000


def holds_results(columns: Collection[str]) -> bool:
    """Whether a table with these columns is one of results."""
    return set(_NEEDED) <= set(columns)


def holds_cases(columns: Collection[str]) -> bool:
    """Whether a table with these columns is one of cases."""
    return {"bias", "metric_params"} <= set(columns) and not holds_results(columns)


class UnreadableCell(Exception):
    """A cell does not say what its column asks for; the reason is a clause."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_options(cell: str) -> list[str]:
    """The options of a scale.

    Raises:
        UnreadableCell: this is no list of texts.
    """
    found = _literal(cell)
    if not isinstance(found, list) or not 2 <= len(found) <= 101:
        raise UnreadableCell("its options are no list")
    return [str(option) for option in found]


def read_position(cell: str, options: int) -> int:
    """The position of a decision, from 0; whole numbers may be written as 3.0.

    Raises:
        UnreadableCell: it is no position of this scale.
    """
    try:
        number = float(cell)
    except ValueError as error:
        raise UnreadableCell(f"“{cell[:40]}” is no position of an option") from error
    if number != int(number) or not 0 <= number < options:
        raise UnreadableCell(f"{cell} is no position on a scale of {options} options, from 0")
    return int(number)


def read_parameters(cell: str, options: int) -> Metric:
    """The metric's parameters; a flipped treatment becomes a point at the other end.

    With a2 read from the other end, |n - 1 - a2 - x_2| = |a2 - (n - 1 - x_2)|.

    Raises:
        UnreadableCell: this is no dictionary of them.
    """
    found = _literal(cell)
    if not isinstance(found, Mapping):
        raise UnreadableCell("its metric_params are no dictionary")
    unknown = sorted(set(map(str, found)) - {"k", "x_1", "x_2", "flip_treatment", "flip_control"})
    if unknown:
        raise UnreadableCell(f"its metric_params have an unknown “{unknown[0]}”")
    kappa, one, other = (
        _whole(found.get(name, default), name)
        for name, default in (("k", -1), ("x_1", 0), ("x_2", 0))
    )
    if kappa not in (1, -1):
        raise UnreadableCell(f"its k is {kappa}, neither 1 nor -1")
    if found.get("flip_control"):
        one = options - 1 - one
    if found.get("flip_treatment"):
        other = options - 1 - other
    return Metric(kappa, one, other)


def _whole(value: object, name: str) -> int:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, int | float) or value % 1 != 0:
        raise UnreadableCell(f"its {name} is no whole number")
    return int(value)


def _literal(cell: str) -> object:
    if len(cell) > _LONGEST:
        raise UnreadableCell("a list in it is too long")
    try:
        return ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError) as error:
        raise UnreadableCell(f"“{cell[:40]}” cannot be read") from error


def results_csv(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """A table of results; see `RESULT_COLUMNS`."""
    return _table(RESULT_COLUMNS, rows)


def cases_csv(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """A table of cases; see `CASE_COLUMNS`."""
    return _table(CASE_COLUMNS, rows)


def _table(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        # What a model wrote must not run in a spreadsheet.
        writer.writerow(guarded(v) if isinstance(v := row[name], str) else v for name in columns)
    return text.getvalue().encode()
