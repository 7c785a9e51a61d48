"""Looks that everybody can tell apart, on light and dark pages."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.charts import (
    CONFIG,
    DARK,
    LIGHT,
    Chart,
    Theme,
    arms_chart,
    cate_chart,
    config,
    contrast,
    empty_chart,
    structure_chart,
)
from biaslab.charts.chart import GLYPHS, PUBLISHED_SYMBOLS, looks, plain, shortened, wrapped
from biaslab.models import ModelKind
from biaslab.stats import Effect
from biaslab.studies import Arms
from biaslab.studies.published import published_effects

ARMS = Arms("consistent", "inconsistent")
HEX = re.compile(r"#[0-9A-Fa-f]{6}")


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def charts(
    request: pytest.FixtureRequest, three_kinds: list[Effect], facts: dict[str, object]
) -> dict[str, Chart]:
    dark = request.param
    published = published_effects("consistency")
    return {
        "cate": cate_chart(three_kinds, ARMS, published_effects=published, dark=dark),
        "arms": arms_chart(three_kinds, ARMS, dark=dark),
        "structure": structure_chart(facts, dark=dark),
        "empty": empty_chart("Nothing here yet.", dark=dark),
    }


def test_known_contrasts_come_out_as_the_standard_says() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_marks_have_a_contrast_of_3_and_text_of_4_5_to_the_page(colours: Theme) -> None:
    for colour in (*colours.palette, colours.muted):
        assert contrast(colour, colours.background) >= 3
    for colour in (colours.text, colours.muted):
        assert contrast(colour, colours.background) >= 4.5


def test_every_trace_has_its_own_explicit_colours_that_stand_out(charts: dict[str, Chart]) -> None:
    for name, chart in charts.items():
        background = chart.figure.layout.paper_bgcolor
        for trace in chart.figure.data:
            colours = _colours_of(trace)
            assert colours, name
            for colour in colours:
                assert HEX.fullmatch(colour), (name, colour)
                assert contrast(colour, background) >= 3, (name, colour)


def test_text_of_every_chart_stands_out(charts: dict[str, Chart]) -> None:
    for chart in charts.values():
        layout = chart.figure.layout
        assert layout.paper_bgcolor == layout.plot_bgcolor
        fonts = [layout.font, layout.title.font, *(note.font for note in layout.annotations)]
        fonts += [trace.textfont for trace in chart.figure.data if trace.text is not None]
        for font in fonts:
            assert contrast(font.color, layout.paper_bgcolor) >= 4.5


def test_charts_are_small_enough_to_be_drawn_quickly(charts: dict[str, Chart]) -> None:
    for chart in charts.values():
        assert sum(len(trace.x) for trace in chart.figure.data) <= 200


@given(st.sampled_from(list(ModelKind)), st.integers(1, 10), st.sampled_from([LIGHT, DARK]))
def test_up_to_ten_runs_of_a_kind_differ_in_colour_or_symbol(
    kind: ModelKind, runs: int, colours: Theme
) -> None:
    given_looks = looks([kind] * runs, colours)
    assert len(set(given_looks)) == runs
    assert all(look.glyph == GLYPHS[look.symbol] for look in given_looks)


def test_kinds_of_model_never_share_a_symbol_and_only_published_results_are_hollow() -> None:
    symbols = {kind: {look.symbol for look in looks([kind] * 10, LIGHT)} for kind in ModelKind}
    everything = [symbol for family in symbols.values() for symbol in family]
    assert len(set(everything)) == len(everything)
    assert all(symbol.endswith("-open") for symbol in PUBLISHED_SYMBOLS)
    assert not any(symbol.endswith("-open") for symbol in everything)


@given(st.text())
def test_text_of_others_is_never_markup_or_tex(text: str) -> None:
    shown = plain(text)
    assert not set("<>$") & set(shown)
    assert "%{" not in shown
    assert re.sub(r"&(lt|gt|amp|#36|#123);", "", shown).count("&") == 0


@given(st.text(max_size=80), st.integers(5, 30))
def test_shortened_text_fits_and_keeps_its_end(text: str, width: int) -> None:
    short = shortened(text, width)
    assert len(short) <= max(width, 0)
    assert text.endswith(short.removeprefix("…"))


@given(st.text(alphabet="ab <$", max_size=80), st.integers(8, 30))
def test_wrapped_lines_fit(text: str, width: int) -> None:
    for line in wrapped(text, width).split("<br>"):
        assert len(re.sub(r"&[^;]+;", "x", line)) <= width


def test_the_picture_button_gives_an_svg_under_a_safe_name() -> None:
    options: dict[str, Any] = config("Carry: direct/../x")
    assert options["toImageButtonOptions"] == {
        "format": "svg",
        "filename": "biaslab-carry-direct-x",
    }
    assert CONFIG["toImageButtonOptions"]["filename"] == "biaslab-chart"
    assert options["displayModeBar"] is True


def _colours_of(trace: Any) -> list[str]:
    found = [trace.error_x.color] if trace.error_x.color else []
    if "lines" in trace.mode:
        found.append(trace.line.color)
    outline = trace.marker.line.color
    # A ring is filled with the page and drawn by its outline.
    marks = outline if isinstance(outline, tuple) else trace.marker.color
    return [*found, *(marks if isinstance(marks, tuple) else [marks])]
