"""Charts of the study malgorithm: heat map, bars and mix-ups."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from biaslab.charts import DARK, LIGHT, Chart, config, contrast
from biaslab.charts.chart import cell_colour
from biaslab.charts.malgorithm import (
    MOST,
    BarGroup,
    GridCell,
    MixUp,
    Sort,
    bars_chart,
    drawn_cells,
    grid_chart,
    mixups_chart,
)
from biaslab.stats import Interval
from biaslab.studies.malgorithm.results import Identification, ReadShare

PHONE = 390


def _share(value: float | None, n: int = 24, low: float = 0.1, high: float = 0.9) -> ReadShare:
    interval = None if value is None else Interval(low, high)
    return ReadShare(value, interval, n, n // 3, value, interval, n, 0, 0, 0)


def _found(mia: float | None, aia: float | None = 0.9, value: str | None = None) -> Identification:
    empty = _share(None, 0)
    return Identification(
        "malgorithm", "learner:coin", "learner", "simple", "r1", "all", value, _share(aia, 8),
        _share(mia, 24 if mia is not None else 0), empty, empty, empty, (), (), None, "strict",
        0.95,
    )  # fmt: skip


def _mixup(number: int, sort: Sort = Sort.AMONG) -> MixUp:
    return MixUp(
        f"NO{number:02}", "key", f"NO{number:02} takes <b>the</b> smaller from the larger digit",
        "the right way", 40 - number, 50, sort,
    )  # fmt: skip


CELLS = [GridCell(3, 1, _found(0.625)), GridCell(3, 2, _found(None)), GridCell(4, 2, _found(0.25))]
GROUPS = [
    BarGroup("Simulated learner: Tosses a coin, answer at once", name, _found(mia, 0.9))
    for name, mia in (("All questions", 0.5), ("Number and operation", 0.4))
]


def test_every_cell_shows_the_share_and_n() -> None:
    (cells,) = grid_chart(CELLS).figure.data
    assert list(cells.text) == ["<b>62 %</b><br>n = 24", "<b>25 %</b><br>n = 24"]


def test_a_cell_stands_at_its_grade_and_depth() -> None:
    figure = grid_chart(CELLS).figure
    (cells,) = figure.data
    assert [figure.layout.yaxis.ticktext[int(y)] for y in cells.y] == ["Grade 3", "Grade 4"]
    middles = [base + width / 2 for base, width in zip(cells.base, cells.x, strict=True)]
    assert [figure.layout.xaxis.ticktext[round(x)] for x in middles] == ["DOK 1", "DOK 2"]


def test_a_cell_without_answers_says_none_and_is_no_point() -> None:
    assert [(cell.grade, cell.dok) for cell in drawn_cells(CELLS)] == [(3, 1), (4, 2)]
    notes = [note.text for note in grid_chart(CELLS).figure.layout.annotations]
    assert notes.count("none") == 2


def test_the_heat_map_is_said_in_words_with_intervals() -> None:
    summary = grid_chart(CELLS).summary
    assert "Lowest: Grade 4, DOK 2: 25.0 % (95 % interval 10.0 % to 90.0 %, n = 24)." in summary
    assert "Grade 3, DOK 1: 62.5 %" in summary


def test_the_numbers_of_the_heat_map_have_a_row_a_cell() -> None:
    data = grid_chart(CELLS).data
    assert len(data) == 3
    assert list(data["n_mia"]) == [24, 0, 24]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_stands_out_of_every_cell_whatever_its_colour(dark: bool) -> None:
    cells = [GridCell(3, dok, _found(dok / 100)) for dok in range(101)]
    (drawn,) = grid_chart(cells, dark=dark).figure.data
    for fill, ink in zip(drawn.marker.color, drawn.insidetextfont.color, strict=True):
        assert contrast(fill, ink) >= 4.5, fill


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_colours_of_cells_are_told_apart_by_lightness(dark: bool) -> None:
    page = (DARK if dark else LIGHT).background
    away = [contrast(cell_colour(share / 10, dark), page) for share in range(11)]
    assert away == sorted(away)
    assert away[-1] / away[0] > 5


def test_nothing_answered_is_said_in_a_sentence() -> None:
    assert "has been answered yet" in grid_chart([]).summary
    assert "answered yet" in bars_chart([]).summary
    assert "No rationale" in mixups_chart([]).summary


def test_bars_show_both_shares_with_their_intervals_and_chance() -> None:
    figure = bars_chart(GROUPS).figure
    aia, mia = figure.data
    assert list(aia.x) == pytest.approx([90, 90])
    assert list(mia.x) == pytest.approx([50, 40])
    assert list(mia.error_x.array) == pytest.approx([40, 50])
    assert (aia.marker.pattern.shape, mia.marker.pattern.shape) == ("", "/")
    assert figure.layout.shapes[0].x0 == 25


def test_bars_of_several_runs_stand_under_their_names() -> None:
    other = BarGroup("Language model: <b>m</b>", "All questions", _found(0.7))
    notes = " ".join(note.text for note in bars_chart([*GROUPS, other]).figure.layout.annotations)
    assert "Tosses a" in notes
    assert "&lt;b&gt;m&lt;/b&gt;" in notes


def test_bars_are_said_in_words() -> None:
    summary = bars_chart(GROUPS).summary
    assert "Chance is 25 %" in summary
    assert "Number and operation: AIA 90.0 % (95 % interval" in summary


def test_mixups_show_the_most_frequent_with_their_counts() -> None:
    mixups = [_mixup(number) for number in range(MOST + 3)]
    chart = mixups_chart(mixups)
    (bars,) = chart.figure.data
    assert len(bars.x) == MOST
    assert bars.text[0] == "40 of 50"
    assert "3 more are in the table" in chart.summary
    assert len(chart.data) == MOST + 3


def test_sorts_of_mixups_differ_in_hatching_as_well_as_colour() -> None:
    (bars,) = mixups_chart([_mixup(i, sort) for i, sort in enumerate(Sort)]).figure.data
    assert len(set(bars.marker.color)) == len(set(bars.marker.pattern.shape)) == 3


def test_names_are_never_markup() -> None:
    chart = mixups_chart([_mixup(1)])
    shown = " ".join(note.text for note in chart.figure.layout.annotations)
    assert "<b>the" not in shown + chart.figure.data[0].customdata[0]
    assert "&lt;b&gt;the" in shown


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_phone_shows_every_chart_whole(chromium: Browser, tmp_path: Path, dark: bool) -> None:
    charts: dict[str, Chart] = {
        "grid": grid_chart(CELLS, dark=dark),
        "bars": bars_chart([*GROUPS, BarGroup("Another", "All", _found(0.1))], dark=dark),
        "mixups": mixups_chart([_mixup(number) for number in range(5)], dark=dark),
    }
    context = chromium.new_context(viewport={"width": PHONE, "height": 844})
    page = context.new_page()
    for name, chart in charts.items():
        file = tmp_path / f"{name}.html"
        chart.figure.write_html(
            file, config=config("test"), include_plotlyjs="directory", div_id="chart",
            post_script="document.body.dataset.drawn = 'yes'",
        )  # fmt: skip
        page.goto(file.as_uri())
        page.wait_for_selector("body[data-drawn]")
        boxes = page.evaluate(
            """() => [...document.querySelectorAll('#chart svg text')]
                .map(t => [t.textContent, t.getBoundingClientRect()])
                .filter(([text]) => text).map(([text, b]) => [text, b.left, b.right, b.top])"""
        )
        assert boxes
        for text, left, right, top in boxes:
            assert left >= 0 and right <= PHONE and top >= 0, (name, text)  # noqa: PT018
    context.close()


class TestACellOfFewAnswers:
    def cells(self, n: int) -> list[GridCell]:
        found = replace(_found(0.75), mia=_share(0.75, n))
        return [GridCell(3, 1, found), GridCell(4, 1, _found(0.75))]

    @pytest.mark.parametrize("dark", [False, True])
    def test_is_nearly_as_the_page_and_says_so(self, dark: bool) -> None:
        figure = grid_chart(self.cells(4), dark=dark).figure
        few, many = figure.data[0].marker.color
        page = (DARK if dark else LIGHT).background
        assert many == cell_colour(0.75, dark)
        assert contrast(few, page) < contrast(many, page) / 2
        assert "Faded: n below 5." in figure.layout.annotations[-1].text
        ink = figure.data[0].insidetextfont.color[0]
        assert contrast(ink, few) >= 4.5

    def test_of_five_is_as_the_others(self) -> None:
        figure = grid_chart(self.cells(5)).figure
        assert len(set(figure.data[0].marker.color)) == 1
        assert "Faded" not in figure.layout.annotations[-1].text
