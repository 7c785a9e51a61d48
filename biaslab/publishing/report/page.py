"""A report as one page that opens anywhere, loads nothing and sends nothing.

The page allows nothing but what stands in it (its Content-Security-Policy): two scripts by their
hashes, which are the page's own and the library of the charts, and its style. Findings, tables and
still charts are plain HTML; a browser that cannot unpack the rest shows these.
"""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from biaslab import __version__
from biaslab.publishing.report.content import (
    AnswerMark,
    Entry,
    Report,
    ReportAnswer,
    ReportExchange,
    ReportPart,
    ReportPicture,
)
from biaslab.publishing.report.network import EXAMPLES, LONGEST, NETWORKS, network_data
from biaslab.publishing.report.still import legend, still
from schoolmath.text.figures import count

if TYPE_CHECKING:
    from jinja2 import Template

# The data, packed into a text that may stand in a page: JSON, gzip, base64. Every different text
# is kept once, and the items say by number which one is meant: of several runs on one set of
# pairs, and of several samples, most texts are the same.


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
        "charts": [_picture_of(each) for section in report.sections for each in section.pictures],
        "marks": list(map(str, _MARKS)),
        "noun": "" if items is None else items.noun,
        "facets": {} if items is None else dict(items.facets),
        "entries": [] if items is None else [_entry(each, texts) for each in items.entries],
        # Last, so that all of them are numbered.
        "texts": list(texts.numbers),
    }


def _picture_of(picture: ReportPicture) -> dict[str, Any]:
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


ASSETS = Path(__file__).resolve().parents[3] / "assets" / "report"
LIBRARY = "plotly-basic.min.js.gz"


def page(report: Report) -> bytes:
    """The report as HTML. The same report gives the same bytes."""
    content = written(data_of(report))
    library = library_of_charts() if any(each.pictures for each in report.sections) else b""
    script, style = (_own(name) for name in ("report.js", "report.css"))
    network = _own("network.js") if report.network else ""
    hashes = [_hash(each) for each in (script.encode(), network.encode(), library) if each]
    policy = (
        f"default-src 'none'; script-src {' '.join(hashes)}; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )
    sections = _sections(report)
    own = ("SHA-256 of the data in this file", checksum(content))
    text = _template().render(
        report=report,
        sections=sections,
        contents=_contents(report, sections),
        items=None if report.items is None else _items(report),
        provenance=[*report.provenance.items(), own],
        policy=policy,
        version=__version__,
        style=Markup(style),
        script=Markup(script),
        packed=packed(content),
        network=_network(network) if network else None,
        library=b64encode((ASSETS / LIBRARY).read_bytes()).decode("ascii") if library else "",
    )
    return text.encode()


def library_of_charts() -> bytes:
    """What draws charts in the page: Plotly's own script for basic charts."""
    return gzip.decompress((ASSETS / LIBRARY).read_bytes())


def version_of_charts() -> str:
    """The version that the script says of itself."""
    match = re.search(rb"plotly\.js \(basic - minified\) v(\S+)", library_of_charts()[:200])
    return "" if match is None else match[1].decode()


def _own(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8").replace("\r\n", "\n")


def _hash(script: bytes) -> str:
    return f"'sha256-{b64encode(sha256(script).digest()).decode('ascii')}'"


def _contents(report: Report, sections: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [
        ("findings", "Findings"),
        *((section["id"], section["heading"]) for section in sections),
        *([("network", "Try it")] if report.network else []),
        *([("items", f"Every {report.items.noun}")] if report.items else []),
        *([("methods", "How it was done")] if report.methods else []),
        ("limitations", "What speaks against it"),
        ("data", "The data"),
        ("provenance", "Where it comes from"),
    ]


def _sections(report: Report) -> list[dict[str, Any]]:
    number = iter(range(len(report.sections) * 1000))
    return [
        {
            "id": f"part-{place}",
            "heading": section.heading,
            "sentences": section.sentences,
            "tables": section.tables,
            "pictures": [_picture(each, next(number)) for each in section.pictures],
        }
        for place, section in enumerate(report.sections, start=1)
    ]


def _picture(picture: ReportPicture, number: int) -> dict[str, Any]:
    chart = picture.light
    return {
        "number": number,
        "title": picture.title,
        "still": Markup(still(chart.figure, picture.title)),
        "legend": legend(chart.figure),
        "summary": chart.summary,
    }


def _network(script: str) -> dict[str, Any]:
    return {
        "script": Markup(script),
        "data": Markup(network_data()),
        "last": len(NETWORKS) - 1,
        "label": NETWORKS[-1].label,
        "examples": EXAMPLES,
        "longest": LONGEST,
    }


def _items(report: Report) -> dict[str, str]:
    assert report.items is not None
    entries = count(len(report.items.entries), report.items.noun)
    return {
        "noun": report.items.noun,
        "about": f"This file holds {entries} with every answer, word for word.",
    }


@cache
def _template() -> Template:
    # Imported when a report is made: it takes a moment.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(ASSETS), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    return environment.get_template("page.html")
