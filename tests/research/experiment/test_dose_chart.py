"""The dose-response curve, and the sentence over it, say no more than their intervals."""

from __future__ import annotations

import pytest

from research.experiment.design import CHECKS, CONSISTENCY, at_fixed_total
from research.experiment.dose import dose, dose_chart, in_mix_sentence, sentence
from tests.research.experiment.simulated_table import by_ratio, no_effect, table

CELLS = at_fixed_total(CONSISTENCY)


def curve(shares, starts, checks=CHECKS):
    return dose(table(shares, CELLS, starts, checks), CONSISTENCY)


@pytest.mark.parametrize("dark", [False, True])
def test_every_start_has_a_line_and_the_mean_a_bar_at_each_ratio(dark):
    chart = dose_chart(curve(by_ratio(10), 3), "consistent to inconsistent", dark=dark)
    assert len(chart.figure.data) == 3 + 1
    bars = [shape for shape in chart.figure.layout.shapes if shape.x0 == shape.x1]
    assert len(bars) == 5
    assert list(chart.figure.layout.xaxis.ticktext) == ["1:5", "1:1", "2:1", "5:1", "20:1"]
    assert "over starts and items" in chart.summary
    assert list(chart.data["starts"]) == [3] * 5


def test_one_start_says_that_it_is_one_and_decides_nothing():
    found = curve(by_ratio(10), 1)
    assert sentence(found).startswith("Not yet trained: with 1 of 10 starts nothing is decided")
    assert "no interval" in sentence(found)
    chart = dose_chart(found, "consistent to inconsistent")
    assert "over items, one start" in chart.summary


def test_before_any_training_has_ended_the_last_common_check_is_shown():
    found = curve(by_ratio(10), 2, CHECKS[:3])
    assert found.lessons == 24_576
    assert "after 24,576 of 131,072 lessons" in sentence(found)
    assert curve(by_ratio(10), 2).lessons is None


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        (by_ratio(10), "rises with the ratio"),
        (by_ratio(-10), "does not rise with the ratio"),
        (by_ratio(0.7), "cannot be told"),
    ],
)
def test_the_sentence_goes_by_the_interval(shares, said):
    assert said in sentence(curve(shares, 6))


def test_where_nothing_is_the_sentence_does_not_say_that_it_rises():
    assert not sentence(curve(no_effect, 6)).startswith("Over learning, the consistency effect")


def gone_at_the_end(cell, study, lessons):
    """An effect all along that is away after the last lesson."""
    return (no_effect if lessons == CHECKS[-1] else by_ratio(10))(cell, study, lessons)


def test_what_is_so_over_learning_is_not_said_of_the_last_lesson():
    found = curve(gone_at_the_end, 6)
    over, end = sentence(found).split("; after the last lesson, ")
    assert over.startswith(
        "Over learning, the consistency effect rises with the ratio: a doubling adds "
    )
    assert not end.startswith("it rises")
    assert found.end is not None
    assert found.end.slope.starts.keys() == found.slope.starts.keys()
    assert 3 * abs(found.end.slope.value) < found.slope.value
    mix = in_mix_sentence(found)
    assert mix.startswith("In a network of this size, with 20:1 the mix makes +")
    over, end = mix.split(" over learning; after the last lesson ")
    assert ", perhaps none," not in over
    assert ", perhaps none," in end


def test_how_much_is_in_the_mix_is_what_an_even_mix_does_not_have():
    found = curve(by_ratio(10), 6)
    effects = {ratio: estimate.value for ratio, estimate in found.effects.items()}
    assert found.in_mix.value == pytest.approx(effects[20, 1] - effects[1, 1])
    assert in_mix_sentence(curve(by_ratio(10), 2)).endswith("is not decided yet.")


def test_nothing_trained_is_said():
    assert dose([], CONSISTENCY) is None
    assert "not yet trained" in dose_chart(None, "consistent to inconsistent").summary
