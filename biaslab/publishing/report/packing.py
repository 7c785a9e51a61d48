"""The data of a report, packed into a text that may stand in a page: JSON, gzip, base64.

Every different text is kept once, and the items say by number which one is meant: of several runs
on one set of pairs, and of several samples, most texts are the same.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from biaslab.publishing.report.content import (
    AnswerMark,
    Entry,
    Report,
    ReportAnswer,
    ReportExchange,
    ReportPart,
    ReportPicture,
)

FORMAT = 1
"""Version of the data. docs/paper.md describes it."""

_MARKS = list(AnswerMark)


class _Texts:
    """Texts by number, each once."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))


def data_of(report: Report) -> dict[str, Any]:
    """The data of a report as JSON holds it."""
    texts = _Texts()
    items = report.items
    return {
        "format": FORMAT,
        "title": report.title,
        "findings": [[each.about, *each.sentences] for each in report.findings],
        "methods": list(report.methods),
        "limitations": list(report.limitations),
        "provenance": dict(report.provenance),
        "tables": [
            {"title": table.title, "columns": table.columns, "rows": table.rows}
            for section in report.sections
            for table in section.tables
        ],
        "files": dict(report.files),
        "charts": [_picture(each) for section in report.sections for each in section.pictures],
        "marks": list(map(str, _MARKS)),
        "noun": "" if items is None else items.noun,
        "facets": {} if items is None else dict(items.facets),
        "entries": [] if items is None else [_entry(each, texts) for each in items.entries],
        # Last, so that all of them are numbered.
        "texts": list(texts.numbers),
    }


def _picture(picture: ReportPicture) -> dict[str, Any]:
    return {
        "name": picture.title,
        "light": json.loads(picture.light.figure.to_json()),
        "dark": json.loads(picture.dark.figure.to_json()),
    }


def _entry(entry: Entry, texts: _Texts) -> list[Any]:
    facets = {name: texts(value) for name, value in entry.facets.items()}
    return [texts(entry.name), facets, [_part(part, texts) for part in entry.parts]]


def _part(part: ReportPart, texts: _Texts) -> list[Any]:
    answers = [_answer(answer, texts) for answer in part.answers]
    return [texts(part.arm), texts(part.text), texts(part.right), answers]


def _answer(answer: ReportAnswer, texts: _Texts) -> list[Any]:
    return [
        _MARKS.index(answer.mark),
        texts(answer.value),
        texts(answer.how),
        answer.sample,
        texts(answer.who),
        [[texts(each.prompt), texts(each.output), texts(each.thinking)]
         for each in answer.exchanges],
    ]  # fmt: skip


def items_of(data: dict[str, Any]) -> list[Entry]:
    """The items in the data of a report."""
    text: Sequence[str] = data["texts"]
    return [
        Entry(
            text[name],
            {facet: text[value] for facet, value in facets.items()},
            tuple(
                ReportPart(
                    text[arm],
                    text[problem],
                    text[right],
                    tuple(
                        ReportAnswer(
                            AnswerMark(data["marks"][mark]), text[value], text[how], sample,
                            text[who],
                            tuple(
                                ReportExchange(*(text[each] for each in one)) for one in exchanges
                            ),
                        )
                        for mark, value, how, sample, who, exchanges in answers
                    ),
                )
                for arm, problem, right, answers in parts
            ),
        )
        for name, facets, parts in data["entries"]
    ]  # fmt: skip


def written(data: dict[str, Any]) -> bytes:
    """The data as the bytes that a checksum is made of."""
    return json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode()


def checksum(content: bytes) -> str:
    """SHA-256 of the bytes."""
    return sha256(content).hexdigest()


def packed(content: bytes) -> str:
    """Bytes as text in letters, digits, ``+``, ``/`` and ``=``; the same bytes give the same."""
    return b64encode(gzip.compress(content, 9, mtime=0)).decode("ascii")


def unpacked(text: str) -> bytes:
    """What `packed` was given."""
    return gzip.decompress(b64decode(text))
