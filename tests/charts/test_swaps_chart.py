"""Where the operation is decided: both layouts, the same words, signs and numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from biaslab.charts import contrast
from biaslab.charts import inside as probe_charts
from biaslab.charts.chart import mixed, theme, written_on
from biaslab.charts.inside import factor_words, swap_chart, swaps_message
from biaslab.stats.estimates import Interval
from biaslab.studies.word_problems.inside.probes import PLACES, ProbeAccuracy
from biaslab.studies.word_problems.inside.swaps import AnswerOdds, PromptWord, SwapEffects
from biaslab.studies.word_problems.inside.word_by_word import Sought

PLACES_OF_WORDS = (
    PromptWord("Q:", "Q:", told=False, treated=False),
    PromptWord("Ana", "Ben", told=True, treated=True),
    PromptWord("more", "fewer", told=True, treated=True),
    PromptWord("apples.", "apples.", told=True, treated=True),
    PromptWord("is", "is", told=False, treated=False),
)
OWN = AnswerOdds(0.1, 0.4)
SAME = (OWN,) * 5


def with_swap(place: int, right: float, reversed_: float) -> tuple[AnswerOdds, ...]:
    return tuple(AnswerOdds(right, reversed_) if at == place else OWN for at in range(5))


DECIDED = SwapEffects(
    PLACES_OF_WORDS,
    Sought(15, 21, ()),
    OWN,
    AnswerOdds(0.5, 0.1),
    (
        with_swap(2, 0.3, 0.4),
        with_swap(2, 0.4, 0.4),
        with_swap(1, 0.01, 0.4),
        with_swap(4, 0.4, 0.1),
        SAME,
    ),
)


@pytest.fixture(params=[False, True], ids=["along", "rows"])
def rows(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def test_every_word_has_its_place_and_says_what_it_is_swapped_for(rows: bool):
    figure = swap_chart(DECIDED, "Skewed", rows=rows).figure
    axis, across = figure.layout.xaxis, figure.layout.yaxis
    words, layers = (across, axis) if rows else (axis, across)
    assert [word.split("</")[0].split(">")[-1] for word in words.ticktext] == [
        "Q:", "Ana ← Ben", "more ← fewer", "apples.", "is",
    ]  # fmt: skip
    assert [word.startswith("<b>") for word in words.ticktext] == [False, True, True, True, False]
    assert list(layers.ticktext) == ["in", "1", "2", "3", "4"]


def test_colour_and_sign_say_the_same_about_zero(rows: bool):
    cells, signs = swap_chart(DECIDED, "Skewed", rows=rows).figure.data
    assert cells.zmin == -cells.zmax
    effects = [list(row) for row in cells.z]
    if rows:
        effects = [list(column) for column in zip(*effects, strict=True)]
    for found, expected in zip(effects, DECIDED.effects, strict=True):
        assert found == pytest.approx(list(expected))
    marked = {
        (y, x): "+" if value > 0 else "−"
        for y, row in enumerate(cells.z)
        for x, value in enumerate(row)
        if abs(value) >= math.log(2)
    }
    assert dict(zip(zip(signs.y, signs.x, strict=True), signs.text, strict=True)) == marked


def test_the_two_colours_are_those_of_the_two_answers_and_stand_out_from_the_page():
    for dark in (False, True):
        cells, _ = swap_chart(DECIDED, "Skewed", dark=dark).figure.data
        (_, low), (_, middle), (_, high) = cells.colorscale
        right, turned = theme(dark).palette[:2]
        assert (high, low, middle) == (right, turned, theme(dark).background)
        assert min(contrast(high, middle), contrast(low, middle)) >= 3


def test_the_numbers_are_a_row_for_every_layer_and_word():
    data = swap_chart(DECIDED, "Skewed").data
    assert len(data) == 5 * 5
    there = data[(data["layer"] == 0) & (data["word"] == "more")].iloc[0]
    assert (there["swapped_for"], there["p_right"], there["p_reversed"]) == ("fewer", 0.3, 0.4)
    assert there["log_odds_change"] == pytest.approx(math.log(3))


def test_the_sentence_goes_up_the_layers_and_tells_what_turns_the_answer_round():
    assert swaps_message(DECIDED) == (
        "The swap that moves the answer most is at “more” as the words go in and up to layer 1 "
        "(odds × 4.0), at “Ana” after layer 2 (odds ÷ 10) and then at “is” after layer 3 "
        "(odds × 16, enough to turn it round)."
    )


def test_where_nothing_matters_much_the_sentence_says_so():
    assert "No single swap" in swaps_message(replace(DECIDED, swapped=(SAME,) * 3))


def test_names_of_others_are_shown_as_they_are():
    figure = swap_chart(DECIDED, "<b>$x$</b>").figure
    assert "<b>$" not in figure.layout.title.text


@pytest.mark.parametrize(
    ("effect", "words"),
    [(0.0, "× 1.0"), (math.log(28.4), "× 28"), (-math.log(2.13), "÷ 2.1"),
     (math.log(25_882), "× 26,000"), (math.log(9.99), "× 10")],
)  # fmt: skip
def test_a_factor_has_two_digits(effect: float, words: str):
    assert factor_words(effect) == words


def test_what_is_written_on_a_cell_can_be_read():
    for dark in (False, True):
        colours = theme(dark)
        for one in colours.palette[:2]:
            for share in range(11):
                cell = mixed(colours.background, one, share / 10)
                assert contrast(written_on(cell, colours), cell) >= 4


FOUND = [
    ProbeAccuracy(layer, place, 200 + 20 * layer + place, 400, Interval(0.4, 0.9), 0.5, 0.49, 0.75)
    for layer in range(5)
    for place in range(len(PLACES))
]


class TestTheProbe:
    def test_each_place_is_a_row_and_each_layer_a_column(self):
        chart = probe_charts.probe_chart(FOUND, "Skewed")
        cells, numbers = chart.figure.data
        assert [len(row) for row in cells.z] == [5] * len(PLACES)
        assert cells.z[3][2] == pytest.approx(243 / 400)
        there = list(zip(numbers.y, numbers.x, numbers.text, strict=True))
        assert (3, 2, "61") in there
        assert (cells.zmin, cells.zmax) == (0.5, 1)

    def test_numbers_have_n_interval_and_both_controls(self):
        row = probe_charts.probe_chart(FOUND, "Skewed").data.iloc[-1]
        assert (row["right"], row["n"], row["low"], row["high"]) == (287, 400, 0.4, 0.9)
        assert (row["share_shuffled_labels"], row["share_of_cue_word"]) == (0.49, 0.75)

    def test_the_sentence_names_the_best_place_with_its_interval_and_chance(self):
        said = probe_charts.probe_message(FOUND)
        assert "at the last word before the answer, after layer 4" in said
        assert (
            "71.8 % of 400 problems that it has not seen (95 % interval 40.0 % to 90.0 %)" in said
        )
        assert "alone would be right for half" in said
