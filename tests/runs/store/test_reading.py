"""What screens and analysis read: the same pairs, outcomes and patterns everywhere."""

from __future__ import annotations

import csv
import io
import json
import math
import sqlite3
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.models import Completion, GenerationRequest, Likelihood
from biaslab.runs import (
    AnswerState,
    PairOrder,
    PairPattern,
    UnknownPair,
    UnknownRun,
    open_store,
    prepare,
    run_here,
)
from biaslab.studies import Design
from tests.runs.simulation import Behaviour, SumStudy, simulated_sources

COLUMNS = [
    "run", "study", "model", "model_kind", "strategy", "pair", "position", "sample", "cluster",
    "strata", "item_x", "item_x_prime", "y_x", "y_x_prime", "value_x", "value_x_prime",
    "state_x", "state_x_prime", "on_scale", "recorded",
]  # fmt: skip

MIXED = Behaviour(wrong=3, invalid=5, failing=7, fails=99)
"""Some right, some wrong, some unreadable, some failed."""


@pytest.fixture
def mixed(prepared, do):
    """A run in which every pattern but one occurs."""
    run = prepared(MIXED, n=60)
    do(run)
    return run


class TestOutcomes:
    def test_a_row_per_pair_in_the_order_of_the_design(self, store, mixed):
        table = store.outcomes([mixed])

        design = Design("sums", 60, 1)
        pairs = list(SumStudy().pairs(design))
        assert list(table.columns) == COLUMNS
        assert table["pair"].tolist() == [pair.id for pair in pairs]
        assert table["item_x"].tolist() == [pair.x.id for pair in pairs]
        assert table["item_x_prime"].tolist() == [pair.x_prime.id for pair in pairs]
        assert table["strata"].tolist() == [pair.strata for pair in pairs]
        assert table["cluster"].tolist() == [pair.cluster for pair in pairs]
        assert table["position"].tolist() == list(range(60))
        assert set(table["model"]) == {MIXED.spec}
        assert set(table["model_kind"]) == {"learner"}
        assert not table["on_scale"].any()

    def test_an_outcome_exactly_where_there_is_an_answer(self, store, mixed):
        table = store.outcomes([mixed])

        for y, state in (("y_x", "state_x"), ("y_x_prime", "state_x_prime")):
            assert table[y].dtype == "float64"
            assert (table[y].notna() == (table[state] == "answered")).all()
        assert set(table["state_x_prime"]) == {"answered", "invalid", "failed"}

    def test_runs_come_in_the_order_asked_for(self, store, prepared):
        runs = [prepared(n=2), prepared(Behaviour(name="two"), n=3)]

        table = store.outcomes(runs[::-1])

        assert table["run"].tolist() == [runs[1]] * 3 + [runs[0]] * 2
        assert set(table["state_x"]) == {"missing"}
        assert table["y_x"].dtype == "float64"

    def test_no_runs_give_an_empty_table(self, store):
        table = store.outcomes([])

        assert list(table.columns) == COLUMNS
        assert len(table) == 0

    def test_unknown_runs_are_told(self, store, mixed):
        with pytest.raises(UnknownRun, match="no run nowhere"):
            store.outcomes([mixed, "nowhere"])


class TestAnsweredItems:
    def test_every_item_comes_once_for_its_arm_with_its_facts(self, store, prepared, do):
        run = prepared(Behaviour(wrong=3), n=6, settings={"shared": True})
        do(run)

        table = store.answered_items([run])

        assert table["arm"].tolist().count("x") == 1
        assert table["arm"].tolist().count("x_prime") == 6
        assert all(set(facts) == {"first", "second"} for facts in table["facts"])
        assert set(table["outcome"]) == {0.0, 1.0}

    def test_what_else_was_read_is_kept(self, store):

        class Noting(SumStudy):
            def read(self, item, answered, form):
                long = len(answered[0].text)
                return replace(super().read(item, answered, form), extra={"long": long})

        sources = simulated_sources(study=Noting())
        run = prepare(store, Design("sums", 2, 1), Behaviour().spec, "direct", sources=sources)
        run_here(store, run, sources=sources)

        assert all(extra["long"] > 0 for extra in store.answered_items([run])["extra"])
        detail = store.pair_detail(run, store.pair_rows(run)[0].pair)
        assert detail.x.reading.extra["long"] > 0


