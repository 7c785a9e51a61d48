"""How the numbers of an effect are made from its counted pairs, and what was not read.

An answer that cannot be read counts as not right. Where that happens more often in one arm, a
part of the effect may be how answers were written and not whether they were right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from biaslab.stats.estimates import (
    Estimate,
    Interval,
    clustered_interval,
    clustered_share,
    mean_estimate,
    wilson,
)
from biaslab.stats.outcomes import CountedPairs, InvalidRule
from biaslab.stats.paired import IntervalMethod, Outcomes, cate_estimate
from biaslab.stats.stopping import Adjustment
from schoolmath.text.figures import exact_percent, interval_words, percent, signed_points

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Estimator:
    """Turns the counted pairs of one run, or of a stratum of it, into numbers.

    Attributes:
        binary, samples, voted: as in `Effect`; samples is that of the whole run.
        invalid: the rule as asked; confidence: of the intervals as asked.
        adjustment: how the CATE interval allows for looking; None where nobody looked.
        interval: which method makes it.
    """

    binary: bool
    invalid: InvalidRule
    confidence: float
    samples: int
    voted: bool
    adjustment: Adjustment | None
    interval: IntervalMethod

    @property
    def averaged(self) -> bool:
        """Whether outcomes are means of several samples."""
        return self.samples > 1 and not self.voted

    @property
    def coverage(self) -> float:
        """What all intervals promise."""
        if self.adjustment is None:
            return self.confidence
        return min(self.confidence, self.adjustment.coverage)

    def estimate(self, counted: CountedPairs) -> Estimate:
        """CATE with the interval that the run asks for."""
        return cate_estimate(
            counted.y_x,
            counted.y_x_prime,
            counted.cluster,
            self.confidence if self.adjustment is None else self.adjustment.confidence,
            scale=not self.binary,
            method=self.interval,
        )

    def arm_interval(self, outcomes: Outcomes, counted: CountedPairs) -> Interval | None:
        """Interval of one arm's accuracy, or of its mean where outcomes are not binary."""
        single = not self.averaged and len(set(counted.cluster)) == outcomes.size
        if not self.binary:
            cluster = np.arange(outcomes.size) if single else counted.cluster
            return _within_the_scale(clustered_interval(outcomes, cluster, self.coverage), outcomes)
        if single:
            return wilson(int(outcomes.sum()), outcomes.size, self.coverage)
        return clustered_share(outcomes, counted.cluster, counted.rows, self.coverage)

    def method(self, counted: CountedPairs, estimate: Estimate) -> str:
        """How the numbers were made, in plain sentences for a reader."""
        arms = "Wilson intervals" if self.binary else "t intervals"
        level = "at" if self.adjustment is None else "to cover"
        notes = [
            f"CATE: {estimate.method}, accuracies: {arms}, each {level} "
            f"{exact_percent(self.coverage)}."
        ]
        notes += self._samples_notes(counted)
        if estimate.clusters < estimate.n:
            notes.append(
                f"The pairs belong to {estimate.clusters} clusters: all intervals and p respect "
                "them, "
                "and there is no paired t-test or McNemar test of such pairs."
            )
        if not self.binary:
            notes.append(
                "Outcomes are positions on a scale; pairs with an invalid answer are left out."
            )
        elif self.invalid == "strict":
            notes.append("An answer that could not be read counts as not right.")
        else:
            notes.append("Pairs with an answer that could not be read are left out.")
        if self.adjustment is not None:
            notes.append(self.adjustment.note)
            notes.append(
                "The p and q values and the intervals of the accuracies do not allow for looking."
            )
        return " ".join(notes)

    def _samples_notes(self, counted: CountedPairs) -> list[str]:
        """How several samples an item became one outcome, and which of them are left out."""
        if self.samples == 1:
            return []
        asked = f"Every item was asked {self.samples} times; "
        if self.voted:
            return [
                asked
                + "its outcome is that of its most frequent answer, the earliest of those where "
                "several are equally frequent. Answers that could not be read do not vote."
            ]
        notes = [
            asked + "a pair's outcome is the mean of its samples and n counts pairs. All intervals "
            "treat the samples of a pair as one observation. There is no McNemar test of means."
        ]
        lost = {
            "a request failed": counted.samples_failed,
            "an answer is still missing": counted.samples_unfinished,
            "an answer could not be read": counted.samples_excluded,
        }
        if any(lost.values()):
            parts = ", ".join(f"{n} because {why}" for why, n in lost.items() if n)
            notes.append(f"Samples left out of pairs that count: {parts}.")
        return notes


