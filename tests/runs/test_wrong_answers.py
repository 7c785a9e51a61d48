"""Wrong answers of a run, as they are read for counting."""

from __future__ import annotations

from pathlib import Path

import pytest

from biaslab.runs import Store, UnknownRun, open_store, prepare, run_here
from biaslab.studies import Design


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "runs.db")


def _asked(store: Store) -> str:
    run = prepare(
        store, Design("consistency", 30, 1, {"steps": "1-2"}), "learner:keyword", "direct"
    )
    run_here(store, run)
    return run


def test_are_those_whose_outcome_is_0_each_once(store: Store) -> None:
    run = _asked(store)
    found = store.wrong_answers(run, 1000)
    items = store.answered_items([run])
    wrong = items[(items["outcome"] == 0)].drop_duplicates(["item", "sample"])
    assert sorted(found["item"]) == sorted(wrong["item"])
    assert len(found) > 0
    expected = wrong.set_index("item")
    for row in found.itertuples():
        assert row.value == expected.loc[row.item, "value"]
        assert row.facts == expected.loc[row.item, "facts"]


def test_the_first_so_many_are_the_same_every_time(store: Store) -> None:
    run = _asked(store)
    every = store.wrong_answers(run, 1000)
    some = store.wrong_answers(run, 7)
    assert list(some["item"]) == list(every["item"])[:7]
    assert list(every["item"]) == sorted(every["item"])


def test_a_run_that_is_not_there_is_told(store: Store) -> None:
    with pytest.raises(UnknownRun):
        store.wrong_answers("none", 10)
