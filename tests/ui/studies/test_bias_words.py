"""What the scores of biases say in sentences."""

from __future__ import annotations

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
        (0.3, (0.1, 0.2), "decisions moved as people's do"),
        (-0.3, (-0.2, -0.1), "the other way than people's"),
        (0.05, (-0.1, 0.2), "neither the score nor the movement can be told from chance"),
        (
            0.3,
            (-0.1, 0.2),
            "the score is more than chance gives, the movement is not (it may",
        ),
        (0.05, (0.1, 0.2), "the movement is more than chance gives, the score is not (random"),
        (0.3, (-0.2, -0.1), "point in opposite ways"),
    ],
)
def test_one_verdict_is_given_on_score_and_shift(
    metric: float, shift: tuple[float, float], verdict: str
) -> None:
    told = score_sentences(scored(metric, shift))
    assert verdict in told[-1]
    assert sum("chance" in sentence or "opposite" in sentence for sentence in told) == 1
