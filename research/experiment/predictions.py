"""The predictions of research/docs/experiment.md, taken apart into claims that a table can decide.

They were committed before any training of the experiment. A claim is about one figure
(`ClaimFigure`), of one study where it has one, and says on which side of zero that figure lies, or
that it is none. What a figure is, exactly, stands in research/docs/experiment.md;
`research.experiment` works it out from the table and from nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

CONSISTENCY, TRANSFER, CARRY = "consistency", "transfer-comparison", "carry"
STUDIES = (CONSISTENCY, TRANSFER, CARRY)

LEAST_STARTS = 5
"""Fewer starts with all cells of a claim decide nothing: it is not yet trained."""

NO_EFFECT = 0.05
"""An effect within so much of zero is none."""

NO_SLOPE = 0.0075
"""A slope within so much of zero a doubling is none: 5 points over the 6.64 doublings from 1:5 to
20:1."""

NO_DELAY = 0.1
"""A slope of the delay (in doublings of lessons) within so much of zero a doubling is none."""


class ClaimFigure(StrEnum):
    """What a claim is about; all are means over log lessons, asked step by step, unless said.

    Attributes:
        SLOPE: of the effect over log2 of the ratio, at a fixed total.
        EFFECT: of one ratio, at the fixed total.
        RARER: what a doubling of the number of x' does to the share of x' right, the number of x
            being equal; COMMONER: what a doubling of the number of x does to the share of x'
            right, the number of x' being equal; BOTH: what doubling both does.
        DELAY: slope, over log2 of the ratio, of log2 of how many times the lessons x' needs to
            reach 80 % right.
        SHRINKAGE: by how much the effect is smaller after the last lesson than in the mean.
        CONTROL: slope of the carry effect over log2 of consistent to inconsistent.
        SIZE: how much the slope is larger with 253,440 weights than with 1,103,104.
    """

    SLOPE = "slope"
    EFFECT = "effect"
    RARER = "rarer"
    COMMONER = "commoner"
    BOTH = "both"
    DELAY = "delay"
    SHRINKAGE = "shrinkage"
    CONTROL = "control"
    SIZE = "size"


class Side(StrEnum):
    """Where a claim says that its figure lies."""

    ABOVE = "above zero"
    BELOW = "below zero"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Predicted:
    """A claim before anything was trained.

    Attributes:
        figure, study: what it is about; ratio: of x to x', where the figure is of one ratio.
        side: where it lies; margin: within which it counts as none, in the figure's unit.
    """

    figure: ClaimFigure
    study: str
    side: Side
    margin: float = NO_SLOPE
    ratio: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Prediction:
    """What was predicted.

    Attributes:
        number, title: in research/docs/experiment.md; text: what it says, in a sentence.
        against: what would contradict it.
        claims: all must hold; one that does not makes "not as predicted".
    """

    number: int
    title: str
    text: str
    against: str
    claims: tuple[Predicted, ...]


def _effect(study: str, first: int, second: int, side: Side) -> Predicted:
    return Predicted(ClaimFigure.EFFECT, study, side, NO_EFFECT, (first, second))


PREDICTIONS = (
    Prediction(
        1,
        "Dose",
        "the more lessons of x for every one of x′, at a fixed total, the larger the effect, in "
        "every study",
        "the same effect whatever the ratio (a slope surely below 0.75 points a doubling), or a "
        "falling one, in any study; if so in all three, the hypothesis itself",
        tuple(Predicted(ClaimFigure.SLOPE, study, Side.ABOVE) for study in STUDIES),
    ),
    Prediction(
        2,
        "Sign",
        "the consistency effect is human with 5:1 and 20:1, the other way round with 1:5, and "
        "none with 1:1",
        "an effect of the same sign with 1:5 and with 5:1, or one beyond 5 points with 1:1",
        (
            _effect(CONSISTENCY, 1, 5, Side.BELOW),
            _effect(CONSISTENCY, 1, 1, Side.NONE),
            _effect(CONSISTENCY, 5, 1, Side.ABOVE),
            _effect(CONSISTENCY, 20, 1, Side.ABOVE),
        ),
    ),
    Prediction(
        3,
        "Number and share",
        "both count: x′ is more often right the more lessons of x′ there were, and less often the "
        "more of x there were beside as many of x′; where both double, the number wins",
        "number alone: lessons of x do not harm x′. Share alone: doubling both changes nothing",
        tuple(
            Predicted(figure, study, side)
            for study in STUDIES
            for figure, side in (
                (ClaimFigure.RARER, Side.ABOVE),
                (ClaimFigure.COMMONER, Side.BELOW),
                (ClaimFigure.BOTH, Side.ABOVE),
            )
        ),
    ),
    Prediction(
        4,
        "Delay",
        "the rarer form comes later: how many times the lessons x′ needs to reach 80 % rises with "
        "the ratio",
        "as many times the lessons whatever the ratio",
        (
            Predicted(ClaimFigure.DELAY, CONSISTENCY, Side.ABOVE, NO_DELAY),
            Predicted(ClaimFigure.DELAY, TRANSFER, Side.ABOVE, NO_DELAY),
        ),
    ),
    Prediction(
        5,
        "Lessons take it away",
        "the consistency effect of 5:1 is smaller after the last lesson than in the mean over log "
        "lessons",
        "an effect as large after the last lesson",
        (Predicted(ClaimFigure.SHRINKAGE, CONSISTENCY, Side.ABOVE, NO_EFFECT, (5, 1)),),
    ),
    Prediction(
        6,
        "Harder in itself",
        "with 1:1, carrying is harder all the same, and comparing is not",
        "no carry effect, or a transfer effect beyond 5 points, with 1:1",
        (
            _effect(CARRY, 1, 1, Side.ABOVE),
            _effect(TRANSFER, 1, 1, Side.NONE),
        ),
    ),
    Prediction(
        7,
        "Nothing else moves",
        "the ratio of consistent to inconsistent leaves the carry effect alone (a control: these "
        "pairs do not differ in their wording)",
        "a carry effect that changes by 0.75 points or more a doubling",
        (Predicted(ClaimFigure.CONTROL, CARRY, Side.NONE),),
    ),
    Prediction(
        8,
        "Size",
        "the slope of consistency is smaller in a network of a million weights, for it learns the "
        "rarer form sooner",
        "a slope as large or larger",
        (Predicted(ClaimFigure.SIZE, CONSISTENCY, Side.ABOVE),),
    ),
)
"""In the order of research/docs/experiment.md."""
