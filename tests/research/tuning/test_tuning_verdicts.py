"""What is said of fine-tuning goes by its intervals: nothing is found where nothing is."""

from __future__ import annotations

from pathlib import Path

import pytest

from biaslab.training.origins.predictions import Truth, Verdict
from research.experiment.design import Side
from research.experiment.table import read_table
from research.tuning.design import (
    LESSONS,
    TUNING,
    TUNING_FILE,
    Arm,
    Stop,
    TuningClaim,
    TuningMeasure,
)
from research.tuning.estimates import TuningResults, answer_of, gone_from, judge, value_words
from research.tuning.summary import rows, sentence, tuning_chart, worse
from tests.research.tuning.simulated_tuning import nothing_learnt, practised, removed, tuned

DOCS = Path(__file__).resolve().parents[3] / "research" / "docs" / "family.md"


def verdicts(results: TuningResults) -> dict[str, Verdict]:
    return {judgement.title: judgement.verdict for judgement in judge(results)}


@pytest.fixture(scope="module")
def taught() -> TuningResults:
    """A bias that balanced lessons alone take away."""
    return TuningResults(tuned(removed))


@pytest.fixture(scope="module")
def untouched() -> TuningResults:
    """A bias that no lessons change."""
    return TuningResults(tuned(nothing_learnt))


def test_a_bias_that_balanced_lessons_take_away_is_found_gone(taught):
    found = verdicts(taught)

    assert found["It goes away"] is Verdict.AS_PREDICTED
    assert found["Not by more training alone"] is Verdict.AS_PREDICTED
    assert found["By balance, not by practice"] is Verdict.AS_PREDICTED
    assert found["To other comparisons"] is Verdict.AS_PREDICTED
    assert found["To two steps"] is Verdict.AS_PREDICTED
    assert gone_from(taught, Arm.BALANCED) == 96
    assert sentence(taught).startswith("Balanced lessons take this bias away")
    assert sentence(taught).endswith(
        "From 96 balanced lessons on it is surely within 5 points of zero."
    )


def test_where_lessons_change_nothing_nothing_is_found(untouched):
    found = verdicts(untouched)

    assert found["It goes away"] is Verdict.NOT_AS_PREDICTED
    for title in ("By balance, not by practice", "To other comparisons", "To two steps"):
        assert found[title] in (Verdict.NOT_AS_PREDICTED, Verdict.UNDECIDED)
    assert gone_from(untouched, Arm.BALANCED) is None
    assert sentence(untouched).startswith(
        ("Balanced lessons do no more to this bias", "Whether balanced lessons do more")
    )


def test_what_any_practice_does_is_not_put_down_to_balance():
    results = TuningResults(tuned(practised))

    found = verdicts(results)

    assert found["By balance, not by practice"] is not Verdict.AS_PREDICTED
    assert found["Not by more training alone"] is Verdict.NOT_AS_PREDICTED
    assert sentence(results).startswith(
        ("Balanced lessons do no more to this bias", "Whether balanced lessons do more")
    )


def test_what_is_forgotten_is_told_beside_the_null_case(untouched):
    def forgotten(tuning, lessons, study, steps):
        if tuning.arm is Arm.BALANCED and study == "transfer-comparison" and steps == 2:
            return 0.05, 0.05
        return nothing_learnt(tuning, lessons, study, steps)

    said = worse(TuningResults(tuned(forgotten)))

    assert said.startswith(
        "Balanced lessons cost something else (1 of 9 shares looked at), most of all transfers "
        "right, two steps (from the end of training), "
    )
    assert "Also" not in said
    assert not worse(untouched).startswith("Balanced lessons cost")
    assert worse(TuningResults(tuned(removed, 2))) == ""


def test_of_several_things_forgotten_all_are_named_and_the_largest_has_the_figures():
    def forgotten(tuning, lessons, study, steps):
        if tuning.arm is Arm.BALANCED and steps == 2:
            right = 0.05 if study == "transfer-comparison" else 0.2
            return right, right
        return nothing_learnt(tuning, lessons, study, steps)

    said = worse(TuningResults(tuned(forgotten)))

    assert "(2 of 9 shares looked at), most of all transfers right, two steps" in said
    assert said.endswith(". Also comparisons right, two steps (table).")


