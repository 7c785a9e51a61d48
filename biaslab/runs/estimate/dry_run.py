"""Goes through the requests of items without asking a model anything.

What is in the file already is taken from there, so that later requests that build on it are
the real ones. Where a response is not there, a placeholder takes its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from biaslab.models import (
    Completion,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Model,
    ModelIdentity,
    Sampling,
)
from biaslab.runs.engine.ask import Asker, ItemProgress, Recall, RunAnswer
from biaslab.studies.strategies import Length
from biaslab.studies.study import Answered, Experiment, Request, Strategy

MOST_STAGES = 10
"""A strategy that asks more often than this for an item is not followed any further."""


@dataclass(frozen=True, slots=True)
class RequestStep:
    """One request on the way through an item.

    Attributes:
        stage: the how-manieth of its item, from 0.
        request: without the placeholders for responses that are not there.
        placeholders: for each earlier stage, how often its missing response is part of the text.
        known: whether the response is in the file.
    """

    stage: int
    request: Request
    placeholders: tuple[int, ...]
    known: bool


class _Absent:
    """Takes the place of a model that is only named."""

    def __init__(self, identity: ModelIdentity) -> None:
        self.identity = identity

    def generate(
        self, requests: Sequence[GenerationRequest]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        raise NotImplementedError("Nothing is asked here.")

    def likelihood(
        self, requests: Sequence[LikelihoodRequest]
    ) -> Iterator[tuple[int, Likelihood | Failure]]:
        raise NotImplementedError("Nothing is asked here.")


class DryRun:
    """Goes through items as `Asker` does, so that its requests are exactly those of a run.

    Args:
        study, strategy: what would be asked, and how.
        identity: of the model that would be asked.
        sampling: what a person chose in place of the strategy's own.
        recall: looks responses up in the file.
        length: how much the model may write.
        system: what a chat model would be told before every request.
    """

    def __init__(
        self,
        study: Experiment,
        strategy: Strategy,
        identity: ModelIdentity,
        sampling: Sampling | None,
        recall: Recall,
        length: Length,
        system: str = "",
    ) -> None:
        model: Model = _Absent(identity)
        self._asker = Asker(study, strategy, model, sampling, recall, length=length, system=system)
        self._invented: set[str] = set()
        self._stages: set[int] = set()

    @property
    def stages(self) -> int:
        """Most requests that an item needed."""
        return max(self._stages, default=-1) + 1

    def steps(self, requests: Iterable[RunAnswer]) -> Iterator[RequestStep]:
        """Every different request, once. At most `MOST_STAGES` for an item."""
        waiting = self._asker.begin(requests)
        for asking in waiting:
            self._asker.step(asking)
        for stage in range(MOST_STAGES):
            waiting = [asking for asking in waiting if asking.next is not None]
            if not waiting:
                return
            self._stages.add(stage)
            yield from self._stage(stage, waiting)
            for asking in waiting:
                self._asker.step(asking)

    def _stage(self, stage: int, waiting: Sequence[ItemProgress]) -> Iterator[RequestStep]:
        groups: dict[str, list[ItemProgress]] = {}
        for asking in waiting:
            assert asking.next is not None
            groups.setdefault(self._asker.key(asking.next), []).append(asking)
        real = [key for key, group in groups.items() if self._invented.isdisjoint(group[0].ids)]
        known: Mapping[str, Answered] = self._asker.recall(real)
        for key, group in groups.items():
            request = group[0].next
            assert request is not None
            answered = known.get(key)
            if answered is None:
                self._invented.add(key)
            yield _step(stage, request, priced=answered is not None)
            for asking in group:
                asking.take(key, answered or _placeholder(stage, request))


def _step(stage: int, request: Request, *, priced: bool) -> RequestStep:
    counts = [0] * stage
    messages = []
    for message in request.messages:
        content = message.content
        for earlier in range(stage):
            mark = _mark(earlier)
            counts[earlier] += content.count(mark)
            content = content.replace(mark, "")
        messages.append(message._replace(content=content))
    return RequestStep(stage, replace(request, messages=tuple(messages)), tuple(counts), priced)


def _placeholder(stage: int, request: Request) -> Answered:
    if isinstance(request, LikelihoodRequest):
        many = len(request.continuations)
        return Likelihood(tuple(-1.0 - index for index in range(many)), (1,) * many)
    return Completion(_mark(stage), "stop", 0, 0, 0.0)


def _mark(stage: int) -> str:
    """A text that no problem and no prompt contains."""
    return f"\N{WHITE MEDIUM LOZENGE}response {stage + 1} that is not there\N{WHITE MEDIUM LOZENGE}"
