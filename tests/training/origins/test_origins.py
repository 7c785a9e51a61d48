"""Effects of the family: pooled, with an interval over items and one over trainings."""

from __future__ import annotations

import csv
import io
from dataclasses import astuple, replace
from pathlib import Path

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.stats import BrokenAssets, cate_estimate, cate_of_counts
from biaslab.training.origins.effects import (
    IDENTICAL,
    ONE_SEED,
    OVER_SEEDS,
    along_training,
    balance_cures,
    contrast,
    final_effects,
    no_effect,
    operator_choice,
    reversed_answers,
)
from biaslab.training.origins.rows import COLUMNS, CheckKind, FamilyRow, of_kind, read_family
from tests.training.origins.synthetic_family import a_row, synthetic_family, with_effect

ADDITIVE = CheckKind("consistency", 1, "direct", comparison="additive")


def the_effect(*rows: FamilyRow):
    return final_effects(rows, ADDITIVE)[rows[0].mix]


def test_the_effect_pools_the_pairs_of_all_trainings() -> None:
    found = the_effect(a_row(seed=1), a_row(seed=2, both=60, only_x=20))
    assert found.cate == pytest.approx((20 + 10) / 200)
    assert (found.n, found.seeds) == (200, 2)
    assert (found.x.hits, found.x_prime.hits) == (160, 130)


def test_the_interval_over_items_is_the_paired_t_interval_of_all_pairs() -> None:
    found = the_effect(a_row(seed=1), a_row(seed=2))
    y_x = np.repeat([1.0, 1.0, 0.0, 0.0], [100, 60, 20, 20])
    y_x_prime = np.repeat([1.0, 0.0, 1.0, 0.0], [100, 60, 20, 20])
    assert found.spread.over_items == cate_estimate(y_x, y_x_prime).interval


def test_the_interval_over_trainings_is_the_t_interval_of_their_effects() -> None:
    rows = [with_effect(points, seed=seed) for seed, points in enumerate((10, 16, 19), start=1)]
    found = the_effect(*rows)
    low, high = scipy.stats.t.interval(
        0.95, 2, np.mean([0.10, 0.16, 0.19]), scipy.stats.sem([0.10, 0.16, 0.19])
    )
    assert found.spread.over_seeds is not None
    assert found.spread.over_seeds.low == pytest.approx(low)
    assert found.spread.over_seeds.high == pytest.approx(high)
    assert found.spread.freedom == 2
    assert found.test == OVER_SEEDS
    judged = found.spread.judged
    assert judged == found.spread.over_seeds  # the wider one here


def test_one_training_has_no_interval_over_trainings_and_its_pairs_are_tested() -> None:
    found = the_effect(a_row())
    assert found.spread.over_seeds is None
    assert found.spread.freedom is None
    assert found.spread.judged == found.spread.over_items
    assert found.test == ONE_SEED
    assert found.p == cate_of_counts(both=50, only_x=30, only_x_prime=10, neither=10).p


def test_arms_that_came_out_alike_have_no_p_value_but_an_interval() -> None:
    flat = {"both": 70, "only_x": 0, "only_x_prime": 0, "neither": 30}
    found = the_effect(a_row(seed=1, **flat), a_row(seed=2, **flat))
    assert found.identical
    assert found.p is None
    assert found.test == IDENTICAL
    assert found.spread.over_items is not None
    assert found.spread.over_items.low < 0 < found.spread.over_items.high


def test_effects_of_trainings_that_are_exactly_equal_give_no_p_value() -> None:
    found = the_effect(a_row(seed=1), a_row(seed=2))
    assert not found.identical
    assert found.p is None
    assert "exactly equal" in found.test


@given(st.lists(st.tuples(*[st.integers(0, 60)] * 4), min_size=1, max_size=4))
@settings(max_examples=40, deadline=None)
def test_the_effect_is_the_difference_of_the_shares_and_lies_in_its_intervals(
    counts: list[tuple[int, int, int, int]],
) -> None:
    rows = [
        a_row(
            seed=seed, n=sum(four) + 2, both=four[0] + 1, only_x=four[1], only_x_prime=four[2],
            neither=four[3] + 1, wrong_x=0, reversed_x=0, wrong_x_prime=0, reversed_x_prime=0,
        )
        for seed, four in enumerate(counts)
    ]  # fmt: skip
    found = the_effect(*rows)
    assert found.x.value is not None
    assert found.x_prime.value is not None
    assert found.cate == pytest.approx(found.x.value - found.x_prime.value)
    judged = found.spread.judged
    assert judged is not None
    assert -1 <= judged.low <= found.cate + 1e-9
    assert found.cate - 1e-9 <= judged.high <= 1


def test_all_comparisons_are_the_sum_of_their_kinds_unless_the_table_has_them() -> None:
    parts = [a_row(), a_row(comparison="multiplicative", both=80, only_x=0)]
    (pooled,) = of_kind(parts, CheckKind("consistency", 1, "direct"))
    assert (pooled.n, pooled.only_x, pooled.comparison) == (200, 30, "")
    whole = a_row(comparison="", both=0, neither=60)
    assert of_kind([*parts, whole], CheckKind("consistency", 1, "direct")) == [whole]


def test_a_check_that_lacks_a_part_is_not_mixed_with_those_that_have_it() -> None:
    rows = [
        a_row(examples=8_000, final=False), a_row(), a_row(comparison="multiplicative"),
    ]  # fmt: skip
    assert [row.examples for row in of_kind(rows, CheckKind("consistency", 1, "direct"))] == [
        96_000
    ]


