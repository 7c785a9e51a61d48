"""Writing pairs of word problems for other programs, for paper and for quizzes.

Every cell of a table is without control characters, and none begins with what a spreadsheet would
run.

    export = export_pairs(experiment("carry"), design, pairs, "worksheet", title="Class 5")
    export.content          # the bytes of a PDF
    export.written          # how many problems it holds
    export.left_out         # Row 3: its answer '1/2' is no plain number.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from biaslab.files.checking import RefusedRow, Remark
from biaslab.files.decoding import clean
from biaslab.files.errors import InterchangeError
from biaslab.files.exporting import QUIZ_FORMATS, Export
from biaslab.files.formats.format import OpenQuestion, no_number
from biaslab.files.tables import guarded
from biaslab.studies import Arms, Design, Experiment, Pair, pair_columns, pair_rows, write_jsonl
from biaslab.studies.word_problems.files.data_sets import (
    data_set_card,
    write_data_set,
    write_parquet,
)
from biaslab.studies.word_problems.files.worksheet import Members, WorksheetProblem, take
from biaslab.studies.word_problems.verification import body_of, question_of, steps_of

Row = Mapping[str, object]


def cell(value: object) -> str:
    """A value as a cell: clean, and guarded against being run as a formula."""
    return guarded(clean(str(value)))


def write_item_csv(study: Experiment, pairs: Iterable[Pair]) -> bytes:
    """A row per item, in the columns of `biaslab.studies.pair_columns`; UTF-8."""
    return _csv(pair_columns(study), pair_rows(pairs))


def write_item_jsonl(study: Experiment, pairs: Iterable[Pair]) -> bytes:
    """The same rows as objects, one on a line. Texts are as they are: this is no table."""
    out = io.BytesIO()
    with io.TextIOWrapper(out, encoding="utf-8", newline="") as file:
        write_jsonl(study, pairs, file)
        file.flush()
        return out.getvalue()


def released_columns(study: Experiment, arms: Arms | None = None) -> tuple[str, ...]:
    """The columns of a row per pair.

    The three studies of Opedal et al. (2024) have those of their released files. Any other
    study has them in the same manner, named after its arms, and its strata behind them.

    Args:
        study: whose pairs are written.
        arms: what the members are called, where the study's own names are not the ones.
    """
    if study.name in _RELEASED:
        return _RELEASED[study.name]
    x, x_prime = arms or study.arms
    named = tuple(
        f"{what} {arm}"
        for what in ("question", "body", "paraphrase", "answer")
        for arm in (x, x_prime)
    )
    return (*named, *(stratum.name for stratum in study.strata))


def write_released_csv(study: Experiment, pairs: Iterable[Pair], arms: Arms | None = None) -> bytes:
    """A row per pair in `released_columns`; the paraphrase columns hold the whole texts."""
    columns = released_columns(study, arms)
    make = _ROWS.get(study.name)
    if make is None:
        return _csv(columns, (dict(_general(pair, columns)) for pair in pairs))
    return _csv(columns, map(make, pairs))


def cannot_release(study: Experiment, pair: Pair) -> str:
    """Why the study's released columns cannot hold a pair, as a clause; empty where they can."""
    if study.name not in _RELEASED:
        return ""
    if study.name != "transfer-comparison" and question_of(pair.x) != question_of(pair.x_prime):
        return "its members ask different questions, and the file has one column for both"
    if pair.x.answer != pair.x_prime.answer:
        return "its members have different answers, and the file has one column for both"
    return ""


_RELEASED = {
    "consistency": (
        "question", "consistent body", "inconsistent body", "consistent paraphrased",
        "inconsistent paraphrased", "answer",
    ),
    "transfer-comparison": (
        "question comparison", "question transition", "body comparison", "body transition",
        "paraphrase comparison", "paraphrase transition", "answer",
    ),
    "carry": (
        "question", "body no carry", "body carry", "paraphrase no carry", "paraphrase carry",
        "answer no carry", "answer carry", "answer", "Carry Operation", "Num. Carries",
    ),
}  # fmt: skip


def _consistency(pair: Pair) -> Row:
    return {
        "question": question_of(pair.x),
        "consistent body": body_of(pair.x),
        "inconsistent body": body_of(pair.x_prime),
        "consistent paraphrased": pair.x.text,
        "inconsistent paraphrased": pair.x_prime.text,
        "answer": pair.x.answer,
    }


def _transfer_comparison(pair: Pair) -> Row:
    return {
        "question comparison": question_of(pair.x_prime),
        "question transition": question_of(pair.x),
        "body comparison": body_of(pair.x_prime),
        "body transition": body_of(pair.x),
        "paraphrase comparison": pair.x_prime.text,
        "paraphrase transition": pair.x.text,
        "answer": pair.x.answer,
    }


