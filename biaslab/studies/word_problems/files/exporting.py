"""Writing pairs of word problems for other programs, for paper and for quizzes.

export = export_pairs(experiment("carry"), design, pairs, "worksheet", title="Class 5")
export.content          # the bytes of a PDF
export.written          # how many problems it holds
export.left_out         # Row 3: its answer '1/2' is no plain number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from biaslab.files.checking import RefusedRow, Remark
from biaslab.files.decoding import clean
from biaslab.files.errors import InterchangeError
from biaslab.files.exporting import QUIZ_FORMATS, Export
from biaslab.files.formats.format import OpenQuestion, no_number
from biaslab.studies import Arms, Design, Experiment, Pair
from biaslab.studies.word_problems.files.data_set_card import data_set_card
from biaslab.studies.word_problems.files.members import Members, Taken, take
from biaslab.studies.word_problems.files.parquet import write_data_set, write_parquet
from biaslab.studies.word_problems.files.tables import (
    cannot_release,
    released_columns,
    write_item_csv,
    write_item_jsonl,
    write_released_csv,
)
from biaslab.studies.word_problems.verification import steps_of

# Word problems as questions of a quiz, whose answer is a number.
#
# The calculations are what pupils see after they have answered.


def as_question(taken: Taken) -> OpenQuestion:
    """The problem as a question, called after its number, its pair and its member."""
    return OpenQuestion(
        f"{taken.row:04} {taken.pair} {taken.arm}",
        clean(taken.item.text),
        taken.item.answer,
        clean(solution_text(taken)),
    )


def solution_text(taken: Taken) -> str:
    """The calculations, one on a line; empty where they are not known."""
    return "\n".join(step.in_words() for step in steps_of(taken.item))


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


def _questions(pairs: Iterable[Pair], form: str, chosen: PairExportSettings) -> Export:
    """A worksheet or a quiz."""
    if form == "worksheet" and chosen.members is Members.BOTH:
        raise InterchangeError(
            "A worksheet shows one problem of each pair, so that nobody sees both: choose x, "
            "x_prime or alternating."
        )
    kept: list[Taken] = []
    left_out: list[RefusedRow] = []
    unsolved = 0
    for taken in take(pairs, chosen.members):
        if reason := _reason(taken, form):
            left_out.append(RefusedRow(taken.row, reason, taken.arm))
        else:
            kept.append(taken)
            unsolved += not solution_text(taken)
    _require(len(kept), left_out)
    remarks: tuple[Remark, ...] = ()
    if unsolved and chosen.solutions:
        remarks = (Remark(f"The calculations of {unsolved} problems are not known."),)
    return Export(_write(kept, form, chosen), len(kept), tuple(left_out), remarks)


def _reason(taken: Taken, form: str) -> str:
    if form != "worksheet":
        return no_number(taken.item.answer)
    from biaslab.studies.word_problems.files.worksheet import cannot_print

    return cannot_print(f"{taken.item.text} {taken.item.answer} {solution_text(taken)}")


def _write(kept: list[Taken], form: str, chosen: PairExportSettings) -> bytes:
    if form in QUIZ_FORMATS:
        return QUIZ_FORMATS[form].write([as_question(taken) for taken in kept], chosen.title)
    from biaslab.studies.word_problems.files.worksheet import PageSize, SheetSettings, write_sheet

    sizes = {paper.value.lower(): paper for paper in PageSize}
    paper = sizes.get(chosen.paper.lower())
    if paper is None:
        raise InterchangeError(f"There is no paper {chosen.paper!r}. Choose A4 or Letter.")
    return write_sheet(kept, SheetSettings(chosen.title, paper, chosen.solutions))


def _lost(study: Experiment, columns: Iterable[str]) -> tuple[Remark, ...]:
    names = set(columns)
    # The carry file holds these two under names of its own.
    if study.name == "carry":
        names |= {"carries", "operation"}
    missing = [stratum.label for stratum in study.strata if stratum.name not in names]
    if not missing:
        return ()
    return (Remark(f"The released files have no column for {', '.join(missing)}."),)


def _require(written: int, left_out: list[RefusedRow]) -> None:
    if not written:
        why = f" {left_out[0]}" if left_out else ""
        raise InterchangeError(f"There are no pairs to write.{why}")
