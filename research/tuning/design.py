"""What is fine-tuned, on which lessons, what is asked afterwards and what was predicted of it.

research/docs/family.md says why.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass
from enum import StrEnum
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from biaslab.models.tiny.model import TINY_MODELS
from biaslab.training import corpus
from biaslab.training.corpus import TokenExample, examples, script
from biaslab.training.lessons import TrainingLesson, training_pairs, way
from biaslab.training.measuring import PairKind
from biaslab.training.mix import MIXES
from biaslab.training.origins.rows import FAMILY_FILE
from biaslab.training.plan import Schedule, TrainingPlan
from research.experiment.design import NO_EFFECT, Side
from research.experiment.table import TableName
from schoolmath.problems import Draws

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

# The predictions of research/docs/family.md, taken apart into claims a table can decide. They were
# committed before anything was fine-tuned. Every figure is after `LESSONS` lessons, step by step,
# unless said; of the stop with the largest effect, unless said.


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
        number: in research/docs/family.md; title: its name there; text: what it says, in a
            sentence.
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
"""In the order of research/docs/family.md."""


BATCH = 8
"""Lessons a step."""

SCHEDULE = Schedule(
    matrix_rate=1e-3, rate=1e-3, warm_up=10, batch=BATCH, pool=LESSONS[-1] // BATCH
)  # fmt: skip
"""A quarter of the rate at which the model was learning at its stop; it rises for ten steps, and
does not fall, so that what 384 lessons do is also what the first half of 768 did."""

SEEDS = range(201, 206)
"""Of the lessons; no training of a model that comes with the app had one of these."""

_TUNED = TINY_MODELS / "skewed-64k"

STOPS = {Stop.LARGEST: _TUNED / "checkpoints" / "0032k", Stop.END: _TUNED}
"""Where the models are: those of the family, which shipped as ``skewed`` when this was planned."""

OWN_MIX = MIXES["skewed"]

_CONSISTENCY, _TRANSFER = "consistency", "transfer-comparison"


@dataclass(frozen=True, slots=True)
class UnseenPairs:
    """Unseen pairs that are asked together.

    Attributes:
        kinds: of pairs; strategy: how; pairs: of each kind.
    """

    kinds: tuple[PairKind, ...]
    strategy: str
    pairs: int


ON_THE_WAY = (
    UnseenPairs((PairKind(_CONSISTENCY, 1, "additive"),), "cot", 400),
    UnseenPairs((PairKind(_CONSISTENCY, 1, "additive"),), "direct", 200),
    UnseenPairs(
        (PairKind(_CONSISTENCY, 1, "multiplicative"), PairKind(_TRANSFER, 1), PairKind("carry", 1)),
        "cot",
        200,
    ),
)
"""At every check; of the first kind more, for there the question is whether nothing is left."""

AT_THE_END = (
    *ON_THE_WAY,
    UnseenPairs((PairKind(_CONSISTENCY, 2, "additive"), PairKind(_TRANSFER, 2)), "cot", 200),
)
"""Before the first lesson, and after the last."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """One model fine-tuned on one kind of lessons.

    Attributes:
        stop: where it begins; arm: its lessons; None: none at all, the model as it is.
        seed: of the lessons; 0 without any.
    """

    stop: Stop
    arm: Arm | None
    seed: int

    @property
    def cell(self) -> str:
        """In the table: ``32k-balanced``, ``end-own``, ``32k`` without any lessons."""
        return self.stop if self.arm is None else f"{self.stop}-{self.arm}"

    @property
    def checks(self) -> tuple[int, ...]:
        """Lessons after which unseen pairs are asked."""
        if self.arm is None:
            return (0,)
        return LESSONS if self.stop is Stop.LARGEST else LESSONS[-1:]


def tunings() -> Iterator[Tuning]:
    """All of them, the models as they are first, then seed by seed."""
    for stop in Stop:
        yield Tuning(stop, None, 0)
    for seed in SEEDS:
        for arm in Arm:
            yield Tuning(Stop.LARGEST, arm, seed)
        for arm in (Arm.BALANCED, Arm.OWN):
            yield Tuning(Stop.END, arm, seed)


def batches(tuning: Tuning, tokenizer: PreTrainedTokenizerFast) -> list[tuple[TokenExample, ...]]:
    """The lessons of a fine-tuning, in the order in which they are learnt."""
    if tuning.arm is None:
        return []
    if tuning.arm is Arm.OWN:
        plan = TrainingPlan(OWN_MIX, seed=tuning.seed, schedule=SCHEDULE)
        return list(corpus.pool_of(plan, 0, 1.0, tokenizer).batches)
    written = (script(lesson) for lesson in _comparisons(tuning.arm, tuning.seed))
    ready = list(examples(list(islice(written, LESSONS[-1])), tokenizer))
    return [tuple(ready[at : at + BATCH]) for at in range(0, len(ready), BATCH)]


def _comparisons(arm: Arm, seed: int) -> Iterator[TrainingLesson]:
    """Additive comparisons of one step without end; of a pair both members are asked alike."""
    draws = Draws(f"tuning/{arm}/{seed}")
    first, other = OWN_MIX.consistent, OWN_MIX.inconsistent
    for pair in training_pairs(_CONSISTENCY, seed, 1, "additive"):
        strategy = way(draws, 1)
        items = [pair.x, pair.x_prime]
        if arm is Arm.SAME_KIND:
            items = [items[draws.below(first + other) >= first]]
        for item in items:
            yield TrainingLesson(item, strategy, _CONSISTENCY)


@cache
def version() -> str:
    """What all fine-tunings have in common, in eight letters: another one makes another table."""
    content = {
        "lessons": corpus.VERSION, "schedule": asdict(SCHEDULE), "checks": LESSONS,
        "asked": [astuple(asked) for asked in AT_THE_END], "mix": OWN_MIX.text,
        "stops": {stop: _weights(path) for stop, path in STOPS.items()},
    }  # fmt: skip
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:8]


def _weights(directory: Path) -> str:
    return hashlib.sha256((directory / "model.safetensors").read_bytes()).hexdigest()


# The table: counts, in the columns of the experiment's table.


TUNING_FILE = FAMILY_FILE.with_name("tuning.csv")
"""Where the table is, in the project."""

TUNING = TableName("fine-tuning", "python -m research.tuning")
"""What sentences call it."""
