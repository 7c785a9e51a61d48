"""The effect of a condition on answers of people to pairs, both of whom differ in level.

    answer = person + pair + effect * (x, not x') + rest

by least squares: a linear model of probabilities where answers are right or wrong, so the effect
is in points. Answers of one person hang together beyond their level, so the error is that of a
sandwich with a cluster for each person, with the leverage correction CR2 (Bell & McCaffrey 2002,
Survey Methodology 28:169-181), persons absorbed before (Pustejovsky & Tipton 2018, J. Bus. Econ.
Stat. 36:672-683), and Student's t with one less than the number of people. With few people the
sandwich is too small, and the signs of the people's contributions under the hypothesis are flipped
in all ways instead; the interval is what is not rejected so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.stats import Interval

Numbers: TypeAlias = npt.NDArray[np.float64]
Places: TypeAlias = npt.NDArray[np.int_]

_NOTHING = 1e-9
"""Sums and eigenvalues below this are nought but for rounding."""


@dataclass(frozen=True, slots=True)
class EffectFit:
    """An effect and what is needed to say how sure it is.

    Attributes:
        effect: mean of x less mean of x', persons and pairs held fixed.
        error: its standard error; None where answers do not vary enough to judge by.
        people: who answered both conditions; answers: theirs.
        spread: standard deviation of an answer around person, pair and condition.
        scores, weights: by person: what they contribute to numerator and denominator of the
            effect, persons and pairs held fixed.
    """

    effect: float
    error: float | None
    people: int
    answers: int
    spread: float
    scores: Numbers
    weights: Numbers


def fit(y: Numbers, is_x: npt.NDArray[np.bool_], person: Places, pair: Places) -> EffectFit | None:
    """The effect; None where persons and pairs leave nothing to tell it by.

    Args:
        y: an outcome for each answer.
        is_x: whether it is to x.
        person: by whom.
        pair: to which.
    """
    _, person = np.unique(person, return_inverse=True)
    of_x = np.bincount(person, weights=is_x)
    both = (of_x > 0) & (of_x < np.bincount(person))
    if not both.any():
        return None
    kept = both[person]
    # Sorted by person, so that a person's rows are a slice.
    order = np.flatnonzero(kept)[np.argsort(person[kept], kind="stable")]
    y, is_x, person, pair = y[order], is_x[order], person[order], pair[order]
    _, person = np.unique(person, return_inverse=True)
    _, pair = np.unique(pair, return_inverse=True)
    dummies = np.eye(int(pair.max()) + 1)[pair][:, 1:]
    y, condition, dummies = (
        _without_persons(each, person) for each in (y, is_x.astype(np.float64), dummies)
    )
    residual_condition = condition - _projected(dummies, condition)
    weight = float(residual_condition @ residual_condition)
    if weight < _NOTHING:
        return None
    under_null = y - _projected(dummies, y)
    effect = float(residual_condition @ y / weight)
    rest = under_null - effect * residual_condition
    people = int(person.max()) + 1
    freedom = len(y) - people - np.linalg.matrix_rank(dummies) - 1
    spread = math.sqrt(float(rest @ rest) / freedom) if freedom > 0 else 0.0
    design = np.column_stack([condition, dummies])
    return EffectFit(
        effect,
        _error(design, rest, person),
        people,
        len(y),
        spread,
        _summed(residual_condition * under_null, person),
        _summed(residual_condition**2, person),
    )


def t_interval(found: EffectFit, confidence: float) -> tuple[Interval, float] | None:
    """The interval and p by Student's t; None where there is no error."""
    if not found.error or found.people < 2:
        return None
    reach = float(scipy.stats.t.ppf(0.5 + confidence / 2, found.people - 1)) * found.error
    p = 2 * float(scipy.stats.t.sf(abs(found.effect) / found.error, found.people - 1))
    return Interval(found.effect - reach, found.effect + reach), p


def flip_interval(found: EffectFit, confidence: float) -> tuple[Interval, float] | None:
    """The interval and p by flipping each person's sign in all ways; for a dozen people at most.

    A value is rejected where no more than 1 - confidence of the flips give as large a sum as was
    seen. For each flip the values that it speaks for are an interval around the effect, so the
    ends are found by counting. None where answers do not vary, or there are too few people for
    any value to be rejected.
    """
    people = found.people
    if not found.error or 2 / 2**people > 1 - confidence:
        return None
    signs = 1.0 - 2.0 * ((np.arange(2**people)[:, None] >> np.arange(people)) & 1)
    a, b = signs @ found.scores, signs @ found.weights
    total = float(found.weights.sum())
    seen = found.effect * total
    p = float((np.abs(a) >= abs(seen) - _NOTHING).mean())
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack([(seen + a) / (total + b), (seen - a) / (total - b)])
    # Everybody flipped, or nobody: as large as what was seen, whatever the value.
    always = np.abs(np.abs(b) - total) < _NOTHING
    high = np.where(always, np.inf, ends.max(axis=0))
    low = np.where(always, -np.inf, ends.min(axis=0))
    cut = int((1 - confidence) * len(a) + _NOTHING)
    return Interval(float(np.sort(low)[cut]), float(np.sort(high)[::-1][cut])), p


def _summed(values: Numbers, person: Places) -> Numbers:
    """Sums by person."""
    return np.bincount(person, weights=values).astype(np.float64)


def _without_persons(values: Numbers, person: Places) -> Numbers:
    """Values, or columns of them, less their person's mean."""
    if values.ndim > 1:
        columns = [_without_persons(each, person) for each in values.T]
        return np.column_stack(columns) if columns else values
    means = _summed(values, person) / np.bincount(person)
    return np.asarray(values - means[person])


def _projected(design: Numbers, values: Numbers) -> Numbers:
    """What the columns of the design say of the values."""
    if not design.shape[1]:
        return np.zeros_like(values)
    return np.asarray(design @ np.linalg.lstsq(design, values, rcond=None)[0])


def _error(design: Numbers, rest: Numbers, person: Places) -> float | None:
    """The standard error of the first coefficient by CR2; rows are sorted by person."""
    bread = np.linalg.pinv(design.T @ design, hermitian=True)
    meat = 0.0
    cuts = np.flatnonzero(np.diff(person)) + 1
    for mine, left in zip(np.split(design, cuts), np.split(rest, cuts), strict=True):
        values, vectors = np.linalg.eigh(np.eye(len(mine)) - mine @ bread @ mine.T)
        roots = np.where(values > _NOTHING, 1 / np.sqrt(np.maximum(values, _NOTHING)), 0.0)
        corrected = vectors @ (roots * (vectors.T @ left))
        meat += float(bread[0] @ (mine.T @ corrected)) ** 2
    return math.sqrt(meat) if meat > _NOTHING**2 else None
