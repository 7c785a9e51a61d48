"""What a file holds: its bytes decoded, its format found, its rows or items read within limits."""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.files.decoding import check_size, decode, decode_rows, is_package
from biaslab.files.errors import InterchangeError
from biaslab.files.formats.format import FileSource, Format, RawRows
from biaslab.files.formats.registry import PLAIN, detect, formats, named_format, package_format
from biaslab.files.found import FileReading


@dataclass(frozen=True, slots=True)
class Content:
    """What a file holds, before anything of it is checked.

    Attributes:
        form: name of its format.
        found_by: how that was found, as a clause.
        encoding: how the text was read; empty where the format says it itself.
        remarks: on the file as a whole.
        rows: the table; None where it is none.
        items: its items; None where it is a table.
    """

    form: str
    found_by: str
    encoding: str
    remarks: tuple[str, ...]
    rows: RawRows | None = None
    items: FileReading | None = None


def read_content(data: bytes, name: str, form: str = "", *, is_table: bool = False) -> Content:
    """Reads a file that is in memory already, such as an upload.

    Args:
        data: its content.
        name: of the file.
        form: name of its format; empty: found by content and name.
        is_table: whether only a table will do. Its rows are then read as they are wanted, where
            the format allows that, and may hold bytes that are no text.

    Raises:
        InterchangeError: it is empty, too large, no text, not in the format that was named, no
            table where one is wanted, or damaged.
    """
    check_size(data)
    if not data.strip():
        raise InterchangeError("The file is empty.")
    decoded = None if is_package(data) else (decode_rows if is_table else decode)(data)
    if decoded is None:
        found, found_by = package_format(data), "by its content"
    else:
        found, found_by = detect(decoded.text, name)
    if form:
        found, found_by = formats()[form], "named by you"
    if decoded is None and not found.package:
        raise InterchangeError(f"This is a spreadsheet or a zip file, not {found.name}.")
    if decoded is not None and found.package:
        raise InterchangeError(f"This is no {found.package}: save it as one, or as CSV.")
    encoding, doubt = "", ""
    if decoded is not None and not found.says_encoding:
        encoding, doubt = decoded.encoding, decoded.doubt
    source = FileSource(data, "" if decoded is None else decoded.text)
    remarks = (doubt,) if doubt else ()
    if is_table:
        found = _as_table(found, name)
    if found.rows is not None:
        return Content(found.name, found_by, encoding, remarks, rows=found.rows(source))
    assert found.items is not None
    return Content(found.name, found_by, encoding, remarks, items=found.items(source))


def is_item_format(data: bytes, name: str) -> bool:
    """Whether a text is in a format of items that shows whatever the file is called.

    Raises:
        InterchangeError: it is empty, too large, or no text.
    """
    check_size(data)
    if not data.strip():
        raise InterchangeError("The file is empty.")
    return is_package(data) or detect(decode(data).text, name)[0].decisive


def _as_table(found: Format, name: str) -> Format:
    if found.rows is None and not found.decisive and named_format(name) is not found:
        # Texts of problems may look like a format of items.
        found = formats()[PLAIN]
    if found.rows is None:
        raise InterchangeError(
            "Tables are read from CSV, XLSX, JSON or JSON lines, and this is none of them. "
            "Save it as one."
        )
    return found
