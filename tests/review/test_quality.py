"""Agreement of reviewers, error rates, and splitting."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa
from statsmodels.stats.proportion import proportion_confint

from biaslab.publishing.review import (
    EITHER,
    Criterion,
    JudgedText,
    ReviewJudgement,
    error_rates,
    exact_interval,
    fails,
    rater_agreement,
    shuffled_for_each,
    split,
)
from biaslab.stats import UnknownChoice

NATURAL, CLEAR = Criterion


def judged(rows: Sequence[Sequence[bool]], clear: bool = True) -> list[JudgedText]:
    """Texts by what their reviewers said about the language; the task is clear to everybody."""
    return [
        JudgedText(number, tuple(ReviewJudgement(yes, clear) for yes in row))
        for number, row in enumerate(rows, 1)
    ]


def table(raters: int) -> st.SearchStrategy[list[list[bool]]]:
    row = st.lists(st.booleans(), min_size=raters, max_size=raters)
    return st.lists(row, min_size=2, max_size=15)


class TestAgreement:
    @given(table(2))
    def test_two_reviewers_get_cohens_kappa(self, rows: list[list[bool]]) -> None:
        said = np.array(rows)
        assume(not said.all() and said.any())
        found = rater_agreement(judged(rows), NATURAL)
        # The formula, worked by hand: statsmodels computes the kappa itself.
        observed = (said[:, 0] == said[:, 1]).mean()
        first, other = said.mean(axis=0)
        chance = first * other + (1 - first) * (1 - other)
        assert found.method == "Cohen's kappa"
        assert found.kappa == pytest.approx((observed - chance) / (1 - chance))
        assert found.raw == pytest.approx(observed)

    @given(st.integers(3, 6).flatmap(table))
    def test_more_reviewers_get_fleiss_kappa(self, rows: list[list[bool]]) -> None:
        said = np.array(rows).astype(int)
        assume(0 < said.sum() < said.size)
        counts, _ = aggregate_raters(said, 2)
        found = rater_agreement(judged(rows), NATURAL)
        assert found.method == "Fleiss' kappa"
        assert found.kappa == pytest.approx(fleiss_kappa(counts))

    def test_a_worked_example_of_cohen(self) -> None:
        # 20 both yes, 5 and 10 apart, 15 both no: kappa 0.4 in every textbook.
        rows = [[True, True]] * 20 + [[True, False]] * 5 + [[False, True]] * 10
        rows += [[False, False]] * 15
        found = rater_agreement(judged(rows), NATURAL)
        assert found.kappa == pytest.approx(0.4)
        assert found.kappa == pytest.approx(cohens_kappa([[20, 5], [10, 15]]).kappa)
        assert found.interval is not None
        # Close to the interval from the standard error, as both are right for 50 texts.
        other = cohens_kappa([[20, 5], [10, 15]])
        assert found.interval.low == pytest.approx(other.kappa_low, abs=0.06)
        assert found.interval.high == pytest.approx(other.kappa_upp, abs=0.06)

    @pytest.mark.parametrize("answer", [True, False])
    @pytest.mark.parametrize("raters", [2, 3])
    def test_one_answer_only_leaves_kappa_undefined_and_says_the_raw_agreement(
        self, answer: bool, raters: int
    ) -> None:
        found = rater_agreement(judged([[answer] * raters] * 10), NATURAL)
        assert found.kappa is None
        assert found.interval is None
        assert found.raw == 1.0

    def test_the_same_judgements_give_the_same_interval(self) -> None:
        rows = [[True, True, False]] * 3 + [[True] * 3] * 5 + [[False] * 3] * 2
        first, again = (rater_agreement(judged(rows), NATURAL) for _ in range(2))
        assert first == again
        assert first.interval is not None
        assert first.kappa is not None
        assert first.interval.low < first.kappa < first.interval.high

    def test_samples_without_any_no_are_counted_and_left_out_of_the_interval(self) -> None:
        rows = [[True, False]] + [[True, True]] * 9
        found = rater_agreement(judged(rows), NATURAL)
        # The one text is missing in (9/10)^10 of the samples.
        assert found.undefined == pytest.approx(0.9**10, abs=0.03)

    def test_disputed_texts_are_named(self) -> None:
        rows = [[True, True], [True, False], [False, False], [False, True]]
        found = rater_agreement(judged(rows), NATURAL)
        assert found.disputed == (2, 4)
        assert found.noes == 4

    @pytest.mark.parametrize("rows", [[], [[True]], [[True, True], [True]]])
    def test_texts_that_not_all_have_judged_are_refused(self, rows: list[list[bool]]) -> None:
        with pytest.raises(UnknownChoice, match="whole control set"):
            rater_agreement(judged(rows), NATURAL)


class TestErrorRates:
    @given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
    def test_the_interval_is_clopper_and_pearsons(self, share: tuple[int, int]) -> None:
        faulty, texts = share
        found = exact_interval(faulty, texts)
        low, high = proportion_confint(faulty, texts, method="beta")
        assert found.low == pytest.approx(0.0 if math.isnan(low) else low)
        assert found.high == pytest.approx(1.0 if math.isnan(high) else high)

    @pytest.mark.parametrize(
        ("row", "faulty"),
        [([True], False), ([False], True), ([True, False], True), ([True, True, False], False),
         ([True, False, False], True)],
    )  # fmt: skip
    def test_a_text_is_faulty_if_at_least_half_said_no(self, row: list[bool], faulty: bool) -> None:
        (text,) = judged([row])
        assert fails(text.judgements, NATURAL) is faulty

    def test_criteria_are_counted_apart_and_together(self) -> None:
        texts = [
            JudgedText(1, (ReviewJudgement(False, True),)),
            JudgedText(2, (ReviewJudgement(False, False),)),
            JudgedText(3, (ReviewJudgement(True, False),)),
            JudgedText(4, (ReviewJudgement(True, True),)),
        ]
        found = {rate.criterion: rate for rate in error_rates(texts)}
        assert found["natural"].faulty == (1, 2)
        assert found["clear"].faulty == (2, 3)
        assert found[EITHER].faulty == (1, 2, 3)
        assert found[EITHER].rate == 0.75

    def test_no_texts_have_no_rate(self) -> None:
        assert error_rates([]) == []


class TestSplit:
    @given(
        texts=st.lists(st.integers(1, 10_000), unique=True, max_size=200),
        reviewers=st.integers(1, 10),
        seed=st.integers(0, 10**9),
    )
    def test_every_text_goes_to_one_reviewer_in_level_shares(
        self, texts: list[int], reviewers: int, seed: int
    ) -> None:
        shares = split(texts, reviewers, seed)
        assert len(shares) == reviewers
        assert sorted(number for share in shares for number in share) == sorted(texts)
        sizes = [len(share) for share in shares]
        assert max(sizes) - min(sizes) <= 1
        assert split(texts, reviewers, seed) == shares

    def test_who_gets_one_more_depends_on_the_seed(self) -> None:
        larger = {
            max(range(3), key=lambda place: len(shares[place]))
            for shares in (split(range(10), 3, seed) for seed in range(40))
        }
        assert larger == {0, 1, 2}

    @given(seed=st.integers(0, 10**9), reviewers=st.integers(2, 10))
    def test_everybody_sees_the_whole_control_set(self, seed: int, reviewers: int) -> None:
        orders = shuffled_for_each(range(1, 11), reviewers, seed)
        assert all(sorted(order) == list(range(1, 11)) for order in orders)
        assert len(set(map(tuple, orders))) > 1
