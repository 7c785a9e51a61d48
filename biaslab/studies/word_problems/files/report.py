"""What became of every row of a file of pairs, row by row and member by member."""

from __future__ import annotations

import pickle
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from biaslab.studies.study import Pair
from biaslab.studies.word_problems.custom.imported import ProofStatus


class PairSpool:
    """Pairs in the order in which they came, each once, in a nameless file that goes by itself."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as this object
        self._ids: dict[str, int] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Pair]:
        at = 0
        for _ in range(len(self)):
            with self._lock:
                self._file.seek(at)
                pair: Pair = pickle.load(self._file)  # written by this object alone
                at = self._file.tell()
            yield pair

    def row_of(self, pair: Pair) -> int | None:
        """The row of the same pair, where it came before."""
        return self._ids.get(pair.id)

    def add(self, pair: Pair, row: int) -> None:
        """Keeps a pair that did not come before."""
        with self._lock:
            self._file.seek(0, 2)
            pickle.dump(pair, self._file, pickle.HIGHEST_PROTOCOL)
            self._ids[pair.id] = row


ARMS = ("x", "x_prime")

_EARLIER = {
    "ok": ProofStatus.PROVED,
    "label-disagrees": ProofStatus.CONTRADICTED,
    "unread": ProofStatus.LABELLED,
}
"""What reports of earlier versions called a status."""


@dataclass(frozen=True, slots=True)
class MemberReport:
    """What became of one member of a row.

    Attributes:
        member: what the file calls it, such as ``inconsistent``.
        arm: ``x`` or ``x_prime``.
        status: see `ProofStatus`.
        reason: why it is not proved, in one or more sentences; empty where it is.
        remarks: what is worth knowing and changes no status, each a sentence.
        sentence: which sentence of the text is at fault, from 0; None: none in particular.
        text: the member's text, where it is not proved or has remarks; empty otherwise.
        answer: its answer as the file gives it.
        solved: the answer that the text leads to; None where it was not solved.
        understood: in a row that is contradicted, each sentence as it was read, empty where it
            was not.
    """

    member: str
    arm: str
    status: ProofStatus
    reason: str = ""
    remarks: tuple[str, ...] = ()
    sentence: int | None = None
    text: str = ""
    answer: str = ""
    solved: int | None = None
    understood: tuple[str, ...] = ()

    @classmethod
    def of_json(cls, document: Mapping[str, Any]) -> MemberReport | None:
        """What `as_json` wrote, also that of earlier versions; None for anything else."""
        try:
            status = str(document["status"])
            return cls(
                str(document["member"]), str(document["arm"]),
                _EARLIER.get(status) or ProofStatus(status), str(document["reason"]),
                tuple(document.get("remarks", ())), document.get("sentence"),
                str(document.get("text", "")), str(document["answer"]), document["solved"],
                tuple(document.get("understood", ())),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError, AttributeError):
            return None

    def with_remark(self, remark: str) -> MemberReport:
        """The same with one more remark."""
        return replace(self, remarks=(*self.remarks, remark))

    def as_json(self) -> dict[str, Any]:
        """The report of this member as a JSON object."""
        told: dict[str, Any] = {
            "member": self.member,
            "arm": self.arm,
            "status": str(self.status),
            "reason": self.reason,
            "answer": self.answer,
            "solved": self.solved,
        }
        if self.remarks:
            told["remarks"] = list(self.remarks)
        if self.text:
            told |= {"text": self.text, "sentence": self.sentence}
        if self.understood:
            told["understood"] = list(self.understood)
        return told


@dataclass(frozen=True, slots=True)
class RowReport:
    """What became of a row.

    Attributes:
        row: from 0, the header and blank lines not counted.
        line: the row's number in its own file, from 1, as a spreadsheet shows it.
        status: see `ProofStatus`.
        reasons: why it is not proved, each a sentence; empty where it is.
        kept: whether it gave a pair that can be asked.
        members: x first; only those that had something to tell in sets of earlier versions.
    """

    row: int
    line: int
    status: ProofStatus
    reasons: tuple[str, ...]
    kept: bool
    members: tuple[MemberReport, ...]

    @property
    def has_remarks(self) -> bool:
        """Whether there is something worth knowing that changes no status."""
        return any(member.remarks for member in self.members)

    def as_json(self) -> dict[str, Any]:
        """The report of this row as a JSON object."""
        return {
            "row": self.row,
            "line": self.line,
            "status": str(self.status),
            "reasons": list(self.reasons),
            "kept": self.kept,
            "members": [member.as_json() for member in self.members],
        }


def status_of(members: Iterable[ProofStatus]) -> ProofStatus:
    """A row's status by those of its members: the worst of them."""
    found = set(members)
    if ProofStatus.CONTRADICTED in found:
        return ProofStatus.CONTRADICTED
    return ProofStatus.PROVED if found == {ProofStatus.PROVED} else ProofStatus.LABELLED


