"""Sets of items are kept whole in the file of runs, and found by name and id."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from biaslab.files import ImportedItem
from biaslab.runs import (
    RunError,
    Store,
    UnknownSet,
    delete_items,
    find_items,
    item_sets,
    items_report,
    open_store,
    save_items,
)

EARLIER = Path(__file__).parents[1] / "store/earlier_versions"
ITEMS = (
    ImportedItem("What is 52 − 17?", ("35", "45"), "A", rationales={"A": "a", "B": "b"}, row=2),
    ImportedItem("½ + ⅓?", ("5/6", "2/5", "1/6"), "A", misconceptions={"B": "adds across"}),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "runs.db") as opened:
        yield opened


def test_what_was_kept_comes_back_in_its_order(store: Store) -> None:
    kept = save_items(store, "  my   quiz ", ITEMS, "quiz.csv", {"rows": 2})
    assert (kept.name, kept.items, kept.origin) == ("my quiz", 2, "quiz.csv")
    for named in (kept.id, "my quiz"):
        found = find_items(store, named)
        assert found is not None
        assert tuple(found) == ITEMS
        assert items_report(store, named) == {"rows": 2}
    assert item_sets(store) == [kept]


def test_a_name_stands_for_one_set(store: Store) -> None:
    kept = save_items(store, "quiz", ITEMS, "a.csv")
    for taken in ("quiz", " quiz ", kept.id):
        with pytest.raises(RunError, match="saved already"):
            save_items(store, taken, ITEMS[:1], "b.csv")
    assert len(item_sets(store)) == 1


@pytest.mark.parametrize(
    ("name", "items", "told"),
    [("", ITEMS, "characters"), ("x" * 201, ITEMS, "characters"), ("q", (), "at least one"),
     ("q", (*ITEMS, ITEMS[0]), "twice")],
)  # fmt: skip
def test_what_cannot_be_kept_leaves_nothing(store: Store, name: str, items, told: str) -> None:
    with pytest.raises(RunError, match=told):
        save_items(store, name, items, "a.csv")
    assert not item_sets(store)


def test_a_deleted_set_is_gone_and_its_name_is_free(store: Store) -> None:
    save_items(store, "quiz", ITEMS, "a.csv")
    delete_items(store, "quiz")
    assert find_items(store, "quiz") is None
    with pytest.raises(UnknownSet, match="no set of items"):
        delete_items(store, "quiz")
    save_items(store, "quiz", ITEMS, "a.csv")


def test_a_file_from_before_there_were_sets_of_items_takes_one(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    path.write_bytes(gzip.decompress((EARLIER / "version_6/runs.db.gz").read_bytes()))
    with open_store(path) as store:
        assert save_items(store, "quiz", ITEMS, "a.csv").items == 2
