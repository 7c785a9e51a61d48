"""What is asked of a model and what comes back: the one interface to every kind of model.

What can go wrong when a model is opened:

ModelError
├── UnknownModel       the text does not name a model
├── ModelNotFound      the directory or file is not there
├── BrokenModel        it is there but cannot be opened
└── Unsupported        this model cannot do what the study needs
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

# A study names the skill it needs, a model those that it has. Simulated learners and tiny models
# have some skills only. Asked for another, they would answer nothing that can be read, or by
# chance alone, and the result would look like a finding.


class Skill(StrEnum):
    """Something that a study asks of a model; the value completes “it cannot …”."""

    SOLVE = "solve word problems"
    IDENTIFY = "say which reason led to a choice"
    JUDGE = "learn a concept from examples"
    DECIDE = "choose between options"
    WEIGH = "say how probable a right and a wrong answer are"
    REVIEW = "say whether a pupil's working is sound"


EVERY_SKILL = frozenset(Skill)
"""Of a language model: how well it does is what a study finds out."""

WORD_PROBLEMS = frozenset({Skill.SOLVE, Skill.WEIGH})
"""Of a tiny model, which was trained on nothing else and gives the probability of any text."""


class Message(NamedTuple):
    """One turn of a conversation. A plain prompt is a single message with role ``text``.

    Attributes:
        role, content: who says what.
        picture: that the content is about, as the text of an SVG file; "" for none. Only a chat
            model on a server can be shown one; any other is never asked without it.
    """

    role: str
    content: str
    picture: str = ""


class ModelForm(StrEnum):
    """How a model wants to be addressed."""

    BASE = "base"
    """Continues plain text."""
    CHAT = "chat"
    """Takes turns; its own chat template marks them."""


class ModelKind(StrEnum):
    """The three kinds that the app never shows as if they were the same."""

    LEARNER = "learner"
    """A simulated solver with known probabilities of going wrong."""
    TINY = "tiny"
    """A very small transformer trained by this project on its own problems."""
    LANGUAGE_MODEL = "language model"
    """A model trained on human text: a local directory or a server."""


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Which model answered, exactly enough to know whether two answers are of one model.

    Attributes:
        spec: what a user types to open it again: ``tiny:NAME``, ``learner:NAME``, ``local:DIR``,
            ``openai:NAME``.
        kind: simulated learner, tiny model or language model.
        revision: changes whenever the answers may change: a hash of the weights, tokenizer
            and generation-relevant configuration, or of a learner's probabilities.
        form: base or chat.
        details: what the model card or configuration says; shown, never used as identity.
        skills: what it can be asked at all; no part of its identity either.
    """

    spec: str
    kind: ModelKind
    revision: str
    form: ModelForm
    details: Mapping[str, Any] = field(default_factory=dict)
    skills: frozenset[Skill] = EVERY_SKILL

    @property
    def id(self) -> str:
        """Identifier under which its responses are kept."""
        return f"{self.spec}@{self.revision}"


