"""What is predicted, and what is trained for it: cells that differ in one ratio, in an order.

The order can be published at any point. A *start* is a model of its own, from the first weight
on, that knows no mix; ten of them, each used once in every cell, so that cells are compared
within a start. research/docs/experiment.md says why.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from enum import StrEnum
from functools import cache
from pathlib import Path

from biaslab.training import corpus
from biaslab.training.corpus import words
from biaslab.training.mix import MIXES, Filling, LessonMix
from biaslab.training.plan import SIZES, Schedule, TrainingPlan

# The predictions of research/docs/experiment.md, taken apart into claims that a table can decide.
# They were committed before any training of the experiment. A claim is about one figure
# (`ClaimFigure`), of one study where it has one, and says on which side of zero that figure lies,
# or that it is none. What a figure is, exactly, stands in research/docs/experiment.md.


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
class PredictedClaim:
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
    claims: tuple[PredictedClaim, ...]


def _effect(study: str, first: int, second: int, side: Side) -> PredictedClaim:
    return PredictedClaim(ClaimFigure.EFFECT, study, side, NO_EFFECT, (first, second))


PREDICTIONS = (
    Prediction(
        1,
        "Dose",
        "the more lessons of x for every one of x′, at a fixed total, the larger the effect, in "
        "every study",
        "the same effect whatever the ratio (a slope surely below 0.75 points a doubling), or a "
        "falling one, in any study; if so in all three, the hypothesis itself",
        tuple(PredictedClaim(ClaimFigure.SLOPE, study, Side.ABOVE) for study in STUDIES),
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
            PredictedClaim(figure, study, side)
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
            PredictedClaim(ClaimFigure.DELAY, CONSISTENCY, Side.ABOVE, NO_DELAY),
            PredictedClaim(ClaimFigure.DELAY, TRANSFER, Side.ABOVE, NO_DELAY),
        ),
    ),
    Prediction(
        5,
        "Lessons take it away",
        "the consistency effect of 5:1 is smaller after the last lesson than in the mean over log "
        "lessons",
        "an effect as large after the last lesson",
        (PredictedClaim(ClaimFigure.SHRINKAGE, CONSISTENCY, Side.ABOVE, NO_EFFECT, (5, 1)),),
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
        (PredictedClaim(ClaimFigure.CONTROL, CARRY, Side.NONE),),
    ),
    Prediction(
        8,
        "Size",
        "the slope of consistency is smaller in a network of a million weights, for it learns the "
        "rarer form sooner",
        "a slope as large or larger",
        (PredictedClaim(ClaimFigure.SIZE, CONSISTENCY, Side.ABOVE),),
    ),
)
"""In the order of research/docs/experiment.md."""


STARTS = 10
"""Starts of every cell."""

LARGE_STARTS = 5
"""Starts of the larger network."""

FIRST_SEED = 101
"""Of the first start and of all trainings that go on from it; the next ones follow."""

RATIOS = ((1, 5), (1, 1), (2, 1), (5, 1), (20, 1))
"""Of x to x'."""

CHECKS = (8_192, 16_384, 24_576, 32_768, 49_152, 65_536, 98_304, 131_072)
"""Lessons after the start at which unseen pairs are asked; the last is the end."""

ROUNDS = (8_192, 16_384, 32_768, 131_072)
"""A start's cells of one row all come so far before any goes further: a first curve is there early,
and what an interruption leaves is comparable."""

PAIRS = 200
"""Unseen pairs of each kind at every check."""

START_STEPS = 2_500
"""Steps of a start: 80,000 lessons."""

SCHEDULE = Schedule(one_step_until=0.3)
"""Of all trainings. With it one training of 128,000 lessons learnt what 64,000 had not
(research/docs/experiment.md)."""

SMALL, LARGE = "family", "million"
"""Sizes of the network."""

AUDITED = LessonMix(74, 36, 1000, 77, 420, 418)
"""What was told of 2,732 problems of seven public corpora, uncorrected (docs/origins.md)."""

SCHOOL = {"skewed": MIXES["skewed"], "audited": AUDITED}
"""Mixes with all the ratios of school problems: as Opedal et al. (2024) counted them, and as this
project's audit did."""

_SUBJECT = {
    CONSISTENCY: "consistent:inconsistent",
    TRANSFER: "transfer:comparison",
    CARRY: "no-carry:carry",
}
_RAREST = sum(RATIOS[-1])
"""Where the total is fixed, one lesson of so many is of the rarer form with the last ratio."""


