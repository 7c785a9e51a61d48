"""Tables in XML: one kind of element again and again, a cell in each attribute and inner element.

So are collections of school problems kept, such as ASDiv: a ``Problem`` with ``Body``,
``Question`` and ``Answer``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from xml.etree import ElementTree as Tree

from biaslab.files.errors import MAX_COLUMNS, MAX_ROWS, InterchangeError
from biaslab.files.formats.format import FileSource, Format, RawRows, TableRow
from biaslab.files.formats.zip_and_xml import XmlRefused, parse_xml

_RECORD = re.compile(
    r"<([A-Za-z][\w.-]*)(?:\s[^<>]*)?>\s*(?:<([A-Za-z][\w.-]*)(?:\s[^<>]*)?>[^<]*</\2>\s*){2}"
)
_QUIZ = re.compile(r"<(?:\w+:)?(?:quiz|assessment\w*|questestinterop|qti\w*|manifest)\b")
FEWEST_CELLS = 2
"""An element of fewer inner ones is no record."""


def read_xml(source: FileSource) -> RawRows:
    """The rows of the element that stands most often with cells of its own.

    Raises:
        InterchangeError: it is no well-formed XML, has no such elements, or too many.
    """
    try:
        root = parse_xml(source.data)
    except XmlRefused as error:
        raise InterchangeError(f"This XML is not read: {error}.") from error
    by_tag: dict[str, list[Tree.Element]] = defaultdict(list)
    for element in root.iter():
        if sum(not len(inner) for inner in element) >= FEWEST_CELLS:
            by_tag[element.tag].append(element)
    if not by_tag:
        raise InterchangeError("This XML has no element that stands for a row of a table.")
    records = max(by_tag.values(), key=len)
    if len(records) > MAX_ROWS:
        raise InterchangeError(
            f"The XML has {len(records):,} records; the limit is {MAX_ROWS:,}. Split the file."
        )
    cells = [_cells(record) for record in records]
    columns = list(dict.fromkeys(name for each in cells for name in each))
    if len(columns) > MAX_COLUMNS:
        raise InterchangeError(
            f"Its records have {len(columns):,} different names; the limit is {MAX_COLUMNS:,}."
        )
    return RawRows(columns, [TableRow(number, each) for number, each in enumerate(cells, 1)])


def _cells(record: Tree.Element) -> dict[str, str]:
    """What a record's attributes and inner elements hold; one that stands again goes behind."""
    found = {_name(key): value for key, value in record.attrib.items()}
    for inner in record:
        text = " ".join("".join(inner.itertext()).split())
        name = _name(inner.tag)
        found[name] = f"{found[name]}; {text}" if found.get(name) else text
    return found


def _name(tag: str) -> str:
    return tag.rpartition("}")[2]


FORMAT = Format(
    name="xml",
    rank=25,
    begins=lambda start: (
        start.lstrip().startswith("<")
        and _RECORD.search(start) is not None
        and _QUIZ.search(start) is None
    ),
    decisive=True,
    says_encoding=True,
    rows=read_xml,
)
