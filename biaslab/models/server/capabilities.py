"""What a server was found to support, as it is shown and remembered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from biaslab.models.provider import Access, Continuing, Endpoint, ThinkingSwitch


class SystemMessage(StrEnum):
    """What becomes of a system message."""

    OBEYED = "obeyed"
    """The model did what it said."""
    ACCEPTED = "accepted"
    """The model was given it and did not do what it said."""
    DROPPED = "dropped"
    """The server took it, but the prompt did not become longer."""
    REFUSED = "refused"
    """The server answered with an error."""
    UNKNOWN = "unknown"
    """Not tried: there is no chat."""


class Seed(StrEnum):
    """What becomes of a seed at temperature 1."""

    REPEATS = "repeats"
    """The same seed gave the same text, another seed another text."""
    IGNORED = "ignored"
    """The same seed gave different texts."""
    REFUSED = "refused"
    """The server answered with an error."""
    UNCLEAR = "unclear"
    """All texts were the same, so the seed, or the temperature, may have had no effect."""
    UNKNOWN = "unknown"
    """Not tried."""


class Thinking(StrEnum):
    """Where a model's reasoning before its answer goes."""

    SEPARATE = "apart"
    """It comes apart from the text and is kept apart."""
    INSIDE = "inside"
    """It stands in the text between tags."""
    NONE = "none"
    """None was seen."""


class Scoring(StrEnum):
    """How a server gives log-probabilities of continuations."""

    ECHO = "echo"
    """It repeats the text that was sent, with the number of every token."""
    FORCED = "forced"
    """It is made to write the text by a grammar of tokens, as llama.cpp can be."""
    TOP = "top"
    """It lists the most probable first tokens."""
    NONE = "none"
    """It gives none."""


