"""Whether a model says the same again: agreement between samples and between runs.

Two answers to the same item agree when both could be read and say the same. An item's agreement
is the share of all pairs of its answers that agree, the chance that two of them drawn at random
do. It says nothing about being right: a model may be wrong in the same way every time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from biaslab.stats.estimates import Interval, check_confidence, clustered_share
from biaslab.stats.outcomes import (
    check_outcomes,
    check_values,
    right_or_wrong,
    sample_numbers,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Agreement:
    """How much answers to the same items agree.

    Attributes:
        study, model, strategy: what was asked, who answered, how asked.
        runs: one run whose samples are compared with each other, or several whose answers are
            compared between runs only.
        samples: answers to an item that are compared, the most of any item.
        items: items with at least two answers to compare; left_out: items asked that have
            fewer, because requests failed or have not been made yet.
        agreement: mean share of agreeing pairs of answers, 0..1, and its interval, in which
            items of one cluster (at least both members of a pair) are one observation; None
            without items.
        alike: share of items all of whose answers were read and are the same.
        differing: share of items whose outcome is not the same in all answers; of right-or-wrong
            studies an answer that could not be read is not right, on a scale it is left out.
        unreadable: answers compared that could not be read. They agree with nothing.
        confidence: coverage of the intervals.
    """

    study: str
    model: str
    strategy: str
    runs: tuple[str, ...]
    samples: int
    items: int
    left_out: int
    agreement: float | None
    agreement_ci: Interval | None
    alike: float | None
    alike_ci: Interval | None
    differing: float | None
    differing_ci: Interval | None
    unreadable: int
    confidence: float


def agreement(outcomes: pd.DataFrame, confidence: float = 0.95) -> list[Agreement]:
    """Agreement between the samples of each run that asked items several times.

    Args:
        outcomes: as for `biaslab.stats.effects`, with ``value_x`` and ``value_x_prime``.
            Where it has ``item_x`` and ``item_x_prime``, an item that pairs share counts once.
        confidence: coverage of the intervals.

    Returns:
        A row per run with several samples, in the order of the table; none for other runs.

    Raises:
        BrokenOutcomes: the table contradicts itself or lacks the values.
        UnknownChoice: the confidence level is not between 0 and 1.
    """
    return [
        _compared(rows, confidence, between=False)
        for _, rows in _checked(outcomes, confidence).groupby("run", sort=False)
        if bool((sample_numbers(rows) > 0).any())
    ]


def agreement_between_runs(outcomes: pd.DataFrame, confidence: float = 0.95) -> list[Agreement]:
    """Agreement between runs of one study, model and strategy, for example with other seeds.

    Only answers of different runs to the same item are compared, so that several samples within
    a run neither help nor harm. Runs that sent the very same requests share their answers and
    agree in everything: compare runs with different seeds.

    Args:
        outcomes: as for `agreement`, of any number of runs.
        confidence: coverage of the intervals.

    Returns:
        A row per study, model and strategy with at least two runs; ``items`` are those that at
        least two of them answered.

    Raises:
        BrokenOutcomes, UnknownChoice: as `agreement`.
    """
    alike = _checked(outcomes, confidence).groupby(["study", "model", "strategy"], sort=False)
    return [
        _compared(rows, confidence, between=True) for _, rows in alike if rows["run"].nunique() > 1
    ]


def _checked(outcomes: pd.DataFrame, confidence: float) -> pd.DataFrame:
    check_confidence(confidence)
    check_outcomes(outcomes)
    check_values(outcomes)
    return outcomes


def _compared(rows: pd.DataFrame, confidence: float, between: bool) -> Agreement:
    import pandas as pd

    binary = right_or_wrong(rows)
    answers = pd.concat(_members(rows), ignore_index=True)
    # Pairs that share an item repeat its answers; they were given once.
    answers = answers.drop_duplicates(["item", "run", "sample"])
    asked = answers["item"].nunique()
    answers = answers[answers["state"].isin(("answered", "invalid"))]
    apart = answers["run"] if between else answers["sample"]
    answers = answers[apart.groupby(answers["item"]).transform("nunique") > 1]
    items = _per_item(answers, binary, between)
    first = rows.iloc[0]
    cluster = items["cluster"].to_numpy(dtype=object)

    def share(name: str, most: int) -> tuple[float | None, Interval | None]:
        values = items[name].to_numpy(np.float64)
        mean = float(values.mean()) if values.size else None
        return mean, clustered_share(values, cluster, most, confidence)

    agreeing, agreeing_ci = share("agreement", len(answers))
    alike, alike_ci = share("alike", len(items))
    differing, differing_ci = share("differing", len(items))
    return Agreement(
        study=str(first["study"]),
        model=str(first["model"]),
        strategy=str(first["strategy"]),
        runs=tuple(str(run) for run in rows["run"].unique()),
        samples=int(items["answers"].max()) if len(items) else 0,
        items=len(items),
        left_out=asked - len(items),
        agreement=agreeing,
        agreement_ci=agreeing_ci,
        alike=alike,
        alike_ci=alike_ci,
        differing=differing,
        differing_ci=differing_ci,
        unreadable=int((answers["state"] == "invalid").sum()),
        confidence=confidence,
    )


def _members(rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """The answers to each member of the pairs, a row per answer."""
    import pandas as pd

    for member in ("x", "x_prime"):
        named = f"item_{member}" in rows.columns
        item = rows[f"item_{member}"] if named else rows["pair"].astype(str) + f" {member}"
        yield pd.DataFrame(
            {
                "item": item,
                "run": rows["run"],
                "sample": sample_numbers(rows),
                "cluster": rows["cluster"],
                "state": rows[f"state_{member}"],
                "value": rows[f"value_{member}"],
                "outcome": rows[f"y_{member}"].astype("float64"),
            }
        )


def _per_item(answers: pd.DataFrame, binary: bool, between: bool) -> pd.DataFrame:
    """Agreement, whether all are alike and whether outcomes differ, a row per item."""
    import pandas as pd

    read = answers["state"] == "answered"
    outcome = answers["outcome"].where(read, 0.0 if binary else np.nan)
    by_item = answers["item"]
    items = pd.DataFrame(
        {
            "cluster": answers.groupby("item", sort=False)["cluster"].first(),
            "answers": answers.groupby("item", sort=False).size(),
            "read": read.groupby(by_item, sort=False).sum(),
        }
    )
    told = answers[read]
    kind = ["item", "value"]
    equal = _squares(told, kind, "item").reindex(items.index, fill_value=0)
    kinds = told.drop_duplicates(kind).groupby("item").size().reindex(items.index, fill_value=0)
    if between:
        # Pairs of answers within a run are no comparison between runs.
        equal -= _squares(told, [*kind, "run"], "item").reindex(items.index, fill_value=0)
        pairs = items["answers"] ** 2 - _squares(answers, ["item", "run"], "item")
    else:
        equal -= items["read"]
        pairs = items["answers"] * (items["answers"] - 1)
    items["agreement"] = equal / pairs
    items["alike"] = ((kinds == 1) & (items["read"] == items["answers"])).astype(float)
    spread = outcome.groupby(by_item, sort=False).agg(["min", "max"])
    items["differing"] = (spread["max"] > spread["min"]).astype(float)
    return items


def _squares(rows: pd.DataFrame, kind: list[str], per: str) -> pd.Series:
    """For each item the sum of the squared sizes of its groups: ordered pairs within them."""
    sizes = rows.groupby(kind, sort=False).size()
    return (sizes**2).groupby(level=per, sort=False).sum()
