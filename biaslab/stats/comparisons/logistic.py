"""A logistic model of right answers, beside the effects that need no model.

Every pair gives two rows, one for each member: right or wrong (with several samples the share
right), the condition c (1 for x, 0 for x') and, where asked for, a stratum and its interaction
with the condition. A binomial generalised linear model is fitted by statsmodels with a
cluster-robust covariance (CR1; Liang & Zeger 1986, Biometrika 73:13-22); clusters are those of
the pairs, so a pair is never taken for two observations. The coefficients answer "how do the odds
change", which the share of right answers does not; so the effect in points that the model implies
is worked out as well:

    effect = mean over pairs of P(right | c = 1, stratum) - P(right | c = 0, stratum)

with the standard error of the delta method. Since every pair has both members, this equals the
plain difference of accuracies whatever the stratum does. Intervals are by t with one less than
the number of clusters as degrees of freedom, and known to be too narrow with few of them: the
interval to believe is that of `biaslab.stats.effects.effects`.

Where all answers of one kind in one stratum are right, or all are wrong, no coefficient exists
(the likelihood grows for ever; programs print one all the same), and none is printed. Where all
pairs came out alike the clustered error is 0, which no data justify: no interval either.
`get_margeff` of statsmodels is not used: it takes the product of condition and stratum for a
feature of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import scipy

from biaslab.stats.comparisons.findings import Coefficient, Finding
from biaslab.stats.comparisons.over_strata import is_number
from biaslab.stats.comparisons.shared_pairs import RunPairs, alone, finding
from biaslab.stats.effects.strata import StratumValue, stratum_label
from biaslab.stats.errors import CannotCompare, UnknownStratum
from biaslab.stats.estimates.clustered import Values

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


def _fitted(made: Finding, run: RunPairs, names: list[str], terms: Values) -> Finding:
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
    freedom = made.clusters - 1
    t = float(scipy.special.stdtrit(freedom, 0.5 + made.confidence / 2))
    share = {c: scipy.special.expit(rows @ estimate) for c, rows in design.items()}
    slope = {c: (share[c] * (1.0 - share[c]))[:, None] * rows for c, rows in design.items()}
    gradient = (slope[1.0] - slope[0.0]).mean(axis=0)
    effect = float((share[1.0] - share[0.0]).mean())
    error = float(np.sqrt(gradient @ covariance @ gradient))
    called = ["intercept", "condition", *names, *(f"condition:{name}" for name in names)]
    return replace(
        made,
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
            + f"), cluster-robust over {made.clusters} clusters (CR1, t with {freedom} degrees of "
            "freedom). The effect is the mean change of the share right that it implies, its "
            "interval by the delta method."
        ),
    )  # fmt: skip


def _p(statistic: float, freedom: int) -> float:
    return float(2.0 * scipy.special.stdtr(freedom, -abs(statistic)))
