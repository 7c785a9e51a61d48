"""How the effect of one run changes over its strata: trend, heterogeneity, a logistic model.

Strata have steadied estimates (`biaslab.stats.estimates`) with middle m_s, variance v_s and f_s
degrees of freedom, independent as long as strata share no cluster.

**Trend** over an ordered stratum with values x_s, as steps or grade: the slope of the straight
line through the effects of the strata, each of which weighs the same, so that what is estimated
does not depend on how many pairs a stratum happens to have:

    w_s = (x_s - mean x) / sum (x - mean x)^2,   slope = sum w_s m_s
    variance = sum w_s^2 v_s,   f = variance^2 / sum (w_s^4 v_s^2 / f_s)   (Welch-Satterthwaite)

Where every cluster lies in several strata, each gives a slope of its own by least squares, and
these are the values of which the mean is taken. Where only some do, there is no trend.

**Heterogeneity**, the test of equal effects: Welch's (1951, Biometrika 38:330-336) of m_s, v_s
and f_s. Beside it stands the standard deviation of the true effects, estimated by the variance of
the strata's effects less the mean of v_s (Hedges & Olkin 1985, chapter 9), without an interval.

docs/effects.md says how often both find something where nothing is.

**The logistic model** of right answers: every pair gives two rows, one for each member: right or
wrong (with several samples the share right), the condition c (1 for x, 0 for x') and, where asked
for, a stratum and its interaction with the condition. A binomial generalised linear model is fitted
by statsmodels with a cluster-robust covariance (CR1; Liang & Zeger 1986, Biometrika 73:13-22);
clusters are those of the pairs, so a pair is never taken for two observations. The coefficients
answer "how do the odds change", which the share of right answers does not; so the effect in points
that the model implies is worked out as well:

    effect = mean over pairs of P(right | c = 1, stratum) - P(right | c = 0, stratum)

with the standard error of the delta method. Since every pair has both members, this equals the
plain difference of accuracies whatever the stratum does. Intervals are by t with one less than
the number of clusters as degrees of freedom, and known to be too narrow with few of them: the
interval to believe is that of `biaslab.stats.effects`.

Where all answers of one kind in one stratum are right, or all are wrong, no coefficient exists
(the likelihood grows for ever; programs print one all the same), and none is printed. Where all
pairs came out alike the clustered error is 0, which no data justify: no interval either.
`get_margeff` of statsmodels is not used: it takes the product of condition and stratum for a
feature of its own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy

from biaslab.stats.comparisons.findings import Coefficient, Finding, Question
from biaslab.stats.comparisons.shared_pairs import RunPairs, alone, finding
from biaslab.stats.effects import StratumValue, stratum_label
from biaslab.stats.errors import CannotCompare, UnknownStratum
from biaslab.stats.estimates import METHOD, Estimate, Values, mean_estimate
from schoolmath.text.figures import count

_LARGEST_FREEDOM = 1e9
"""As many degrees of freedom as make no difference any more; scipy takes no infinity."""


def trend(run: RunPairs, by: str) -> Finding:
    """How much the effect grows with one step of an ordered stratum.

    Args:
        run: the pairs of one run; those that don't name the stratum are left out.
        by: the stratum.

    Returns:
        a row ``trend``.

    Raises:
        UnknownStratum: no pair has the stratum.
        CannotCompare: its values are no numbers, fewer than two have an effect with an interval,
            or some clusters lie in one of them and some in several.
    """
    strata = _strata(run, by)
    words = [stratum.value for stratum in strata if not is_number(stratum.value)]
    if words:
        raise CannotCompare(
            f"The values of stratum '{by}' of run {run.run} are no numbers (“{words[0]}”), so "
            "they have no trend: ask for the effect by stratum instead."
        )
    spread = _spread_clusters(strata)
    if spread == 0:
        return _contrast(run, by, strata)
    if spread == len({cluster for stratum in strata for cluster in stratum.pairs.cluster}):
        return _mean_slope(run, by, strata)
    raise CannotCompare(
        f"Some clusters of run {run.run} lie in one value of stratum '{by}' and some in several, "
        "so its trend cannot be separated from differences between clusters: read the effects by "
        "stratum instead."
    )


def heterogeneity(run: RunPairs, by: str) -> Finding:
    """Whether the effect of a run is the same in all values of a stratum.

    Args:
        run: the pairs of one run; those that don't name the stratum are left out.
        by: the stratum.

    Returns:
        a row ``heterogeneity``.

    Raises:
        UnknownStratum: no pair has the stratum.
        CannotCompare: fewer than two values have an effect with an interval, or clusters lie in
            several of them.
    """
    strata = _strata(run, by)
    if _spread_clusters(strata):
        raise CannotCompare(
            f"Clusters of run {run.run} lie in several values of stratum '{by}', so their effects "
            "are not independent and there is no test that they are equal: read them one by one."
        )
    middle, variance, freedom = _estimates(strata)
    number = len(strata)
    weight = 1.0 / variance
    share = weight / weight.sum()
    centre = float((share * middle).sum())
    lost = float(((1.0 - share) ** 2 / freedom).sum())
    square = float((weight * (middle - centre) ** 2).sum()) / (number - 1)
    f = square / (1.0 + 2.0 * (number - 2) / (number**2 - 1) * lost)
    below = min(_LARGEST_FREEDOM, (number**2 - 1) / (3.0 * lost) if lost else math.inf)
    effects = np.array([stratum.estimate.mean for stratum in strata])
    beyond = float(effects.var(ddof=1) - variance.mean())
    return _row(
        run, by, strata, "heterogeneity",
        estimate=math.sqrt(max(0.0, beyond)),
        p=float(scipy.special.fdtrc(number - 1, below, f)),
        method=(
            f"Standard deviation of the effect between {number} strata beyond chance. p: Welch's "
            f"test of equal effects, F({number - 1}, {below:.4g}) = {f:.4g} ({METHOD})."
        ),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Stratum:
    """One value of the stratum, with the pairs that have it."""

    value: StratumValue
    pairs: RunPairs
    estimate: Estimate


def _strata(run: RunPairs, by: str) -> list[_Stratum]:
    """The values with an effect that has an interval; at least two."""
    given = run.by_stratum(by)
    given.pop(None, None)
    if not given:
        names = sorted({name for strata in run.counted["strata"] for name in strata})
        offer = f"choose {', '.join(names)}" if names else "there are none"
        raise UnknownStratum(f"The pairs of run {run.run} have no stratum '{by}': {offer}.")
    found = [_Stratum(value, part, part.effect()) for value, part in given.items()]
    told = [stratum for stratum in found if stratum.estimate.interval is not None]
    if len(told) < 2:
        raise CannotCompare(
            f"Run {run.run} has {count(len(told), 'value')} of stratum '{by}' with at least two "
            "pairs: give a run with more."
        )
    return told


def is_number(value: StratumValue) -> bool:
    """Whether values of this kind have an order and distances."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _spread_clusters(strata: list[_Stratum]) -> int:
    """How many clusters lie in several strata."""
    seen = Counter(cluster for stratum in strata for cluster in set(stratum.pairs.cluster))
    return sum(times > 1 for times in seen.values())


