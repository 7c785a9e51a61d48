"""Chances of tests and widths of right-or-wrong pairs, by binomial sums instead of formulas.

Of n pairs, m differ, a binomial number with the discordance as its probability; in b of these
only x is right, a binomial number again. Test and interval depend on m and s = 2 b - m only, so
a chance is a sum over m of tails of a binomial distribution, exact up to 1e-12. For each m a limit
of |s| is found beyond which the test finds something, or the interval is narrow enough: with m
fixed, both get easier the more of the differing pairs agree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.stats.estimates import Steadied, imagined_pairs, two_sided

PairedTest: TypeAlias = Literal["interval", "t", "mcnemar"]
"""``interval``: that of the CATE interval. For comparison, ``t``: the paired t-test; ``mcnemar``:
McNemar's exact test, which never errs more often than alpha and therefore finds a little less."""

_Array: TypeAlias = npt.NDArray[np.float64]

_LEFT_OUT = 1e-13
"""Probability at either end that the sums leave out."""

_TIE = 1e-9
"""Room for rounding errors where a whole number is compared with a limit."""


def exact_power(
    n: int, cate: float, discordance: float, alpha: float = 0.05, test: PairedTest = "interval"
) -> float:
    """How likely the two-sided test of n independent pairs gives p <= alpha.

    Args:
        n: pairs, at least 4.
        cate: the true effect; 0 gives the error of the test.
        discordance: the true share of pairs whose members differ, at least abs(cate).
        alpha: of the test.
        test: which.
    """
    differing = _differing(n, discordance)
    if test == "interval":
        limit = clear_from(n, differing, 1.0 - alpha)
    elif test == "mcnemar":
        fewest = scipy.stats.binom.isf(alpha / 2.0, differing, 0.5) + 1.0
        limit = 2.0 * fewest - differing
    else:
        limit = _beyond_quantile(n, differing, _t(n, 1.0 - alpha), 0.0)
    # Where nothing differs there is no evidence; a limit of 0 would be reached all the same.
    limit = np.where(differing == 0.0, 1.0, limit)
    return _chance_beyond(n, cate, discordance, differing, limit)


def chance_of_width(
    n: int, half_width: float, cate: float, discordance: float, confidence: float = 0.95
) -> float:
    """How likely the interval of n independent pairs reaches at most so far to either side.

    Args:
        n: pairs, at least 2.
        half_width: half the distance of its ends, in units of the outcome.
        cate: the true effect.
        discordance: the true share of pairs whose members differ, at least abs(cate).
        confidence: of the interval.
    """
    differing = _differing(n, discordance)
    limit = narrow_from(n, differing, half_width, confidence)
    return _chance_beyond(n, cate, discordance, differing, limit)


def clear_from(n: int, differing: _Array, confidence: float) -> _Array:
    """The smallest abs(s) at which the interval leaves out 0; above ``differing`` if none does.

    Args:
        n: independent pairs, at least 2.
        differing: m, how many of them differ, any shape.
        confidence: of the interval.
    """
    z = float(two_sided(confidence))
    k = float(imagined_pairs(z))
    # The t quantile lies between the normal one and that of n - 1, so few numbers are left to try.
    fewest = np.ceil((differing + _beyond_quantile(n, differing, z, k)) / 2.0 - _TIE)
    most = np.ceil((differing + _beyond_quantile(n, differing, _t(n, confidence), k)) / 2.0)

    def clear(only_x: _Array) -> npt.NDArray[np.bool_]:
        low, high = _interval(n, differing, 2.0 * only_x - differing, confidence)
        return (low > 0.0) | (high < 0.0)

    never = differing + 1.0
    return 2.0 * _first(clear, np.minimum(fewest, never), np.minimum(most, never)) - differing


def narrow_from(n: int, differing: _Array, half_width: float, confidence: float) -> _Array:
    """The smallest abs(s) at which the interval is so narrow; above ``differing`` if nowhere.

    Args: as for `clear_from`; ``half_width`` is half the distance of the ends.
    """

    def narrow(only_x: _Array) -> npt.NDArray[np.bool_]:
        low, high = _interval(n, differing, 2.0 * only_x - differing, confidence)
        return np.asarray(high - low <= 2.0 * half_width)

    return 2.0 * _first(narrow, np.ceil(differing / 2.0), differing + 1.0) - differing


def _interval(
    n: int, differing: _Array, surplus: _Array, confidence: float
) -> tuple[_Array, _Array]:
    # One more than all that differ may be asked for; what comes out then is not used.
    surplus = np.minimum(surplus, differing)
    low, high = Steadied.of_single_pairs(float(n), surplus / n, differing / n).ends(confidence)
    return np.asarray(low), np.asarray(high)


def _beyond_quantile(n: int, differing: _Array, quantile: float, k: float) -> _Array:
    """The abs(s) at which |middle| / sqrt(v) is as large as a fixed quantile."""
    q2 = quantile**2
    limit: _Array = np.sqrt(q2 * (differing + k) * (n + k) / (n + k - 1.0 + q2))
    return limit


def _t(n: int, confidence: float) -> float:
    return float(scipy.stats.t.ppf(0.5 + confidence / 2.0, n - 1))


def _first(holds: Callable[[_Array], npt.NDArray[np.bool_]], low: _Array, high: _Array) -> _Array:
    """The smallest whole numbers of ranges from which something holds; ``high`` if none before."""
    while (low < high).any():
        middle = np.floor((low + high) / 2.0)
        found = holds(middle)
        low, high = (
            np.where((low < high) & ~found, middle + 1.0, low),
            np.where((low < high) & found, middle, high),
        )
    return high


def _differing(n: int, discordance: float) -> _Array:
    """The numbers of differing pairs that matter."""
    low = int(scipy.stats.binom.ppf(_LEFT_OUT, n, discordance))
    high = int(scipy.stats.binom.isf(_LEFT_OUT, n, discordance))
    return np.arange(max(0, low), high + 1, dtype=np.float64)


def _chance_beyond(
    n: int, cate: float, discordance: float, differing: _Array, limit: _Array
) -> float:
    """The chance that abs(s) is at least ``limit``, one for each number of differing pairs."""
    weight = scipy.stats.binom.pmf(differing, n, discordance)
    only_x = (discordance + cate) / (2.0 * discordance)
    upper = np.ceil((differing + limit) / 2.0 - _TIE)
    lower = np.floor((differing - limit) / 2.0 + _TIE)
    beyond = scipy.stats.binom.sf(upper - 1.0, differing, only_x) + scipy.stats.binom.cdf(
        lower, differing, only_x
    )
    return min(1.0, float(weight @ np.where(limit <= 0.0, 1.0, beyond)))
