"""Two runs, or several wordings of one question, compared on the very same pairs.

Between two runs every pair gives e = d_A - d_B, the difference of its two differences, so what
makes a pair hard for everyone falls out. The mean of e and its interval are those of
`biaslab.stats.estimates` with 2 as the largest that e can be; clusters are those of the pairs.
Plain accuracy is compared in the same way, with the mean outcome of both members of a pair.

Several wordings of one model share all pairs, so they are no independent studies, and formulas
that pool studies do not apply. With true effects mu_1 .. mu_R, what is estimated is

    s^2 = sum (mu_r - mean mu)^2 / (R - 1) = sum over r < q of (mu_r - mu_q)^2 / (R (R - 1))

by the same sum over the estimates less the sampling variance of each difference, as its clusters
show it. The R (R - 1) / 2 differences have intervals that hold together with the
confidence asked for (Bonferroni); put into the sum, the ends of their squares nearest to 0 and
farthest from it give an interval of s that holds at least as often. p is the smallest of
theirs times their number: it is below alpha exactly where the interval leaves out 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from biaslab.stats.comparisons.findings import Finding, Question, with_holm
from biaslab.stats.comparisons.over_strata import heterogeneity, logistic, trend
from biaslab.stats.comparisons.shared_pairs import (
    CountingRules,
    RunPairs,
    SharedRuns,
    finding,
    runs_of,
    shared_pairs,
)
from biaslab.stats.effects import ALL, stratum_label
from biaslab.stats.errors import CannotCompare, UnknownStratum
from biaslab.stats.estimates import Estimate, Interval, Values, clustered_mean
from schoolmath.text.figures import count, exact_percent

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class EffectSpread:
    """The standard deviation of several true effects.

    Attributes:
        deviation: in the unit of the effects; interval: of it; both None where no difference has
            an interval.
        p: of the test that all are the same; clusters: what the pairs are grouped in.
        method: how interval and p were made, in a sentence.
    """

    deviation: float | None
    interval: Interval | None
    p: float | None
    clusters: int
    method: str


def spread_between(
    effects: Sequence[Values],
    cluster: npt.NDArray[Any],
    estimate: Callable[[Values, float], Estimate],
    confidence: float = 0.95,
) -> EffectSpread:
    """How far two or more effects on the same pairs lie apart, beyond chance.

    Args:
        effects: for each, a difference a pair, shape (pairs,).
        cluster: what each pair shares with others, shape (pairs,).
        estimate: the mean of differences between two of them, at a level of confidence.
        confidence: of the interval, over all their differences.
    """
    apart = [one - other for one, other in combinations(effects, 2)]
    together = 1.0 - (1.0 - confidence) / len(apart)
    estimates = [estimate(values, together) for values in apart]
    chance = [clustered_mean(values, cluster).variance or 0.0 for values in apart]
    beyond = sum(float(v.mean()) ** 2 - c for v, c in zip(apart, chance, strict=True))
    parts = len(effects) * (len(effects) - 1)
    squares = [_squares(each.interval) for each in estimates if each.interval is not None]
    ends = [math.sqrt(sum(end) / parts) for end in zip(*squares, strict=True)]
    p = [each.p for each in estimates if each.p is not None]
    return EffectSpread(
        math.sqrt(max(0.0, beyond) / parts) if squares else None,
        Interval(*ends) if ends else None,
        min(1.0, min(p) * len(p)) if p else None,
        estimates[0].clusters,
        f"Interval and p from their {len(apart)} differences, each at {exact_percent(together)} "
        f"({estimates[0].method}).",
    )


def _squares(interval: Interval) -> tuple[float, float]:
    """The least and the largest square of a number in the interval."""
    ends = sorted((interval.low**2, interval.high**2))
    return (0.0 if interval.low <= 0.0 <= interval.high else ends[0]), ends[1]


def differences(first: RunPairs, second: RunPairs, by: str | None = None) -> list[Finding]:
    """How much the effect, and the accuracy, of one run differ from those of another.

    Args:
        first: the run whose figures stand first.
        second: the run whose figures are taken from them.
        by: a stratum whose values get a row each, after that for all pairs.

    Returns:
        rows ``effect-difference`` and, for right or wrong answers, ``accuracy-difference``.

    Raises:
        CannotCompare: the runs have no pair in common that counts in both.
    """
    shared = shared_pairs((first, second))
    parts = {ALL: shared}
    if by is not None:
        parts |= {stratum_label(by, value): part for value, part in shared.by_stratum(by).items()}
    found: list[Finding] = []
    for stratum, part in parts.items():
        effects = np.stack([run.difference for run in part.runs])
        found.append(_difference("effect-difference", "Effect", part, effects, by, stratum))
    if first.binary:
        for stratum, part in parts.items():
            levels = np.stack([run.level for run in part.runs])
            found.append(_difference("accuracy-difference", "Accuracy", part, levels, by, stratum))
    return found


def wordings(runs: Sequence[RunPairs]) -> Finding:
    """How much the effect of one model depends on how it is asked, beyond chance.

    Args:
        runs: of one model, two or more, each asked in another way.

    Returns:
        a row ``wordings``: the standard deviation of the true effects between wordings, with
        interval and p.

    Raises:
        CannotCompare: the runs have no pair in common that counts in all of them, or two of them
            asked in the same way.
    """
    ways = [run.strategy for run in runs]
    if len(set(ways)) < len(ways):
        twice = next(way for way in ways if ways.count(way) > 1)
        raise CannotCompare(
            f"Several of the runs of {runs[0].model} asked it in the same way ({twice}), so ways "
            "of asking are not compared as a whole: name one run for each way."
        )
    shared = shared_pairs(runs)
    first, number = shared.runs[0], len(runs)
    found = spread_between(
        [run.difference for run in shared.runs],
        first.cluster,
        lambda values, confidence: first.mean(values, 2.0, confidence),
        first.setting.confidence,
    )
    return finding(
        "wordings",
        shared,
        clusters=found.clusters,
        labels=[run.run for run in shared.runs],
        values=[float(run.difference.mean()) for run in shared.runs],
        estimate=found.deviation,
        ends=None if found.interval is None else (found.interval.low, found.interval.high),
        p=found.p,
        method=(
            f"Standard deviation of the effect between {number} prompt strategies on the same "
            f"pairs, beyond chance. {found.method}"
        ),
    )


def _difference(
    question: Question, what: str, shared: SharedRuns, values: Values, by: str | None, stratum: str
) -> Finding:
    """A row from one value a pair and run, shape (2, pairs)."""
    first = shared.runs[0]
    found = first.mean(values[0] - values[1], 2.0 if question == "effect-difference" else 1.0)
    return finding(
        question,
        shared,
        clusters=found.clusters,
        labels=[run.run for run in shared.runs],
        values=[float(each.mean()) for each in values],
        estimate=found.mean,
        ends=None if found.interval is None else (found.interval.low, found.interval.high),
        p=found.p,
        method=f"{what} of the first run minus that of the second, pair by pair: {found.method}.",
        by=None if stratum == ALL else by,
        stratum=stratum,
    )


FEW_CLUSTERS = 10
"""With fewer, hardly anything can be found."""


@dataclass(frozen=True, slots=True)
class RunComparison:
    """What was found, and what has to be known before it is believed, in sentences."""

    findings: tuple[Finding, ...]
    warnings: tuple[str, ...]


def compare(
    outcomes: pd.DataFrame,
    by: str | None = None,
    trend_over: str | None = None,
    model_based: bool = False,
    setting: CountingRules | None = None,
) -> RunComparison:
    """Compares the runs of a table of outcomes.

    Any two runs of one study are compared on the pairs they share (`differences`); runs of one
    model that were asked in different ways also together (`wordings`). Each question's rows form
    one family for Holm's p.

    Args:
        outcomes: as for `biaslab.stats.effects`, the runs that somebody wants to compare
        and
            no others.
        by: a stratum: differences get a row for each of its values, and every run a test that
            its effect is the same in all of them (`heterogeneity`).
        trend_over: an ordered stratum, over which every run's effect gets a slope (`trend`).
        model_based: whether every run gets a logistic model (`logistic`), which knows the
            stratum of ``trend_over``, else that of ``by``.
        setting: how outcomes are counted; None for the usual.

    Raises:
        CannotCompare: nothing that was asked for can be answered, or nothing was.
        UnknownStratum: no run has a stratum that was asked for.
        BrokenOutcomes, UnknownChoice: as for `biaslab.stats.effects`.
    """
    runs = runs_of(outcomes, setting or CountingRules())
    asked: list[Callable[[], Finding | list[Finding]]] = [
        partial(differences, one, other, by)
        for one, other in combinations(runs, 2)
        if one.study == other.study
    ]
    asked += [partial(wordings, group) for group in _worded(runs)]
    for run in runs:
        if trend_over is not None:
            asked.append(partial(trend, run, trend_over))
        if by is not None:
            asked.append(partial(heterogeneity, run, by))
        if model_based:
            asked.append(partial(logistic, run, trend_over or by))
    if not asked:
        raise CannotCompare(
            "There is nothing to compare: name two runs of one study with the same pairs, or ask "
            "for a trend, a breakdown or a model of one."
        )
    found: list[Finding] = []
    refused: list[CannotCompare | UnknownStratum] = []
    for question in asked:
        try:
            answer = question()
            found += answer if isinstance(answer, list) else [answer]
        except (CannotCompare, UnknownStratum) as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return RunComparison(
        tuple(with_holm(found)), tuple(dict.fromkeys((*map(str, refused), *_warnings(found))))
    )


def _worded(runs: Sequence[RunPairs]) -> list[list[RunPairs]]:
    """Runs of one study and model that were asked in different ways, together."""
    groups: dict[tuple[str, str], list[RunPairs]] = {}
    for run in runs:
        groups.setdefault((run.study, run.model), []).append(run)
    return [group for group in groups.values() if len({run.strategy for run in group}) > 1]


def _warnings(findings: Sequence[Finding]) -> list[str]:
    sentences: list[str] = []
    for each in findings:
        runs = " and ".join(each.runs)
        if any(each.unshared):
            alone = ", ".join(
                f"{pairs} of {run}" for run, pairs in zip(each.runs, each.unshared, strict=True)
            )
            sentences.append(
                f"Runs {runs}: pairs that were not asked in all of them are left out ({alone})."
            )
        if each.uncounted:
            sentences.append(
                f"{'Runs' if len(each.runs) > 1 else 'Run'} {runs}: pairs without an answer "
                f"that counts are left out ({each.uncounted})."
            )
        if each.clusters < FEW_CLUSTERS:
            sentences.append(
                f"{each.question} of {each.name} rests on "
                f"{count(each.clusters, 'independent group')} of pairs: next to nothing can be "
                "found with so few."
            )
        if each.looked:
            sentences.append(
                f"One of the runs {runs} was checked while it went on, and comparisons don't "
                "allow for that: take their intervals for a little too narrow."
            )
        if each.question == "model" and not each.coefficients:
            sentences.append(f"Run {runs}: {each.method}")
    return sentences