def _estimates(strata: list[_Stratum]) -> tuple[Values, Values, Values]:
    """Middle, variance and freedom of each stratum."""
    found = [stratum.estimate for stratum in strata]
    return (
        np.array([each.middle for each in found], dtype=float),
        np.array([each.variance for each in found], dtype=float),
        np.minimum(np.array([each.freedom for each in found], dtype=float), _LARGEST_FREEDOM),
    )


def _places(strata: list[_Stratum]) -> Values:
    return np.array([float(stratum.value or 0) for stratum in strata])


def _slope_weights(places: Values) -> Values:
    """What each value counts in the least-squares slope over these places."""
    away = places - places.mean()
    weights: Values = away / (away**2).sum()
    return weights


def _contrast(run: RunPairs, by: str, strata: list[_Stratum]) -> Finding:
    """The slope of the strata's effects where they are independent."""
    middle, variance, freedom = _estimates(strata)
    weights = _slope_weights(_places(strata))
    effects = np.array([stratum.estimate.mean for stratum in strata])
    parts = weights**2 * variance
    error = math.sqrt(parts.sum())
    degrees = min(_LARGEST_FREEDOM, float(parts.sum() ** 2 / (parts**2 / freedom).sum()))
    centre = float((weights * middle).sum())
    reach = float(scipy.special.stdtrit(degrees, 0.5 + run.setting.confidence / 2)) * error
    bound = float(np.abs(weights).sum()) if run.binary else math.inf
    return _row(
        run, by, strata, "trend",
        estimate=float((weights * effects).sum()),
        ends=(max(-bound, centre - reach), min(bound, centre + reach)),
        p=float(2.0 * scipy.special.stdtr(degrees, -abs(centre) / error)),
        method=(
            f"Slope of the straight line through the effects of {len(strata)} strata, each with "
            f"the same weight ({METHOD}, {degrees:.4g} degrees of freedom)."
        ),
    )  # fmt: skip


