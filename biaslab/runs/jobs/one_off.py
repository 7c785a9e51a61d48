"""Asks a model a list of requests that belong to no run: mending sentences, looking inside.

`ask_loose` has texts written, `score_loose` has given texts scored. Nothing is kept here; the
caller has the answers. `ask_in_background` and `score_in_background` do it in a process of its
own.
"""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from typing import Any, NamedTuple, TypeAlias

from biaslab.models import (
    Access,
    Asked,
    Channel,
    Completion,
    Concurrent,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Model,
    ModelError,
    Result,
    activations,
    open_model,
)
from biaslab.models.activations import (
    InsideRequest,
    InsideResult,
    ProbeRequest,
    ProbeResult,
    SwapRequest,
    SwapResult,
)
from biaslab.runs.engine.budget import most_tokens
from biaslab.runs.engine.session import PAUSES
from biaslab.runs.errors import RunError
from biaslab.runs.hosting import check_listed, take_requests
from biaslab.runs.store.encoding import as_stored, read_request, write_request
from biaslab.runs.store.options import read_access
from biaslab.system.places import default_database
from biaslab.system.processes import AttachedProcess
from biaslab.system.roles import May, require

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


class ScoredRequest(NamedTuple):
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
) -> Generator[ScoredRequest, None, None]:
    """Has every request's continuations scored; otherwise as `ask_loose`."""
    with closing(_until_answered(model, requests, pauses)) as told:
        for place, answer in told:
            assert not isinstance(answer, Completion)
            yield ScoredRequest(place, answer)


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


def _stream(
    channel: Channel, requests: Sequence[tuple[int, Asked]]
) -> Iterator[tuple[int, Result]]:
    waiting = deque(requests)
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


# In a process of its own, as a screen needs it. Weights are loaded there, and a key that somebody
# typed is in that process's environment alone. The process ends with the answers, or as soon as
# nobody takes them any more.


_MODULE = "biaslab.runs.jobs.one_off"
_INSIDE = "inside"
"""What marks requests about a model's inside, and their results."""
_RESULTS: dict[str, type[Completion] | type[Likelihood] | type[Failure]] = {
    kind.__name__: kind for kind in (Completion, Likelihood, Failure)
}


class ToScore(NamedTuple):
    """What one model is asked: which one, how it is reached, and what is to be scored.

    Requests about its inside (`biaslab.models.activations`) are answered after all the others.
    """

    spec: str
    access: Access
    requests: Sequence[LikelihoodRequest | InsideRequest]


class ScoredBy(NamedTuple):
    """What became of one request to one of several models.

    Attributes:
        model: which of the models, from 0; place: which of its requests, from 0.
        answer: what came back; a failure is final, and never a probability.
    """

    model: int
    place: int
    answer: Likelihood | InsideResult | Failure


class _Part(NamedTuple):
    spec: str
    access: Access
    requests: Sequence[Asked | InsideRequest]


def ask_in_background(
    spec: str,
    access: Access,
    requests: Sequence[GenerationRequest],
    environment: Mapping[str, str] | None = None,
    pauses: Sequence[float] = PAUSES,
) -> Generator[RequestResult, None, None]:
    """As `ask_loose`, in a process of its own that opens the model.

    Closing the iterator ends the process, and what is on its way is given up.

    Args:
        spec: the model.
        access: how it is reached.
        requests: what is asked.
        environment: further environment variables of the process; the place for a key.
        pauses: seconds before each further attempt.

    Raises:
        NotAllowed: whoever acts may not do this, or not of this model.
        TooMuch: the day leaves a host fewer requests.
        RunError: the model cannot be opened or the process has ended early; says why.
    """
    parts = [_Part(spec, access, requests)]
    with closing(_in_background(parts, environment or {}, pauses)) as told:
        for _, place, answer in told:
            if isinstance(answer, RunError):
                raise answer
            assert isinstance(answer, Completion | Failure)
            yield RequestResult(place, answer)


def score_in_background(
    requests: Sequence[ToScore],
    environment: Mapping[str, str] | None = None,
    pauses: Sequence[float] = PAUSES,
) -> Generator[ScoredBy, None, None]:
    """Has texts scored by one model after the other, in one process that opens them all.

    Opening a small model takes no time beside starting such a process. A model that cannot be
    opened fails all its requests and none of the others'.

    Args:
        requests: the models with what they are asked, in order.
        environment: further environment variables of the process.
        pauses: seconds before each further attempt.

    Raises:
        RunError: the process has ended early.
    """
    parts = [_Part(*each) for each in requests]
    with closing(_in_background(parts, environment or {}, pauses)) as told:
        for part, place, answer in told:
            if isinstance(answer, RunError):
                reason = Failure(str(answer), retryable=False, stops_run=True)
                for index in range(len(requests[part].requests)):
                    yield ScoredBy(part, index, reason)
                continue
            assert not isinstance(answer, Completion)
            yield ScoredBy(part, place, answer)


