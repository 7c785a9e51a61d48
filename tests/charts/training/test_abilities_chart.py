"""What a tiny model gets right: every measured cell with its share and n, and nothing else."""

from __future__ import annotations

import pytest

from biaslab.charts.chart import cell_colour
from biaslab.charts.origins import abilities_chart
from biaslab.models import CardEffect, read_card
from biaslab.models.tiny.model import tiny_directory
from biaslab.studies import Arms, experiment

ARMS = {"consistency": Arms("consistent", "inconsistent"), "carry": Arms("no carry", "carry")}


def effect(study="consistency", steps=1, comparison="additive", n=200, right=(150, 50)):
    return CardEffect(study, "cot", steps, comparison, n, *right, None, None, identical=False)


@pytest.mark.parametrize("dark", [False, True])
def test_every_member_has_a_cell_of_its_share(dark):
    chart = abilities_chart([effect(), effect(steps=2, right=(20, 0))], ARMS, "asked", dark=dark)
    (bars,) = chart.figure.data
    assert list(bars.text) == ["75.0", "25.0", "10.0", "0.0"]
    assert list(bars.marker.color) == [cell_colour(s, dark) for s in (0.75, 0.25, 0.1, 0.0)]
    assert list(chart.figure.layout.xaxis.ticktext) == ["1 step", "2"]
    assert len(chart.figure.layout.yaxis.ticktext) == 2
    assert "consistent, “3 more”, 1 step: 75.0 % right (95 % interval " in chart.summary
    assert "n = 200)" in chart.summary


def test_what_was_not_measured_stays_empty_and_how_many_were_asked_is_told():
    chart = abilities_chart(
        [effect(steps=3), effect("carry", comparison="", n=1_000, right=(1_000, 999))], ARMS, "so"
    )
    assert len(chart.data) == 4
    assert list(chart.figure.data[0].text)[-2:] == ["100.0", "99.9"]
    (key,) = (each.text for each in chart.figure.layout.annotations if "Empty" in each.text)
    assert key.endswith("n = 200 to 1,000.")
    assert chart.figure.layout.xaxis.range == (-0.5, 2.5)


def test_where_nothing_was_measured_a_sentence_says_so():
    chart = abilities_chart([], ARMS, "asked directly")
    assert "Nothing was measured" in chart.summary
    assert not chart.figure.data


def test_of_a_shipped_model_it_has_every_figure_of_the_card():
    card = read_card(tiny_directory("skewed"))
    measured = [each for each in card.effects if each.strategy == "cot"]
    arms = {each.study: experiment(each.study).arms for each in measured}
    chart = abilities_chart(measured, arms, "step by step")
    assert chart.data["right"].sum() == sum(e.right_x + e.right_x_prime for e in measured)
    assert chart.data["n"].sum() == 2 * sum(e.n for e in measured)