def _mean_slope(run: RunPairs, by: str, strata: list[_Stratum]) -> Finding:
    """The mean of the clusters' own slopes, where every cluster lies in several strata."""
    values = np.concatenate([stratum.pairs.difference for stratum in strata])
    cluster = np.concatenate([stratum.pairs.cluster for stratum in strata])
    place = np.repeat(_places(strata), [len(stratum.pairs.counted) for stratum in strata])
    weights = {one: _slope_weights(place[cluster == one]) for one in dict.fromkeys(cluster)}
    slopes = np.array([(w * values[cluster == one]).sum() for one, w in weights.items()])
    # As shares of the steepest slope there can be, they are positions on a scale.
    steepest = max(float(np.abs(w).sum()) for w in weights.values())
    found = mean_estimate(slopes / steepest, None, run.setting.confidence, scale=True)
    ends = found.interval
    return _row(
        run, by, strata, "trend",
        estimate=float(slopes.mean()),
        ends=None if ends is None else (steepest * ends.low, steepest * ends.high),
        p=found.p,
        method=(
            f"Mean of the slopes of {found.n} clusters, each of which lies in several of the "
            f"{len(strata)} strata ({found.method})."
        ),
    )  # fmt: skip


def _row(
    run: RunPairs, by: str, strata: list[_Stratum], question: Question, **found: Any
) -> Finding:
    """A row about the pairs of all these strata."""
    pairs = [pair for stratum in strata for pair in stratum.pairs.counted.index]
    used = replace(alone(run), runs=(run.only(pairs),))
    return finding(
        question,
        used,
        clusters=len(set(used.runs[0].cluster)),
        labels=[stratum_label(by, stratum.value) for stratum in strata],
        values=[float(stratum.pairs.difference.mean()) for stratum in strata],
        by=by,
        **found,
    )


_ROUNDING = 1e-12


def logistic(run: RunPairs, by: str | None = None) -> Finding:
    """The logistic model of one run, with the effect that it implies.

    Args:
        run: its pairs; those that don't name the stratum are left out.
        by: a stratum that the model knows, None for the condition alone. Numbers enter as a
            straight line, centred at their mean; words as a term each.

    Returns:
        a row ``model``.

    Raises:
        CannotCompare: outcomes are no right or wrong answers, or there are no more clusters than
            coefficients.
        UnknownStratum: no pair has the stratum.
    """
    if not run.binary:
        raise CannotCompare(
            f"Outcomes of run {run.run} lie on a scale, and the logistic model is for right or "
            "wrong answers: leave it out."
        )
    parts: dict[StratumValue, RunPairs] = {None: run} if by is None else _named(run, by)
    used = run.only([pair for part in parts.values() for pair in part.counted.index])
    clusters = len(set(used.cluster))
    made = finding(
        "model",
        replace(alone(run), runs=(used,)),
        clusters=clusters,
        labels=["x", "x_prime"],
        values=[float(used.counted["x"].mean()), float(used.counted["x_prime"].mean())],
        estimate=float(used.difference.mean()),
        method="",
        by=by,
    )
    if extremes := _extremes(parts, by) or _alike(used):
        return replace(
            made,
            method=f"No coefficients and no interval: {extremes}. The effect is the plain one.",
        )
    names, terms = _terms(parts, by)
    if clusters <= 2 + 2 * len(names):
        raise CannotCompare(
            f"Run {run.run} has {clusters} clusters for a model of {2 + 2 * len(names)} "
            "coefficients: ask more pairs, or leave the stratum out."
        )
    return _fitted(made, used, names, terms)


