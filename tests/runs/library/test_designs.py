"""Designs saved by name: every version is kept, and loading one makes the same pairs again."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab import __version__
from biaslab.runs import (
    BadDesignName,
    Store,
    UnknownDesign,
    delete_design,
    design_versions,
    load_design,
    newest_designs,
    open_store,
    prepare,
    rename_design,
    save_design,
)
from biaslab.studies import Design, experiment

DESIGN = Design("consistency", 7, 5, {"steps": "1-2"})
OTHER = Design("carry", 3, 2)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "runs.db") as opened:
        yield opened


def test_a_saved_design_is_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    with open_store(tmp_path / "runs.db") as store:
        save_design(store, "Two steps", DESIGN)
    with open_store(tmp_path / "runs.db") as store:
        saved = load_design(store, "Two steps")

    assert (saved.version, saved.design, saved.library_version) == (1, DESIGN, __version__)
    study = experiment("consistency")
    assert list(study.pairs(saved.design)) == list(study.pairs(DESIGN))


def test_saving_under_a_used_name_makes_the_next_version_and_keeps_the_others(
    store: Store,
) -> None:
    made = [save_design(store, "Mine", each).version for each in (DESIGN, OTHER, DESIGN)]

    assert made == [1, 2, 3]
    assert [saved.design for saved in design_versions(store, "Mine")] == [DESIGN, OTHER, DESIGN]
    assert load_design(store, "Mine", 2).design == OTHER


def test_the_list_shows_the_newest_version_of_each_name(store: Store) -> None:
    save_design(store, "First", DESIGN)
    save_design(store, "Second", DESIGN)
    save_design(store, "First", OTHER)

    listed = {saved.name: (saved.version, saved.design) for saved in newest_designs(store)}
    assert listed == {"First": (2, OTHER), "Second": (1, DESIGN)}


def test_nothing_is_listed_before_anything_was_saved(store: Store) -> None:
    assert newest_designs(store) == []
    assert design_versions(store, "Mine") == []


def test_a_renamed_design_takes_all_its_versions_along(store: Store) -> None:
    save_design(store, "Old", DESIGN)
    save_design(store, "Old", OTHER)
    rename_design(store, "Old", "New")

    assert [saved.version for saved in design_versions(store, "New")] == [2, 1]
    assert design_versions(store, "Old") == []


def test_a_design_never_takes_the_name_of_another(store: Store) -> None:
    save_design(store, "One", DESIGN)
    save_design(store, "Two", OTHER)

    with pytest.raises(BadDesignName, match="“Two” already"):
        rename_design(store, "One", "Two")
    assert load_design(store, "One").design == DESIGN
    assert load_design(store, "Two").design == OTHER


def test_renaming_to_the_same_name_changes_nothing(store: Store) -> None:
    save_design(store, "One", DESIGN)
    rename_design(store, "One", " One ")
    assert load_design(store, "One").design == DESIGN


def test_a_deleted_design_is_gone_and_a_run_of_it_stays(store: Store) -> None:
    save_design(store, "Mine", OTHER)
    run = prepare(store, OTHER, "learner:shy", "direct")
    delete_design(store, "Mine")

    assert newest_designs(store) == []
    assert store.run(run).design == OTHER


@pytest.mark.parametrize("change", [load_design, delete_design])
def test_what_is_not_saved_is_said_to_be_unknown(change: object, store: Store) -> None:
    with pytest.raises(UnknownDesign, match="“Mine”"):
        change(store, "Mine")  # type: ignore[operator]


def test_a_version_that_is_not_there_is_told_with_those_that_are(store: Store) -> None:
    save_design(store, "Mine", DESIGN)
    with pytest.raises(UnknownDesign, match=r"no version 4\. Its versions are 1 to 1"):
        load_design(store, "Mine", 4)
    with pytest.raises(UnknownDesign):
        rename_design(store, "Yours", "Theirs")


@pytest.mark.parametrize("name", ["", "  \n ", "x" * 81, "a\x00b", "a\u202eb", "\ud800"])
def test_a_name_that_no_list_can_show_is_refused(name: str, store: Store) -> None:
    with pytest.raises(BadDesignName):
        save_design(store, name, DESIGN)
    assert newest_designs(store) == []


@given(name=st.text(min_size=1, max_size=90))
def test_any_text_is_saved_as_a_name_or_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    with open_store(tmp_path_factory.getbasetemp() / "names.db") as store:
        try:
            saved = save_design(store, name, DESIGN)
        except BadDesignName:
            return
        assert saved.name == " ".join(name.split())
        assert load_design(store, saved.name) == saved


def test_two_who_save_at_the_same_time_get_two_versions(store: Store) -> None:
    with ThreadPoolExecutor(4) as pool:
        saving = [pool.submit(save_design, store, "Mine", DESIGN) for _ in range(12)]
        for each in saving:
            each.result()

    numbers = [saved.version for saved in design_versions(store, "Mine")]
    assert numbers == list(range(12, 0, -1))
