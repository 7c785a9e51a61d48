"""Which format a file has, by its content first and its name second."""

from __future__ import annotations

import re
from pathlib import PurePath

_ENDINGS = {
    ".xlsx": "xlsx", ".xlsm": "xlsx", ".xml": "moodle", ".gift": "gift", ".json": "json",
    ".jsonl": "json", ".ndjson": "json", ".csv": "csv", ".tsv": "csv",
}  # fmt: skip
_START = 65_536
_JSON = re.compile(r'\[\s*[\[{\]]|\{\s*["}]')
_AIKEN_ANSWER = re.compile(r"^\s*ANSWER\s*:\s*[A-Z]\b", re.MULTILINE)
_AIKEN_OPTION = re.compile(r"^\s*[A-Z][.)]\s*\S", re.MULTILINE)
_GIFT = re.compile(r"(?<!\\)\{[^{}]*(?:(?<!\\)[=~#]|\b(?:T|F|TRUE|FALSE)\b)|^::", re.MULTILINE)


def is_package(data: bytes) -> bool:
    """Whether the bytes begin like a zip file, as spreadsheets do."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def detect(text: str, name: str) -> tuple[str, str]:
    """The format of a text, and how it was found, as a clause.

    Args:
        text: the content.
        name: of the file.
    """
    named = _ENDINGS.get(PurePath(name).suffix.lower(), "")
    seen = _by_content(text[:_START], named)
    if seen and (seen == named or not named):
        return seen, "by its content"
    if seen:
        return seen, f"by its content, though its name ends in {PurePath(name).suffix}"
    if named:
        return named, "by its name"
    return "csv", "because nothing in it looks like another format"


def _by_content(start: str, named: str) -> str:
    stripped = start.lstrip()
    if stripped.startswith("<"):
        return "moodle"
    if _JSON.match(stripped):
        return "json"
    if named == "csv":
        # A table may hold the text of questions in any format.
        return "csv"
    if _AIKEN_ANSWER.search(start) and _AIKEN_OPTION.search(start):
        return "aiken"
    return "gift" if _GIFT.search(start) else ""
