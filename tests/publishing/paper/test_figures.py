"""Figures for print: what stands on them, sizes, fonts, and that grey loses nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from pypdf import PdfReader

from biaslab.publishing.paper.analysis import EffectTable
from biaslab.publishing.paper.figures import WIDTHS, PaperFigure, draw
from biaslab.publishing.paper.tables import interval_text
from biaslab.runs import open_store
from biaslab.runs.effect_rows import effect_rows
from biaslab.stats import Effect

Runs = tuple[Path, dict[str, str]]
NAMED = "m_50%_$x$^\\y-模"


@pytest.fixture(scope="module")
def found(runs: Runs) -> list[Effect]:
    """Effects by steps of three runs, one of them by a model with an awkward name."""
    db, ids = runs
    with open_store(db) as store:
        records = [store.run(ids[name]) for name in ("keyword", "perfect", "samples")]
        rows = effect_rows(store, records, "steps").found
    return [replace(e, model=NAMED) if e.model == "learner:perfect" else e for e in rows]


@pytest.fixture(scope="module")
def drawn(found: list[Effect]) -> PaperFigure:
    (figure,) = draw(_table(found), found, {"consistency": "consistent (x), other (x′)"})
    return figure


def _table(found: list[Effect]) -> EffectTable:
    return EffectTable("effects-consistency-steps", tuple(e.run for e in found), "steps")


def _text(content: bytes) -> str:
    return PdfReader(BytesIO(content)).pages[0].extract_text()


@pytest.mark.parametrize("width", WIDTHS, ids=lambda width: width.name)
def test_every_mark_has_its_n_and_its_interval(
    drawn: PaperFigure, found: list[Effect], width
) -> None:
    text = re.sub(r"\s+", " ", _text(drawn.files[f"{drawn.name}-{width.name}.pdf"]))

    for effect in found:
        assert interval_text(effect) in text
    assert text.count("n = ") == len(found)
    assert {f"n = {effect.n}" for effect in found} == set(re.findall(r"n = \d+", text))


@pytest.mark.parametrize(("width", "millimetres"), [("one-column", 85), ("two-column", 178)])
def test_it_is_as_wide_as_a_column_and_no_higher_than_a_page(drawn, width, millimetres) -> None:
    page = PdfReader(BytesIO(drawn.files[f"{drawn.name}-{width}.pdf"])).pages[0]
    tree = ElementTree.fromstring(drawn.files[f"{drawn.name}-{width}.svg"])
    with Image.open(BytesIO(drawn.files[f"{drawn.name}-{width}.png"])) as picture:
        inches = picture.width / 300

    assert float(page.mediabox.width) / 72 * 25.4 == pytest.approx(millimetres, abs=0.5)
    assert float(page.mediabox.height) / 72 < 9
    assert float(str(tree.get("width")).removesuffix("pt")) == float(page.mediabox.width)
    assert inches * 25.4 == pytest.approx(millimetres, abs=0.5)


def test_fonts_are_embedded_and_letters_of_an_svg_are_outlines(drawn: PaperFigure) -> None:
    for name, content in drawn.files.items():
        if name.endswith(".pdf"):
            fonts = PdfReader(BytesIO(content)).pages[0]["/Resources"]["/Font"].values()
            for font in fonts:
                inner = font.get_object()["/DescendantFonts"][0].get_object()
                assert inner["/FontDescriptor"].get_object()["/FontFile2"]
        if name.endswith(".svg"):
            assert b"<text" not in content
            assert b"font-family" not in content


def test_it_has_no_colour(drawn: PaperFigure) -> None:
    for name, content in drawn.files.items():
        if name.endswith(".png"):
            with Image.open(BytesIO(content)) as picture:
                pixels = np.asarray(picture.convert("RGB"))
            assert (pixels == pixels[:, :, :1]).all()


def test_a_name_is_drawn_as_it_is_and_no_formula(drawn: PaperFigure) -> None:
    text = _text(drawn.files[f"{drawn.name}-two-column.pdf"])

    assert NAMED.replace("模", "[U+6A21]") in text


def test_the_same_effects_give_the_same_bytes(drawn: PaperFigure, found: list[Effect]) -> None:
    (again,) = draw(_table(found), found, {"consistency": "consistent (x), other (x′)"})

    assert again == drawn


def test_marks_of_few_pairs_are_hollow_and_the_caption_says_so(found: list[Effect]) -> None:
    few = [replace(effect, n=4) for effect in found]
    (hollow,) = draw(_table(few), few, {"consistency": "a"})
    (full,) = draw(_table(found), found, {"consistency": "a"})

    assert "Hollow marks rest on fewer than 5 pairs" in hollow.caption
    assert "Hollow" not in full.caption
    assert _darkness(hollow) < _darkness(full)


def _darkness(figure: PaperFigure) -> int:
    with Image.open(BytesIO(figure.files[f"{figure.name}-two-column.png"])) as picture:
        grey = np.asarray(picture.convert("L"))
    marks = grey[:, int(0.37 * grey.shape[1]) : int(0.69 * grey.shape[1])]
    return int((marks < 60).sum())


def test_a_row_without_pairs_keeps_its_place(found: list[Effect]) -> None:
    empty = [replace(found[0], n=0, cate=None, ci_low=None, ci_high=None), *found[1:]]
    (figure,) = draw(_table(empty), empty, {"consistency": "a"})

    text = _text(figure.files[f"{figure.name}-two-column.pdf"])
    assert re.search(r"n = 0\s+no effect", text)
    assert text.count("n = ") == len(found)


def test_many_rows_are_drawn_in_parts_that_fit_a_page(found: list[Effect]) -> None:
    many = [
        replace(effect, stratum=f"steps={value}", stratum_value=value)
        for value in range(15)
        for effect in found[:2]
    ]
    figures = draw(_table(many), many, {"consistency": "a"})

    texts = [_text(figure.files[f"{figure.name}-one-column.pdf"]) for figure in figures]
    assert len(figures) > 1
    assert sum(text.count("n = ") for text in texts) == len(many)
    for figure in figures:
        page = PdfReader(BytesIO(figure.files[f"{figure.name}-one-column.pdf"])).pages[0]
        assert float(page.mediabox.height) / 72 < 9


def test_studies_with_different_units_share_no_figure(runs: Runs) -> None:
    db, ids = runs
    with open_store(db) as store:
        records = [store.run(ids[name]) for name in ("keyword", "decision")]
        rows = effect_rows(store, records).found
    both = draw(EffectTable("effects", (), None), rows, {"consistency": "a", "decision": "b"})

    assert [figure.name for figure in both] == ["effects-consistency", "effects-decision"]
    units = [_text(figure.files[f"{figure.name}-two-column.pdf"]) for figure in both]
    assert "CATE, percentage points" in units[0]
    assert "CATE, scale lengths" in units[1]
