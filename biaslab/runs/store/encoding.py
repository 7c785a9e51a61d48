"""How requests, responses and designs are written in the file, and what identifies a response."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from biaslab.models import (
    Completion,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Message,
    Sampling,
)
from biaslab.models.requests import ThinkingLevel
from biaslab.studies.study import Answered, Design, Item, Pair, Reading, Request

ITEM_AGAIN = "ON CONFLICT (id) DO UPDATE SET facts = excluded.facts WHERE facts <> excluded.facts"
"""An item that is there already is described anew."""

PAIR_AGAIN = """
ON CONFLICT (id) DO UPDATE SET cluster = excluded.cluster, strata = excluded.strata
WHERE cluster <> excluded.cluster OR strata <> excluded.strata
"""
"""A pair that is there already is described anew."""


_RECORDED = re.compile(r"^(?:recorded:[0-9a-f]{12}:)+")


def response_id(model_id: str, request: Request) -> str:
    """Thirty-two hexadecimal digits: the same for the same model, parameters and messages.

    The facts of a request are left out: they follow from the text that is asked.
    """
    content = [model_id, _request_fields(request)]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode("ascii"), digest_size=16).hexdigest()


def recorded_id(digest: str, own: str) -> str:
    """The id of a model or response that came in a bundle: no request here ever has it.

    Args:
        digest: SHA-256 of the bundle's manifest.
        own: its id in the bundle.
    """
    return f"recorded:{digest[:12]}:{own}"


def original_id(recorded: str) -> str:
    """The id before any `recorded_id`; any other id as it is."""
    return _RECORDED.sub("", recorded)


def write_request(request: Request) -> str:
    """A request as JSON, without its facts."""
    return _json(_request_fields(request))


def read_request(text: str) -> Request:
    """The request that `write_request` wrote."""
    fields = json.loads(text)
    messages = tuple(Message(*each) for each in fields["messages"])
    if "continuations" in fields:
        return LikelihoodRequest(messages, tuple(fields["continuations"]))
    return GenerationRequest(messages, _sampling(fields["sampling"]))


def as_stored(response: Answered) -> Answered:
    """The response as it will be read back from the file.

    Half surrogate pairs, which some servers send, are no text in any file; they become the
    replacement character before anything is built on the response.
    """
    if isinstance(response, Likelihood):
        return response
    return replace(response, text=_storable(response.text), thinking=_storable(response.thinking))


def response_columns(response: Answered) -> dict[str, Any]:
    """The columns of table ``responses`` that hold what came back."""
    columns: dict[str, Any] = dict.fromkeys(
        ("text", "thinking", "finish", "log_probabilities",
         "tokens_in", "tokens_out", "tokens", "seconds", "served")
    )  # fmt: skip
    columns |= {"served": response.served or None, "tokens_in": response.tokens_in}
    if isinstance(response, Completion):
        names = ("text", "thinking", "finish", "tokens_out", "seconds")
        columns |= {name: getattr(response, name) for name in names}
    else:
        columns["log_probabilities"] = json.dumps(response.log_probabilities)
        columns["tokens"] = json.dumps(response.tokens)
    return columns


def reading_columns(reading: Reading) -> dict[str, Any]:
    """The columns of table ``answers`` that hold what the responses were taken to say."""
    return {
        "state": "invalid" if reading.outcome is None else "answered",
        "value": reading.value,
        "outcome": reading.outcome,
        "rule": reading.rule,
        "explanation": reading.explanation,
        "span": None if reading.span is None else json.dumps(reading.span),
        "extra": json.dumps(dict(reading.extra), ensure_ascii=False) if reading.extra else None,
    }


def read_response(row: Mapping[str, Any]) -> Answered:
    """What came back, from a row of table ``responses``."""
    if row["log_probabilities"] is not None:
        return Likelihood(
            tuple(json.loads(row["log_probabilities"])), tuple(json.loads(row["tokens"])),
            row["tokens_in"] or 0, row["served"] or "",
        )  # fmt: skip
    return Completion(
        row["text"], row["finish"], row["tokens_in"], row["tokens_out"],
        row["seconds"], row["thinking"], row["served"] or "",
    )  # fmt: skip


def write_sampling(sampling: Sampling | None) -> str | None:
    """Sampling as JSON; None stays None."""
    return None if sampling is None else _json(_sampling_fields(sampling))


def read_sampling(text: str | None) -> Sampling | None:
    """The sampling that `write_sampling` wrote."""
    return None if text is None else _sampling(json.loads(text))


def write_design(design: Design) -> str:
    """A design as JSON."""
    return _json(
        {"study": design.study, "n": design.n, "seed": design.seed,
         "settings": dict(design.settings)}
    )  # fmt: skip


def read_design(text: str) -> Design:
    """The design that `write_design` wrote."""
    fields = json.loads(text)
    return Design(fields["study"], fields["n"], fields["seed"], fields["settings"])


def item_row(study: str, item: Item) -> tuple[str, ...]:
    """Columns id, study, text, answer, facts, options of table ``items``."""
    return (
        item.id, study, item.text, item.answer, _json(dict(item.facts)), _json(item.options)
    )  # fmt: skip


def read_item(row: Mapping[str, Any]) -> Item:
    """An item from a row of table ``items``."""
    return Item(
        row["id"], row["text"], row["answer"], json.loads(row["facts"]),
        tuple(json.loads(row["options"])),
    )  # fmt: skip


def pair_row(study: str, pair: Pair) -> tuple[str, ...]:
    """Columns id, study, x, x_prime, cluster, strata of table ``pairs``."""
    return (
        pair.id, study, pair.x.id, pair.x_prime.id, pair.cluster, _json(dict(pair.strata))
    )  # fmt: skip


def _request_fields(request: Request) -> dict[str, Any]:
    # A message without a picture is written as it always was, so that its answers are found again.
    messages = [list(message if message.picture else message[:2]) for message in request.messages]
    if isinstance(request, LikelihoodRequest):
        return {"messages": messages, "continuations": list(request.continuations)}
    return {"messages": messages, "sampling": _sampling_fields(request.sampling)}


def _sampling_fields(sampling: Sampling) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "max_new_tokens": sampling.max_new_tokens,
        "temperature": float(sampling.temperature),
        "seed": sampling.seed,
        "stop": list(sampling.stop),
    }
    # Left out where nothing was chosen, so that answers from before it could be are found again.
    if sampling.thinking is not None:
        fields["thinking"] = str(sampling.thinking)
    if sampling.until_number:
        fields["until_number"] = True
    return fields


def _sampling(fields: Mapping[str, Any]) -> Sampling:
    level = fields.get("thinking")
    return Sampling(
        fields["max_new_tokens"], fields["temperature"], fields["seed"], tuple(fields["stop"]),
        None if level is None else ThinkingLevel(level), fields.get("until_number", False),
    )  # fmt: skip


def _json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _storable(text: str) -> str:
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