def _carry(pair: Pair) -> Row:
    steps = steps_of(pair.x_prime)
    subtracts = any(step.operation == "-" for step in steps)
    return {
        "question": question_of(pair.x),
        "body no carry": body_of(pair.x),
        "body carry": body_of(pair.x_prime),
        "paraphrase no carry": pair.x.text,
        "paraphrase carry": pair.x_prime.text,
        "answer no carry": pair.x.answer,
        "answer carry": pair.x_prime.answer,
        "answer": pair.x.answer,
        "Carry Operation": ("Subtraction" if subtracts else "Addition") if steps else "",
        "Num. Carries": sum(step.carries for step in steps) if steps else "",
    }


def _general(pair: Pair, columns: tuple[str, ...]) -> Iterator[tuple[str, object]]:
    values: list[object] = []
    for read in (question_of, body_of, lambda item: item.text, lambda item: item.answer):
        values += [read(pair.x), read(pair.x_prime)]
    yield from zip(columns, values, strict=False)
    for name in columns[len(values) :]:
        yield name, pair.strata.get(name, "")


_ROWS: dict[str, Callable[[Pair], Row]] = {
    "consistency": _consistency,
    "transfer-comparison": _transfer_comparison,
    "carry": _carry,
}


def _csv(columns: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    """UTF-8 without a mark at its start, so that the first column's name is what it seems."""
    names = list(columns)
    out = io.BytesIO()
    with io.TextIOWrapper(out, encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(map(cell, names))
        writer.writerows([cell(row.get(name, "")) for name in names] for row in rows)
        file.flush()
        return out.getvalue()


# Word problems as questions of a quiz, whose answer is a number.
#
# The calculations are what pupils see after they have answered.


def as_question(pair: WorksheetProblem) -> OpenQuestion:
    """The problem as a question, called after its number, its pair and its member."""
    return OpenQuestion(
        f"{pair.row:04} {pair.pair} {pair.arm}",
        clean(pair.item.text),
        pair.item.answer,
        clean(solution_text(pair)),
    )


def solution_text(pair: WorksheetProblem) -> str:
    """The calculations, one on a line; empty where they are not known."""
    return "\n".join(step.in_words() for step in steps_of(pair.item))


@dataclass(frozen=True, slots=True)
class PairForm:
    """A format in which pairs can be written.

    Attributes:
        name: on the command line and in links.
        label: on screens.
        suffix: of the file, with its dot.
        mime: type of the file for a browser.
        explanation: one line for someone who does not know it.
        one_member: whether it shows one member of each pair (a worksheet, a quiz).
    """

    name: str
    label: str
    suffix: str
    mime: str
    explanation: str
    one_member: bool = False


_PDF, _ZIP = "application/pdf", "application/zip"
PAIR_EXPORTS: dict[str, PairForm] = {
    form.name: form
    for form in (
        PairForm("csv", "CSV", ".csv", "text/csv", "A table: a row per problem."),
        PairForm(
            "released", "CSV, a row per pair", ".csv", "text/csv",
            "The columns of the released files of Opedal et al. 2024, a row per pair.",
        ),
        PairForm("jsonl", "JSONL", ".jsonl", "application/jsonl", "A JSON object per problem."),
        PairForm(
            "parquet", "Parquet", ".parquet", "application/vnd.apache.parquet",
            "A typed table for pandas and data set hubs, with sentences and calculations.",
        ),
        PairForm(
            "dataset", "Data set (zip)", ".zip", _ZIP,
            "The Parquet table with a card (README.md) that says what it is, ready to publish.",
        ),
        PairForm(
            "worksheet", "Worksheet (PDF)", ".pdf", _PDF,
            "Problems to print, one of each pair, with the solutions on pages of their own.", True,
        ),
        *(
            PairForm(
                quiz.name, quiz.label, quiz.suffix, quiz.mime,
                f"Numerical questions {quiz.program}.", True,
            )
            for quiz in QUIZ_FORMATS.values()
        ),
    )
}  # fmt: skip
"""What can be written, by name."""


@dataclass(frozen=True, slots=True)
class PairExportSettings:
    """What a person chooses beside the format.

    Attributes:
        members: what a worksheet or quiz takes of each pair.
        title: of a worksheet, a data set or a test of QTI.
        paper: of a worksheet: ``A4`` or ``Letter``.
        solutions: whether a worksheet's solutions follow it.
        arms: what the members are called, where the study's own names are not the ones (a
            composed study's depend on its treatment).
    """

    members: Members = Members.ALTERNATING
    title: str = ""
    paper: str = "A4"
    solutions: bool = True
    arms: Arms | None = None


def export_pairs(
    study: Experiment,
    design: Design,
    pairs: Iterable[Pair],
    form: str,
    settings: PairExportSettings | None = None,
) -> Export:
    """The pairs as a file.

    Tables are written as the pairs come, so that a large design need not be held at once.

    Args:
        study: whose pairs they are.
        design: what determined them; it stands in data sets.
        pairs: any sequence of them; `Export.left_out` counts them from 1.
        form: one of `PAIR_EXPORTS`.
        settings: what else was chosen.

    Returns:
        The file. ``written`` counts pairs, for a worksheet or quiz problems.

    Raises:
        InterchangeError: there is no such format, it cannot do what was chosen, or there is
            nothing to write.
    """
    if form not in PAIR_EXPORTS:
        names = ", ".join(PAIR_EXPORTS)
        raise InterchangeError(f"There is no format {form!r}. Formats are {names}.")
    chosen = settings or PairExportSettings()
    if PAIR_EXPORTS[form].one_member:
        return _questions(pairs, form, chosen)
    sift = _Sift(pairs, (lambda pair: cannot_release(study, pair)) if form == "released" else None)
    remarks: tuple[Remark, ...] = ()
    if form == "csv":
        content = write_item_csv(study, sift)
    elif form == "jsonl":
        content = write_item_jsonl(study, sift)
    elif form == "released":
        content = write_released_csv(study, sift, chosen.arms)
        remarks = _lost(study, released_columns(study, chosen.arms))
    else:
        content = write_parquet(study, design, sift)
        if form == "dataset":
            card = data_set_card(study, design, sift.written, chosen.title, chosen.arms)
            content = write_data_set(card, content)
    _require(sift.written, sift.left_out)
    return Export(content, sift.written, tuple(sift.left_out), remarks)


class _Sift:
    """Passes pairs on, counts them, and keeps back those that cannot be written."""

    def __init__(self, pairs: Iterable[Pair], fault: Callable[[Pair], str] | None) -> None:
        self._pairs = pairs
        self._fault = fault
        self.written = 0
        self.left_out: list[RefusedRow] = []

    def __iter__(self) -> Iterator[Pair]:
        for row, pair in enumerate(self._pairs, start=1):
            if self._fault is not None and (reason := self._fault(pair)):
                self.left_out.append(RefusedRow(row, reason, pair.id))
            else:
                self.written += 1
                yield pair


def _questions(pairs: Iterable[Pair], form: str, export: PairExportSettings) -> Export:
    """A worksheet or a quiz."""
    if form == "worksheet" and export.members is Members.BOTH:
        raise InterchangeError(
            "A worksheet shows one problem of each pair, so that nobody sees both: choose x, "
            "x_prime or alternating."
        )
    kept: list[WorksheetProblem] = []
    left_out: list[RefusedRow] = []
    unsolved = 0
    for taken in take(pairs, export.members):
        if reason := _reason(taken, form):
            left_out.append(RefusedRow(taken.row, reason, taken.arm))
        else:
            kept.append(taken)
            unsolved += not solution_text(taken)
    _require(len(kept), left_out)
    remarks: tuple[Remark, ...] = ()
    if unsolved and export.solutions:
        remarks = (Remark(f"The calculations of {unsolved} problems are not known."),)
    return Export(_write(kept, form, export), len(kept), tuple(left_out), remarks)


def _reason(pair: WorksheetProblem, form: str) -> str:
    if form != "worksheet":
        return no_number(pair.item.answer)
    from biaslab.studies.word_problems.files.worksheet import cannot_print

    return cannot_print(f"{pair.item.text} {pair.item.answer} {solution_text(pair)}")


def _write(pairs: list[WorksheetProblem], form: str, export: PairExportSettings) -> bytes:
    if form in QUIZ_FORMATS:
        return QUIZ_FORMATS[form].write([as_question(taken) for taken in pairs], export.title)
    from biaslab.studies.word_problems.files.worksheet import PageSize, SheetSettings, write_sheet

    sizes = {paper.value.lower(): paper for paper in PageSize}
    paper = sizes.get(export.paper.lower())
    if paper is None:
        raise InterchangeError(f"There is no paper {export.paper!r}. Choose A4 or Letter.")
    return write_sheet(pairs, SheetSettings(export.title, paper, export.solutions))


def _lost(study: Experiment, columns: Iterable[str]) -> tuple[Remark, ...]:
    names = set(columns)
    # The carry file holds these two under names of its own.
    if study.name == "carry":
        names |= {"carries", "operation"}
    missing = [stratum.label for stratum in study.strata if stratum.name not in names]
    if not missing:
        return ()
    return (Remark(f"The released files have no column for {', '.join(missing)}."),)


def _require(count: int, left_out: list[RefusedRow]) -> None:
    if not count:
        why = f" {left_out[0]}" if left_out else ""
        raise InterchangeError(f"There are no pairs to write.{why}")
