"""Reading a file of pairs: every row is read back, solved again and held against its labels.

Each row is looked at for itself. What cannot be read is taken as the file has it and said to be
so; even an error of this program costs the proof of one row and nothing of any other.

    found = import_pairs(Path("pairs.csv"))
    found.summary()         # "500 rows: 495 proved, 1 labelled, 4 contradicted. 500 pairs can ..."
    save_set(store, "pairs", found.pairs, "pairs.csv")
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from biaslab.files.columns import is_inside, place_in
from biaslab.files.decoding import clean, has_odd_bytes, read_bytes
from biaslab.files.errors import MAX_PAIR_ROWS, MAX_PROBLEM, InterchangeError, only_refusals
from biaslab.files.formats.format import TableRow
from biaslab.files.opening import RawTable, open_table
from biaslab.files.tables import is_formula
from biaslab.studies.answers.written_numbers import parse_number
from biaslab.studies.study import Pair
from biaslab.studies.word_problems.custom.imported import (
    GivenMember,
    ProofStatus,
    given_pair,
    text_pair,
)
from biaslab.studies.word_problems.files.layouts import (
    MemberColumns,
    PairLayout,
    find_layout,
    likely_layout,
    likely_mapping,
    suggest_pairs,
)
from biaslab.studies.word_problems.files.readings import (
    TextReading,
    carry_faults,
    one_sided,
    step_faults,
    steps_label,
    treatment_fault,
    understand,
    understand_by,
)
from biaslab.studies.word_problems.files.report import (
    ARMS,
    MemberReport,
    PairImport,
    PairSpool,
    RowReport,
    reasons_of,
    status_of,
)
from schoolmath.problems.meaning import Version, check_given_correction
from schoolmath.problems.reading import ReadText, Times
from schoolmath.text.written_answers import MADE_BY_A_SPREADSHEET, is_date, stated_last

_log = logging.getLogger(__name__)

_SHOWN = 2_000
"""Characters of a text that a report repeats."""

_FAULT_HERE = (
    "BiasLab could not look at this row because of an error of its own ({name}), so the file's "
    "answer is taken; the other rows are not concerned. Please report it with this row."
)


class _Unusable(Exception):
    """A member has no text or no answer that could be asked; the message is a sentence."""


@dataclass(slots=True)
class _Verdict:
    """What is found about one member, while it is being looked at."""

    columns: MemberColumns
    arm: str
    text: str = ""
    answer: str = ""
    readable: bool = False
    labels: dict[str, Fraction] = field(default_factory=dict)
    unusable: str = ""
    unread: str = ""
    disagrees: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    sentence: int | None = None
    understood: TextReading | None = None

    @property
    def status(self) -> ProofStatus:
        if self.disagrees:
            return ProofStatus.CONTRADICTED
        return ProofStatus.LABELLED if self.unusable or self.unread else ProofStatus.PROVED

    @property
    def solved(self) -> int | None:
        solution = None if self.understood is None else self.understood.solution
        return None if solution is None else solution.answer

    def disagree(self, reason: str, sentence: int | None = None) -> None:
        if reason not in self.disagrees:
            self.disagrees.append(reason)
        if self.sentence is None:
            self.sentence = sentence

    def report(self, *, with_reading: bool) -> MemberReport:
        reason = " ".join(self.disagrees) or self.unusable or self.unread
        shown = bool(reason or self.remarks)
        told = self.understood if with_reading else None
        return MemberReport(
            self.columns.name, self.arm, self.status, reason, tuple(self.remarks), self.sentence,
            self.text[:_SHOWN] if shown else "", self.answer[:_SHOWN], self.solved,
            () if told is None else told.in_words(),
        )  # fmt: skip


@dataclass(slots=True)
class PairChecking:
    """What the rows of a file have become so far.

    Attributes:
        layout: which columns make a pair.
        rows: a report for every row.
        pairs: of the rows that can be asked.
    """

    layout: PairLayout
    rows: list[RowReport] = field(default_factory=list)
    pairs: PairSpool = field(default_factory=PairSpool)

    def add(self, row: TableRow) -> None:
        """Looks at the next row."""
        verdicts = self._verdicts(row)
        for verdict in verdicts:
            _take(row, verdict)
        try:
            for verdict in verdicts:
                _look(row, verdict)
            self._together(row, verdicts)
            pair = self._pair(row, verdicts)
            members = _reports(verdicts)
        except Exception as error:  # whatever it is, it must not cost the other rows
            _log.exception("A row of a file of pairs could not be checked.")
            verdicts = self._verdicts(row)
            for verdict in verdicts:
                _take(row, verdict)
                verdict.unread = _FAULT_HERE.format(name=type(error).__name__)
            pair = self._pair(row, verdicts)
            members = _reports(verdicts)
        self._keep(row, pair, members)

    def _verdicts(self, row: TableRow) -> tuple[_Verdict, _Verdict]:
        x, x_prime = (
            _Verdict(columns, arm, remarks=[f"The row: {remark}." for remark in row.remarks])
            for arm, columns in zip(ARMS, self.layout.members, strict=True)
        )
        return x, x_prime

    def _together(self, row: TableRow, verdicts: Sequence[_Verdict]) -> None:
        """What can only be seen when both members were read."""
        for verdict in verdicts:
            if verdict.solved is None:
                continue
            assert verdict.understood is not None
            for reason in (
                treatment_fault(self.layout.treatment, verdict.arm, verdict.understood),
                *carry_faults(self.layout, verdict.arm, verdict.understood, row),
                *step_faults(self.layout, verdict.understood, row),
            ):
                if reason:
                    verdict.disagree(reason)
        x, x_prime = verdicts
        if x.readable and x_prime.readable and x.text == x_prime.text:
            for verdict in verdicts:
                verdict.disagree("The two members are word for word the same.")
        elif x.readable and x_prime.readable and is_inside(x.text, x_prime.text):
            inner, outer = (x, x_prime) if len(x.text) < len(x_prime.text) else (x_prime, x)
            # A problem with a sentence put before it holds that problem whole.
            if inner.solved is None:
                outer.disagree(f"The other member ({inner.columns.name}) is a part of this text.")
                inner.disagree("It is a part of the other member, and no whole problem.")
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

    def _pair(self, row: TableRow, verdicts: tuple[_Verdict, _Verdict]) -> Pair | None:
        """The row as a pair, with the file's answers; None where it gives none to ask."""
        x, x_prime = verdicts
        if x.unusable or x_prime.unusable or x.text == x_prime.text:
            return None
        treatment, status = str(self.layout.treatment), status_of(v.status for v in verdicts)
        more = {"row": len(self.rows)}
        if status is ProofStatus.PROVED:
            one, other = (verdict.understood for verdict in verdicts)
            assert one is not None
            assert other is not None
            return text_pair(one.member(), other.member(), treatment, more)
        steps = steps_label(self.layout, row)
        one_given, other_given = (_given(verdict) for verdict in verdicts)
        return given_pair(one_given, other_given, treatment, status, steps, more)

    def _keep(
        self, row: TableRow, pair: Pair | None, members: tuple[MemberReport, MemberReport]
    ) -> None:
        index, remarks = len(self.rows), members
        same = None if pair is None else self.pairs.row_of(pair)
        if same is not None:
            told = f"It is the same pair as row {same}, and is saved once."
            x, x_prime = (each.with_remark(told) for each in members)
            remarks = (x, x_prime)
        elif pair is not None:
            self.pairs.add(pair, index)
        status = status_of(member.status for member in members)
        self.rows.append(
            RowReport(index, row.number, status, reasons_of(members), pair is not None, remarks)
        )


