"""The published metric of a bias, its parameters kept as a triple.

Malberg et al. (2024): with a1 and a2 the positions of the options chosen in control and treatment
(0-based, in the order of the scale),

    m = kappa * (|a1 - gamma1| - |a2 - gamma2|) / max(|a1 - gamma1|, |a2 - gamma2|),

between -1 and 1, and 0 where both distances are 0. It is a ratio to a chosen end of the scale
and no difference: (0, 1) gives -+1, (5, 6) gives -+1/6.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Metric:
    """Parameters of the metric for one case.

    Attributes:
        kappa: 1 or -1, which direction is the classic bias.
        gamma1, gamma2: positions that distances are measured from in control and treatment;
            they may lie off the scale.
    """

    kappa: int
    gamma1: int
    gamma2: int

    def of(self, control: int, treatment: int) -> Fraction:
        """The metric of two answers, 0-based positions on the scale."""
        one, other = abs(control - self.gamma1), abs(treatment - self.gamma2)
        if one == other == 0:
            return Fraction(0)
        return self.kappa * Fraction(one - other, max(one, other))


_Table = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Chance:
    """What answers drawn at random, all options alike, would give.

    Attributes:
        mean: expected metric; mean_size: expected size of the metric, whatever its sign.
        sd: standard deviation of the metric of one case.
    """

    mean: float
    mean_size: float
    sd: float


@dataclass(frozen=True, slots=True)
class AskedCase:
    """A case with what was shown, so that cases which share a prompt are known.

    Attributes:
        metric: its parameters; options: of the scale.
        control, treatment: what identifies the prompts of its arms.
        is_reversed: whether options were shown from last to first.
    """

    metric: Metric
    options: int
    control: str
    treatment: str
    is_reversed: bool = False


def by_chance(cases: Iterable[tuple[Metric, int]]) -> Chance:
    """The exact expectations, by going through all pairs of answers.

    Args:
        cases: each case's metric and number of options; cases count alike.

    Raises:
        ValueError: no case.
    """
    first = second = size = Fraction(0)
    count = 0
    for metric, options in cases:
        count += 1
        mean, mean_size, square = _moments(metric, options)
        first, size, second = first + mean, size + mean_size, second + square
    if not count:
        raise ValueError("There are no cases.")
    mean = first / count
    return Chance(float(mean), float(size / count), sqrt(second / count - mean * mean))


def standard_error(cases: Sequence[AskedCase]) -> float:
    """The exact standard error of the mean metric when every prompt is answered by one draw.

    Where no prompt is shared, this is the usual sd / sqrt(n) of cases that differ in nothing
    but chance. A shared prompt has one answer in all its cases: each case's metric is split
    into what either answer gives by itself and what both give together, which are
    uncorrelated, and the parts of shared prompts are added before they are squared.

    Raises:
        ValueError: no case.
    """
    if not cases:
        raise ValueError("There are no cases.")
    alone: dict[str, list[_Table]] = defaultdict(list)
    together: dict[tuple[str, str], list[_Table]] = defaultdict(list)
    for case in cases:
        table = _table(case.metric, case.options)
        if case.is_reversed:
            table = table[::-1, ::-1]
        centred = table - table.mean()
        of_control, of_treatment = centred.mean(axis=1), centred.mean(axis=0)
        rest = centred - of_control[:, None] - of_treatment[None, :]
        alone[case.control].append(of_control)
        alone[case.treatment].append(of_treatment)
        # One pair's control may be another one's treatment, where contents are swapped.
        turned = case.treatment < case.control
        names = (case.treatment, case.control) if turned else (case.control, case.treatment)
        together[names].append(rest.T if turned else rest)
    variance = sum(_variance(parts) for parts in (*alone.values(), *together.values()))
    return sqrt(variance) / len(cases)


def _variance(parts: Sequence[_Table]) -> float:
    return float((np.sum(parts, axis=0) ** 2).mean())


@cache
def _table(metric: Metric, options: int) -> _Table:
    every = [[float(metric.of(a, b)) for b in range(options)] for a in range(options)]
    return np.array(every, dtype=np.float64)


@cache
def _moments(metric: Metric, options: int) -> tuple[Fraction, Fraction, Fraction]:
    every = [metric.of(*answers) for answers in product(range(options), repeat=2)]
    return (
        sum(every, Fraction(0)) / len(every),
        sum((abs(each) for each in every), Fraction(0)) / len(every),
        sum((each * each for each in every), Fraction(0)) / len(every),
    )
