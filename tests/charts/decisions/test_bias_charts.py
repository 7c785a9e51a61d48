"""Charts of decision biases: marks, bands, published values, and the same in words."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from biaslab.charts.chart import contrast, theme
from biaslab.charts.decisions import (
    ProfileFigure,
    ScoredRun,
    answers_chart,
    drawn_biases,
    drawn_heat,
    heat_colour,
    heat_map_chart,
    profile_chart,
)
from biaslab.stats import Interval
from biaslab.stats.effects import ALL
from biaslab.studies.decisions.biases import bias
from biaslab.studies.decisions.published import AVERAGE, published_biases
from biaslab.studies.decisions.results import (
    OptionCount,
    bias_profile,
    option_counts,
    option_labels,
)

NAMES = {"anchoring": "Anchoring", "framing-effect": "Framing effect", "reactance": "Reactance"}


def items(*cases: tuple[str, int, int]) -> pd.DataFrame:
    """Answered items; a case is (bias, position in control, in treatment)."""
    rows = []
    for position, (name, control, treatment) in enumerate(cases):
        for arm, answer in (("x", control), ("x_prime", treatment)):
            rows.append(
                {
                    "run": "r", "study": "decision", "model": "m", "model_kind": "learner",
                    "strategy": "choose", "position": position, "arm": arm, "sample": 0,
                    "state": "answered", "extra": {"position": answer},
                    "facts": {"bias": name, "kappa": -1, "gamma": 0, "scale": 7},
                    "cluster": f"s{position}", "strata": {"bias": name},
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


@pytest.fixture
def run() -> ScoredRun:
    table = items(
        *(("anchoring", 0, at % 3) for at in range(9)),
        *(("framing-effect", 3, 3 + at % 2) for at in range(8)),
    )
    scores = {each.bias: each for each in bias_profile(table) if each.bias != ALL}
    return ScoredRun("A learner", "learner", scores)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("figure", list(ProfileFigure))
def test_every_bias_with_answers_has_a_mark_and_words(run, figure, dark):
    chart = profile_chart([run], NAMES, figure, dark=dark)
    assert len(chart.figure.data[0].x) == 2
    assert "Anchoring" in chart.summary
    assert "n = 9 pairs in 9 scenes" in chart.summary
    assert "Reactance" not in chart.summary
    assert list(chart.data["bias"]) == ["anchoring", "framing-effect"]


def test_a_click_on_a_mark_names_its_bias(run):
    chart = profile_chart([run], NAMES)
    shown = drawn_biases(run, list(NAMES), ProfileFigure.METRIC)
    for point, name in enumerate(shown):
        assert chart.figure.data[0].x[point] == pytest.approx(run.scores[name].metric)


def test_the_band_of_random_answers_is_drawn_for_the_metric_alone(run):
    def bands(figure):
        return [s for s in profile_chart([run], NAMES, figure).figure.layout.shapes
                if s.type == "rect"]  # fmt: skip

    assert len(bands(ProfileFigure.METRIC)) == 2
    assert bands(ProfileFigure.SHIFT) == []
    low = run.scores["anchoring"].band.low
    assert min(band.x0 for band in bands(ProfileFigure.METRIC)) <= max(-1, low)


def test_published_values_are_hollow_and_without_intervals(run):
    cells = [cell for cell in published_biases() if cell.model == AVERAGE]
    chart = profile_chart([run], NAMES, published=cells)
    beside = chart.figure.data[1]
    assert beside.marker.symbol.endswith("-open")
    assert len(beside.x) == 2
    assert beside.error_x.array is None
    assert "without intervals" in chart.summary
    assert len(profile_chart([run], NAMES, ProfileFigure.SHIFT, cells).figure.data) == 1


def test_without_answers_the_chart_says_so():
    chart = profile_chart([ScoredRun("A learner", "learner", {})], NAMES)
    assert chart.summary == "Nothing has been answered yet."
    assert "No answer" in answers_chart([OptionCount(0, "1 · a", 0, 0)]).summary


def test_answers_are_shares_of_each_arm_in_the_order_of_the_scale():
    framing = bias("framing-effect")
    counts = option_counts(
        items(("framing-effect", 0, 6), ("framing-effect", 0, 5), ("anchoring", 1, 1)), framing
    )
    assert [(c.control, c.treatment) for c in counts] == [
        (2, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 1), (0, 1),
    ]  # fmt: skip
    chart = answers_chart(counts)
    assert list(chart.figure.data[0].x)[:2] == [100, 0]
    assert list(chart.figure.data[1].x)[5:] == [50, 50]
    assert "Control n = 2 answers, treatment n = 2" in chart.summary


def test_options_with_gaps_are_named_by_number_and_what_is_fixed():
    labels = option_labels(bias("conservatism-bias"))
    assert [label.split(" · ")[0] for label in labels] == [str(n) for n in range(1, 8)]
    assert not any("{" in label or "[" in label for label in labels)


def test_the_published_heat_map_is_whole():
    cells = published_biases()
    assert len(cells) == 30 * 21
    assert {cell.bias for cell in cells if cell.note} == {"conservatism-bias"}
    assert all(-1 <= cell.value <= 1 for cell in cells)


@pytest.mark.parametrize("dark", [False, True])
def test_the_heat_map_has_a_cell_for_each_bias_of_each_run_and_published_model(run, dark):
    cells = [cell for cell in published_biases() if cell.model == AVERAGE]
    chart = heat_map_chart([run, run], NAMES, published=cells, intervals=True, dark=dark)
    assert len(chart.figure.data[0].x) == 4
    assert len(chart.figure.data[1].x) == 2
    assert drawn_heat([run, run], NAMES, ProfileFigure.METRIC) == [
        (0, "anchoring"), (1, "anchoring"), (0, "framing-effect"), (1, "framing-effect"),
    ]  # fmt: skip
    assert len(chart.data) == 6
    assert "n = 9 pairs in 9 scenes" in chart.summary


def test_brackets_stand_where_random_answers_score_as_much_and_nowhere_else(run):
    weak = run.scores["framing-effect"]
    strong = replace(weak, metric=0.9, band=Interval(-0.2, 0.2))
    inside = replace(weak, metric=0.1, band=Interval(-0.2, 0.2))
    scores = {"anchoring": strong, "framing-effect": inside}
    chart = heat_map_chart([replace(run, scores=scores)], NAMES)
    assert [text.split("<br>")[0] for text in chart.figure.data[0].text] == ["+.90", "(+.10)"]
    assert list(chart.data["as_chance"]) == [False, True]
    assert chart.summary.count("random answers often score") == 1


def test_more_than_six_columns_have_one_decimal_so_that_they_fit_a_phone(run):
    six, seven = (heat_map_chart([run] * many, NAMES).figure.data[0] for many in (6, 7))
    assert {len(text.split(".")[1].rstrip(")")) for text in six.text} == {2}
    assert {len(text.split(".")[1].rstrip(")")) for text in seven.text} == {1}
    assert seven.insidetextfont.size < six.insidetextfont.size
    assert seven.customdata[0] == six.customdata[0]


def test_colours_of_cells_tell_sign_and_size_and_numbers_can_be_read():
    for dark in (False, True):
        assert heat_colour(0.0, dark) != heat_colour(1.0, dark) != heat_colour(-1.0, dark)
        for value in (-1, -0.6, -0.3, 0, 0.3, 0.6, 1):
            fill = heat_colour(value, dark)
            assert max(contrast("#000000", fill), contrast("#FFFFFF", fill)) >= 4.5


def test_more_cells_than_can_be_read_are_not_drawn(run):
    names = {f"b{at}": f"Bias {at}" for at in range(40)}
    scores = dict.fromkeys(names, run.scores["anchoring"])
    chart = heat_map_chart([replace(run, scores=scores)] * 20, names)
    assert "800 cells, more than can be read" in chart.summary


def test_a_cell_of_fewer_than_five_pairs_is_faded_and_the_legend_says_so(run):
    few = {**run.scores, "anchoring": replace(run.scores["anchoring"], n=4)}
    plain = heat_map_chart([run], NAMES).figure
    told = heat_map_chart([replace(run, scores=few)], NAMES).figure
    before, after = plain.data[0].marker.color, told.data[0].marker.color
    assert before[0] != after[0]
    assert before[1] == after[1]
    assert contrast(after[0], theme(dark=False).background) < contrast(
        before[0], theme(dark=False).background
    )
    assert "Faded: fewer than 5 pairs." in told.layout.annotations[0].text
    assert "Faded" not in plain.layout.annotations[0].text
