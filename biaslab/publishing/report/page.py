"""A report as one page that opens anywhere, loads nothing and sends nothing.

The page allows nothing but what stands in it (its Content-Security-Policy): two scripts by their
hashes, which are the page's own and the library of the charts, and its style. Findings, tables and
still charts are plain HTML; a browser that cannot unpack the rest shows these.
"""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from biaslab import __version__
from biaslab.publishing.report.content import Report, ReportPicture
from biaslab.publishing.report.packing import checksum, data_of, packed, written
from biaslab.publishing.report.still import legend, still
from schoolmath.text.figures import count

if TYPE_CHECKING:
    from jinja2 import Template

ASSETS = Path(__file__).resolve().parents[3] / "assets" / "report"
LIBRARY = "plotly-basic.min.js.gz"


def page(report: Report) -> bytes:
    """The report as HTML. The same report gives the same bytes."""
    content = written(data_of(report))
    library = library_of_charts() if any(each.pictures for each in report.sections) else b""
    script, style = (_own(name) for name in ("report.js", "report.css"))
    hashes = [_hash(each) for each in (script.encode(), library) if each]
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
