"""The effect of the answers that a tool has collected: the one that `biaslab effects` gives."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from biaslab.models import ModelKind
from biaslab.runs.tools.questions import ItemPosition
from biaslab.stats import InvalidRule, effects
from biaslab.studies.study import outcome_scale

FIGURES = ("cate", "low", "high", "n", "clusters", "accuracy_x", "accuracy_x_prime", "unread")
"""What `paired_effect` tells: the mean difference x - x' with the interval of 95 %, the pairs and
clusters that count, the share of right answers (or mean) of each arm, and the answers that could
not be read."""


class ItemScore(NamedTuple):
    """What an item's answer came to.

    Attributes:
        places: of the item.
        sample: which of several answers to it, from 0.
        outcome: 1 right, 0 wrong, or a position on the study's scale; None: it could not be read.
        missing: it was cut off, so that there is none. Its pair does not count.
    """

    places: tuple[ItemPosition, ...]
    sample: int
    outcome: float | None
    missing: bool = False


def paired_effect(
    study: str, answers: Iterable[ItemScore], invalid: InvalidRule = "strict"
) -> dict[str, float]:
    """The figures of `FIGURES`; those that are not determined are NaN.

    Pairs of which one member has no answer yet do not count, so the figures can be asked for
    while a tool is still asking.

    Args:
        study: name of the study.
        answers: of any number of items and samples, in any order.
        invalid: whether answers that could not be read count as not right; see
            `biaslab.stats.effects`.
    """
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    unread = 0
    for answer in answers:
        unread += answer.outcome is None and not answer.missing
        state = "answered" if answer.outcome is not None else "invalid"
        for place in answer.places:
            row = rows.setdefault((place.pair, answer.sample), _row(study, place, answer.sample))
            row[f"y_{place.arm}"] = math.nan if answer.outcome is None else answer.outcome
            row[f"state_{place.arm}"] = "failed" if answer.missing else state
    figures = dict.fromkeys(FIGURES, math.nan) | {"n": 0.0, "clusters": 0.0, "unread": unread}
    if not rows:
        return figures
    import pandas as pd

    ordered: list[dict[str, Any]] = sorted(rows.values(), key=_order)
    table = pd.DataFrame(ordered)
    found = effects(table, invalid=invalid)[0]
    determined = {
        "cate": found.cate, "low": found.ci_low, "high": found.ci_high, "n": found.n,
        "clusters": found.clusters, "accuracy_x": found.accuracy_x,
        "accuracy_x_prime": found.accuracy_x_prime,
    }  # fmt: skip
    return figures | {key: float(each) for key, each in determined.items() if each is not None}


def _row(study: str, place: ItemPosition, sample: int) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(("run", "model", "strategy"), "log")
    row |= {
        "study": study, "model_kind": str(ModelKind.LANGUAGE_MODEL), "pair": place.pair,
        "position": place.position, "sample": sample, "cluster": place.cluster, "strata": {},
        "on_scale": outcome_scale(study) is not None,
    }  # fmt: skip
    for arm in ("x", "x_prime"):
        row |= {f"y_{arm}": math.nan, f"state_{arm}": "missing"}
    return row


def _order(row: dict[str, Any]) -> tuple[int, int]:
    return row["position"], row["sample"]
