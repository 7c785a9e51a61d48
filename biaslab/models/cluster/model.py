"""Local models on many machines: a Ray cluster whose nodes each run the local engine.

Ray is an optional extra (``pip install -r requirements-cluster.txt``) and imported only here,
when a cluster is named. It starts the processes, places them on the nodes and replaces those
that die; see `biaslab.models.cluster.pool` for what is done then. Answers go to the head alone,
which keeps them; no process on a node ever sees the file.
"""

from __future__ import annotations

import atexit
import logging
import os
import re
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from biaslab.models.access import Access
from biaslab.models.cluster.node import NodeEngine, Order, ProcessPlace, installed_versions
from biaslab.models.cluster.pool import ClusterChannel, NodePool
from biaslab.models.errors import ModelError, Unsupported
from biaslab.models.requests import (
    Asked,
    Channel,
    Completion,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Model,
    ModelIdentity,
    Result,
)

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
