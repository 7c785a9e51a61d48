"""What a format of files is, what its reader hands on before anything is checked, and the list."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePath


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


@dataclass(frozen=True, slots=True)
class FileSource:
    """A file that is in memory already.

    Attributes:
        data: its bytes.
        text: the bytes decoded; empty for a package.
    """

    data: bytes
    text: str = ""


@dataclass(frozen=True, slots=True)
class RawRows:
    """The rows of a table, before anything is known of its columns.

    Attributes:
        columns: their names.
        rows: read as they are wanted, or all at once.
        remarks: on the file as a whole, each a sentence.
    """

    columns: list[str]
    rows: Iterable[TableRow]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format that files can be in.

    It holds a table of anything, which `rows` reads, or multiple-choice items, which `items` reads;
    both raise `InterchangeError` where nothing can be read.

    Attributes:
        name: as people name it, such as ``gift``.
        endings: of its files' names, in small letters, with the dot.
        rank: place among the formats, in which they are told to people and tried.
        begins: whether the beginning of a text is in this format; None: nothing in it shows.
        decisive: whether that holds whatever the name. Otherwise what a name calls a table is one,
            since the cells of a table may hold texts in any format.
        package: what its files are called where they are zip files; empty: they are none.
        holds: whether a zip file is in this format; None: it is where no other format is.
        says_encoding: whether its files say themselves how their text is encoded.
        rows, items: what reads a file; one of the two.
    """

    name: str
    endings: tuple[str, ...] = ()
    rank: int = 100
    begins: Callable[[str], bool] | None = None
    decisive: bool = False
    package: str = ""
    holds: Callable[[bytes], bool] | None = None
    says_encoding: bool = False
    rows: Callable[[FileSource], RawRows] | None = None
    items: Callable[[FileSource], FileReading] | None = None

    def __post_init__(self) -> None:
        if (self.rows is None) == (self.items is None):
            raise ValueError(f"The format {self.name!r} has to read either rows or items.")


_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,10})?")


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question without options.

    Attributes:
        name: what it is called; no two of a quiz are called the same.
        text: what is asked, clean.
        answer: the right one; a plain number is marked by its value, anything else by its letters.
        told: what pupils see once they have answered; may be empty.
    """

    name: str
    text: str
    answer: str
    told: str = ""

    @property
    def is_number(self) -> bool:
        """Whether the answer is a plain number."""
        return not no_number(self.answer)


def no_number(answer: str) -> str:
    """Why an answer cannot be that of a numerical question, as a clause; empty where it can."""
    if _NUMBER.fullmatch(answer.strip()):
        return ""
    return f"its answer {answer[:40]!r} is no plain number"


# The list: every module of this package that offers ``FORMAT``.


PLAIN = "csv"
"""What a text is in which nothing looks like another format."""

_START = 65_536


@cache
def formats() -> Mapping[str, Format]:
    """All formats that can be read, by name, in the order of their ranks and names."""
    package = importlib.import_module("biaslab.files.formats")
    modules = pkgutil.iter_modules(package.__path__, "biaslab.files.formats.")
    offered = [getattr(importlib.import_module(each.name), "FORMAT", None) for each in modules]
    found = [each for each in offered if isinstance(each, Format)]
    return {each.name: each for each in sorted(found, key=lambda each: (each.rank, each.name))}


def package_format(data: bytes) -> Format:
    """The format that a zip file is in."""
    packages = [each for each in formats().values() if each.package]
    for each in packages:
        if each.holds is not None and each.holds(data):
            return each
    return next(each for each in packages if each.holds is None)


def detect(text: str, name: str) -> tuple[Format, str]:
    """The format of a text, and how it was found, as a clause.

    Args:
        text: the content.
        name: of the file.
    """
    named, ending = named_format(name), PurePath(name).suffix
    seen = _by_content(text[:_START], named)
    if seen is not None and (named is None or seen is named):
        return seen, "by its content"
    if seen is not None:
        return seen, f"by its content, though its name ends in {ending}"
    if named is not None:
        return named, "by its name"
    return formats()[PLAIN], "because nothing in it looks like another format"


def named_format(name: str) -> Format | None:
    """The format that the ending of a file's name is of."""
    ending = PurePath(name).suffix.lower()
    return next((each for each in formats().values() if ending in each.endings), None)


def _by_content(start: str, file_format: Format | None) -> Format | None:
    """The format that a text begins in; None where it shows none, or its name goes before."""
    tried = [each for each in formats().values() if each.begins is not None]
    is_table = file_format is not None and file_format.begins is None and not file_format.package
    for each in sorted(tried, key=lambda each: not each.decisive):
        if is_table and not each.decisive:
            return file_format
        assert each.begins is not None
        if each.begins(start):
            return each
    return None
