"""How the numbers of an effect are made from its counted pairs, and how that is said."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from biaslab.stats.estimates.clustered import clustered_interval, clustered_share
from biaslab.stats.estimates.estimate import Estimate
from biaslab.stats.estimates.paired import IntervalMethod, Outcomes, cate_estimate
from biaslab.stats.estimates.proportions import Interval, wilson
from biaslab.stats.outcomes import Counted, InvalidRule
from biaslab.stats.sequential.stopping import Adjustment
from schoolmath.text.figures import exact_percent


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

    def estimate(self, counted: Counted) -> Estimate:
        """CATE with the interval that the run asks for."""
        return cate_estimate(
            counted.y_x,
            counted.y_x_prime,
            counted.cluster,
            self.confidence if self.adjustment is None else self.adjustment.confidence,
            scale=not self.binary,
            method=self.interval,
        )

    def arm_interval(self, outcomes: Outcomes, counted: Counted) -> Interval | None:
        """Interval of one arm's accuracy, or of its mean where outcomes are not binary."""
        single = not self.averaged and len(set(counted.cluster)) == outcomes.size
        if not self.binary:
            cluster = np.arange(outcomes.size) if single else counted.cluster
            return _within_the_scale(clustered_interval(outcomes, cluster, self.coverage), outcomes)
        if single:
            return wilson(int(outcomes.sum()), outcomes.size, self.coverage)
        return clustered_share(outcomes, counted.cluster, counted.rows, self.coverage)

    def method(self, counted: Counted, estimate: Estimate) -> str:
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

    def _samples_notes(self, counted: Counted) -> list[str]:
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


def _within_the_scale(found: Interval | None, outcomes: Outcomes) -> Interval | None:
    """The interval of a mean, cut at the ends of the scale: beyond them no mean can be.

    Where a position itself lies beyond, as a metric allows that measures from a point off the
    scale, no end is known.
    """
    if found is None or float(np.abs(outcomes).max()) > 1:
        return found
    return Interval(max(found.low, -1.0), min(found.high, 1.0))
