"""Which models can be asked a study at all: whoever cannot is refused before anything is asked.

A tiny model may be asked more than it was trained for; its card says so, and so does whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from biaslab.models import ModelError, ModelForm, ModelIdentity, ModelKind, Skill, read_spec
from biaslab.models.provider import NOT_CONTINUED, Access, why_no_level
from biaslab.models.requests import ThinkingLevel
from biaslab.models.spec import able, forms
from biaslab.models.tiny.model import ModelCard, read_card, tiny_directory
from biaslab.runs.errors import UnfitModel
from biaslab.runs.store.records import RunRecord
from biaslab.studies.answers.numeric import PUBLISHED_READER
from biaslab.studies.strategies import published_name
from biaslab.studies.study import Design, Experiment, Pair, Strategy, experiment, is_begun

NEVER_LEARNED = "Its wrong answers there show that it never learned them, not a bias."
"""What follows where a model is asked what it was not trained for."""


def check_fit(study: Experiment, model: ModelIdentity) -> None:
    """Refuses a model that lacks the skill that the study asks for.

    Raises:
        UnfitModel: the message names models that have it.
    """
    if reason := why_unfit(study, model):
        raise UnfitModel(reason)


def check_shown(model: ModelIdentity, pairs: Iterable[Pair]) -> None:
    """Refuses a model that pictures would be shown to and that sees none.

    Raises:
        UnfitModel: the message says what to choose.
    """
    told = model.kind is ModelKind.LEARNER  # of what is asked, not by the prompt
    if told or (model.form is ModelForm.CHAT and read_spec(model.spec).served):
        return
    if any(item.facts.get("picture") for pair in pairs for item in (pair.x, pair.x_prime)):
        raise UnfitModel(
            f"{model.spec} sees no pictures, and this design shows some. Choose pictures in words "
            '(--set pictures="in words"), or a chat model on a server that takes images.'
        )


def why_unfit(study: Experiment, model: ModelIdentity) -> str:
    """Why asking this model would say nothing, and who can be asked; empty where it may."""
    if study.asks in model.skills:
        return ""
    return (
        f"{model.spec} cannot {study.asks}, which the study {study.name} asks: "
        f"{_what_would_come(study.asks, model.kind)}. Choose {', '.join(able(study.asks))} or "
        f"a language model ({forms(kind=ModelKind.LANGUAGE_MODEL)})."
    )


def why_not_so(
    strategy: Strategy, model: ModelIdentity, access: Access, thinking: ThinkingLevel | None
) -> str:
    """Why the model cannot be asked by this strategy, thinking so much; empty where it may.

    Of a model that is opened from files the template tells, once it is opened.
    """
    spec, chats = read_spec(model.spec), model.form is ModelForm.CHAT
    begun = chats and is_begun(strategy)
    if begun and spec.served and access.continuing is None:
        return NOT_CONTINUED
    if thinking is None:
        return ""
    if begun and thinking is not ThinkingLevel.OFF:
        return (
            "An answer that is begun leaves no room to think before it. Choose thinking off, or a "
            "strategy of the published form."
        )
    if chats and spec.served:
        return why_no_level(access.switch, thinking)
    no_switch = f"{model.spec} has no thinking to be switched. Leave that as the model does it."
    return "" if chats and spec.has_weights else no_switch


def why_no_system(model: ModelIdentity, system: str) -> str:
    """Why the model cannot be told this first; empty where it can, or is told nothing."""
    if not system or (model.kind is ModelKind.LANGUAGE_MODEL and model.form is ModelForm.CHAT):
        return ""
    return f"{model.spec} reads no system prompt: choose a chat model, or leave the prompt out."


def check_until_number(study: Experiment, model: ModelIdentity) -> None:
    """Refuses to end answers at their first number where this could change what is read.

    Raises:
        UnfitModel: answers are read in another way, or the model cannot be told to.
    """
    if study.reader != PUBLISHED_READER:
        raise UnfitModel(
            f"Answers that are read by “{study.reader}” count to their end, so none can stop at "
            "its first number. Choose the published reader (--reader published) as well."
        )
    if not read_spec(model.spec).has_weights:
        raise UnfitModel(
            f"{model.spec} cannot be stopped at a number: only a model that is opened from "
            "files on this computer (local:…) can. Leave --until-answered out."
        )


def untrained(spec: str, design: Design, strategy: str) -> list[str]:
    """Why a model was not made for this: sentences of its card; none for other models."""
    return beyond_card(card_of(spec), design.study, steps_of(design), strategy)


def untrained_sentences(records: Sequence[RunRecord]) -> list[str]:
    """For each run of a model that was not trained for it, what its card says."""
    return [
        f"Run {record.id}: {reason} {NEVER_LEARNED}"
        for record in records
        for reason in untrained(record.model_spec, record.design, record.strategy)
    ]


def card_of(spec: str) -> ModelCard | None:
    """The card of a tiny model; None for other kinds, and for one that is no longer there."""
    named = read_spec(spec)
    if named.kind is not ModelKind.TINY:
        return None
    try:
        return read_card(tiny_directory(named.name))
    except ModelError:
        return None


def fit_strategy(card: ModelCard | None, study: Experiment) -> str | None:
    """The prompt strategy in which a card shows its model to work; None where none does."""
    if card is None or study.asks is not Skill.SOLVE:
        return None
    fit = card.fit_strategy(study.name)
    return fit if fit in {each.name for each in study.strategies} else None


def beyond_card(
    card: ModelCard | None,
    study: str,
    steps: Iterable[int],
    strategy: str,
    labels: Mapping[str, str] | None = None,
) -> list[str]:
    """What of this a card says that its model was not trained for, a sentence each.

    Args:
        card: of the model; None: it has none.
        study: that asks.
        steps: of its problems.
        strategy: how they are asked.
        labels: what strategies are called to the reader; their names unless told.
    """
    asked = list(steps)
    # A tiny model continues text, and a begun answer is asked for in the published words there.
    way = published_name(strategy)
    verdict = None if card is None or not asked else card.can(study, asked, way, labels)
    return [] if verdict is None or verdict.possible else [verdict.reason]


def steps_of(design: Design) -> range:
    """The reasoning steps that a design asks for; none where its study does not count them."""
    for setting in experiment(design.study).settings:
        if setting.name == "steps":
            low, _, high = str(design.settings.get("steps", setting.default)).partition("-")
            return range(int(low), int(high or low) + 1)
    return range(0)


def _what_would_come(skill: Skill, kind: ModelKind) -> str:
    if kind is not ModelKind.TINY:
        return "every question would fail or be given up"
    if skill is Skill.JUDGE:
        return "to it both answers are equally probable in every question"
    return "it knows word problems alone and writes nothing that can be read"