class TestPairs:
    def test_pages_hold_every_pair_once(self, store, mixed):
        pages = [store.pair_rows(mixed, offset=offset, limit=25) for offset in (0, 25, 50, 75)]

        assert [len(page) for page in pages] == [25, 25, 10, 0]
        assert [row.position for page in pages for row in page] == list(range(60))

    def test_rows_show_what_was_asked_and_answered(self, store, prepared, do):
        run = prepared(Behaviour(wrong=4), n=1)
        do(run)

        (row,) = store.pair_rows(run)

        (pair,) = SumStudy().pairs(Design("sums", 1, 1))
        assert (row.text_x, row.answer_x) == (pair.x.text, pair.x.answer)
        assert (row.text_x_prime, row.answer_x_prime) == (pair.x_prime.text, pair.x_prime.answer)
        assert row.value_x == str(int(pair.x.answer) + 1)
        assert (row.y_x, row.y_x_prime) == (0.0, 1.0)
        assert row.pattern is PairPattern.ONLY_X_PRIME
        assert row.state_x is AnswerState.ANSWERED

    def test_pairs_that_tell_most_come_first(self, store, mixed):
        rows = store.pair_rows(mixed, limit=1000)
        first = [PairPattern.ONLY_X, PairPattern.ONLY_X_PRIME]
        then = [
            PairPattern.BOTH_WRONG,
            PairPattern.INVALID,
            PairPattern.BOTH_RIGHT,
            PairPattern.UNFINISHED,
        ]
        groups = [first, *([each] for each in then)]
        expected = [row.pair for group in groups for row in rows if row.pattern in group]

        pages = [
            store.pair_rows(mixed, offset=at, limit=25, order=PairOrder.TELLING)
            for at in (0, 25, 50)
        ]

        assert [row.pair for page in pages for row in page] == expected

    @pytest.mark.parametrize("order", PairOrder)
    @pytest.mark.parametrize("patterns", [None, ["both wrong", "invalid"]])
    @pytest.mark.parametrize("strata", [None, {"even": True}])
    def test_a_pair_knows_its_place(self, store, mixed, order, patterns, strata):
        rows = store.pair_rows(mixed, patterns, strata, limit=1000, order=order)
        assert rows

        for row in store.pair_rows(mixed, limit=1000):
            place = store.pair_place(mixed, row.pair, patterns, strata, order=order)
            there = [each.pair for each in rows]
            assert place == (there.index(row.pair) if row.pair in there else None)
        assert store.pair_place(mixed, "no such pair") is None

    def test_patterns_select(self, store, mixed):
        counts = store.count_patterns(mixed)

        for pattern in PairPattern:
            rows = store.pair_rows(mixed, [pattern], limit=1000)
            assert len(rows) == counts[pattern]
            assert {row.pattern for row in rows} <= {pattern}
        both = store.pair_rows(mixed, ["invalid", "both wrong"], limit=1000)
        assert len(both) == counts[PairPattern.INVALID] + counts[PairPattern.BOTH_WRONG]
        assert store.pair_rows(mixed, []) == []

    @pytest.mark.parametrize(
        "strata", [{"even": True}, {"even": False}, {"third": 2, "even": True}, {"name": "n1"}]
    )
    def test_strata_select(self, store, mixed, strata):
        expected = [
            row.pair
            for row in store.pair_rows(mixed, limit=1000)
            if strata.items() <= row.strata.items()
        ]

        rows = store.pair_rows(mixed, strata=strata, limit=1000)

        assert [row.pair for row in rows] == expected != []
        assert sum(store.count_patterns(mixed, strata).values()) == len(expected)

    def test_strata_that_do_not_occur_select_nothing(self, store, mixed):
        assert store.pair_rows(mixed, strata={"even": "'; DROP TABLE runs; --"}) == []
        assert store.pair_rows(mixed, strata={'"$.even': True}) == []
        assert store.run(mixed).id == mixed

    def test_a_list_of_pairs_selects_and_every_count_follows(self, store, mixed):
        rows = store.pair_rows(mixed, limit=1000)
        only = [rows[7].pair, rows[2].pair, "0000"]

        assert store.pair_rows(mixed, only=only) == [rows[2], rows[7]]
        assert store.pair_place(mixed, rows[7].pair, only=only) == 1
        assert store.pair_place(mixed, rows[0].pair, only=only) is None
        assert sum(store.count_patterns(mixed, only=only).values()) == 2
        assert store.pair_rows(mixed, only=[]) == []

    def test_runs_that_ask_the_same_pair_are_found_the_newest_first(self, store, prepared):
        smaller, larger, other = prepared(n=3), prepared(n=5), prepared(n=5, seed=2)
        rows = store.pair_rows(larger)
        shared, own = rows[0].pair, rows[4].pair
        again = prepared(n=5)

        assert store.runs_sharing(smaller, shared) == [again, larger]
        assert store.runs_sharing(larger, own) == [again]
        assert other not in store.runs_sharing(larger, shared)
        with pytest.raises(UnknownRun):
            store.runs_sharing("0000", shared)

    def test_a_run_that_had_enough_before_a_pair_does_not_share_it(self, store, prepared):
        one, stopped = prepared(n=5), prepared(n=5)
        with store.writing() as connection:
            connection.execute("UPDATE runs SET enough = 2 WHERE id = ?", (stopped,))
        rows = store.pair_rows(one)

        assert store.runs_sharing(one, rows[1].pair) == [stopped]
        assert store.runs_sharing(one, rows[2].pair) == []

    def test_what_does_not_exist_is_told(self, store, mixed):
        with pytest.raises(ValueError, match="not a valid PairPattern"):
            store.pair_rows(mixed, ["both good"])
        for read in (store.pair_rows, store.count_patterns):
            with pytest.raises(UnknownRun):
                read("nowhere")
        with pytest.raises(UnknownPair):
            store.pair_detail(mixed, "no such pair")


