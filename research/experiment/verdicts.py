"""What came of the predictions, by the table and by nothing else.

A claim is decided by the interval of its figure, and, where it is a test against zero, by q as
well; with fewer starts than `LEAST_STARTS` it is not yet trained.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import scipy

from biaslab.stats.estimates import Interval
from biaslab.training.origins.predictions import Claim, Judgement, Truth, verdict
from research.experiment.design import (
    LEAST_STARTS,
    PREDICTIONS,
    STARTS,
    TRANSFER,
    ClaimFigure,
    PredictedClaim,
    Prediction,
    Side,
)
from research.experiment.estimates import StartsEstimate
from research.experiment.outcomes import TrainingAnswers, estimate_of
from research.experiment.table import SampleRow
from schoolmath.text.figures import count, p_words, points_wide, signed_number, signed_points

# Figures of the experiment in words, by their intervals: the same in docs and on the page.


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


def claim_words(claim: PredictedClaim) -> str:
    """What is claimed: ``consistency effect with 5:1 is above zero``."""
    if claim.side is not Side.NONE:
        return f"{_of(claim)} is {claim.side}"
    return f"{_of(claim)} is within {points_wide(claim.margin)} of zero"


def figure_words(claim: PredictedClaim, estimate: StartsEstimate, q: float | None) -> str:
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


def _of(claim: PredictedClaim) -> str:
    ratio = "" if claim.ratio is None else f"{claim.ratio[0]}:{claim.ratio[1]}"
    return _OF[claim.figure].format(study=_STUDIES.get(claim.study, claim.study), ratio=ratio)


MOST_Q = 0.05
"""A claim that a figure is not zero holds only where its q is no larger."""

_TESTED = (Side.ABOVE, Side.BELOW)


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim with what the table says of it.

    Attributes:
        claim: what was predicted; estimate: its figure; q: among all tests of the family that have
            been trained; None where it is no test, or has no p.
        answer: whether it holds.
    """

    claim: PredictedClaim
    estimate: StartsEstimate
    q: float | None
    answer: Truth


@dataclass(frozen=True, slots=True)
class FigurePlace:
    """Whether a figure lies where it is said to lie.

    Attributes:
        side: where; margin: within which it counts as none; estimate: the figure.
    """

    side: Side
    margin: float
    estimate: StartsEstimate


@dataclass(frozen=True, slots=True)
class Held:
    """What comes of it among others.

    Attributes:
        q: as in `JudgedClaim`; answer: whether it holds.
    """

    q: float | None
    answer: Truth


def decide(table: Iterable[SampleRow]) -> dict[PredictedClaim, JudgedClaim]:
    """Every claim of every prediction."""
    answers = TrainingAnswers(table)
    found = {
        claim: estimate_of(answers, claim)
        for prediction in PREDICTIONS
        for claim in prediction.claims
    }
    held = decide_together(
        [FigurePlace(claim.side, claim.margin, each) for claim, each in found.items()]
    )
    return {
        claim: JudgedClaim(claim, estimate, each.q, each.answer)
        for (claim, estimate), each in zip(found.items(), held, strict=True)
    }


def decide_together(models: Sequence[FigurePlace], least: int = LEAST_STARTS) -> list[Held]:
    """Claims whose tests are one family: q is Benjamini and Hochberg's over those there are.

    Args:
        models: the claims.
        least: fewer starts decide nothing.
    """
    tested = {
        place: each.estimate.p
        for place, each in enumerate(models)
        if each.side in _TESTED and each.estimate.p is not None and each.estimate.n >= least
    }
    q = dict(zip(tested, _false_discovery(list(tested.values())), strict=True))
    return [
        Held(q.get(place), _answer(each, q.get(place), least)) for place, each in enumerate(models)
    ]


def judge(table: Iterable[SampleRow]) -> tuple[Judgement, ...]:
    """The predictions in their order, with their verdicts and figures."""
    return judgements(decide(table))


def judgements(claims: Mapping[PredictedClaim, JudgedClaim]) -> tuple[Judgement, ...]:
    """The predictions in their order, from what came of every claim."""
    return tuple(
        _judgement(prediction, [claims[claim] for claim in prediction.claims])
        for prediction in PREDICTIONS
    )


def is_enough(estimate: StartsEstimate) -> bool:
    """Whether there are starts enough to decide anything."""
    return estimate.n >= LEAST_STARTS


def _judgement(prediction: Prediction, judged_claims: Sequence[JudgedClaim]) -> Judgement:
    claims = tuple(Claim(claim_words(each.claim), each.answer) for each in judged_claims)
    found = verdict(claims)
    said = tuple(figure_words(each.claim, each.estimate, each.q) for each in judged_claims)
    return Judgement(prediction.number, prediction.title, prediction.text, found, claims, said)


def _answer(located: FigurePlace, q: float | None, least: int) -> Truth:
    if located.estimate.n < least:
        return Truth.UNKNOWN
    answer = on_side(located.side, located.margin, located.estimate)
    if (
        answer is Truth.TRUE
        and located.estimate.interval is not None
        and located.side in _TESTED
        and (q is None or q > MOST_Q)
    ):
        return Truth.OPEN
    return answer


def on_side(side: Side, margin: float, estimate: StartsEstimate) -> Truth:
    """Whether a figure lies where a claim says, by its interval.

    Args:
        side: where the claim says that it lies.
        margin: within which it counts as none.
        estimate: the figure, of starts enough.
    """
    # All starts came out exactly alike: that is no interval, but it is a figure.
    alike = Interval(estimate.value or 0.0, estimate.value or 0.0)
    interval = estimate.interval or alike
    if side is Side.NONE:
        if -margin <= interval.low and interval.high <= margin:
            return Truth.TRUE
        beyond = interval.low > margin or interval.high < -margin
        return Truth.FALSE if beyond else Truth.OPEN
    sign = 1 if side is Side.ABOVE else -1
    low, high = sorted((sign * interval.low, sign * interval.high))
    if low > 0.0:
        return Truth.TRUE
    return Truth.FALSE if high < margin else Truth.OPEN


def _false_discovery(p: Sequence[float]) -> list[float]:
    return [float(q) for q in scipy.stats.false_discovery_control(p, method="bh")] if p else []