@pytest.mark.parametrize("seeds", [0, 1, 2])
def test_too_few_seeds_decide_nothing(seeds):
    results = TuningResults(tuned(removed, seeds))

    assert set(verdicts(results).values()) == {Verdict.NOT_MEASURED}
    expected = "Not yet decided: no verdict comes before 3 seeds" if seeds else "Nothing is fine"
    assert sentence(results).startswith(expected)


def test_without_a_table_nothing_is_said_and_the_table_has_dashes():
    nothing = TuningResults([])

    assert sentence(nothing) == "Nothing is fine-tuned yet."
    assert {row.cells()["Balanced"] for row in rows(nothing)} == {"–"}


def test_differences_are_taken_within_each_seed(taught):
    claim = TuningClaim(TuningMeasure.ONE_STEP, Arm.BALANCED, Arm.OWN, Side.BELOW)

    estimate = taught.difference(claim)

    balanced = taught.after(TuningMeasure.ONE_STEP, Stop.LARGEST, Arm.BALANCED, LESSONS[-1])
    own = taught.after(TuningMeasure.ONE_STEP, Stop.LARGEST, Arm.OWN, LESSONS[-1])
    for seed, one in estimate.starts.items():
        assert one.value == pytest.approx(balanced.starts[seed].value - own.starts[seed].value)
    assert answer_of(claim, estimate) is Truth.TRUE


def test_the_model_before_has_the_interval_over_items_and_a_floor_has_none():
    results = TuningResults(tuned(lambda *_: (0.0, 0.0), spread=0.0))

    (row, *_) = rows(results)

    assert row.cells()["Before"] == "0.0"
    (seen, *_) = rows(TuningResults(tuned(nothing_learnt)))
    assert "to +" in seen.cells()["Before"]


@pytest.mark.parametrize("dark", [False, True])
def test_the_figure_has_a_line_for_each_kind_of_lessons_and_says_the_same_in_words(taught, dark):
    chart = tuning_chart(taught, dark=dark)

    assert len(chart.figure.data) == len(Arm)
    assert list(chart.figure.layout.xaxis.ticktext) == ["0", *map(str, LESSONS)]
    assert len(chart.data) == len(Arm) * (len(LESSONS) + 1)
    assert chart.summary.startswith(sentence(taught))


def test_an_unfinished_table_is_drawn_as_far_as_it_is():
    chart = tuning_chart(TuningResults(tuned(removed, 0)))

    assert not chart.figure.data
    assert chart.summary.startswith("Nothing is fine-tuned yet.")


def test_the_docs_say_what_the_table_says():
    results = TuningResults(read_table(TUNING_FILE, TUNING))
    docs = DOCS.read_text(encoding="utf-8")
    curve = [
        f"| {lessons} | "
        + " | ".join(
            value_words(results.after(TuningMeasure.ONE_STEP, Stop.LARGEST, arm, lessons))
            for arm in Arm
        )
        + " |"
        for lessons in LESSONS
    ]
    assert [line for line in curve if line not in docs] == []
    told = [
        TuningClaim(TuningMeasure.ONE_STEP, Arm.BALANCED, Arm.OWN, Side.BELOW),
        TuningClaim(TuningMeasure.ONE_STEP, Arm.BALANCED, Arm.SAME_KIND, Side.BELOW),
        TuningClaim(TuningMeasure.COMPARED, Arm.BALANCED, Arm.OWN, Side.BELOW),
        TuningClaim(TuningMeasure.TWO_STEPS, Arm.BALANCED, Arm.OWN, Side.BELOW, Stop.END),
        TuningClaim(TuningMeasure.ONE_STEP, Arm.BALANCED, Arm.OWN, Side.BELOW, Stop.END),
        TuningClaim(TuningMeasure.TRANSFERS_TWO, Arm.BALANCED, Arm.OWN, Side.NONE, Stop.END),
        TuningClaim(TuningMeasure.COMPARISONS_TWO, Arm.BALANCED, Arm.OWN, Side.NONE, Stop.END),
        TuningClaim(TuningMeasure.FACTORS, Arm.BALANCED, Arm.OWN, Side.NONE, Stop.END),
        TuningClaim(TuningMeasure.TRANSFERS, Arm.BALANCED, Arm.OWN, Side.NONE),
    ]
    words = [value_words(results.difference(claim)) for claim in told]
    # In brackets there, or after "is": the figure and its interval both stand.
    missing = [
        each
        for each in words
        if each not in docs and each.replace(" (", "; ").removesuffix(")") not in docs
    ]
    assert missing == []
