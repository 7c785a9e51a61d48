"""Stopping a run as soon as its interval is narrow enough.

Stopping depends on how much pairs vary, hardly on the effect, so looking does little harm once
many pairs are in. It does harm while few are, because a run then stops just when its variation
happens to look small (Chow & Robbins 1965, Ann. Math. Stat. 36:457-462). Two things make up for
it, much as Frey (2010, Am. Stat. 64:242-249) does for one proportion: no look before 30 pairs, and
a level closer to 1 by a fifth of what is missing (96 % for 95 %). The interval itself does the
rest. What runs so stopped hold is reckoned exactly by `research.calibration.stopping`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import scipy

from biaslab.stats.outcomes import InvalidRule
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

SMALLEST_FIRST_LOOK = 30
"""Pairs before which one may not look, and independent ones that must count to stop."""

_SHARE_OF_ERROR = 0.8
"""Of the error that the coverage allows, what a single interval uses."""


@dataclass(frozen=True, slots=True)
class UntilNarrow:
    """Stops when the interval of the CATE reaches at most ``half_width`` to either side.

    Attributes:
        half_width: in units of the outcome: 0.05 is 5 percentage points to either side.
        first_look: pairs finished at the first look, at least 30.
        every: pairs between looks.
        at_most: pairs at which it stops in any case.
        confidence: what the final interval covers in spite of looking.

    Raises:
        ImpossiblePlan: a number cannot be; the message says which and what to give.
    """

    NAME: ClassVar[str] = "until-narrow"

    half_width: float
    at_most: int
    first_look: int = 50
    every: int = 25
    confidence: float = 0.95

    def __post_init__(self) -> None:
        check_between(self.half_width, 0.0, 1.0, "half width of the interval", "0.05 (5 points)")
        check_between(self.confidence, 0.5, 1.0, "coverage of the interval", "0.95")
        check_least(self.first_look, SMALLEST_FIRST_LOOK, "The first look")
        check_least(self.every, 1, "The distance between looks")
        check_least(self.at_most, self.first_look, "The most pairs to ask")

    def looks_at(self) -> tuple[int, ...]:
        """Numbers of pairs finished at which one looks; the last is ``at_most``."""
        return (*range(self.first_look, self.at_most, self.every), self.at_most)

    @property
    def adjustment(self) -> Adjustment:
        """How every interval of this rule is made, at whichever look."""
        level = 1.0 - _SHARE_OF_ERROR * (1.0 - self.confidence)
        note = (
            "The run was to stop as soon as this interval was narrow enough (at most "
            f"{self.half_width:g} to either side), and was looked at repeatedly for that. "
            f"To cover {exact_percent(self.confidence)} all the same, the CATE interval is made at "
            f"{exact_percent(level)}."
        )
        return Adjustment(level, note, self.confidence)

    def enough(self, clusters: int) -> bool:
        """Whether a width can be relied on with so many independent pairs, or clusters of pairs."""
        return clusters >= SMALLEST_FIRST_LOOK

    def decide(
        self, outcomes: pd.DataFrame, look: int, invalid: InvalidRule = "strict"
    ) -> Decision:
        """Whether to stop at this look.

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
        estimate = data.estimate(self.adjustment)
        interval = estimate.interval
        enough = self.enough(estimate.clusters)
        narrow = interval is not None and interval.high - interval.low <= 2.0 * self.half_width
        seen = data.message(estimate)
        if narrow and enough:
            reason = f"Stopped at look {look}: the interval is as narrow as asked. {seen}"
        elif look == len(looks):
            reason = (
                f"Stopped at the limit of {self.at_most} pairs; the interval is not reliably as "
                f"narrow as asked ({data.unit(self.half_width)} to either side). {seen}"
            )
        elif narrow:
            reason = (
                f"Goes on after look {look}: only {estimate.clusters} independent pairs (or "
                f"clusters of pairs) count, and the width cannot be relied on before "
                f"{SMALLEST_FIRST_LOOK}. {seen}"
            )
        else:
            reason = (
                f"Goes on after look {look}: the interval is not as narrow as asked "
                f"({data.unit(self.half_width)} to either side). {seen}"
            )
        return Decision(
            stop=(narrow and enough) or look == len(looks),
            reason=reason,
            look=look,
            pairs=estimate.n,
            cate=estimate.mean,
            interval=interval,
            critical=float(scipy.stats.norm.isf((1.0 - self.adjustment.confidence) / 2.0)),
            adjustment=self.adjustment,
        )

    def as_json(self) -> dict[str, Any]:
        """A JSON-ready object; `rule_from_json` reads it back."""
        return {"rule": self.NAME} | asdict(self)
