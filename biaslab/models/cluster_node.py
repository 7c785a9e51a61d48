"""What runs on the nodes of a cluster: the local engine behind one call, in a process of its own.

The head and the nodes must run the same BiasLab, so that both mean the same by a request.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from biaslab.models.requests import (
    Asked,
    Failure,
    GenerationRequest,
    LikelihoodRequest,
    Model,
    ModelError,
    Result,
)

PACKAGES = ("biaslab", "torch", "transformers", "tokenizers")
"""Answers may differ where one of these does."""

_NOTHING = Failure("The model returned nothing for this request.", retryable=False)


@dataclass(frozen=True, slots=True)
class Order:
    """What a process on a node is to open; see `biaslab.models.open_model`.

    Attributes:
        opener: opens it there; it travels by its name, as every function does.
        spec, device, dtype, batch_tokens, tiny_models: as given at the head.
        revision: of the model at the head.
        versions: of `PACKAGES` at the head.
        threads: how many of a processor's threads one process uses; 0: as torch chooses.
    """

    opener: Callable[..., Model]
    spec: str
    revision: str
    device: str | None
    dtype: str
    batch_tokens: int | None
    tiny_models: str
    versions: dict[str, str]
    threads: int


@dataclass(frozen=True, slots=True)
class ProcessPlace:
    """Where a process runs.

    Attributes:
        node: name of the machine.
        pid: number of the process there.
        problem: a sentence where it cannot do its work; empty otherwise.
    """

    node: str
    pid: int
    problem: str = ""


class NodeEngine:
    """One process that answers on a node. Opens its model when first told to."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._model: Model | None = None

    def locate(self) -> ProcessPlace:
        """Where this process runs and whether the same packages are installed there."""
        here = installed_versions()
        other = {
            name: (at_head, here.get(name, "not installed"))
            for name, at_head in self._order.versions.items()
            if here.get(name) != at_head
        }
        if not other:
            return _place()
        differences = ", ".join(
            f"{name} is {there} there and {at_head} here"
            for name, (at_head, there) in other.items()
        )
        return _place(
            f"The cluster's node {socket.gethostname()} has other versions: {differences}. "
            "Answers could differ, so nothing was asked: install the same versions on every node."
        )

    def open(self) -> ProcessPlace:
        """Opens the model unless it is open, and checks that it is the head's."""
        if self._model is not None:
            return _place()
        if (place := self.locate()).problem:
            return place
        try:
            model = self._opened()
        except ModelError as error:
            return _place(
                f"The model {self._order.spec} cannot be opened on the cluster's node "
                f"{socket.gethostname()}: {error} Every node needs the model at the same place."
            )
        found = model.identity.revision
        if found == self._order.revision:
            self._model = model
            return _place()
        return _place(
            f"The model {self._order.spec} on the cluster's node {socket.gethostname()} is "
            f"another one (revision {found} there, {self._order.revision} here): copy the same "
            "files to every node. Answers of different models are never mixed."
        )

    def answer(self, requests: Sequence[Asked]) -> list[Result] | ProcessPlace:
        """One result for each request, in their order, or why nothing can be answered here."""
        place = self.open()
        if self._model is None:
            return place
        results: list[Result] = [_NOTHING] * len(requests)
        writing = [at for at, asked in enumerate(requests) if isinstance(asked, GenerationRequest)]
        scoring = [at for at, asked in enumerate(requests) if isinstance(asked, LikelihoodRequest)]
        to_write = [asked for asked in requests if isinstance(asked, GenerationRequest)]
        to_score = [asked for asked in requests if isinstance(asked, LikelihoodRequest)]
        for index, written in self._model.generate(to_write):
            results[writing[index]] = written
        for index, scored in self._model.likelihood(to_score):
            results[scoring[index]] = scored
        return results

    def _opened(self) -> Model:
        order = self._order
        model = order.opener(
            order.spec,
            device=order.device,
            dtype=order.dtype,
            batch_tokens=order.batch_tokens,
            download=False,
            tiny_models=Path(order.tiny_models),
        )
        if order.threads:
            import torch

            torch.set_num_threads(order.threads)
        return model


def installed_versions() -> dict[str, str]:
    """Versions of `PACKAGES` in this process's Python, without marks such as ``+cpu``."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name).partition("+")[0]
        except PackageNotFoundError:
            continue
    return found


def _place(problem: str = "") -> ProcessPlace:
    return ProcessPlace(socket.gethostname(), os.getpid(), problem)
