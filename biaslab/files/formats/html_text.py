"""From HTML in a question to plain text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_BREAKS = {"br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol"}
_SILENT = {"script", "style"}
_PICTURES = {"img", "svg", "object", "video", "audio", "iframe", "canvas", "math"}


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.pictures = 0
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag in _BREAKS:
            self.parts.append("\n")
        elif tag in ("sup", "sub"):
            self.parts.append("^" if tag == "sup" else "_")
        elif tag in _PICTURES:
            self.pictures += 1
        elif tag in _SILENT:
            self._silent += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in _BREAKS:
            self.parts.append("\n")
        elif tag in _SILENT and self._silent:
            self._silent -= 1

    def handle_data(self, data: str) -> None:
        if not self._silent:
            # Line ends in the source of a page are blanks.
            self.parts.append(re.sub(r"\s+", " ", data))


def html_text(source: str) -> tuple[str, int]:
    """The text of a piece of HTML, and how many pictures and the like it loses.

    Powers and indices keep a sign: ``x<sup>2</sup>`` is ``x^2``.
    """
    parser = _Text()
    parser.feed(source)
    parser.close()
    lines = (" ".join(line.split()) for line in "".join(parser.parts).split("\n"))
    return "\n".join(line for line in lines if line), parser.pictures
