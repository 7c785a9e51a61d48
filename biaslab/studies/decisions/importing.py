"""Decisions from a file in the published columns, every score worked out anew.

Two forms. Results: a row per case with both arms' answers (`RESULT_COLUMNS`). Cases: what was
asked, with the metric's parameters (`CASE_COLUMNS`), as in the data set on Hugging Face.

    report = import_decisions(data, "model.csv")
    report.differences          # rows whose printed score is another one
    report.items()              # as a run's items, for `biaslab.studies.decisions.results`

A metric's parameters are taken from a file of cases where one is given, else from this lab's
bias of the same name, if they are the same for all of its cases. Where neither says them, the
row keeps its answers and has no score: the printed one is never taken over unseen.
"""

from __future__ import annotations

import ast
import csv
import io
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from biaslab.files.checking import RefusedRow
from biaslab.files.errors import InterchangeError, only_refusals
from biaslab.files.formats.format import TableRow
from biaslab.files.opening import open_table
from biaslab.files.tables import guarded
from biaslab.studies.decisions.biases import BiasError, Metric, bias
from biaslab.studies.decisions.biases.expressions import calculate
from biaslab.studies.decisions.published import bias_of_name

if TYPE_CHECKING:
    import pandas as pd

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
    return write_table(RESULT_COLUMNS, rows)


