"""Local models on many machines: a Ray cluster whose nodes each run the local engine.

Ray is an optional extra (``pip install -r requirements-cluster.txt``) and imported only here,
when a cluster is named. It starts the processes, places them on the nodes and replaces those that
die. A process that dies (killed, out of memory, its node gone) loses nothing: what it held is
given to another one, Ray starts a new process in its place where there is room, and a request
that kills every process it is given to is a failure in the end. Answers go to the head alone,
which keeps them; no process on a node ever sees the file.
"""

from __future__ import annotations

import atexit
import logging
import os
import re
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from biaslab.models.cluster_node import NodeEngine, Order, ProcessPlace, installed_versions
from biaslab.models.provider import Access
from biaslab.models.requests import (
    Asked,
    Channel,
    Completion,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Model,
    ModelError,
    ModelIdentity,
    Notice,
    Result,
    Unsupported,
)

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
        actors: handles of `biaslab.models.cluster_node.NodeEngine`.
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
                "that came is saved: resume the run when the cluster's head is there again."
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
                "resume the run; every answer that came is saved."
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


# The model, and how a cluster is reached and its processes are placed.


THIS_MACHINE = "local"
"""Address that starts a Ray on this machine, for as long as the model is open."""

CLUSTER_HERE = "auto"
"""Address of the cluster that this machine is a node of."""

START_SECONDS = 120.0
"""The first process on a node must have started by then; its model may take longer."""

PROCESS_BYTES = 1 << 30
"""Memory that a process needs beside the model: Python, torch and a batch."""

_LISTEN_SECONDS = 0.5
_KNOCK_SECONDS = 10.0
_ATTEMPTS = 3

_ADDRESS = re.compile(r"(?:ray://)?(?P<host>[^/:\s]+|\[[0-9a-fA-F:]+\]):(?P<port>\d{1,5})")

_log = logging.getLogger(__name__)


