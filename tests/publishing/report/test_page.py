"""The page: all of it is text, nothing is loaded, and findings are there without its scripts."""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise

import pytest

from biaslab.publishing.report import page
from biaslab.publishing.report.page import ASSETS, LIBRARY, library_of_charts, version_of_charts
from tests.publishing.report.conftest import HOSTILE, hostile
from tests.publishing.report.test_packing import taken_out


class Seen(HTMLParser):
    """Tags, attributes and texts of a page, as a browser would see them."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append((self.tags[-1][0] if self.tags else "", data))


@pytest.fixture(scope="module")
def html() -> str:
    return page(hostile()).decode()


def test_hostile_texts_are_text_wherever_they_stand(html):
    seen = Seen(html)

    assert [tag for tag, _ in seen.tags].count("script") == 3
    assert "img" not in {tag for tag, _ in seen.tags}
    assert not [name for _, found in seen.tags for name in found if name.startswith("on")]
    assert sum(HOSTILE in text for _, text in seen.texts) >= 8


def test_nothing_is_named_that_a_browser_would_load(html):
    addresses = {
        value
        for _, found in Seen(html).tags
        for name, value in found.items()
        if name in {"src", "href", "action", "srcset", "data", "poster"}
    }

    assert addresses
    assert all((address or "").startswith("#") for address in addresses)
    assert "@import" not in html
    assert "url(" not in (ASSETS / "report.css").read_text("utf-8")


def test_the_policy_allows_the_two_scripts_and_no_other(html):
    (policy,) = (
        found["content"] or "" for tag, found in Seen(html).tags
        if found.get("http-equiv") == "Content-Security-Policy"
    )  # fmt: skip
    rules = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    own = (ASSETS / "report.js").read_bytes()
    hashes = [
        f"'sha256-{b64encode(sha256(each).digest()).decode()}'"
        for each in (own, library_of_charts())
    ]

    assert rules["default-src"] == "'none'"
    assert rules["script-src"].split() == hashes
    assert own.decode() in html


def test_headings_go_down_one_at_a_time(html):
    levels = [int(tag[1]) for tag, _ in Seen(html).tags if re.fullmatch("h[1-6]", tag)]

    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_a_report_without_charts_has_no_library_in_it():
    plain = replace(hostile(), sections=())

    assert len(page(plain)) < len(page(hostile())) - 400_000
    assert 'id="library"' not in page(plain).decode()


def test_the_library_is_the_one_that_charts_on_screens_are_drawn_with():
    bundled = files("plotly").joinpath("package_data/plotly.min.js").read_text("utf-8")
    (version,) = re.findall(r"plotly\.js v(\S+)", bundled[:300])

    assert version_of_charts() == version
    assert version in (ASSETS / "README.md").read_text("utf-8")
    assert "MIT License" in (ASSETS / "LICENSE-plotly.txt").read_text("utf-8")


def test_the_library_is_unpacked_as_it_was_published():
    content = gzip.decompress((ASSETS / LIBRARY).read_bytes())

    assert sha256(content).hexdigest() in (ASSETS / "README.md").read_text("utf-8")
    assert b"</script" not in content


def test_every_kind_of_mark_that_charts_give_out_is_known_to_the_library(html):
    kinds = {
        trace["type"]
        for chart in taken_out(html)["charts"]
        for look in ("light", "dark")
        for trace in chart[look]["data"]
    }

    assert kinds <= {"scatter", "bar", "pie"}
