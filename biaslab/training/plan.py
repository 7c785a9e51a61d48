"""How large a tiny model is, how long it learns, and the record of how it came about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

RECORD_FILE = "training.json"
"""The record, next to the weights."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Size of the model."""

    width: int = 80
    layers: int = 4
    heads: int = 4


@dataclass(frozen=True, slots=True)
class Schedule:
    """Time, step size and batch.

    Attributes:
        minutes: when the training ends.
        most_steps: when not 0, the training ends after so many steps instead, and every
            share of the time is a share of the steps: the same on every machine.
        peak: largest learning rate. It rises for `warm_up` steps, stays, and falls from
            `falls_from` (a share of the time) in a straight line to zero at the end.
        equations_batch, batch: examples a step, of equations alone and of problems. Small
            batches learn arithmetic in far fewer examples.
        equations_until, one_step_until: shares of the time at which the first stage ends at
            the latest, and the second one.
        equations_share: share of equations among the word problems.
        familiar_weight: weight of telling, of every name, whether that person was named before.
            It is read off below the middle of the network, and only in training. Without it the
            model does not find out who gives to whom in any time tried.
    """

    minutes: float
    peak: float = 2e-3
    warm_up: int = 200
    falls_from: float = 0.4
    equations_batch: int = 32
    batch: int = 64
    equations_until: float = 0.25
    one_step_until: float = 0.45
    equations_share: float = 0.12
    familiar_weight: float = 0.3
    most_steps: int = 0

    def rate(self, step: int, spent: float) -> float:
        """The learning rate at a step, when this share of the time is spent."""
        rising = min(1.0, (step + 1) / self.warm_up)
        falling = (1.0 - spent) / (1.0 - self.falls_from)
        return self.peak * min(rising, 1.0, max(falling, 0.0))


@dataclass(frozen=True, slots=True)
class TrainingRecord:
    """How a model came about.

    Attributes:
        minutes: how long it took; date: when it ended; finished: False for a save on the way.
        examples: equations and problems seen; equations: the equations among them.
        history: where the weights were not made by one plain run, a sentence on how they were.
        caveat: what a reader must know of the choice of these weights, in a sentence.
        loss: mean over the last pool of batches, in nats a taught token.
    """

    mix: str
    seed: int
    minutes: float
    steps: int
    examples: int
    equations: int
    loss: float
    finished: bool
    date: str
    shape: Mapping[str, int]
    schedule: Mapping[str, float]
    history: str = ""
    caveat: str = ""

    def save(self, directory: Path) -> None:
        """Writes the record next to the weights."""
        text = json.dumps(asdict(self), indent=1)
        (directory / RECORD_FILE).write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, directory: Path) -> TrainingRecord:
        """The record next to the weights."""
        return cls(**json.loads((directory / RECORD_FILE).read_text(encoding="utf-8")))