class ClusterModel:
    """Implements `biaslab.models.Concurrent` for a local or tiny model on a cluster.

    Args:
        ray: the connected Ray.
        identity: of the model, as it is at the head; every process checks its own against it.
        pool: the processes that answer.
    """

    def __init__(self, ray: Any, identity: ModelIdentity, pool: NodePool) -> None:
        self._ray = ray
        self._identity = identity
        self._pool = pool
        atexit.register(self.close)

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is: the same as on one machine, so answers are shared."""
        return self._identity

    def open_channel(self) -> Channel:
        """A new way to the processes; see `Channel`."""
        return ClusterChannel(self._pool)

    def generate(
        self, requests: Sequence[GenerationRequest]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        """Continues every request; each group is yielded as soon as a process returns it."""
        return cast("Iterator[tuple[int, Completion | Failure]]", self._all(requests))

    def likelihood(
        self, requests: Sequence[LikelihoodRequest]
    ) -> Iterator[tuple[int, Likelihood | Failure]]:
        """Scores every given continuation."""
        return cast("Iterator[tuple[int, Likelihood | Failure]]", self._all(requests))

    def close(self) -> None:
        """Ends the processes and leaves the cluster."""
        atexit.unregister(self.close)
        # A cluster that is gone cannot be left, and Ray raises bare errors then.
        with suppress(Exception):
            if self._ray.is_initialized():
                self._pool.close()
        with suppress(Exception):
            self._ray.shutdown()

    def _all(self, requests: Sequence[Asked]) -> Iterator[tuple[int, Result]]:
        if not requests:
            return
        with self.open_channel() as channel:
            for index, request in enumerate(requests):
                channel.send(str(index), request)
            left = len(requests)
            while left:
                for key, result in channel.receive(_LISTEN_SECONDS):
                    left -= 1
                    yield int(key), result


def open_on_cluster(
    identity: ModelIdentity,
    access: Access,
    *,
    spec: str,
    opener: Callable[..., Model],
    path: Path,
    tiny_models: Path,
    device: str | None = None,
    dtype: str = "float32",
    batch_tokens: int | None = None,
) -> ClusterModel:
    """Opens a local or tiny model on the cluster that ``access.cluster`` names.

    Every node needs the same versions of BiasLab and torch, and the model's files at the same
    place. One process runs on each GPU, or on each processor where there are none, as far as
    the nodes' memory goes.

    Args:
        identity: of the model at the head.
        access: its ``cluster`` is ``ray://host:port``, ``host:port``, ``auto`` (the cluster
            that this machine is part of) or ``local`` (a Ray started on this machine).
        spec: what every node opens.
        opener: `biaslab.models.open_model`, with which every node opens it.
        path: the model's directory at the head, from which its size is taken.
        tiny_models: directory that holds the tiny models, on every node.
        device: ``cpu`` or ``cuda``; the nodes' GPUs, if they have any, by default.
        dtype: number format of the weights.
        batch_tokens: how many tokens a process works on at once.

    Raises:
        Unsupported: Ray is not installed, or the address is none.
        ModelError: the cluster cannot be reached, has no room, has other versions, or has no
            model or another one.
    """
    _check_address(access.cluster)
    ray = _import_ray()
    _connect(ray, access.cluster)
    try:
        on_gpu, places = _room(ray.nodes(), device, _bytes_needed(path, dtype))
        if places < 1:
            raise ModelError(_no_room(access.cluster, device))
        order = Order(
            opener=opener,
            spec=spec,
            revision=identity.revision,
            device=device,
            dtype=dtype,
            batch_tokens=batch_tokens,
            tiny_models=str(tiny_models),
            versions=installed_versions(),
            threads=0 if on_gpu else 1,
        )
        actors = _start(ray, order, places, on_gpu, _bytes_needed(path, dtype))
        _check_places(ray, actors, access.cluster)
        pool = NodePool(ray, actors)
        pool.wait_until_open()
    except BaseException:
        ray.shutdown()
        raise
    return ClusterModel(ray, identity, pool)


def _check_address(address: str) -> None:
    """Finds out at once what Ray would take half a minute to find out."""
    if address in (THIS_MACHINE, CLUSTER_HERE):
        return
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise Unsupported(
            f"“{address}” is no address of a cluster: give ray://HOST:10001, HOST:6379, auto or "
            "local."
        )
    try:
        socket.create_connection(
            (found["host"].strip("[]"), int(found["port"])), _KNOCK_SECONDS
        ).close()
    except (OSError, OverflowError) as error:
        raise ModelError(_nothing_there(address, error)) from error


def _import_ray() -> Any:
    # Read when Ray is imported: nothing about its use leaves this machine.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        import ray
    except ImportError as error:
        raise Unsupported(
            "Running a model on a cluster needs Ray, which is not installed: run `pip install -r "
            "requirements-cluster.txt`, here and on every node."
        ) from error
    return ray


def _connect(ray: Any, address: str) -> None:
    options: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address == THIS_MACHINE:
        options["include_dashboard"] = False
    for attempt in range(_ATTEMPTS):
        try:
            ray.init(address, **options)
            return
        except Exception as error:  # Ray raises many kinds, most of them bare
            ray.shutdown()
            _log.debug("Ray could not be reached.", exc_info=True)
            # A head that has just been started refuses its first client now and then.
            if not isinstance(error, ConnectionAbortedError) or attempt == _ATTEMPTS - 1:
                raise ModelError(_not_reached(address, error)) from error


def _not_reached(address: str, error: BaseException) -> str:
    text = " ".join(str(error).split())
    if "Version mismatch" in text or "different versions" in text:
        return (
            f"The cluster at {address} runs another version of Ray or Python than this machine: "
            f"install the same ones. ({text[:300]})"
        )
    if "uthenticat" in text:
        return (
            f"The cluster at {address} wants a token: set RAY_AUTH_MODE=token and "
            "RAY_AUTH_TOKEN_PATH to the file that holds the cluster's token."
        )
    if address == CLUSTER_HERE and isinstance(error, ConnectionError):
        return (
            "This machine is not part of a Ray cluster: start one with `ray start --head`, or "
            "give the address of one, such as ray://HOST:10001."
        )
    return _nothing_there(address, error) + (
        " If the cluster wants a token, RAY_AUTH_MODE and RAY_AUTH_TOKEN_PATH must be set here."
    )


def _nothing_there(address: str, error: BaseException) -> str:
    return (
        f"No Ray cluster answers at {address} ({type(error).__name__}): check the address, that "
        "`ray start --head` runs there, and that this port is open."
    )


def _bytes_needed(path: Path, dtype: str) -> int:
    weights = sum(file.stat().st_size for file in path.glob("*.safetensors"))
    # Weights kept in two bytes each take four when they are opened as float32.
    return PROCESS_BYTES + weights * (2 if dtype == "float32" else 1)


def _room(nodes: Sequence[Mapping[str, Any]], device: str | None, needed: int) -> tuple[bool, int]:
    """Whether processes take a GPU each, and how many have room on the nodes that live."""
    resources = [node["Resources"] for node in nodes if node["Alive"]]
    gpus = sum(int(node.get("GPU", 0)) for node in resources)
    if (gpus and device is None) or (device or "").startswith("cuda"):
        return True, gpus
    return False, sum(
        min(int(node.get("CPU", 0)), int(node.get("memory", 0) // needed)) for node in resources
    )


def _start(ray: Any, order: Order, places: int, on_gpu: bool, needed: int) -> list[Any]:
    # Ray gives a process as many threads as processors: OMP_NUM_THREADS=1 for num_cpus=1.
    own = {"num_gpus": 1, "num_cpus": 0} if on_gpu else {"num_cpus": 1, "memory": needed}
    engine = ray.remote(NodeEngine).options(
        **own, max_restarts=-1, max_task_retries=0, scheduling_strategy="SPREAD"
    )
    return [engine.remote(order) for _ in range(places)]


def _check_places(ray: Any, actors: Sequence[Any], address: str) -> None:
    """Waits for the first process and looks at all that have started by then."""
    references = [actor.locate.remote() for actor in actors]
    done, _ = ray.wait(references, num_returns=1, timeout=START_SECONDS)
    if not done:
        raise ModelError(
            f"No process could be started on the cluster at {address} within "
            f"{START_SECONDS / 60:.0f} minutes: others use all its processors, or its nodes are "
            "gone. Look at `ray status` and try again."
        )
    done, _ = ray.wait(references, num_returns=len(references), timeout=0)
    for reference in done:
        try:
            place: ProcessPlace = ray.get(reference)
        except ray.exceptions.RayError as error:
            raise ModelError(_could_not_start(error)) from error
        if place.problem:
            raise ModelError(place.problem)


def _could_not_start(error: BaseException) -> str:
    text = str(error)
    if "biaslab" in text and ("ModuleNotFoundError" in text or "AttributeError" in text):
        return (
            "A node of the cluster cannot import BiasLab, or has another version of it: install "
            "the same version there, in the Python that Ray was started with."
        )
    last = text.strip().splitlines()[-1] if text.strip() else type(error).__name__
    return f"A process on the cluster could not be started: {last[:300]}"


def _no_room(address: str, device: str | None) -> str:
    wanted = "a GPU" if (device or "").startswith("cuda") else "a processor with enough memory"
    return (
        f"The cluster at {address} has no node with {wanted} for this model: start nodes that "
        "have, or choose a smaller model."
    )
