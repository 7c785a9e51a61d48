"""Asks requests that belong to no run in a process of its own, as a screen needs it.

Weights are loaded there, and a key that somebody typed is in that process's environment alone.
The process ends with the answers, or as soon as nobody takes them any more.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from threading import Thread
from typing import IO, Any

import biaslab
from biaslab.models import (
    Access,
    Completion,
    Failure,
    GenerationRequest,
    Model,
    ModelError,
    open_model,
)
from biaslab.runs.encoding import read_request, write_request
from biaslab.runs.errors import RunError
from biaslab.runs.loose_requests import Answered, ask_loose
from biaslab.runs.options import read_access
from biaslab.runs.session import PAUSES

_MODULE = "biaslab.runs.loose_process"


def ask_apart(
    spec: str,
    access: Access,
    requests: Sequence[GenerationRequest],
    environment: Mapping[str, str] | None = None,
    pauses: Sequence[float] = PAUSES,
) -> Generator[Answered, None, None]:
    """As `ask_loose`, in a process of its own that opens the model.

    Closing the iterator ends the process, and what is on its way is given up.

    Args:
        spec: the model.
        access: how it is reached.
        requests: what is asked.
        environment: further environment variables of the process; the place for a key.
        pauses: seconds before each further attempt.

    Raises:
        RunError: the model cannot be opened or the process has ended early; says why.
    """
    job = {
        "spec": spec,
        "access": asdict(access),
        "pauses": list(pauses),
        "requests": [write_request(request) for request in requests],
    }
    process = subprocess.Popen(
        [sys.executable, "-m", _MODULE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        env=_environment(environment or {}),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    # Written beside: neither side may wait for the other to empty a full pipe.
    Thread(target=_give, args=(process.stdin, json.dumps(job)), daemon=True).start()
    missing = len(requests)
    try:
        for line in process.stdout:
            told = json.loads(line)
            if "fault" in told:
                raise RunError(str(told["fault"]))
            missing -= 1
            answer = Failure if told["failed"] else Completion
            yield Answered(told["index"], answer(**_tuples(told["answer"])))
        if missing:
            raise RunError(
                f"The program that asks the model has ended before {missing} of {len(requests)} "
                "requests were answered. Try again; if it happens again, the computer may be short "
                "of memory."
            )
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _give(pipe: IO[str], text: str) -> None:
    try:
        with pipe:
            pipe.write(text)
    except OSError:
        pass  # The process has ended already; what it said tells why.


def _tuples(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }


def _environment(further: Mapping[str, str]) -> dict[str, str]:
    environment = {**os.environ, **further}
    # The process must find the same package, also where BiasLab is run without being installed.
    package = str(Path(biaslab.__file__).parents[1])
    paths = [package, *filter(None, [environment.get("PYTHONPATH")])]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    return environment


def main(
    job_text: str, write: Callable[[str], object], opened: Callable[..., Model] = open_model
) -> None:
    """What the process does: reads a job, writes a line of JSON for every answer.

    Args:
        job_text: what `ask_apart` sent.
        write: takes a line.
        opened: opens a model.
    """
    job = json.loads(job_text)
    requests = [read_request(text) for text in job["requests"]]
    asked = [request for request in requests if isinstance(request, GenerationRequest)]
    try:
        model = opened(job["spec"], access=read_access(job["access"]))
        for index, answer in ask_loose(model, asked, job["pauses"]):
            failed = isinstance(answer, Failure)
            line = {"index": index, "failed": failed, "answer": asdict(answer)}
            write(json.dumps(line))
    except ModelError as error:
        write(json.dumps({"fault": str(error)}))


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.stdin.read(), _tell)
