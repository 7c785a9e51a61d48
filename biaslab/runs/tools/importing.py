"""A tool's log as a run: its pairs are made anew, and the log answers in the model's place.

So a log is read by the same steps as a model's answers, and whatever it does not hold, or holds to
another prompt, is noticed rather than guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from biaslab.models import (
    Completion,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    ModelIdentity,
    ModelKind,
    Sampling,
)
from biaslab.runs.engine.ask import sample_seed
from biaslab.runs.engine.prepare import prepare
from biaslab.runs.engine.runner import run_here
from biaslab.runs.engine.sources import Sources, study_in
from biaslab.runs.store.options import RunOptions
from biaslab.runs.store.records import RunStatus
from biaslab.runs.store.store import Store
from biaslab.runs.tools.errors import LogRefused
from biaslab.runs.tools.log import AnsweredLog, LoggedRequest
from biaslab.runs.tools.questions import ToolDesign, ToolItem
from biaslab.studies.strategies import Length

_MISSING = Failure("The log holds no answer to this prompt.", retryable=False)


@dataclass(frozen=True, slots=True)
class ImportedLog:
    """What became of a log.

    Attributes:
        run: id of the run that it is now.
        items: items that were read; unanswered: those to which the log has no answer.
        read_otherwise: answers that this BiasLab reads otherwise than the log says.
        message: why the run did not finish, or what else it says; empty where all is well.
    """

    run: str
    items: int
    unanswered: int
    read_otherwise: int
    message: str = ""


def import_log(store: Store, log: AnsweredLog) -> ImportedLog:
    """Keeps a log as a run, marked with where it came from.

    The model is called ``TOOL:NAME``, a kind that cannot be asked, so its answers are never taken
    for those of a model that can. Pairs beyond the last one that the tool asked are left out.

    Raises:
        LogRefused: its prompts are not those of this BiasLab, or it has no answers.
        DesignError, StoreError, RunError: as `biaslab.runs.prepare`.
    """
    asking = _asked(log)
    model = _Recorded(log)
    sources = Sources(
        lambda name: study_in(store, name),
        lambda _spec, _access: model.identity,
        lambda _spec, _access: model,
    )
    sampling = None
    if log.temperature > 0:
        sampling = Sampling(max_new_tokens=1_000_000, temperature=log.temperature)
    run = prepare(
        store, asking.design, model.identity.spec, asking.strategy, sampling,
        options=RunOptions(samples=log.samples, length=Length(go_on=asking.go_on)),
        sources=sources,
    )  # fmt: skip
    record = run_here(store, run, sources=sources, pauses=())
    message = "" if record.status is RunStatus.FINISHED else record.message
    differing = _otherwise(store, run, log)
    return ImportedLog(run, record.items_done, record.failed, differing, message)


def _asked(log: AnsweredLog) -> ToolDesign:
    """The asking with the pairs that the log has answers to.

    Raises:
        LogRefused: it has none to these prompts.
    """
    asking = log.asking
    now = asking.way.version
    if now != asking.version:
        raise LogRefused(
            f"The log was made by BiasLab {asking.library}, whose prompts “{asking.strategy}” "
            "have other words than those of this one. Import it with that version."
        )
    if not log.answers:
        raise LogRefused("The log has no answers.")
    last = -1
    for question in asking.questions():
        if _first(log, question) in log.answers:
            last = max(last, *(place.position for place in question.places))
    if last < 0:
        raise LogRefused(
            "None of the log's prompts is one that this study asks: its pairs or prompts were "
            "changed, or another BiasLab made them."
        )
    return replace(asking, design=replace(asking.design, n=last + 1))


def _first(log: AnsweredLog, question: ToolItem) -> LoggedRequest:
    request = log.asking.way.next_request(question.item, (), log.asking.form)
    if request is None:
        raise LogRefused(f"The strategy {log.asking.strategy} asks nothing of an item.")
    return _key(request, 0)


def _key(request: GenerationRequest | LikelihoodRequest, sample: int) -> LoggedRequest:
    scored = request.continuations if isinstance(request, LikelihoodRequest) else ()
    return LoggedRequest(request.messages, sample, scored)


def _otherwise(store: Store, run: str, log: AnsweredLog) -> int:
    """Answers whose outcome the log has otherwise."""
    items = store.answered_items([run]).drop_duplicates(["item", "sample"])
    read = {
        (item, int(sample)): outcome if state == "answered" else None
        for item, sample, state, outcome in zip(
            items["item"], items["sample"], items["state"], items["outcome"], strict=True
        )
        if state in ("answered", "invalid")
    }
    return sum(key in log.outcomes and log.outcomes[key] != read[key] for key in read)


class _Recorded:
    """Answers from a log."""

    def __init__(self, log: AnsweredLog) -> None:
        self._answers = log.answers
        self._sample = {sample_seed(0, sample): sample for sample in range(log.samples)}
        self.identity = ModelIdentity(
            f"{log.tool}:{log.model}",
            ModelKind.LANGUAGE_MODEL,
            log.digest,
            log.asking.form,
            dict(log.provenance),
        )

    def generate(
        self, requests: Sequence[GenerationRequest]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        for index, request in enumerate(requests):
            sample = self._sample.get(request.sampling.seed, 0)
            found = self._answers.get(_key(request, sample))
            yield index, found if isinstance(found, Completion) else _MISSING

    def likelihood(
        self, requests: Sequence[LikelihoodRequest]
    ) -> Iterator[tuple[int, Likelihood | Failure]]:
        for index, request in enumerate(requests):
            found = self._answers.get(_key(request, 0))
            yield index, found if isinstance(found, Likelihood) else _MISSING
