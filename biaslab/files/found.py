"""What a reader of a format finds, before anything is checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table.

    Attributes:
        number: in its file, from 1.
        cells: text by column.
        name: what the file calls it.
        refusal: why it could not be read, as a clause; empty otherwise.
        remarks: what was noticed, each a clause.
    """

    number: int
    cells: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    refusal: str = ""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A row or question as the file has it.

    Attributes:
        row: the spreadsheet's row, or the question's number, from 1.
        question: what is asked; may be empty.
        options: in their order.
        right: places of the options given as right, from 0.
        rationales: one text per option, empty where there is none.
        misconceptions: one text per option, empty where there is none.
        passage: what is read before the question.
        grade: as written.
        dok: as written.
        content_class: as written.
        topic: as written.
        name: what the file calls it, such as a key or a title.
        refusal: why the reader could make nothing of it, as a clause; empty otherwise.
        remarks: what the reader changed or left out, each a clause.
        lost: what could not be taken over without which it cannot be asked, each a clause.
    """

    row: int
    question: str = ""
    options: tuple[str, ...] = ()
    right: tuple[int, ...] = ()
    rationales: tuple[str, ...] = ()
    misconceptions: tuple[str, ...] = ()
    passage: str = ""
    grade: str = ""
    dok: str = ""
    content_class: str = ""
    topic: str = ""
    name: str = ""
    refusal: str = ""
    remarks: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileReading:
    """Everything found in a file.

    Attributes:
        found: every row or question.
        remarks: on the file as a whole, each a sentence.
        mapping: column of each field, for tables.
        form: a narrower name of the format where the columns tell it; empty otherwise.
    """

    found: list[FileEntry]
    remarks: tuple[str, ...] = ()
    mapping: Mapping[str, str] = field(default_factory=dict)
    form: str = ""
