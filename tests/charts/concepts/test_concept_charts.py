"""Charts of the study of concepts: number line, all totals, ceilings, distances."""

from __future__ import annotations

import pytest

from biaslab.charts.concepts import (
    Curve,
    accuracy_chart,
    distance_chart,
    extension_chart,
    number_line,
)
from biaslab.stats import Interval
from biaslab.studies.concepts import Population, read_concept
from biaslab.studies.concepts.answers import signal_detection
from biaslab.studies.concepts.results import Ceiling, ConceptAccuracy, ConceptFigures


def found(concept: str, value: float | None, arm: str = "x", semantics: str = "hidden"):
    accuracy = ConceptAccuracy(value, None if value is None else Interval(0.4, 0.9), 50, 0, 0)
    ceilings = (Ceiling("ratio", "", 0.98), Ceiling("count", "", 0.8))
    return ConceptFigures(
        "r", concept, "3/10", "upward", semantics, arm, accuracy,
        signal_detection(20, 25, 5, 25), ceilings, 1.0,
    )  # fmt: skip


def test_the_number_line_fills_where_yes_is_right() -> None:
    yes, no = number_line(read_concept("more than 3/10"), 10).figure.data
    assert list(yes.x) == list(range(4, 11))
    assert list(no.x) == list(range(4))
    assert yes.marker.symbol != no.marker.symbol


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("between 1/4 and 3/4", "yes for 5 to 15."),
        ("outside 1/4 and 3/4", "yes for 0 to 4 and 16 to 20."),
        ("all", "yes for 20."),
        ("an even number", "yes for 11 of 21 parts, such as 0 and 2."),
        ("more than 20", "yes for none of them."),
    ],
)
def test_the_number_line_says_the_same_in_words(text: str, words: str) -> None:
    assert number_line(read_concept(text), 20).summary.endswith(words)


def test_all_totals_have_the_exact_counts_and_nothing_beyond_the_total() -> None:
    chart = extension_chart(read_concept("more than 1/2"), Population(5, 100))
    assert int(chart.data["yes"].sum()) == 2544
    assert (chart.data["has"] <= chart.data["total"]).all()
    assert "2,544 of 5,136" in chart.summary


def test_accuracies_stand_with_their_ceilings_and_in_words() -> None:
    figures = [found("more than 3/10", 0.9), found("less than 7/10", None, "x_prime")]
    chart = accuracy_chart(figures)
    ratio, count, hidden = chart.figure.data
    assert list(ratio.x) == [98.0, 98.0]
    assert list(count.x) == [80.0, 80.0]
    assert list(hidden.x) == [90.0]
    assert "ratio learner 98.0 %" in chart.summary
    assert list(chart.data["d_prime"].round(2)) == [1.6, 1.6]


def test_names_cannot_do_mischief_and_nothing_answered_says_so() -> None:
    chart = accuracy_chart([found("<b>$x$</b>", 0.5)], dark=True)
    assert "<b>$x$</b>" not in str(chart.figure.to_dict()["layout"]["yaxis"]["ticktext"])
    assert "Nothing" in accuracy_chart([]).summary
    assert "Nothing" in distance_chart([], ["0.00 to 0.05"]).summary


def test_curves_leave_out_empty_bins_and_differ_by_line_as_well() -> None:
    some = {"0.05 to 0.10": ConceptAccuracy(0.5, Interval(0.3, 0.7), 9, 0, 0)}
    curves = [Curve("x", "hidden", some), Curve("x_prime", "hidden", some)]
    figure = distance_chart(curves, ["0.00 to 0.05", "0.05 to 0.10"]).figure
    assert list(figure.layout.xaxis.ticktext) == ["0.05–0.10"]
    assert [trace.line.dash for trace in figure.data] == ["solid", "dot"]
