"""Verdicts follow the table: nothing is found where nothing is, and what is there is found."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from biaslab.training.origins.predictions import Truth, Verdict
from research.experiment.design import (
    CARRY,
    CELLS,
    CHECKS,
    CONSISTENCY,
    LARGE,
    LEAST_STARTS,
    PREDICTIONS,
    STUDIES,
    ClaimFigure,
    MixCell,
    PredictedClaim,
    Side,
    at_fixed_number,
    at_fixed_total,
)
from research.experiment.estimates import One, over_starts
from research.experiment.outcomes import (
    TrainingAnswers,
    at_check,
    delay,
    effect,
    estimate_of,
    log_odds_of,
    over_log_lessons,
    slope,
)
from research.experiment.verdicts import decide, judge
from tests.research.experiment.simulated_table import always, by_ratio, learnt, no_effect, table


def claims(figure, study):
    return [
        claim for prediction in PREDICTIONS for claim in prediction.claims
        if claim.figure is figure and claim.study == study
    ]  # fmt: skip


def verdicts(rows):
    return {judgement.title: judgement.verdict for judgement in judge(rows)}


@pytest.fixture(scope="module")
def nothing():
    return table(no_effect)


def test_an_empty_table_decides_nothing_and_says_what_is_missing():
    judged = judge([])
    assert {judgement.verdict for judgement in judged} == {Verdict.NOT_MEASURED}
    assert all("not yet trained: 0 of" in line for each in judged for line in each.found)


def test_fewer_starts_than_were_declared_decide_nothing_however_clear_they_are():
    rows = table(by_ratio(15), at_fixed_total(CONSISTENCY), starts=LEAST_STARTS - 1)
    decided = decide(rows)[claims(ClaimFigure.SLOPE, CONSISTENCY)[0]]
    assert decided.estimate.interval.low > 0
    assert decided.answer is Truth.UNKNOWN
    assert decided.q is None
    (line, *_) = judge(rows)[0].found
    assert f"no verdict before {LEAST_STARTS}" in line


def test_a_start_counts_only_with_all_cells_of_the_claim():
    cells = at_fixed_total(CONSISTENCY)
    rows = table(by_ratio(10), cells, starts=6)
    rows = [kept for kept in rows if (kept.row.mix, kept.row.seed) != (cells[3].name, 104)]
    found = TrainingAnswers(rows).estimate(slope(cells, CONSISTENCY, over_log_lessons()))
    assert sorted(found.starts) == [101, 102, 103, 105, 106]


def test_a_training_that_is_not_at_its_end_counts_at_its_checks_but_not_in_the_mean():
    cells = at_fixed_total(CONSISTENCY)
    answers = TrainingAnswers(table(by_ratio(10), cells, starts=2, checks=CHECKS[:2]))
    assert answers.estimate(slope(cells, CONSISTENCY, over_log_lessons())).n == 0
    assert answers.estimate(slope(cells, CONSISTENCY, at_check(CHECKS[1]))).n == 2


def test_where_nothing_is_no_effect_is_found_and_no_prediction_of_one_confirmed(nothing):
    decided = decide(nothing)
    for claim, each in decided.items():
        if claim.side is not Side.NONE and claim.figure not in (
            ClaimFigure.RARER,
            ClaimFigure.BOTH,
        ):
            assert each.answer is not Truth.TRUE, claim
    assert Verdict.AS_PREDICTED not in {
        verdict for title, verdict in verdicts(nothing).items() if title != "Nothing else moves"
    }


def test_where_nothing_is_and_trainings_are_alike_the_dose_does_not_hold():
    cells = dict.fromkeys(cell for study in STUDIES for cell in at_fixed_total(study))
    rows = table(no_effect, cells, spread=0.0, pairs=8_000)
    assert verdicts(rows)["Dose"] is Verdict.NOT_AS_PREDICTED
    assert verdicts(rows)["Nothing else moves"] is Verdict.AS_PREDICTED


def test_a_dose_in_every_study_is_found_with_its_size():
    rows = table(by_ratio(10))
    for study in STUDIES:
        found = estimate_of(TrainingAnswers(rows), claims(ClaimFigure.SLOPE, study)[0])
        assert found.value == pytest.approx(0.10, abs=0.015)
    assert verdicts(rows)["Dose"] is Verdict.AS_PREDICTED
    assert verdicts(rows)["Nothing else moves"] is not Verdict.NOT_AS_PREDICTED


def test_a_dose_the_other_way_round_is_not_as_predicted():
    assert verdicts(table(by_ratio(-10)))["Dose"] is Verdict.NOT_AS_PREDICTED


def test_signs_are_judged_ratio_by_ratio():
    assert verdicts(table(by_ratio(12, CONSISTENCY)))["Sign"] is not Verdict.NOT_AS_PREDICTED
    assert verdicts(table(always(0.7, 0.4)))["Sign"] is Verdict.NOT_AS_PREDICTED


def numbers_model(rarer, commoner):
    """The share of x' right by the numbers of lessons, points a doubling."""

    def shares(cell, study, _):
        x, x_prime = MixCell(study, cell.ratio, cell.few).numbers
        if cell.study != study and cell.name != "balanced":
            return 0.5, 0.5
        right = 0.5 + (rarer * math.log2(x_prime) + commoner * math.log2(x)) / 100
        return 0.6, right

    return shares


