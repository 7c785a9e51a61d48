"""Cells: counts of pairs that survive being written down, and what they come to."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.stats import cate_estimate
from biaslab.training.cells import ALL, COLUMNS, COUNTS, CheckCell, added_up, table
from biaslab.training.origins.rows import COLUMNS as TABLE_COLUMNS
from tests.loops import over


def cell(both=0, only_x=0, only_x_prime=0, neither=0, **other):
    n = both + only_x + only_x_prime + neither
    values = {"study": "consistency", "comparison": "additive", "wording": ALL, "steps": 1}
    values |= {"strategy": "direct", **other}
    return CheckCell(
        **values, n=n, both=both, only_x=only_x, only_x_prime=only_x_prime, neither=neither
    )


numbers = st.integers(0, 60)
counts = st.tuples(numbers, numbers, numbers, numbers).filter(any)


@st.composite
def cells(draw):
    found = cell(
        *draw(counts), wording=draw(st.sampled_from(("consistent", "inconsistent", "mixed")))
    )
    values = {}
    for arm in ("x", "x_prime"):
        values[f"unread_{arm}"] = draw(st.integers(0, found.n))
        asked = values[f"operator_asked_{arm}"] = draw(st.integers(0, found.n))
        values[f"operator_right_{arm}"] = draw(st.integers(0, asked))
        values[f"operator_plus_{arm}"] = draw(st.integers(0, asked))
        wrong = values[f"wrong_{arm}"] = draw(st.integers(0, found.n))
        values[f"reversed_{arm}"] = draw(st.integers(0, wrong))
    return CheckCell(**{**found.to_json(), **values})


@given(cells())
def test_a_cell_survives_being_written_and_read(found):
    assert CheckCell.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_the_table_of_the_family_has_a_cells_columns_after_its_own():
    assert ("mix", "seed", "examples", "final", *COLUMNS) == TABLE_COLUMNS


@over(
    ("change", "about"),
    [
        ({"n": 11}, "add up"),
        ({"both": -1, "neither": 11}, "below zero"),
        ({"operator_right_x": 1}, "operator_right_x is larger than operator_asked_x"),
        ({"reversed_x_prime": 1}, "reversed_x_prime is larger than wrong_x_prime"),
        ({"unread_x": 11}, "unread_x is larger than n"),
        ({"n": 0, "both": 0, "neither": 0}, "without pairs"),
        ({"steps": "1"}, "steps is '1', no whole number"),
        ({"both": True, "neither": 9}, "both is True, no whole number"),
        ({"study": 1}, "study is 1, no text"),
        ({"more": 1}, "a cell has the fields"),
    ],
)
def test_a_cell_that_contradicts_itself_is_refused(change, about):
    content = cell(both=0, neither=10).to_json()
    with pytest.raises(ValueError, match=about):
        CheckCell.from_json({**content, **change})


@given(counts)
def test_the_effect_is_that_of_the_pairs_counted(numbers):
    found = cell(*numbers)
    rows = [
        row
        for row, number in zip(((1, 1), (1, 0), (0, 1), (0, 0)), numbers, strict=True)
        for _ in range(number)
    ]
    y_x, y_x_prime = np.array(rows, dtype=float).T
    effect, expected = found.effect(), cate_estimate(y_x, y_x_prime)
    assert effect.n == len(rows)
    assert effect.cate == pytest.approx(expected.mean)
    assert found.share_x == pytest.approx(y_x.mean())
    assert found.share_x_prime == pytest.approx(y_x_prime.mean())
    assert (effect.interval is None) == (expected.interval is None)
    if effect.interval and expected.interval:
        assert effect.interval == expected.interval
    assert effect.p == (None if effect.identical else expected.p)


def test_pairs_that_came_out_alike_are_said_to_and_have_no_p():
    effect = cell(both=90, neither=10).effect()
    assert effect.identical
    assert effect.p is None
    assert effect.cate == 0.0
    # Still not known to be exactly zero: 100 pairs only.
    assert effect.interval is not None
    assert effect.interval.low < 0.0 < effect.interval.high
    assert "alike in every pair" in table([cell(both=90, neither=10)])


def test_as_many_pairs_either_way_are_no_effect_but_not_alike():
    effect = cell(both=80, only_x=10, only_x_prime=10).effect()
    assert (effect.cate, effect.identical, effect.p) == (0.0, False, 1.0)


def test_operations_are_compared_with_always_adding_in_each_arm():
    found = cell(
        both=50, only_x=50, operator_asked_x=100, operator_right_x=98, operator_plus_x=50,
        operator_asked_x_prime=80, operator_right_x_prime=20, operator_plus_x_prime=60,
    )  # fmt: skip
    x, x_prime = found.operation_x(), found.operation_x_prime()
    assert x is not None
    assert x_prime is not None
    assert (x.share, x.always_plus, x.always_commonest) == (0.98, 0.5, 0.5)
    assert (x_prime.share, x_prime.always_plus, x_prime.always_commonest) == (0.25, 0.75, 0.75)
    assert x.interval.low < 0.98 < x.interval.high
    assert cell(both=1).operation_x() is None


@given(st.lists(cells(), min_size=1, max_size=6))
def test_cells_told_apart_by_wording_add_up(parts):
    (whole,) = added_up(parts)
    assert whole.wording == ALL
    for name in COUNTS:
        assert getattr(whole, name) == sum(getattr(part, name) for part in parts)


def test_only_wordings_are_added_up():
    one, other = cell(both=1, wording="consistent"), cell(both=2, wording="mixed", steps=2)
    assert [(whole.steps, whole.n) for whole in added_up([one, other])] == [(1, 1), (2, 2)]
