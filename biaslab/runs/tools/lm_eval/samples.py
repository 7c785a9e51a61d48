"""A samples file of lm-evaluation-harness as the answers to a study's prompts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from biaslab.models import Completion, Likelihood, ModelForm
from biaslab.runs.tools.errors import LogRefused
from biaslab.runs.tools.lm_eval.functions import only_request, read_result
from biaslab.runs.tools.log import AnsweredLog, LoggedRequest
from biaslab.runs.tools.questions import read_asking, read_question

TOOL = "lm-eval"
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
        tool=TOOL,
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


def _is_prompt(sent: Any, text: str, in_turns: bool) -> bool:
    """Whether what was sent is this prompt: as it stands, or as the only turn.

    A model that is opened by the harness gets its turns as one text with the marks of its
    template; a server gets them as a JSON text.
    """
    sent = sent[0] if isinstance(sent, list) and len(sent) == 1 else sent
    if not in_turns:
        return bool(sent == text)
    try:
        turns = json.loads(sent)
    except (ValueError, TypeError):
        return text.strip() in str(sent) and sent != text
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
