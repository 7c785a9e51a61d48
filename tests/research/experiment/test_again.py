"""Trainings done a second time: a difference is found where there is one, and nowhere else."""

from __future__ import annotations

import pytest

from research.experiment.design import CONSISTENCY, RATIOS, at_fixed_total
from research.experiment.repeated import (
    AGAIN,
    again_file,
    again_sentence,
    trained_anew,
)
from research.experiment.table import read_table
from tests.research.experiment.simulated_table import by_ratio, table

CELLS = at_fixed_total(CONSISTENCY)


def found(first, second, starts=6, fewer=None):
    return trained_anew(
        table(by_ratio(first), CELLS, starts), table(by_ratio(second), CELLS, fewer or starts)
    )


def test_a_steeper_second_slope_is_found():
    again = found(2, 10)
    assert again.slope.value == pytest.approx(0.08, abs=0.01)
    assert again.effects[20, 1].value == pytest.approx(0.08 * 4.32, abs=0.03)
    assert again_sentence(again).startswith(
        "Trained anew on another device, the effects are not the same; second minus first: slope +"
    )


def test_the_same_trainings_are_not_said_to_differ():
    again = found(8, 8)
    assert again.slope.interval.low < 0 < again.slope.interval.high
    assert "not the same" not in again_sentence(again)


def test_a_table_beside_itself_differs_in_nothing():
    made = table(by_ratio(8), CELLS, 6)
    again = trained_anew(made, made)
    assert (again.slope.value, max(again.distances)) == (0.0, 0.0)
    assert again.once == again.anew


def test_only_starts_with_all_cells_in_both_count():
    again = found(8, 8, starts=7, fewer=5)
    assert set(again.slope.starts) == set(range(101, 106))
    assert len(again.distances) == 5 * len(RATIOS)
    assert all(each.n == 5 for part in (again.once, again.anew) for each in part.values())


def test_nothing_is_decided_by_a_few_starts():
    told = again_sentence(found(4, 8, starts=3))
    assert told.startswith("Trained anew on another device, nothing is decided before 5 starts; ")
    assert "3 starts; " in told
    assert "(15 trainings, mean over log lessons)" in told


def test_without_second_trainings_there_is_nothing_to_say():
    assert trained_anew(table(by_ratio(8), CELLS, 2), ()) is None


def test_the_projects_own_second_trainings_were_done_on_another_device_than_the_first():
    first, second = read_table(), read_table(again_file(), AGAIN)
    keys = {kept.row.key for kept in second}
    assert {kept.device for kept in first if kept.row.key in keys} == {"cpu"}
    assert {kept.device for kept in second} == {"cuda"}
    assert {kept.version for kept in second} == {kept.version for kept in first}