@pytest.mark.parametrize(
    ("rarer", "commoner"), [(5.0, -2.0), (5.0, 0.0), (3.0, -3.0), (0.0, 0.0)]
)  # fmt: skip
def test_number_and_share_are_told_apart(rarer, commoner):
    answers = TrainingAnswers(table(numbers_model(rarer, commoner)))
    for study in STUDIES:
        found = {
            figure: estimate_of(answers, claims(figure, study)[0])
            for figure in (ClaimFigure.RARER, ClaimFigure.COMMONER, ClaimFigure.BOTH)
        }
        assert 100 * found[ClaimFigure.RARER].value == pytest.approx(rarer, abs=1.2)
        assert 100 * found[ClaimFigure.COMMONER].value == pytest.approx(commoner, abs=1.2)
        assert 100 * found[ClaimFigure.BOTH].value == pytest.approx(rarer + commoner, abs=1.7)


def test_number_and_share_together_are_as_predicted_and_number_alone_is_not():
    both = table(numbers_model(6.0, -3.0), spread=0.02, starts=8)
    assert verdicts(both)["Number and share"] is Verdict.AS_PREDICTED
    alone = table(numbers_model(6.0, 0.0), spread=0.005, starts=8, pairs=3_000)
    assert verdicts(alone)["Number and share"] is Verdict.NOT_AS_PREDICTED


def late(times):
    """x' is learnt after so many times the lessons a doubling of the ratio."""

    def shares(cell, study, lessons):
        if cell.study != study:
            return learnt(lessons), learnt(lessons)
        shift = times**cell.doublings
        return learnt(lessons), min(0.95, learnt(lessons / shift))

    return shares


def test_a_delay_is_found_and_none_where_there_is_none(nothing):
    delayed = decide(table(late(1.1), spread=0.01, pairs=2_000))
    for claim in claims(ClaimFigure.DELAY, CONSISTENCY):
        assert delayed[claim].estimate.value == pytest.approx(math.log2(1.1), abs=0.05)
        assert delayed[claim].answer is Truth.TRUE
        assert decide(nothing)[claim].answer is not Truth.TRUE


def curve(x, x_prime):
    rows = table(always(0.0, 0.0), [CELLS["balanced"]], 1, pairs=100)
    found = TrainingAnswers(rows).curve(CELLS["balanced"], 101, CONSISTENCY)
    return {
        check: replace(row, both=0, only_x=x[check], only_x_prime=0,
                       neither=100 - x[check]) if x is not x_prime else row
        for check, row in found.items()
    }  # fmt: skip


def test_what_is_never_learnt_counts_as_learnt_after_twice_the_lessons():
    never = curve(dict.fromkeys(CHECKS, 90), {})
    assert delay(never) == pytest.approx(math.log2(2 * CHECKS[-1] / CHECKS[0]))
    neither = curve(dict.fromkeys(CHECKS, 10), {})
    assert delay(neither) is None


def test_the_effect_may_shrink_with_lessons_or_not():
    def shrinks(_cell, _study, lessons):
        return (0.8, 0.4 if lessons < CHECKS[-2] else 0.8)

    assert verdicts(table(shrinks))["Lessons take it away"] is Verdict.AS_PREDICTED
    stays = table(always(0.8, 0.4), [CELLS["consistency-5to1"]], spread=0.01, pairs=4_000)
    assert verdicts(stays)["Lessons take it away"] is Verdict.NOT_AS_PREDICTED


def test_a_larger_network_with_a_smaller_slope_is_as_predicted():
    def shares(cell, study, lessons):
        return by_ratio(4.0 if cell.size == LARGE else 14.0)(cell, study, lessons)

    assert verdicts(table(shares))["Size"] is Verdict.AS_PREDICTED
    assert verdicts(table(by_ratio(14), spread=0.01))["Size"] is not Verdict.AS_PREDICTED


def test_a_carry_effect_that_follows_the_wording_breaks_the_control():
    def shares(cell, study, _):
        shift = cell.doublings * 0.04 if study == CARRY else 0.0
        return 0.5 + shift, 0.5 - shift

    assert verdicts(table(shares))["Nothing else moves"] is Verdict.NOT_AS_PREDICTED


