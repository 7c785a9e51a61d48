"""All that can be asked when runs are compared, in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from biaslab.stats.comparisons.comparisons import differences, wordings
from biaslab.stats.comparisons.findings import Finding, with_holm
from biaslab.stats.comparisons.logistic import logistic
from biaslab.stats.comparisons.over_strata import heterogeneity, trend
from biaslab.stats.comparisons.shared_pairs import CountingRules, RunPairs, runs_of
from biaslab.stats.errors import CannotCompare, UnknownStratum
from schoolmath.text.figures import count

if TYPE_CHECKING:
    import pandas as pd

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
        outcomes: as for `biaslab.stats.effects.effects`, the runs that somebody wants to compare
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
        BrokenOutcomes, UnknownChoice: as for `biaslab.stats.effects.effects`.
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


def _warnings(found: Sequence[Finding]) -> list[str]:
    sentences: list[str] = []
    for finding in found:
        runs = " and ".join(finding.runs)
        if any(finding.unshared):
            alone = ", ".join(
                f"{pairs} of {run}"
                for run, pairs in zip(finding.runs, finding.unshared, strict=True)
            )
            sentences.append(
                f"Runs {runs}: pairs that were not asked in all of them are left out ({alone})."
            )
        if finding.uncounted:
            sentences.append(
                f"{'Runs' if len(finding.runs) > 1 else 'Run'} {runs}: pairs without an answer "
                f"that counts are left out ({finding.uncounted})."
            )
        if finding.clusters < FEW_CLUSTERS:
            sentences.append(
                f"{finding.question} of {finding.name} rests on "
                f"{count(finding.clusters, 'independent group')} of pairs: next to nothing can be "
                "found with so few."
            )
        if finding.looked:
            sentences.append(
                f"One of the runs {runs} was looked at while it went on, and comparisons don't "
                "allow for that: take their intervals for a little too narrow."
            )
        if finding.question == "model" and not finding.coefficients:
            sentences.append(f"Run {runs}: {finding.method}")
    return sentences