def reasons_of(members: Iterable[MemberReport]) -> tuple[str, ...]:
    """Why a row is not proved: each member's reason with its name, once where all have the same."""
    told = [member for member in members if member.reason]
    if len(told) > 1 and len({member.reason for member in told}) == 1:
        return (told[0].reason,)
    return tuple(f"{member.member}: {member.reason}" for member in told)


def rows_of_json(entries: Iterable[Mapping[str, Any]]) -> list[RowReport]:
    """The rows of a report as it was kept with a set; what is none of a row is left out.

    Earlier versions kept an entry for each member that was not sound, and imported sound rows only.
    """
    rows: list[RowReport] = []
    for entry in entries:
        given = entry.get("members")
        found = [MemberReport.of_json(each) for each in (given if given is not None else [entry])]
        members = tuple(each for each in found if each is not None)
        at = entry.get("row")
        if not members or not isinstance(at, int):
            continue
        if given is None and rows and rows[-1].row == at:
            members = (*rows.pop().members, *members)
        status = status_of(member.status for member in members)
        kept = bool(entry.get("kept", status is ProofStatus.PROVED))
        line = int(entry.get("line") or 0)
        rows.append(RowReport(at, line, status, reasons_of(members), kept, members))
    return rows


@dataclass(frozen=True, slots=True)
class PairImport:
    """What became of a file of pairs.

    Attributes:
        layout: how it is laid out: consistency, transfer-comparison, carry or table.
        mapping: the column of each field.
        container: csv, xlsx or json.
        encoding: how its text was read; empty where the format says so itself.
        remarks: on the file as a whole, each a sentence.
        rows: every row, in the file's order.
        pairs: of the rows that can be asked, whatever their status, each pair once.
    """

    layout: str
    mapping: Mapping[str, str]
    container: str
    encoding: str
    remarks: tuple[str, ...]
    rows: Sequence[RowReport]
    pairs: PairSpool

    def counts(self) -> dict[ProofStatus, int]:
        """How many rows have each status; every status is there."""
        found = Counter(row.status for row in self.rows)
        return {status: found[status] for status in ProofStatus}

    def summary(self) -> str:
        """The counts in one sentence."""
        counts = self.counts()
        return (
            f"{_counted(len(self.rows), 'row')}: {counts[ProofStatus.PROVED]:,} proved, "
            f"{counts[ProofStatus.LABELLED]:,} labelled, "
            f"{counts[ProofStatus.CONTRADICTED]:,} contradicted. "
            f"{_counted(len(self.pairs), 'pair')} can be asked."
        )

    def remarked(self) -> list[RowReport]:
        """Rows that are not proved, are not kept, or have remarks; to be kept with their set."""
        return [
            row
            for row in self.rows
            if row.status is not ProofStatus.PROVED or row.has_remarks or not row.kept
        ]

    def as_json(self) -> list[dict[str, Any]]:
        """Every row as a JSON object, in the file's order."""
        return [row.as_json() for row in self.rows]


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
