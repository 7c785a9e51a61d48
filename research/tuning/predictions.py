"""The predictions of docs/origins.md on fine-tuning, taken apart into claims a table can decide.

They were committed before anything was fine-tuned. Every figure is after `LESSONS` lessons, step by
step, unless said; of the stop with the largest effect, unless said.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from research.experiment.predictions import NO_EFFECT, Side

LESSONS = (24, 48, 96, 192, 384, 768)
"""Lessons after which unseen pairs are asked; each is twice the one before."""

LEAST_SEEDS = 3
"""Fewer seeds decide nothing."""


class Arm(StrEnum):
    """What a model is fine-tuned on; the lessons of all arms are asked in the same shares of ways.

    Attributes:
        BALANCED: both members of pairs of additive comparisons of one step.
        SAME_KIND: additive comparisons of one step, 5 consistent ones for each inconsistent one.
        OWN: whatever its own training would have gone on with, the skewed mix.
    """

    BALANCED = "balanced"
    SAME_KIND = "same-kind"
    OWN = "own"


class Stop(StrEnum):
    """Where fine-tuning begins: a model that comes with the app.

    Attributes:
        LARGEST: ``skewed`` after 32,768 of 64,000 lessons, where its effect is largest.
        END: ``skewed`` at the end of training, which can do some problems of two steps.
    """

    LARGEST = "32k"
    END = "end"


class TuningMeasure(StrEnum):
    """What is asked of a model, as far as it is predicted or told.

    Attributes:
        ONE_STEP: the consistency effect, additive, one step; DIRECTLY: the same, asked directly.
        BY_FACTOR: the consistency effect, multiplicative, one step.
        TWO_STEPS: the consistency effect, additive, two steps.
        COMPARED: the transfer effect, one step; COMPARED_TWO: two steps.
        CARRIED: the carry effect.
        TRANSFERS: share right of problems of transfers, one step; TRANSFERS_TWO: two steps.
        CARRIES: share right of three-digit problems, with and without a carry.
        COMPARISONS, FACTORS, COMPARISONS_TWO: share right of the problems of the consistency
            effects, both members; added after the first seed, told and not predicted, for where
            nothing is right any more an effect is gone as well.
    """

    ONE_STEP = "consistency effect, one step"
    DIRECTLY = "consistency effect, one step, asked directly"
    BY_FACTOR = "consistency effect, comparisons by a factor"
    TWO_STEPS = "consistency effect, two steps"
    COMPARED = "transfer effect, one step"
    COMPARED_TWO = "transfer effect, two steps"
    CARRIED = "carry effect"
    TRANSFERS = "transfers right, one step"
    TRANSFERS_TWO = "transfers right, two steps"
    CARRIES = "three-digit problems right"
    COMPARISONS = "comparisons right, one step"
    FACTORS = "comparisons by a factor right"
    COMPARISONS_TWO = "comparisons right, two steps"


@dataclass(frozen=True, slots=True)
class TuningClaim:
    """A claim before anything was fine-tuned.

    Attributes:
        measure, arm: of what; against: the arm that is subtracted within each seed; None: nothing.
        side: where the figure lies; stop: where it began; lessons: after how many.
    """

    measure: TuningMeasure
    arm: Arm
    against: Arm | None
    side: Side
    stop: Stop = Stop.LARGEST
    lessons: int = LESSONS[-1]
    margin: float = NO_EFFECT


@dataclass(frozen=True, slots=True)
class TuningPrediction:
    """What was predicted; all of its claims must hold.

    Attributes:
        number: in docs/origins.md; title: its name there; text: what it says, in a sentence.
    """

    number: int
    title: str
    text: str
    claims: tuple[TuningClaim, ...]


def _less(measure: TuningMeasure, against: Arm = Arm.OWN, stop: Stop = Stop.LARGEST) -> TuningClaim:
    return TuningClaim(measure, Arm.BALANCED, against, Side.BELOW, stop)


def _same(measure: TuningMeasure, stop: Stop = Stop.LARGEST) -> TuningClaim:
    return TuningClaim(measure, Arm.BALANCED, Arm.OWN, Side.NONE, stop)


PREDICTIONS = (
    TuningPrediction(
        1,
        "It goes away",
        "384 and 768 balanced lessons leave an effect within 5 points of zero, smaller than as "
        "many of its own mix",
        (
            TuningClaim(TuningMeasure.ONE_STEP, Arm.BALANCED, None, Side.NONE, lessons=384),
            TuningClaim(TuningMeasure.ONE_STEP, Arm.BALANCED, None, Side.NONE),
            _less(TuningMeasure.ONE_STEP),
        ),
    ),
    TuningPrediction(
        2,
        "Not by more training alone",
        "768 lessons of its own mix leave an effect above zero",
        (TuningClaim(TuningMeasure.ONE_STEP, Arm.OWN, None, Side.ABOVE),),
    ),
    TuningPrediction(
        3,
        "By balance, not by practice",
        "768 balanced lessons leave a smaller effect than as many of the same kind, 5:1",
        (_less(TuningMeasure.ONE_STEP, Arm.SAME_KIND),),
    ),
    TuningPrediction(
        4,
        "To other comparisons",
        "the effect becomes smaller where things are compared by a factor, and so does the "
        "transfer effect",
        (_less(TuningMeasure.BY_FACTOR), _less(TuningMeasure.COMPARED)),
    ),
    TuningPrediction(
        5,
        "To two steps",
        "from the end of training, the consistency effect becomes smaller at two steps",
        (_less(TuningMeasure.TWO_STEPS, stop=Stop.END),),
    ),
    TuningPrediction(
        6,
        "Carrying is left alone",
        "the carry effect stays within 5 points of that with its own mix",
        (_same(TuningMeasure.CARRIED),),
    ),
    TuningPrediction(
        7,
        "Nothing else gets worse",
        "the share of transfers right stays within 5 points of that with its own mix, at one "
        "step and, from the end of training, at two",
        (_same(TuningMeasure.TRANSFERS), _same(TuningMeasure.TRANSFERS_TWO, Stop.END)),
    ),
)
"""In the order of docs/origins.md."""
