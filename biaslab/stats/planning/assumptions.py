"""What a plan takes for granted: effect, discordance, and what repeated samples tell."""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.stats.errors import ImpossiblePlan
from biaslab.stats.planning.discordance import ASSUMED_DISCORDANCE
from biaslab.stats.sequential.looks import check_least
from schoolmath.text.figures import exact_percent, points_wide


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Checked assumptions of a plan.

    Attributes:
        cate: the effect, a fraction.
        discordance: share of pairs whose members differ; assumed: whether nobody has seen it
            but it is `ASSUMED_DISCORDANCE`.
        samples: how often each item is asked; alike: share of the variance between pairs.
    """

    cate: float
    discordance: float
    assumed: bool
    samples: int
    alike: float

    @classmethod
    def of(cls, cate: float, discordance: float | None, samples: int, alike: float) -> Assumptions:
        """Checks what was given; None for the discordance takes the assumed one.

        Raises:
            ImpossiblePlan: no pairs could be like that; the message says why and what to do.
        """
        check_least(samples, 1, "The number of samples")
        if not 0.0 <= alike <= 1.0:
            raise ImpossiblePlan(
                f"The share of variance between pairs cannot be {alike:g}: give 0 to 1, or 1 if "
                "it was never seen."
            )
        return cls(cate, _discordance(cate, discordance), discordance is None, samples, alike)

    @property
    def kept(self) -> float:
        """What share of a pair's variance is left in the mean of its samples."""
        return 1.0 if self.samples == 1 else self.alike + (1.0 - self.alike) / self.samples

    @property
    def three_valued(self) -> bool:
        """Whether the difference of a pair is -1, 0 or 1, so that binomial sums are exact."""
        return self.kept == 1.0

    @property
    def variance(self) -> float:
        """The variance of the difference of a pair."""
        return max(self.discordance - self.cate**2, 0.0) * self.kept

    @property
    def sentences(self) -> list[str]:
        """What is taken for granted, for a reader."""
        said = [f"The members of {exact_percent(self.discordance)} of the pairs differ in outcome."]
        if self.assumed:
            said = [
                f"ASSUMED, not seen: the members of {exact_percent(self.discordance)} of the pairs "
                "differ in outcome. A first small run tells how many do."
            ]
        if self.samples > 1 and self.three_valued:
            said.append(
                f"Every item is asked {self.samples} times, which saves no pairs as long as "
                "nobody has seen how much the samples of a pair vary."
            )
        elif self.samples > 1:
            said.append(
                f"Every item is asked {self.samples} times; {exact_percent(self.alike)} of the "
                "variance lies between pairs and does not shrink with more samples. By the "
                "normal approximation."
            )
        return said


def _discordance(cate: float, given: float | None) -> float:
    if not -1.0 <= cate <= 1.0:
        raise ImpossiblePlan(
            f"An effect of {cate:g} cannot be: give a fraction between -1 and 1, such as 0.05 "
            "for 5 points."
        )
    share = ASSUMED_DISCORDANCE if given is None else given
    if not 0.0 < share <= 1.0:
        raise ImpossiblePlan(
            f"A discordance of {share:g} cannot be: give the share of pairs whose members "
            "differ, above 0 and at most 1."
        )
    if abs(cate) > share:
        where = "assumed, as none was given" if given is None else "given"
        raise ImpossiblePlan(
            f"An effect of {points_wide(abs(cate))} is impossible if the members of only "
            f"{exact_percent(share)} of the pairs differ (the discordance {where}): give a "
            "discordance "
            f"of at least {abs(cate):g}, or a smaller effect."
        )
    return share
