"""A share told from some of the units of each stratum: what a rough reading misses, put right.

A program sorts all N units into strata (what it took them for, or that it could not tell); a person
says of some units of each stratum, drawn by lot, what they are. With W = N_h / N and the shares a
of what is counted and b of the rest that it is counted among, the share is

    theta = sum W a / sum W (a + b)

(stratified estimation, Cochran 1977, Sampling Techniques, chapter 5). Its interval holds every
theta for which 0 lies in the interval of D = sum W ((1 - theta) a - theta b), a linear function of
binomial shares whose interval comes from those of the single shares, here Wilson's (MOVER: Zou,
Huang & Zhang 2009, Comput. Stat. Data Anal. 53:1080-1085, with the correlation of a and b within
a stratum). Beside it stands what the N units vary by themselves, sum W D_h^2 / N less D^2 / N:
the strata are counted, not given (double sampling, Cochran 1977, section 12.2).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import scipy

from biaslab.stats.estimates import Interval, check_confidence, two_sided, wilson


@dataclass(frozen=True, slots=True)
class UnitStratum:
    """Units that a program takes for the same.

    Attributes:
        size: how many there are, all of them.
        found: of those drawn by lot that a person judged, how many are of each kind.
    """

    size: int
    found: Mapping[str, int]

    @property
    def judged(self) -> int:
        """How many were judged."""
        return sum(self.found.values())


@dataclass(frozen=True, slots=True)
class StratifiedShare:
    """A share over all units.

    Attributes:
        share: from 0 to 1.
        interval: of it, for units like these.
        judged: units that a person judged.
    """

    share: float
    interval: Interval
    judged: int


@dataclass(frozen=True, slots=True)
class _Part:
    weight: float
    a: float
    b: float
    a_interval: Interval
    b_interval: Interval

    def difference(self, theta: float) -> float:
        return (1 - theta) * self.a - theta * self.b

    def reach(self, theta: float, up: bool) -> float:
        """Squared distance from the stratum's difference to the end of its interval."""
        if up:
            of_a, of_b = self.a_interval.high - self.a, self.b - self.b_interval.low
        else:
            of_a, of_b = self.a - self.a_interval.low, self.b_interval.high - self.b
        one, other = (1 - theta) * of_a, theta * of_b
        return one**2 + other**2 - 2 * self._correlation() * one * other

    def _correlation(self) -> float:
        spread = self.a * (1 - self.a) * self.b * (1 - self.b)
        return -self.a * self.b / math.sqrt(spread) if spread > 0 else -float(self.a + self.b == 1)


def stratified_share(
    strata: Sequence[UnitStratum],
    of: Collection[str],
    among: Collection[str],
    confidence: float = 0.95,
) -> StratifiedShare | None:
    """The share of some kinds among others, over all units of all strata.

    Args:
        strata: all of them; one of size 0 counts for nothing.
        of: kinds that are counted.
        among: kinds among which they are counted, those of `of` included.
        confidence: coverage of the interval, which is approximate.

    Returns:
        None where a stratum that has units has none that were judged, or where no unit of the kinds
        of `among` was found.

    Raises:
        UnknownChoice: the confidence level is not between 0 and 1.
    """
    check_confidence(confidence)
    strata = [each for each in strata if each.size]
    units = sum(each.size for each in strata)
    if not units or not all(each.judged for each in strata):
        return None
    parts = [_part(each, units, of, among, confidence) for each in strata]
    counted = sum(part.weight * part.a for part in parts)
    rest = sum(part.weight * part.b for part in parts)
    if counted + rest == 0:
        return None
    share = counted / (counted + rest)
    z = float(two_sided(confidence))

    def end(up: bool) -> Callable[[float], float]:
        def at(theta: float) -> float:
            differences = [part.difference(theta) for part in parts]
            mean = sum(p.weight * d for p, d in zip(parts, differences, strict=True))
            between = sum(p.weight * d**2 for p, d in zip(parts, differences, strict=True))
            square = sum(part.weight**2 * part.reach(theta, up) for part in parts)
            reach = math.sqrt(max(0.0, square) + z**2 * max(0.0, between - mean**2) / units)
            return mean + reach if up else mean - reach

        return at

    low = _crossing(end(up=False), 0.0, share)
    high = _crossing(end(up=True), share, 1.0)
    return StratifiedShare(share, Interval(low, high), sum(each.judged for each in strata))


def _part(
    stratum: UnitStratum,
    units: int,
    of: Collection[str],
    among: Collection[str],
    confidence: float,
) -> _Part:
    n = stratum.judged
    a = sum(count for kind, count in stratum.found.items() if kind in of)
    b = sum(count for kind, count in stratum.found.items() if kind in among and kind not in of)
    of_a, of_b = wilson(a, n, confidence), wilson(b, n, confidence)
    assert of_a is not None
    assert of_b is not None
    return _Part(stratum.size / units, a / n, b / n, of_a, of_b)


def _crossing(end: Callable[[float], float], low: float, high: float) -> float:
    """Where an end of the interval of D, which falls with theta, is 0; an end of the range else."""
    if end(low) <= 0:
        return low
    if end(high) >= 0:
        return high
    return float(scipy.optimize.brentq(end, low, high, xtol=1e-9))
