"""Our reader of answers as a scorer of Inspect AI, and the effect of pairs as a metric."""

from __future__ import annotations

import math

from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState

from biaslab.models import ModelForm
from biaslab.runs.tools.effect import ItemScore, paired_effect
from biaslab.runs.tools.inspect.asking import ASKED, read_stages
from biaslab.runs.tools.questions import read_question
from biaslab.stats import InvalidRule
from biaslab.stats.outcomes import check_rule
from biaslab.studies import experiment


@metric(scores="unreduced")
def paired_cate(invalid: InvalidRule = "strict") -> Metric:
    """The difference x - x' over pairs with its interval, as `biaslab effects` has it.

    Epochs of a pair are averaged, and clusters are respected.

    Args:
        invalid: ``strict`` counts an answer that cannot be read as not right, ``exclude`` leaves
            its pair out.
    """
    check_rule(invalid)

    # Inspect takes a metric without this annotation for one of an older kind.
    def compute(scores: list[SampleScore]) -> Value:
        studies = {(each.score.metadata or {})["study"] for each in scores}
        study = studies.pop() if studies else ""
        return dict(paired_effect(study, map(_answer, scores), invalid))

    return compute


@scorer(metrics=[paired_cate()])
def read_answer(study: str) -> Scorer:
    """Reads each answer as BiasLab does; the value of a sample is its outcome.

    An answer that cannot be read is 0, not right; on a scale it has no value, nor has one that
    was cut off for good.

    Args:
        study: its name.
    """
    found = experiment(study)

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        item = read_question(state.metadata).item
        answered = read_stages(state.metadata.get(ASKED, ()))
        reading = found.read(item, answered, ModelForm.CHAT)
        value = reading.outcome
        cut_off = value is None and answered[-1].finish == "length"
        if value is None:
            value = 0.0 if found.outcome_scale is None and not cut_off else math.nan
        return Score(
            value=value,
            answer=reading.value,
            explanation=reading.explanation,
            reason=None if reading.outcome is not None else "invalid_response_format",
            metadata={
                "study": study,
                "outcome": reading.outcome,
                "missing": cut_off,
                "rule": reading.rule,
                "epoch": state.epoch,
                "extra": dict(reading.extra),
            },
        )

    return score


def _answer(scored: SampleScore) -> ItemScore:
    question = read_question(scored.sample_metadata or {})
    known = scored.score.metadata or {}
    missing = bool(known.get("missing"))
    return ItemScore(question.places, int(known["epoch"]) - 1, known["outcome"], missing)
