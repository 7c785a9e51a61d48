"""The pairs of runs, ready to be compared with those of other runs pair by pair."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from biaslab.stats.comparisons.findings import Finding, Question
from biaslab.stats.effects import ALL, StratumValue, outcomes_by_run, stratum_order
from biaslab.stats.errors import BrokenOutcomes, CannotCompare
from biaslab.stats.estimates import Estimate, mean_estimate
from biaslab.stats.outcomes import InvalidRule, count_pairs

if TYPE_CHECKING:
    import pandas as pd

_Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CountingRules:
    """How outcomes are counted and how sure intervals are to be: the same for every question.

    Attributes:
        invalid, vote, confidence: as for `biaslab.stats.effects`.
        looked: runs that were looked at while they went on.
    """

    invalid: InvalidRule = "strict"
    vote: bool = False
    confidence: float = 0.95
    looked: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class RunPairs:
    """The pairs of one run.

    Attributes:
        run, study, model, model_kind, strategy: as in the table of outcomes.
        counted: a row per pair that counts, by its id: ``x`` and ``x_prime`` (outcomes, means of
            samples), ``cluster`` and ``strata`` (a dictionary).
        asked: ids of all pairs of the run, counted or not.
        binary: whether outcomes are right or wrong; samples, voted: as in `Effect`.
        setting: how they were counted.
    """

    run: str
    study: str
    model: str
    model_kind: str
    strategy: str
    counted: pd.DataFrame
    asked: frozenset[str]
    binary: bool
    samples: int
    voted: bool
    setting: CountingRules

    @property
    def difference(self) -> _Values:
        """Outcome of x minus that of x', shape (pairs,)."""
        return (self.counted["x"] - self.counted["x_prime"]).to_numpy(float)

    @property
    def level(self) -> _Values:
        """Mean outcome of both members, shape (pairs,)."""
        return (self.counted["x"] + self.counted["x_prime"]).to_numpy(float) / 2.0

    @property
    def cluster(self) -> npt.NDArray[Any]:
        """What each pair shares with others, shape (pairs,)."""
        return self.counted["cluster"].to_numpy(dtype=object)

    def effect(self) -> Estimate:
        """The effect of these pairs."""
        return self.mean(self.difference, 1.0)

    def mean(self, values: _Values, bound: float, confidence: float | None = None) -> Estimate:
        """The mean of a value a pair, with the interval that is used everywhere.

        Args:
            values: shape (pairs,).
            bound: the largest that can be, where outcomes are right or wrong.
            confidence: None for that of the setting.
        """
        # A scale of another length than 1 has no known end at which to cut.
        beyond = not self.binary and bool((np.abs(values) > bound + 1e-9).any())
        return mean_estimate(
            values,
            self.cluster,
            self.setting.confidence if confidence is None else confidence,
            scale=not self.binary,
            bound=math.inf if beyond else bound,
        )

    def only(self, pairs: Sequence[str] | pd.Index) -> RunPairs:
        """The same run with some of its counted pairs, in the order given."""
        return replace(self, counted=self.counted.loc[list(pairs)])

    def by_stratum(self, name: str) -> dict[StratumValue, RunPairs]:
        """The counted pairs of each value of a stratum, in ascending order; None: not given."""
        values = [strata.get(name) for strata in self.counted["strata"]]
        known = sorted({value for value in values if value is not None}, key=stratum_order)
        found: dict[StratumValue, RunPairs] = {}
        for value in (*known, None):
            inside = [given == value and type(given) is type(value) for given in values]
            if any(inside):
                found[value] = replace(self, counted=self.counted.loc[inside])
        return found


