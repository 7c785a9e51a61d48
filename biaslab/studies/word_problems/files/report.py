"""What became of every row of a file of pairs, member by member."""

from __future__ import annotations

import pickle
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from biaslab.studies.study import Pair


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


class Status(StrEnum):
    """What became of one member of a row."""

    OK = "ok"
    """It was read, and what it says is what the file says of it."""
    LABEL_DISAGREES = "label-disagrees"
    """It was read, and it contradicts its answer, another label or the text it was made from."""
    UNREAD = "unread"
    """Something in it could not be read, so nothing can be said of it."""


ARMS = ("x", "x_prime")


@dataclass(frozen=True, slots=True)
class MemberReport:
    """What became of one member of a row.

    Attributes:
        row: from 0, the header and blank lines not counted.
        member: what the file calls it, such as ``inconsistent``.
        arm: ``x`` or ``x_prime``.
        status: see `Status`.
        reason: why it is not ok, in one or more sentences; empty where it is.
        remarks: what is worth knowing and changes no status, each a sentence.
        sentence: which sentence of the text is at fault, from 0; None: none in particular.
        text: the member's text, where it is not ok or has remarks; empty otherwise.
        answer: its answer as the file gives it.
        solved: the answer that the text leads to; None where it was not solved.
        line: the row's number in its own file, from 1, as a spreadsheet shows it.
    """

    row: int
    member: str
    arm: str
    status: Status
    reason: str = ""
    remarks: tuple[str, ...] = ()
    sentence: int | None = None
    text: str = ""
    answer: str = ""
    solved: int | None = None
    line: int = 0

    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> MemberReport | None:
        """What `as_json` wrote; None for anything else."""
        try:
            return cls(
                int(told["row"]), str(told["member"]), str(told["arm"]), Status(told["status"]),
                str(told["reason"]), tuple(told.get("remarks", ())), told.get("sentence"),
                str(told.get("text", "")), str(told["answer"]), told["solved"],
                int(told["line"]),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError):
            return None

    def as_json(self) -> dict[str, Any]:
        """The report of this member as a JSON object."""
        told: dict[str, Any] = {
            "row": self.row,
            "member": self.member,
            "arm": self.arm,
            "status": str(self.status),
            "reason": self.reason,
            "answer": self.answer,
            "solved": self.solved,
            "line": self.line,
        }
        if self.remarks:
            told["remarks"] = list(self.remarks)
        if self.text:
            told |= {"text": self.text, "sentence": self.sentence}
        return told


@dataclass(frozen=True, slots=True)
class PairImport:
    """What became of a file of pairs.

    Attributes:
        layout: how it is laid out: consistency, transfer-comparison, carry or table.
        mapping: the column of each field.
        container: csv, xlsx or json.
        encoding: how its text was read; empty where the format says so itself.
        remarks: on the file as a whole, each a sentence.
        members: two for every row, in the file's order.
        pairs: of the rows whose two members are both ok, each pair once.
        rows: how many there are.
    """

    layout: str
    mapping: Mapping[str, str]
    container: str
    encoding: str
    remarks: tuple[str, ...]
    members: Sequence[MemberReport]
    pairs: PairSpool
    rows: int

    def counts(self) -> dict[Status, int]:
        """How many members have each status; every status is there."""
        found = Counter(member.status for member in self.members)
        return {status: found[status] for status in Status}

    def summary(self) -> str:
        """The counts in one sentence."""
        counts = self.counts()
        return (
            f"{_counted(self.rows, 'row')}: {_counted(len(self.pairs), 'pair')} can be asked. Of "
            f"{len(self.members):,} "
            f"texts {counts[Status.OK]:,} are ok, {counts[Status.LABEL_DISAGREES]:,} contradict "
            f"their labels, {counts[Status.UNREAD]:,} could not be read."
        )

    def faults(self) -> list[MemberReport]:
        """Members that are not ok, or have remarks."""
        return [each for each in self.members if each.status is not Status.OK or each.remarks]

    def as_json(self) -> list[dict[str, Any]]:
        """Every member as a JSON object, in the file's order."""
        return [member.as_json() for member in self.members]


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
