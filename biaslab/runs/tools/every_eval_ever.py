"""The effect of a run in the schema of Every Eval Ever, a common form for results of evaluations.

One object a run, without its answers: these have to have a number for a score there, which an
answer that could not be read has not.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from biaslab.models import read_spec
from biaslab.runs.effect_rows import effect_rows
from biaslab.runs.engine.prepare import library_version
from biaslab.runs.store.records import RunRecord
from biaslab.runs.store.store import Store
from biaslab.runs.tools.errors import ToolError

if TYPE_CHECKING:
    from biaslab.stats import Effect, Interval

SCHEMA = "0.3.0"
"""Version of the schema that is written."""


def every_eval_ever(
    store: Store, run_ids: Sequence[str], organization: str
) -> dict[str, dict[str, Any]]:
    """The objects by run.

    Args:
        store: where the runs are.
        run_ids: which; q is left out, since it depends on which stand together.
        organization: who evaluated; the schema wants a name.

    Raises:
        UnknownRun: one of them is not there.
        ToolError: a run has no effect yet, or no organization is named.
    """
    if not organization.strip():
        raise ToolError("Every Eval Ever wants the name of who evaluated: give --organization.")
    records = [store.run(run_id) for run_id in dict.fromkeys(run_ids)]
    found = effect_rows(store, records).found
    effects = {effect.run: effect for effect in found if effect.stratum == "all"}
    return {each.id: _object(each, effects[each.id], organization) for each in records}


def _object(record: RunRecord, effect: Effect, organization: str) -> dict[str, Any]:
    if effect.cate is None:
        raise ToolError(f"Run {record.id} has no pair that counts, so there is no score to give.")
    ended = str(int(datetime.fromisoformat(record.finished or record.created).timestamp()))
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"biaslab-{record.study}/{record.model_spec}/{record.id}",
        "evaluation_timestamp": ended,
        "retrieved_timestamp": ended,
        "source_metadata": {
            "source_name": f"BiasLab run {record.id}",
            "source_type": "evaluation_run",
            "source_organization_name": organization,
            "evaluator_relationship": "other",
        },
        "eval_library": {
            "name": "biaslab",
            "version": library_version(),
            "additional_details": {"reader": record.reader or "unknown"},
        },
        "model_info": {
            "name": record.model_spec,
            "id": record.model_spec,
            "additional_details": {
                "kind": str(record.model_kind),
                "revision": record.model_revision,
                # A server may be anybody's, and a directory may hold weights that nobody else has.
                "deployment_type": "self_deployed"
                if read_spec(record.model_spec).has_weights
                else "unknown",
                "model_availability": "unknown",
            },
        },
        "evaluation_results": _results(record, effect),
    }


def _results(record: RunRecord, effect: Effect) -> list[dict[str, Any]]:
    unread = {"unread_x": effect.invalid_x, "unread_x_prime": effect.invalid_x_prime}
    results = []
    low, high = effect.ci_low, effect.ci_high
    ends = None if low is None or high is None else (low, high)
    found: list[tuple[str, str, float | None, tuple[float, float] | None, float]] = [
        ("cate", "mean difference of outcomes, x - x'", effect.cate, ends, -1.0)
    ]
    if effect.binary:
        found += [
            ("accuracy_x", "share right of x", effect.accuracy_x, _ends(effect.accuracy_x_ci), 0.0),
            (
                "accuracy_x_prime", "share right of x'", effect.accuracy_x_prime,
                _ends(effect.accuracy_x_prime_ci), 0.0,
            ),
        ]  # fmt: skip
    for name, meaning, score, interval, least in found:
        if score is None:
            continue
        details: dict[str, Any] = {
            "score": score,
            "details": {key: str(value) for key, value in unread.items()},
            "uncertainty": {"num_samples": effect.n},
        }
        if interval is not None:
            details["uncertainty"]["confidence_interval"] = {
                "lower": interval[0],
                "upper": interval[1],
                "confidence_level": effect.confidence,
                "method": effect.method,
            }
        results.append(
            {
                "evaluation_result_id": f"{record.id}-{name}",
                "evaluation_name": f"{record.study} ({record.strategy})",
                "source_data": {
                    "dataset_name": f"BiasLab {record.study}",
                    "source_type": "other",
                    "additional_details": {
                        "n": str(record.design.n),
                        "seed": str(record.design.seed),
                        "settings": json.dumps(dict(record.design.settings), sort_keys=True),
                    },
                },
                "metric_config": {
                    "evaluation_description": meaning,
                    "metric_id": f"biaslab.{name}",
                    "metric_name": name,
                    "lower_is_better": False,
                    "score_type": "continuous",
                    "min_score": least,
                    "max_score": 1.0,
                },
                "score_details": details,
            }
        )
    return results


def _ends(interval: Interval | None) -> tuple[float, float] | None:
    return None if interval is None else (interval.low, interval.high)
