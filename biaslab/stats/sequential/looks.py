"""What a stopping rule sees at a look: the pairs of one run that are finished until then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from biaslab.stats.errors import BrokenOutcomes, ImpossiblePlan
from biaslab.stats.estimates.estimate import Estimate
from biaslab.stats.estimates.paired import cate_estimate
from biaslab.stats.outcomes import (
    InvalidRule,
    check_outcomes,
    check_rule,
    count,
    right_or_wrong,
)
from biaslab.stats.sequential.stopping import Adjustment
from schoolmath.text.figures import points_wide, signed_points, typed

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class PairsAtLook:
    """The finished pairs of one run, in the order of the design.

    Attributes:
        outcomes: checked rows, ordered by ``position`` where the table has it.
        binary: whether outcomes are right or wrong; otherwise they are positions on a scale.
        invalid: the rule for invalid answers that holds for such outcomes.
    """

    outcomes: pd.DataFrame
    binary: bool
    invalid: InvalidRule

    @classmethod
    def of(cls, outcomes: pd.DataFrame, invalid: InvalidRule) -> PairsAtLook:
        """Checks and orders the rows of one run.

        Raises:
            BrokenOutcomes: the table contradicts itself or holds several runs.
            UnknownChoice: an unknown rule for invalid answers.
        """
        check_rule(invalid)
        check_outcomes(outcomes)
        runs = outcomes["run"].unique()
        if len(runs) > 1:
            raise BrokenOutcomes(
                f"A stopping rule looks at one run, not at {len(runs)}: give its rows alone."
            )
        if "position" in outcomes.columns:
            outcomes = outcomes.sort_values("position", kind="stable")
        binary = right_or_wrong(outcomes)
        return cls(outcomes.reset_index(drop=True), binary, invalid if binary else "exclude")

    def counted(self, first: int | None = None) -> int:
        """How many of the first pairs of the design count; None: of all."""
        import pandas as pd

        rows = self.outcomes
        if first is not None:
            place, _ = pd.factorize(rows["pair"])
            rows = rows.loc[np.asarray(place) < first]
        return count(rows, self.invalid).y_x.size

    def estimate(self, adjustment: Adjustment) -> Estimate:
        """The effect so far, its interval made as the rule asks."""
        counted = count(self.outcomes, self.invalid)
        return cate_estimate(
            counted.y_x,
            counted.y_x_prime,
            counted.cluster,
            adjustment.confidence,
            scale=not self.binary,
        )

    def message(self, estimate: Estimate) -> str:
        """The effect so far as a sentence."""
        pairs = f"{estimate.n} pair{'' if estimate.n == 1 else 's'}"
        if estimate.mean is None:
            return "No pair counts yet."
        if estimate.interval is None:
            return (
                f"CATE {self.signed(estimate.mean)} after {pairs}; "
                "one pair, or one cluster of pairs, has no interval."
            )
        low, high = self.signed(estimate.interval.low), self.signed(estimate.interval.high)
        return f"CATE {self.signed(estimate.mean)}, interval {low} to {high}, after {pairs}."

    def unit(self, value: float) -> str:
        """A width in words: points where outcomes are right or wrong."""
        return points_wide(value) if self.binary else f"{value:.3g}"

    def signed(self, value: float) -> str:
        """An effect in words, with its sign."""
        return f"{typed(signed_points(value))} points" if self.binary else f"{value:+.3f}"


def check_look(look: int, looks: tuple[int, ...]) -> None:
    """Refuses a look that the rule does not take.

    Raises:
        ImpossiblePlan: the message names the looks there are.
    """
    if not 1 <= look <= len(looks):
        raise ImpossiblePlan(f"There is no look {look}: this rule has looks 1 to {len(looks)}.")


def check_between(value: float, low: float, high: float, name: str, example: str) -> None:
    """Refuses a number that does not lie strictly between two others.

    Raises:
        ImpossiblePlan: the message says what it is and what to give.
    """
    if not low < value < high:
        raise ImpossiblePlan(
            f"{value:g} cannot be the {name}: give a number between {low:g} and {high:g}, "
            f"such as {example}."
        )


def check_least(value: int, least: int, name: str) -> None:
    """Refuses a number that is too small.

    Raises:
        ImpossiblePlan: the message says what it is and what to give.
    """
    if value < least:
        raise ImpossiblePlan(f"{name} cannot be {value}: give at least {least}.")
