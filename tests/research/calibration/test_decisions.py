"""Biases of set strength are recovered as what they are, and habits score what they score."""

from __future__ import annotations

import pytest

from biaslab.studies.decisions.biases.catalogue import biases
from biaslab.studies.decisions.prompts import write_options
from biaslab.studies.study import Design, experiments
from research.calibration.recovery import Habit, decisions_section, habit_score, recover
from tests.loops import over

ORIGINALS = [name for name, each in biases().items() if not each.variant_of]
OUT_OF_REACH = {"planning-fallacy"}
"""Its fullest score is below 1 for some of its values."""


@over("name", ORIGINALS)
def test_a_bias_of_set_strength_is_recovered_with_its_sign(name: str) -> None:
    for strength in (0.5, -0.5):
        found = recover(name, strength, n=100, draws=40)
        if name not in OUT_OF_REACH:
            assert found.truth == pytest.approx(strength)
        assert found.mean == pytest.approx(found.truth, abs=0.06)
        # 40 draws of intervals that hold the truth in 95 %: below 33 comes up once in 10,000.
        assert found.covered >= 33
    assert recover(name, 0.0, n=100, draws=5).found == 0


def test_the_planning_fallacy_cannot_show_its_full_strength() -> None:
    assert 0.3 < recover("planning-fallacy", 0.5, 100, 2).truth < 0.5


def test_a_constant_answer_to_the_planning_fallacy_scores_below_zero() -> None:
    assert habit_score("planning-fallacy", Habit.MIDDLE) < -0.05
    assert habit_score("planning-fallacy", Habit.BY_LOT) == pytest.approx(-0.05, abs=0.02)


def test_a_habit_of_one_place_scores_nothing_where_both_arms_measure_from_one_point() -> None:
    for habit in Habit:
        assert habit_score("framing-effect", habit) == pytest.approx(0, abs=1e-9)


def test_whoever_takes_the_first_named_keeps_the_status_quo_unless_who_is_named_first_is_drawn():
    assert _first_named("status-quo-bias") == 1
    assert _first_named("status-quo-bias-repaired") == 0


def _first_named(bias: str) -> float:
    """The mean score of taking what the text names first, over all the pairs there are."""
    study = experiments()["decision"]
    settings = {"bias": bias}
    scores = []
    for pair in study.pairs(
        Design("decision", study.size(Design("decision", 1, 1, settings)), 1, settings)
    ):
        outcome = []
        for item in (pair.x, pair.x_prime):
            scale = item.options[::-1] if item.facts["reversed"] else item.options
            told = item.text.removesuffix(write_options(item.options))
            kept, other = (
                scale[0].removeprefix("definitely keep "),
                scale[-1].removeprefix("definitely change to "),
            )
            place = 0 if told.index(f" {kept}. ") < told.index(f" {other}. ") else len(scale) - 1
            outcome.append(abs(place - item.facts["gamma"]))
        distance, distance_prime = outcome
        scores.append(-(distance - distance_prime) / max(distance, distance_prime))
    return sum(scores) / len(scores)


def test_the_section_has_a_row_for_each_bias_and_dashes_where_pairs_run_out() -> None:
    told = decisions_section(["anchoring", "status-quo-bias"], draws=10)
    assert told.count("| `anchoring` |") == told.count("| `status-quo-bias` |") == 2
    assert "–" in told.split("| `status-quo-bias` |")[1].split("\n")[0]
