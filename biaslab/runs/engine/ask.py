"""Asks a model a set of items by a strategy and tells what happens, one event at a time.

Nothing is stored here: what is in the file already comes in through ``recall``, what is new
goes out as events. `Asker` holds what every prompt strategy shares and asks in groups, as a local
model wants it; `biaslab.runs.engine.stream` keeps a server busy.

Asks items and keeps nothing: for learners whose answers cost nothing to have again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import NamedTuple, TypeAlias

from biaslab.models import (
    Completion,
    Failure,
    FailureKind,
    GenerationRequest,
    LikelihoodRequest,
    Model,
    Notice,
    Sampling,
    read_spec,
)
from biaslab.models.requests import cut_off, used_up
from biaslab.runs.engine.budget import Meter
from biaslab.runs.store.encoding import as_stored, response_id
from biaslab.studies.strategies import AS_USUAL, Length, Procedure
from biaslab.studies.study import Answered, Experiment, Item, Reading, Request, Strategy
from schoolmath.text.thinking import find_thinking

MOST_THOUGHT = 10
"""So many responses of a run are used up by thinking before it pauses: more would cost and give
nothing."""

Recall: TypeAlias = Callable[[Sequence[str]], Mapping[str, Answered]]
"""Gives those responses of these ids that are in the file."""

_NO_RESULT = Failure("The model returned nothing for this request.", retryable=False)


class RunAnswer(NamedTuple):
    """One answer that a run wants: an item, and the how-manieth sample of it, from 0."""

    item: Item
    sample: int


@dataclass(frozen=True, slots=True)
class NewResponse:
    """The model gave a response."""

    id: str
    request: Request
    answered: Answered


@dataclass(frozen=True, slots=True)
class ItemRead:
    """All requests of an item have responses, and they were read.

    Attributes:
        responses: their ids in order.
    """

    item: str
    reading: Reading
    responses: tuple[str, ...]
    sample: int = 0


@dataclass(frozen=True, slots=True)
class ItemFailed:
    """A request of the item got no response, or one that never came to an answer.

    Attributes:
        responses: ids of the responses that came.
    """

    item: str
    failure: Failure
    responses: tuple[str, ...]
    sample: int = 0


@dataclass(frozen=True, slots=True)
class RunHalted:
    """Nothing more can be answered until a person does something."""

    failure: Failure


@dataclass(frozen=True, slots=True)
class NoticeChanged:
    """What is to be known of the way to the model has changed."""

    notice: Notice


Event: TypeAlias = NewResponse | ItemRead | ItemFailed | RunHalted | NoticeChanged


@dataclass(slots=True)
class ItemProgress:
    """How far an item has come.

    Attributes:
        item, sample: what is asked.
        stages: whole responses to the strategy's requests so far; parts: what came of the next
            one, which may be asked to go on; ids: of all that came.
        next: what is to be asked now; None once the item is finished or has failed.
    """

    item: Item
    sample: int = 0
    stages: list[Answered] = field(default_factory=list)
    parts: list[Answered] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    next: Request | None = None

    def take(self, key: str, response: Answered) -> None:
        """Adds a response."""
        self.ids.append(key)
        self.parts.append(response)


def sample_seed(seed: int, sample: int) -> int:
    """Seed of one of several samples of an item: the run's own for the first.

    Seeds of the others are scattered over 31 bits, so that runs whose seeds are neighbours do
    not share samples.
    """
    if sample == 0:
        return seed
    digest = blake2b(f"{seed}:{sample}".encode("ascii"), digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1


class Asker:
    """Asks items of one study, by one strategy, of one model.

    Args:
        sampling: what a person chose in place of the strategy's own; see `prepare`.
        recall: looks responses up in the file.
        meter: what may still be spent; None: anything.
        length: how much the model may write.
        system: what a chat model is told before every request; "" for nothing.
    """

    def __init__(
        self,
        experiment: Experiment,
        strategy: Strategy,
        model: Model,
        sampling: Sampling | None,
        recall: Recall,
        meter: Meter | None = None,
        length: Length = AS_USUAL,
        system: str = "",
    ) -> None:
        self._model = model
        identity = model.identity
        in_turns = not read_spec(identity.spec).has_weights
        self._procedure = Procedure(
            experiment, strategy, identity.form, length, in_turns, sampling, system
        )
        self._thought = 0
        self.recall = recall
        self.meter = meter
        self.exhausted = False
        """Whether the budget kept something from being asked."""
        self.halted = False
        """Whether nothing more can be answered before a person does something."""

    def begin(self, requests: Iterable[RunAnswer]) -> list[ItemProgress]:
        """What is to be asked, nothing of it asked yet."""
        return [ItemProgress(item, sample) for item, sample in requests]

    def key(self, request: Request) -> str:
        """What the response to this request will be known by."""
        return response_id(self._model.identity.id, request)

    def advance(self, group: Sequence[ItemProgress]) -> Iterator[ItemRead | ItemFailed | RunHalted]:
        """Looks up the next request of each; finished items are read."""
        for asking in group:
            self.step(asking)
            if asking.next is None:
                yield from self._read(asking)

    def step(self, asking: ItemProgress) -> None:
        """Looks up the next request of an item."""
        procedure, item = self._procedure, asking.item
        if asking.parts:
            response = procedure.response(item, asking.stages, asking.parts)
            if response is not None:
                asking.stages.append(response)
                asking.parts.clear()
        request = procedure.request(item, asking.stages, asking.parts)
        if isinstance(request, GenerationRequest) and asking.sample:
            seed = sample_seed(request.sampling.seed, asking.sample)
            request = replace(request, sampling=replace(request.sampling, seed=seed))
        asking.next = request

    def _read(self, asking: ItemProgress) -> Iterator[ItemRead | ItemFailed | RunHalted]:
        reading = self._procedure.read(asking.item, tuple(asking.stages))
        if reading.missing:
            yield from self.fail([asking], Failure(reading.explanation, retryable=False))
            return
        last, times = asking.stages[-1], self._procedure.length.go_on
        read = reading.outcome is not None
        if read or not times or not isinstance(last, Completion) or last.finish != "length":
            yield ItemRead(asking.item.id, reading, tuple(asking.ids), asking.sample)
            return
        asked = self._procedure.request(asking.item, asking.stages[:-1])
        limit = asked.sampling.max_new_tokens if isinstance(asked, GenerationRequest) else 0
        thinks = find_thinking(last.text).unfinished
        failure = used_up(limit * (1 + times)) if thinks else cut_off(limit, times)
        yield from self.fail([asking], failure)

    def ask(self, requests: Iterable[RunAnswer]) -> Iterator[Event]:
        """Asks every item, stage by stage; the requests of a stage go to the model together.

        A request that several items share is asked once. Each item gives one `ItemRead` or
        `ItemFailed`, as soon as its last response is there, after the `NewResponse` of each
        response that was not known yet. What the budget does not allow is left out.

        Raises:
            ModelError: the model cannot do what is asked.
        """
        waiting = self.begin(requests)
        yield from self.advance(waiting)
        while waiting := [asking for asking in waiting if asking.next is not None]:
            yield from self._stage(waiting)

    def _stage(self, waiting: Sequence[ItemProgress]) -> Iterator[Event]:
        groups: dict[str, list[ItemProgress]] = {}
        requests: dict[str, Request] = {}
        for asking in waiting:
            if asking.next is not None:
                key = self.key(asking.next)
                groups.setdefault(key, []).append(asking)
                requests[key] = asking.next
        known = self.recall(list(requests))
        for key, answered in known.items():
            for asking in groups[key]:
                asking.take(key, answered)
            yield from self.advance(groups[key])
        unknown = {key: request for key, request in requests.items() if key not in known}
        for key, result in self._results(self._reservable(unknown, groups)):
            if isinstance(result, Failure):
                self.spend(key, None)
                yield from self.fail(groups[key], result)
                continue
            answered = as_stored(result)
            self.spend(key, answered)
            yield NewResponse(key, requests[key], answered)
            for asking in groups[key]:
                asking.take(key, answered)
            yield from self.advance(groups[key])

    def _reservable(
        self, requests: Mapping[str, Request], groups: Mapping[str, Iterable[ItemProgress]]
    ) -> dict[str, Request]:
        allowed: dict[str, Request] = {}
        for key, request in requests.items():
            if self.reserve(key, request):
                allowed[key] = request
            else:
                self.exhausted = True
                for asking in groups[key]:
                    asking.next = None
        return allowed

    def reserve(self, key: str, request: Request) -> bool:
        """Sets aside what the request may cost at most; False where the budget does not allow."""
        if self.meter is None:
            return True
        return self.meter.reserve(key, request)

    def spend(self, key: str, response: Answered | None) -> None:
        """Notes what the request did cost; None: it got no response."""
        if self.meter is None:
            return
        if isinstance(response, Completion):
            self.meter.commit(key, response.tokens_in, response.tokens_out)
        elif response is not None:
            self.meter.commit(key, response.tokens_in, 0)
        else:
            self.meter.release(key)

    def _results(self, requests: Mapping[str, Request]) -> Iterator[tuple[str, Answered | Failure]]:
        writing = {k: r for k, r in requests.items() if isinstance(r, GenerationRequest)}
        scoring = {k: r for k, r in requests.items() if isinstance(r, LikelihoodRequest)}
        if writing:
            yield from _each_once(list(writing), self._model.generate(list(writing.values())))
        if scoring:
            yield from _each_once(list(scoring), self._model.likelihood(list(scoring.values())))

    def fail(
        self, group: Iterable[ItemProgress], failure: Failure
    ) -> Iterator[ItemFailed | RunHalted]:
        """What a failure means for the items that wait for the response."""
        if failure.kind is FailureKind.THINKING:
            self._thought += 1
            if self._thought == MOST_THOUGHT:
                failure = _think_more(failure)
        if failure.stops_run and not self.halted:
            self.halted = True
            yield RunHalted(failure)
        for asking in group:
            asking.next = None
            if not failure.stops_run:
                yield ItemFailed(asking.item.id, failure, tuple(asking.ids), asking.sample)


def _think_more(failure: Failure) -> Failure:
    """What a run pauses with that would go on to think in vain."""
    return replace(
        failure,
        reason=f"{MOST_THOUGHT} responses of this run were used up by thinking. {failure.reason} "
        "Raise the most tokens of a response: --max-tokens on the command line, or next to the "
        "limits in the app.",
        stops_run=True,
    )


def _each_once(
    keys: Sequence[str], results: Iterator[tuple[int, Answered | Failure]]
) -> Iterator[tuple[str, Answered | Failure]]:
    """Puts keys in place of indices; a request that the model forgot has failed."""
    left = dict(enumerate(keys))
    for index, result in results:
        if index not in left:
            raise ValueError(f"The model answered request {index} twice, or was never asked it.")
        yield left.pop(index), result
    for key in left.values():
        yield key, _NO_RESULT


Outcomes: TypeAlias = Mapping[str, Reading | Failure]
"""What became of each item, by its id."""


def ask_without_store(
    study: Experiment,
    strategy: Strategy,
    model: Model,
    items: Iterable[Item],
    sampling: Sampling | None = None,
) -> Outcomes:
    """Asks every item once, by the study's own prompts, and reads what comes back.

    Args:
        study: whose items they are, which reads the answers.
        strategy: how they are asked.
        model: who is asked.
        items: each is asked once, however often it is given.
        sampling: as in `biaslab.runs.engine.ask.Asker`.

    Raises:
        ModelError: the model cannot do what is asked.
    """
    asker = Asker(study, strategy, model, sampling, lambda _: {})
    different = {item.id: item for item in items}
    said: dict[str, Reading | Failure] = {}
    for event in asker.ask(RunAnswer(item, 0) for item in different.values()):
        match event:
            case ItemRead(item=item, reading=reading):
                said[item] = reading
            case ItemFailed(item=item, failure=failure):
                said[item] = failure
            case RunHalted(failure=failure):
                said |= {item: failure for item in different if item not in said}
    return said