def test_a_curve_is_of_the_comparisons_that_every_check_has() -> None:
    rows = [
        a_row(examples=8_000, final=False), a_row(), a_row(comparison="multiplicative", both=80,
        only_x=0),
    ]  # fmt: skip
    curve = along_training(rows, CheckKind("consistency", 1, "direct"))["skewed"]
    assert [effect.n for effect in curve] == [100, 100]
    assert {effect.kind.comparison for effect in curve} == {"additive"}


def test_checks_of_about_the_same_examples_are_one_checkpoint_and_the_end_is_last() -> None:
    rows = [
        with_effect(10, seed=seed, examples=examples + seed, final=final)
        for seed in (1, 2)
        for examples, final in ((8_000, False), (16_000, False), (32_000, True))
    ]
    # Measured as a check as well, just before the end: still one point.
    rows.append(replace(rows[2], final=False))
    curve = along_training(rows, ADDITIVE)["skewed"]
    assert [(effect.seeds, effect.final) for effect in curve] == [
        (2, False), (2, False), (2, True),
    ]  # fmt: skip
    assert [effect.examples for effect in curve] == [8_001, 16_001, 32_001]


def test_checks_far_apart_are_never_one_checkpoint() -> None:
    rows = [
        with_effect(10, seed=seed, examples=examples, final=False)
        for seed, examples in ((1, 8_000), (2, 9_000))
    ]
    assert [e.seeds for e in along_training(rows, ADDITIVE)["skewed"]] == [1, 1]


def test_a_difference_over_trainings_is_that_within_each_seed() -> None:
    one = the_effect(*(with_effect(20 + 10 * seed, seed=seed) for seed in (1, 2, 3)))
    other = the_effect(*(with_effect(10 * seed, seed=seed, mix="balanced") for seed in (1, 2, 3)))
    spread = contrast(one, other)
    assert spread.over_seeds is None  # exactly 20 points in every seed: no variation to judge by
    assert spread.over_items is not None
    assert spread.over_items.low < 0.20 < spread.over_items.high
    assert contrast(other, one).over_items is not None


@pytest.mark.parametrize(
    ("points", "expected"), [(0, True), (30, False), (-30, False), (4, None), (7, None)]
)
def test_an_effect_within_five_points_of_zero_counts_as_none(
    points: float, expected: bool | None
) -> None:
    assert no_effect(the_effect(with_effect(points))) is expected


def balanced(operations: float, points: float = 0.0):
    rows = [
        replace(
            with_effect(points, mix="balanced", strategy="cot", seed=seed),
            operator_asked_x=500, operator_right_x=round(500 * operations), operator_plus_x=300,
            operator_asked_x_prime=500, operator_right_x_prime=round(500 * operations),
            operator_plus_x_prime=300,
        )
        for seed in (1, 2, 3)
    ]  # fmt: skip
    found = final_effects(rows, replace(ADDITIVE, strategy="cot"))["balanced"]
    return found, operator_choice(found)


def test_operations_are_compared_with_always_the_commoner_one() -> None:
    _, choice = balanced(0.63)
    assert choice is not None
    assert choice.baseline == pytest.approx(0.6)
    assert choice.commonest == "plus"
    assert not choice.well_above
    assert choice.surely_not


@pytest.mark.parametrize(
    ("operations", "points", "cures"),
    [(0.90, 0.0, True), (0.71, 0.0, False), (0.60, 0.0, False), (0.90, 20.0, False)],
)
def test_balance_cures_only_without_an_effect_and_well_above_the_baseline(
    operations: float, points: float, cures: bool
) -> None:
    assert balance_cures(*balanced(operations, points)) is cures


def test_without_counted_operations_nothing_is_cured() -> None:
    found = the_effect(with_effect(0, mix="balanced"))
    assert operator_choice(found) is None
    assert not balance_cures(found, None)


def test_reversed_answers_stand_beside_the_same_share_on_consistent_problems() -> None:
    found = reversed_answers(the_effect(a_row(seed=1), a_row(seed=2)))
    assert (found.inconsistent.hits, found.inconsistent.n) == (60, 80)
    assert (found.consistent.hits, found.consistent.n) == (4, 40)
    assert found.consistent.interval is not None


def table(tmp_path: Path, rows: list[FamilyRow], header: tuple[str, ...] = COLUMNS) -> Path:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(header)
    for row in rows:
        writer.writerow([int(v) if isinstance(v, bool) else v for v in astuple(row)])
    path = tmp_path / "family.csv"
    path.write_text(text.getvalue())
    return path


def test_the_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    rows = list(synthetic_family(seeds=1, mixes=("skewed",)))
    assert list(read_family(table(tmp_path, rows))) == rows


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (",100,50,", ",100,51,", "do not add up to n"),
        (",100,50,", ",100,many,", "both is “many”, no whole number"),
        (",96000,1,", ",96000,2,", "final is 2"),
        (",20,2,40,30", ",20,2,40,41", "reversed_x_prime is 41, more than the 40"),
    ],
)
def test_a_line_that_contradicts_itself_is_named(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    path = table(tmp_path, [a_row(seed=2), a_row()])
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:2], lines[2].replace(old, new)]))
    with pytest.raises(BrokenAssets, match=f"line 3 .*{reason}"):
        read_family(path)


def test_a_missing_column_a_repeated_line_and_a_missing_file_are_told(tmp_path: Path) -> None:
    with pytest.raises(BrokenAssets, match="no column wording"):
        read_family(table(tmp_path, [], tuple(name for name in COLUMNS if name != "wording")))
    with pytest.raises(BrokenAssets, match=r"line 3 again"):
        read_family(table(tmp_path, [a_row(), a_row(both=49, neither=11)]))
    with pytest.raises(BrokenAssets, match=r"anew with .* research\.family"):
        read_family(tmp_path / "none.csv")
