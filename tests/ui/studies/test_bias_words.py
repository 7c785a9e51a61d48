"""What the scores of biases say in sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from biaslab.stats import Interval
from biaslab.studies.decisions.biases import BiasError, bias_paths, biases, read_bias, scales
from biaslab.studies.decisions.results import BiasScore
from biaslab.ui.studies.decisions.queries import score_sentences


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
        (0.05, (-0.1, 0.2), "Too few answers"),
        (0.3, (-0.1, 0.2), "Too few answers"),
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
    assert "that we cannot read" in score_sentences(replace(score, invalid=100))[-1]
    assert "5 scenes at least" in score_sentences(replace(score, clusters=4))[-1]
    told = score_sentences(replace(score, constant=Interval(-0.1, 0.15)))[-1]
    assert "always taking one and the same option moves by −0.10 to +0.15" in told


def test_every_bias_of_the_app_has_words_of_its_own_for_a_movement() -> None:
    said = [each.moved for each in biases().values()]
    assert None not in said
    assert all(each.shown != each.reversed for each in said if each is not None)


def test_a_movement_is_told_in_the_bias_s_own_words_and_counted_in_the_direction_named() -> None:
    moved = biases()["anchoring"].moved
    assert moved is not None
    towards = score_sentences(scored(0.3, (0.1, 0.2)), moved=moved)[0]
    assert (
        "estimates lay nearer to the number that had been named, by 0.15 lengths of the scale "
        "(95 % interval +0.10 to +0.20);" in towards
    )
    away = score_sentences(scored(-0.3, (-0.3, 0.1)), moved=moved)[0]
    assert (
        "estimates lay farther from the number that had been named, by 0.10 lengths of the scale "
        "(95 % interval −0.10 to +0.30; below 0: the other way);" in away
    )


@pytest.mark.parametrize(
    ("key", "text", "told"),
    [
        ("moved.shown", "moved: {reversed: it fell}", "Here stands what the answers did"),
        ("moved.reversed", "moved: {shown: it rose, reversed: It fell.}", "without a full stop"),
        ("moved.back", "moved: {shown: it rose, back: it fell}", "is not known here"),
    ],
)
def test_words_for_a_movement_are_two_clauses(key: str, text: str, told: str) -> None:
    sample = bias_paths()["anchoring"].read_text(encoding="utf-8")
    start = sample.index("moved:")
    changed = f"{sample[:start]}{text}\n{sample[sample.index('references:') :]}"
    with pytest.raises(BiasError, match=told) as refused:
        read_bias(changed, scales())
    assert refused.value.where == key
