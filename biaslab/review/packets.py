"""Files that go between the coordinator of a quality review and one reviewer.

A packet holds the texts that one reviewer judges in one part of the review, and room for the
judgements. It knows of a person only what they are called. As JSON it is for another BiasLab;
as CSV it opens in a spreadsheet and is filled in there (CSV or XLSX comes back).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from biaslab.files.formats.csv_tables import guarded
from biaslab.review.texts import FURTHER, Criterion, Judgement
from biaslab.studies import content_hash

MOST_COMMENT = 2_000
"""Characters of a comment."""

PACKET_COLUMN = "packet (do not change)"
CRITERION_COLUMNS: Mapping[Criterion, str] = {
    criterion: f"{criterion.question} (yes/no)" for criterion in Criterion
}
COLUMNS = (
    PACKET_COLUMN, "number", "text", "stated answer", *CRITERION_COLUMNS.values(), "comment",
)  # fmt: skip
"""Columns of a packet as a table."""

MARK = "review packet"
"""What the JSON object calls itself under ``biaslab``."""


@dataclass(frozen=True, slots=True)
class PacketRow:
    """A text in a packet.

    Attributes:
        number: of the text in the review.
        text, answer: what is judged.
        judgement: None while it is not judged.
        row: where it stands in the file it was read from, counted as the program that shows the
            file does; 0 where it comes from no file.
    """

    number: int
    text: str
    answer: str
    judgement: Judgement | None = None
    row: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class PacketName:
    """Which packet this is: everything that must agree when it comes back.

    Attributes:
        review: id of the review.
        round: control set from 1, or `FURTHER`.
        reviewer: name or initials.
        texts: hash of the numbers, texts and answers as they were handed out.
    """

    review: str
    round: int
    reviewer: str
    texts: str

    def __str__(self) -> str:
        return f"{self.review}/{part_code(self.round)}/{self.reviewer}/{self.texts}"


@dataclass(frozen=True, slots=True)
class Packet:
    """The texts that one reviewer judges in one part of a review."""

    name: PacketName
    rows: tuple[PacketRow, ...]

    @classmethod
    def of(cls, review: str, part: int, reviewer: str, rows: Sequence[PacketRow]) -> Packet:
        """A packet with the hash of its texts."""
        return cls(PacketName(review, part, reviewer, texts_hash(rows)), tuple(rows))

    @property
    def judged(self) -> int:
        """How many texts are judged."""
        return sum(row.judgement is not None for row in self.rows)


def texts_hash(rows: Sequence[PacketRow]) -> str:
    """Identifies what is judged, whatever was said about it and in whichever order it stands.

    Blanks and line ends do not count: programs change them without being asked.
    """
    return content_hash(
        *sorted((row.number, same_words(row.text), same_words(row.answer)) for row in rows)
    )


def same_words(text: str) -> str:
    """A text with every stretch of blanks and line ends as one blank."""
    return " ".join(text.split())


def part_code(part: int) -> str:
    """How a part of a review is written in files: ``control-1``, ``further``."""
    return "further" if part == FURTHER else f"control-{part}"


def write_packet_json(packet: Packet) -> bytes:
    """A packet for another BiasLab."""
    content = {
        "biaslab": MARK,
        "version": 1,
        "packet": str(packet.name),
        "questions": {str(criterion): criterion.question for criterion in Criterion},
        "rows": [
            {
                "number": row.number,
                "text": row.text,
                "answer": row.answer,
                **{
                    str(criterion): row.judgement and yes_no(row.judgement.answer_to(criterion))
                    for criterion in Criterion
                },
                "comment": row.judgement.comment if row.judgement else "",
            }
            for row in packet.rows
        ],
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def write_packet_csv(packet: Packet) -> bytes:
    """A packet for a spreadsheet; no cell begins with what it would run as a formula."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for row in packet.rows:
        said = row.judgement
        cells = [str(packet.name), str(row.number), row.text, row.answer]
        cells += [yes_no(said.answer_to(criterion)) if said else "" for criterion in Criterion]
        writer.writerow([guarded(cell) for cell in (*cells, said.comment if said else "")])
    # Spreadsheets know by the mark at the beginning that the text is UTF-8.
    return ("\ufeff" + text.getvalue()).encode()


def yes_no(value: bool) -> str:
    """An answer as it is written in files."""
    return "yes" if value else "no"
