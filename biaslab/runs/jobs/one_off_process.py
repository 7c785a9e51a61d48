"""Asks requests that belong to no run in a process of its own, as a screen needs it.

Weights are loaded there, and a key that somebody typed is in that process's environment alone.
The process ends with the answers, or as soon as nobody takes them any more.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from typing import Any, NamedTuple

from biaslab.models import (
    Access,
    Asked,
    Completion,
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
    Probed,
    ProbeRequest,
    Swapped,
    SwapRequest,
)
from biaslab.runs.budget import most_tokens
from biaslab.runs.engine.session import PAUSES
from biaslab.runs.errors import RunError
from biaslab.runs.hosting import check_listed, take_requests
from biaslab.runs.jobs.one_off import RequestResult, ask_loose, score_loose
from biaslab.runs.store.encoding import read_request, write_request
from biaslab.runs.store.options import read_access
from biaslab.system.places import default_database
from biaslab.system.processes import Attached
from biaslab.system.roles import May, require

_MODULE = "biaslab.runs.jobs.one_off_process"
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
    wanted: Sequence[ToScore],
    environment: Mapping[str, str] | None = None,
    pauses: Sequence[float] = PAUSES,
) -> Generator[ScoredBy, None, None]:
    """Has texts scored by one model after the other, in one process that opens them all.

    Opening a small model takes no time beside starting such a process. A model that cannot be
    opened fails all its requests and none of the others'.

    Args:
        wanted: the models with what they are asked, in order.
        environment: further environment variables of the process.
        pauses: seconds before each further attempt.

    Raises:
        RunError: the process has ended early.
    """
    parts = [_Part(*each) for each in wanted]
    with closing(_in_background(parts, environment or {}, pauses)) as told:
        for part, place, answer in told:
            if isinstance(answer, RunError):
                reason = Failure(str(answer), retryable=False, stops_run=True)
                for index in range(len(wanted[part].requests)):
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
    with Attached(_MODULE, further=environment, given=json.dumps(job)) as process:
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
    if isinstance(answer, Swapped | Probed):
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
    job_text: str, write: Callable[[str], object], opened: Callable[..., Model] = open_model
) -> None:
    """What the process does: reads a job, writes a line of JSON for every answer.

    Args:
        job_text: what `ask_in_background` sent.
        write: takes a line.
        opened: opens a model.
    """
    job = json.loads(job_text)
    for number, part in enumerate(job["parts"]):
        try:
            for index, answer in _answers(part, job["pauses"], opened):
                write(json.dumps({"part": number, "index": index} | _formatted(answer)))
        except ModelError as error:
            write(json.dumps({"part": number, "fault": str(error)}))


def _answers(
    part: Mapping[str, Any], pauses: Sequence[float], opened: Callable[..., Model]
) -> Iterator[tuple[int, Result | InsideResult]]:
    requests = [_read(text) for text in part["requests"]]
    model = opened(part["spec"], access=read_access(part["access"]))
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