def _take(row: TableRow, verdict: _Verdict) -> None:
    """Takes the member's text and answer as the file has them."""
    columns = verdict.columns
    if row.refusal:
        verdict.unusable = f"The row cannot be read: {row.refusal}."
        return
    verdict.answer = _shown(row.cells.get(columns.answers[0], ""))
    parts = [columns.text] if columns.text else list(filter(None, (columns.body, columns.question)))
    verdict.text = _shown(" ".join(row.cells.get(column, "") for column in parts))
    try:
        verdict.text = _cell(row, columns.text, "text") if columns.text else _joined(row, columns)
        verdict.readable = True
        for column in columns.answers:
            verdict.labels[column] = _label(row, column)
    except _Unusable as unusable:
        verdict.unusable = str(unusable)
        return
    if len(set(verdict.labels.values())) > 1:
        # Which of them is wrong is told by the text, where it can be read.
        listed = " and ".join(
            f"{_written(label)} (column “{column}”)" for column, label in verdict.labels.items()
        )
        verdict.unusable = f"Its columns give different answers: {listed}."


def _look(row: TableRow, verdict: _Verdict) -> None:
    """Reads the member and holds what it says against what the file says of it."""
    if not verdict.readable:
        return
    found = understand_by(verdict.text, set(verdict.labels.values()))
    verdict.understood = found
    _against_body(row, verdict, found.read)
    if found.solution is None:
        for column, label in verdict.labels.items():
            if told := found.cannot_be(label):
                verdict.disagree(f"The column “{column}” says {_written(label)}, and: {told}")
        if verdict.disagrees:
            return
        verdict.unread = found.fault
        if verdict.sentence is None:
            verdict.sentence = found.sentence
        return
    for column, label in verdict.labels.items():
        if label != found.solution.answer:
            verdict.disagree(
                f"The text leads to {found.solution.answer}, and the column “{column}” says "
                f"{_written(label)}."
            )


