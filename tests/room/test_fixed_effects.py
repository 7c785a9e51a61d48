"""The effect with persons and pairs held fixed, against the same model written out in full."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from biaslab.room.effect import EffectFit, fit, flip_interval, t_interval
from tests.loops import over

Data = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def simulated(people: int, pairs: int, seed: int, left_out: float = 0.2) -> Data:
    """Answers of people who come in blocks of two, some of them missing."""
    draws = np.random.default_rng(seed)
    person, pair = (each.ravel() for each in np.indices((people, pairs)))
    is_x = (draws.permutation(pairs)[pair] + person) % 2 == 0
    y = (draws.random(person.size) < 0.7).astype(float)
    kept = draws.random(person.size) >= left_out
    return y[kept], is_x[kept], person[kept], pair[kept]


def in_full(data: Data) -> tuple[float, float, float]:
    """Effect, CR2 error and residual deviation of the model with a column for everything."""
    y, is_x, person, pair = data
    both = [each for each in np.unique(person) if len({*is_x[person == each]}) == 2]
    kept = np.isin(person, both)
    y, is_x, person, pair = y[kept], is_x[kept], person[kept], pair[kept]
    columns = [is_x.astype(float)]
    columns += [(person == each).astype(float) for each in np.unique(person)]
    columns += [(pair == each).astype(float) for each in np.unique(pair)[1:]]
    design = np.column_stack(columns)
    result = sm.OLS(y, design).fit()
    bread = np.linalg.pinv(design.T @ design)
    # The absorbed form that Pustejovsky & Tipton show to be the same, by brute force: the leverage
    # of all columns but the persons', within persons.
    inner = np.column_stack([columns[0], *columns[1 + len(both) :]])
    for each in np.unique(person):
        inner[person == each] -= inner[person == each].mean(axis=0)
    core = np.linalg.pinv(inner.T @ inner)
    meat = 0.0
    for each in np.unique(person):
        mine = inner[person == each]
        values, vectors = np.linalg.eigh(np.eye(len(mine)) - mine @ core @ mine.T)
        root = vectors @ np.diag([1 / np.sqrt(v) if v > 1e-9 else 0 for v in values]) @ vectors.T
        meat += float(core[0] @ mine.T @ root @ result.resid[person == each]) ** 2
    assert bread.shape[0] == design.shape[1]
    return float(result.params[0]), float(np.sqrt(meat)), float(np.sqrt(result.mse_resid))


@over("seed", range(8))
def test_effect_error_and_spread_are_those_of_the_model_written_out(seed: int) -> None:
    data = simulated(14, 7, seed)
    found = fit(*data)
    assert found is not None
    assert (found.effect, found.error, found.spread) == pytest.approx(in_full(data))


def test_with_nobody_missing_the_effect_is_the_difference_of_means_of_balanced_blocks() -> None:
    y, is_x, person, pair = simulated(20, 8, 3, left_out=0)
    found = fit(y, is_x, person, pair)
    assert found is not None
    assert found.effect == pytest.approx(y[is_x].mean() - y[~is_x].mean())
    assert (found.people, found.answers) == (20, 160)


def test_levels_of_people_and_pairs_do_not_touch_the_effect() -> None:
    y, is_x, person, pair = simulated(14, 7, 1)
    plain = fit(y, is_x, person, pair)
    shifted = fit(y + 3.0 * person - 0.5 * pair**2, is_x, person, pair)
    assert plain is not None
    assert shifted is not None
    assert shifted.effect == pytest.approx(plain.effect)
    assert shifted.error == pytest.approx(plain.error)


def test_who_answered_one_condition_alone_does_not_count() -> None:
    y, is_x, person, pair = simulated(10, 6, 2, left_out=0)
    alone = (person == 9) & ~is_x
    found = fit(y[~alone], is_x[~alone], person[~alone], pair[~alone])
    rest = person < 9
    assert found is not None
    assert found == pytest_equal(fit(y[rest], is_x[rest], person[rest], pair[rest]))


class pytest_equal:  # noqa: N801
    """Compares fits, whose arrays have no truth value."""

    def __init__(self, expected: EffectFit | None) -> None:
        assert expected is not None
        self._expected = expected

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, EffectFit)
        return (other.effect, other.error, other.people) == pytest.approx(
            (self._expected.effect, self._expected.error, self._expected.people)
        )

    __hash__ = None  # type: ignore[assignment]


def test_nobody_with_both_conditions_gives_no_effect() -> None:
    y = np.array([1.0, 0.0, 1.0, 0.0])
    is_x = np.array([True, True, False, False])
    person, pair = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    assert fit(y, is_x, person, pair) is None


def test_answers_that_never_vary_give_no_interval() -> None:
    _, is_x, person, pair = simulated(14, 7, 1)
    found = fit(np.ones(len(is_x)), is_x, person, pair)
    assert found is not None
    assert found.error is None
    assert t_interval(found, 0.95) is None
    assert flip_interval(found, 0.95) is None


@given(st.integers(6, 9), st.integers(2, 6), st.integers(0, 1_000))
def test_flipped_signs_give_the_p_and_the_interval_that_trying_gives(
    people: int, pairs: int, seed: int
) -> None:
    found = fit(*simulated(people, pairs, seed, left_out=0))
    if found is None or found.error is None:
        return
    sure = flip_interval(found, 0.95)
    assert sure is not None
    interval, p = sure
    assert p == pytest.approx(tried(found, 0.0))
    width = interval.high - interval.low
    for inside in (interval.low + 0.01 * width, interval.high - 0.01 * width, found.effect):
        assert tried(found, inside) > 0.05
    for outside in (interval.low - 0.01 * width, interval.high + 0.01 * width):
        assert tried(found, outside) <= 0.05


def tried(found: EffectFit, value: float) -> float:
    """Share of all flips that give as large a sum as was seen, were the effect this."""
    contributions = found.scores - value * found.weights
    seen = abs(contributions.sum())
    sums = [abs(np.dot(signs, contributions)) for signs in product((1, -1), repeat=found.people)]
    return float(np.mean([each >= seen - 1e-9 for each in sums]))


def test_five_people_cannot_be_judged_by_flipping() -> None:
    found = fit(*simulated(5, 6, 1, left_out=0))
    assert found is not None
    assert flip_interval(found, 0.95) is None
