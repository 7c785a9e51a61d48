"""Whether a model says the same again, in one run and across runs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.stats import BrokenOutcomes, agreement, agreement_between_runs

Maker = Callable[..., pd.DataFrame]

ballots = st.lists(st.sampled_from(["5", "6", "7", None]), min_size=3, max_size=3)
pairs = st.lists(st.tuples(ballots, ballots), min_size=1, max_size=6)


def _agree(one: str | None, other: str | None) -> bool:
    return one is not None and one == other


@settings(max_examples=40)
@given(pairs)
def test_it_is_the_share_of_agreeing_pairs_of_answers(
    make_samples: Maker, rows: list[tuple[list[str | None], list[str | None]]]
) -> None:
    (found,) = agreement(make_samples([x for x, _ in rows], [y for _, y in rows]))
    items = [ballot for row in rows for ballot in row]
    each = [np.mean([_agree(a, b) for a, b in combinations(item, 2)]) for item in items]
    assert (found.items, found.samples, found.left_out) == (len(items), 3, 0)
    assert found.agreement == pytest.approx(np.mean(each))
    assert found.alike == np.mean([len(set(item)) == 1 and item[0] is not None for item in items])
    assert found.differing == np.mean([len({a == "5" for a in item}) == 2 for item in items])
    assert found.unreadable == sum(answer is None for item in items for answer in item)
    assert found.agreement_ci is not None
    assert found.agreement_ci.low <= found.agreement <= found.agreement_ci.high


@settings(max_examples=40)
@given(pairs, pairs)
def test_between_runs_only_answers_of_different_runs_are_compared(
    make_samples: Maker,
    first: list[tuple[list[str | None], list[str | None]]],
    second: list[tuple[list[str | None], list[str | None]]],
) -> None:
    tables = [
        make_samples([x for x, _ in rows], [y for _, y in rows], run=run)
        for run, rows in (("one", first), ("two", second))
    ]
    (found,) = agreement_between_runs(pd.concat(tables))
    each = [
        np.mean([_agree(a, b) for a in one[arm] for b in two[arm]])
        for one, two in zip(first, second, strict=False)
        for arm in (0, 1)
    ]
    assert found.runs == ("one", "two")
    assert found.items == len(each)
    assert found.left_out == 2 * (max(len(first), len(second)) - min(len(first), len(second)))
    assert found.agreement == pytest.approx(np.mean(each))


def test_a_run_that_asked_once_has_no_agreement_with_itself_but_with_others(
    make_samples: Maker,
) -> None:
    tables = [make_samples([["5"], [a]], [["7"], ["7"]], run=a) for a in ("5", "6", "7")]
    assert agreement(pd.concat(tables)) == []
    (found,) = agreement_between_runs(pd.concat(tables))
    assert (found.samples, found.items, found.agreement) == (3, 4, 0.75)
    assert (found.alike, found.differing) == (0.75, 0.25)


def test_runs_of_different_models_are_never_compared(make_samples: Maker) -> None:
    tables = [make_samples([["5"]], [["7"]], run=m, model=m) for m in ("a", "b")]
    assert agreement_between_runs(pd.concat(tables)) == []


def test_an_item_that_pairs_share_counts_once(make_samples: Maker) -> None:
    table = make_samples([["5", "5"]] * 2, [["6", "7"], ["7", "7"]])
    assert agreement(table)[0].items == 4
    (shared,) = agreement(table.assign(item_x="right", cluster="question"))
    assert shared.items == 3
    assert shared.agreement == pytest.approx(2 / 3)


def test_items_of_a_cluster_are_one_observation(make_samples: Maker) -> None:
    rows = [["5", "5"], ["5", "6"]] * 20
    (apart,) = agreement(make_samples(rows, rows))
    clusters = [i // 10 * 2 + i % 2 for i in range(40)]
    (shared,) = agreement(make_samples(rows, rows, clusters=clusters))
    assert shared.agreement == apart.agreement
    assert shared.agreement_ci.low < apart.agreement_ci.low


def test_the_interval_holds_the_agreement_95_times_in_a_hundred(make_samples: Maker) -> None:
    """Simulation: an item is answered alike with a chance of its own, shared by its pair."""
    rng = np.random.default_rng(4)
    tables = []
    for run in range(100):
        sure = np.repeat(rng.choice([0.5, 0.9], 50), 3).reshape(50, 3)
        rows = [np.where(rng.random((50, 3)) < sure, "5", "6").tolist() for _ in range(2)]
        tables.append(make_samples(*rows, run=str(run)))
    true = np.mean([p**2 + (1 - p) ** 2 for p in (0.5, 0.9)])
    found = agreement(pd.concat(tables))
    hits = [one.agreement_ci.low <= true <= one.agreement_ci.high for one in found]
    assert len(hits) == 100
    assert 0.91 <= np.mean(hits) <= 0.99


def test_failed_and_missing_samples_are_left_out_and_items_with_one_answer_too(
    make_samples: Maker,
) -> None:
    table = make_samples([["5", "6", "5"]], [["7"] * 3])
    table["state_x"] = ["answered", "failed", "answered"]
    table["state_x_prime"] = ["answered", "missing", "failed"]
    (found,) = agreement(table)
    assert (found.items, found.left_out, found.agreement) == (1, 1, 1.0)


def test_where_nothing_came_back_there_is_a_row_without_figures(make_samples: Maker) -> None:
    table = make_samples([["5", "6"]], [["7"] * 2]).assign(
        state_x="missing", state_x_prime="failed"
    )
    (found,) = agreement(table)
    assert (found.items, found.left_out, found.agreement, found.agreement_ci) == (0, 2, None, None)


def test_without_the_answers_as_read_there_is_no_agreement(make_outcomes: Maker) -> None:
    with pytest.raises(BrokenOutcomes, match="value_x"):
        agreement(make_outcomes([1], [0]))
