"""What a format of files is: how a file of it is known, and what reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from biaslab.files.found import FileReading, TableRow


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
