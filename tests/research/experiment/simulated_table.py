"""Made-up tables of the experiment: what models would answer that learn as a test asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from biaslab.training.origins.rows import FamilyRow
from research.experiment.design import CELLS, CHECKS, STUDIES, MixCell, seeds
from research.experiment.table import Pairs, SampleRow

Shares = Callable[[MixCell, str, int], tuple[float, float]]
"""Shares of x and of x' right, of a cell, a study's pairs and lessons."""


def always(x: float, x_prime: float) -> Shares:
    """The same shares whatever was learnt."""
    return lambda *_: (x, x_prime)


def no_effect(_cell: MixCell, _study: str, lessons: int) -> tuple[float, float]:
    """Both members are learnt alike, whatever the mix."""
    share = learnt(lessons)
    return share, share


def learnt(lessons: int) -> float:
    """A share right that rises with log lessons, from 35 to 95 %."""
    way = np.log2(lessons / CHECKS[0]) / np.log2(CHECKS[-1] / CHECKS[0])
    return float(0.35 + 0.60 * way)


def by_ratio(points: float, study: str = "") -> Shares:
    """An effect of so many points a doubling of the ratio, in the study that the cell varies."""

    def shares(cell: MixCell, asked: str, _lessons: int) -> tuple[float, float]:
        own = asked == cell.study and study in ("", asked)
        shift = points / 100 * cell.doublings / 2 if own else 0.0
        return 0.5 + shift, 0.5 - shift

    return shares


@dataclass(frozen=True)
class Simulated:
    """What trainings answered.

    Attributes:
        table: in counts; pairs: pair by pair.
    """

    table: list[SampleRow]
    pairs: list[Pairs]


def table(shares: Shares = no_effect, *given, **named) -> list[SampleRow]:
    """What trainings answered, in counts (`simulated`)."""
    return simulated(shares, *given, **named).table


def simulated(
    shares: Shares = no_effect,
    cells: Iterable[MixCell] = CELLS.values(),
    starts: int = 6,
    checks: Iterable[int] = CHECKS,
    spread: float = 0.04,
    chance: int = 1,
    pairs: int = 200,
) -> Simulated:
    """What trainings of these cells answered.

    Args:
        shares: what they have learnt.
        cells: which.
        starts: of each.
        checks: after how many lessons.
        spread: standard deviation, between trainings, of each member's share right.
        chance: seed of the noise.
        pairs: asked of each kind; their difficulty is the same for all trainings.
    """
    draws = np.random.default_rng(chance)
    hard = {study: draws.normal(0, 0.15, (2, pairs)) for study in STUDIES}
    found = Simulated([], [])
    for cell in cells:
        for seed in seeds(starts):
            own = draws.normal(0, spread, 2)
            for lessons in checks:
                for study in STUDIES:
                    share = np.array(shares(cell, study, lessons)) + own
                    right = draws.random((2, pairs)) < share[:, None] + hard[study]
                    row = _row(cell, seed, lessons, study, right)
                    found.table.append(SampleRow("simulated", "cpu", row))
                    digits = "".join(map(str, 2 * right[0] + right[1]))
                    found.pairs.append(Pairs("simulated", cell.name, seed, lessons, study, digits))
    return found


def _row(cell: MixCell, seed: int, lessons: int, study: str, right: np.ndarray) -> FamilyRow:
    both, only_x = int((right[0] & right[1]).sum()), int((right[0] & ~right[1]).sum())
    only_x_prime = int((~right[0] & right[1]).sum())
    pairs = right.shape[1]
    return FamilyRow(
        cell.name, seed, lessons, lessons == CHECKS[-1], study,
        "additive" if study == "consistency" else "", "", 1, "cot",
        pairs, both, only_x, only_x_prime, pairs - both - only_x - only_x_prime, *[0] * 12,
    )  # fmt: skip
