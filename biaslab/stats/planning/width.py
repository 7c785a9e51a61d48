"""How many pairs an interval of a given width needs, before they are asked."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import asdict, dataclass
from typing import Any

from biaslab.stats.errors import ImpossiblePlan
from biaslab.stats.estimates.imagined_pairs import Steadied
from biaslab.stats.estimates.proportions import check_confidence
from biaslab.stats.planning.assumptions import Assumptions
from biaslab.stats.planning.exact_power import chance_of_width
from biaslab.stats.planning.planning import MOST_PAIRS, SMALLEST_PLAN
from biaslab.stats.sequential.looks import check_between
from schoolmath.text.figures import exact_percent, points_wide


@dataclass(frozen=True, slots=True)
class WidthPlan:
    """The number of pairs that an interval of a given width needs.

    Attributes:
        half_width: how far the interval may reach to either side, a fraction.
        cate, discordance, assumed, confidence, samples, alike: what it was planned for.
        pairs: for which the expected width is as asked.
        chance: how likely the width really is at most that, by binomial sums; about one half.
            None as in `Plan`.
        method: how it was made, in sentences.
    """

    half_width: float
    cate: float
    discordance: float
    assumed: bool
    confidence: float
    samples: int
    alike: float
    pairs: int
    chance: float | None
    method: str

    def as_json(self) -> dict[str, Any]:
        """A JSON-ready object."""
        return asdict(self)


def pairs_for_width(
    half_width: float,
    discordance: float | None = None,
    cate: float = 0.0,
    confidence: float = 0.95,
    samples: int = 1,
    *,
    alike: float = 1.0,
) -> WidthPlan:
    """How many pairs it takes for an interval of the CATE of this width.

    Args:
        half_width: how far it may reach to either side, as a fraction.
        discordance: as for `pairs_needed`.
        cate: the effect expected; 0 asks for most pairs.
        confidence: of the interval. For a run that `UntilNarrow` may stop give the level of its
            ``adjustment``.
        samples: as for `pairs_needed`.
        alike: as for `pairs_needed`.

    Raises:
        ImpossiblePlan: as `pairs_needed`.
        UnknownChoice: the confidence level is not between 0 and 1.
    """
    check_between(half_width, 0.0, 1.0, "half width of the interval", "0.05 (5 points)")
    check_confidence(confidence)
    given = Assumptions.of(cate, discordance, samples, alike)
    # The wider, the fewer: the width that is expected falls with every pair.
    pairs = bisect_left(
        range(MOST_PAIRS + 1),
        True,
        lo=SMALLEST_PLAN,
        key=lambda n: _half_width(n, given, confidence) <= half_width,
    )
    if pairs > MOST_PAIRS:
        raise ImpossiblePlan(
            f"An interval of {points_wide(half_width)} to either side would need more than "
            f"{MOST_PAIRS:,} pairs: plan for a wider one."
        )
    return WidthPlan(
        half_width=half_width,
        cate=cate,
        discordance=given.discordance,
        assumed=given.assumed,
        confidence=confidence,
        samples=samples,
        alike=alike,
        pairs=pairs,
        chance=(
            chance_of_width(pairs, half_width, cate, given.discordance, confidence)
            if given.three_valued
            else None
        ),
        method=" ".join(
            (
                *given.sentences,
                f"CATE interval at {exact_percent(confidence)}, independent pairs; the width "
                "that is "
                "expected, so about half of such runs come out a little wider.",
            )
        ),
    )


def _half_width(pairs: int, given: Assumptions, confidence: float) -> float:
    """Of the interval of pairs that come out exactly as assumed."""
    square = given.variance + given.cate**2
    low, high = Steadied.of_single_pairs(float(pairs), given.cate, square).ends(confidence)
    return float(high - low) / 2.0