def _against_body(row: TableRow, verdict: _Verdict, read: ReadText) -> None:
    """Holds the text against the one that the file says it was corrected from."""
    columns = verdict.columns
    if not (columns.text and columns.body):
        return
    try:
        body = _joined(row, columns)
    except _Unusable:
        verdict.remarks.append(
            "The text before correction cannot be used, so it was not compared with it."
        )
        return
    if body == verdict.text:
        return
    before = understand(body)
    if before.read.problem is None:
        verdict.remarks.append(
            "The text before correction cannot be read as a whole, so it was compared only in part."
        )
    after = Version(verdict.text, read)
    found = check_given_correction(Version(body, before.read), after)
    if not found.kept and before.read.settled_times:
        # "3 times more" can mean two things; nobody is accused of the other one.
        other = check_given_correction(Version(body, understand(body, Times.ON_TOP).read), after)
        found = other if other.kept else found
    for reason in found.reasons:
        verdict.disagree(reason.text, reason.sentence)


def _reports(verdicts: tuple[_Verdict, _Verdict]) -> tuple[MemberReport, MemberReport]:
    contradicted = any(verdict.status is ProofStatus.CONTRADICTED for verdict in verdicts)
    x, x_prime = (verdict.report(with_reading=contradicted) for verdict in verdicts)
    return x, x_prime


def _given(verdict: _Verdict) -> GivenMember:
    found = verdict.understood
    read = None if found is None or found.solution is None else found.member()
    label = verdict.labels[verdict.columns.answers[0]]
    # A fraction is asked as the file writes it, such as $2.48.
    whole = parse_number(verdict.answer) is not None
    written = verdict.answer if whole else stated_last(verdict.answer)
    answer = str(label) if label.denominator == 1 else written
    return GivenMember(verdict.text, answer, read)


def _joined(row: TableRow, columns: MemberColumns) -> str:
    parts = [_cell(row, columns.body, "body")]
    if columns.question:
        parts.append(_cell(row, columns.question, "question"))
    return " ".join(parts)


