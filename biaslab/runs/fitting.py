"""Which models can be asked a study at all: whoever cannot is refused before anything is asked."""

from __future__ import annotations

from biaslab.models import ModelIdentity, ModelKind, Skill
from biaslab.models.spec import able, forms
from biaslab.runs.errors import UnfitModel
from biaslab.studies.study import Experiment


def check_fit(study: Experiment, model: ModelIdentity) -> None:
    """Refuses a model that lacks the skill that the study asks for.

    Raises:
        UnfitModel: the message names models that have it.
    """
    if reason := why_unfit(study, model):
        raise UnfitModel(reason)


def why_unfit(study: Experiment, model: ModelIdentity) -> str:
    """Why asking this model would say nothing, and who can be asked; empty where it may."""
    if study.asks in model.skills:
        return ""
    return (
        f"{model.spec} cannot {study.asks}, which the study {study.name} asks: "
        f"{_what_would_come(study.asks, model.kind)}. Choose {', '.join(able(study.asks))} or "
        f"a language model ({forms(kind=ModelKind.LANGUAGE_MODEL)})."
    )


def _what_would_come(skill: Skill, kind: ModelKind) -> str:
    if kind is not ModelKind.TINY:
        return "every question would fail or be given up"
    if skill is Skill.JUDGE:
        return "to it both answers are equally probable in every question"
    return "it knows word problems alone and writes nothing that can be read"
