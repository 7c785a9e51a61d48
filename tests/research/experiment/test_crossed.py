"""Pair by pair: the figures that counts give, with intervals that hold as often as they say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.regression.mixed_linear_model import MixedLM

from research.experiment.design import (
    CELLS,
    CHECKS,
    CONSISTENCY,
    PREDICTIONS,
    ClaimFigure,
    at_fixed_total,
)
from research.experiment.outcomes import (
    TrainingAnswers,
    at_check,
    contrast_of,
    effect,
    over_log_lessons,
    slope,
)
from research.experiment.repeated import PairAnswers, over_both
from tests.research.experiment.simulated_table import always, by_ratio, simulated

CLAIMS = [
    claim for each in PREDICTIONS for claim in each.claims if claim.figure is not ClaimFigure.SIZE
]


@pytest.fixture(scope="module")
def answered():
    return simulated(by_ratio(10))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim.figure}-{claim.study}")
def test_every_figure_is_the_one_that_counts_give(answered, claim):
    contrast = contrast_of(claim)
    if contrast is None:
        assert claim.figure is ClaimFigure.DELAY
        return
    found = PairAnswers(answered.pairs).crossed(contrast)
    assert found.value == pytest.approx(TrainingAnswers(answered.table).estimate(contrast).value)
    assert (found.items, len(found.seeds)) == (200, 6)
    assert found.interval.low < found.value < found.interval.high


def test_a_start_without_all_its_pairs_does_not_count(answered):
    cells = at_fixed_total(CONSISTENCY)
    left = [each for each in answered.pairs if each.key[:2] != (cells[2].name, 103)]
    found = PairAnswers(left).crossed(slope(cells, CONSISTENCY, over_log_lessons()))
    assert found.seeds == (101, 102, 104, 105, 106)


def test_one_start_alone_has_no_interval():
    pairs = simulated(by_ratio(10), starts=1).pairs
    cells = at_fixed_total(CONSISTENCY)
    assert PairAnswers(pairs).crossed(slope(cells, CONSISTENCY, over_log_lessons())) is None


@pytest.mark.parametrize(("truth", "spread"), [(0.0, 0.04), (0.1, 0.04), (0.1, 0.2)])
def test_intervals_hold_the_truth_as_often_as_they_say(truth, spread):
    """Of no effect and of one, with starts that differ little or much, and items that all share."""
    cell = CELLS["consistency-5to1"]
    contrast = effect(cell, CONSISTENCY, at_check(CHECKS[0]))
    held = 0
    for chance in range(200):
        shares = always(0.5 + truth, 0.5)
        made = simulated(shares, [cell], 5, CHECKS[:1], spread, chance, pairs=100)
        found = PairAnswers(made.pairs).crossed(contrast)
        held += found.interval.low <= truth <= found.interval.high
    assert held >= 184


def test_the_error_is_that_of_a_mixed_model_with_crossed_effects():
    """As another library fits it, by restricted maximum likelihood."""
    draws = np.random.default_rng(5)
    starts, items = 6, 15
    values = (
        draws.normal(0, 1.0, (starts, 1)) + draws.normal(0, 0.8, (1, items))
        + draws.normal(0.3, 0.5, (starts, items))
    )  # fmt: skip
    table = pd.DataFrame(
        [(start, item, values[start, item]) for start in range(starts) for item in range(items)],
        columns=["start", "item", "z"],
    )
    fitted = MixedLM.from_formula(
        "z ~ 1", groups=np.ones(len(table)), data=table,
        vc_formula={"start": "0 + C(start)", "item": "0 + C(item)"},
    ).fit()  # fmt: skip
    found = over_both(values, tuple(range(starts)))
    reach = found.interval.high - found.value
    assert found.value == pytest.approx(fitted.params["Intercept"])
    assert reach / 2.5706 == pytest.approx(fitted.bse["Intercept"], rel=1e-3)


@given(
    st.lists(st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3), min_size=2, max_size=6)
)
def test_an_interval_is_never_narrower_than_starts_or_items_alone_leave_it(values):
    found = over_both(np.array(values), tuple(range(len(values))))
    if found.interval is None:
        assert np.ptp(values) < 1e-6
    else:
        reach = found.interval.high - found.value
        assert reach >= max(found.of_starts, found.of_items)