def test_tests_are_one_family_and_a_claim_needs_its_q():
    decided = decide(table(by_ratio(2.2), starts=5, spread=0.05))
    tested = [each for each in decided.values() if each.q is not None]
    assert {each.claim for each in tested} == {
        claim
        for claim, each in decided.items()
        if claim.side is not Side.NONE and each.estimate.p is not None
    }
    assert len(tested) > 15
    for each in tested:
        assert each.q >= each.estimate.p
        if each.answer is Truth.TRUE:
            assert each.q <= 0.05


def test_weights_over_log_lessons_are_a_mean_of_the_line():
    weights = over_log_lessons()
    assert sum(weights.values()) == pytest.approx(1.0)
    assert sum(weight * math.log2(check) for check, weight in weights.items()) == pytest.approx(
        (math.log2(CHECKS[0]) + math.log2(CHECKS[-1])) / 2
    )


def test_starts_that_are_exactly_alike_have_no_interval():
    found = over_starts({101: One(0.1), 102: One(0.1)})
    assert (found.value, found.interval, found.p) == (0.1, None, None)


def test_intervals_hold_the_truth_as_often_as_they_say():
    """Of an effect of 10 points, with starts that differ and items that all share."""
    cell = CELLS["consistency-5to1"]
    held = 0
    for chance in range(200):
        rows = table(always(0.6, 0.5), [cell], 5, CHECKS[:1], chance=chance, pairs=100)
        found = TrainingAnswers(rows).estimate(effect(cell, CONSISTENCY, at_check(CHECKS[0])))
        held += found.interval.low <= 0.1 <= found.interval.high
    assert held >= 184


def log_odds_slope(shares, chance=1):
    cells = at_fixed_total(CONSISTENCY)
    rows = table(shares, cells, 6, CHECKS[:1], spread=0.0, chance=chance)
    return TrainingAnswers(rows).estimate(
        slope(cells, CONSISTENCY, at_check(CHECKS[0])), log_odds_of
    )


def test_log_odds_find_a_dose_of_its_size_and_none_where_there_is_none():
    """A dose of 0.2 a doubling, in log odds; pairs that are hard for all make it a little less."""

    def dosed(cell, _study, _lessons):
        return tuple(1 / (1 + math.exp(-sign * 0.1 * cell.doublings)) for sign in (1, -1))

    found, nothing = log_odds_slope(dosed), log_odds_slope(always(0.5, 0.5))
    assert found.value == pytest.approx(0.2, abs=0.04)
    assert found.interval.low > 0
    assert nothing.interval.low < 0 < nothing.interval.high


def rows_of_draws(both, only_x, only_x_prime):
    """A row a draw of 200 pairs, of which these shares are expected."""
    row = table(always(0.5, 0.5), [CELLS["balanced"]], 1, CHECKS[:1])[0].row
    shares = [both, only_x, only_x_prime, 1 - both - only_x - only_x_prime]
    names = ("both", "only_x", "only_x_prime", "neither")
    draws = np.random.default_rng(1).multinomial(200, shares, size=2000)
    for draw in draws:
        yield replace(row, n=200, **dict(zip(names, map(int, draw), strict=True)))


@pytest.mark.parametrize(
    "shares",
    [
        pytest.param((0.56, 0.24, 0.04), id="right together more often than by chance"),
        pytest.param((0.42, 0.28, 0.18), id="by chance"),
        pytest.param((0.1, 0.5, 0.3), id="one or the other"),
    ],
)
def test_the_error_of_log_odds_is_that_of_draws(shares):
    found = [log_odds_of(row) for row in rows_of_draws(*shares)]
    assert np.mean([each.item_error for each in found]) == pytest.approx(
        np.std([each.value for each in found]), rel=0.05
    )


def test_log_odds_are_a_number_where_all_or_none_are_right():
    row = table(always(0.5, 0.5), [CELLS["balanced"]], 1, CHECKS[:1])[0].row
    everything = replace(row, both=200, only_x=0, only_x_prime=0, neither=0)
    nothing = replace(row, both=0, only_x=0, only_x_prime=0, neither=200)
    one_arm = replace(row, both=0, only_x=200, only_x_prime=0, neither=0)
    assert [log_odds_of(each).value for each in (everything, nothing)] == [0.0, 0.0]
    assert log_odds_of(one_arm).value == pytest.approx(2 * math.log(200.5 / 0.5))


def test_the_fixed_number_is_that_of_the_last_ratio_at_the_fixed_total():
    for study in STUDIES:
        for cell in at_fixed_number(study):
            assert min(MixCell(study, cell.ratio, cell.few).numbers) == pytest.approx(1.0)
        for cell in at_fixed_total(study):
            assert sum(cell.numbers) == pytest.approx(21.0)
    assert np.isclose(PredictedClaim(ClaimFigure.SLOPE, CONSISTENCY, Side.ABOVE).margin, 0.0075)