def _within_the_scale(interval: Interval | None, outcomes: Outcomes) -> Interval | None:
    """The interval of a mean, cut at the ends of the scale: beyond them no mean can be.

    Where a position itself lies beyond, as a metric allows that measures from a point off the
    scale, no end is known.
    """
    if interval is None or float(np.abs(outcomes).max()) > 1:
        return interval
    return Interval(max(interval.low, -1.0), min(interval.high, 1.0))


@dataclass(frozen=True, slots=True)
class UnreadDifference:
    """The share of unread answers to x minus that to x', over pairs.

    Attributes:
        n: pairs whose members both came back. share_x, share_x_prime: shares unread, as fractions
        0..1. difference: share_x - share_x_prime. interval: of the difference, as that of a CATE
        (`biaslab.stats.estimates`); None with
            fewer than two pairs or clusters.
        p: of the test that belongs to the interval.
    """

    n: int
    share_x: float
    share_x_prime: float
    difference: float
    interval: Interval | None
    p: float | None

    @property
    def differs(self) -> bool:
        """Whether the interval excludes zero."""
        return self.interval is not None and (self.interval.low > 0 or self.interval.high < 0)

    def sentence(self, arms: tuple[str, str] = ("x", "x'")) -> str:
        """What it means for the effect; empty where the shares may well be the same.

        Args:
            arms: what x and x' are called.
        """
        if not self.differs or self.interval is None:
            return ""
        return (
            f"answers could be read less often to one kind of problem than to the other: "
            f"{percent(self.share_x)} unread for “{arms[0]}”, {percent(self.share_x_prime)} for "
            f"“{arms[1]}” (difference {signed_points(self.difference)} points, "
            f"{interval_words(self.interval.low, self.interval.high)}, n = {self.n:,}). "
            "So a part of the effect may be how answers were written, not whether they were right. "
            "Compare counting unread answers as not right with leaving them out, and read some."
        )


def unread_difference(outcomes: pd.DataFrame, confidence: float = 0.95) -> UnreadDifference | None:
    """How the shares of unread answers differ between the arms; None without finished pairs.

    Args:
        outcomes: rows of one run, or of one stratum of it (`outcomes.COLUMNS`). Samples of a
            pair count as one pair with the mean of its samples.
        confidence: coverage of the interval.
    """
    import pandas as pd

    read = ("answered", "invalid")
    back = outcomes[outcomes["state_x"].isin(read) & outcomes["state_x_prime"].isin(read)]
    if back.empty:
        return None
    flags = pd.DataFrame(
        {
            "pair": back["pair"],
            "cluster": back["cluster"],
            "x": (back["state_x"] == "invalid").astype(float),
            "x_prime": (back["state_x_prime"] == "invalid").astype(float),
        }
    )
    pairs = (
        flags
        if flags["pair"].is_unique
        else flags.groupby("pair", sort=False).agg(
            {"cluster": "first", "x": "mean", "x_prime": "mean"}
        )
    )
    x, x_prime = pairs["x"].to_numpy(float), pairs["x_prime"].to_numpy(float)
    found = mean_estimate(x - x_prime, pairs["cluster"].to_numpy(dtype=object), confidence)
    return UnreadDifference(
        len(pairs),
        float(x.mean()),
        float(x_prime.mean()),
        float((x - x_prime).mean()),
        found.interval,
        found.p,
    )