class TestPairDetail:
    def test_it_shows_exactly_what_was_sent_and_what_came_back(self, store, prepared, do):
        run = prepared(n=1, strategy="two")
        do(run)

        detail = store.pair_detail(run, store.pair_rows(run)[0].pair)

        (pair,) = SumStudy().pairs(Design("sums", 1, 1))
        assert detail.pair == pair
        assert detail.pattern is PairPattern.BOTH_RIGHT
        for member, item in ((detail.x, pair.x), (detail.x_prime, pair.x_prime)):
            assert member.item == item
            assert [type(request) for request in member.requests] == [GenerationRequest] * 2
            assert member.requests[0].messages[0].content == f"Think: {item.text}"
            assert all(isinstance(response, Completion) for response in member.responses)
            assert member.reading.value == item.answer
            start, end = member.reading.span
            assert member.responses[-1].text[start:end] == item.answer

    def test_likelihoods_are_shown_as_such(self, store, prepared, do):
        run = prepared(n=1, strategy="scored")
        do(run)

        detail = store.pair_detail(run, store.pair_rows(run)[0].pair)

        assert detail.x.responses == (Likelihood((-0.5, -1.5), (1, 1)),)
        assert detail.x.requests[0].continuations[0] == detail.x.item.answer
        assert detail.x.reading.span is None

    def test_before_anything_was_asked(self, store, prepared):
        run = prepared(n=1)

        detail = store.pair_detail(run, store.pair_rows(run)[0].pair)

        assert detail.pattern is PairPattern.UNFINISHED
        assert detail.x.state is AnswerState.MISSING
        assert detail.x.exchanges == ()
        assert detail.x.reading is None


