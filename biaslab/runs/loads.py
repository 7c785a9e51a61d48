"""How much requests come to in tokens and seconds, added up as they are found.

Goes through the requests of items without asking a model anything.

What is in the file already is taken from there, so that later requests that build on it are
the real ones. Where a response is not there, a placeholder takes its place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from biaslab.models import (
    Access,
    Completion,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Model,
    ModelIdentity,
    Sampling,
    read_spec,
)
from biaslab.models.counting import TokenCount, TokenCounter
from biaslab.runs.engine.ask import Asker, ItemProgress, Recall, RunAnswer
from biaslab.runs.library.experience import ENOUGH_RESPONSES, Experience, StageExperience
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


_SEAM = 2
"""A text cut into two tokenises to as many tokens more or less at the seam, if at all."""

ExperienceOfStage = Callable[[int, int], StageExperience | None]
"""What is known of a stage (from 0) whose responses have so many tokens at most."""


@dataclass(frozen=True, slots=True)
class Load:
    """What some requests come to.

    Attributes:
        tokens_in, tokens_out: expected; most_in, most_out: at most.
        seconds: sum of what each takes by itself; None where that is not known.
    """

    requests: int = 0
    tokens_in: float = 0.0
    most_in: int = 0
    tokens_out: float = 0.0
    most_out: int = 0
    seconds: float | None = 0.0

    def __add__(self, other: Load) -> Load:
        """Both together."""
        known = self.seconds is not None and other.seconds is not None
        return Load(
            self.requests + other.requests,
            self.tokens_in + other.tokens_in,
            self.most_in + other.most_in,
            self.tokens_out + other.tokens_out,
            self.most_out + other.most_out,
            (self.seconds or 0.0) + (other.seconds or 0.0) if known else None,
        )


@dataclass(slots=True)
class _Stage:
    """All requests of a stage, whether their responses are there or not."""

    load: Load = Load()
    most_in: int = 0
    most_out: int = 0


@dataclass(frozen=True, slots=True)
class _TokenLoad:
    expected: float
    most: int
    seconds: float | None


class LoadOfSteps:
    """Adds up what the requests of a run come to.

    Args:
        counter: counts the tokens of what is sent.
        experience: of earlier responses.
        go_on: how often a response that is cut off is asked to go on, which counts for what the
            requests come to at most: how many will be cut off nobody knows.
    """

    def __init__(
        self, counter: TokenCounter, experience: ExperienceOfStage, go_on: int = 0
    ) -> None:
        self._go_on = go_on
        self._counter = counter
        self._experience = experience
        self._counts: dict[object, TokenCount] = {}
        self._stages: defaultdict[int, _Stage] = defaultdict(_Stage)
        self._written: dict[tuple[int, int], _TokenLoad] = {}
        self._last: dict[int, _TokenLoad] = {}
        self._notes: dict[str, None] = {}
        self.asked = Load()
        """Of the requests whose responses are not there."""
        self.free = 0
        """How many have one."""

    @property
    def notes(self) -> tuple[str, ...]:
        """How the figures were made."""
        return tuple(self._notes)

    def add(self, step: RequestStep) -> None:
        """Takes in one request. Stages of an item come in their order."""
        load = self._load(step)
        stage = self._stages[step.stage]
        stage.load += load
        stage.most_in = max(stage.most_in, load.most_in)
        stage.most_out = max(stage.most_out, load.most_out)
        if step.known:
            self.free += 1
        else:
            self.asked += load

    def projected(self, times: float) -> Load:
        """So many times what was taken in, none of it free; at most like the largest requests."""
        together = Load()
        for stage in self._stages.values():
            load = stage.load
            requests = ceil(load.requests * times)
            together += Load(
                requests,
                load.tokens_in * times,
                stage.most_in * requests,
                load.tokens_out * times,
                stage.most_out * requests,
                None if load.seconds is None else load.seconds * times,
            )
        return together

    def _load(self, step: RequestStep) -> Load:
        count = self._count(step.request)
        written = self._write(step)
        tokens_in, most_in = float(count.tokens), count.at_most
        for stage, times in enumerate(step.placeholders):
            if times:
                earlier = self._last[stage]
                tokens_in += times * earlier.expected
                most_in += times * (earlier.most + _SEAM)
        if isinstance(step.request, GenerationRequest):
            # Each further part sends what was written before it.
            parts = 1 + self._go_on
            each = written.most // parts + _SEAM
            most_in = parts * most_in + each * self._go_on * parts // 2
        return Load(
            1, min(tokens_in, most_in), most_in, written.expected, written.most, written.seconds
        )

    def _count(self, request: Request) -> TokenCount:
        key = (request.messages, getattr(request, "continuations", None))
        if key not in self._counts:
            count = self._counts[key] = self._counter.count(request)
            self._notes.setdefault(count.note)
        return self._counts[key]

    def _write(self, step: RequestStep) -> _TokenLoad:
        most = _most_written(step.request)
        known = self._written.get((step.stage, most))
        if known is None:
            known = self._expect(step.stage, most, isinstance(step.request, LikelihoodRequest))
            if isinstance(step.request, GenerationRequest):
                known = replace(known, most=most * (1 + self._go_on))
            self._written[step.stage, most] = known
        self._last[step.stage] = known
        return known

    def _expect(self, stage: int, most: int, scored: bool) -> _TokenLoad:
        where = f"Request {stage + 1} of an item"
        if scored:
            self._notes.setdefault(
                f"{where} asks for probabilities: nothing is written but a token for each "
                "continuation at most."
            )
            return _TokenLoad(most, most, None)
        found = self._experience(stage, most)
        if found is None:
            self._notes.setdefault(
                f"{where} is expected to have its most of {most} tokens written, because the file "
                f"has fewer than {ENOUGH_RESPONSES} responses to learn from."
            )
            return _TokenLoad(most, most, None)
        whose = "this model" if found.own else "other models, because there are too few of this one"
        self._notes.setdefault(
            f"{where} is expected to have {found.tokens_out:.0f} tokens written, the average of "
            f"{found.responses} earlier responses of {whose}; at most {most}."
        )
        return _TokenLoad(min(found.tokens_out, most), most, found.seconds)


def _most_written(request: Request) -> int:
    if isinstance(request, LikelihoodRequest):
        return len(request.continuations)
    return request.sampling.max_new_tokens


@dataclass(frozen=True, slots=True)
class Duration:
    """How long a run would take, and how that was found.

    Attributes:
        seconds: None where nothing is known.
        note: a sentence.
    """

    seconds: float | None
    note: str


def duration(
    load: Load, experience: Experience, model_spec: str, access: Access, *, batch: bool
) -> Duration:
    """How long it takes to get these requests answered.

    Args:
        load: the requests.
        experience: of earlier responses.
        model_spec: of the model.
        access: how it is reached: how many requests are on their way at once.
        batch: whether they are handed over as a batch.
    """
    if not load.requests:
        return Duration(0.0, "Nothing has to be asked.")
    if batch:
        return Duration(None, "A batch is answered within a day; how soon, nobody says.")
    if read_spec(model_spec).served:
        pace = experience.pace(access.at_once)
        if pace is not None:
            return Duration(
                load.requests / pace.per_second,
                f"Time assumes {pace.per_second:.3g} requests a second, the pace of earlier "
                f"responses of this model with at most {pace.at_once} at once.",
            )
    if load.seconds is None:
        return Duration(
            None,
            "How long it takes is not known: the file has fewer than "
            f"{ENOUGH_RESPONSES} responses of this model asked in this way.",
        )
    each = load.seconds / load.requests
    if not read_spec(model_spec).served:
        return Duration(
            load.seconds,
            f"Time assumes {each:.3g} seconds a request, the average of earlier responses "
            "of this model.",
        )
    at_once = min(access.at_once, load.requests)
    return Duration(
        load.seconds / at_once,
        f"Time assumes {each:.3g} seconds a request, the average of earlier responses of "
        f"this model, if the server bears {at_once} at once; it may take longer.",
    )
