"""Aiken, the plainest format: a question, options with letters, and ANSWER.

What is 2 + 3?
A. 5
B. 6
ANSWER: A
"""

from __future__ import annotations

import re
from dataclasses import replace

from biaslab.files.errors import MAX_CELL
from biaslab.files.formats.format import FileEntry, FileReading, Format
from biaslab.files.items import ImportedItem

_OPTION = re.compile(r"([A-Za-z])[.)]\s*(.*)")
_ANSWER = re.compile(r"ANSWER\s*:\s*(.*)", re.IGNORECASE)
_NUMBER = re.compile(r"(\d{1,4})[.)]\s+(?=\S)")
_SHOWN_ANSWER = re.compile(r"^\s*ANSWER\s*:\s*[A-Z]\b", re.MULTILINE | re.IGNORECASE)
_SHOWN_OPTION = re.compile(r"^\s*[A-Za-z][.)]\s*\S", re.MULTILINE)


def read_aiken(text: str) -> FileReading:
    """The questions of an Aiken file, numbered from 1. Aiken has no rationales.

    Small letters are read as capital ones. Numbers that count the questions are left out.
    """
    found: list[FileEntry] = []
    lines: list[str] = []
    start = 1
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    for number, line in enumerate(plain.split("\n"), start=1):
        if not line.strip():
            continue
        if not lines:
            start = number
        answer = _ANSWER.match(line.strip())
        if answer and lines:
            found.append(_question(len(found) + 1, start, lines, answer[1].strip()))
            lines = []
        else:
            lines.append(line.strip())
    if lines:
        refusal = "it has no line ANSWER: (is the file cut off?)"
        found.append(FileEntry(len(found) + 1, name=f"line {start}", refusal=refusal))
    return _without_numbers(found)


def _without_numbers(entries: list[FileEntry]) -> FileReading:
    """The questions without the numbers that people put before them: 1., 2. and so on."""
    told = [(each, _NUMBER.match(each.question)) for each in entries]
    ahead = {int(match[1]) - each.row for each, match in told if match}
    several = sum(match is not None for _, match in told) > 1
    if len(ahead) != 1 or not (several or ahead == {0}):
        return FileReading(entries)
    plain = [
        each if match is None else replace(each, question=each.question[match.end() :])
        for each, match in told
    ]
    return FileReading(plain, ("The numbers before the questions were left out.",))


def _question(number: int, line: int, lines: list[str], answer: str) -> FileEntry:
    name = f"line {line}"
    if sum(map(len, lines)) > 20 * MAX_CELL:
        return FileEntry(number, name=name, refusal="its text is too long for a question")
    asked = [lines[0]]
    options: list[str] = []
    matches = [_OPTION.fullmatch(each) for each in lines[1:]]
    # Before capital options a list in small letters is part of the question.
    first = "A" if any(match and match[1] == "A" for match in matches) else "a"
    for each, match in zip(lines[1:], matches, strict=True):
        due = chr(ord("A") + len(options))
        if match and (match[1].upper() == due if options else match[1] == first):
            options.append(match[2])
        elif match and options and match[1].isupper() is first.isupper():
            refusal = f"option {match[1]} stands where option {due} is due"
            return FileEntry(number, name=name, refusal=refusal)
        elif options:
            options[-1] += f" {each}"
        else:
            asked.append(each)
    letters = re.findall(r"\b[A-Z]\b", answer.upper())
    places = tuple(ord(letter) - ord("A") for letter in letters)
    if any(place >= len(options) for place in places):
        refusal = f"ANSWER: {answer[:20]} names an option that it does not have"
        return FileEntry(number, name=name, refusal=refusal)
    return FileEntry(
        number, question="\n".join(asked), options=tuple(options), right=places, name=name
    )


def misread(item: ImportedItem) -> str:
    """Why a reader of Aiken would take this item for something else; empty where not.

    Args:
        item: its texts on one line each.
    """
    if any(sign.match(item.question) for sign in (_OPTION, _ANSWER, _NUMBER)):
        return "its question begins like an option, an answer or a number of Aiken"
    return ""


def write_aiken(items: list[ImportedItem]) -> str:
    """Questions, options and keys; the texts must be on one line each."""
    blocks = []
    for item in items:
        options = zip(item.letters, item.options, strict=True)
        lines = [item.question, *(f"{letter}. {text}" for letter, text in options)]
        blocks.append("\n".join([*lines, f"ANSWER: {item.key}"]))
    return "\n\n".join(blocks) + "\n"


def _begins(start: str) -> bool:
    return bool(_SHOWN_ANSWER.search(start) and _SHOWN_OPTION.search(start))


FORMAT = Format(
    name="aiken",
    rank=10,
    begins=_begins,
    items=lambda source: read_aiken(source.text),
)
