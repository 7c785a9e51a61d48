"""Two logs of any task, compared sample by sample on what both have.

The difference is the first log's score minus the second's, pair by pair. Samples that share a
cluster, or an id asked several times, are not independent: the interval respects it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Protocol, TypeAlias

import numpy as np
import scipy

from biaslab.stats.estimates import Estimate, Interval
from biaslab.stats.paired import cate_estimate, is_binary, mcnemar_p
from schoolmath.text.figures import count, exact_percent, p_words, signed_number, signed_points

Scores: TypeAlias = Sequence[float | None] | Mapping[Any, float | None]
Clusters: TypeAlias = Sequence[Any] | Mapping[Any, Any]

POWER = 0.8
"""Of the smallest difference that is said to be found."""

BY_MCNEMAR = "exact McNemar test"
BY_INTERVAL = "the test that belongs to the interval"


class SampleLog(Protocol):
    """The scores of a log by sample, as `biaslab.files.formats.scores.ScoredLog` has them."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def scores(self) -> Mapping[Any, float]:
        """By sample: a tuple of its id and which of several times it is, from 1."""
        ...

    @property
    def clusters(self) -> Mapping[Any, str]:
        """What a sample shares with others."""
        ...

    @property
    def left_out(self) -> Mapping[str, int]:
        """Samples that cannot be used, by the reason."""
        ...


@dataclass(frozen=True, slots=True)
class LogComparison:
    """How two logs differ.

    Attributes:
        a, b: names of the logs.
        n: samples that both have; clusters: independent groups of them.
        mean_a, mean_b: mean scores on these; difference: the first minus the second.
        ci_low, ci_high: of the difference, at ``confidence``; None with fewer than two groups.
        p: two-sided; test: which, in words. None with the interval.
        q: Benjamini-Hochberg, over all comparisons made together; None where there is one.
        visible: the smallest difference that so many samples find in 80 % of cases, at the level
            of the interval; None with p.
        binary: whether every score is 0 or 1; shares: whether every one lies in 0..1, so that
            means are shares and differences are percentage points.
        only_a, only_b: samples that the other log does not have.
        left_out_a, left_out_b: samples that could not be used, by the reason.
        differ: samples with another score, most different first: key, score in a, score in b.
    """

    a: str
    b: str
    n: int
    clusters: int
    mean_a: float | None
    mean_b: float | None
    difference: float | None
    ci_low: float | None
    ci_high: float | None
    p: float | None
    q: float | None
    test: str
    visible: float | None
    binary: bool
    shares: bool
    confidence: float
    only_a: int
    only_b: int
    left_out_a: Mapping[str, int]
    left_out_b: Mapping[str, int]
    differ: tuple[tuple[Any, float, float], ...]


@dataclass(frozen=True, slots=True)
class SampleScores:
    """Scores that are at hand, as a log.

    Attributes:
        name, scores, clusters, left_out: as `SampleLog` has them.
    """

    name: str
    scores: Mapping[Any, float]
    clusters: Mapping[Any, str]
    left_out: Mapping[str, int]


def paired(
    a: Scores, b: Scores, cluster: Clusters | None = None, confidence: float = 0.95
) -> LogComparison:
    """Scores of the same samples under two conditions, compared pair by pair.

    Args:
        a: numbers in the order of the samples, or by their ids. None and NaN are missing, not
            wrong: they are left out and counted.
        b: the same; what only one of them has is left out and counted as well.
        cluster: what each sample shares with others, in the same order or by id.
        confidence: coverage of the interval.

    Returns:
        The difference is ``a`` minus ``b``. Where every score is 0 or 1 and nothing is clustered,
        p is that of the exact McNemar test; else that of the interval.

    Raises:
        ValueError: two sequences of different length.
    """
    given = [*(each for each in (a, b, cluster) if each is not None)]
    lengths = {len(each) for each in given if not isinstance(each, Mapping)}
    if len(lengths) > 1:
        raise ValueError(
            f"There are {' and '.join(map(str, sorted(lengths)))} values: give one for each "
            "sample, or mappings by the samples' ids."
        )
    shared = {} if cluster is None else {(key, 1): str(of) for key, of in _by_id(cluster)}
    logs = []
    for name, values in (("a", a), ("b", b)):
        known = {(key, 1): float(each) for key, each in _by_id(values) if not _is_missing(each)}
        missing = len(values) - len(known)
        logs.append(SampleScores(name, known, shared, {"no score": missing} if missing else {}))
    return compare_logs(logs, confidence)[0]


