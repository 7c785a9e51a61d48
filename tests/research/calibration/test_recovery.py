"""Strategies behind answers about concepts: each learner is told as what it is."""

from __future__ import annotations

import pytest

from biaslab.studies import Design, experiment
from biaslab.studies.concepts.answers import LOTS, STRATEGIES, chances_of, fits_of
from research.calibration.recovery import UNDECIDED, confusion, recovery_section

SEEDS = 3


@pytest.fixture(scope="module")
def found() -> dict[str, dict[str, int]]:
    return confusion(range(SEEDS), 40)


@pytest.mark.parametrize("learner", STRATEGIES)
def test_a_learner_that_follows_a_strategy_is_told_as_it(found, learner):
    assert found[learner] == {learner: SEEDS}


def test_lots_fit_no_strategy_and_a_bias_for_more_is_still_a_learner_of_shares(found):
    assert not set(found["random"]) & set(STRATEGIES)
    # Another strategy is not taken for it, though few answers may leave it open
    assert set(found["up-biased"]) <= {"ratio", UNDECIDED}


def test_the_table_has_a_row_a_learner_and_every_design_once(found):
    lines = recovery_section(found, 40).splitlines()
    rows = [line for line in lines if line.startswith("| `")]
    assert len(rows) == len(found)
    for row in rows:
        assert sum(map(int, row.strip("| ").split(" | ")[1:])) == SEEDS


def items(n: int) -> list:
    pairs = experiment("concept-learning").pairs(Design("concept-learning", n, 1))
    return [item for pair in pairs for item in (pair.x, pair.x_prime)]


def test_evidence_grows_with_answers_and_contradictions_take_it_away():
    def of_yes(answers):
        chances = chances_of([facts for facts, _ in answers])
        said = [yes for _, yes in answers]
        return next(fit for fit in fits_of(chances, said) if fit.strategy == "always-yes")

    few = [(item.facts, True) for item in items(5)]
    many = [(item.facts, True) for item in items(20)]
    half = [(item.facts, at % 2 == 0) for at, item in enumerate(items(20))]
    assert 0.0 < of_yes(few).evidence < of_yes(many).evidence
    assert of_yes(half).evidence < 0.0
    # Forty of forty: the integral of 2 (1 - e)^40 up to a half, against 2^-40
    assert 10 ** of_yes(many).evidence == pytest.approx(2**41 * (1 - 0.5**41) / 41)
    assert (of_yes(many).agreed, of_yes(many).told) == (40, 40)


def test_without_an_answer_nothing_is_said_for_any_strategy():
    assert {fit.evidence for fit in fits_of(chances_of([]), [])} == {0.0}
    assert {fit.strategy for fit in fits_of(chances_of([]), [])} == {*STRATEGIES, LOTS}
