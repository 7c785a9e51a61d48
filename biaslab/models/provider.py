"""What a kind of model is: who provides models under one prefix, and what can be said of them.

Each kind is a folder here with a module ``provider`` that offers ``PROVIDER``; other packages add
theirs by an entry point (`biaslab.models.spec`). Nothing here imports torch, transformers or
openai; that happens when a model is opened.

How a model is reached: addresses, the name of its key, how much at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import ClassVar

from biaslab.models.counting import LengthCounter, MeasuredRatio, TokenCounter
from biaslab.models.requests import Model, ModelIdentity, ModelKind, Skill
from biaslab.system.places import TINY_MODELS

OPENAI_URL = "https://api.openai.com/v1"
"""Where ``openai:NAME`` is asked when no address is given."""

TYPED_KEY = "BIASLAB_TYPED_KEY"
"""Environment variable that hands a key typed for one session to the worker. Never on disk."""

AT_ONCE = 32
"""Most requests on their way at the same time, unless a person says otherwise."""

MOST_AT_ONCE = 1024
"""More connections than this run into the operating system's limit of open files."""


class Endpoint(StrEnum):
    """Which of a server's two ways of writing is used."""

    CHAT = "chat"
    """``/chat/completions``: takes turns."""
    COMPLETIONS = "completions"
    """``/completions``: continues plain text."""


class Continuing(StrEnum):
    """How a chat server is told to go on from the model's own last message."""

    UNTOLD = "untold"
    """It does so by itself: llama.cpp and what is built on it."""
    FLAGS = "flags"
    """By ``continue_final_message``: vLLM, SGLang."""
    PREFIX = "prefix"
    """By ``prefix`` in the message: Mistral, DeepSeek."""


class ThinkingSwitch(StrEnum):
    """How a chat server is told how much to think."""

    TEMPLATE = "template"
    """By ``enable_thinking`` of the model's chat template, on or off: vLLM, SGLang, llama.cpp."""
    EFFORT = "effort"
    """By ``reasoning_effort``, low or high: OpenAI, gpt-oss."""
    WORDS = "words"
    """By ``/think`` or ``/no_think`` behind the question, which some models were trained on."""


NOT_CONTINUED = (
    "An answer that is begun for the model wants a server that goes on from it, and the test of "
    "this one did not prove that it does. Use a strategy of the published form, a local model, or "
    "test the server again if it was tested long ago."
)


def why_no_level(switch: ThinkingSwitch | None, level: str) -> str:
    """Why a server with this switch cannot be told a `ThinkingLevel`; empty where it can."""
    if switch is None:
        return (
            "The test of this server found no way to say how much the model thinks. Leave that as "
            "the model does it, or test the server again if it was tested long ago."
        )
    effort = switch is ThinkingSwitch.EFFORT
    if effort and level == "off":
        return "This server always thinks, little or much. Choose short or long."
    if not effort and level == "short":
        return "This server thinks or does not; how long cannot be set. Choose off or long."
    return ""


@dataclass(frozen=True, slots=True)
class Access:
    """How a model is reached. Never holds a key.

    Attributes:
        base_urls: of servers that all serve this model, such as ``http://localhost:8000/v1``.
            The first one is part of the model's identity; the others share the work.
        endpoint: how the server is addressed; None: not known yet (see `probe`).
        served: the name under which the server answered when it was probed. Part of the
            identity: an answer given under another name is never taken for this model's.
        also_served: other names under which it answers, taken for the same model because a person
            said so. Part of the identity.
        key_env: name of the environment variable that holds the key; empty for none.
        at_once: most requests on their way at the same time, from 1 to `MOST_AT_ONCE`.
        processes: how many processes send them, for servers faster than one core can ask.
        cluster: address of a Ray cluster that a local model is run on; empty for this machine.
        continuing: how the server goes on from the model's own last message; None: not proved.
        switch: how it is told how much to think; None: not proved.
        dtype: number format of a local model, as in `biaslab.models.open_model`. Part of its
            identity.
    """

    base_urls: tuple[str, ...] = ()
    endpoint: Endpoint | None = None
    served: str = ""
    also_served: tuple[str, ...] = ()
    key_env: str = ""
    at_once: int = AT_ONCE
    processes: int = 1
    cluster: str = ""
    continuing: Continuing | None = None
    switch: ThinkingSwitch | None = None
    dtype: str = "auto"


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
