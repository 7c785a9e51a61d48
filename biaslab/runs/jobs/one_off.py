"""Asks a model a list of requests that belong to no run: mending sentences, looking inside.

`ask_loose` has texts written, `score_loose` has given texts scored. Nothing is kept here; the
caller has the answers. `biaslab.runs.jobs.one_off_process` does the same in a process of its own.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple, TypeAlias

from biaslab.models import (
    Asked,
    Channel,
    Completion,
    Concurrent,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Model,
    Result,
)
from biaslab.runs.engine.session import PAUSES
from biaslab.runs.store.encoding import as_stored

Answer: TypeAlias = Completion | Failure

_LOOK_SECONDS = 0.25
_TOGETHER = 32
"""Requests that a model which works in batches gets at a time."""
_GIVE_UP_AFTER = 50
"""So many requests without any answer in a row: the others would not get one either."""


class RequestResult(NamedTuple):
    """What became of one request.

    Attributes:
        place: which of the requests, from 0.
        answer: what came back; a failure is final, and never an answer.
    """

    place: int
    answer: Answer


class Scored(NamedTuple):
    """What became of one request for log-probabilities.

    Attributes:
        place: which of the requests, from 0.
        answer: what came back; a failure is final, and never a probability.
    """

    place: int
    answer: Likelihood | Failure


def ask_loose(
    model: Model, requests: Sequence[GenerationRequest], pauses: Sequence[float] = PAUSES
) -> Generator[RequestResult, None, None]:
    """Asks every request; tells each exactly once, in any order.

    A request that failed for a passing reason (too many requests, a time-out) is asked again
    after each pause before it counts as failed. Where nothing more can be answered before a
    person does something, the rest fails with that reason at once.

    Args:
        model: who is asked.
        requests: what.
        pauses: seconds before each further attempt.
    """
    with closing(_until_answered(model, requests, pauses)) as told:
        for place, answer in told:
            assert not isinstance(answer, Likelihood)
            yield RequestResult(place, answer)


def score_loose(
    model: Model, requests: Sequence[LikelihoodRequest], pauses: Sequence[float] = PAUSES
) -> Generator[Scored, None, None]:
    """Has every request's continuations scored; otherwise as `ask_loose`."""
    with closing(_until_answered(model, requests, pauses)) as told:
        for place, answer in told:
            assert not isinstance(answer, Completion)
            yield Scored(place, answer)


def _until_answered(
    model: Model, requests: Sequence[Asked], pauses: Sequence[float]
) -> Generator[tuple[int, Result], None, None]:
    """What became of every request; they are all of one kind."""
    left: dict[int, Asked] = dict(enumerate(requests))
    for last, pause in ((not pauses, 0.0), *_with_last(pauses)):
        if pause:
            time.sleep(pause)
        in_vain = 0
        with closing(_once(model, left)) as told:
            for index, answer in told:
                if isinstance(answer, Failure):
                    in_vain += 1
                    if answer.stops_run or in_vain >= _GIVE_UP_AFTER:
                        yield from ((rest, answer) for rest in left)
                        return
                    if answer.retryable and not last:
                        continue
                else:
                    in_vain = 0
                del left[index]
                yield index, answer
        if not left:
            return


def _with_last(pauses: Sequence[float]) -> Iterator[tuple[bool, float]]:
    return ((index == len(pauses) - 1, pause) for index, pause in enumerate(pauses))


def _once(model: Model, left: Mapping[int, Asked]) -> Generator[tuple[int, Result], None, None]:
    wanted = list(left.items())
    if isinstance(model, Concurrent):
        with model.open_channel() as channel:
            yield from _stream(channel, wanted)
        return
    for start in range(0, len(wanted), _TOGETHER):
        part = wanted[start : start + _TOGETHER]
        for place, answer in _answers(model, [request for _, request in part]):
            yield part[place][0], _stored(answer)


def _answers(model: Model, requests: Sequence[Asked]) -> Iterator[tuple[int, Result]]:
    written = [each for each in requests if isinstance(each, GenerationRequest)]
    if len(written) == len(requests):
        yield from model.generate(written)
    else:
        yield from model.likelihood(
            [each for each in requests if isinstance(each, LikelihoodRequest)]
        )


def _stream(channel: Channel, wanted: Sequence[tuple[int, Asked]]) -> Iterator[tuple[int, Result]]:
    waiting = deque(wanted)
    on_way = 0
    while waiting or on_way:
        while waiting and channel.room > 0:
            index, request = waiting.popleft()
            channel.send(str(index), request)
            on_way += 1
        if not on_way:
            time.sleep(_LOOK_SECONDS / 10)  # the server asked for a pause
            continue
        for key, result in channel.receive(_LOOK_SECONDS):
            on_way -= 1
            yield int(key), _stored(result)


def _stored(answer: Result) -> Result:
    return answer if isinstance(answer, Failure) else as_stored(answer)
