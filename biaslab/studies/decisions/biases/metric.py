"""The published metric of a bias, its parameters kept as a triple.

Malberg et al. (2024): with a1 and a2 the positions of the options chosen in control and treatment
(0-based, in the order of the scale),

    m = kappa * (|a1 - gamma1| - |a2 - gamma2|) / max(|a1 - gamma1|, |a2 - gamma2|),

between -1 and 1, and 0 where both distances are 0. It is a ratio to a chosen end of the scale
and no difference: (0, 1) gives -+1, (5, 6) gives -+1/6.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


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
