"""The chart of effects: every run and stratum with n and interval, and what it says in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from biaslab.charts import cate_chart
from biaslab.stats import Effect
from biaslab.studies import Arms
from biaslab.studies.published import published_effects

ARMS = Arms("consistent", "inconsistent")
Maker = Callable[..., list[Effect]]


def test_every_run_is_a_trace_of_points_in_percentage_points(three_kinds: list[Effect]) -> None:
    chart = cate_chart(three_kinds, ARMS)
    assert len(chart.figure.data) == 3
    for trace, run in zip(chart.figure.data, "abc", strict=True):
        wanted = [e for e in three_kinds if e.run == run]
        assert list(trace.x) == pytest.approx([100 * e.cate for e in wanted])
        highs = [x + up for x, up in zip(trace.x, trace.error_x.array, strict=True)]
        assert highs == pytest.approx([100 * e.ci_high for e in wanted])
        lows = [x - down for x, down in zip(trace.x, trace.error_x.arrayminus, strict=True)]
        assert lows == pytest.approx([100 * e.ci_low for e in wanted])
    notes = [note for note in chart.figure.layout.annotations if note.text.startswith("n = ")]
    assert {(note.y, note.text) for note in notes} == {
        (y, "n = 40") for trace in chart.figure.data for y in trace.y
    }


def test_no_two_points_lie_on_the_same_line(three_kinds: list[Effect]) -> None:
    places = [y for trace in cate_chart(three_kinds, ARMS).figure.data for y in trace.y]
    assert len(set(places)) == len(places) == 9


def test_the_zero_line_and_both_directions_are_explained(three_kinds: list[Effect]) -> None:
    figure = cate_chart(three_kinds, ARMS).figure
    (zero,) = figure.layout.shapes
    assert (zero.x0, zero.x1) == (0, 0)
    low, high = figure.layout.xaxis.range
    assert low < 0 < high
    words = " ".join(note.text for note in figure.layout.annotations)
    assert "“inconsistent”<br>is easier" in words
    assert "“consistent” is easier ▶<br>(child-like)" in words


def test_the_legend_names_the_kind_of_every_model(three_kinds: list[Effect]) -> None:
    notes = [note.text for note in cate_chart(three_kinds, ARMS).figure.layout.annotations]
    legend = [note for note in notes if note.endswith(":") or "<span" in note]
    assert [line for line in legend if line.endswith(":")] == [
        "Simulated learner:", "Tiny model:", "Language model:",
    ]  # fmt: skip
    assert sum("<span" in line for line in legend) == 3


def test_the_summary_says_every_effect_with_its_interval_and_n(three_kinds: list[Effect]) -> None:
    chart = cate_chart(three_kinds, ARMS, study="Consistency", stratum_label="Steps")
    assert chart.summary.startswith("Consistency: how much easier")
    assert chart.summary.count("n = 40)") == 9
    assert chart.summary.count("95 % interval") == 9
    assert "learner:child, direct (simulated learner): Steps: 1:" in chart.summary
    assert "local:/models/some-quite-long-name-of-a-model-1.1B, cot" in chart.summary


def test_the_data_hold_a_row_per_effect(three_kinds: list[Effect]) -> None:
    data = cate_chart(three_kinds, ARMS).data
    assert list(data["cate"]) == [e.cate for e in three_kinds]
    assert list(data["n"]) == [40] * 9


def test_the_data_say_which_mark_each_effect_is_so_that_it_can_be_clicked(
    make_effects: Maker,
) -> None:
    found = make_effects(
        {"run": "z", "kind": "language model", "model": "local:m"}, {"run": "a"}, by="steps"
    )
    chart = cate_chart(found, ARMS, published_effects=published_effects("consistency", "cot"))
    for effect, (_, row) in zip(found, chart.data.iterrows(), strict=False):
        assert chart.figure.data[row["trace"]].x[row["point"]] == pytest.approx(100 * effect.cate)
    assert chart.data["trace"].isna().sum() == len(published_effects("consistency", "cot"))


def test_runs_alike_in_model_and_strategy_are_told_apart(make_effects: Maker) -> None:
    chart = cate_chart(make_effects({"run": "one"}, {"run": "two"}), ARMS)
    assert "run one" in chart.summary
    assert "run two" in chart.summary


class TestPublished:
    def test_published_models_stand_apart_hollow_and_without_intervals(
        self, make_effects: Maker
    ) -> None:
        published = published_effects("consistency", "direct")
        chart = cate_chart(make_effects(by=None), ARMS, published_effects=published)
        measured, *printed = chart.figure.data
        assert len(printed) == 2
        assert max(measured.y) < min(y for trace in printed for y in trace.y)
        for trace in printed:
            assert trace.marker.symbol.endswith("-open")
            assert trace.error_x.array is None
            assert trace.name.startswith("Published: ")
        values = [x for trace in printed for x in trace.x]
        assert values == pytest.approx([100 * e.cate for e in published])
        headings = [n.text for n in chart.figure.layout.annotations if "Published" in n.text]
        assert len(headings) == 2

    def test_the_summary_keeps_them_apart_with_n_and_says_that_intervals_are_missing(
        self, make_effects: Maker
    ) -> None:
        published = published_effects("carry", "direct")
        chart = cate_chart(
            make_effects({"study": "carry"}, by=None), Arms("no carry", "carry"),
            published_effects=published,
        )  # fmt: skip
        said = "Published: Opedal et al. 2024, direct (n = 500 each, no intervals printed)"
        assert said in chart.summary
        assert "LLaMA2 70B −1.0" in chart.summary
        assert set(chart.data["source"]) == {"this lab", "Opedal et al. 2024"}


class TestNothingToDraw:
    def test_without_effects_a_sentence_stands_in_the_chart_and_in_the_summary(self) -> None:
        chart = cate_chart([], ARMS)
        assert "no effect to show yet" in chart.summary
        assert "no effect to show" in chart.figure.layout.annotations[0].text
        assert len(chart.figure.data) == 0

    def test_strata_without_answers_are_left_out_and_mentioned(self, make_effects: Maker) -> None:
        first, *others = make_effects()
        empty = replace(first, n=0, cate=None, ci_low=None, ci_high=None)
        chart = cate_chart([empty, *others], ARMS)
        assert len(chart.figure.data[0].x) == 2
        assert "Not drawn, because no pair has both its answers yet: 1." in chart.summary

    def test_an_effect_without_interval_has_a_point_without_bars_and_says_so(
        self, make_effects: Maker
    ) -> None:
        chart = cate_chart(make_effects({"pairs": 1, "steps": 1}), ARMS)
        assert list(chart.figure.data[0].error_x.array) == [None]
        assert "no 95 % interval can be determined, n = 1" in chart.summary

    def test_too_many_effects_are_not_drawn_but_kept_as_data(self, make_effects: Maker) -> None:
        many = make_effects({"pairs": 402, "steps": 201})
        chart = cate_chart(many, ARMS)
        assert "201 effects" in chart.summary
        assert "choose fewer runs" in chart.summary
        assert len(chart.data) == 201


def test_effects_of_two_studies_are_refused(make_effects: Maker) -> None:
    mixed = make_effects({"run": "a"}, {"run": "b", "study": "carry"})
    with pytest.raises(ValueError, match="carry, consistency"):
        cate_chart(mixed, ARMS)


def test_outcomes_on_a_scale_are_shown_in_their_own_unit(make_effects: Maker) -> None:
    found = make_effects({"scale": True}, by=None)
    chart = cate_chart(found, ARMS)
    assert list(chart.figure.data[0].x) == pytest.approx([found[0].cate])
    assert "units of the scale" in chart.summary
    assert "percentage" not in chart.summary
