"""What is fine-tuned, on which lessons, and what is asked afterwards. docs/origins.md says why."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass
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
from biaslab.training.plan import Schedule, TrainingPlan
from research.tuning.predictions import LESSONS, Arm, Stop
from schoolmath.problems import Draws

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

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
