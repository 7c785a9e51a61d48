"""Critical values for several looks, held against published tables and simulation."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from biaslab.stats import ImpossiblePlan
from biaslab.stats.stopping import (
    Spending,
    critical_values,
    crossing,
    drift_for_power,
    spent,
)

spendings = st.sampled_from(["obrien-fleming", "pocock"])


def _equal(looks: int) -> tuple[float, ...]:
    return tuple(k / looks for k in range(1, looks + 1))


@pytest.mark.parametrize(
    ("spending", "published"),
    [
        ("obrien-fleming", [4.877, 3.357, 2.680, 2.290, 2.031]),
        ("pocock", [2.438, 2.427, 2.410, 2.397, 2.386]),
    ],
)
def test_five_equal_looks_at_5_per_cent_give_the_published_spending_boundaries(
    spending: Spending, published: list[float]
) -> None:
    found = critical_values(_equal(5), 0.05, spending)
    assert list(found) == pytest.approx(published, abs=6e-4)


@pytest.mark.parametrize(
    ("looks", "pocock", "obrien_fleming"),
    [
        (2, 2.178, 1.977),
        (3, 2.289, 2.004),
        (4, 2.361, 2.024),
        (5, 2.413, 2.040),
        (10, 2.555, 2.087),
    ],
)
def test_the_classical_boundaries_of_jennison_and_turnbulls_tables_err_5_times_in_a_hundred(
    looks: int, pocock: float, obrien_fleming: float
) -> None:
    shares = _equal(looks)
    assert crossing(shares, [pocock] * looks).total == pytest.approx(0.05, abs=1e-4)
    falling = [obrien_fleming * math.sqrt(1 / share) for share in shares]
    assert crossing(shares, falling).total == pytest.approx(0.05, abs=1e-4)


@pytest.mark.parametrize(
    ("power", "pocock", "obrien_fleming"), [(0.8, 1.229, 1.028), (0.9, 1.207, 1.026)]
)
def test_five_classical_looks_need_as_many_more_pairs_as_is_known(
    power: float, pocock: float, obrien_fleming: float
) -> None:
    shares = _equal(5)
    once = stats.norm.isf(0.025) + stats.norm.ppf(power)
    falling = [2.040 * math.sqrt(1 / share) for share in shares]
    assert (drift_for_power(shares, [2.413] * 5, power) / once) ** 2 == pytest.approx(
        pocock, abs=1.1e-3
    )
    assert (drift_for_power(shares, falling, power) / once) ** 2 == pytest.approx(
        obrien_fleming, abs=1.1e-3
    )


def test_one_look_is_the_plain_test() -> None:
    for spending in ("obrien-fleming", "pocock"):
        (only,) = critical_values((1.0,), 0.05, spending)  # type: ignore[arg-type]
        assert only == pytest.approx(stats.norm.isf(0.025))
        assert drift_for_power((1.0,), (only,), 0.8) == pytest.approx(only + stats.norm.ppf(0.8))


@given(
    st.lists(st.integers(1, 400), min_size=1, max_size=8, unique=True).map(sorted),
    spendings,
    st.sampled_from([0.01, 0.05, 0.2]),
)
def test_unequal_looks_spend_exactly_what_is_due_at_each(
    counts: list[int], spending: Spending, alpha: float
) -> None:
    shares = tuple(count / counts[-1] for count in counts)
    critical = critical_values(shares, alpha, spending)
    found = crossing(shares, critical)
    assert found.total == pytest.approx(alpha, abs=1e-7)
    used = 0.0
    for share, above, below in zip(shares, found.above, found.below, strict=True):
        used += above + below
        assert used == pytest.approx(spent(share, alpha, spending), abs=1e-7)


@given(spendings, st.sampled_from([0.01, 0.05, 0.3]))
def test_spending_rises_from_nothing_to_alpha(spending: Spending, alpha: float) -> None:
    amounts = [spent(share, alpha, spending) for share in np.linspace(0.01, 1, 50)]
    assert all(a <= b for a, b in pairwise(amounts))
    assert amounts[-1] == pytest.approx(alpha)
    assert spent(1.2, alpha, spending) == pytest.approx(alpha)


def test_crossing_under_an_effect_agrees_with_simulated_paths() -> None:
    rng = np.random.default_rng(8)
    shares, drift = (0.2, 0.5, 0.6, 1.0), 2.0
    critical = critical_values(shares, 0.05, "pocock")
    steps = np.diff(shares, prepend=0.0)
    paths = np.cumsum(rng.normal(drift * steps, np.sqrt(steps), (100_000, 4)), axis=1)
    z = paths / np.sqrt(shares)
    beyond = np.abs(z) >= critical
    first = np.where(beyond.any(axis=1), beyond.argmax(axis=1), -1)
    found = crossing(shares, critical, drift)
    for look in range(4):
        up = np.mean((first == look) & (z[:, look] > 0))
        assert found.above[look] == pytest.approx(up, abs=0.006)


def test_looks_that_bring_nothing_new_are_refused() -> None:
    for shares in ((0.5, 0.5, 1.0), (0.0, 1.0), ()):
        with pytest.raises(ImpossiblePlan, match="more and more information"):
            critical_values(shares, 0.05, "pocock")
    with pytest.raises(ImpossiblePlan, match="'haybittle'"):
        critical_values((1.0,), 0.05, "haybittle")  # type: ignore[arg-type]
