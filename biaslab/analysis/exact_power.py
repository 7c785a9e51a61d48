"""Chances of tests and widths of right-or-wrong pairs, by binomial sums instead of formulas.

Of n pairs, m differ, a binomial number with the discordance as its probability; in b of these
only x is right, a binomial number again. Test and interval depend on m and s = 2 b - m only, so
a chance is a sum over m of tails of a binomial distribution, exact up to 1e-12.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

PairedTest: TypeAlias = Literal["t", "mcnemar"]
"""``t``: the paired t-test, to which the CATE interval belongs; ``mcnemar``: McNemar's exact
test, which never errs more often than alpha and therefore finds a little less."""

_Array: TypeAlias = npt.NDArray[np.float64]

_LEFT_OUT = 1e-13
"""Probability at either end that the sums leave out."""

_TIE = 1e-9
"""Room for rounding errors where a whole number is compared with a limit."""


def exact_power(
    n: int, cate: float, discordance: float, alpha: float = 0.05, test: PairedTest = "t"
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
    if test == "mcnemar":
        fewest = scipy.stats.binom.isf(alpha / 2.0, differing, 0.5) + 1.0
        limit = 2.0 * fewest - differing
    else:
        t2 = float(scipy.stats.t.isf(alpha / 2.0, n - 1)) ** 2
        limit = np.sqrt(t2 * n * differing / (n - 1.0 + t2))
    # Where nothing differs there is no evidence; a limit of 0 would be reached all the same.
    limit = np.where(differing == 0.0, 1.0, limit)
    return _chance_beyond(n, cate, discordance, differing, limit)


def chance_of_width(
    n: int, half_width: float, cate: float, discordance: float, confidence: float = 0.95
) -> float:
    """How likely the t interval of n independent pairs reaches at most so far to either side.

    Args:
        n: pairs, at least 2.
        half_width: in units of the outcome.
        cate: the true effect.
        discordance: the true share of pairs whose members differ, at least abs(cate).
        confidence: of the interval.
    """
    differing = _differing(n, discordance)
    t = float(scipy.stats.t.ppf(0.5 + confidence / 2.0, n - 1))
    allowed = (half_width / t) ** 2 * n * (n - 1)
    limit = np.sqrt(np.maximum(n * (differing - allowed), 0.0))
    return _chance_beyond(n, cate, discordance, differing, limit)


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
