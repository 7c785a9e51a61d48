"""The same way to a model's servers over several processes, where one core cannot ask enough.

Each process has a `ServerChannel` of its own with its share of the requests. The key reaches
them through the environment alone. When a process dies, its requests are sent again by another.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from biaslab.models.provider import Access
from biaslab.models.requests import Asked, Failure, Notice, Result
from biaslab.models.server.addresses import base_urls
from biaslab.models.server.channel import OneModel
from biaslab.models.server.keys import read_key
from biaslab.models.server.request.client import PATIENCE, Patience

MOST_DEATHS = 3
"""When so many processes have died, no other takes their place."""

_SENT_AT_MOST = 3
"""A request that was with so many dying processes is given back as failed."""

_LOOK_SECONDS = 0.25
"""How often a process says what its servers bear while nothing comes back."""

_JOIN_SECONDS = 5.0

_DIED = "the process that sent it died"


@dataclass(slots=True)
class _Worker:
    """One process.

    Attributes:
        capacity: what it said last that its servers bear; notice: what is to be known of them.
        open: requests that it has.
    """

    process: BaseProcess
    pipe: Connection
    capacity: int
    notice: Notice = Notice()
    open: dict[str, Asked] = field(default_factory=dict)


class WorkerPool:
    """A `Channel` that several processes share.

    Args:
        name: of the model, as it is sent.
        access: how the servers are reached, and by how many processes.
        patience: how long a server is waited for.

    Raises:
        MissingKey: there is no key where one is needed.
        BadAddress: a base URL is no address.
    """

    def __init__(self, name: str, access: Access, patience: Patience = PATIENCE) -> None:
        base_urls(access)
        read_key(access)
        self._name = name
        self._access = access
        self._patience = patience
        self._one_model = OneModel(access.served, access.also_served)
        self._deaths = 0
        self._lost: dict[str, int] = {}
        self._ready: list[tuple[str, Result]] = []
        count = max(1, min(access.processes, access.at_once))
        shares = [access.at_once // count + (n < access.at_once % count) for n in range(count)]
        self._workers = [self._start(share) for share in shares]

    @property
    def room(self) -> int:
        """How many more requests may be sent now."""
        return sum(max(0, worker.capacity - len(worker.open)) for worker in self._workers)

    @property
    def notice(self) -> Notice:
        """What is to be known of the addresses, by any of the processes."""
        notices = [worker.notice for worker in self._workers]
        waits = [notice.waiting for notice in notices]
        remarks = dict.fromkeys(remark for notice in notices for remark in notice.remarks)
        return Notice(waits[0] if waits and all(waits) else "", tuple(remarks))

    def send(self, key: str, request: Asked) -> None:
        """Puts a request on its way and returns at once."""
        request = replace(request, facts=None)
        while self._workers:
            worker = max(self._workers, key=lambda each: each.capacity - len(each.open))
            worker.open[key] = request
            try:
                worker.pipe.send((key, request))
                return
            except OSError:
                del worker.open[key]
                self._restart(worker)
        self._ready.append((key, _nobody_left(self._deaths)))

    def receive(self, seconds: float) -> list[tuple[str, Result]]:
        """What has come back. Waits for the first result, but no longer than given."""
        if not self._ready:
            self._listen(seconds)
        results, self._ready = self._ready, []
        return results

    def close(self) -> None:
        """Ends all processes; gives up what is on its way."""
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join(_JOIN_SECONDS)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
        self._workers = []

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _start(self, share: int) -> _Worker:
        spawning = multiprocessing.get_context("spawn")
        ours, theirs = spawning.Pipe()
        access = replace(self._access, at_once=share, processes=1)
        process = spawning.Process(
            target=_work, args=(theirs, self._name, access, self._patience), daemon=True
        )
        process.start()
        theirs.close()
        return _Worker(process, ours, share)

    def _listen(self, seconds: float) -> None:
        pipes: Iterable[Any] = wait([worker.pipe for worker in self._workers], seconds)
        heard = set(map(id, pipes))
        for worker in [worker for worker in self._workers if id(worker.pipe) in heard]:
            try:
                while worker.pipe.poll():
                    self._take_in(worker)
            except (EOFError, OSError):
                self._restart(worker)

    def _take_in(self, worker: _Worker) -> None:
        results, worker.capacity, worker.notice = worker.pipe.recv()
        for key, result in results:
            if worker.open.pop(key, None) is None:
                continue
            lost = self._lost.pop(key, 0)
            if lost:
                result = replace(result, retries=(*[_DIED] * lost, *result.retries))
            self._ready.append((key, self._one_model.check(result)))

    def _restart(self, worker: _Worker) -> None:
        """Gives the requests of a dead process to the others."""
        self._workers.remove(worker)
        worker.pipe.close()
        worker.process.kill()
        worker.process.join()
        self._deaths += 1
        if self._deaths <= MOST_DEATHS:
            share = max(1, self._access.at_once // max(1, self._access.processes))
            self._workers.append(self._start(share))
        for key, request in worker.open.items():
            self._lost[key] = self._lost.get(key, 0) + 1
            if self._lost[key] < _SENT_AT_MOST:
                self.send(key, request)
            else:
                lost = self._lost.pop(key)
                self._ready.append((key, replace(_GIVEN_UP, retries=(_DIED,) * (lost - 1))))


_GIVEN_UP = Failure(
    "The processes that sent this request died, one after the other. There may be too little "
    "memory: resume the run with fewer processes.",
    retryable=True,
)


def _nobody_left(deaths: int) -> Failure:
    return Failure(
        f"The processes that send requests have died ({deaths} of them). There may be too little "
        "memory: resume the run with fewer processes.",
        retryable=True,
        stops_run=True,
    )


def _work(pipe: Connection, name: str, access: Access, patience: Patience) -> None:
    """What each process does until its pipe is closed."""
    # Ctrl-C goes to the whole group; the process that started this one decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from biaslab.models.server.channel import ServerChannel

    ending = threading.Event()
    with ServerChannel(name, access, patience) as channel:
        returning = threading.Thread(target=_return, args=(pipe, channel, ending), daemon=True)
        returning.start()
        with suppress(EOFError, OSError):
            while True:
                channel.send(*pipe.recv())
        ending.set()
        returning.join(_JOIN_SECONDS)


def _return(pipe: Connection, channel: Any, ending: threading.Event) -> None:
    told: object = None
    with suppress(OSError):
        while not ending.is_set():
            results = channel.receive(_LOOK_SECONDS)
            state = (channel.capacity, channel.notice)
            if results or state != told:
                pipe.send((results, *state))
                told = state
