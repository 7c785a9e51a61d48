"""Processes on the nodes of a Ray cluster, and how work gets to them and back.

A process that dies (killed, out of memory, its node gone) loses nothing: what it held is given
to another one, Ray starts a new process in its place where there is room, and a request that
kills every process it is given to is a failure in the end.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from biaslab.models.cluster.node import ProcessPlace
from biaslab.models.errors import ModelError
from biaslab.models.requests import Asked, Failure, Notice, Result

ROWS = 64
"""Most requests given to a process together: the local engine gains little from more."""

AHEAD = 2
"""Groups given to a process at a time, so that it has work while the head stores answers."""

DEATHS = 3
"""A group that was lost with its process so often is divided, to find what kills it."""

PATIENCE = 900.0
"""Seconds without any process that answers after which the cluster is taken for lost."""

_REST = 1.0
"""Seconds before a process that died is asked whether it is there again."""


@dataclass(slots=True)
class _Group:
    """Requests that travel together for one channel, told by its number."""

    requests: list[tuple[str, Asked]]
    channel: int
    deaths: int = 0


@dataclass(slots=True, eq=False)
class _Process:
    actor: Any
    ready: bool = False
    groups: int = 0
    rests_until: float = 0.0


class NodePool:
    """The processes and what each of them is doing.

    Args:
        ray: the connected Ray.
        actors: handles of `biaslab.models.cluster.node.NodeEngine`.
    """

    def __init__(self, ray: Any, actors: Sequence[Any]) -> None:
        self._ray = ray
        self._processes = [_Process(actor) for actor in actors]
        self._on_way: dict[Any, tuple[_Process, _Group | None]] = {}
        self._lost: deque[_Group] = deque()
        self._channel = 0
        self._heard = time.monotonic()

    @property
    def capacity(self) -> int:
        """Requests that keep every process busy."""
        return len(self._processes) * AHEAD * ROWS

    def wait_until_open(self) -> None:
        """Returns when the first process can answer; the others join in later.

        Raises:
            ModelError: one of them has another model, or none opened it.
        """
        self._open_processes()
        while not any(process.ready for process in self._processes):
            self.receive(1.0)

    def begin(self) -> None:
        """Gives up everything that is still on its way: a new channel is open."""
        self._channel += 1
        self._lost.clear()

    def give(self, waiting: deque[tuple[str, Asked]]) -> None:
        """Hands out what waits as far as processes have room."""
        while (waiting or self._lost) and (process := self._freest()):
            if self._lost:
                group = self._lost.popleft()
            else:
                rows = min(ROWS, max(1, -(-len(waiting) // self._free_places())))
                taken = [waiting.popleft() for _ in range(min(rows, len(waiting)))]
                group = _Group(taken, self._channel)
            with self._connected():
                # Through ray:// a reference has no hash before the head has taken the call.
                reference = process.actor.answer.remote([asked for _, asked in group.requests])
                self._on_way[reference] = (process, group)
            process.groups += 1

    def receive(self, seconds: float) -> list[tuple[str, Result]]:
        """What has come back; waits for the first result, but no longer than given.

        Raises:
            ModelError: a process has another model, or the cluster is lost.
        """
        self._open_processes()
        self._check_alive()
        if not self._on_way:
            time.sleep(min(seconds, _REST / 4))
            return []
        references = list(self._on_way)
        with self._connected():
            done, _ = self._ray.wait(references, num_returns=1, timeout=seconds)
            if done:
                done, _ = self._ray.wait(references, num_returns=len(references), timeout=0)
        results: list[tuple[str, Result]] = []
        for reference in done:
            results += self._take(reference)
        return results

    def close(self) -> None:
        """Ends the processes."""
        for process in self._processes:
            self._ray.kill(process.actor)
        self._processes = []

    @contextmanager
    def _connected(self) -> Iterator[None]:
        try:
            yield
        except ConnectionError as error:
            raise ModelError(
                f"The connection to the cluster was lost ({type(error).__name__}). Every answer "
                "that came is kept: resume the run when the cluster's head is there again."
            ) from error

    def _open_processes(self) -> None:
        now = time.monotonic()
        for process in self._processes:
            opening = any(who is process and group is None for who, group in self._on_way.values())
            if not process.ready and not opening and now >= process.rests_until:
                with self._connected():
                    self._on_way[process.actor.open.remote()] = (process, None)

    def _freest(self) -> _Process | None:
        able = [process for process in self._processes if process.ready and process.groups < AHEAD]
        return min(able, key=lambda process: process.groups, default=None)

    def _free_places(self) -> int:
        return sum(AHEAD - process.groups for process in self._processes if process.ready)

    def _take(self, reference: Any) -> Iterator[tuple[str, Result]]:
        process, group = self._on_way.pop(reference)
        if group is not None:
            process.groups -= 1
        errors = self._ray.exceptions
        try:
            with self._connected():
                value = self._ray.get(reference)
        except errors.RayTaskError:
            raise
        except errors.RayError as error:
            if "biaslab" in str(error) and "ModuleNotFoundError" in str(error):
                raise ModelError(_not_installed_there()) from error
            process.ready = False
            process.rests_until = time.monotonic() + _REST
            if group is not None and group.channel == self._channel:
                yield from self._lose(group)
            return
        self._heard = time.monotonic()
        if isinstance(value, ProcessPlace):
            if value.problem:
                raise ModelError(value.problem)
            process.ready = True
        elif group is not None and group.channel == self._channel:
            yield from zip((key for key, _ in group.requests), value, strict=True)

    def _lose(self, group: _Group) -> Iterator[tuple[str, Result]]:
        group.deaths += 1
        if group.deaths < DEATHS:
            self._lost.append(group)
        elif len(group.requests) == 1:
            yield group.requests[0][0], Failure(_deadly(), retryable=False)
        else:
            middle = len(group.requests) // 2
            for half in (group.requests[:middle], group.requests[middle:]):
                self._lost.append(_Group(half, group.channel))

    def _check_alive(self) -> None:
        if any(process.ready for process in self._processes):
            return
        if time.monotonic() - self._heard > PATIENCE:
            raise ModelError(
                f"No process on the cluster has answered for {PATIENCE / 60:.0f} minutes: its "
                "nodes are gone, or others use all their processors. Look at `ray status`, then "
                "resume the run; every answer that came is kept."
            )


class ClusterChannel:
    """Implements `biaslab.models.Channel`: requests are collected and sent in groups."""

    def __init__(self, pool: NodePool) -> None:
        self._pool = pool
        self._waiting: deque[tuple[str, Asked]] = deque()
        self._unanswered = 0
        pool.begin()

    @property
    def room(self) -> int:
        """How many more requests the processes can be given without growing a queue."""
        return max(0, self._pool.capacity - self._unanswered)

    @property
    def notice(self) -> Notice:
        """Nothing is to be known."""
        return Notice()

    def send(self, key: str, request: Asked) -> None:
        """Puts a request with the next group."""
        self._waiting.append((key, request))
        self._unanswered += 1

    def receive(self, seconds: float) -> list[tuple[str, Result]]:
        """Gives out what was sent and returns what has come back.

        Raises:
            ModelError: a process has another model, or the cluster is lost.
        """
        deadline = time.monotonic() + seconds
        while True:
            self._pool.give(self._waiting)
            results = self._pool.receive(max(0.0, deadline - time.monotonic()))
            if results or time.monotonic() >= deadline:
                self._unanswered -= len(results)
                return results

    def __enter__(self) -> ClusterChannel:
        return self

    def __exit__(self, *details: object) -> None:
        self._waiting.clear()
        self._pool.begin()


def _not_installed_there() -> str:
    return (
        "A node of the cluster cannot import BiasLab: install the same version there, in the "
        "Python that Ray was started with."
    )


def _deadly() -> str:
    return (
        f"The process that worked on this request ended {DEATHS} times without an answer, most "
        "likely for lack of memory: choose a smaller model, a shorter prompt or larger nodes."
    )
