"""Simulated learners as a kind of model: ``learner:NAME``, and which of their tasks is which."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

from biaslab.models.counting import MeasuredRatio, TokenCounter, WordCounter
from biaslab.models.learner import choosing, deciding, judging, weighing
from biaslab.models.learner.chances import RandomLuck
from biaslab.models.learner.choosing import UnreadableChoices, choose, write_choice
from biaslab.models.learner.named import LEARNERS
from biaslab.models.learner.solver import PREFIX, Learner, UnreadableSteps, luck_seed
from biaslab.models.provider import AnswerSource, ModelChoice, ModelQuery, Opening, Provider
from biaslab.models.requests import (
    Asked,
    Completion,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    ModelForm,
    ModelIdentity,
    ModelKind,
    Skill,
    UnknownModel,
    Unsupported,
)

_VERSION = 1
"""Raised whenever the same learner would answer the same problem otherwise than before."""

_STEP_BY_STEP = re.compile(r"step[ -]by[ -]step[^.!?:\n]*[.!?:]*\s*\Z", re.IGNORECASE)

_Facts: TypeAlias = Mapping[str, Any]


class LearnerModel:
    """A simulated learner behind the interface of every model."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner

    @cached_property
    def identity(self) -> ModelIdentity:
        """Which learner this is; the revision follows its probabilities."""
        learner = self.learner
        known: list[Any] = [_VERSION, learner.name, learner.probabilities]
        abilities: dict[str, Any] = {}
        if learner.choosing is not None:
            abilities |= learner.choosing.described
        if learner.judging is not None:
            abilities |= learner.judging.described
        if learner.deciding is not None:
            abilities |= learner.deciding.described
        if learner.weighing is not None:
            abilities |= learner.weighing.described
        if learner.always_adds:
            abilities["always_adds"] = True
        if abilities:
            known.append(abilities)
        content = json.dumps(known)
        return ModelIdentity(
            spec=learner.spec,
            kind=ModelKind.LEARNER,
            revision=blake2b(content.encode(), digest_size=8).hexdigest(),
            form=ModelForm.BASE,
            details={
                "label": learner.label,
                "explanation": learner.explanation,
                **learner.probabilities,
                **abilities,
            },
            skills=learner.skills,
        )

    def generate(
        self, requests: Sequence[GenerationRequest]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        """Works through every problem, in the order given."""
        for index, request in enumerate(requests):
            yield index, self._answer(request)

    def likelihood(
        self, requests: Sequence[LikelihoodRequest]
    ) -> Iterator[tuple[int, Likelihood | Failure]]:
        """Probabilities of the answers, for learners that judge amounts, weigh answers or choose.

        Raises:
            Unsupported: this learner gives answers, not probabilities.
        """
        able = self.learner
        if able.judging is None and able.weighing is None and able.choosing is None:
            raise Unsupported(
                f"The simulated learner “{able.name}” writes answers and gives no probabilities: "
                "choose learner:ratio, learner:count or learner:random for concepts, "
                "learner:tipped or learner:even for word problems, learner:perfect or "
                "learner:coin for rationales, a tiny model or a language model."
            )
        return ((index, self._score(request)) for index, request in enumerate(requests))

    def _answer(self, request: GenerationRequest) -> Completion | Failure:
        facts = request.facts or {}
        tasks: dict[object, Callable[[GenerationRequest, _Facts], Completion | Failure]] = {
            judging.TASK: self._judge,
            deciding.TASK: self._decide,
        }
        if "task" in facts:
            return tasks.get(facts["task"], self._choose)(request, facts)
        if "steps" not in facts:
            return Failure(
                f"The simulated learner “{self.learner.name}” knows only how to work through the "
                "steps of a word problem, and this item has none: choose another model.",
                retryable=False,
            )
        try:
            work = self.learner.work(facts, request.sampling.seed)
        except UnreadableSteps as problem:
            return self._cannot("work through this item", problem)
        return _written(request, work.text(reasoning=_wants_reasons(request)))

    def _choose(self, request: GenerationRequest, facts: _Facts) -> Completion | Failure:
        label = self._label(request, facts, request.sampling.seed)
        if isinstance(label, Failure):
            return label
        return _written(
            request, write_choice(label, _asked(request), reasons=_wants_reasons(request))
        )

    def _label(self, request: Asked, facts: _Facts, seed: int) -> str | Failure:
        if self.learner.choosing is None:
            return Failure(
                f"The simulated learner “{self.learner.name}” works through word problems and "
                "cannot read rationales: choose one that can, such as learner:perfect, "
                "learner:coin or learner:key-drawn, or another model.",
                retryable=False,
            )
        luck = RandomLuck(luck_seed(self.learner.name, facts, seed))
        try:
            return choose(self.learner.choosing, facts, luck, _asked(request))
        except UnreadableChoices as problem:
            return self._cannot("read this item", problem)

    def _judge(self, request: GenerationRequest, facts: _Facts) -> Completion | Failure:
        yes = self._probability_of_yes(facts, request.sampling.seed)
        if isinstance(yes, Failure):
            return yes
        return _written(request, f" {facts['words'][0 if yes > 0.5 else 1]}.")

    def _score(self, request: LikelihoodRequest) -> Likelihood | Failure:
        facts = request.facts or {}
        task, able = facts.get("task"), self.learner.weighing
        if len(request.continuations) == 2 and task == weighing.TASK and able is not None:
            luck = RandomLuck(luck_seed(self.learner.name, facts, 0))
            return Likelihood(weighing.log_probabilities(able, facts, luck), (1, 1))
        if task in choosing.TASKS:
            label = self._label(request, facts, 0)
            if isinstance(label, Failure):
                return label
            letters = request.continuations
            return Likelihood(choosing.log_probabilities(label, letters), (1,) * len(letters))
        if task != judging.TASK or len(request.continuations) != 2:
            return self._cannot("score this item", "it asks for something else than it can weigh")
        yes = self._probability_of_yes(facts, 0)
        if isinstance(yes, Failure):
            return yes
        return Likelihood(judging.log_probabilities(yes), (1, 1))

    def _probability_of_yes(self, facts: _Facts, seed: int) -> float | Failure:
        if self.learner.judging is None:
            return Failure(
                f"The simulated learner “{self.learner.name}” cannot judge amounts: choose one "
                "that can, such as learner:ratio, learner:count or learner:random, or another "
                "model.",
                retryable=False,
            )
        luck = RandomLuck(luck_seed(self.learner.name, facts, seed))
        try:
            return judging.probability_of_yes(self.learner.judging, facts, luck)
        except judging.UnreadableExamples as problem:
            return self._cannot("judge this item", problem)

    def _decide(self, request: GenerationRequest, facts: _Facts) -> Completion | Failure:
        if self.learner.deciding is None:
            return Failure(
                f"The simulated learner “{self.learner.name}” cannot decide between options: "
                "choose one that can, such as learner:random or learner:swayed, or another model.",
                retryable=False,
            )
        asked = "\n".join(message.content for message in request.messages)
        seed = request.sampling.seed
        of_arm, of_pair = (
            RandomLuck(luck_seed(self.learner.name, known, seed))
            for known in (deciding.luck_facts(facts), deciding.pair_facts(facts))
        )
        try:
            number = deciding.decide(self.learner.deciding, facts, asked, of_arm, of_pair)
        except deciding.NoOptions as problem:
            return self._cannot("decide this item", problem)
        return _written(
            request,
            deciding.write_decision(self.learner.deciding, number, facts, _asked(request)),
        )

    def _cannot(self, what: str, why: object) -> Failure:
        return Failure(
            f"The simulated learner “{self.learner.name}” cannot {what} because {why}: make the "
            "items again, or choose another model.",
            retryable=False,
        )


def _asked(request: Asked) -> str:
    return request.messages[-1].content if request.messages else ""


def _wants_reasons(request: GenerationRequest) -> bool:
    return _STEP_BY_STEP.search(_asked(request)) is not None


def _written(request: GenerationRequest, text: str) -> Completion:
    return Completion(
        text=text,
        finish="stop",
        tokens_in=sum(len(message.content.split()) for message in request.messages),
        tokens_out=len(text.split()),
        seconds=0.0,
    )


class LearnerProvider(Provider):
    """The learners that come with the app."""

    prefix = PREFIX
    form = f"{PREFIX}:NAME"
    kind = ModelKind.LEARNER
    source = AnswerSource.PROGRAM
    closed = (
        "is a simulated learner: a program with known chances that reads no words, so there is "
        "nothing to see inside it"
    )

    def identify(self, name: str, how: Opening) -> ModelIdentity:
        """Which learner this is."""
        return self.open(name, how).identity

    def open(self, name: str, how: Opening) -> LearnerModel:
        """The learner, ready to answer."""
        return LearnerModel(_learner(name))

    def check(self, name: str) -> str:
        """The name, if a learner has it."""
        return _learner(name).name

    def names(self) -> Sequence[str]:
        """Of all learners."""
        return tuple(learner.name for learner in LEARNERS)

    def choices(self, looking: ModelQuery) -> Sequence[ModelChoice]:
        """All learners."""
        return tuple(
            ModelChoice(learner.spec, learner.label, self.kind, learner.explanation, ready=True)
            for learner in LEARNERS
        )

    def able(self, skill: Skill) -> Sequence[str]:
        """The learners that have it."""
        return tuple(learner.spec for learner in LEARNERS if skill in learner.skills)

    def counter(self, name: str, measured: MeasuredRatio | None, tiny_models: Path) -> TokenCounter:
        """A learner's tokens are words."""
        return WordCounter()


def _learner(name: str) -> Learner:
    by_name = {learner.name: learner for learner in LEARNERS}
    if name in by_name:
        return by_name[name]
    near = [known for known in by_name if name.lower() in known]
    near = near or get_close_matches(name, by_name, n=1, cutoff=0.5)
    meant = f"did you mean {by_name[near[0]].spec}? There are" if near else "there are"
    raise UnknownModel(f"There is no learner “{name}”: {meant} {', '.join(by_name)}.")


PROVIDER = LearnerProvider()
