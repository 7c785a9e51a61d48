"""What a stopping rule says at a look, and boundaries for several looks: alpha spending.

Looking at the times t_1 < ... < t_K (shares of all information, t_K = 1) at a standard normal
statistic Z_k, with a plain 5 % test each time, finds "effects" far more often than 5 times in a
hundred where there is none. Here the error that may have happened until time t is fixed in
advance, alpha(t), and the critical value of each look is the one that spends what is due (Lan &
DeMets 1983, Biometrika 70:659-663). Under no effect B_k = Z_k sqrt(t_k) has independent normal
increments with variances t_k - t_(k-1); its density among the runs that go on is carried from
look to look by numerical integration (Armitage, McPherson & Rowe 1969, J. R. Stat. Soc. A
132:235-244; Jennison & Turnbull 2000, *Group Sequential Methods*, chapter 19).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.stats.errors import ImpossiblePlan, UnknownChoice
from biaslab.stats.estimates import Interval


@dataclass(frozen=True, slots=True)
class Adjustment:
    """How the CATE interval of a run that was looked at repeatedly has to be made.

    Attributes:
        confidence: the level at which the interval is made, higher than the coverage.
        note: why, in sentences for a reader.
        coverage: what the interval promises in spite of looking.
    """

    confidence: float
    note: str
    coverage: float = 0.95

    def as_json(self) -> dict[str, Any]:
        """A JSON-ready object; `of_json` reads it back."""
        return asdict(self)

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Adjustment:
        """Reads what `as_json` wrote.

        Raises:
            UnknownChoice: it is something else.
        """
        try:
            return cls(float(value["confidence"]), str(value["note"]), float(value["coverage"]))
        except (KeyError, TypeError, ValueError) as error:
            raise UnknownChoice(
                f"This is no adjustment of an interval ({error!r}): make the decision again."
            ) from error


@dataclass(frozen=True, slots=True)
class Decision:
    """What a stopping rule says at one look.

    Attributes:
        stop: whether to ask no more pairs.
        reason: why or why not, as a sentence.
        look: which look this is, from 1; pairs: how many pairs counted.
        cate: the effect so far; None without pairs.
        interval: its interval, made so that it keeps its coverage in spite of looking; None
            where none can be determined.
        critical: the critical value of this look, on the scale of a standard normal statistic.
        adjustment: how that interval was made; give it to `biaslab.stats.effects`.
    """

    stop: bool
    reason: str
    look: int
    pairs: int
    cate: float | None
    interval: Interval | None
    critical: float
    adjustment: Adjustment

    @property
    def confidence(self) -> float:
        """The level at which `interval` is made."""
        return self.adjustment.confidence

    def as_json(self) -> dict[str, Any]:
        """A JSON-ready object; `of_json` reads it back."""
        return asdict(self)

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Decision:
        """Reads what `as_json` wrote.

        Raises:
            UnknownChoice: it is something else.
        """
        try:
            ends = value["interval"]
            cate = value["cate"]
            return cls(
                bool(value["stop"]),
                str(value["reason"]),
                int(value["look"]),
                int(value["pairs"]),
                None if cate is None else float(cate),
                None if ends is None else Interval(float(ends["low"]), float(ends["high"])),
                float(value["critical"]),
                Adjustment.of_json(value["adjustment"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise UnknownChoice(
                f"This is no decision of a stopping rule ({error!r}): look at the run again."
            ) from error


Spending: TypeAlias = Literal["obrien-fleming", "pocock"]
"""``obrien-fleming`` spends hardly anything early, so the last look is almost a plain test;
``pocock`` spends evenly, so clear effects stop earlier and the last look is stricter."""

MOST_CRITICAL = 7.0
"""No critical value is larger. Beyond it lies an error of 3e-12, and confidence levels that
floating-point numbers can no longer tell from 1."""

_Array: TypeAlias = npt.NDArray[np.float64]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
"""Of the rule used on every panel one standard deviation of an increment wide; the error stays
below 1e-10."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """How likely a boundary is crossed for the first time at each look.

    Attributes:
        above, below: probabilities for the upper and lower boundary, one a look.
    """

    above: tuple[float, ...]
    below: tuple[float, ...]

    @property
    def total(self) -> float:
        """The probability that it is crossed at all."""
        return sum(self.above) + sum(self.below)


def check_spending(spending: str) -> None:
    """Refuses a way of spending that does not exist.

    Raises:
        ImpossiblePlan: the message names those that do.
    """
    if spending not in get_args(Spending):
        raise ImpossiblePlan(
            f"There is no way of spending '{spending}': choose "
            "'obrien-fleming' (hardly anything early) or 'pocock' (evenly)."
        )


def spent(share: float, alpha: float, spending: Spending) -> float:
    """The two-sided error that may have happened when this share of the information is in.

    ``obrien-fleming`` is 4 - 4 Phi(z / sqrt(t)) with z the upper alpha / 4 point of the normal
    distribution, ``pocock`` is alpha ln(1 + (e - 1) t) (Lan & DeMets 1983).
    """
    t = min(1.0, share)
    if spending == "pocock":
        return alpha * math.log(1.0 + (math.e - 1.0) * t)
    z = float(scipy.stats.norm.isf(alpha / 4.0))
    return 4.0 * float(scipy.stats.norm.sf(z / math.sqrt(t)))


@lru_cache(maxsize=256)
def critical_values(
    shares: tuple[float, ...], alpha: float, spending: Spending, last: bool = True
) -> tuple[float, ...]:
    """The two-sided critical values of Z at each look.

    Args:
        shares: of the information, increasing, above 0, one a look.
        alpha: the error over all looks.
        spending: how it is spent.
        last: whether the last of them is the last look, where everything left is spent.

    Raises:
        ImpossiblePlan: the shares do not increase from above 0, or there is no such spending.
    """
    check_spending(spending)
    _check_shares(shares)
    found: list[float] = []
    path = _Path()
    used = 0.0
    for place, share in enumerate(shares):
        ends = last and place == len(shares) - 1
        due = max(used, alpha if ends else spent(share, alpha, spending))
        step = path.step(share)
        found.append(step.critical(due - used))
        path = step.stay(found[-1])
        used = due
    return tuple(found)


def crossing(shares: Sequence[float], critical: Sequence[float], drift: float = 0.0) -> Crossing:
    """How likely |Z| exceeds its critical value first at each look.

    Args:
        shares: as in `critical_values`.
        critical: the critical values, one a look.
        drift: the mean of Z when all information is in; 0 where there is no effect.

    Raises:
        ImpossiblePlan: the shares do not increase from above 0.
    """
    _check_shares(shares)
    above: list[float] = []
    below: list[float] = []
    path = _Path()
    for share, value in zip(shares, critical, strict=True):
        step = path.step(share, drift)
        above.append(step.above(value))
        below.append(step.below(value))
        path = step.stay(value)
    return Crossing(tuple(above), tuple(below))


def drift_for_power(shares: Sequence[float], critical: Sequence[float], power: float) -> float:
    """The drift at which the boundary is crossed on its own side with this probability."""

    def lacking(drift: float) -> float:
        return sum(crossing(shares, critical, drift).above) - power

    return float(scipy.optimize.brentq(lacking, 0.0, 20.0, xtol=1e-10))


def _check_shares(shares: Sequence[float]) -> None:
    if not shares or shares[0] <= 0.0 or any(b <= a for a, b in pairwise(shares)):
        raise ImpossiblePlan(
            "The looks must come with more and more information, beginning above nothing."
        )


@dataclass(frozen=True, slots=True)
class _Path:
    """Where B is at a look among the runs that go on: points and the probability at each."""

    share: float = 0.0
    points: _Array | None = None
    mass: _Array | None = None

    def step(self, share: float, drift: float = 0.0) -> _Step:
        points = np.zeros(1) if self.points is None else self.points
        mass = np.ones(1) if self.mass is None else self.mass
        time = share - self.share
        return _Step(share, points + drift * time, mass, math.sqrt(time))


@dataclass(frozen=True, slots=True)
class _Step:
    """The way to the next look: B is normal around each of ``means`` with ``deviation``."""

    share: float
    means: _Array
    mass: _Array
    deviation: float

    def above(self, critical: float) -> float:
        """The probability to be above the boundary."""
        edge = critical * math.sqrt(self.share)
        return float(self.mass @ scipy.stats.norm.sf((edge - self.means) / self.deviation))

    def below(self, critical: float) -> float:
        """The probability to be below minus the boundary."""
        edge = -critical * math.sqrt(self.share)
        return float(self.mass @ scipy.stats.norm.cdf((edge - self.means) / self.deviation))

    def critical(self, error: float) -> float:
        """The critical value that is exceeded, on both sides together, with this probability."""

        def excess(critical: float) -> float:
            return self.above(critical) + self.below(critical) - error

        if excess(MOST_CRITICAL) >= 0.0:
            return MOST_CRITICAL
        return float(scipy.optimize.brentq(excess, 0.0, MOST_CRITICAL, xtol=1e-12))

    def stay(self, critical: float) -> _Path:
        """Where B is among the runs that do not cross."""
        edge = critical * math.sqrt(self.share)
        panels = max(8, math.ceil(2.0 * edge / self.deviation))
        ends = np.linspace(-edge, edge, panels + 1)
        half = (ends[1:] - ends[:-1]) / 2.0
        middle = (ends[1:] + ends[:-1]) / 2.0
        points = (middle[:, None] + half[:, None] * _NODES).ravel()
        weights = (half[:, None] * _WEIGHTS).ravel()
        scaled = (points[:, None] - self.means) / self.deviation
        density = np.exp(-0.5 * scaled**2) @ self.mass / (self.deviation * math.sqrt(2 * math.pi))
        return _Path(self.share, points, density * weights)
