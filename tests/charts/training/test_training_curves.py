"""Curves of a training: the loss, shares right and effects by minutes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.charts.chart import DARK, LIGHT
from biaslab.charts.training import (
    MOST_LOSSES,
    Course,
    Loss,
    MeasuredFigure,
    accuracy_course_chart,
    cate_course_chart,
    loss_chart,
)
from biaslab.stats import Interval

GROWING = Course(
    "asked directly",
    (
        MeasuredFigure(1.0, 0.10, Interval(0.02, 0.18), 100),
        MeasuredFigure(2.0, 0.40, Interval(0.30, 0.52), 100),
    ),
)
UNKNOWN = Course("step by step", (MeasuredFigure(1.0, None, None, 0),))
fractions = st.floats(0.0, 1.0)


def test_an_interval_reaches_from_its_low_to_its_high_end() -> None:
    (line,) = cate_course_chart("Effect", [GROWING]).figure.data
    up, down = line.error_y.array, line.error_y.arrayminus
    assert [round(y + more) for y, more in zip(line.y, up, strict=True)] == [18, 52]
    assert [round(y - less) for y, less in zip(line.y, down, strict=True)] == [2, 30]


@settings(max_examples=20)
@given(st.lists(st.tuples(fractions, fractions, fractions), min_size=1, max_size=8))
def test_whatever_was_measured_lies_within_the_picture(found: list[tuple[float, ...]]) -> None:
    points = tuple(
        MeasuredFigure(float(minute), (ends := sorted(each))[1], Interval(ends[0], ends[2]), 10)
        for minute, each in enumerate(found, 1)
    )
    figure = cate_course_chart("Effect", [Course("all", points)]).figure
    low, high = figure.layout.yaxis.range
    left, right = figure.layout.xaxis.range
    for point in points:
        assert point.interval is not None
        assert low < 100 * point.interval.low
        assert 100 * point.interval.high < high
        assert left < point.minute < right


def test_the_words_give_first_and_last_value_with_interval_and_n() -> None:
    summary = cate_course_chart("How much easier?", [GROWING]).summary
    assert "+10.0 (95 % interval +2.0 to +18.0, n = 100) after 1.0 minutes" in summary
    assert "+40.0 (95 % interval +30.0 to +52.0, n = 100) after 2.0 minutes" in summary
    assert "50.0 %" not in summary


def test_lines_differ_by_dash_and_symbol_and_not_by_colour_alone() -> None:
    lines = accuracy_course_chart("Right", [GROWING, GROWING]).figure.data
    assert lines[0].line.dash != lines[1].line.dash
    assert lines[0].marker.symbol != lines[1].marker.symbol
    assert lines[0].x[0] < 1.0 < lines[1].x[0], "they stand beside one another"


def test_what_is_not_known_is_not_drawn_and_stays_in_the_numbers() -> None:
    chart = accuracy_course_chart("Right", [GROWING, UNKNOWN])
    assert len(chart.figure.data) == 1
    assert list(chart.data["n"]) == [100, 100, 0]
    assert "Nothing has been measured yet" in accuracy_course_chart("Right", [UNKNOWN]).summary
    assert "No lessons are through yet" in loss_chart([]).summary


def test_a_long_loss_is_thinned_and_keeps_its_end() -> None:
    losses = [Loss(pool / 10, 2.0 / (pool + 1)) for pool in range(5_000)]
    chart = loss_chart(losses)
    (line,) = chart.figure.data
    assert len(line.x) <= MOST_LOSSES + 1
    assert line.x[-1] == losses[-1].minute
    assert len(chart.data) == 5_000


@pytest.mark.parametrize(("dark", "colours"), [(False, LIGHT), (True, DARK)])
def test_every_chart_follows_the_page(dark: bool, colours: object) -> None:
    for chart in (
        loss_chart([Loss(1.0, 0.5)], dark=dark),
        accuracy_course_chart("Right", [GROWING], dark=dark),
        cate_course_chart("Effect", [GROWING], dark=dark),
    ):
        assert chart.figure.layout.paper_bgcolor == colours.background  # type: ignore[attr-defined]


def test_names_appear_as_they_are() -> None:
    chart = cate_course_chart("<b>$x$</b>", [Course("<i>$y$</i>", GROWING.points)])
    assert "<b>" not in chart.figure.layout.title.text
    assert "<i>" not in str(chart.figure.layout.annotations)
