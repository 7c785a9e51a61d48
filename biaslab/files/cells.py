"""Cells of tables: no spreadsheet runs one as a formula, and HTML in them becomes plain text."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from biaslab.files.decoding import clean
from biaslab.files.formats.moodle import html_text

if TYPE_CHECKING:
    import pandas as pd

# What a spreadsheet would run as a formula when it opens the file. A plain negative number is
# none, and would be no number any more with an apostrophe before it.
_FORMULA = re.compile(r"['\s]*[=+\-@]")
_NUMBER = re.compile(r"[+-][0-9]+(?:\.[0-9]+)?")
_GUARDED = re.compile(r"'['\s]*[=+\-@]")


def guarded(cell: str) -> str:
    """The cell with an apostrophe before it where a spreadsheet would see a formula."""
    if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def guarded_table(table: pd.DataFrame) -> pd.DataFrame:
    """The table with its texts and column names `guarded`; numbers stay numbers."""
    safe = table.map(lambda value: guarded(value) if isinstance(value, str) else value)
    return safe.rename(columns=lambda name: guarded(str(name)))


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet would run the cell."""
    return _FORMULA.match(cell) is not None and not _NUMBER.fullmatch(cell)


def unguarded(cell: str) -> str:
    """What `guarded` was given."""
    return cell[1:] if _GUARDED.match(cell) else cell


# Only tags that are known: "a<b and c>d" is mathematics.
_TAG = re.compile(
    r"</?(?:p|br|b|i|u|em|strong|span|div|sup|sub|ul|ol|li|table|tr|td|th|tbody|img)"
    r"(?:\s+[\w-]+\s*=[^<>]*)?\s*/?>",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:#[0-9]{1,6}|#x[0-9a-f]{1,5}|[a-z]{2,8}[0-9]{0,2});", re.IGNORECASE)


def is_markup(text: str) -> bool:
    """Whether the text has tags or entities of HTML."""
    return _TAG.search(text) is not None or _ENTITY.search(text) is not None


def plain_text(text: str) -> str:
    """The text as people read it: no HTML, no control characters, nothing blank at the ends.

    Powers and indices keep a sign: ``x<sup>2</sup>`` is ``x^2``.
    """
    if _TAG.search(text):
        # What looks like a tag and is none stays: "3 <5" would end the text for a browser.
        kept = re.sub(r"<(?!/?[a-z])", "&lt;", text, flags=re.IGNORECASE)
        return clean(html_text(kept)[0])
    return clean(html.unescape(text) if _ENTITY.search(text) else text)


def as_markup(text: str) -> str:
    """What `plain_text` makes this text of, for files that it will read again."""
    return html.escape(text, quote=False) if is_markup(text) else text
