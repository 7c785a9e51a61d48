"""The real worker process with the simulated study and real models on servers.

It looks at batches without pause. Told to by its environment, it dies at the worst moment.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from biaslab.models import GenerationRequest, Message, ModelForm, Sampling
from biaslab.models.server import ServerModel
from biaslab.models.server.batches import BatchClient, BatchRequest, BatchState
from biaslab.runs.engine import batch_waiting
from biaslab.runs.engine.sources import Sources
from biaslab.runs.engine.worker import main
from biaslab.studies.study import Answered, Item, Request
from tests.runs.simulation import OneRequest, Scored, SumStudy, TwoRequests

DIES = "BIASLAB_TEST_DIES"
"""Environment variable: the worker dies when the server has said that it has a batch."""


@dataclass(frozen=True)
class InTurns:
    """Asks a chat model once, at a temperature above 0."""

    name: str = "chat"
    label: str = "Chat"
    explanation: str = "Asks once."
    version: str = "1"

    def next_request(
        self, item: Item, answered: tuple[Answered, ...], _form: ModelForm
    ) -> Request | None:
        if answered:
            return None
        turns = (Message("system", "You add."), Message("user", item.text))
        return GenerationRequest(turns, Sampling(16, 0.7, 5, ("\n",)), item.facts)


class DyingClient(BatchClient):
    """Is killed between a submission and any note of it."""

    def submit(self, requests: Iterable[BatchRequest], tag: str) -> BatchState:
        super().submit(requests, tag)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("Nobody survives this.")


def sources() -> Sources:
    """The simulated study, and models on servers."""
    study = SumStudy(strategies=(OneRequest(), TwoRequests(), Scored(), InTurns()))
    return Sources(
        lambda _: study,
        lambda spec, access: ServerModel(spec.removeprefix("openai:"), access).identity,
        lambda spec, access: ServerModel(spec.removeprefix("openai:"), access),
    )


if __name__ == "__main__":
    batch_waiting.FIRST_LOOK_SECONDS = batch_waiting.LONGEST_LOOK_SECONDS = 0.02
    if os.environ.get(DIES):
        from biaslab.runs.engine import batch as batch_mode

        batch_mode.BatchClient = DyingClient
    sys.exit(main(sources=sources()))