def _named(run: RunPairs, by: str) -> dict[StratumValue, RunPairs]:
    parts = run.by_stratum(by)
    parts.pop(None, None)
    if not parts:
        raise UnknownStratum(
            f"The pairs of run {run.run} have no stratum '{by}': leave it out, or choose another."
        )
    return parts


def _extremes(parts: Mapping[StratumValue, RunPairs], by: str | None) -> str:
    """Where one kind of item is always right or always wrong, in words; empty where nowhere."""
    found = []
    for value, part in parts.items():
        where = "" if by is None else f" where {stratum_label(by, value)}"
        for name, words in (("x", "x"), ("x_prime", "x'")):
            share = float(part.counted[name].mean())
            if share in (0.0, 1.0):
                found.append(f"all answers to {words} are {'right' if share else 'wrong'}{where}")
    return ", ".join(found)


def _alike(run: RunPairs) -> str:
    """Whether every pair came out the same way, in words: then no error can be seen."""
    return "all pairs came out alike" if float(np.ptp(run.difference)) < _ROUNDING else ""


def _terms(parts: Mapping[StratumValue, RunPairs], by: str | None) -> tuple[list[str], Values]:
    """Names of the stratum's terms and their values, shape (pairs, terms)."""
    sizes = [len(part.counted) for part in parts.values()]
    if by is None or len(parts) < 2:
        return [], np.empty((sum(sizes), 0))
    if all(is_number(value) for value in parts):
        place = np.repeat([float(value or 0) for value in parts], sizes)
        return [by], (place - place.mean())[:, None]
    which = np.repeat(np.arange(len(parts)), sizes)
    values = list(parts)[1:]
    columns = [which == place for place in range(1, len(parts))]
    return [stratum_label(by, value) for value in values], np.stack(columns, axis=1).astype(float)


def _fitted(finding: Finding, run: RunPairs, names: list[str], terms: Values) -> Finding:
    """The row with coefficients and the interval of the effect."""
    # statsmodels takes a second to import, and most commands do without it.
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    n = len(run.counted)
    one = np.ones((n, 1))
    design = {c: np.hstack([one, c * one, terms, c * terms]) for c in (1.0, 0.0)}
    outcome = np.concatenate([run.counted["x"], run.counted["x_prime"]])
    groups = np.unique(np.tile(run.cluster.astype(str), 2), return_inverse=True)[1]
    model = GLM(outcome, np.vstack([design[1.0], design[0.0]]), family=Binomial())
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": groups})
    if not fit.converged:
        raise CannotCompare(
            f"The logistic model of run {run.run} did not settle: ask more pairs, or leave the "
            "stratum out."
        )
    estimate, covariance = np.asarray(fit.params), np.asarray(fit.cov_params())
    freedom = finding.clusters - 1
    t = float(scipy.special.stdtrit(freedom, 0.5 + finding.confidence / 2))
    share = {c: scipy.special.expit(rows @ estimate) for c, rows in design.items()}
    slope = {c: (share[c] * (1.0 - share[c]))[:, None] * rows for c, rows in design.items()}
    gradient = (slope[1.0] - slope[0.0]).mean(axis=0)
    effect = float((share[1.0] - share[0.0]).mean())
    error = float(np.sqrt(gradient @ covariance @ gradient))
    called = ["intercept", "condition", *names, *(f"condition:{name}" for name in names)]
    return replace(
        finding,
        estimate=effect,
        ci_low=max(-1.0, effect - t * error),
        ci_high=min(1.0, effect + t * error),
        p=_p(effect / error, freedom),
        coefficients=tuple(
            Coefficient(name, float(b), float(se), float(b - t * se), float(b + t * se),
                        _p(float(b / se), freedom))
            for name, b, se in zip(called, estimate, np.sqrt(np.diag(covariance)), strict=True)
        ),
        method=(
            "Logistic model of right answers (condition x=1, x'=0"
            + "".join(f", {name}" for name in names)
            + (", and their interaction" if names else "")
            + f"), cluster-robust over {finding.clusters} clusters (CR1, t with {freedom} "
            "degrees of "
            "freedom). The effect is the mean change of the share right that it implies, its "
            "interval by the delta method."
        ),
    )  # fmt: skip


def _p(statistic: float, freedom: int) -> float:
    return float(2.0 * scipy.special.stdtr(freedom, -abs(statistic)))
