"""Every row of a file of pairs: its texts read, solved, and held against its labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from biaslab.files.decoding import clean, has_odd_bytes
from biaslab.files.errors import MAX_PROBLEM
from biaslab.files.formats.csv_tables import is_formula
from biaslab.files.tables import Row
from biaslab.problems.meaning.check import Version, check_given_correction
from biaslab.problems.reading import ReadText
from biaslab.studies.study import Pair
from biaslab.studies.word_problems.custom.text_pairs import text_pair
from biaslab.studies.word_problems.files.layouts import MemberColumns, PairLayout
from biaslab.studies.word_problems.files.readings import (
    Understood,
    carry_faults,
    one_sided,
    step_faults,
    treatment_fault,
    understand,
)
from biaslab.studies.word_problems.files.report import ARMS, MemberReport, PairSpool, Status

_WHOLE = re.compile(r"(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.0+)?")
_SHOWN = 2_000
"""Characters of a text that a report repeats."""


class Unread(Exception):
    """A member of a row cannot be read; the message is one or more sentences."""

    def __init__(self, reason: str, sentence: int | None = None) -> None:
        super().__init__(reason)
        self.sentence = sentence


@dataclass(slots=True)
class _Verdict:
    """What is found about one member, while it is being looked at."""

    text: str = ""
    answer: str = ""
    solved: int | None = None
    unread: str = ""
    disagrees: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    sentence: int | None = None
    understood: Understood | None = None

    @property
    def status(self) -> Status:
        if self.disagrees:
            return Status.LABEL_DISAGREES
        return Status.UNREAD if self.unread else Status.OK

    def disagree(self, reason: str, sentence: int | None = None) -> None:
        self.disagrees.append(reason)
        if self.sentence is None:
            self.sentence = sentence


@dataclass(slots=True)
class PairChecking:
    """What the rows of a file have become so far.

    Attributes:
        layout: which columns make a pair.
        members: two reports for every row.
        pairs: of the rows whose members are both ok.
        rows: how many there were.
    """

    layout: PairLayout
    members: list[MemberReport] = field(default_factory=list)
    pairs: PairSpool = field(default_factory=PairSpool)
    rows: int = 0

    def add(self, row: Row) -> None:
        """Looks at the next row."""
        index = self.rows
        self.rows += 1
        verdicts = [self._member(row, columns) for columns in self.layout.members]
        self._together(row, verdicts)
        self._keep(index, verdicts)
        for arm, columns, verdict in zip(ARMS, self.layout.members, verdicts, strict=True):
            reason = " ".join(verdict.disagrees) or verdict.unread
            shown = bool(reason or verdict.remarks)
            self.members.append(
                MemberReport(
                    index, columns.name, arm, verdict.status, reason, tuple(verdict.remarks),
                    verdict.sentence, verdict.text[:_SHOWN] if shown else "",
                    verdict.answer[:_SHOWN], verdict.solved, row.number,
                )
            )  # fmt: skip

    def _member(self, row: Row, columns: MemberColumns) -> _Verdict:
        verdict = _Verdict(remarks=[f"The row: {remark}." for remark in row.remarks])
        try:
            self._look(row, columns, verdict)
        except Unread as unread:
            verdict.unread = str(unread)
            if verdict.sentence is None:
                verdict.sentence = unread.sentence
        return verdict

    def _look(self, row: Row, columns: MemberColumns, verdict: _Verdict) -> None:
        if row.refusal:
            raise Unread(f"The row cannot be read: {row.refusal}.")
        verdict.answer = _shown(row.cells.get(columns.answers[0], ""))
        if columns.text:
            verdict.text = _shown(row.cells.get(columns.text, ""))
            text = _cell(row, columns.text, "text")
        else:
            verdict.text = _shown(" ".join(row.cells.get(c, "") for c in _untouched(columns)))
            text = _joined(row, columns)
        labels = [_label(row, column) for column in columns.answers]
        found = understand(text)
        verdict.understood = found
        verdict.solved = None if found.solution is None else found.solution.answer
        self._against_body(row, columns, text, found.read, verdict)
        if found.solution is None:
            raise Unread(found.fault, found.sentence)
        for column, label in zip(columns.answers, labels, strict=True):
            if label != verdict.solved:
                verdict.disagree(
                    f"The text leads to {verdict.solved}, and the column “{column}” says {label}."
                )

    def _against_body(
        self, row: Row, columns: MemberColumns, text: str, read: ReadText, verdict: _Verdict
    ) -> None:
        if not (columns.text and columns.body):
            return
        body = _joined(row, columns)
        if not body or body == text:
            return
        before = understand(body)
        if before.read.problem is None:
            verdict.remarks.append(
                "The text before correction cannot be read as a whole, so it was compared only "
                "as far as it can."
            )
        found = check_given_correction(Version(body, before.read), Version(text, read))
        for reason in found.reasons:
            verdict.disagree(reason.text, reason.sentence)

    def _together(self, row: Row, verdicts: Sequence[_Verdict]) -> None:
        """What can only be seen when both members were read."""
        for arm, verdict in zip(ARMS, verdicts, strict=True):
            if verdict.understood is None or verdict.understood.solution is None:
                continue
            for reason in (
                treatment_fault(self.layout.treatment, arm, verdict.understood),
                *carry_faults(self.layout, arm, verdict.understood, row),
                *step_faults(self.layout, verdict.understood, row),
            ):
                if reason:
                    verdict.disagree(reason)
        x, x_prime = verdicts
        if x.solved is None or x_prime.solved is None:
            return
        if self.layout.same_answer and x.solved != x_prime.solved:
            names = [columns.name for columns in self.layout.members]
            reason = (
                f"The members have one answer by their labels, and lead to {x.solved} "
                f"({names[0]}) and {x_prime.solved} ({names[1]})."
            )
            # Where one member is at fault by its label, the other is not accused with it.
            accused = [each for each in verdicts if each.disagrees] or verdicts
            for verdict in accused:
                verdict.disagree(reason)
        assert x.understood is not None
        assert x_prime.understood is not None
        x.remarks += one_sided(x.understood, x_prime.understood)
        x_prime.remarks += one_sided(x_prime.understood, x.understood)
        if x.text and x.text == x_prime.text:
            for verdict in verdicts:
                verdict.disagree("The two members are word for word the same.")

    def _keep(self, index: int, verdicts: Sequence[_Verdict]) -> None:
        if any(verdict.status is not Status.OK for verdict in verdicts):
            return
        x, x_prime = (each.understood for each in verdicts)
        assert x is not None
        assert x_prime is not None
        pair: Pair = text_pair(
            x.member(), x_prime.member(), str(self.layout.treatment), {"row": index}
        )
        same = self.pairs.row_of(pair)
        if same is None:
            self.pairs.add(pair, index)
            return
        for verdict in verdicts:
            verdict.remarks.append(f"It is the same pair as row {same}, and is kept once.")


def _untouched(columns: MemberColumns) -> list[str]:
    return [column for column in (columns.body, columns.question) if column]


def _joined(row: Row, columns: MemberColumns) -> str:
    parts = [_cell(row, columns.body, "body")]
    if columns.question:
        parts.append(_cell(row, columns.question, "question"))
    return " ".join(parts)


def _cell(row: Row, column: str, what: str) -> str:
    cell = row.cells.get(column, "")
    if len(cell) > MAX_PROBLEM:
        raise Unread(
            f"Its {what} (column “{column}”) has {len(cell):,} characters; the limit is "
            f"{MAX_PROBLEM:,}."
        )
    if has_odd_bytes(cell):
        raise Unread(
            f"Its {what} (column “{column}”) holds bytes that are not UTF-8. "
            "Save the file as UTF-8 and import it again."
        )
    if is_formula(cell):
        raise Unread(
            f"Its {what} (column “{column}”) begins like a formula that a spreadsheet would run. "
            "Put the value in its place."
        )
    text = " ".join(clean(cell).split())
    if not text:
        raise Unread(f"Its {what} (column “{column}”) is empty.")
    return text


def _label(row: Row, column: str) -> int:
    cell = _cell(row, column, "answer")
    match = _WHOLE.fullmatch(cell)
    if match is None:
        raise Unread(f"Its answer “{cell[:40]}” (column “{column}”) is no whole number.")
    return int(match[1] + match[2].replace(",", ""))


def _shown(cell: str) -> str:
    return " ".join(clean(cell).split()) if len(cell) <= MAX_PROBLEM else clean(cell[:_SHOWN])