class ProbeStep(StrEnum):
    """What a test tries, in this order; the words say what is tried while it is."""

    MODELS = "which models the server has"
    PROBLEM = "whether the model answers a word problem"
    SEED = "what a seed does"
    TURNS = "whether it goes on from a begun answer, and when it thinks"
    PROBABILITIES = "whether its log-probabilities are right"
    SYSTEM = "whether it obeys a system message"
    LONGEST = "how long a text may be"

    @property
    def and_after(self) -> tuple[ProbeStep, ...]:
        """Itself and the steps after it."""
        steps = tuple(ProbeStep)
        return steps[steps.index(self) :]

    @property
    def line(self) -> str:
        """What is printed when it begins, such as ``Step 3 of 7: what a seed does``."""
        steps = tuple(ProbeStep)
        return f"Step {steps.index(self) + 1} of {len(steps)}: {self}"


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether a server's log-probabilities are what they should be.

    Attributes:
        scoring: what the server offers.
        right: whether it passed every check of `biaslab.models.server.probe.proving`.
        why_not: a sentence where it did not.
        alternatives: how many first tokens the server lists at most.
    """

    scoring: Scoring = Scoring.NONE
    right: bool = False
    why_not: str = ""
    alternatives: int = 0


@dataclass(frozen=True, slots=True)
class EndpointReport:
    """What one of the server's two ways of writing does.

    Attributes:
        endpoint: which one.
        works: whether the sample problem was answered.
        why_not: a sentence where it was not.
        served: name under which the server answered.
        answer: what it wrote; text of a model, never markup.
        thinking: where reasoning went; unfinished: whether it filled the whole answer.
        seconds: that the sample took.
        tokens_in: of the sample's prompt as the server counts them; 0 where it does not.
        tokens_per_character: tokens of the prompt for each character of the sample problem with
            its cue, what the server adds around it included; None where it does not count.
        seed: what becomes of a seed.
        cold: whether temperature 0 is taken. Where it is not, answers are never greedy.
        stops: whether stop texts are taken; None where they were not tried.
        proof: how it gives log-probabilities, and whether they are right.
        says_finish: whether the server says, in a word that is known, how an answer ended.
        ending: what it ends whole answers with where it does not; None where that is not known.
        continuing: how it goes on from the model's own last message; None: in no way tried.
        switch: how it is told how much to think; None: in no way tried.
    """

    endpoint: Endpoint
    works: bool
    why_not: str = ""
    served: str = ""
    answer: str = ""
    thinking: Thinking = Thinking.NONE
    unfinished: bool = False
    seconds: float | None = None
    tokens_in: int = 0
    tokens_per_character: float | None = None
    seed: Seed = Seed.UNKNOWN
    cold: bool = True
    stops: bool | None = None
    proof: Proof = Proof()
    says_finish: bool = True
    ending: str | None = None
    continuing: Continuing | None = None
    switch: ThinkingSwitch | None = None

    def reached(self, access: Access) -> Access:
        """The same access with what was found of this way of writing."""
        return replace(
            access, endpoint=self.endpoint, served=self.served, continuing=self.continuing,
            switch=self.switch,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a server was found to support for one model.

    Attributes:
        name: of the model that was asked for.
        base_urls: addresses that were tried, in one way of writing.
        ok: whether the model can be asked with these settings.
        problems: sentences about what stands in the way or should be known.
        endpoint: the way of writing that the rest is about: the one that was asked for, else
            chat, else completions; None where neither works.
        served: name under which the server answered there.
        models: names in the server's list; lists_models: whether it has one.
        found: both ways of writing, or the one that was asked for.
        system_message: what becomes of one.
        longest: most tokens of prompt and answer together; None where the server does not say.
        longest_from: where that was read: ``list of models`` or ``error message``.
        meant_url: an address that works in place of the first one given; empty otherwise.
        requests, tokens: what the probe used.
        untried: what was not tried, because the time was over or nothing was tested at all; it
            counts as not there.
    """

    name: str
    base_urls: tuple[str, ...]
    ok: bool
    problems: tuple[str, ...] = ()
    endpoint: Endpoint | None = None
    served: str = ""
    models: tuple[str, ...] = ()
    lists_models: bool = False
    found: tuple[EndpointReport, ...] = ()
    system_message: SystemMessage = SystemMessage.UNKNOWN
    longest: int | None = None
    longest_from: str = ""
    meant_url: str = ""
    requests: int = 0
    tokens: int = 0
    untried: tuple[ProbeStep, ...] = ()

    @classmethod
    def untested(cls, name: str, access: Access) -> Capabilities:
        """What is taken for a server that is to be asked without a test: that it answers."""
        endpoint = access.endpoint or Endpoint.CHAT
        return cls(
            name,
            access.base_urls,
            ok=True,
            problems=(
                "This server was connected without a test. Studies of its answers can ask it; "
                "what they do not get shows as missing. Test it again when it answers.",
            ),
            endpoint=endpoint,
            found=(EndpointReport(endpoint, works=True),),
            untried=tuple(ProbeStep),
        )

    @property
    def chosen(self) -> EndpointReport | None:
        """What was found of the way of writing that is used."""
        return next((found for found in self.found if found.endpoint is self.endpoint), None)

    @property
    def scoring(self) -> Scoring:
        """How log-probabilities are given there."""
        return self.chosen.proof.scoring if self.chosen else Scoring.NONE

    @property
    def scoring_is_right(self) -> bool:
        """Whether they were shown to be right; a study that needs them is refused otherwise."""
        return self.chosen.proof.right if self.chosen else False

    @property
    def scores_any(self) -> bool:
        """Whether texts of any length can be scored there."""
        return self.scoring_is_right and self.scoring in (Scoring.ECHO, Scoring.FORCED)

    @property
    def thinking(self) -> Thinking:
        """Where reasoning goes there."""
        return self.chosen.thinking if self.chosen else Thinking.NONE

    @property
    def seed(self) -> Seed:
        """What becomes of a seed there."""
        return self.chosen.seed if self.chosen else Seed.UNKNOWN

    @property
    def seconds(self) -> float | None:
        """That a request took there."""
        return self.chosen.seconds if self.chosen else None

    @property
    def tokens_per_character(self) -> float | None:
        """Of the sample's prompt there."""
        return self.chosen.tokens_per_character if self.chosen else None

    def as_json(self) -> dict[str, Any]:
        """Everything, and once more what counts of the way of writing that is used."""
        return {
            **asdict(self),
            "scoring": self.scoring,
            "scoring_is_right": self.scoring_is_right,
            "thinking": self.thinking,
            "seed": self.seed,
            "seconds": self.seconds,
            "tokens_per_character": self.tokens_per_character,
        }

    @classmethod
    def of_json(cls, content: Mapping[str, Any]) -> Capabilities:
        """What `as_json` gave, also after it was text.

        Raises:
            KeyError, TypeError, ValueError: it is something else.
        """
        endpoint = content["endpoint"]
        longest = content["longest"]
        return cls(
            name=str(content["name"]),
            base_urls=tuple(map(str, content["base_urls"])),
            ok=bool(content["ok"]),
            problems=tuple(map(str, content["problems"])),
            endpoint=None if endpoint is None else Endpoint(endpoint),
            served=str(content["served"]),
            models=tuple(map(str, content["models"])),
            lists_models=bool(content["lists_models"]),
            found=tuple(_read_found(found) for found in content["found"]),
            system_message=SystemMessage(content["system_message"]),
            longest=None if longest is None else int(longest),
            longest_from=str(content["longest_from"]),
            meant_url=str(content["meant_url"]),
            requests=int(content["requests"]),
            tokens=int(content["tokens"]),
            untried=tuple(map(ProbeStep, content.get("untried", ()))),  # since 0.5
        )


def _read_found(content: Mapping[str, Any]) -> EndpointReport:
    proof = content["proof"]
    return EndpointReport(
        endpoint=Endpoint(content["endpoint"]),
        works=bool(content["works"]),
        why_not=str(content["why_not"]),
        served=str(content["served"]),
        answer=str(content["answer"]),
        thinking=Thinking(content["thinking"]),
        unfinished=bool(content["unfinished"]),
        seconds=_number(content["seconds"]),
        tokens_in=int(content["tokens_in"]),
        tokens_per_character=_number(content["tokens_per_character"]),
        seed=Seed(content["seed"]),
        cold=bool(content["cold"]),
        stops=None if content["stops"] is None else bool(content["stops"]),
        proof=Proof(
            scoring=Scoring(proof["scoring"]),
            right=bool(proof["right"]),
            why_not=str(proof["why_not"]),
            alternatives=int(proof["alternatives"]),
        ),
        # Probes of BiasLab 0.4 do not say it.
        says_finish=bool(content.get("says_finish", True)),
        ending=None if content.get("ending") is None else str(content["ending"]),
        continuing=Continuing(content["continuing"]) if content.get("continuing") else None,
        switch=ThinkingSwitch(content["switch"]) if content.get("switch") else None,
    )


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