def runs_of(outcomes: pd.DataFrame, setting: CountingRules) -> list[RunPairs]:
    """The runs of a table of outcomes, in its order.

    Args:
        outcomes: as for `biaslab.stats.effects`.
        setting: how to count.

    Raises:
        BrokenOutcomes, UnknownChoice: as `biaslab.stats.effects`.
    """
    found = []
    for run in outcomes_by_run(outcomes, setting.invalid, setting.confidence, setting.vote):
        first = run.rows.iloc[0]
        found.append(
            RunPairs(
                run=run.run,
                study=run.study,
                model=str(first["model"]),
                model_kind=str(first["model_kind"]),
                strategy=str(first["strategy"]),
                counted=_counted(run.rows, setting.invalid if run.binary else "exclude"),
                asked=frozenset(map(str, run.rows["pair"])),
                binary=run.binary,
                samples=run.samples,
                voted=run.voted,
                setting=setting,
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class SharedRuns:
    """Several runs on the pairs that count in all of them.

    Attributes:
        runs: in the order given, all with the same counted pairs in the same order.
        unshared, uncounted: as in `Finding`.
    """

    runs: tuple[RunPairs, ...]
    unshared: tuple[int, ...]
    uncounted: int

    def by_stratum(self, name: str) -> dict[StratumValue, SharedRuns]:
        """As `RunPairs.by_stratum`; the numbers of other pairs stay those of all strata."""
        parts = self.runs[0].by_stratum(name)
        return {
            value: SharedRuns(
                tuple(run.only(part.counted.index) for run in self.runs),
                self.unshared,
                self.uncounted,
            )
            for value, part in parts.items()
        }


def shared_pairs(runs: Sequence[RunPairs]) -> SharedRuns:
    """Matches runs pair by pair, by the pairs' ids.

    Raises:
        CannotCompare: no pair counts in all of the runs.
        BrokenOutcomes: a pair belongs to different clusters in different runs.
    """
    everywhere = frozenset.intersection(*(run.asked for run in runs))
    names = " and ".join(run.run for run in runs)
    if not everywhere:
        raise CannotCompare(
            f"Runs {names} have no pair in common, so nothing can be compared pair by pair: give "
            "runs of the same study, settings and seed."
        )
    first = runs[0]
    common = [
        pair for pair in first.counted.index if all(pair in run.counted.index for run in runs[1:])
    ]
    if not common:
        raise CannotCompare(
            f"Of the {len(everywhere)} pairs that runs {names} have in common none has an answer "
            "that counts in each of them: wait until they are asked, or read the answers."
        )
    matched = tuple(run.only(common) for run in runs)
    for run in matched[1:]:
        torn = run.counted["cluster"].to_numpy(object) != first.counted.loc[common, "cluster"]
        if torn.any():
            raise BrokenOutcomes(
                f"Pair {common[int(torn.argmax())]} belongs to different clusters in runs "
                f"{first.run} and {run.run}: take the table from the store's outcomes as it is."
            )
    return SharedRuns(
        matched,
        tuple(len(run.asked - everywhere) for run in runs),
        len(everywhere) - len(common),
    )


def finding(
    question: Question,
    shared: SharedRuns,
    *,
    clusters: int,
    labels: Sequence[str],
    values: Sequence[float],
    method: str,
    estimate: float | None = None,
    ends: tuple[float, float] | None = None,
    p: float | None = None,
    by: str | None = None,
    stratum: str = ALL,
) -> Finding:
    """A row about some runs on the pairs they share; a single run shares all of its own."""
    runs = shared.runs
    setting = runs[0].setting
    return Finding(
        question=question,
        unit="fraction" if runs[0].binary else "scale",
        study=runs[0].study,
        runs=tuple(run.run for run in runs),
        models=tuple(run.model for run in runs),
        model_kinds=tuple(run.model_kind for run in runs),
        strategies=tuple(run.strategy for run in runs),
        by=by,
        stratum=stratum,
        n=len(runs[0].counted),
        clusters=clusters,
        unshared=shared.unshared,
        uncounted=shared.uncounted,
        labels=tuple(labels),
        values=tuple(values),
        estimate=estimate,
        ci_low=None if ends is None else ends[0],
        ci_high=None if ends is None else ends[1],
        p=p,
        confidence=setting.confidence,
        invalid=setting.invalid if runs[0].binary else "exclude",
        samples=max(run.samples for run in runs),
        voted=any(run.voted for run in runs),
        looked=any(run.run in setting.looked for run in runs),
        method=method,
    )


def alone(run: RunPairs) -> SharedRuns:
    """One run as those that share all their pairs."""
    return SharedRuns((run,), (), len(run.asked) - len(run.counted))


def _counted(rows: pd.DataFrame, invalid: InvalidRule) -> pd.DataFrame:
    import pandas as pd

    counted = count_pairs(rows, invalid)
    strata: dict[str, Mapping[str, StratumValue]] = {
        str(pair): given if isinstance(given, Mapping) else {}
        for pair, given in zip(rows["pair"], rows["strata"], strict=True)
    }
    pairs = [str(pair) for pair in counted.pair]
    return pd.DataFrame(
        {
            "x": counted.y_x,
            "x_prime": counted.y_x_prime,
            "cluster": counted.cluster,
            "strata": pd.Series(
                [strata[pair] for pair in pairs], dtype=object, index=range(len(pairs))
            ),
        }
    ).set_axis(pd.Index(pairs, dtype=object))
