"""The five predictions, judged by made-up tables: every verdict that each of them can have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import pytest

from biaslab.training.origins.predictions import Judgement, Verdict, answer, judge
from biaslab.training.origins.rows import FamilyRow
from tests.loops import over
from tests.training.origins.synthetic_family import FOLLOWS
from tests.training.origins.synthetic_family import synthetic_family as whole_family

synthetic_family = partial(whole_family, steps=(1,))

YES, NO, OPEN, NONE = (
    Verdict.AS_PREDICTED, Verdict.NOT_AS_PREDICTED, Verdict.UNDECIDED, Verdict.NOT_MEASURED,
)  # fmt: skip


def judged(number: int, rows: tuple[FamilyRow, ...]) -> Judgement:
    return judge(rows)[number - 1]


def family(changes: Mapping[tuple[str, str], float], jitter: float = 0.4) -> tuple[FamilyRow, ...]:
    return synthetic_family({**FOLLOWS, **changes}, jitter=jitter)


def scattered(study: str, mix: str, points: float) -> tuple[FamilyRow, ...]:
    """The table as predicted, but the trainings of one mix differ so much that none is sure."""
    wide = synthetic_family({**FOLLOWS, (study, mix): points}, jitter=20.0)
    return tuple(
        other if (row.study, row.mix) == (study, mix) else row
        for row, other in zip(synthetic_family(), wide, strict=True)
    )


@pytest.mark.parametrize("number", range(1, 6))
def test_a_table_as_predicted_is_judged_so(number: int) -> None:
    found = judged(number, synthetic_family())
    assert found.verdict is YES
    assert not any("Does not hold" in sentence for sentence in found.found)


@pytest.mark.parametrize("number", range(1, 6))
def test_an_empty_table_decides_nothing(number: int) -> None:
    assert judged(number, ()).verdict is NONE


@over(
    ("study", "mix", "points", "number"),
    [
        ("consistency", "skewed", 0.0, 1),  # narrow around zero is an answer too
        ("consistency", "skewed", -36.0, 1),
        ("consistency", "reversed", 40.0, 1),  # same sign, similar size: contradicts
        ("consistency", "balanced", 12.0, 1),
        ("transfer-comparison", "skewed", 20.0, 2),  # no larger than with balanced
        ("transfer-comparison", "balanced", -10.0, 2),
        ("transfer-comparison", "reversed", 10.0, 2),
        ("carry", "carry-rare", 10.0, 3),
        ("carry", "balanced", -8.0, 3),
    ],
)
def test_one_effect_that_is_otherwise_is_enough_for_not_as_predicted(
    study: str, mix: str, points: float, number: int
) -> None:
    found = judged(number, family({(study, mix): points}))
    assert found.verdict is NO
    assert any("Does not hold" in sentence for sentence in found.found)


@pytest.mark.parametrize(
    ("study", "mix", "points", "number"),
    [
        ("consistency", "skewed", 40.0, 1),
        ("consistency", "balanced", 0.0, 1),
        ("transfer-comparison", "balanced", 20.0, 2),
        ("carry", "carry-rare", 30.0, 3),
    ],
)
def test_trainings_that_scatter_leave_it_undecided(
    study: str, mix: str, points: float, number: int
) -> None:
    found = judged(number, scattered(study, mix, points))
    assert found.verdict is OPEN
    assert any("Inconclusive" in sentence for sentence in found.found)


def test_a_mix_that_was_not_measured_leaves_it_undecided_and_is_named() -> None:
    found = judged(1, synthetic_family(mixes=("skewed", "balanced")))
    assert found.verdict is NONE
    assert "reversed not measured" in found.found[0]


def test_a_verdict_says_its_figures_with_intervals_trainings_and_pairs() -> None:
    (directly, step_by_step) = judged(1, synthetic_family()).found
    assert directly.startswith("Directly: skewed +40.0 (+37.9 to +42.0), balanced 0.0 (")
    assert "3 trainings, asked 1,000 pairs each" in directly
    assert step_by_step.startswith("Step by step: ")


@pytest.mark.parametrize(
    ("growth", "verdict"),
    [
        ({8_000: 0.1, 16_000: 1.4, 32_000: 1.6}, YES),
        ({8_000: 0.1, 16_000: 0.5, 32_000: 0.8}, NO),  # grows to the end
        ({8_000: 1.9, 16_000: 1.5, 32_000: 1.2}, NO),  # shrinks from the beginning
        ({8_000: 0.1}, NONE),  # two points are no curve
    ],
)
def test_the_effect_must_grow_and_then_shrink(
    growth: Mapping[int, float], verdict: Verdict
) -> None:
    assert judged(4, synthetic_family(growth=growth)).verdict is verdict


def test_a_curve_of_scattered_trainings_is_undecided() -> None:
    growth = {8_000: 0.8, 16_000: 1.2, 32_000: 1.1}
    rows = tuple(
        row if row.examples == 16_000 else other
        for row, other in zip(
            synthetic_family(growth=growth, jitter=14.0),
            synthetic_family(growth=growth, jitter=-14.0),
            strict=True,
        )
    )
    assert judged(4, rows).verdict is OPEN


def with_operations(share: float, early: float) -> tuple[FamilyRow, ...]:
    rows = synthetic_family(right_operations=share)
    return tuple(
        replace(
            row, operator_right_x=round(early * row.n), operator_right_x_prime=round(early * row.n)
        )
        if row.operator_asked_x and not row.final
        else row
        for row in rows
    )


@pytest.mark.parametrize(
    ("share", "early", "verdict", "said"),
    [
        (0.9, 0.5, YES, "So balance removes the bias here"),
        (0.5, 0.5, YES, "it cannot be said that balance removes the bias"),
        (0.9, 0.9, NO, "So balance removes the bias here"),
        (0.9, 0.6, OPEN, "So balance removes the bias here"),
    ],
)
def test_balance_is_no_cure_where_a_model_without_the_effect_chooses_no_operations(
    share: float, early: float, verdict: Verdict, said: str
) -> None:
    found = judged(5, with_operations(share, early))
    assert found.verdict is verdict
    assert said in found.found[-1]


def test_the_answer_is_two_sentences_that_follow_the_table() -> None:
    consistency, others = answer(synthetic_family())
    assert "The consistency effect follows the mix" in consistency
    assert "the carry effect follows the mix" in others
    consistency, _ = answer(family({("consistency", "skewed"): -36.0}))
    assert "does not follow the mix" in consistency
    consistency, _ = answer(scattered("consistency", "skewed", -30.0))
    assert "is inconclusive: it may or may not follow the mix" in consistency
    consistency, others = answer(())
    assert "has not been measured" in consistency


def test_the_answer_tells_prompt_strategies_apart_where_they_differ() -> None:
    rows = synthetic_family()
    flat = family({("consistency", mix): 0.0 for mix in ("skewed", "reversed")})
    mixed = tuple(
        other if row.strategy == "cot" else row for row, other in zip(rows, flat, strict=True)
    )
    consistency, _ = answer(mixed)
    assert "follows the mix asked directly but does not follow it step by step" in consistency
