"""What is packed into a page comes out as it went in."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from biaslab.publishing.report import (
    AnswerMark,
    Entry,
    Items,
    Report,
    ReportAnswer,
    ReportExchange,
    ReportPart,
    page,
)
from biaslab.publishing.report.page import checksum, data_of, items_of, packed, unpacked, written

TEXTS = st.text(st.characters(codec="utf-8"), max_size=40) | st.sampled_from(
    ["</script>", "<!--", "\u2028", "\x00", "=1+1", "]]>", '"', "\\", "🧮", "\r\n"]
)
EXCHANGES = st.builds(ReportExchange, TEXTS, TEXTS, TEXTS)
ANSWERS = st.builds(
    ReportAnswer, st.sampled_from(AnswerMark), TEXTS, TEXTS, st.integers(1, 100), TEXTS,
    st.lists(EXCHANGES, max_size=2).map(tuple),
)  # fmt: skip
PARTS = st.builds(ReportPart, TEXTS, TEXTS, TEXTS, st.lists(ANSWERS, max_size=3).map(tuple))
ENTRIES = st.builds(
    Entry, TEXTS, st.dictionaries(TEXTS, TEXTS, max_size=3), st.lists(PARTS, max_size=2).map(tuple)
)

EMPTY = Report("a", "b", (), (), None, (), (), {})


def taken_out(html: str) -> dict:
    """The data in a page."""
    (text,) = re.findall(r'<script type="text/plain" id="packed">([^<]*)</script>', html)
    return json.loads(unpacked(text))


@given(st.lists(ENTRIES, max_size=4))
def test_any_items_come_out_of_the_page_as_they_went_in(entries):
    report = replace(EMPTY, items=Items("pair", {}, entries))

    assert items_of(taken_out(page(report).decode())) == entries


@given(st.binary(max_size=500))
def test_packed_bytes_come_out_again_and_hold_nothing_that_a_page_would_read(content):
    text = packed(content)

    assert re.fullmatch("[A-Za-z0-9+/=]*", text)
    assert unpacked(text) == content
    assert packed(content) == text


@given(TEXTS)
def test_a_text_that_many_answers_share_is_packed_once(text):
    answers = tuple(ReportAnswer(AnswerMark.RIGHT, text, text, sample) for sample in range(1, 30))
    items = Items("pair", {}, [Entry(text, {}, (ReportPart(text, text, text, answers),))])

    assert data_of(replace(EMPTY, items=items))["texts"].count(text) == 1


def test_the_checksum_in_the_page_is_that_of_the_data_in_it():
    html = page(EMPTY).decode()

    assert checksum(written(taken_out(html))) in html


def test_the_same_report_gives_the_same_bytes():
    assert page(EMPTY) == page(EMPTY)
