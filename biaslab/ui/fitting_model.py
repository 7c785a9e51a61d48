"""Which of the models that come with the app can be asked a study at all.

The tiny models and most simulated learners only know word problems. A study of something else
would run, and say nothing: the tiny models take every answer to be equally probable, or write
none that can be read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from biaslab.experiments.concept_items import NAME as CONCEPTS
from biaslab.experiments.decision import NAME as DECISIONS
from biaslab.models import LEARNERS, Learner
from biaslab.ui.words import plain

_TINY = "tiny"
_LEARNER = "learner:"


@dataclass(frozen=True, slots=True)
class _Ability:
    """What a study asks of a model besides solving word problems.

    Attributes:
        stand_in: name of the learner that is offered; able: whether a learner can do it.
        asked, tiny: what it is, and what the tiny models do instead, in words.
    """

    stand_in: str
    able: Callable[[Learner], bool]
    asked: str
    tiny: str


_ABILITIES = {
    CONCEPTS: _Ability(
        "up-biased",
        lambda learner: learner.judging is not None,
        "learn a concept from examples",
        "To it both answers are equally probable in every question, so nothing can be counted.",
    ),
    DECISIONS: _Ability(
        "random",
        lambda learner: learner.draws_lots,
        "choose between options",
        "It writes no option that can be read.",
    ),
}


def stand_in(study: str) -> str | None:
    """Spec of the learner that is asked unless told otherwise; None: a tiny model can do it."""
    ability = _ABILITIES.get(study)
    return None if ability is None else f"{_LEARNER}{ability.stand_in}"


def why_unfit(spec: str, study: str) -> str:
    """Why asking this model would say nothing, in a sentence or two; empty where it may."""
    ability = _ABILITIES.get(study)
    if ability is None:
        return ""
    kind, _, name = spec.partition(":")
    if kind == _TINY:
        return (
            f"The tiny model was trained on word problems and cannot {ability.asked}. "
            f"{ability.tiny}"
        )
    learners = {learner.name: learner for learner in LEARNERS}
    if spec.startswith(_LEARNER) and name in learners and not ability.able(learners[name]):
        label = plain(learners[name].label)
        return f"The simulated learner “{label}” cannot {ability.asked}: every question would fail."
    return ""