def _in_background(
    parts: Sequence[_Part], environment: Mapping[str, str], pauses: Sequence[float]
) -> Generator[tuple[int, int, Result | InsideResult | RunError], None, None]:
    """Every answer with its part and place; an error for a part that cannot be asked at all."""
    require(May.RUN)
    for part in parts:
        check_listed(part.spec, part.access)
    requests = [request for part in parts for request in part.requests]
    # What is asked about the inside of a model has no tokens: it is one on this computer.
    asked = [each for each in requests if not isinstance(each, SwapRequest | ProbeRequest)]
    take_requests(default_database(), len(requests), sum(map(most_tokens, asked)))
    job = {
        "pauses": list(pauses),
        "parts": [
            {
                "spec": part.spec,
                "access": asdict(part.access),
                "requests": [_write(request) for request in part.requests],
            }
            for part in parts
        ],
    }
    missing = [len(part.requests) for part in parts]
    with AttachedProcess(_MODULE, further=environment, text=json.dumps(job)) as process:
        for line in process.lines():
            told = json.loads(line)
            part = told["part"]
            if "fault" in told:
                missing[part] = 0
                yield part, 0, RunError(str(told["fault"]))
                continue
            missing[part] -= 1
            yield part, told["index"], _result(told["kind"], told["answer"])
        if any(missing):
            raise RunError(
                process.why_ended()
                or f"The program that asks the model has ended before {sum(missing)} of "
                f"{len(requests)} "
                "requests were answered. Try again; if it happens again, the computer may be short "
                "of memory."
            )


def _write(request: Asked | InsideRequest) -> str:
    if isinstance(request, SwapRequest | ProbeRequest):
        return json.dumps({_INSIDE: activations.written(request)})
    return write_request(request)


def _read(text: str) -> Asked | InsideRequest:
    inside = json.loads(text).get(_INSIDE)
    return read_request(text) if inside is None else activations.read(inside)


def _formatted(answer: Result | InsideResult) -> dict[str, Any]:
    if isinstance(answer, SwapResult | ProbeResult):
        return {"kind": _INSIDE, "answer": activations.result_written(answer)}
    return {"kind": type(answer).__name__, "answer": asdict(answer)}


def _result(kind: str, fields: Mapping[str, Any]) -> Result | InsideResult:
    if kind == _INSIDE:
        return activations.result_read(fields)
    return _RESULTS[kind](**_tuples(fields))


def _tuples(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }


def main(
    job_text: str, write: Callable[[str], object], open_model: Callable[..., Model] = open_model
) -> None:
    """What the process does: reads a job, writes a line of JSON for every answer.

    Args:
        job_text: what `ask_in_background` sent.
        write: takes a line.
        open_model: opens a model.
    """
    job = json.loads(job_text)
    for number, part in enumerate(job["parts"]):
        try:
            for index, answer in _answered(part, job["pauses"], open_model):
                write(json.dumps({"part": number, "index": index} | _formatted(answer)))
        except ModelError as error:
            write(json.dumps({"part": number, "fault": str(error)}))


def _answered(
    part: Mapping[str, Any], pauses: Sequence[float], open_model: Callable[..., Model]
) -> Iterator[tuple[int, Result | InsideResult]]:
    requests = [_read(text) for text in part["requests"]]
    model = open_model(part["spec"], access=read_access(part["access"]))
    scored = {at: each for at, each in enumerate(requests) if isinstance(each, LikelihoodRequest)}
    asked = {at: each for at, each in enumerate(requests) if isinstance(each, GenerationRequest)}
    places = [*scored, *asked]
    # Texts are either scored or written in one part, so one of these has nothing to ask.
    for one in score_loose(model, list(scored.values()), pauses):
        yield places[one.place], one.answer
    for other in ask_loose(model, list(asked.values()), pauses):
        yield places[other.place], other.answer
    for at, request in enumerate(requests):
        if isinstance(request, SwapRequest | ProbeRequest):
            yield at, activations.look(model, request)


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.stdin.read(), _tell)
