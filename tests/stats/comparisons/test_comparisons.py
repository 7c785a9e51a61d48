"""Runs compared on the pairs they share: differences, wordings, families and refusals."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from biaslab.stats import (
    FINDING_COLUMNS,
    BrokenOutcomes,
    CannotCompare,
    CountingRules,
    Finding,
    RunComparison,
    UnknownStratum,
    compare,
    findings_json,
    findings_table,
    mean_estimate,
)
from biaslab.stats.comparisons.comparisons import differences, wordings
from biaslab.stats.comparisons.findings import holm
from biaslab.stats.comparisons.shared_pairs import runs_of
from tests.stats.comparison_cases import answers_of_wordings, drawn, runs_of_table, table


def _of(found: RunComparison, question: str, stratum: str = "all") -> list[Finding]:
    return [f for f in found.findings if f.question == question and f.stratum == stratum]


def _both(*tables: pd.DataFrame) -> pd.DataFrame:
    return pd.concat(tables, ignore_index=True)


class TestTheDifferenceOfTwoRuns:
    def test_is_taken_pair_by_pair_with_the_interval_that_is_used_everywhere(self) -> None:
        a = table([1, 1, 1, 0, 1, 1], [0, 0, 1, 0, 0, 1], "a")
        b = table([1, 0, 1, 1, 1, 0], [1, 0, 0, 1, 1, 1], "b", model="tiny:b")
        (found,) = _of(compare(_both(a, b)), "effect-difference")
        e = np.array([1, 1, -1, 0, 1, 1], dtype=float)
        expected = mean_estimate(e, None, bound=2.0)
        assert found.runs == ("a", "b")
        assert found.values == pytest.approx((3 / 6, 0.0))
        assert found.estimate == pytest.approx(e.mean())
        assert expected.interval is not None
        assert (found.ci_low, found.ci_high) == (expected.interval.low, expected.interval.high)
        assert found.p == expected.p
        assert (found.n, found.clusters) == (6, 6)

    def test_is_that_of_accuracies_too_on_the_same_items(self) -> None:
        a = table([1, 1, 1, 1], [0, 0, 1, 1], "a")
        b = table([1, 0, 0, 1], [1, 0, 0, 1], "b")
        (found,) = _of(compare(_both(a, b)), "accuracy-difference")
        assert found.values == (0.75, 0.5)
        assert found.estimate == 0.25

    def test_says_how_many_pairs_are_shared_and_how_many_are_not(self) -> None:
        a = table([1] * 6, [0] * 6, "a", pairs=list("abcdef"))
        b = table([1] * 5, [1] * 5, "b", pairs=list("defgh"))
        b.loc[0, "state_x"] = "failed"
        found = compare(_both(a, b))
        (row,) = _of(found, "effect-difference")
        assert (row.n, row.unshared, row.uncounted) == (2, (3, 2), 1)
        assert any("3 of a, 2 of b" in sentence for sentence in found.warnings)
        assert any("(1)" in sentence for sentence in found.warnings)

    def test_matches_pairs_by_id_and_never_by_place(self) -> None:
        a = table([1, 0, 1, 0], [0, 0, 1, 1], "a", pairs=list("abcd"))
        b = table([0, 0, 1, 1], [1, 0, 1, 0], "b", pairs=list("dcba"))
        (found,) = _of(compare(_both(a, b)), "effect-difference")
        # a: +1, 0, 0, -1; b in the order of a: +1, 0, 0, -1.
        assert found.estimate == 0.0
        assert found.p == 1.0

    def test_respects_clusters_that_pairs_share(self) -> None:
        rng = np.random.default_rng(5)
        e = np.repeat(rng.integers(0, 2, 20), 5).astype(float)
        clusters = [f"c{i // 5}" for i in range(100)]
        a = table(e, np.zeros(100), "a", clusters=clusters)
        b = table(np.zeros(100), np.zeros(100), "b", clusters=clusters)
        (found,) = _of(compare(_both(a, b)), "effect-difference")
        single = mean_estimate(e, None, bound=2.0).interval
        assert found.clusters == 20
        assert found.ci_low is not None
        assert single is not None
        assert found.ci_low < single.low

    def test_runs_without_a_shared_pair_are_refused_in_a_sentence(self) -> None:
        a, b = table([1, 1], [0, 0], "a"), table([1, 1], [0, 0], "b", pairs=["x", "y"])
        with pytest.raises(CannotCompare, match="have no pair in common"):
            compare(_both(a, b))

    def test_runs_of_different_studies_are_never_compared(self) -> None:
        a, b = table([1, 1], [0, 0], "a"), table([1, 1], [0, 0], "b", study="carry")
        with pytest.raises(CannotCompare, match="nothing to compare"):
            compare(_both(a, b))

    def test_one_cluster_by_two_names_is_refused(self) -> None:
        a = table([1, 1], [0, 0], "a")
        b = table([1, 1], [0, 0], "b", clusters=["c", "c"])
        with pytest.raises(BrokenOutcomes, match="different clusters"):
            compare(_both(a, b))

    def test_without_a_difference_is_found_at_most_as_often_as_promised(self) -> None:
        rng = np.random.default_rng(11)
        found = []
        for _ in range(200):
            a, b = (drawn(60, (0.9, 0.6), rng, run) for run in "ab")
            row = differences(*runs_of_table(_both(a, b)))[0]
            found.append((row.p or 1.0) < 0.05)
        assert np.mean(found) <= 0.065

    def test_a_known_difference_is_found_and_covered(self) -> None:
        rng = np.random.default_rng(12)
        found, covered = [], []
        for _ in range(200):
            a, b = drawn(150, (0.9, 0.5), rng, "a"), drawn(150, (0.8, 0.75), rng, "b")
            row = differences(*runs_of_table(_both(a, b)))[0]
            assert row.p is not None
            assert row.ci_low is not None
            assert row.ci_high is not None
            found.append(row.p < 0.05)
            covered.append(row.ci_low <= 0.35 <= row.ci_high)
        assert np.mean(found) > 0.9
        assert np.mean(covered) >= 0.93

    def test_many_simulated_runs_are_counted_as_those_of_a_file(self) -> None:
        both = _both(table([1, 0, 1], [0, 0, 1], "a"), table([1, 1, 0], [1, 0, 1], "b"))
        for one, other in zip(runs_of(both, CountingRules()), runs_of_table(both), strict=True):
            pd.testing.assert_frame_equal(
                one.counted, other.counted, check_dtype=False, check_names=False
            )
            assert replace(one, counted=None) == replace(other, counted=None)  # type: ignore[arg-type]

    @given(st.lists(st.tuples(*[st.integers(0, 1)] * 4), min_size=2, max_size=25))
    @hypothesis_settings(max_examples=25, deadline=None)
    def test_is_the_opposite_the_other_way_round_and_the_same_in_any_order(
        self, answers: list[tuple[int, int, int, int]]
    ) -> None:
        columns = [list(map(float, column)) for column in zip(*answers, strict=True)]
        a, b = table(columns[0], columns[1], "a"), table(columns[2], columns[3], "b")
        forward = differences(*runs_of_table(_both(a, b)))
        backward = differences(*runs_of_table(_both(b, a)))
        mixed = differences(*runs_of_table(_both(a[::-1], b.sample(frac=1, random_state=1))))
        for one, other, same in zip(forward, backward, mixed, strict=True):
            assert one.estimate is not None
            assert one.ci_low is not None
            assert one.ci_high is not None
            assert other.estimate == pytest.approx(-one.estimate)
            assert (other.ci_low, other.ci_high) == pytest.approx((-one.ci_high, -one.ci_low))
            assert (same.estimate, same.p) == pytest.approx((one.estimate, one.p))
            assert -2.0 <= one.ci_low <= one.estimate <= one.ci_high <= 2.0

    def test_positions_on_a_scale_have_a_difference_and_no_accuracy(self) -> None:
        a = table([0.2, 0.5, 0.9, 0.4], [0.1, 0.1, 0.3, 0.4], "a", study="decision")
        b = table([0.2, 0.1, 0.3, 0.4], [0.1, 0.1, 0.3, 0.3], "b", study="decision")
        found = compare(_both(a, b))
        assert [f.question for f in found.findings] == ["effect-difference"]
        assert found.findings[0].unit == "scale"


class TestFamilies:
    def test_holm_is_that_of_statsmodels(self) -> None:
        p = [0.04, 0.001, 0.03, 0.9, 0.03]
        assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])

    def test_all_differences_between_more_than_two_runs_are_one_family(self) -> None:
        rng = np.random.default_rng(2)
        runs = [drawn(40, (0.9, 0.5), rng, name, model=f"tiny:{name}") for name in "abc"]
        rows = _of(compare(_both(*runs)), "effect-difference")
        assert [row.runs for row in rows] == [("a", "b"), ("a", "c"), ("b", "c")]
        assert {row.family for row in rows} == {("a-b all", "a-c all", "b-c all")}
        p = [row.p for row in rows]
        assert [row.p_holm for row in rows] == pytest.approx(multipletests(p, method="holm")[1])

    def test_a_breakdown_is_a_family_of_its_own(self) -> None:
        strata = [{"steps": 1 + i % 2} for i in range(20)]
        a = table([1, 0] * 10, [0, 0] * 10, "a", strata=strata)
        b = table([1, 1] * 10, [0, 1] * 10, "b", strata=strata)
        found = compare(_both(a, b), by="steps")
        (whole,) = _of(found, "effect-difference")
        assert whole.family == ("a-b all",)
        (part,) = _of(found, "effect-difference", "steps=2")
        assert part.family == ("a-b steps=1", "a-b steps=2")


class TestWaysOfAsking:
    def test_that_make_no_difference_are_rarely_said_to(self) -> None:
        rng = np.random.default_rng(21)
        found = [
            (wordings(runs_of_table(answers_of_wordings(60, [(0.9, 0.6)] * 3, 0.5, rng))).p or 1)
            < 0.05
            for _ in range(120)
        ]
        assert np.mean(found) <= 0.07

    def test_that_differ_are_found_and_their_spread_is_covered(self) -> None:
        rng = np.random.default_rng(22)
        right = [(0.9, 0.9), (0.9, 0.6), (0.9, 0.3)]
        true = float(np.std([0.0, 0.3, 0.6], ddof=1))
        rows = [
            wordings(runs_of_table(answers_of_wordings(150, right, 0.5, rng))) for _ in range(60)
        ]
        assert all(row.p is not None and row.p < 0.05 for row in rows)
        covered = [(row.ci_low or 0) <= true <= (row.ci_high or 0) for row in rows]
        assert np.mean(covered) >= 0.95
        assert np.mean([row.estimate or 0.0 for row in rows]) == pytest.approx(true, abs=0.02)

    def test_p_and_interval_say_the_same(self) -> None:
        rng = np.random.default_rng(23)
        for _ in range(40):
            right = [(0.8, 0.6), (0.8, 0.5), (0.8, 0.75)]
            row = wordings(runs_of_table(answers_of_wordings(80, right, 0.3, rng)))
            assert row.p is not None
            assert row.ci_low is not None
            assert (row.p < 0.05) == (row.ci_low > 0.0)

    def test_two_of_them_are_as_far_apart_as_their_difference_says(self) -> None:
        rng = np.random.default_rng(24)
        runs = runs_of_table(answers_of_wordings(80, [(0.9, 0.3), (0.9, 0.8)], 0.3, rng))
        row, (difference, _) = wordings(runs), differences(*runs)
        assert difference.ci_low is not None
        assert row.ci_low == pytest.approx(difference.ci_low / np.sqrt(2))
        assert row.p == pytest.approx(difference.p)

    def test_come_in_any_order_under_any_name(self) -> None:
        rng = np.random.default_rng(25)
        asked = answers_of_wordings(50, [(0.8, 0.6), (0.7, 0.5), (0.9, 0.4)], 0.3, rng)
        renamed = asked.replace({"run": {"w0": "z", "w2": "b"}}).iloc[::-1]
        one, other = wordings(runs_of_table(asked)), wordings(runs_of_table(renamed))
        assert (one.estimate, one.ci_low, one.ci_high, one.p) == pytest.approx(
            (other.estimate, other.ci_low, other.ci_high, other.p)
        )

    def test_are_compared_as_a_whole_only_once_each(self) -> None:
        rng = np.random.default_rng(26)
        runs = [
            drawn(30, (0.9, 0.5), rng, name, strategy=way)
            for name, way in zip("abc", "xxy", strict=True)
        ]
        found = compare(_both(*runs))
        assert not _of(found, "wordings")
        assert any("in the same way" in sentence for sentence in found.warnings)


class TestWhatARowSays:
    def test_where_it_comes_from(self) -> None:
        a, b = table([1, 1, 0], [0, 1, 0], "a"), table([1, 0, 0], [1, 1, 0], "b", model="tiny:b")
        setting = CountingRules("exclude", confidence=0.9, looked=frozenset({"b"}))
        found = compare(_both(a, b), setting=setting)
        row = json.loads(findings_json(found.findings))[0]
        assert list(row) == list(FINDING_COLUMNS)
        assert row["format"] == 1
        assert row["models"] == ["tiny:a", "tiny:b"]
        assert (row["confidence"], row["invalid"], row["looked"]) == (0.9, "exclude", True)
        assert any("checked while it went on" in sentence for sentence in found.warnings)
        assert list(findings_table(found.findings).columns) == list(FINDING_COLUMNS)

    def test_few_clusters_are_warned_of(self) -> None:
        a, b = table([1, 1, 0], [0, 1, 0], "a"), table([1, 0, 0], [1, 1, 0], "b")
        assert any("3 independent groups" in s for s in compare(_both(a, b)).warnings)
        one = _both(a.assign(cluster="c"), b.assign(cluster="c"))
        assert any("1 independent group of pairs" in s for s in compare(one).warnings)


def test_one_run_alone_needs_another_question() -> None:
    with pytest.raises(CannotCompare, match="name two runs"):
        compare(table([1, 1], [0, 0]))


def test_what_cant_be_answered_is_said_beside_what_can() -> None:
    strata = [{"op": "ab"[i % 2]} for i in range(20)]
    a = table([1, 0] * 10, [0, 0] * 10, "a", strata=strata)
    b = table([1, 1] * 10, [0, 1] * 10, "b", strata=strata)
    found = compare(_both(a, b), trend_over="op")
    assert _of(found, "effect-difference")
    assert any("are no numbers" in sentence for sentence in found.warnings)


def test_a_stratum_that_no_pair_has_is_refused() -> None:
    with pytest.raises(UnknownStratum, match="no stratum 'steps'"):
        compare(table([1, 0, 1], [0, 0, 1]), by="steps")
