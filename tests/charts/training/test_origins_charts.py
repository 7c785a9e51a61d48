"""Pictures of where a bias comes from: by mix, and along training."""

from __future__ import annotations

import pytest

from biaslab.charts.origins import MixPanel, mix_chart, training_chart
from biaslab.training.origins.effects import along_training, final_effects
from biaslab.training.origins.rows import CheckKind
from tests.training.origins.synthetic_family import synthetic_family, with_effect

ROWS = synthetic_family(steps=(1,))
KIND = CheckKind("consistency", 1, "direct")


@pytest.mark.parametrize("dark", [False, True])
def test_every_mix_has_a_mark_two_bars_and_its_trainings(dark: bool) -> None:
    chart = mix_chart([MixPanel("Wording", final_effects(ROWS, KIND))], "directly", dark=dark)
    seeds, together = chart.figure.data
    assert len(seeds.x) == 12
    assert list(together.x) == pytest.approx([40.0, 0.0, -36.0, 0.0])
    bars = [shape for shape in chart.figure.layout.shapes if shape.x0 != shape.x1]
    assert len(bars) == 8
    assert list(chart.figure.layout.yaxis.ticktext) == [
        "skewed", "balanced", "reversed", "carry-rare",
    ]  # fmt: skip


def test_the_summary_says_both_intervals_n_and_what_was_not_measured() -> None:
    panels = [MixPanel("Wording", final_effects(ROWS, KIND)), MixPanel("Carry", {})]
    chart = mix_chart(panels, "asked directly, 1 step")
    assert "skewed: +40.0 (95 % interval over items " in chart.summary
    assert "over trainings +39.0 to +41.0, 2 degrees of freedom" in chart.summary
    assert "3 trainings, asked 1,000 pairs each" in chart.summary
    assert "Carry: not measured." in chart.summary
    assert {"cate", "items_low", "seeds_high", "right_x_low", "cate_by_seed"} <= set(chart.data)


def test_one_training_says_that_there_is_no_interval_over_trainings() -> None:
    effects = final_effects([with_effect(10)], CheckKind("consistency", 1, "direct", "additive"))
    chart = mix_chart([MixPanel("Wording", effects)], "directly")
    assert "over trainings none" in chart.summary


def test_along_training_a_mix_has_a_line_and_one_for_each_arm_apart_from_colour() -> None:
    curves = along_training(ROWS, KIND)
    chart = training_chart(curves, "Wording", "directly", ("consistent", "inconsistent"))
    traces = chart.figure.data
    assert len(traces) == 9  # carry-rare was measured at the end only
    assert len({trace.line.dash for trace in traces[::3]}) == 3
    assert traces[1].line.width > traces[2].line.width
    assert "skewed: +12.0 after 8,000 examples" in chart.summary
    assert len(chart.data) == 16


def test_nothing_measured_says_what_to_do() -> None:
    assert "choose another prompt strategy" in mix_chart([MixPanel("Carry", {})], "").summary
    assert "choose another prompt strategy" in training_chart({}, "Carry", "", ("a", "b")).summary


def test_names_of_mixes_cannot_do_mischief() -> None:
    rows = [with_effect(5, mix="<b>$x$</b>", examples=n, final=False) for n in (1, 2)]
    kind = CheckKind("consistency", 1, "direct", "additive")
    chart = training_chart(along_training(rows, kind), "W", "", ("a", "b"))
    assert "<b>$x$</b>" not in str(chart.figure.to_dict()["layout"])