def _cell(row: TableRow, column: str, what: str) -> str:
    cell = row.cells.get(column, "")
    if len(cell) > MAX_PROBLEM:
        raise _Unusable(
            f"Its {what} (column “{column}”) has {len(cell):,} characters; the limit is "
            f"{MAX_PROBLEM:,}."
        )
    if has_odd_bytes(cell):
        raise _Unusable(
            f"Its {what} (column “{column}”) holds bytes that are not UTF-8. "
            "Save the file as UTF-8 and import it again."
        )
    if is_formula(cell):
        raise _Unusable(
            f"Its {what} (column “{column}”) begins like a formula that a spreadsheet would run. "
            "Put the value in its place."
        )
    text = " ".join(clean(cell).split())
    if not text:
        raise _Unusable(f"Its {what} (column “{column}”) is empty.")
    if place := place_in(text):
        raise _Unusable(
            f"Its {what} (column “{column}”) has “{place}” in place of a value. Put it there."
        )
    return text


def _label(row: TableRow, column: str) -> Fraction:
    cell = _cell(row, column, "answer")
    value = parse_number(cell)
    if value is None:
        value = parse_number(stated_last(cell))
    if value is None and is_date(cell):
        raise _Unusable(
            f"Its answer “{cell}” (column “{column}”) is a date, {MADE_BY_A_SPREADSHEET}."
        )
    if value is None:
        raise _Unusable(f"Its answer “{cell[:40]}” (column “{column}”) is no number.")
    return value


def _written(label: Fraction) -> str:
    return str(label) if label.denominator == 1 else f"{float(label):g}"


def _shown(cell: str) -> str:
    return " ".join(clean(cell).split()) if len(cell) <= MAX_PROBLEM else clean(cell[:_SHOWN])


_EVERY = 200
"""Rows after which progress is told."""

Progress = Callable[[int], None]
"""Called now and then with the number of rows looked at."""


def import_pairs(
    path: Path, mapping: Mapping[str, str] | None = None, on_progress: Progress | None = None
) -> PairImport:
    """Reads the pairs of a file.

    Args:
        path: CSV (or with semicolons, tabs, bars), XLSX, JSON or JSON lines.
        mapping: columns by field (`PAIR_FIELDS`); None: by their names and contents.
        on_progress: called now and then with the number of rows looked at.

    Raises:
        InterchangeError: nothing of it can be read; the message says why.
        OSError: the file cannot be opened.
    """
    return read_pairs(open_table(read_bytes(path), path.name), mapping, on_progress)


def holds_pairs(path: Path) -> bool:
    """Whether the names of its columns make sure that a file holds pairs of problems.

    Raises:
        OSError: the file cannot be opened.
    """
    try:
        columns = open_table(read_bytes(path), path.name).columns
    except InterchangeError:
        return False
    return likely_layout(columns) is not None


def why_no_pairs(path: Path) -> tuple[str, bool]:
    """Why the names of its columns do not make a file one of pairs, as sentences.

    Returns:
        the sentences, empty where it is no table; and whether they say how it may be read by what
        stands in it.
    """
    try:
        table = open_table(read_bytes(path), path.name)
    except (InterchangeError, OSError):
        return "", False
    try:
        find_layout(table.columns, table.first, {})
    except InterchangeError as error:
        known = likely_mapping(table.columns)
        return str(error), bool(suggest_pairs(table.columns, table.first, known))
    return "", False


@only_refusals()
def read_pairs(
    table: RawTable,
    mapping: Mapping[str, str] | None = None,
    on_progress: Progress | None = None,
) -> PairImport:
    """Looks at every row of a table; as `import_pairs`.

    Raises:
        InterchangeError: the columns of a pair are not there, or there are too many rows.
    """
    layout = find_layout(table.columns, table.first, mapping or {})
    checking = PairChecking(layout)
    for row in table.rows:
        if not (row.cells or row.refusal):
            continue
        if len(checking.rows) >= MAX_PAIR_ROWS:
            raise InterchangeError(
                f"The file has more than {MAX_PAIR_ROWS:,} rows, the most that a set of pairs "
                "can have. Split it. Nothing was imported."
            )
        checking.add(row)
        if on_progress is not None and len(checking.rows) % _EVERY == 0:
            on_progress(len(checking.rows))
    if not checking.rows:
        raise InterchangeError("The file holds no rows.")
    return PairImport(
        layout.name, layout.mapping(), table.container, table.encoding, table.remarks,
        checking.rows, checking.pairs,
    )  # fmt: skip
