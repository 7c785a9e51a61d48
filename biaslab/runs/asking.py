"""Asks a model a set of items by a strategy and tells what happens, one event at a time.

Nothing is stored here: what is in the file already comes in through ``recall``, what is new
goes out as events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from biaslab.experiments.experiment import Answered, Experiment, Item, Reading, Request, Strategy
from biaslab.models import Failure, GenerationRequest, LikelihoodRequest, Model, Sampling
from biaslab.runs.encoding import as_stored, response_id

Recall: TypeAlias = Callable[[Sequence[str]], Mapping[str, Answered]]
"""Gives those responses of these ids that are in the file."""

_NO_RESULT = Failure("The model returned nothing for this request.", retryable=False)


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


@dataclass(frozen=True, slots=True)
class ItemFailed:
    """A request of the item got no response.

    Attributes:
        responses: ids of the responses to the requests before it.
    """

    item: str
    failure: Failure
    responses: tuple[str, ...]


Event: TypeAlias = NewResponse | ItemRead | ItemFailed


@dataclass(slots=True)
class _Asking:
    """How far an item has come."""

    item: Item
    answered: list[Answered] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    next: Request | None = None

    def take(self, key: str, answered: Answered) -> None:
        self.ids.append(key)
        self.answered.append(answered)


class Asker:
    """Asks items of one study, by one strategy, of one model.

    Args:
        sampling: what a person chose in place of the strategy's own; see `prepare`.
        recall: looks responses up in the file.
    """

    def __init__(
        self,
        experiment: Experiment,
        strategy: Strategy,
        model: Model,
        sampling: Sampling | None,
        recall: Recall,
    ) -> None:
        self._experiment = experiment
        self._strategy = strategy
        self._model = model
        self._sampling = sampling
        self._recall = recall

    def ask(self, items: Iterable[Item]) -> Iterator[Event]:
        """Asks every item, stage by stage; the requests of a stage go to the model together.

        A request that several items share is asked once. Each item gives one `ItemRead` or
        `ItemFailed`, as soon as its last response is there, after the `NewResponse` of each
        response that was not known yet.

        Raises:
            ModelError: the model cannot do what is asked.
        """
        waiting = [_Asking(item) for item in items]
        yield from self._advance(waiting)
        while waiting := [asking for asking in waiting if asking.next is not None]:
            yield from self._stage(waiting)

    def _stage(self, waiting: Sequence[_Asking]) -> Iterator[Event]:
        groups: dict[str, list[_Asking]] = {}
        requests: dict[str, Request] = {}
        for asking in waiting:
            if asking.next is not None:
                key = response_id(self._model.identity.id, asking.next)
                groups.setdefault(key, []).append(asking)
                requests[key] = asking.next
        known = self._recall(list(requests))
        for key, answered in known.items():
            for asking in groups[key]:
                asking.take(key, answered)
            yield from self._advance(groups[key])
        for key, result in self._results({k: r for k, r in requests.items() if k not in known}):
            if isinstance(result, Failure):
                yield from _fail(groups[key], result)
                continue
            answered = as_stored(result)
            yield NewResponse(key, requests[key], answered)
            for asking in groups[key]:
                asking.take(key, answered)
            yield from self._advance(groups[key])

    def _advance(self, group: Iterable[_Asking]) -> Iterator[Event]:
        form = self._model.identity.form
        for asking in group:
            answered = tuple(asking.answered)
            request = self._strategy.next_request(asking.item, answered, form)
            asking.next = None if request is None else _sampled(request, self._sampling)
            if request is None:
                reading = self._experiment.read(asking.item, answered)
                yield ItemRead(asking.item.id, reading, tuple(asking.ids))

    def _results(self, requests: Mapping[str, Request]) -> Iterator[tuple[str, Answered | Failure]]:
        writing = {k: r for k, r in requests.items() if isinstance(r, GenerationRequest)}
        scoring = {k: r for k, r in requests.items() if isinstance(r, LikelihoodRequest)}
        if writing:
            yield from _each_once(list(writing), self._model.generate(list(writing.values())))
        if scoring:
            yield from _each_once(list(scoring), self._model.likelihood(list(scoring.values())))


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


def _fail(group: Iterable[_Asking], failure: Failure) -> Iterator[Event]:
    for asking in group:
        asking.next = None
        yield ItemFailed(asking.item.id, failure, tuple(asking.ids))


def _sampled(request: Request, sampling: Sampling | None) -> Request:
    if sampling is None or isinstance(request, LikelihoodRequest):
        return request
    own = request.sampling
    merged = Sampling(
        max_new_tokens=min(own.max_new_tokens, sampling.max_new_tokens),
        temperature=sampling.temperature,
        seed=sampling.seed,
        stop=own.stop + tuple(text for text in sampling.stop if text not in own.stop),
    )
    return replace(request, sampling=merged)
