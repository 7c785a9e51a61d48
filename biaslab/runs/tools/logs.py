"""The logs of other tools: read, whichever tool wrote them, and made runs.

The pairs of a run are made anew, and the log answers in the model's place. So a log is read by
the same steps as a model's answers, and whatever it does not hold, or holds to another prompt, is
noticed rather than guessed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from biaslab.models import (
    Completion,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Message,
    ModelForm,
    ModelIdentity,
    ModelKind,
    Sampling,
)
from biaslab.runs.engine.ask import sample_seed
from biaslab.runs.engine.prepare import prepare
from biaslab.runs.engine.runner import run_here
from biaslab.runs.engine.sources import Sources, study_in
from biaslab.runs.errors import LogRefused, ToolMissing
from biaslab.runs.store.options import RunOptions
from biaslab.runs.store.records import RunStatus
from biaslab.runs.store.store import Store
from biaslab.runs.tools.lm_eval.functions import only_request, read_result
from biaslab.runs.tools.questions import ToolDesign, ToolItem, read_asking, read_question
from biaslab.studies.strategies import Length

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample


class LoggedRequest(NamedTuple):
    """A request as the tool sent it; equal ones were the same request.

    Attributes:
        messages: one ``text`` message, or turns.
        sample: which of several times, from 0.
        continuations: those that were to be scored; empty where something was to be written.
    """

    messages: tuple[Message, ...]
    sample: int
    continuations: tuple[str, ...] = ()


Answers: TypeAlias = Mapping[LoggedRequest, Completion | Likelihood]


@dataclass(frozen=True, slots=True)
class AnsweredLog:
    """The answers that a tool has collected.

    Attributes:
        tool: its name, as in a model's name here: ``inspect`` or ``lm-eval``.
        model: as the tool calls it.
        asking: what was asked.
        answers: by request.
        outcomes: what the tool's log says of each item and sample; None: not read. They are
            compared with what is read now.
        samples: how often each item was asked.
        temperature: at which answers were drawn.
        provenance: where the log came from, JSON-ready; kept with the model.
        digest: of the log's bytes.
    """

    tool: str
    model: str
    asking: ToolDesign
    answers: Answers
    outcomes: Mapping[tuple[str, int], float | None]
    samples: int
    temperature: float
    provenance: Mapping[str, Any]
    digest: str


# A log of Inspect AI, as `.eval` or JSON.


TOOL = "inspect"
"""What names of models from such logs begin with."""


def read_inspect_log(file: Path) -> AnsweredLog:
    """Reads a log that a task of BiasLab wrote.

    Raises:
        ToolMissing: Inspect AI, which reads its logs, is not installed.
        LogRefused: the file is no such log.
    """
    try:
        from inspect_ai.log import read_eval_log, read_eval_log_samples
    except ImportError as error:
        raise ToolMissing("Inspect AI", TOOL) from error
    from biaslab.runs.tools.inspect_tasks import ASKED, read_completion

    content = file.read_bytes()
    try:
        log = read_eval_log(str(file), header_only=True)
        samples = list(read_eval_log_samples(str(file), all_samples_required=False))
    except Exception as error:
        # Inspect promises no error of its own: a broken file is whatever its readers say.
        raise LogRefused(f"{file}: Inspect AI cannot read this as a log of its own.") from error
    fields = (log.eval.metadata or {}).get("biaslab")
    if fields is None:
        raise LogRefused(f"{file}: this log is of the task {log.eval.task}, none of BiasLab's.")
    answers: dict[LoggedRequest, Completion | Likelihood] = {}
    for sample in samples:
        for exchange in sample.metadata.get(ASKED, ()):
            messages = tuple(Message(*each) for each in exchange["messages"])
            answers[LoggedRequest(messages, sample.epoch - 1)] = read_completion(exchange)
    return AnsweredLog(
        tool=TOOL,
        model=log.eval.model,
        asking=read_asking(fields),
        answers=answers,
        outcomes={
            (str(sample.id), sample.epoch - 1): outcome
            for sample in samples
            for outcome in _outcomes(sample)
        },
        samples=max((sample.epoch for sample in samples), default=1),
        temperature=log.plan.config.temperature or 0.0,
        provenance=_provenance(file, log, fields),
        digest=blake2b(content, digest_size=8).hexdigest(),
    )


def _outcomes(sample: EvalSample) -> list[float | None]:
    """What the log's own score says, where there is one of ours."""
    known = [score.metadata for score in (sample.scores or {}).values() if score.metadata]
    return [_number(each["outcome"]) for each in known if "outcome" in each][:1]


def _number(outcome: float | None) -> float | None:
    return None if outcome is None or math.isnan(outcome) else outcome


def _provenance(file: Path, log: EvalLog, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "imported_from": "Inspect AI",
        "tool_version": log.eval.packages.get("inspect_ai", ""),
        "file": file.name,
        "model_there": log.eval.model,
        "created": str(log.eval.created),
        "eval_id": log.eval.eval_id,
        "task": log.eval.task_registry_name or log.eval.task,
        "task_version": log.eval.task_version,
        "biaslab": fields["biaslab"],
    }


