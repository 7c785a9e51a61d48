"""Two runs, or several wordings of one question, compared on the very same pairs.

Between two runs every pair gives e = d_A - d_B, the difference of its two differences, so what
makes a pair hard for everyone falls out. The mean of e and its interval are those of
`biaslab.stats.estimates.estimate` with 2 as the largest that e can be; clusters are those of the
pairs. Plain accuracy is compared in the same way, with the mean outcome of both members of a pair.

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

from collections.abc import Sequence

import numpy as np

from biaslab.stats.comparisons.findings import Finding, Question
from biaslab.stats.comparisons.shared_pairs import RunPairs, Shared, finding, shared_pairs
from biaslab.stats.comparisons.spread import spread_between
from biaslab.stats.effects.strata import ALL, stratum_label
from biaslab.stats.errors import CannotCompare
from biaslab.stats.estimates.clustered import Values


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
    question: Question, what: str, shared: Shared, values: Values, by: str | None, stratum: str
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