class ThinkingLevel(StrEnum):
    """How much a model that can be switched may think before it answers: a treatment of its own."""

    OFF = "off"
    SHORT = "short"
    LONG = "long"

    @property
    def tokens(self) -> int:
        """Most tokens of thinking, beside those of the answer; the paper's for reasoning: short."""
        return {"off": 0, "short": 256, "long": 4096}[self]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next tokens are chosen. The default is greedy, as in the paper.

    Attributes:
        max_new_tokens: at most so many tokens are written (the paper: 256).
        temperature: 0 for greedy.
        seed: for temperatures above 0.
        stop: texts at which writing ends; the text itself is left out.
        thinking: how much the model may think; None: as it does unasked.
        until_number: whether writing ends once the text's first number cannot change any more.
            Only models opened from files can be told so.
    """

    max_new_tokens: int = 256
    temperature: float = 0.0
    seed: int = 0
    stop: tuple[str, ...] = ()
    thinking: ThinkingLevel | None = None
    until_number: bool = False


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """Asks for a continuation.

    Attributes:
        messages: one ``text`` message for a base model, or turns for a chat model. A last
            message with role ``assistant`` is continued, not answered.
        sampling: how to write.
        facts: what a simulated learner needs to know of the problem (see
            `biaslab.models.learner.solver`). Never shown to any other kind of model and no part of
            what identifies a response.
    """

    messages: tuple[Message, ...]
    sampling: Sampling = Sampling()
    facts: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class LikelihoodRequest:
    """Asks how probable each continuation is after the messages."""

    messages: tuple[Message, ...]
    continuations: tuple[str, ...]
    facts: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """A continuation as the model gave it.

    Attributes:
        text: exactly what was written.
        finish: ``stop`` (ended by itself or at a stop text) or ``length`` (cut off).
        tokens_in: tokens of the prompt; tokens_out: tokens written.
        seconds: this request's share of the time it took.
        thinking: reasoning that the model returned apart from its text.
        served: name of the model as the server gave it; empty for models opened here.
        retries: why earlier attempts at this request were in vain, one short phrase each, such
            as ``429 too many requests``.
    """

    text: str
    finish: str
    tokens_in: int
    tokens_out: int
    seconds: float
    thinking: str = ""
    served: str = ""
    retries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Likelihood:
    """How probable each continuation is.

    Attributes:
        log_probabilities: natural logarithm, one for each continuation.
        tokens: how many tokens each continuation has.
        tokens_in: tokens that were sent in all, where they are counted; 0 otherwise.
        served, retries: as for `Completion`.
        by_token: what each log-probability is the sum of, token by token. Files of runs keep the
            sums alone, so it is empty there, and where only the most probable tokens are known.
    """

    log_probabilities: tuple[float, ...]
    tokens: tuple[int, ...]
    tokens_in: int = 0
    served: str = ""
    retries: tuple[str, ...] = ()
    by_token: tuple[tuple[float, ...], ...] = field(default=(), compare=False)

    @classmethod
    def of_tokens(cls, by_token: Sequence[Sequence[float]], **more: Any) -> Likelihood:
        """From the log-probability of every token of every continuation."""
        rows = tuple(map(tuple, by_token))
        sums = tuple(math.fsum(row) for row in rows)
        return cls(sums, tuple(map(len, rows)), by_token=rows, **more)


def split_at_shared_beginning(
    prompt: Sequence[int], texts: Sequence[Sequence[int]]
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """The tokens that the prompt and all texts begin with, and the rest of each text.

    The rest is what is scored, wherever tokens are known by their numbers. It is never empty: where
    a text adds nothing to the shared beginning, the beginning is one token shorter.
    """
    columns = enumerate(zip(prompt, *texts, strict=False))
    differing = next((at for at, tokens in columns if len(set(tokens)) > 1), None)
    shared = min(
        len(prompt) if differing is None else differing, *(len(text) - 1 for text in texts)
    )
    return tuple(texts[0][:shared]), tuple(tuple(text[shared:]) for text in texts)


class FailureKind(StrEnum):
    """What sort of failure it is, where something else is done about it than about any other."""

    OTHER = "other"
    THINKING = "thinking"
    """The model thought until no token was left, so that no answer began."""
    CUT_OFF = "cut off"
    """The response reached its limit before an answer could be read, and going on led to none."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A request that got no answer. Never to be counted as a wrong one.

    Attributes:
        reason: a sentence for the person who sees it.
        retryable: whether asking again may help (rate limit, time-out).
        stops_run: nothing else can be answered before a person does something (a key that is
            refused, a model that is not there, no money left), so the run pauses.
        retries: why earlier attempts at this request were in vain.
        kind: what sort of failure it is.
    """

    reason: str
    retryable: bool
    stops_run: bool = False
    retries: tuple[str, ...] = ()
    kind: FailureKind = FailureKind.OTHER


def used_up(limit: int) -> Failure:
    """What a model ends with that thought until its tokens were used up.

    Args:
        limit: most tokens that it was allowed to write.
    """
    return Failure(
        f"The limit of {limit} tokens was used up by thinking before an answer began. Allow the "
        "model more tokens.",
        retryable=False,
        kind=FailureKind.THINKING,
    )


def cut_off(limit: int, times: int) -> Failure:
    """What a response ends with that never came to an answer.

    Args:
        limit: most tokens that each of its parts had.
        times: how often it was asked to go on.
    """
    return Failure(
        f"Cut off at {limit} tokens before an answer could be read, and still so after it was "
        f"asked to go on {times} {'time' if times == 1 else 'times'}.",
        retryable=False,
        kind=FailureKind.CUT_OFF,
    )


Asked: TypeAlias = GenerationRequest | LikelihoodRequest
Result: TypeAlias = Completion | Likelihood | Failure


class Notice(NamedTuple):
    """What somebody should know of the way to a model while, or after, it is asked.

    Attributes:
        waiting: a sentence where nothing is sent for more than a minute; empty otherwise.
        remarks: sentences about what was done otherwise than asked, which hold for good.
    """

    waiting: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of it."""
        return " ".join(filter(None, (self.waiting, *self.remarks)))


class Channel(Protocol):
    """Requests on their way to a model, each on its own: a slow one holds up no other.

    Used from one thread. Every key that was sent comes back exactly once, unless the channel
    is closed before. A context manager; leaving it gives up what is still on its way.
    """

    @property
    def room(self) -> int:
        """How many more requests may be sent now; changes with what the server bears."""
        ...

    @property
    def notice(self) -> Notice:
        """What is to be known of the way now."""
        ...

    def send(self, key: str, request: Asked) -> None:
        """Puts a request on its way and returns at once."""
        ...

    def receive(self, seconds: float) -> list[tuple[str, Result]]:
        """What has come back. Waits for the first result, but no longer than given."""
        ...

    def __enter__(self) -> Channel: ...

    def __exit__(self, *details: object) -> None: ...


class Model(Protocol):
    """Anything that can answer.

    Both methods yield ``(index of the request, result)`` as results become ready, in any
    order, each index exactly once, so that every answer can be kept as soon as it is there.
    """

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""
        ...

    def generate(
        self, requests: Sequence[GenerationRequest]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        """Continues every request."""
        ...

    def likelihood(
        self, requests: Sequence[LikelihoodRequest]
    ) -> Iterator[tuple[int, Likelihood | Failure]]:
        """Scores every given continuation."""
        ...


@runtime_checkable
class Watchable(Model, Protocol):
    """A model whose texts can be watched while it writes them.

    Attributes:
        on_text: called about once a second with all that one of the texts has so far, the same
            one until that is finished; None: nobody watches.
    """

    on_text: Callable[[str], None] | None


@runtime_checkable
class Concurrent(Model, Protocol):
    """A model that answers many requests independently of each other, such as a server."""

    def open_channel(self) -> Channel:
        """A new channel; one is open at a time."""
        ...


class ModelError(Exception):
    """Base of everything this package raises on purpose; its text is for the user."""


class UnknownModel(ModelError):
    """The text given does not name a model."""


class ModelNotFound(ModelError):
    """The model's directory or file is missing."""


class BrokenModel(ModelError):
    """The model's files are damaged, incomplete or of a kind that is not opened."""


class Unsupported(ModelError):
    """The model cannot do what is asked of it."""
