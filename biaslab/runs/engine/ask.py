"""Asks a model a set of items by a strategy and tells what happens, one event at a time.

Nothing is stored here: what is in the file already comes in through ``recall``, what is new
goes out as events. `Asker` holds what every prompt strategy shares and asks in groups, as a local
model wants it; `biaslab.runs.engine.stream` keeps a server busy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, NamedTuple, TypeAlias

from biaslab.models import (
    Completion,
    Failure,
    GenerationRequest,
    LikelihoodRequest,
    Model,
    Notice,
    Sampling,
)
from biaslab.runs.budget import Meter
from biaslab.runs.store.encoding import as_stored, response_id
from biaslab.studies.study import Answered, Experiment, Item, Reading, Request, Strategy

Recall: TypeAlias = Callable[[Sequence[str]], Mapping[str, Answered]]
"""Gives those responses of these ids that are in the file."""

_NO_RESULT = Failure("The model returned nothing for this request.", retryable=False)


class Wanted(NamedTuple):
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
    """A request of the item got no response.

    Attributes:
        responses: ids of the responses to the requests before it.
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
class Noticed:
    """What is to be known of the way to the model has changed."""

    notice: Notice


Event: TypeAlias = NewResponse | ItemRead | ItemFailed | RunHalted | Noticed


@dataclass(slots=True)
class Asking:
    """How far an item has come.

    Attributes:
        item, sample: what is asked.
        answered: the responses so far; ids: theirs.
        next: what is to be asked now; None once the item is finished or has failed.
    """

    item: Item
    sample: int = 0
    answered: list[Answered] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    next: Request | None = None

    def take(self, key: str, answered: Answered) -> None:
        """Adds a response."""
        self.ids.append(key)
        self.answered.append(answered)


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
    """

    def __init__(
        self,
        experiment: Experiment,
        strategy: Strategy,
        model: Model,
        sampling: Sampling | None,
        recall: Recall,
        meter: Meter | None = None,
    ) -> None:
        self._experiment = experiment
        self._strategy = strategy
        self._model = model
        self._sampling = sampling
        self.recall = recall
        self.meter = meter
        self.exhausted = False
        """Whether the budget kept something from being asked."""

    def begin(self, wanted: Iterable[Wanted]) -> list[Asking]:
        """What is to be asked, nothing of it asked yet."""
        return [Asking(item, sample) for item, sample in wanted]

    def key(self, request: Request) -> str:
        """What the response to this request will be known by."""
        return response_id(self._model.identity.id, request)

    def advance(self, group: Iterable[Asking]) -> Iterator[ItemRead]:
        """Looks up the next request of each; finished items are read."""
        form = self._model.identity.form
        for asking in group:
            answered = tuple(asking.answered)
            request = self._strategy.next_request(asking.item, answered, form)
            asking.next = self._sampled(request, asking.sample)
            if request is None:
                reading = self._experiment.read(asking.item, answered)
                yield ItemRead(asking.item.id, reading, tuple(asking.ids), asking.sample)

    def ask(self, wanted: Iterable[Wanted]) -> Iterator[Event]:
        """Asks every item, stage by stage; the requests of a stage go to the model together.

        A request that several items share is asked once. Each item gives one `ItemRead` or
        `ItemFailed`, as soon as its last response is there, after the `NewResponse` of each
        response that was not known yet. What the budget does not allow is left out.

        Raises:
            ModelError: the model cannot do what is asked.
        """
        waiting = self.begin(wanted)
        yield from self.advance(waiting)
        while waiting := [asking for asking in waiting if asking.next is not None]:
            yield from self._stage(waiting)

    def _stage(self, waiting: Sequence[Asking]) -> Iterator[Event]:
        groups: dict[str, list[Asking]] = {}
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
                yield from failed(groups[key], result)
                continue
            answered = as_stored(result)
            self.spend(key, answered)
            yield NewResponse(key, requests[key], answered)
            for asking in groups[key]:
                asking.take(key, answered)
            yield from self.advance(groups[key])

    def _reservable(
        self, requests: Mapping[str, Request], groups: Mapping[str, Iterable[Asking]]
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

    def spend(self, key: str, answered: Answered | None) -> None:
        """Notes what the request did cost; None: it got no response."""
        if self.meter is None:
            return
        if isinstance(answered, Completion):
            self.meter.commit(key, answered.tokens_in, answered.tokens_out)
        elif answered is not None:
            self.meter.commit(key, answered.tokens_in, 0)
        else:
            self.meter.release(key)

    def _results(self, requests: Mapping[str, Request]) -> Iterator[tuple[str, Answered | Failure]]:
        writing = {k: r for k, r in requests.items() if isinstance(r, GenerationRequest)}
        scoring = {k: r for k, r in requests.items() if isinstance(r, LikelihoodRequest)}
        if writing:
            yield from _each_once(list(writing), self._model.generate(list(writing.values())))
        if scoring:
            yield from _each_once(list(scoring), self._model.likelihood(list(scoring.values())))

    def _sampled(self, request: Request | None, sample: int) -> Request | None:
        if not isinstance(request, GenerationRequest):
            return request
        own, chosen = request.sampling, self._sampling
        if chosen is None:
            return request if sample == 0 else _with(request, seed=sample_seed(own.seed, sample))
        return _with(
            request,
            max_new_tokens=min(own.max_new_tokens, chosen.max_new_tokens),
            temperature=chosen.temperature,
            seed=sample_seed(chosen.seed, sample),
            stop=own.stop + tuple(text for text in chosen.stop if text not in own.stop),
        )


def failed(group: Iterable[Asking], failure: Failure) -> Iterator[Event]:
    """What a failure means for the items that wait for it."""
    if failure.stops_run:
        yield RunHalted(failure)
    for asking in group:
        asking.next = None
        if not failure.stops_run:
            yield ItemFailed(asking.item.id, failure, tuple(asking.ids), asking.sample)


def _with(request: GenerationRequest, **changed: Any) -> GenerationRequest:
    return replace(request, sampling=replace(request.sampling, **changed))


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