@dataclass(frozen=True, slots=True)
class MixCell:
    """One mix, trained from every start.

    Attributes:
        study: which of its ratios is varied; ratio: of x to x'.
        few: whether the number of the rarer form is fixed, at that which the last ratio has at the
            fixed total, and neutral lessons fill up the rest; else the total of both is fixed.
        size: of the network, one of `plan.SIZES`.
        school: name in `SCHOOL` of the mix, where all ratios are those of school problems.
    """

    study: str
    ratio: tuple[int, int]
    few: bool = False
    size: str = SMALL
    school: str = ""

    @property
    def name(self) -> str:
        """In the table: ``consistency-5to1``, ``carry-2to1-few``, ``balanced``, ``audited``."""
        if self.school:
            return self.school
        ratio = f"{self.study}-{self.ratio[0]}to{self.ratio[1]}"
        name = "balanced" if self.ratio == (1, 1) and not self.few else ratio
        return name + ("-few" if self.few else "") + ("" if self.size == SMALL else f"-{self.size}")

    @property
    def mix(self) -> LessonMix:
        """The ratios of its lessons."""
        if self.school:
            return SCHOOL[self.school]
        first = 2 * STUDIES.index(self.study)
        names = [field.name for field in fields(LessonMix)][first : first + 2]
        return LessonMix(**dict(zip(names, self.ratio, strict=True)))

    @property
    def filling(self) -> Filling | None:
        """What of its lessons is thinned out."""
        if not self.few:
            return None
        return Filling(_SUBJECT[self.study], sum(self.ratio) / min(self.ratio) / _RAREST)

    @property
    def numbers(self) -> tuple[float, float]:
        """Lessons of x and of x', as multiples of the rarer form's with the last ratio."""
        kept = _RAREST if self.filling is None else _RAREST * self.filling.kept
        first, second = self.ratio
        return kept * first / (first + second), kept * second / (first + second)

    @property
    def doublings(self) -> float:
        """log2 of the ratio."""
        return math.log2(self.ratio[0] / self.ratio[1])


def at_fixed_total(study: str, size: str = SMALL) -> tuple[MixCell, ...]:
    """The cells of the dose-response curve of a study, by rising ratio."""
    cells = (MixCell(study, ratio, size=size) for ratio in RATIOS)
    # One model with everything 1:1 serves all studies.
    return tuple(MixCell(CONSISTENCY, (1, 1), size=size) if c.ratio == (1, 1) else c for c in cells)


def at_fixed_number(study: str) -> tuple[MixCell, ...]:
    """The same ratios at a fixed number of the rarer form; the last one is that of the total."""
    return (*(MixCell(study, ratio, few=True) for ratio in RATIOS[:-1]), at_fixed_total(study)[-1])


@dataclass(frozen=True, slots=True)
class MixRow:
    """What is trained together, start by start.

    Attributes:
        number: its place in the order; title: what it is, for people; cells: new in this row.
        starts: how many.
    """

    number: int
    title: str
    cells: tuple[MixCell, ...]
    starts: int = STARTS


def _rest(study: str) -> tuple[MixCell, ...]:
    total = tuple(cell for cell in at_fixed_total(study) if cell.name != "balanced")
    return total + at_fixed_number(study)[:-1]


ROWS = (
    MixRow(1, "consistency at a fixed total", at_fixed_total(CONSISTENCY)),
    MixRow(2, "consistency at a fixed number", at_fixed_number(CONSISTENCY)[:-1]),
    MixRow(3, "transfer and comparison, both ways", _rest(TRANSFER)),
    MixRow(4, "carry, both ways", _rest(CARRY)),
    MixRow(5, "both ratios of school problems", (MixCell(CONSISTENCY, (5, 1), school="skewed"),)),
    MixRow(6, "a million weights", at_fixed_total(CONSISTENCY, LARGE), LARGE_STARTS),
    MixRow(7, "ratios of public corpora", (MixCell(CONSISTENCY, (74, 36), school="audited"),)),
)
"""In the order of training; what was declared later stands last."""

CELLS = {cell.name: cell for row in ROWS for cell in row.cells}
"""All cells by name."""


@dataclass(frozen=True, slots=True)
class Training:
    """One cell from one start."""

    cell: MixCell
    seed: int

    @property
    def name(self) -> str:
        """Of its directory."""
        return f"{self.cell.name}-{self.seed}-{version()}"

    def plan(self, work: Path) -> TrainingPlan:
        """What it is to do after its start."""
        return TrainingPlan(
            self.cell.mix, seed=self.seed, steps=CHECKS[-1] // SCHEDULE.batch,
            start=start_directory(work, self.seed, self.cell.size), check_at=CHECKS,
            check_pairs=PAIRS, filling=self.cell.filling, schedule=SCHEDULE,
        )  # fmt: skip


def seeds(starts: int = STARTS) -> range:
    """Of the first so many starts."""
    return range(FIRST_SEED, FIRST_SEED + starts)


def start_directory(work: Path, seed: int, size: str = SMALL) -> Path:
    """Where a start lives."""
    return work / f"start-{size}-{seed}-{version()}"


def start_plan(seed: int, size: str = SMALL) -> TrainingPlan:
    """What a start is to do, from random weights of its own."""
    return TrainingPlan(None, seed=seed, steps=START_STEPS, size=size, schedule=SCHEDULE)


def trainings(rows: Sequence[MixRow] = ROWS) -> Iterator[Training]:
    """All trainings in their order: row by row, and start by start inside a row."""
    for row in rows:
        for seed in seeds(row.starts):
            for cell in row.cells:
                yield Training(cell, seed)


@cache
def version() -> str:
    """What all trainings have in common, in eight letters: another one makes another table."""
    content = {
        "lessons": corpus.VERSION, "words": words(), "schedule": asdict(SCHEDULE),
        "shapes": [astuple(SIZES[size]) for size in (SMALL, LARGE)], "start": START_STEPS,
        "checks": CHECKS, "pairs": PAIRS,
    }  # fmt: skip
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:8]
