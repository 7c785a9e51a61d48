"""Kept sets of pairs: written whole or not at all, asked like the pairs of any study."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.runs import (
    RunError,
    RunStatus,
    Store,
    UnknownSet,
    at_most_all,
    delete_set,
    find_pairs,
    open_store,
    pair_sets,
    prepare,
    run_here,
    save_set,
    set_pairs,
    set_report,
    study_in,
)
from biaslab.runs.estimating import estimate
from biaslab.studies import Design, Item, Pair, experiment
from schoolmath.problems import DesignError

FACTS = {"sentences": ["Mei has 4 pens.", "How many pens does Mei have?"], "steps": []}


def pair(number: int) -> Pair:
    one, other = (
        Item.of("imported", f"Mei {verb} {number} pens. How many pens?", str(number), FACTS)
        for verb in ("has", "owns")
    )
    return Pair.of(one, other, {"steps": 1 + number % 3, "treatment": "verb"}, one.id)


def pairs(count: int) -> list[Pair]:
    return [pair(number) for number in range(1, count + 1)]


def keep(store: Store, count: int = 12) -> str:
    return save_set(store, "Pens", pairs(count), "pens.csv").id


def design(set_id: str, n: int = 12, seed: int = 1) -> Design:
    return Design("imported", n, seed, {"set": set_id})


class TestKeeping:
    def test_a_set_gives_back_its_pairs_in_their_order(self, store):
        kept = save_set(store, "  Pens ", pairs(1203), "pens.csv", [{"row": 7, "reason": "Why."}])

        assert list(set_pairs(store, kept.id)) == pairs(1203)
        assert (kept.name, kept.origin, kept.pairs) == ("Pens", "pens.csv", 1203)
        assert set_report(store, kept.id) == [{"row": 7, "reason": "Why."}]

    def test_sets_are_listed_the_newest_first(self, store):
        first, second = keep(store), keep(store, 3)

        assert {each.id for each in pair_sets(store)} == {first, second}
        assert [each.created for each in pair_sets(store)] == sorted(
            (each.created for each in pair_sets(store)), reverse=True
        )

    def test_the_same_pairs_may_be_in_two_sets(self, store):
        first, second = keep(store), keep(store, 3)
        delete_set(store, first)

        assert list(set_pairs(store, second)) == pairs(3)

    @pytest.mark.parametrize("name", ["", "   ", "n" * 201])
    def test_a_name_has_to_be_there_and_not_too_long(self, store, name):
        with pytest.raises(RunError, match="from 1 to 200 characters"):
            save_set(store, name, pairs(2), "pens.csv")

    def test_no_pairs_make_no_set(self, store):
        with pytest.raises(RunError, match="from 1 to 100,000 pairs, not none"):
            save_set(store, "Pens", [], "pens.csv")


class TestNothingByHalves:
    def rows(self, store: Store) -> list[int]:
        with store.reading() as database:
            tables = ("items", "pairs", "pair_sets", "set_pairs")
            return [database[table].count for table in tables]

    def test_a_pair_twice_leaves_nothing_behind(self, store):
        with pytest.raises(RunError, match="Pair 701 is the same as an earlier one"):
            save_set(store, "Pens", [*pairs(700), pair(3)], "pens.csv")

        assert self.rows(store) == [0, 0, 0, 0]

    def test_an_error_on_the_way_leaves_nothing_behind(self, store):
        def broken():
            yield from pairs(700)
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            save_set(store, "Pens", broken(), "pens.csv")

        assert self.rows(store) == [0, 0, 0, 0]
        assert pair_sets(store) == []


class TestDeleting:
    def test_a_deleted_set_is_gone(self, store):
        kept = keep(store)
        delete_set(store, kept)

        assert find_pairs(store, kept) is None
        assert pair_sets(store) == []
        for look in (set_pairs, set_report, delete_set):
            with pytest.raises(UnknownSet, match=f"no set of pairs '{kept}'"):
                look(store, kept)

    def test_runs_that_asked_it_stay_as_they_are(self, store):
        kept = keep(store)
        run = prepare(store, design(kept), "learner:keyword", "direct")
        delete_set(store, kept)
        record = run_here(store, run)

        assert record.status is RunStatus.FINISHED
        assert len(store.outcomes([run])) == 12


class TestTheStudy:
    def test_a_set_is_prepared_estimated_asked_and_shown_like_any_study(self, store):
        kept = keep(store)
        found = estimate(store, design(kept), "learner:keyword", "direct")
        run = prepare(store, design(kept), "learner:keyword", "direct")
        record = run_here(store, run)
        outcomes = store.outcomes([run])

        assert (found.pairs, found.items) == (12, 24)
        assert record.status is RunStatus.FINISHED
        assert set(outcomes["pair"]) == {each.id for each in pairs(12)}
        assert set(outcomes["strata"].map(lambda strata: strata["treatment"])) == {"verb"}
        assert store.pair_detail(run, outcomes["pair"][0]).pair in pairs(12)

    @given(st.integers(1, 40), st.integers(0, 10**6), st.data())
    @settings(max_examples=25)
    def test_the_first_pairs_of_a_larger_design_are_those_of_a_smaller_one(
        self, tmp_path_factory, count, seed, data
    ):
        fewer = data.draw(st.integers(1, count))
        with open_store(tmp_path_factory.mktemp("sets") / "runs.db") as store:
            kept = keep(store, count)
            study = study_in(store, "imported")
            every = list(study.pairs(design(kept, count, seed)))
            some = list(study.pairs(design(kept, fewer, seed)))

        assert some == every[:fewer]
        assert sorted(each.id for each in every) == sorted(each.id for each in pairs(count))

    def test_more_pairs_than_there_are_is_refused_with_the_number_there_is(self, store):
        kept = keep(store)
        with pytest.raises(DesignError, match=r"12 pairs, not 13\. The nearest .* is 12\.") as no:
            list(study_in(store, "imported").pairs(design(kept, 13)))

        assert no.value.setting == "n"
        assert at_most_all(store, design(kept, 200)).n == 12
        assert at_most_all(store, design(kept, 5)).n == 5
        assert at_most_all(store, Design("carry", 200, 1)).n == 200

    @pytest.mark.parametrize(
        ("chosen", "told"),
        [({}, "No set of pairs is chosen"), ({"set": "none"}, "no set of pairs 'none'")],
    )
    def test_a_set_has_to_be_named_and_be_there(self, store, chosen, told):
        with pytest.raises(DesignError, match=told) as refused:
            prepare(store, Design("imported", 1, 1, chosen), "learner:keyword", "direct")
        assert refused.value.setting == "set"

    def test_without_a_file_of_runs_there_is_no_set(self):
        with pytest.raises(DesignError, match="no set of pairs 'abc'"):
            list(experiment("imported").pairs(design("abc", 1)))


@pytest.mark.parametrize("table", ["pair_sets", "set_pairs"])
def test_every_column_is_explained(store, table):
    told = (Path(__file__).parents[3] / "docs" / "file-format.md").read_text("utf-8")
    (paragraph,) = (each for each in told.split("\n\n") if each.startswith(f"**{table}**"))
    with store.reading() as database:
        columns = [column.name for column in database[table].columns]

    assert [name for name in columns if f"`{name}`" not in paragraph] == []
