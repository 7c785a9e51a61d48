"""How alike models are over biases, held against other computations and against chance."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from biaslab.studies.decisions.published import AVERAGE, RANDOM, published_biases
from biaslab.studies.decisions.results import (
    FEWEST_BIASES,
    alike_together,
    similarities,
    similarity,
    turned,
)

BIASES = [f"bias-{at}" for at in range(12)]
VALUES = st.lists(st.floats(-1, 1, width=16), min_size=12, max_size=12)


def published() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for cell in published_biases():
        if cell.model not in (AVERAGE, RANDOM):
            found.setdefault(cell.model, {})[cell.bias] = cell.value
    return found


@given(VALUES, VALUES)
def test_the_correlation_and_its_interval_are_those_of_scipy(one, other):
    models = {
        "a": dict(zip(BIASES, one, strict=True)),
        "b": dict(zip(BIASES, other, strict=True)),
    }
    found = similarity("a", "b", models)
    if found.correlation is None:
        assert min(np.ptp(one), np.ptp(other)) < 1e-6
        return
    expected = pearsonr(one, other)
    assert found.correlation == pytest.approx(expected.statistic, abs=1e-9)
    if found.interval is not None:
        low, high = expected.confidence_interval(0.95)
        assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=1e-6)


def test_only_shared_biases_count_and_few_of_them_tell_nothing():
    models = {
        "a": dict.fromkeys(BIASES[:6], 0.0) | {"bias-0": 1.0},
        "b": dict.fromkeys(BIASES[2:], 0.5),
        "c": {},
    }
    few = similarity("a", "b", models)
    assert (few.n, few.correlation, few.interval) == (4, None, None)
    assert few.n < FEWEST_BIASES
    assert few.distance == pytest.approx(0.5)
    none = similarity("a", "c", models)
    assert (none.n, none.correlation, none.distance) == (0, None, None)


def test_a_model_that_always_scores_the_same_is_like_nobody():
    models = {"a": dict.fromkeys(BIASES, 0.3), "b": {b: at / 12 for at, b in enumerate(BIASES)}}
    assert similarity("a", "b", models).correlation is None


def test_published_models_whose_biases_are_shuffled_are_alike_as_often_as_chance_has_it():
    """The null case, on figures that nobody here made: 19 models by 30 biases."""
    rng = np.random.default_rng(1)
    models = published()
    names = list(models)
    beyond = tries = 0
    for _ in range(40):
        shuffled = {
            name: dict(zip(values, rng.permutation(list(values.values())), strict=True))
            for name, values in models.items()
        }
        for one, other in pairwise(names):
            found = similarity(one, other, shuffled).interval
            assert found is not None
            beyond += not found.low <= 0 <= found.high
            tries += 1
    # 5 % of 720; beyond 55 in less than 1 of 1,000 series, were they independent.
    assert 18 <= beyond <= 55, (beyond, tries)


def test_published_models_are_alike_beyond_chance():
    """The positive control: all of one family of tests on models of one kind."""
    found = similarities(published())
    assert len(found) == 19 * 18 // 2
    assert found[0].interval is not None
    assert found[0].interval.low > 0
    told = [each.correlation for each in found if each.correlation is not None]
    assert told == sorted(told, reverse=True)


def test_rows_that_are_alike_stand_together():
    rows = {
        "low": {"a": -0.9, "b": -0.8}, "high": {"a": 0.9, "b": 0.9},
        "low too": {"a": -0.8, "b": -0.9}, "high too": {"a": 0.8, "b": 1.0},
        "alone": {"c": 0.1},
    }  # fmt: skip
    order = alike_together(rows)
    assert sorted(order) == sorted(rows)
    assert abs(order.index("low") - order.index("low too")) == 1
    assert abs(order.index("high") - order.index("high too")) == 1


@given(
    st.dictionaries(
        st.sampled_from("abcdef"), st.dictionaries(st.sampled_from("xyz"), st.floats(-1, 1))
    )
)
def test_an_order_loses_nobody_and_turning_twice_gives_the_same(rows):
    assert sorted(alike_together(rows)) == sorted(rows)
    kept = {name: values for name, values in rows.items() if values}
    assert turned(turned(rows)) == kept
