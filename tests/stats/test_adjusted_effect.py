"""An effect had the members been alike in what else they differ in: null, control, coverage."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from biaslab.stats.beside_effects import FEWEST_CLUSTERS, AdjustedEffect, adjusted_effect

N = 300


def outcomes(y_x: np.ndarray, y_x_prime: np.ndarray) -> pd.DataFrame:
    n = len(y_x)
    return pd.DataFrame(
        {
            "run": "r", "study": "imported", "model": "m", "model_kind": "language model",
            "strategy": "direct", "pair": [f"p{at}" for at in range(n)], "position": range(n),
            "cluster": [f"c{at}" for at in range(n)], "strata": [{} for _ in range(n)],
            "sample": 0, "item_x": [f"x{at}" for at in range(n)],
            "item_x_prime": [f"y{at}" for at in range(n)],
            "state_x": "answered", "state_x_prime": "answered",
            "y_x": y_x.astype(float), "y_x_prime": y_x_prime.astype(float),
        }
    )  # fmt: skip


def drawn(seed: int, effect: float, of_digits: float, n: int = N) -> AdjustedEffect:
    """Pairs whose x′ has up to two more digits, where each digit and the treatment cost so much."""
    luck = np.random.default_rng(seed)
    more = luck.integers(0, 3, n)
    base = luck.uniform(0.55, 0.95, n)
    y_x = luck.random(n) < base
    y_x_prime = luck.random(n) < base - effect - of_digits * more
    unlike = {f"p{at}": {"digits": -float(more[at]), "words": 0.0} for at in range(n)}
    found = adjusted_effect(outcomes(y_x, y_x_prime), unlike)
    assert found is not None
    return found


def test_what_numbers_alone_do_is_no_effect_and_what_is_there_stays():
    of_numbers, real = drawn(1, 0.0, 0.2, 3_000), drawn(2, 0.2, 0.0, 3_000)
    assert of_numbers.raw == pytest.approx(0.2, abs=0.03)
    assert of_numbers.interval is not None
    assert of_numbers.interval.low < 0 < of_numbers.interval.high
    assert real.adjusted == pytest.approx(0.2, abs=0.06)
    assert real.interval is not None
    assert real.interval.low > 0
    assert of_numbers.names == ("digits",)


def test_the_interval_holds_the_effect_in_nineteen_of_twenty_sets():
    for effect, of_digits in ((0.0, 0.15), (0.1, 0.1)):
        held = [
            found.interval is not None and found.interval.low <= effect <= found.interval.high
            for found in (drawn(seed, effect, of_digits, 150) for seed in range(400))
        ]
        # Three standard errors of 95 % of 400 are 3.3 points.
        assert 0.917 <= np.mean(held) <= 0.983


def test_what_always_goes_one_way_cannot_be_told_from_the_effect():
    n = 100
    luck = np.random.default_rng(1)
    table = outcomes(luck.random(n) < 0.8, luck.random(n) < 0.5)
    unlike = {f"p{at}": {"digits": -1.0 - at % 2} for at in range(n)}
    found = adjusted_effect(table, unlike)
    assert (found.adjusted, found.pairs, found.of) == (None, n, n)
    assert "In digits one always has more" in found.sentence()


def test_two_differences_that_are_one_count_once_and_few_pairs_tell_nothing():
    n = 200
    luck = np.random.default_rng(1)
    table = outcomes(luck.random(n) < 0.8, luck.random(n) < 0.5)
    digits = luck.integers(-1, 2, n)
    both = {f"p{at}": {"digits": float(digits[at]), "zeros": 2.0 * digits[at]} for at in range(n)}
    one = {f"p{at}": {"digits": float(digits[at])} for at in range(n)}
    found, alone = adjusted_effect(table, both), adjusted_effect(table, one)
    assert found.adjusted == pytest.approx(alone.adjusted)
    few = adjusted_effect(table.head(FEWEST_CLUSTERS), one)
    assert few.adjusted is None
    assert "too few pairs" in few.sentence()


def test_members_that_are_alike_and_rare_differences_are_no_matter():
    n = 100
    luck = np.random.default_rng(1)
    table = outcomes(luck.random(n) < 0.8, luck.random(n) < 0.5)
    assert adjusted_effect(table, {}) is None
    assert adjusted_effect(table, {f"p{at}": {"digits": 1.0} for at in range(9)}) is None


def test_least_squares_agree_with_a_known_solution():
    # Two groups of pairs: alike, with differences of 1/4 on average, and one digit more, with 3/4.
    d = np.array([1, 0, 0, 0] * 15 + [1, 1, 1, 0] * 15, dtype=float)
    table = outcomes(d, np.zeros(120))
    unlike = {f"p{at}": {"digits": 0.0 if at < 60 else 1.0} for at in range(120)}
    found = adjusted_effect(table, unlike)
    assert found.raw == pytest.approx(0.5)
    assert found.adjusted == pytest.approx(0.25)
    # The mean of the alike ones has the standard error of their own differences, n - k for n.
    spread = np.sqrt(0.25 * 0.75 / 60 * 120 / 119 * 119 / 118)
    assert found.interval.high - found.adjusted == pytest.approx(1.980272 * spread, rel=1e-4)