def cases_csv(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """A table of cases; see `CASE_COLUMNS`."""
    return write_table(CASE_COLUMNS, rows)


def write_table(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    """A CSV file whose cells no spreadsheet takes for formulas."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        # What a model wrote must not run in a spreadsheet.
        writer.writerow(guarded(v) if isinstance(v := row[name], str) else v for name in columns)
    return text.getvalue().encode()


TOLERANCE = 0.0005
"""Scores closer than this are the same: published ones were worked out with a rounding term."""


@dataclass(frozen=True, slots=True)
class ImportedDecision:
    """A row of results.

    Attributes:
        row: in its file, the header being 1; id: as the file says.
        bias: id here; model: as the file says.
        options: of the scale; reversed: whether they were shown from last to first.
        control, treatment: positions of the decisions, from 0; None where one failed.
        metric: its parameters; None where nothing says them.
        printed: the score in the file; None where there is none.
    """

    row: int
    id: str
    bias: str
    model: str
    options: int
    reversed: bool
    control: int | None
    treatment: int | None
    metric: Metric | None
    printed: float | None

    @property
    def score(self) -> float | None:
        """The score worked out anew; None where it cannot be."""
        if self.metric is None or self.control is None or self.treatment is None:
            return None
        return float(self.metric.of(self.control, self.treatment))

    @property
    def differs(self) -> bool:
        """Whether the printed score is another one."""
        score = self.score
        return (
            score is not None and self.printed is not None and abs(score - self.printed) > TOLERANCE
        )


@dataclass(frozen=True, slots=True)
class DecisionImport:
    """What became of a file of results.

    Attributes:
        name: of the file; decisions: the rows taken over; refused: the others, with reasons.
    """

    name: str
    decisions: tuple[ImportedDecision, ...]
    refused: tuple[RefusedRow, ...]

    @property
    def differences(self) -> tuple[ImportedDecision, ...]:
        """Rows whose printed score is not the one worked out."""
        return tuple(each for each in self.decisions if each.differs)

    @property
    def unscored(self) -> tuple[ImportedDecision, ...]:
        """Rows with both answers whose metric nothing says."""
        return tuple(
            each
            for each in self.decisions
            if each.metric is None and None not in (each.control, each.treatment)
        )

    def summary(self) -> str:
        """The numbers in a sentence."""
        scored = sum(each.score is not None for each in self.decisions)
        return (
            f"{len(self.decisions) + len(self.refused):,} rows: {scored:,} scored anew, "
            f"{len(self.differences):,} of them with another score than printed; "
            f"{len(self.unscored):,} without known parameters; "
            f"{sum(None in (d.control, d.treatment) for d in self.decisions):,} failed; "
            f"{len(self.refused):,} refused."
        )

    def items(self) -> pd.DataFrame:
        """The scored and failed rows as items of a run, a row per arm.

        Scenes are not told in such a file, so each row is a cluster of its own.
        """
        import pandas as pd

        known = [each for each in self.decisions if each.metric is not None]
        return pd.DataFrame([row for at, each in enumerate(known) for row in _arms(each, at)])


@only_refusals()
def import_decisions(data: bytes, name: str, cases: bytes | None = None) -> DecisionImport:
    """Reads a file of results.

    Args:
        data: the file.
        name: what it is called.
        cases: a file of cases with the parameters of the same rows, in the same order.

    Raises:
        InterchangeError: it is no such file, or the files do not belong together.
    """
    table = open_table(data, name)
    if not holds_results(table.columns):
        raise InterchangeError(
            "This is no table of decisions: it has no columns bias, control_options, "
            "control_decision and treatment_decision."
        )
    listed = list(table.filled())
    beside = None if cases is None else _cases(cases, listed)
    taken: list[ImportedDecision] = []
    refused: list[RefusedRow] = []
    for at, row in enumerate(listed):
        try:
            if row.refusal:
                raise UnreadableCell(row.refusal)
            taken.append(_decision(row, None if beside is None else beside[at]))
        except UnreadableCell as error:
            refused.append(RefusedRow(row.number, error.reason, row.cells.get("id", "")))
    return DecisionImport(name, tuple(taken), tuple(refused))


def _cases(data: bytes, results: Sequence[TableRow]) -> list[str]:
    table = open_table(data, "The file of cases")
    if not holds_cases(table.columns):
        raise InterchangeError(
            "The second file is no table of cases: it needs the columns bias and metric_params."
        )
    listed = list(table.filled())
    if len(listed) != len(results):
        raise InterchangeError(
            f"The file of cases has {len(listed):,} rows and the results {len(results):,}: they "
            "belong together row by row, so give the cases of exactly these rows."
        )
    for case, result in zip(listed, results, strict=True):
        one, other = (bias_of_name(row.cells.get("bias", "")) for row in (case, result))
        if one != other:
            raise InterchangeError(
                f"Row {case.number} of the cases is of {case.cells.get('bias')}, and row "
                f"{result.number} of the results of {result.cells.get('bias')}: the files are not "
                "in the same order."
            )
    return [row.cells.get("metric_params", "") for row in listed]


def _decision(row: TableRow, parameters: str | None) -> ImportedDecision:
    cells = row.cells
    found = bias_of_name(cells["bias"])
    if found is None:
        raise UnreadableCell(f"there is no bias “{cells['bias'][:60]}”")
    options = read_options(cells["control_options"])
    count = len(options)
    if cells.get("treatment_options") and len(read_options(cells["treatment_options"])) != count:
        raise UnreadableCell("its arms have different numbers of options")
    failed = cells.get("status", "").strip().upper() == ERROR
    control, treatment = (
        None if failed or not cells[f"{arm}_decision"].strip() else
        read_position(cells[f"{arm}_decision"], count)
        for arm in ("control", "treatment")
    )  # fmt: skip
    if parameters is None:
        parameters = cells.get("metric_params", "")
    metric = read_parameters(parameters, count) if parameters.strip() else _known(found, count)
    return ImportedDecision(
        row.number,
        cells.get("id", ""),
        found,
        cells.get("model", ""),
        count,
        _is_reversed(cells.get("control_option_order", ""), count),
        control,
        treatment,
        metric,
        _printed(cells.get("individual_score", "")),
    )


def _printed(cell: str) -> float | None:
    if cell.strip().lower() in ("", "nan", "none"):
        return None
    try:
        value = float(cell)
    except ValueError as error:
        raise UnreadableCell(f"its individual_score “{cell[:40]}” is no number") from error
    return value if math.isfinite(value) else None


def _is_reversed(cell: str, count: int) -> bool:
    return cell.strip() == repr(list(range(count - 1, -1, -1)))


@cache
def _known(bias_id: str, options: int) -> Metric | None:
    """The parameters of a bias where they are the same for all cases."""
    template = bias(bias_id).metric
    try:
        found = [
            calculate(each, {"n": options})
            for each in (template.kappa, template.gamma1, template.gamma2)
        ]
    except BiasError:
        return None
    kappa, one, other = (each for each in found if isinstance(each, int))
    return Metric(kappa, one, other)


def _arms(decision: ImportedDecision, position: int) -> list[dict[str, Any]]:
    metric = decision.metric
    assert metric is not None
    rows = []
    for arm, answer, gamma in (
        ("x", decision.control, metric.gamma1), ("x_prime", decision.treatment, metric.gamma2),
    ):  # fmt: skip
        rows.append(
            {
                "run": decision.model, "study": "decision", "model": decision.model,
                "model_kind": "language model", "strategy": "imported", "position": position,
                "arm": arm, "sample": 0, "state": "failed" if answer is None else "answered",
                "extra": {} if answer is None else {"position": answer},
                "facts": {"bias": decision.bias, "kappa": metric.kappa, "gamma": gamma,
                          "scale": decision.options, "reversed": decision.reversed},
                "cluster": f"row {decision.row}",
                "strata": {
                    "bias": decision.bias,
                    "order": "reversed" if decision.reversed else "as on the scale",
                },
            }
        )  # fmt: skip
    return rows
