"""What is written comes back: by every format that can hold it."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from biaslab.files import (
    ImportedItem,
    as_imported,
    export_items,
    import_bytes,
    read_imported,
    write_imported,
    write_items,
)
from biaslab.files.decoding import clean
from biaslab.files.formats.aiken import misread
from biaslab.files.items import same_text, without_feedback
from schoolmath.malrules.bank import BankDesign, make_items

NAMES = {"gift": "x.gift", "moodle": "x.xml", "csv": "x.csv", "xlsx": "x.xlsx", "aiken": "x.txt"}
NASTY = list("=+-@'\"\\{}~#:%[]<>&;,|\t\n/!() 0127½²−")
WORDS = [
    "[html]", "[plain]", "//", "::", "->", "%50%", "{=", "\\n", "<b>", "&amp;", "=1+1", "'=1",
    "]]>", "ANSWER: B", "B) ", "A. ", "$CATEGORY: x", "####", "None", "nan", "true", "_x000D_",
]  # fmt: skip

texts = (
    st.lists(
        st.one_of(
            st.sampled_from(NASTY),
            st.sampled_from(WORDS),
            st.characters(exclude_categories=("Cc", "Cs"), max_codepoint=0x1FFFF),
        ),
        min_size=1,
        max_size=12,
    )
    .map(lambda parts: clean("".join(parts)))
    .filter(bool)
)


@st.composite
def items(draw: st.DrawFn) -> ImportedItem:
    count = draw(st.integers(2, 8))
    options = tuple(
        draw(st.lists(texts, min_size=count, max_size=count, unique_by=lambda t: t.lower()))
    )
    letters = "ABCDEFGH"[:count]
    key = draw(st.sampled_from(letters))
    told = draw(st.dictionaries(st.sampled_from(letters), texts, max_size=count))
    return ImportedItem(
        question=draw(texts),
        options=options,
        key=key,
        rationales={letter: text for letter, text in told.items() if _kept(text)},
    )


def _kept(rationale: str) -> bool:
    return without_feedback(rationale) == rationale


def _importable(item: ImportedItem) -> bool:
    right = item.option(item.key)
    return sum(same_text(option, right) for option in item.options) == 1


class TestExportThenImport:
    @pytest.mark.parametrize("form", ["gift", "moodle", "csv", "xlsx"])
    @given(item=items().filter(_importable))
    def test_gives_the_same_question_options_key_and_rationales(self, form, item):
        export = export_items([item], form)
        assert not export.left_out
        assert not export.remarks
        report = import_bytes(export.content, NAMES[form])
        assert report.form == form
        (back,) = report.items
        assert back.question == item.question
        assert back.options == item.options
        assert back.key == item.key
        assert dict(back.rationales) == dict(item.rationales)

    @given(item=items().filter(_importable))
    def test_through_aiken_keeps_all_but_rationales_and_line_breaks_and_says_so(self, item):
        assume(not misread(item))
        export = export_items([item], "aiken")
        said = " ".join(map(str, export.remarks))
        assert ("cannot hold rationales" in said) == bool(item.rationales)
        (back,) = import_bytes(export.content, NAMES["aiken"], "aiken").items
        assert back.question == " ".join(item.question.split())
        assert back.options == tuple(" ".join(option.split()) for option in item.options)
        assert back.key == item.key
        assert back.reasons.status == "unusable"

    @given(item=items().filter(_importable))
    def test_our_own_lines_of_json_lose_nothing(self, item):
        assert read_imported(write_imported(item)) == item
        (back,) = import_bytes(write_items([item]).encode(), "x.jsonl").items
        assert (back.question, back.options, back.key) == (item.question, item.options, item.key)
        assert dict(back.rationales) == dict(item.rationales)

    @pytest.mark.parametrize("form", ["gift", "moodle", "csv", "xlsx", "aiken"])
    def test_keeps_a_whole_bank(self, form):
        bank = list(make_items(BankDesign(n=30, seed=1)))
        export = export_items(bank, form)
        report = import_bytes(export.content, NAMES[form])
        assert report.form == form
        assert not report.refused
        for before, after in zip(bank, report.items, strict=True):
            assert after.options == before.options
            assert after.key == before.key
            if form != "aiken":
                assert after.question == before.question
                assert dict(after.rationales) == dict(before.rationales)
            if form in ("moodle", "csv", "xlsx"):
                assert (after.grade, after.dok) == (before.grade, before.dok)
                assert after.content_class == before.content_class
            if form in ("csv", "xlsx"):
                assert dict(after.misconceptions) == dict(as_imported(before).misconceptions)

    @pytest.mark.parametrize("form", ["csv", "xlsx"])
    def test_tables_keep_passages_too(self, form):
        item = ImportedItem("Who?", ("Ann", "Ben"), "A", passage="Ann sings.\nBen sleeps.")
        (back,) = import_bytes(export_items([item], form).content, NAMES[form]).items
        assert back.passage == item.passage
