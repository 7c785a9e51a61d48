"""HTML in the cells of a table: entities and the tags that school texts have, made plain text."""

from __future__ import annotations

import html
import re

from biaslab.files.decoding import clean
from biaslab.files.formats.moodle import html_text

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
