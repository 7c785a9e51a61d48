"""The chart of accuracies: both arms with Wilson intervals, n in every label."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from biaslab.charts import arms_chart
from biaslab.stats import Effect
from biaslab.studies import Arms

ARMS = Arms("consistent", "inconsistent")
Maker = Callable[..., list[Effect]]


def test_each_arm_is_a_trace_in_per_cent_with_wilson_intervals(make_effects: Maker) -> None:
    found = make_effects()
    chart = arms_chart(found, ARMS, stratum_label="Steps")
    x, x_prime = chart.figure.data
    assert (x.name, x_prime.name) == ("consistent", "inconsistent")
    assert list(x.x) == pytest.approx([100 * e.accuracy_x for e in found])
    assert list(x_prime.x) == pytest.approx([100 * e.accuracy_x_prime for e in found])
    lows = [value - down for value, down in zip(x.x, x.error_x.arrayminus, strict=True)]
    assert lows == pytest.approx([100 * e.accuracy_x_ci.low for e in found])
    assert (x.marker.color, x.marker.symbol) != (x_prime.marker.color, x_prime.marker.symbol)
    assert x.marker.symbol != x_prime.marker.symbol


def test_the_data_say_which_point_each_effect_is(three_kinds: list[Effect]) -> None:
    chart = arms_chart(three_kinds, ARMS)
    for effect, (_, row) in zip(three_kinds, chart.data.iterrows(), strict=True):
        shown = [trace.x[row["point"]] for trace in chart.figure.data]
        assert shown == pytest.approx([100 * effect.accuracy_x, 100 * effect.accuracy_x_prime])


def test_every_row_is_labelled_with_stratum_and_n(make_effects: Maker) -> None:
    axis = arms_chart(make_effects(), ARMS, stratum_label="Steps").figure.layout.yaxis
    labels = [text.replace("<br>", " ") for text in axis.ticktext]
    assert labels == [f"Steps: {s} (n\u00a0=\u00a040)" for s in (1, 2, 3)]


def test_several_runs_stand_under_headings_with_their_kind(three_kinds: list[Effect]) -> None:
    chart = arms_chart(three_kinds, ARMS)
    notes = " ".join(note.text.replace("<br>", "") for note in chart.figure.layout.annotations)
    for heading in (
        "Simulated learner: learner:child",
        "Tiny model: tiny",
        "Language model: local",
    ):
        assert heading in notes
    assert len(chart.figure.data[0].x) == 9


def test_the_summary_says_both_accuracies_with_interval_and_n(make_effects: Maker) -> None:
    found = make_effects(by=None)
    chart = arms_chart(found, ARMS, study="Consistency")
    (effect,) = found
    assert f"“consistent” {100 * effect.accuracy_x:.1f} % (95 % interval" in chart.summary
    assert f"“inconsistent” {100 * effect.accuracy_x_prime:.1f} % (95 % interval" in chart.summary
    assert chart.summary.count("n = 120)") == 2
    assert chart.data.loc[0, "accuracy_x_low"] == effect.accuracy_x_ci.low


def test_nothing_to_draw_and_too_much_to_draw_are_said_in_a_sentence(make_effects: Maker) -> None:
    assert "no pair has both its answers" in arms_chart([], ARMS).summary
    many = arms_chart(make_effects({"pairs": 202, "steps": 101}), ARMS)
    assert "202 accuracies" in many.summary
    assert len(many.figure.data) == 0


def test_outcomes_on_a_scale_are_means_in_their_own_unit(make_effects: Maker) -> None:
    found = make_effects({"scale": True}, by=None)
    chart = arms_chart(found, ARMS)
    assert list(chart.figure.data[0].x) == pytest.approx([found[0].accuracy_x])
    assert "Mean outcome" in chart.summary
    assert "Wilson" not in chart.figure.layout.xaxis.title.text
