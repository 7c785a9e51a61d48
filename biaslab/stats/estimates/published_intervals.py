"""Published intervals of a difference of paired shares, for counts or arrays of counts.

They take pairs as independent, and are here to be compared with the interval that is used
(`biaslab.stats.estimates.imagined_pairs`). In each, of n pairs ``b`` had only x right and ``c``
only x'.
"""

from __future__ import annotations

import numpy as np
import scipy

from biaslab.stats.estimates.imagined_pairs import Numbers, two_sided

_HALVINGS = 52
"""Of a length of 2: after them it is as short as floating-point numbers get."""


def t_interval(
    b: Numbers, c: Numbers, n: Numbers, confidence: float = 0.95
) -> tuple[Numbers, Numbers]:
    """The paired t interval; without any width, or none, where all pairs come out alike."""
    mean = (b - c) / n
    error = np.asarray((np.maximum(0.0, (b + c) / n - mean**2) / (n - 1.0)) ** 0.5)
    reach = np.asarray(scipy.special.stdtrit(n - 1.0, 0.5 + confidence / 2)) * error
    return mean - reach, mean + reach


def tango(b: Numbers, c: Numbers, n: Numbers, confidence: float = 0.95) -> tuple[Numbers, Numbers]:
    """The score interval of Tango (1998, Stat. Med. 17:891-908).

    It ends where the score statistic of a difference is as large as the normal quantile.
    """
    z = two_sided(confidence)
    middle = (b - c) / n
    low = _crossing(b, c, n, -z, -np.ones_like(middle), middle)
    return low, _crossing(b, c, n, z, middle, np.ones_like(middle))


def bonett_price(
    b: Numbers, c: Numbers, n: Numbers, confidence: float = 0.95
) -> tuple[Numbers, Numbers]:
    """The adjusted Wald interval of Bonett & Price (2012, J. Educ. Behav. Stat. 37:479-488)."""
    p_b, p_c = (b + 1.0) / (n + 2.0), (c + 1.0) / (n + 2.0)
    reach = two_sided(confidence) * np.sqrt((p_b + p_c - (p_b - p_c) ** 2) / (n + 2.0))
    return np.maximum(-1.0, p_b - p_c - reach), np.minimum(1.0, p_b - p_c + reach)


def newcombe(
    both: Numbers, b: Numbers, c: Numbers, n: Numbers, confidence: float = 0.95
) -> tuple[Numbers, Numbers]:
    """Method 10 of Newcombe (1998, Stat. Med. 17:2635-2650), from all four counts.

    Square-and-add of the two Wilson intervals with the continuity-corrected phi.
    """
    neither = n - both - b - c
    z2 = two_sided(confidence) ** 2
    p_1, down_1, up_1 = _wilson_reaches(both + b, n, z2)
    p_2, down_2, up_2 = _wilson_reaches(both + c, n, z2)
    product = (both + b) * (c + neither) * (both + c) * (b + neither)
    covered = both * neither - b * c
    corrected = np.where(covered > 0, np.maximum(covered - n / 2.0, 0.0), covered)
    phi = np.where(product > 0, corrected / np.sqrt(np.maximum(product, 1.0)), 0.0)
    below = down_1**2 - 2.0 * phi * down_1 * up_2 + up_2**2
    above = down_2**2 - 2.0 * phi * down_2 * up_1 + up_1**2
    difference = p_1 - p_2
    return (
        difference - np.sqrt(np.maximum(0.0, below)),
        difference + np.sqrt(np.maximum(0.0, above)),
    )


def asymptotic_mcnemar_p(b: int, c: int) -> float:
    """Two-sided p of the score test that belongs to `tango`; 1 where no pair differs."""
    return 1.0 if b + c == 0 else float(2.0 * scipy.special.ndtr(-abs(b - c) / np.sqrt(b + c)))


def _crossing(
    b: Numbers, c: Numbers, n: Numbers, z: Numbers, low: Numbers, high: Numbers
) -> Numbers:
    """Where between two differences the score falls below -z; the nearer end if nowhere."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        above = _score(b, c, n, middle) > -z
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return (low + high) / 2.0


def _score(b: Numbers, c: Numbers, n: Numbers, delta: Numbers) -> Numbers:
    """Tango's statistic, with the maximum-likelihood share of "only x'" at this difference."""
    linear = -b - c + (2.0 * n - b + c) * delta
    constant = -c * delta * (1.0 - delta)
    root = np.sqrt(np.maximum(0.0, linear**2 - 8.0 * n * constant))
    variance = n * (2.0 * (root - linear) / (4.0 * n) + delta * (1.0 - delta))
    away = b - c - n * delta
    return np.where(
        variance > 1e-15, away / np.sqrt(np.maximum(variance, 1e-15)), np.sign(away) * 1e9
    )


def _wilson_reaches(k: Numbers, n: Numbers, z2: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """A share and how far Wilson's interval reaches below and above it."""
    share = k / n
    middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n)
    reach = np.sqrt(z2 * (share * (1.0 - share) / n + z2 / (4.0 * n**2))) / (1.0 + z2 / n)
    return share, share - np.maximum(0.0, middle - reach), np.minimum(1.0, middle + reach) - share
