"""Still charts show the numbers of their figure."""

from __future__ import annotations

import re

import pytest

from biaslab.charts import LIGHT, cate_chart, empty_chart
from biaslab.charts.room import class_chart
from biaslab.publishing.report.still import legend, still
from biaslab.stats import effects
from biaslab.studies import Arms
from schoolmath.malrules.classes import QuizDesign, answers_by_item, make_quiz, simulate_class
from schoolmath.problems.draws import Draws


@pytest.fixture(scope="module")
def figure(asked):
    store, runs = asked
    found = effects(store.outcomes(runs[:2]), by="steps")
    return cate_chart(found, Arms("<b>easy</b>", "hard & fast")).figure


def places(svg: str) -> list[float]:
    """Where the marks stand, in per cent of the width."""
    return [float(x) for x in re.findall(r'<svg x="([\d.]+)%"', svg)]


def test_marks_stand_in_the_proportions_of_the_figure(figure):
    svg = still(figure, "words")
    values = [x for _, x in sorted(
        (y, x) for trace in figure.data for x, y in zip(trace.x, trace.y, strict=True)
    )]  # fmt: skip
    shown = places(svg)

    assert len(shown) == len(values) == 4
    low, high = figure.layout.xaxis.range
    shares = [(value - low) / (high - low) for value in values]
    widths = {
        round((one - other) / (share - another), 1)
        for one, share in zip(shown, shares, strict=True)
        for other, another in zip(shown, shares, strict=True)
        if share - another > 0.1
    }
    assert len(widths) == 1


def test_every_mark_with_an_interval_has_its_bar_and_its_n(figure):
    svg = still(figure, "words")

    known = sum(each is not None for trace in figure.data for each in trace.error_x.array)
    assert svg.count('bar" x1=') == known
    assert svg.count("n = 12<") == 4


def test_words_of_others_are_text(figure):
    svg = still(figure, '"><script>')

    assert "<script" not in svg
    assert "<b>" not in svg
    assert "hard &amp; fast" in svg


def test_the_legend_says_who_is_who(figure):
    lines = legend(figure)

    assert [(mark, sign) for mark, sign, words in lines if words.startswith("learner:")] == [
        ("mark-0", "▲"), ("mark-1", "▼"),
    ]  # fmt: skip
    assert any(words.startswith("learner:keyword, direct · ") for *_, words in lines)


def test_colours_are_named_so_that_a_page_gives_those_of_its_look(figure):
    assert not re.findall("#[0-9A-F]{6}", still(figure, "words"))
    assert LIGHT.palette[0] in str(figure.data[0].marker.color)


def test_pieces_of_a_bar_follow_one_another_and_fill_what_was_counted():
    quiz = make_quiz(QuizDesign(4, ("ColumnSubtraction",), 12, 1, letters=False))
    found = answers_by_item(
        quiz, simulate_class(Draws("bars"), quiz, [quiz.nameable[0], None, None])
    )
    svg = still(class_chart(found).figure, "words")
    pieces = [
        (float(x), float(wide)) for x, wide in re.findall(r'x="([\d.]+)%" width="([\d.]+)%"', svg)
    ]

    whole = max(x + wide for x, wide in pieces) - min(x for x, _ in pieces)
    assert sum(wide for _, wide in pieces) == pytest.approx(12 * whole, rel=1e-3)


def test_a_chart_without_marks_has_no_picture():
    assert still(empty_chart("Nothing yet.").figure, "words") == ""