class TestExport:
    def test_a_row_per_pair_and_arm_with_the_same_columns(self, store, mixed):
        rows = list(store.export_rows(mixed))

        assert len(rows) == 120
        assert {tuple(row) for row in rows} == {tuple(rows[0])}
        assert [(row["position"], row["arm"]) for row in rows[:4]] == [
            (0, "x"), (0, "x_prime"), (1, "x"), (1, "x_prime")
        ]  # fmt: skip
        assert rows[0]["stratum_even"] in (True, False)
        table = store.outcomes([mixed])
        exported = [math.nan if row["outcome"] is None else row["outcome"] for row in rows[::2]]
        assert all(
            a == b or (math.isnan(a) and math.isnan(b))
            for a, b in zip(exported, table["y_x"], strict=True)
        )

    def test_failed_and_missing_rows_are_there_and_say_so(self, store, prepared, mixed):
        states = {row["state"] for row in store.export_rows(mixed)}
        waiting = list(store.export_rows(prepared(n=1, seed=5)))

        assert states == {"answered", "invalid", "failed"}
        assert [(row["state"], row["response"]) for row in waiting] == [("missing", None)] * 2

    def test_requests_of_several_stages_in_one_row(self, store, prepared, do):
        run = prepared(n=1, strategy="two")
        do(run)

        row = next(iter(store.export_rows(run)))

        assert row["prompt"] == f"{row['text']} {row['reasoning']} So:"
        assert row["response"] == row["answer"] == row["value"]

    def test_it_is_ready_for_csv(self, store, mixed):
        rows = list(store.export_rows(mixed))
        file = io.StringIO()
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()

        writer.writerows(rows)

        file.seek(0)
        assert len(list(csv.DictReader(file))) == 120


class TestChangeCounter:
    def test_it_grows_with_every_change(self, store, prepared, do):
        seen = [store.change_counter()]
        run = prepared()
        seen.append(store.change_counter())
        do(run)
        seen.append(store.change_counter())

        assert seen == sorted(set(seen))

    def test_reading_does_not_change_it(self, store, mixed):
        before = store.change_counter()

        store.outcomes([mixed])
        store.runs()

        assert store.change_counter() == before


MEMBER = st.sampled_from(["answered 1", "answered 0", "answered 0.5", "invalid", "failed", ""])


class TestPatterns:
    @settings(max_examples=40, deadline=None)
    @given(st.lists(st.tuples(MEMBER, MEMBER), min_size=1, max_size=12))
    def test_every_pair_has_the_pattern_its_members_make(self, members):
        with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "a.db") as store:
            design = Design("sums", len(members), 1)
            sources = simulated_sources()
            run = prepare(store, design, Behaviour().spec, "direct", sources=sources)
            pairs = list(SumStudy().pairs(design))
            with store.writing() as connection:
                for pair, both in zip(pairs, members, strict=True):
                    _write(connection, run, pair.x.id, both[0])
                    _write(connection, run, pair.x_prime.id, both[1])

            rows = store.pair_rows(run, limit=1000)
            counts = store.count_patterns(run)
            effects = _effects(store)

        expected = [_pattern(*both) for both in members]
        assert [row.pattern for row in rows] == expected
        assert counts == {pattern: expected.count(pattern) for pattern in PairPattern}
        complete = [both for both in members if _pattern(*both) is not PairPattern.UNFINISHED]
        assert [effect["n"] for effect in effects] == ([len(complete)] if complete else [])
        if complete:
            cate = sum(_y(x) - _y(x_prime) for x, x_prime in complete) / len(complete)
            assert effects[0]["cate"] == pytest.approx(cate)
            invalid = sum(x == "invalid" for x, _ in complete)
            assert effects[0]["invalid_x"] == invalid


def _write(connection: sqlite3.Connection, run: str, item: str, member: str) -> None:
    if member:
        state, _, outcome = member.partition(" ")
        connection.execute(
            "INSERT INTO answers (run, item, state, outcome, responses) VALUES (?, ?, ?, ?, ?)",
            (run, item, state, float(outcome) if outcome else None, json.dumps([])),
        )


def _effects(store):
    with store.reading() as database:
        return list(database.query("SELECT * FROM effects"))


def _y(member: str) -> float:
    return float(member.partition(" ")[2] or 0)


def _pattern(x: str, x_prime: str) -> PairPattern:
    if {x, x_prime} & {"failed", ""}:
        return PairPattern.UNFINISHED
    if "invalid" in (x, x_prime):
        return PairPattern.INVALID
    return {
        (True, True): PairPattern.BOTH_RIGHT,
        (True, False): PairPattern.ONLY_X,
        (False, True): PairPattern.ONLY_X_PRIME,
        (False, False): PairPattern.BOTH_WRONG,
    }[_y(x) == 1, _y(x_prime) == 1]
