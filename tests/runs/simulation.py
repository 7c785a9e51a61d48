"""A simulated study and simulated models for the tests of runs. Nothing here is a real model.

The study asks sums: ``What is 3 + 4?`` against ``What is 13 + 4?``. What a simulated model does
is written in its spec as JSON, so that a worker process does the same as this one.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

from biaslab.models import (
    Completion,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Message,
    ModelForm,
    ModelIdentity,
    ModelKind,
    Notice,
    Sampling,
    Skill,
    UnknownModel,
)
from biaslab.runs.engine.sources import Sources
from biaslab.studies.results import Expectation
from biaslab.studies.study import (
    Answered,
    Arms,
    Design,
    Experiment,
    Item,
    Pair,
    Reading,
    Request,
    Setting,
    Stratum,
)
from schoolmath.problems import DesignError


@dataclass(frozen=True)
class OneRequest:
    """Asks once."""

    name: str = "direct"
    label: str = "Direct"
    explanation: str = "Asks once."
    version: str = "1"

    def next_request(
        self, item: Item, answered: Sequence[Answered], _form: ModelForm
    ) -> Request | None:
        if answered:
            return None
        return GenerationRequest((Message("text", item.text),), Sampling(16), item.facts)


@dataclass(frozen=True)
class TwoRequests:
    """Asks for working, then for the answer that follows from it."""

    name: str = "two"
    label: str = "Two"
    explanation: str = "Asks twice."
    version: str = "1"

    def next_request(
        self, item: Item, answered: Sequence[Answered], _form: ModelForm
    ) -> Request | None:
        if not answered:
            messages = (Message("text", f"Think: {item.text}"),)
        elif len(answered) == 1:
            messages = (Message("text", f"{item.text} {answered[0].text} So:"),)
        else:
            return None
        return GenerationRequest(messages, Sampling(16), item.facts)


@dataclass(frozen=True)
class Scored:
    """Asks how probable the right answer and its neighbour are."""

    name: str = "scored"
    label: str = "Scored"
    explanation: str = "Asks for probabilities."
    version: str = "1"

    def next_request(
        self, item: Item, answered: Sequence[Answered], _form: ModelForm
    ) -> Request | None:
        if answered:
            return None
        wrong = str(int(item.answer) + 1)
        return LikelihoodRequest((Message("text", item.text),), (item.answer, wrong), item.facts)


@dataclass(frozen=True)
class SumStudy(Experiment):
    """Sums below ten against sums above ten. With setting ``shared`` all pairs share one x."""

    name: str = "sums"
    title: str = "Sums"
    question: str = "Are larger sums harder?"
    source: str = "none"
    asks: Skill = Skill.SOLVE
    reader: str = "sums 1"
    expects: Expectation | None = None
    arms: Arms = Arms("small", "large")
    strata: tuple[Stratum, ...] = (Stratum("even", "even", "Whether the first number is even."),)
    settings: tuple[Setting, ...] = ()
    strategies: tuple[object, ...] = (OneRequest(), TwoRequests(), Scored())

    def pairs(self, design: Design) -> Iterator[Pair]:
        if design.n > 9_000:
            raise DesignError("So many sums do not exist.", "Ask for 9000 at most.", "n")
        start = Random(design.seed).randrange(10**6)
        for index in range(design.n):
            first = start + (0 if design.settings.get("shared") else index)
            yield Pair.of(
                self._item(first, 4),
                self._item(first, 14 + index),
                {"even": first % 2 == 0, "third": index % 3, "name": f"n{index % 2}"},
                cluster=f"c{index // 2}",
            )

    def draw(self, design: Design) -> Iterator[Pair]:
        return self.pairs(design)

    def read(self, item: Item, answered: Sequence[Answered], form: ModelForm) -> Reading:  # noqa: ARG002
        last = answered[-1]
        if isinstance(last, Likelihood):
            right = last.log_probabilities[0] > last.log_probabilities[1]
            return Reading("right" if right else "wrong", float(right), "likelier", "Compared.")
        found = re.search(r"\d+", last.text)
        if found is None:
            return Reading(None, None, "number", "No number was found.")
        right = found.group() == item.answer
        return Reading(found.group(), float(right), "number", "First number.", found.span())

    def _item(self, first: int, second: int) -> Item:
        facts = {"first": first, "second": second}
        return Item.of(self.name, f"What is {first} + {second}?", str(first + second), facts)


@dataclass(frozen=True)
class Behaviour:
    """What a simulated model does.

    Attributes:
        wrong, invalid: one in so many prompts gets a wrong or unreadable answer; 0: none.
        fails: so many first requests for each failing prompt fail; failing: one in so many
            prompts fails; passing: whether asking again may help.
        right_below: sums whose second number is below this are right all the same.
        delay: seconds each answer takes; log: file that gets every prompt that was asked.
        broken: asked for so many answers, the model breaks down.
    """

    name: str = "one"
    revision: str = "r1"
    wrong: int = 0
    right_below: int = 0
    invalid: int = 0
    failing: int = 0
    fails: int = 1
    passing: bool = True
    delay: float = 0.0
    log: str = ""
    broken: int = 0
    text: str = ""

    @property
    def spec(self) -> str:
        """Opens this model, here or in a worker process."""
        given = {k: v for k, v in asdict(self).items() if v != getattr(Behaviour(), k)}
        return f"sim:{json.dumps(given)}"


@dataclass
class SimulatedModel:
    """A simulation: knows the right sums and does what its behaviour says."""

    behaviour: Behaviour
    asked: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    @property
    def identity(self) -> ModelIdentity:
        behaviour = self.behaviour
        return ModelIdentity(
            behaviour.spec, ModelKind.LEARNER, behaviour.revision, ModelForm.BASE,
            {"name": behaviour.name},
        )  # fmt: skip

    def generate(
        self, requests: Sequence[GenerationRequest]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        self.sizes.append(len(requests))
        # Backwards, because a model may answer in any order.
        for index in reversed(range(len(requests))):
            prompt = requests[index].messages[-1].content
            self._note(prompt)
            if self._fails(prompt):
                yield index, Failure("The server is too busy (429).", self.behaviour.passing)
            else:
                yield index, Completion(self._text(prompt), "stop", 5, 2, 0.01)

    def likelihood(
        self, requests: Sequence[LikelihoodRequest]
    ) -> Iterator[tuple[int, Likelihood | Failure]]:
        for index, request in enumerate(requests):
            self._note(request.messages[-1].content)
            yield index, Likelihood((-0.5, -1.5), (1, 1))

    def _note(self, prompt: str) -> None:
        behaviour = self.behaviour
        if behaviour.broken and len(self.asked) >= behaviour.broken:
            raise RuntimeError("The simulated model broke down.")
        if behaviour.delay:
            time.sleep(behaviour.delay)
        self.asked.append(prompt)
        if behaviour.log:
            with Path(behaviour.log).open("a") as log:
                log.write(prompt + "\n")

    def _fails(self, prompt: str) -> bool:
        chosen = _one_in(self.behaviour.failing, prompt)
        return chosen and self.asked.count(prompt) <= self.behaviour.fails

    def _text(self, prompt: str) -> str:
        if self.behaviour.text:
            return self.behaviour.text
        if _one_in(self.behaviour.invalid, prompt):
            return "I do not know."
        first, second = map(int, re.findall(r"\d+", prompt)[:2])
        wrong = second >= self.behaviour.right_below and _one_in(self.behaviour.wrong, prompt)
        return str(first + second + wrong)


@dataclass
class SimulatedServer(SimulatedModel):
    """A simulation of a server: takes ``places`` requests at a time and answers out of order.

    Attributes:
        places: room of its channel.
        last: prompts that contain this text are answered only when nothing else is on its way.
        halts: after so many answers it refuses everything, as for a key that was withdrawn.
        notices: what is to be known of the way to it, one after the other.
    """

    places: int = 8
    last: str = ""
    halts: int = 0
    notices: list[Notice] = field(default_factory=list)
    most_on_way: int = 0

    def open_channel(self) -> SimulatedChannel:
        return SimulatedChannel(self)


class SimulatedChannel:
    """The way to a `SimulatedServer`; nothing takes any time."""

    def __init__(self, server: SimulatedServer) -> None:
        self._server = server
        self._on_way: dict[str, GenerationRequest] = {}
        self._answered = 0

    def __enter__(self) -> SimulatedChannel:
        return self

    def __exit__(self, *details: object) -> None:
        self._on_way.clear()

    @property
    def room(self) -> int:
        return self._server.places - len(self._on_way)

    @property
    def notice(self) -> Notice:
        return self._server.notices.pop(0) if self._server.notices else Notice()

    def send(self, key: str, request: GenerationRequest) -> None:
        assert self.room > 0
        assert key not in self._on_way
        self._on_way[key] = request
        self._server.most_on_way = max(self._server.most_on_way, len(self._on_way))

    def receive(self, _seconds: float) -> list[tuple[str, Completion | Failure]]:
        held = self._server.last
        free = [
            key
            for key, request in self._on_way.items()
            if not held or held not in request.messages[-1].content
        ]
        key = (free or list(self._on_way))[-1]
        request = self._on_way.pop(key)
        self._answered += 1
        if self._server.halts and self._answered > self._server.halts:
            reason = "The server refuses the key. Enter another one."
            return [(key, Failure(reason, retryable=False, stops_run=True))]
        ((_, result),) = self._server.generate([request])
        return [(key, result)]


def _one_in(n: int, prompt: str) -> bool:
    return bool(n) and int(re.findall(r"\d+", prompt)[1]) % n == 0


def open_simulated(spec: str) -> SimulatedModel:
    """The model of a `Behaviour.spec`."""
    kind, _, text = spec.partition(":")
    if kind != "sim":
        raise UnknownModel(f"There is no model {spec}.")
    return SimulatedModel(Behaviour(**json.loads(text)))


def simulated_sources(model: SimulatedModel | None = None, study: object = None) -> Sources:
    """Sources that know the simulated study and models only; ``model`` is the one opened."""
    chosen = study or SumStudy()

    def experiment(name: str) -> object:
        if name != chosen.name:
            raise DesignError(f"There is no study {name}.", "Choose sums.", "study")
        return chosen

    return Sources(
        experiment,
        lambda spec, _: open_simulated(spec).identity,
        lambda spec, _: model if model is not None else open_simulated(spec),
    )
