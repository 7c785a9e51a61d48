"""A log of Inspect AI, as `.eval` or JSON, as the answers to a study's prompts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biaslab.models import Completion, Likelihood, Message
from biaslab.runs.tools.errors import LogRefused, ToolMissing
from biaslab.runs.tools.log import AnsweredLog, LoggedRequest
from biaslab.runs.tools.questions import read_asking

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

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
    from biaslab.runs.tools.inspect.asking import ASKED, read_completion

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