def _by_id(values: Scores | Clusters) -> Iterable[tuple[Any, Any]]:
    return values.items() if isinstance(values, Mapping) else enumerate(values)


def _is_missing(score: float | None) -> bool:
    return score is None or math.isnan(score)


def compare_logs(logs: Sequence[SampleLog], confidence: float = 0.95) -> list[LogComparison]:
    """Every two logs, with q over all of them.

    Args:
        logs: two at least.
        confidence: coverage of the intervals.

    Raises:
        ValueError: there are fewer than two.
    """
    if len(logs) < 2:
        raise ValueError("Two logs at least can be compared.")
    found = [_compared(a, b, confidence) for a, b in combinations(logs, 2)]
    tested = [each.p for each in found if each.p is not None]
    if len(found) == 1 or not tested:
        return found
    rates = iter(scipy.stats.false_discovery_control(tested, method="bh"))
    return [each if each.p is None else replace(each, q=float(next(rates))) for each in found]


def _compared(a: SampleLog, b: SampleLog, confidence: float) -> LogComparison:
    keys = [key for key in a.scores if key in b.scores]
    x, y = (np.array([log.scores[key] for key in keys], dtype=float) for log in (a, b))
    groups = np.array([_group(key, a, b) for key in keys], dtype=str)
    low, span = _scale(x, y)
    binary = bool(keys) and is_binary(x, y)
    estimate = cate_estimate((x - low) / span, (y - low) / span, groups, confidence,
                             scale=not binary)  # fmt: skip
    alone = estimate.clusters == estimate.n
    p, test = estimate.p, BY_INTERVAL
    if binary and alone and p is not None:
        p, test = mcnemar_p(x, y), BY_MCNEMAR
    ends = estimate.interval or Interval(math.nan, math.nan)
    differ = sorted(
        ((key, u, v) for key, u, v in zip(keys, x.tolist(), y.tolist(), strict=True) if u != v),
        key=lambda each: -abs(each[1] - each[2]),
    )
    return LogComparison(
        a=a.name, b=b.name, n=len(keys), clusters=estimate.clusters,
        mean_a=float(x.mean()) if keys else None, mean_b=float(y.mean()) if keys else None,
        difference=None if estimate.mean is None else float((x - y).mean()),
        ci_low=_finite(ends.low * span), ci_high=_finite(ends.high * span), p=p, q=None, test=test,
        visible=_visible(estimate, confidence, span), binary=binary, shares=_are_shares(x, y),
        confidence=confidence,
        only_a=len(a.scores) - len(keys), only_b=len(b.scores) - len(keys),
        left_out_a=a.left_out, left_out_b=b.left_out, differ=tuple(differ),
    )  # fmt: skip


def _group(key: Any, a: SampleLog, b: SampleLog) -> str:
    """What a sample shares with others: its cluster, else its id, asked several times."""
    return a.clusters.get(key) or b.clusters.get(key) or str(key[0])


