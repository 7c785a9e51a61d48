"""What the responses in the file teach about those to come: their length, density and pace."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from statistics import fmean
from typing import Any

from biaslab.models import Access, ModelIdentity, ModelKind
from biaslab.models.counting import MeasuredRatio, Sample, TokenCounter, characters
from biaslab.models.provider import OPENAI_URL
from biaslab.models.spec import token_counter
from biaslab.runs.library.connections import find_connection
from biaslab.runs.store.encoding import read_request
from biaslab.runs.store.store import Store

ENOUGH_RESPONSES = 20
"""Fewer responses than this say too little about those to come."""

_LOOKED_AT = 400
"""Answers looked at: the newest ones. More would take time and change little."""

PAUSE_SECONDS = 60.0
"""A longer silence between two responses was a stop, not the server's pace."""

_RECENT = """
SELECT member.key AS stage, responses.request, responses.tokens_in, responses.tokens_out,
       responses.seconds, responses.created, recent.own, recent.at_once
FROM (
    SELECT answers.responses AS ids, runs.model = :model AS own,
           json_extract(runs.options, '$.access.at_once') AS at_once
    FROM runs CROSS JOIN answers
    WHERE answers.run = runs.id AND answers.state IN ('answered', 'invalid') AND {condition}
    ORDER BY runs.rowid DESC LIMIT :limit
) AS recent
CROSS JOIN json_each(recent.ids) AS member
CROSS JOIN responses
WHERE responses.id = member.value
"""

_OF_MODEL = "runs.model = :model"
_OF_STRATEGY = """
runs.strategy = :strategy AND runs.strategy_version = :version
AND runs.model IN (SELECT id FROM models WHERE form = :form AND (id = :model) = :own
                   AND (kind <> 'learner' OR id = :model))
"""


@dataclass(frozen=True, slots=True)
class StageExperience:
    """How earlier responses to one stage of a strategy were.

    Attributes:
        responses: how many.
        tokens_out: tokens written, on average.
        seconds: that one took, on average; None where it is not known, or of other models.
        own: whether they are this model's.
    """

    responses: int
    tokens_out: float
    seconds: float | None
    own: bool


@dataclass(frozen=True, slots=True)
class ResponseRate:
    """How many responses came in a second, with so many on their way at once."""

    per_second: float
    at_once: int


class Experience:
    """What the file knows of a model asked by a strategy.

    Args:
        store: the file.
        identity: of the model.
        strategy: name of the strategy; version: of its prompts.
    """

    def __init__(self, store: Store, identity: ModelIdentity, strategy: str, version: str) -> None:
        self._identity = identity
        self._rows = [
            _rows(store, _OF_STRATEGY, identity, strategy=strategy, version=version, own=own)
            for own in (True, False)
        ]

    def stage(self, stage: int, max_new_tokens: int) -> StageExperience | None:
        """Earlier responses to this stage that were as long as this at most.

        Of this model where there are `ENOUGH_RESPONSES`, else of other models, else None. A
        simulated learner tells nothing about other models.
        """
        for rows, own in zip(self._rows, (True, False), strict=True):
            fitting = [
                row
                for row in rows
                if row["stage"] == stage and _most(row["request"]) == max_new_tokens
            ]
            if len(fitting) >= ENOUGH_RESPONSES:
                seconds = [row["seconds"] for row in fitting if row["seconds"] is not None]
                return StageExperience(
                    len(fitting),
                    fmean(row["tokens_out"] or 0 for row in fitting),
                    fmean(seconds) if own and seconds else None,
                    own,
                )
        return None

    def pace(self, at_once: int) -> ResponseRate | None:
        """How fast responses of this model came when so many were on their way at once.

        None where too few did. Silences longer than `PAUSE_SECONDS` are left out.
        """
        times = sorted(
            datetime.fromisoformat(row["created"]).timestamp()
            for row in self._rows[0]
            if row["at_once"] == at_once
        )
        gaps = [
            after - before for before, after in pairwise(times) if after - before <= PAUSE_SECONDS
        ]
        if len(gaps) < ENOUGH_RESPONSES or sum(gaps) <= 0:
            return None
        return ResponseRate(len(gaps) / sum(gaps), at_once)


def counter_for(store: Store, identity: ModelIdentity, access: Access) -> TokenCounter:
    """The best way to count the tokens of requests to a model, with what the file knows of it.

    The model's own tokenizer if it is here; else what its earlier responses had; else what the
    test of its server found; else a rule of thumb.
    """
    return token_counter(identity.spec, measured=_measured(store, identity, access))


def _measured(store: Store, identity: ModelIdentity, access: Access) -> MeasuredRatio | None:
    if identity.kind is not ModelKind.LANGUAGE_MODEL:
        return None
    rows = _rows(store, _OF_MODEL, identity)
    samples = [
        Sample(row["tokens_in"], characters(read_request(row["request"])))
        for row in rows
        if row["tokens_in"]
    ]
    plural = "" if len(samples) == 1 else "s"
    ratio = MeasuredRatio.of(samples, f"{len(samples)} earlier response{plural} of this model")
    if ratio is not None and len(samples) >= ENOUGH_RESPONSES:
        return ratio
    return _probed(store, identity, access) or ratio


def _probed(store: Store, identity: ModelIdentity, access: Access) -> MeasuredRatio | None:
    base_url = access.base_urls[0] if access.base_urls else OPENAI_URL
    connection = find_connection(store, identity.spec, base_url)
    if connection is None:
        return None
    for found in connection.capabilities.found:
        ratio = found.tokens_per_character
        if ratio and found.endpoint in (access.endpoint, connection.capabilities.endpoint):
            return MeasuredRatio.of_one(ratio, "the sample problem of this server's test")
    return None


def _rows(
    store: Store, condition: str, identity: ModelIdentity, **values: object
) -> Sequence[Mapping[str, Any]]:
    sql = _RECENT.format(condition=condition)
    known = {
        "model": identity.id, "form": str(identity.form), "limit": _LOOKED_AT
    }  # fmt: skip
    with store.reading() as database:
        return list(database.query(sql, known | values))


def _most(request: str) -> int | None:
    sampling = json.loads(request).get("sampling")
    return None if sampling is None else int(sampling["max_new_tokens"])
