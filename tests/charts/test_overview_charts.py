"""Charts of a set of pairs at a glance."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser

from biaslab.charts import config
from biaslab.charts.pair_overview import MOST_BINS, binned, imbalance_chart, measure_chart
from biaslab.studies import Arms, Design
from biaslab.studies.word_problems.overview import (
    Distribution,
    PairOverview,
    pair_overview,
)
from biaslab.studies.word_problems.overview.measures import MEASURES
from biaslab.studies.word_problems.presets.transfer_comparison import EXPERIMENT as TRANSFER

PHONE = 390
ARMS = Arms("transfer", "<b>comparison</b>")
BY_NAME = {measure.name: measure for measure in MEASURES}


@pytest.fixture(scope="module")
def overview() -> PairOverview:
    design = Design(TRANSFER.name, 60, 2)
    return pair_overview(TRANSFER.pairs(design), design)


def _distribution(x: dict[object, int], x_prime: dict[object, int], name: str) -> Distribution:
    return Distribution(BY_NAME[name], tuple(x.items()), tuple(x_prime.items()), None, None)


def test_members_are_told_apart_by_hatching_as_well_as_colour(overview) -> None:
    x, x_prime = measure_chart(overview.distribution("words"), ARMS).figure.data
    assert (x.marker.pattern.shape, x_prime.marker.pattern.shape) == ("", "/")
    assert x.marker.color != x_prime.marker.color


def test_shares_of_each_member_sum_to_the_whole(overview) -> None:
    for distribution in overview.distributions:
        for trace in measure_chart(distribution, ARMS).figure.data:
            assert sum(trace.x) == pytest.approx(100)


def test_the_chart_is_said_in_words_with_means(overview) -> None:
    summary = measure_chart(overview.distribution("steps"), ARMS).summary
    assert summary.startswith("Reasoning steps. How many calculations")
    assert "transfer (n = 60): mean 3.00; 1 20.0 %, 2 20.0 %" in summary


def test_the_numbers_behind_it_have_a_row_a_bin(overview) -> None:
    data = measure_chart(overview.distribution("operations"), ARMS).data
    assert set(data["level"]) == {"Addition", "Subtraction"}
    assert data["x"].sum() == data["x_prime"].sum() == 180


def test_names_of_members_are_never_markup(overview) -> None:
    figure = measure_chart(overview.distribution("steps"), ARMS).figure
    shown = " ".join(note.text for note in figure.layout.annotations) + figure.data[1].name
    assert "<b>comparison" not in shown
    assert "&lt;b&gt;comparison" in shown


LEVELS = st.dictionaries(st.integers(0, 10**7), st.integers(1, 9), min_size=1)


@given(LEVELS, LEVELS)
def test_numbers_are_put_into_few_bins_and_none_is_lost(x, x_prime) -> None:
    bins = binned(_distribution(x, x_prime, "numbers"))
    assert 1 <= len(bins) <= MOST_BINS
    assert sum(each.x for each in bins) == sum(x.values())
    assert sum(each.x_prime for each in bins) == sum(x_prime.values())


def test_few_numbers_have_a_row_each_and_gaps_stay_visible() -> None:
    bins = binned(_distribution({1: 4, 3: 1}, {1: 5}, "steps"))
    assert [(each.label, each.x, each.x_prime) for each in bins] == [
        ("1", 4, 5), ("2", 0, 0), ("3", 1, 0),
    ]  # fmt: skip


def test_warnings_are_bars_of_the_share_of_pairs(overview) -> None:
    chart = imbalance_chart(overview)
    (bars,) = chart.figure.data
    first = overview.warnings[0]
    assert bars.x[0] == pytest.approx(100 * first.pairs / 60)
    assert str(first) in chart.summary
    assert len(chart.data) == len(overview.warnings)


def test_nothing_to_warn_of_is_said_in_a_sentence() -> None:
    balanced = PairOverview(5, "carry", (), ())
    assert "nothing but the treatment" in imbalance_chart(balanced).summary
    assert "no pairs" in imbalance_chart(PairOverview(0, "", (), ())).summary
    empty = measure_chart(_distribution({}, {}, "steps"), ARMS)
    assert "nothing is known" in empty.summary


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_phone_shows_every_chart_whole(
    chromium: Browser, tmp_path: Path, overview: PairOverview, dark: bool
) -> None:
    charts = [measure_chart(each, ARMS, dark=dark) for each in overview.distributions]
    context = chromium.new_context(viewport={"width": PHONE, "height": 844})
    page = context.new_page()
    for number, chart in enumerate([*charts, imbalance_chart(overview, dark=dark)]):
        file = tmp_path / f"{number}.html"
        chart.figure.write_html(
            file, config=config("test"), include_plotlyjs="directory", div_id="chart",
            post_script="document.body.dataset.drawn = 'yes'",
        )  # fmt: skip
        page.goto(file.as_uri())
        page.wait_for_selector("body[data-drawn]")
        boxes = page.evaluate(
            """() => [...document.querySelectorAll('#chart svg text')]
                .map(t => [t.textContent, t.getBoundingClientRect()])
                .filter(([text]) => text).map(([text, b]) => [text, b.left, b.right, b.top])"""
        )
        assert boxes
        for text, left, right, top in boxes:
            assert left >= 0 and right <= PHONE and top >= 0, (number, text)  # noqa: PT018
    context.close()
