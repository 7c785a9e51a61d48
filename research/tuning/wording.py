"""Figures of fine-tuning in words: the same in charts, on the page and in verdicts."""

from __future__ import annotations

from biaslab.training.origins.effects import ends
from research.experiment.estimates import StartsEstimate
from research.experiment.predictions import Side
from research.tuning.predictions import LEAST_SEEDS, Arm, Stop, TuningClaim
from schoolmath.text.figures import count, points_wide, signed_points

ARMS = {
    Arm.BALANCED: "balanced",
    Arm.SAME_KIND: "same kind, 5:1",
    Arm.OWN: "its own mix",
}
"""What the arms are called beside figures."""


def claim_words(claim: TuningClaim) -> str:
    """What is claimed: ``consistency effect, one step, balanced minus its own mix: below zero``."""
    if claim.side is Side.NONE:
        return f"{_of(claim)}: within {points_wide(claim.margin)} of zero"
    return f"{_of(claim)}: {claim.side}"


def figure_words(claim: TuningClaim, estimate: StartsEstimate) -> str:
    """The figure with its interval and seeds, or that there is none yet."""
    name = _of(claim)
    name = name[0].upper() + name[1:]
    if estimate.value is None:
        return f"{name}: not fine-tuned yet."
    said = f"{name}: {value_words(estimate)}, {count(estimate.n, 'seed')}"
    return f"{said}; no verdict before {LEAST_SEEDS}." if estimate.n < LEAST_SEEDS else f"{said}."


def value_words(estimate: StartsEstimate) -> str:
    """A difference in points with its interval: ``+3.1 (+1.2 to +5.0)``."""
    if estimate.interval is None:
        return f"{signed_points(estimate.value)} (no interval)"
    return f"{signed_points(estimate.value)} ({ends(estimate.interval)})"


def _of(claim: TuningClaim) -> str:
    which = ARMS[claim.arm]
    if claim.against is not None:
        which += f" minus {ARMS[claim.against]}"
    begun = ", from the end of training" if claim.stop is Stop.END else ""
    return f"{claim.measure}{begun}, {which}, {claim.lessons} lessons"
