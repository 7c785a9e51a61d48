"""What the demo found, in a sentence a model."""

from __future__ import annotations

from biaslab.runs import RunRecord
from biaslab.stats import Effect
from biaslab.studies import experiment
from biaslab.ui.studies.word_problems.reversal_view import reversals_of
from biaslab.ui.widgets import queries
from schoolmath.text.figures import count, exact_percent, interval_words, percent, signed_points


def who(spec: str) -> str:
    """What a model of the demo is called."""
    return queries.model_label(spec)


def effect_of(run: RunRecord) -> Effect:
    """The effect of one run of the demo, all pairs together."""
    (effect,) = queries.effects_of((queries.OutcomesState.of(run),), None, "strict")
    return effect


def finding(run: RunRecord) -> str:
    """Effect with n and interval, and the reversed answers with what chance gives, in a line."""
    effect, arms = effect_of(run), experiment(run.study).arms
    if effect.cate is None:
        return "No pair has both its answers."
    interval = (
        "no interval can be determined"
        if effect.ci_low is None
        else f"{exact_percent(effect.confidence)} interval "
        f"{interval_words(effect.ci_low, effect.ci_high)}"
    )
    return (
        f"{percent(effect.accuracy_x)} of the “{arms.x}” and {percent(effect.accuracy_x_prime)} of "
        f"the “{arms.x_prime}” problems right, a difference of {signed_points(effect.cate)} "
        f"percentage points ({interval}, {count(effect.n, 'pair')}); "
        f"{_reversed_words(run, effect)}"
    )


def _reversed_words(run: RunRecord, effect: Effect) -> str:
    if effect.accuracy_x_prime == 1:
        return "no wrong answer where the words mislead, so none that reverses the operation."
    found, _ = reversals_of(queries.OutcomesState.of(run))
    if not found:
        return "where the words mislead, no wrong answer could be read."
    answers = found[0]
    low, high = percent(answers.interval.low), percent(answers.interval.high)
    return (
        f"of its {count(answers.wrong, 'wrong answer')} where the words mislead, "
        f"{answers.reversed:,} reverse the operation: {percent(answers.share)} (95 % interval "
        f"{low} to {high}), where operations drawn at random would give "
        f"{percent(answers.by_operation)}."
    )
