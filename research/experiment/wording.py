"""Figures of the experiment in words, by their intervals: the same in docs and on the page."""

from __future__ import annotations

from research.experiment.design import STARTS
from research.experiment.estimates import StartsEstimate
from research.experiment.predictions import LEAST_STARTS, TRANSFER, ClaimFigure, Predicted, Side
from schoolmath.text.figures import count, p_words, points_wide, signed_number, signed_points

_OF = {
    ClaimFigure.SLOPE: "slope of the {study} effect over the ratio, a doubling",
    ClaimFigure.EFFECT: "{study} effect with {ratio}",
    ClaimFigure.RARER: "share of x′ right ({study}) for each doubling of its lessons",
    ClaimFigure.COMMONER: "share of x′ right ({study}) for each doubling of the lessons of x",
    ClaimFigure.BOTH: "share of x′ right ({study}) where both double",
    ClaimFigure.DELAY: "slope of the delay of x′ ({study}) over the ratio, a doubling",
    ClaimFigure.SHRINKAGE: "{study} effect with {ratio}, mean minus the end",
    ClaimFigure.CONTROL: "slope of the carry effect over consistent to inconsistent, a doubling",
    ClaimFigure.SIZE: "slope of the {study} effect, small network minus large, a doubling",
}
_STUDIES = {TRANSFER: "transfer"}


def effect_words(study: str) -> str:
    """A study's effect: ``transfer effect``."""
    return f"{_STUDIES.get(study, study)} effect"


def claim_words(claim: Predicted) -> str:
    """What is claimed: ``consistency effect with 5:1 is above zero``."""
    if claim.side is not Side.NONE:
        return f"{_of(claim)} is {claim.side}"
    return f"{_of(claim)} is within {points_wide(claim.margin)} of zero"


def figure_words(claim: Predicted, estimate: StartsEstimate, q: float | None) -> str:
    """The figure with its interval, its starts and its q, or that it is not yet trained."""
    name = _of(claim)
    name = name[0].upper() + name[1:]
    if estimate.value is None:
        return f"{name}: not yet trained: 0 of {STARTS} starts."
    figure = f"{name}: {value_words(claim.figure, estimate)}, {count(estimate.n, 'start')}" + (
        "" if q is None else f", q {p_words(q)}"
    )
    if estimate.n < LEAST_STARTS:
        return f"{figure}; no verdict before {LEAST_STARTS}."
    return f"{figure}."


def value_words(figure: ClaimFigure, estimate: StartsEstimate) -> str:
    """A value and its interval: ``+3.1 points (95 % interval +1.2 to +5.0)``."""
    unit = "doublings of lessons" if figure is ClaimFigure.DELAY else "points"
    ends = estimate.interval
    if ends is None:
        return f"{_signed(figure, estimate.value)} {unit} (no interval)"
    between = f"{_signed(figure, ends.low)} to {_signed(figure, ends.high)}"
    return f"{_signed(figure, estimate.value)} {unit} (95 % interval {between})"


def _signed(figure: ClaimFigure, value: float | None) -> str:
    if figure is ClaimFigure.DELAY:
        return signed_number(value)
    return signed_points(value, 1 if figure in (ClaimFigure.EFFECT, ClaimFigure.SHRINKAGE) else 2)


def _of(claim: Predicted) -> str:
    ratio = "" if claim.ratio is None else f"{claim.ratio[0]}:{claim.ratio[1]}"
    return _OF[claim.figure].format(study=_STUDIES.get(claim.study, claim.study), ratio=ratio)