# A samples file of lm-evaluation-harness.


SAMPLES_TOOL = "lm-eval"
"""What names of models from such files begin with."""


def read_samples(file: Path) -> AnsweredLog:
    """Reads a file ``samples_*.jsonl``; the results file beside it says which model answered.

    Raises:
        LogRefused: it is no such file, not of a task of BiasLab, or what was asked is not what
            the study asks.
    """
    content = file.read_bytes()
    rows = list(_rows(file, content))
    asking = read_asking(json.loads(rows[0]["doc"]["asking"]))
    answers: dict[LoggedRequest, Completion | Likelihood] = {}
    outcomes: dict[tuple[str, int], float | None] = {}
    for row in rows:
        question = read_question(json.loads(row["doc"]["question"]))
        request = only_request(asking, question)
        text = request.messages[0].content
        in_turns = asking.form is ModelForm.CHAT
        if not all(_is_prompt(each["arg_0"], text, in_turns) for each in row["arguments"].values()):
            raise LogRefused(
                f"{file}: sample {row['doc_id']} was not asked with the prompt of the strategy "
                f"{asking.strategy}. Give no --num_fewshot or other changes of the prompt, and "
                "--apply_chat_template just to tasks without “_base”."
            )
        result = [each[0] if row["doc"]["choices"] else each for each in row["resps"]]
        result = result if row["doc"]["choices"] else result[0]
        scored = tuple(row["doc"]["choices"])
        answers[LoggedRequest(request.messages, 0, scored)] = read_result(row["doc"], result)
        outcomes[question.item.id, 0] = row["cate"][2]
    results = _results(file)
    return AnsweredLog(
        tool=SAMPLES_TOOL,
        model=str(results.get("model_name") or results.get("model_source") or "unnamed"),
        asking=asking,
        answers=answers,
        outcomes=outcomes,
        samples=1,
        temperature=max(map(_temperature, rows)),
        provenance={
            "imported_from": "lm-evaluation-harness",
            "tool_version": str(results.get("lm_eval_version", "")),
            "file": file.name,
            "model_there": results.get("model_name"),
            "model_source": results.get("model_source"),
            "date": results.get("date"),
            "biaslab": asking.library,
        },
        digest=blake2b(content, digest_size=8).hexdigest(),
    )


def _rows(file: Path, content: bytes) -> Iterator[dict[str, Any]]:
    try:
        rows = [json.loads(line) for line in content.decode("utf-8").splitlines() if line.strip()]
        known = bool(rows) and all("asking" in row["doc"] and "resps" in row for row in rows)
    except (ValueError, TypeError, KeyError) as error:
        raise LogRefused(f"{file}: this is no samples file of lm-evaluation-harness.") from error
    if not known:
        raise LogRefused(f"{file}: these samples are of a task that is none of BiasLab's.")
    yield from rows


def _is_prompt(request: Any, text: str, in_turns: bool) -> bool:
    """Whether what was sent is this prompt: as it stands, or as the only turn.

    A model that is opened by the harness gets its turns as one text with the marks of its
    template; a server gets them as a JSON text.
    """
    request = request[0] if isinstance(request, list) and len(request) == 1 else request
    if not in_turns:
        return bool(request == text)
    try:
        turns = json.loads(request)
    except (ValueError, TypeError):
        return text.strip() in str(request) and request != text
    return isinstance(turns, list) and [each.get("content") for each in turns] == [text]


def _temperature(row: dict[str, Any]) -> float:
    """At which a sample was drawn; 0 where texts were scored."""
    chosen = [each["arg_1"] for each in row["arguments"].values()]
    return max(
        float(each.get("temperature") or 0.0) if isinstance(each, dict) else 0.0 for each in chosen
    )


def _results(file: Path) -> dict[str, Any]:
    """The results file of the same time, which stands beside the samples; empty where none is."""
    time = file.stem.rpartition("_")[2]
    beside = file.with_name(f"results_{time}.json")
    if not beside.is_file():
        return {}
    try:
        found = json.loads(beside.read_text(encoding="utf-8"))
    except ValueError as error:
        raise LogRefused(f"{beside}: this results file cannot be read.") from error
    return found if isinstance(found, dict) else {}


def read_log(file: Path) -> AnsweredLog:
    """Reads a log of any tool; its name says of which.

    Raises:
        LogRefused: it is none that can be read.
        ToolMissing: the tool that reads it is not installed.
    """
    match file.suffix:
        case ".eval" | ".json":
            return read_inspect_log(file)
        case ".jsonl":
            return read_samples(file)
    raise LogRefused(
        f"{file}: give a log of Inspect AI (.eval or .json) or a file samples_*.jsonl of "
        "lm-evaluation-harness."
    )


# A log as a run.


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
    model = _LogModel(log)
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


class _LogModel:
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
