"""What the scores of biases say in sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from biaslab.stats import Interval
from biaslab.studies.decisions.results import BiasScore
from biaslab.ui.studies.decisions.words import score_sentences


def scored(metric: float, shift: tuple[float, float]) -> BiasScore:
    """A score that random answers give between -0.1 and 0.1, and the interval of a shift."""
    return BiasScore(
        "r", "learner:random", "learner", "choose", "all", 300, 290, 1, metric,
        Interval(metric - 0.1, metric + 0.1), 0.5, sum(shift) / 2, Interval(*shift), 0.2, None,
        None, Interval(-0.1, 0.1), None, 0, 0, 0.95,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("metric", "shift", "verdict"),
    [
        (0.3, (0.1, 0.2), "Shown: decisions moved as people's do"),
        (-0.3, (-0.2, -0.1), "Reversed: decisions moved the other way than people's"),
        (0.05, (-0.1, 0.2), "Too little was said to tell"),
        (0.3, (-0.1, 0.2), "Too little was said to tell"),
        (0.02, (-0.04, 0.09), "None that matters: the movement lies within ±0.1"),
        (0.05, (0.1, 0.2), "random answers often score as much"),
        (0.3, (-0.2, -0.1), "The published score points the other way"),
    ],
)
def test_one_verdict_is_given_and_says_where_the_published_score_says_something_else(
    metric: float, shift: tuple[float, float], verdict: str
) -> None:
    assert verdict in score_sentences(scored(metric, shift))[-1]


def test_unread_answers_few_scenes_and_one_option_for_all_are_told_as_what_they_are() -> None:
    score = scored(0.3, (0.1, 0.2))
    assert "can't be read" in score_sentences(replace(score, invalid=100))[-1]
    assert "5 scenes at least" in score_sentences(replace(score, clusters=4))[-1]
    told = score_sentences(replace(score, constant=Interval(-0.1, 0.15)))[-1]
    assert "always taking one and the same option moves by −0.10 to +0.15" in told
