"""Stopping a run as soon as it is clear that there is an effect.

All looks together find an effect where there is none at most alpha times, by alpha spending
(`biaslab.stats.sequential.boundaries`). The interval shown at a look is a repeated confidence
interval (Jennison & Turnbull 1989, J. R. Stat. Soc. B 51:305-361): those of all looks hold the
effect together with the coverage 1 - alpha, so that of any one look does, whyever the run stopped.
For small numbers of pairs each critical value is turned into a level that is then used with the t
distribution (Jennison & Turnbull 2000, *Group Sequential Methods*).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import scipy

from biaslab.stats.errors import ImpossiblePlan
from biaslab.stats.outcomes import InvalidRule
from biaslab.stats.sequential.boundaries import Spending, check_spending, critical_values
from biaslab.stats.sequential.looks import (
    PairsAtLook,
    check_between,
    check_least,
    check_look,
)
from biaslab.stats.sequential.stopping import Adjustment, Decision
from schoolmath.text.figures import exact_percent

if TYPE_CHECKING:
    import pandas as pd

SMALLEST_GROUP = 10
"""Pairs that must come in between two looks."""

MOST_LOOKS = 50
"""More looks cost power and save nothing."""


@dataclass(frozen=True, slots=True)
class GroupSequential:
    """Stops when the effect is clear: when its repeated confidence interval leaves out 0.

    Attributes:
        looks: how often one looks, after equally many pairs each. at_most: pairs at the last look.
        alpha: how often all looks together may find an effect where there is none, two-sided.
        spending: ``obrien-fleming`` or ``pocock``, see
        `biaslab.stats.sequential.boundaries.Spending`.

    Raises:
        ImpossiblePlan: a number cannot be; the message says which and what to give.
    """

    NAME: ClassVar[str] = "group-sequential"

    looks: int
    at_most: int
    alpha: float = 0.05
    spending: Spending = "obrien-fleming"

    def __post_init__(self) -> None:
        check_least(self.looks, 1, "The number of looks")
        if self.looks > MOST_LOOKS:
            raise ImpossiblePlan(f"{self.looks} looks are too many: give at most {MOST_LOOKS}.")
        check_between(self.alpha, 0.0, 0.5, "error over all looks", "0.05")
        check_least(self.at_most, SMALLEST_GROUP * self.looks, "The most pairs to ask")
        check_spending(self.spending)

    def looks_at(self) -> tuple[int, ...]:
        """Numbers of pairs finished at which one looks; the last is ``at_most``."""
        return tuple(-(-self.at_most * k // self.looks) for k in range(1, self.looks + 1))

    def critical_at(self, counted: tuple[int, ...]) -> float:
        """The critical value of the latest look, on the scale of a standard normal statistic.

        Args:
            counted: how many pairs counted at each look until now.
        """
        ends = len(counted) == self.looks
        now = counted[-1]
        # A look at which nothing new had come in, or more than now counts, is no look of its own.
        informed = sorted({n for n in counted if 0 < n < now} | {now})
        shares = tuple(n / max(self.at_most, now) for n in informed)
        return critical_values(shares, self.alpha, self.spending, last=ends)[-1]

    def adjustment_at(self, critical: float) -> Adjustment:
        """How the interval of a look with this critical value is made."""
        level = 1.0 - 2.0 * float(scipy.stats.norm.sf(critical))
        kind = {"obrien-fleming": "O'Brien and Fleming's", "pocock": "Pocock's"}[self.spending]
        note = (
            f"The run was to be looked at {self.looks} times and to stop as soon as the effect "
            f"was clear (alpha spending of {kind} kind). To cover "
            f"{exact_percent(1.0 - self.alpha)} "
            f"all the same, the CATE interval is made at {exact_percent(level)}, the level of "
            "its last "
            "look. An effect that stops a run early tends to be overestimated."
        )
        return Adjustment(level, note, 1.0 - self.alpha)

    def decide(
        self, outcomes: pd.DataFrame, look: int, invalid: InvalidRule = "strict"
    ) -> Decision:
        """Whether to stop at this look.

        The share of information is that of the pairs that count; what counted at earlier looks
        is taken from the first pairs in the order of the design (column ``position``, or the
        order of the rows).

        Args:
            outcomes: of one run, all pairs that are finished (others are ignored).
            look: which look, from 1.
            invalid: as for `biaslab.stats.effects.effects`.

        Raises:
            BrokenOutcomes: the table contradicts itself or holds several runs.
            ImpossiblePlan: there is no such look.
            UnknownChoice: an unknown rule for invalid answers.
        """
        looks = self.looks_at()
        check_look(look, looks)
        data = PairsAtLook.of(outcomes, invalid)
        now = data.counted()
        if now == 0:
            critical = critical_values((1.0,), self.alpha, self.spending)[0]
        else:
            earlier = tuple(data.counted(first) for first in looks[: look - 1])
            critical = self.critical_at((*earlier, now))
        adjustment = self.adjustment_at(critical)
        estimate = data.estimate(adjustment)
        interval = estimate.interval
        clear = interval is not None and (interval.low > 0.0 or interval.high < 0.0)
        seen = data.message(estimate)
        if clear:
            reason = f"Stopped at look {look} of {self.looks}: the effect is clear. {seen}"
        elif look == self.looks:
            reason = f"Stopped at the last look, no clear effect was found. {seen}"
        else:
            reason = f"Goes on after look {look} of {self.looks}: no clear effect yet. {seen}"
        return Decision(
            stop=clear or look == self.looks,
            reason=reason,
            look=look,
            pairs=estimate.n,
            cate=estimate.mean,
            interval=interval,
            critical=critical,
            adjustment=adjustment,
        )

    def as_json(self) -> dict[str, Any]:
        """A JSON-ready object; `rule_from_json` reads it back."""
        return {"rule": self.NAME} | asdict(self)
