"""Whether answers to one kind of problem could be read less often than to the other.

An answer that cannot be read counts as not right. Where that happens more often in one arm, a
part of the effect may be how answers were written and not whether they were right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from biaslab.stats.estimates.estimate import mean_estimate
from biaslab.stats.estimates.proportions import Interval
from schoolmath.text.figures import interval_words, percent, signed_points

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class UnreadDifference:
    """The share of unread answers to x minus that to x', over pairs.

    Attributes:
        n: pairs whose members both came back. share_x, share_x_prime: shares unread, as fractions
        0..1. difference: share_x - share_x_prime. interval: of the difference, as that of a CATE
        (`biaslab.stats.estimates.estimate`); None with
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
