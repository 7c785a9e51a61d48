"""From outcomes to rows of effects: what counts, what is reported, what is refused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from biaslab.stats import (
    BrokenOutcomes,
    Interval,
    IntervalMethod,
    UnknownChoice,
    UnknownStratum,
    cate_of_counts,
    effect_warnings,
    effects,
    wilson,
)

Maker = Callable[..., pd.DataFrame]


def test_a_run_becomes_one_row_with_everything_a_reader_needs(make_outcomes: Maker) -> None:
    x = [1, 1, 1, 1, 0, 0, 1, 1]
    x_prime = [1, 0, 0, 1, 0, 1, 0, 1]
    (effect,) = effects(make_outcomes(x, x_prime))
    assert (effect.study, effect.model, effect.model_kind) == (
        "consistency", "learner:child", "learner",
    )  # fmt: skip
    assert (effect.run, effect.strategy, effect.stratum) == ("r1", "direct", "all")
    assert (effect.n, effect.clusters, effect.binary) == (8, 8, True)
    assert (effect.accuracy_x, effect.accuracy_x_prime) == (0.75, 0.5)
    assert effect.accuracy_x_ci == wilson(6, 8)
    assert effect.accuracy_x_prime_ci == wilson(4, 8)
    assert effect.cate == 0.25
    reference = stats.ttest_rel(x, x_prime)
    expected = cate_of_counts(both=3, only_x=3, only_x_prime=1, neither=1)
    assert (effect.ci_low, effect.ci_high) == (expected.ci_low, expected.ci_high)
    assert effect.p == expected.p
    assert effect.p_t == pytest.approx(reference.pvalue)
    assert effect.p_mcnemar == pytest.approx(stats.binomtest(3, 4).pvalue)
    assert (effect.q_bh, effect.family) == (effect.p, ("r1 all",))
    assert (effect.interval_method, effect.looked) == ("imagined-pairs", False)
    assert "imagined pairs" in effect.method


def test_the_interval_of_the_paper_can_be_asked_for_by_name(make_outcomes: Maker) -> None:
    x, x_prime = [1, 1, 1, 1, 0, 0, 1, 1], [1, 0, 0, 1, 0, 1, 0, 1]
    (effect,) = effects(make_outcomes(x, x_prime), interval="t")
    interval = stats.ttest_rel(x, x_prime).confidence_interval()
    assert (effect.ci_low, effect.ci_high) == pytest.approx((interval.low, interval.high))
    assert effect.p == pytest.approx(effect.p_t)
    assert effect.interval_method == "t"
    assert "paired t interval" in effect.method


@pytest.mark.parametrize("method", ["tango", "newcombe", "bonett-price"])
def test_a_method_for_single_pairs_is_refused_where_pairs_share_something(
    make_outcomes: Maker, method: IntervalMethod
) -> None:
    table = make_outcomes([1, 1, 0, 1], [0, 1, 0, 0], clusters=["a", "a", "b", "b"])
    with pytest.raises(UnknownChoice, match="choose imagined-pairs or t"):
        effects(table, interval=method)


class TestInvalidAnswers:
    X = (1, 1, None, 0, 1)
    X_PRIME = (0, None, 0, 0, 1)

    def test_strictly_they_count_as_not_right_and_are_reported(self, make_outcomes: Maker) -> None:
        (effect,) = effects(make_outcomes(self.X, self.X_PRIME))
        assert (effect.n, effect.accuracy_x, effect.accuracy_x_prime) == (5, 0.6, 0.2)
        assert (effect.invalid_x, effect.invalid_x_prime, effect.excluded) == (1, 1, 0)
        assert "counts as not right" in effect.method

    def test_excluded_they_take_their_pair_along_and_are_reported(
        self, make_outcomes: Maker
    ) -> None:
        (effect,) = effects(make_outcomes(self.X, self.X_PRIME), invalid="exclude")
        assert (effect.n, effect.cate) == (3, pytest.approx(1 / 3))
        assert (effect.invalid_x, effect.invalid_x_prime, effect.excluded) == (1, 1, 2)
        assert "left out" in effect.method

    def test_on_a_scale_they_are_left_out_whatever_the_rule(self, make_outcomes: Maker) -> None:
        (effect,) = effects(make_outcomes([-0.5, None, 0.5], [-1.0, 0.0, 0.25]))
        assert (effect.binary, effect.n, effect.excluded) == (False, 2, 1)
        assert effect.cate == pytest.approx(0.375)
        assert effect.p_mcnemar is None
        assert effect.accuracy_x == 0.0
        assert isinstance(effect.accuracy_x_ci, Interval)
        assert effect.accuracy_x_ci.low < -0.5
        assert "scale" in effect.method


def test_failed_and_missing_members_leave_their_pair_out_and_are_counted_apart(
    make_outcomes: Maker,
) -> None:
    table = make_outcomes([1, None, None, 1, None], [0, 1, 1, 0, None])
    table["state_x"] = ["answered", "failed", "missing", "answered", "invalid"]
    table["state_x_prime"] = ["answered", "answered", "answered", "missing", "failed"]
    (effect,) = effects(table)
    assert (effect.n, effect.failed, effect.unfinished) == (1, 2, 2)
    assert (effect.invalid_x, effect.invalid_x_prime) == (0, 0)


def test_a_run_without_countable_pairs_keeps_its_row(make_outcomes: Maker) -> None:
    table = make_outcomes([None], [1])
    table["state_x"] = "missing"
    (effect,) = effects(table)
    assert (effect.n, effect.cate, effect.ci_low, effect.p_t, effect.q_bh) == (0, *[None] * 4)
    assert effect.unfinished == 1


class TestStrata:
    def test_each_value_gets_a_row_in_ascending_order(self, make_outcomes: Maker) -> None:
        strata = [{"steps": s} for s in (10, 2, 2, 10, 1, 10)]
        table = make_outcomes([1, 1, 0, 0, 1, 1], [0, 0, 0, 0, 1, 0], strata=strata)
        found = effects(table, by="steps")
        assert [e.stratum for e in found] == ["steps=1", "steps=2", "steps=10"]
        assert [e.stratum_value for e in found] == [1, 2, 10]
        assert [e.n for e in found] == [1, 2, 3]

    def test_words_and_truth_values_are_strata_too(self, make_outcomes: Maker) -> None:
        strata = [{"operation": o, "zero": z} for o, z in (("-", True), ("+", False))]
        table = make_outcomes([1, 1], [0, 0], strata=strata)
        assert [e.stratum for e in effects(table, by="operation")] == ["operation=+", "operation=-"]
        assert [e.stratum for e in effects(table, by="zero")] == ["zero=false", "zero=true"]

    def test_pairs_that_do_not_say_form_a_stratum_of_their_own(self, make_outcomes: Maker) -> None:
        table = make_outcomes([1, 1], [0, 0], strata=[{}, {"steps": 1}])
        assert [e.stratum for e in effects(table, by="steps")] == ["steps=1", "steps=not given"]

    def test_a_stratum_nobody_has_is_refused_with_those_there_are(
        self, make_outcomes: Maker
    ) -> None:
        table = make_outcomes([1], [0], strata=[{"steps": 1, "operation": "+"}])
        with pytest.raises(UnknownStratum, match="choose operation, steps or all pairs"):
            effects(table, by="grade")

    def test_a_study_without_the_stratum_keeps_its_row_for_all_pairs(
        self, make_outcomes: Maker
    ) -> None:
        with_steps = make_outcomes([1, 0], [0, 0], strata=[{"steps": 1}, {"steps": 2}], run="a")
        without = make_outcomes([1, 1], [0, 1], strata=[{"bias": "framing"}] * 2, run="b")
        found = effects(pd.concat([with_steps, without.assign(study="decision")]), by="steps")
        assert [(e.run, e.stratum, e.n) for e in found] == [
            ("a", "steps=1", 1), ("a", "steps=2", 1), ("b", "all", 2),
        ]  # fmt: skip
        (whole,) = effects(without.assign(study="decision"))
        assert (found[2].cate, found[2].ci_low) == (whole.cate, whole.ci_low)
        (warning,) = effect_warnings(found, by="steps")
        assert "study decision have no stratum 'steps'" in warning

    def test_a_stratum_that_no_study_has_is_refused(self, make_outcomes: Maker) -> None:
        tables = [
            make_outcomes([1], [0], strata=[{name: 1}], run=name).assign(study=f"study {name}")
            for name in ("steps", "bias")
        ]
        with pytest.raises(UnknownStratum, match=r"studies study .*, study .* have no"):
            effects(pd.concat(tables), by="moon")

    @settings(max_examples=40)
    @given(st.lists(st.tuples(st.integers(1, 4), st.booleans(), st.booleans()), min_size=1))
    def test_no_pair_is_lost_or_counted_twice(
        self, make_outcomes: Maker, rows: list[tuple[int, bool, bool]]
    ) -> None:
        table = make_outcomes(
            [x for _, x, _ in rows],
            [y for _, _, y in rows],
            strata=[{"steps": s} for s, _, _ in rows],
        )
        (whole,) = effects(table)
        parts = effects(table, by="steps")
        assert sum(e.n for e in parts) == whole.n == len(rows)
        weighted = sum(e.n * e.cate for e in parts if e.cate is not None)
        assert weighted / whole.n == pytest.approx(whole.cate)


class TestClusters:
    def test_shared_clusters_widen_the_interval_and_leave_no_test_that_ignores_them(
        self, make_outcomes: Maker
    ) -> None:
        x, x_prime = [1] * 20 + [0] * 20, [0] * 10 + [1] * 10 + [0] * 20
        clusters = [i // 5 for i in range(40)]
        (alone,) = effects(make_outcomes(x, x_prime))
        (shared,) = effects(make_outcomes(x, x_prime, clusters=clusters))
        assert (shared.n, shared.clusters) == (40, 8)
        assert shared.ci_high - shared.ci_low > alone.ci_high - alone.ci_low
        assert shared.p > alone.p
        assert (shared.p_t, shared.p_mcnemar) == (None, None)
        assert alone.p_t is not None
        assert shared.accuracy_x_ci.high - shared.accuracy_x_ci.low > (
            alone.accuracy_x_ci.high - alone.accuracy_x_ci.low
        )
        assert "8 clusters" in shared.method


class TestFalseDiscoveryRate:
    def test_a_family_is_all_tests_of_a_study_in_one_call(self, make_outcomes: Maker) -> None:
        rng = np.random.default_rng(5)
        tables = [
            make_outcomes(
                rng.integers(0, 2, 50), rng.integers(0, 2, 50) * rng.integers(0, 2, 50),
                run=f"{study}{i}", study=study,
            )
            for study in ("consistency", "carry") for i in range(6)
        ]  # fmt: skip
        found = effects(pd.concat(tables))
        for study in ("consistency", "carry"):
            family = [e for e in found if e.study == study]
            expected = multipletests([e.p for e in family], method="fdr_bh")[1]
            assert [e.q_bh for e in family] == pytest.approx(list(expected))
            assert all("over the 6 tests" in e.method for e in family)
            assert {e.family for e in family} == {tuple(f"{study}{i} all" for i in range(6))}

    def test_simulated_learners_change_no_models_q(self, make_outcomes: Maker) -> None:
        def run(name: str, kind: str) -> pd.DataFrame:
            made = make_outcomes([1] * 12 + [0] * 20, [0] * 12 + [1] * 3 + [0] * 17, run=name)
            return made.assign(model_kind=kind)

        models = [run("a", "tiny"), run("b", "language model")]
        learners = [run(name, "learner") for name in "cde"]
        alone = effects(pd.concat(models))
        beside = effects(pd.concat([*learners, *models]))
        assert [e.q_bh for e in beside if e.run in "ab"] == [e.q_bh for e in alone]
        assert beside[0].family == ("c all", "d all", "e all")
        assert "simulated learners" in beside[0].method

    def test_pairs_that_all_come_out_one_way_have_a_p_like_any_other(
        self, make_outcomes: Maker
    ) -> None:
        table = pd.concat(
            [
                make_outcomes([1] * 20, [0] * 20, run="always"),
                make_outcomes([1, 0] * 10, [0, 1] * 10, run="never"),
            ]
        )
        always, never = effects(table)
        assert always.p_t is None
        assert always.q_bh == pytest.approx(2 * always.p)
        assert always.p < 0.001
        assert never.q_bh == 1.0

    def test_of_the_effects_called_real_at_most_5_per_cent_are_not_in_the_long_run(
        self, make_outcomes: Maker
    ) -> None:
        """Simulation: 8 of 10 runs have no effect, 2 have one of 25 points."""
        rng = np.random.default_rng(6)
        shares, found_real = [], 0
        for _ in range(30):
            tables = []
            for run in range(10):
                p_x_prime = 0.35 if run < 2 else 0.6
                x = rng.random(120) < 0.6
                tables.append(make_outcomes(x, rng.random(120) < p_x_prime, run=str(run)))
            called = [e.run for e in effects(pd.concat(tables)) if e.q_bh <= 0.05]
            wrong = sum(int(run) >= 2 for run in called)
            shares.append(wrong / len(called) if called else 0.0)
            found_real += len(called) - wrong
        assert np.mean(shares) <= 0.05
        assert found_real / 60 > 0.8


class TestRefusals:
    def test_a_missing_column_is_named(self, make_outcomes: Maker) -> None:
        with pytest.raises(BrokenOutcomes, match="no column strata, y_x"):
            effects(make_outcomes([1], [0]).drop(columns=["y_x", "strata"]))

    def test_an_answer_without_an_outcome_is_no_wrong_answer(self, make_outcomes: Maker) -> None:
        table = make_outcomes([1, 1], [0, None])
        table["state_x_prime"] = "answered"
        with pytest.raises(BrokenOutcomes, match="Pair p1 of run r1"):
            effects(table)

    def test_an_unknown_state_is_named(self, make_outcomes: Maker) -> None:
        table = make_outcomes([1], [0])
        table["state_x"] = "done"
        with pytest.raises(BrokenOutcomes, match="'done'"):
            effects(table)

    def test_the_same_pair_twice_is_refused(self, make_outcomes: Maker) -> None:
        table = make_outcomes([1], [0])
        with pytest.raises(BrokenOutcomes, match="twice"):
            effects(pd.concat([table, table]))

    def test_an_unknown_rule_or_level_is_refused(self, make_outcomes: Maker) -> None:
        with pytest.raises(UnknownChoice, match="'strict'"):
            effects(make_outcomes([1], [0]), invalid="drop")  # type: ignore[arg-type]
        with pytest.raises(UnknownChoice, match=r"0\.95"):
            effects(make_outcomes([1], [0]), confidence=95)

    def test_no_outcomes_give_no_effects(self, make_outcomes: Maker) -> None:
        assert effects(make_outcomes([], [])) == []


def test_rows_of_several_tables_with_the_same_index_are_kept_apart(make_outcomes: Maker) -> None:
    table = pd.concat([make_outcomes([1, 1], [0, 1]), make_outcomes([0, 1], [0, 1], run="r2")])
    assert [(e.run, e.n, e.cate) for e in effects(table)] == [("r1", 2, 0.5), ("r2", 2, 0.0)]


@given(
    values=st.lists(st.sampled_from([-1.0, -0.7, 0.0, 0.5, 1.0]), min_size=2, max_size=12),
    clusters=st.integers(1, 6),
)
def test_on_a_scale_no_interval_of_an_arm_reaches_beyond_its_ends(
    make_outcomes: Maker, values: list[float], clusters: int
) -> None:
    shared = [str(at % clusters) for at in range(len(values) + 1)]
    table = make_outcomes([*values, 0.3], [*(-each for each in values), 0.4], clusters=shared)
    (effect,) = effects(table)
    for interval in (effect.accuracy_x_ci, effect.accuracy_x_prime_ci):
        assert interval is None or -1 <= interval.low <= interval.high <= 1
