"""Simulated learners as a kind of model: ``learner:NAME``."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from biaslab.models.counting import MeasuredRatio, TokenCounter, WordCounter
from biaslab.models.errors import UnknownModel
from biaslab.models.learner.model import LearnerModel
from biaslab.models.learner.named import LEARNERS
from biaslab.models.learner.solver import PREFIX, Learner
from biaslab.models.provider import AnswerSource, ModelChoice, ModelQuery, Opening, Provider
from biaslab.models.requests import ModelIdentity, ModelKind
from biaslab.models.skills import Skill


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