def _scale(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Start and length of the scale of the scores: 0 to 1, or from the least to the greatest."""
    both = np.concatenate([x, y])
    if _are_shares(x, y):
        return 0.0, 1.0
    return float(both.min()), float(np.ptp(both)) or 1.0


def _are_shares(*scores: np.ndarray) -> bool:
    return all(((each >= 0.0) & (each <= 1.0)).all() for each in scores)


def _visible(estimate: Estimate, confidence: float, span: float) -> float | None:
    if estimate.variance is None or estimate.freedom is None:
        return None
    found, powered = scipy.stats.t.ppf(np.array([(1 + confidence) / 2, POWER]), estimate.freedom)
    return float((found + powered) * math.sqrt(estimate.variance) * span)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def log_sentences(comparison: LogComparison) -> list[str]:
    """What a comparison says: verdict, figures, what else to know."""
    if comparison.n == 0:
        return [
            f"{comparison.a} and {comparison.b} have no sample in common.",
            *_missing(comparison),
        ]
    shown = signed_points if comparison.shares else signed_number
    unit = " points" if comparison.shares else ""
    sentences = [
        f"{_verdict(comparison)}: {shown(comparison.difference)}{unit} ({comparison.a} minus "
        f"{comparison.b})"
        + (
            f", {exact_percent(comparison.confidence)} interval {shown(comparison.ci_low)} to "
            f"{shown(comparison.ci_high)}"
            if comparison.ci_low is not None
            else ""
        )
        + f", {count(comparison.n, 'sample')}"
        + (
            f" in {count(comparison.clusters, 'group')}"
            if comparison.clusters < comparison.n
            else ""
        )
        + "."
    ]
    if comparison.p is not None:
        rate = "" if comparison.q is None else f", q {p_words(comparison.q)}"
        sentences.append(f"p {p_words(comparison.p)} ({comparison.test}){rate}.")
    if comparison.visible is not None and comparison.shares and comparison.visible > 1:
        sentences.append("So few samples show no difference of any size reliably.")
    elif comparison.visible is not None:
        sentences.append(
            f"With so many samples you would see {shown(comparison.visible).lstrip('+')}{unit} in "
            f"{exact_percent(POWER)} of cases."
        )
    return [*sentences, *_missing(comparison)]


def _verdict(comparison: LogComparison) -> str:
    if comparison.ci_low is None or comparison.ci_high is None:
        return "Too few samples to judge"
    if comparison.ci_low > 0:
        return f"{comparison.a} scores higher"
    return f"{comparison.b} scores higher" if comparison.ci_high < 0 else "No clear difference"


def _missing(comparison: LogComparison) -> Iterable[str]:
    for name, only in ((comparison.a, comparison.only_a), (comparison.b, comparison.only_b)):
        if only:
            yield f"Only in {name}: {count(only, 'sample')}."
    for name, reasons in (
        (comparison.a, comparison.left_out_a),
        (comparison.b, comparison.left_out_b),
    ):
        if reasons:
            each = "; ".join(f"{count(n, 'sample')} with {why}" for why, n in reasons.items())
            yield f"Left out of {name}: {each}."


def log_record(comparison: LogComparison, most: int = 0) -> dict[str, Any]:
    """A comparison for JSON: the figures, and the samples that differ most.

    Args:
        comparison: the comparison.
        most: so many samples are listed.
    """
    return {
        "a": comparison.a, "b": comparison.b, "n": comparison.n,
        "difference": comparison.difference,
        "ci_low": comparison.ci_low, "ci_high": comparison.ci_high,
        "p": comparison.p, "q": comparison.q,
        "test": comparison.test, "confidence": comparison.confidence,
        "clusters": comparison.clusters,
        "mean_a": comparison.mean_a, "mean_b": comparison.mean_b, "binary": comparison.binary,
        "visible_difference": comparison.visible,
        "only_a": comparison.only_a, "only_b": comparison.only_b,
        "left_out_a": dict(comparison.left_out_a), "left_out_b": dict(comparison.left_out_b),
        "differing": len(comparison.differ),
        "differ": [
            {"id": key[0], "epoch": key[1], "a": a, "b": b}
            for key, a, b in comparison.differ[:most]
        ],
    }  # fmt: skip
