"""What a kind of model is: who provides models under one prefix, and what can be said of them.

Each kind is a folder here with a module ``provider`` that offers ``PROVIDER``; other packages add
theirs by an entry point (`biaslab.models.spec`). Nothing here imports torch, transformers or
openai; that happens when a model is opened.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import ClassVar

from biaslab.models.access import Access
from biaslab.models.counting import LengthCounter, MeasuredRatio, TokenCounter
from biaslab.models.requests import Model, ModelIdentity, ModelKind, Skill
from biaslab.system.places import TINY_MODELS

INT8 = "int8"
"""The number format of eight bits, for processors (`models.local.rounding`)."""

DTYPES = ("float32", "bfloat16", "float16", INT8)
"""Number formats that weights can be opened in; the first is the exact one."""

AUTO = "auto"
"""The fastest format that was found to answer as float32 does; float32 where none was."""


class AnswerSource(StrEnum):
    """Where answers come from: it decides about place, price and luck."""

    PROGRAM = "program"
    """Worked out by a program in the process of the run; another seed may give another answer."""
    WEIGHTS = "weights"
    """By files that are opened where the run is, or on a cluster. At temperature 0 always the
    same answer; the probability of every token can be seen."""
    SERVER = "server"
    """Over the network: reached at an address that is tested first, with a key, for a price."""


@dataclass(frozen=True, slots=True)
class Opening:
    """How a model is opened. Each kind looks at what concerns it.

    Attributes:
        access: how servers are reached, or the cluster that weights are opened on.
        device: ``cpu``, ``cuda`` or ``cuda:N``; None: a GPU if there is one.
        dtype: one of `DTYPES`, or `AUTO`.
        batch_tokens: how many tokens are worked on at once; None: what suits the device.
        download: whether files that are not on this machine yet are fetched.
        tiny_models: directory that holds the tiny models that come with the app.
    """

    access: Access = Access()
    device: str | None = None
    dtype: str = AUTO
    batch_tokens: int | None = None
    download: bool = False
    tiny_models: Path = TINY_MODELS


@dataclass(frozen=True, slots=True)
class ModelQuery:
    """Which models are listed.

    Attributes:
        directories: directories of language models to be offered as well.
        tiny_models: directory that holds the tiny models that come with the app.
        checkpoints: whether copies along training are listed, each after its model.
    """

    directories: Sequence[Path] = ()
    tiny_models: Path = TINY_MODELS
    checkpoints: bool = False


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model that a person can choose.

    Attributes:
        spec: what opens it.
        label: name on screens.
        kind: learner, tiny model or language model.
        explanation: one line for someone who does not know it.
        ready: whether it can be opened; why_not: a sentence where it cannot.
        own: whether it is a tiny model that was trained here and did not come with the app.
        checkpoint_of: spec of the tiny model that it is a copy of, from along its training;
            empty for every other model.
    """

    spec: str
    label: str
    kind: ModelKind
    explanation: str
    ready: bool
    why_not: str = ""
    own: bool = False
    checkpoint_of: str = ""


class Provider(ABC):
    """One kind of model.

    Attributes:
        prefix: what its specs begin with, before the colon.
        form: how a spec is written, for people: ``learner:NAME``.
        kind: of its models, where a model says nothing else.
        source: where their answers come from.
        default: name of the model that the prefix alone stands for; empty for none.
        closed: why its models cannot be looked into, the end of a sentence that begins with
            the spec; empty where they can be.
        unlisted: what there is besides the listed models, a line of ``biaslab models``.
    """

    prefix: ClassVar[str]
    form: ClassVar[str]
    kind: ClassVar[ModelKind] = ModelKind.LANGUAGE_MODEL
    source: ClassVar[AnswerSource] = AnswerSource.PROGRAM
    default: ClassVar[str] = ""
    closed: ClassVar[str] = "is a program, so there are no weights to be seen inside it"
    unlisted: ClassVar[str] = ""

    @abstractmethod
    def identify(self, name: str, how: Opening) -> ModelIdentity:
        """Which model the name means, without loading weights: safe and quick in a server.

        Raises:
            ModelError: there is none, or it cannot be asked; the sentence says why.
        """

    @abstractmethod
    def open(self, name: str, how: Opening) -> Model:
        """The model, ready to answer; raises what `identify` does."""

    def spec(self, name: str) -> str:
        """What opens the model of this name."""
        return f"{self.prefix}:{name}"

    def check(self, name: str) -> str:
        """The name as it is written down.

        Raises:
            UnknownModel: there can be no such model; the nearest name is suggested.
        """
        return name

    def names(self) -> Sequence[str]:
        """Names that somebody who made a slip may have meant."""
        return ()

    def choices(self, looking: ModelQuery) -> Sequence[ModelChoice]:
        """Models to choose from; those that nobody can list are left out."""
        return ()

    def able(self, skill: Skill) -> Sequence[str]:
        """Specs that are suggested to people who look for a model with this skill."""
        return ()

    def counter(self, name: str, measured: MeasuredRatio | None, tiny_models: Path) -> TokenCounter:
        """The best way to count the tokens of requests to a model.

        Args:
            name: of the model.
            measured: what is known of a model whose tokenizer is not here.
            tiny_models: directory that holds the tiny models.
        """
        return LengthCounter(measured)

    def short_name(self, name: str) -> str:
        """What a model is called where its label is not known."""
        return self.spec(name)
