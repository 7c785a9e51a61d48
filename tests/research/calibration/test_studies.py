"""Every study, asked of learners whose bias is known: nothing is found in those without, and the
effect of those with one is found and lies in the interval. Small: `make calibration` is the whole.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from scipy.stats import binom

from biaslab.studies import experiments
from research.calibration.studies import (
    LEVEL,
    TRIALS,
    CalibrationRow,
    Trial,
    ask_designs,
    judged,
    studies_section,
)
from tests.loops import over

SEEDS = 8
SURE = 0.001
"""How rarely a study that keeps its promise fails such a test; seeds are fixed."""


def small(trial: Trial) -> Trial:
    """The trial with one learner of each kind."""
    return replace(trial, n=24, unbiased=trial.unbiased[:1], biased=trial.biased[:1], known={})


def named(trial: Trial) -> str:
    return f"{trial.study} {trial.label}".strip()


def asked(trial: Trial) -> dict[str, CalibrationRow]:
    return {each.learner: each for each in judged([ask_designs(trial, range(SEEDS))])}


@over("trial", [small(trial) for trial in TRIALS], ids=named)
def test_a_study_finds_what_is_there_and_nothing_else(trial):
    found = asked(trial)
    without, with_bias = found[trial.unbiased[0]], found[trial.biased[0]]
    # Without the bias there is no effect, and findings are no more than the level allows
    assert without.truth == pytest.approx(0.0, abs=0.02)
    assert without.found <= binom.ppf(1 - SURE, SEEDS, LEVEL)
    # With it the effect is there, estimated without a bias of the estimate's own
    assert with_bias.truth > 0.1
    assert with_bias.mean == pytest.approx(with_bias.truth, abs=0.12)
    # And the intervals of both hold the truth as often as they promise
    for each in (without, with_bias):
        assert each.covered >= binom.ppf(SURE, SEEDS, 1 - LEVEL)


@over("study", sorted(experiments()))
def test_every_study_has_learners_with_and_without_its_bias(study):
    trials = [trial for trial in TRIALS if trial.study == study]
    assert trials
    for trial in trials:
        assert trial.unbiased
        assert trial.biased


def test_a_bias_of_double_strength_would_be_noticed():
    # Given a trial whose truth is half of what was answered, with intervals that are narrower
    # than what is missing
    trial = replace(small(TRIALS[0]), n=60)
    found = asked(trial)[trial.biased[0]]
    parts = ask_designs(trial, range(SEEDS))
    halved = [replace(part, truths=tuple(t / 2 for t in part.truths)) for part in parts]
    # Then its intervals do not hold it
    wrong = {each.learner: each for each in judged([halved])}[trial.biased[0]]
    assert wrong.covered < binom.ppf(SURE, SEEDS, 1 - LEVEL) <= found.covered


def test_parts_of_the_seeds_come_to_the_same_as_all_at_once():
    trial = small(TRIALS[-1])
    whole = judged([ask_designs(trial, range(4))])
    parts = judged([ask_designs(trial, range(2)), ask_designs(trial, range(2, 4))])
    for one, other in zip(whole, parts, strict=True):
        assert (one.seeds, one.found, one.covered) == (other.seeds, other.found, other.covered)
        assert one.mean == pytest.approx(other.mean)


def test_the_page_shows_findings_that_are_the_designs_as_such():
    whole = next(trial for trial in TRIALS if trial.label == "status-quo-bias")
    trial = replace(whole, unbiased=(), biased=(), n=20)
    page = studies_section(judged([ask_designs(trial, range(3))]))
    assert "### Findings that are the design's" in page
    assert "| decision, status-quo-bias | `scale-end` | 20 | +100.0 | +100.0 | 100.0 %" in page
    assert "named first in both arms" in page
