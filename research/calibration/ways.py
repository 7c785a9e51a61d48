"""Every way in which independent pairs can come out, and how likely each is.

Of n pairs only three numbers matter to an interval: n, how many only x got right (b), and how
many only x' (c). So coverage is a sum over tables (b, c), and nothing has to be simulated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, xlogy

Array: TypeAlias = npt.NDArray[np.float64]

TIE = 1e-12
"""An end this near to the effect counts as holding it: that much is rounding."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Tables in which pairs can end; all arrays have the shape (tables,).

    Attributes:
        n: pairs; only_x, only_x_prime: b and c of them.
        log_orders: logarithm of the number of orders in which pairs can come in and end here.
            The multinomial coefficient for a fixed number of pairs, less where looking on the
            way would have ended some.
    """

    n: Array
    only_x: Array
    only_x_prime: Array
    log_orders: Array

    @classmethod
    def of(cls, n: Array, only_x: Array, only_x_prime: Array, share: Array) -> Ways:
        """Tables that are reached in this share, shape (tables,), of the orders there are."""
        rest = n - only_x - only_x_prime
        orders = gammaln(n + 1.0) - gammaln(only_x + 1.0) - gammaln(only_x_prime + 1.0)
        return cls(n, only_x, only_x_prime, orders - gammaln(rest + 1.0) + np.log(share))

    def chances(self, effect: float, discordance: float) -> Array:
        """How likely each table is if the pairs have this effect and discordance."""
        only_x = (discordance + effect) / 2.0
        # Rounding must not make a share negative.
        log = xlogy(self.only_x, only_x) + xlogy(self.only_x_prime, max(0.0, discordance - only_x))
        log += xlogy(self.n - self.only_x - self.only_x_prime, max(0.0, 1.0 - discordance))
        found: Array = np.exp(log + self.log_orders)
        return found


def all_tables(n: int) -> Ways:
    """Every table of a fixed number of pairs."""
    b, c = np.nonzero(np.add.outer(np.arange(n + 1), np.arange(n + 1)) <= n)
    return Ways.of(np.full(b.size, float(n)), b.astype(float), c.astype(float), np.ones(b.size))


def one_sided_tables(n: int) -> Ways:
    """Every table of pairs that never differ the other way: they are few, so n may be large."""
    b = np.arange(n + 1.0)
    return Ways.of(np.full(b.size, float(n)), b, np.zeros(b.size), np.ones(b.size))


def covers(low: Array, high: Array, effect: float) -> npt.NDArray[np.bool_]:
    """Which intervals hold the effect."""
    return (low <= effect + TIE) & (high >= effect - TIE)
