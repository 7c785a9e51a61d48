"""Made-up tables of fine-tuning: what models would answer that learn as a test asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from biaslab.training.origins.rows import FamilyRow
from research.experiment.table import SampleRow
from research.tuning.design import (
    AT_THE_END,
    LESSONS,
    ON_THE_WAY,
    Arm,
    Tuning,
    UnseenPairs,
    tunings,
    version,
)

Shares = Callable[[Tuning, int, str, int], tuple[float, float]]
"""Shares of x and of x' right, of a fine-tuning after so many lessons, by study and steps."""


def nothing_learnt(_tuning: Tuning, _lessons: int, study: str, steps: int) -> tuple[float, float]:
    """The bias stays as it was, whatever the lessons."""
    if study == "carry":
        return 0.4, 0.4
    high = 0.9 if steps == 1 else 0.5
    return high, high - 0.3


def removed(tuning: Tuning, lessons: int, study: str, steps: int) -> tuple[float, float]:
    """96 balanced lessons take every bias but that of carrying away; others do nothing."""
    if tuning.arm is Arm.BALANCED and lessons >= 96 and study != "carry":
        share = nothing_learnt(tuning, lessons, study, steps)[0]
        return share, share
    return nothing_learnt(tuning, lessons, study, steps)


def practised(tuning: Tuning, lessons: int, study: str, steps: int) -> tuple[float, float]:
    """Any lessons take the bias away, balanced or not."""
    if tuning.arm is not None:
        share = nothing_learnt(tuning, lessons, study, steps)[0]
        return share, share
    return nothing_learnt(tuning, lessons, study, steps)


def tuned(
    shares: Shares, seeds: int = 5, what: Iterable[Tuning] | None = None, spread: float = 0.01
) -> list[SampleRow]:
    """What the models answered.

    Args:
        shares: what they have learnt.
        seeds: of each kind of lessons.
        what: which fine-tunings; all of the first seeds unless told.
        spread: standard deviation of shares between seeds.
    """
    draws = np.random.default_rng(1)
    chosen = [one for one in tunings() if one.seed <= 200 + seeds] if what is None else list(what)
    rows = []
    for tuning in chosen:
        own = draws.normal(0, spread, 2)
        for lessons in tuning.checks:
            for asked in AT_THE_END if lessons in (0, LESSONS[-1]) else ON_THE_WAY:
                rows += _rows(tuning, lessons, asked, shares, own, draws)
    return rows


def _rows(
    tuning: Tuning,
    lessons: int,
    asked: UnseenPairs,
    shares: Shares,
    own: np.ndarray,
    draws: np.random.Generator,
) -> list[SampleRow]:
    found = []
    for kind in asked.kinds:
        x, x_prime = shares(tuning, lessons, kind.study, kind.steps)
        difficulty = draws.random(asked.pairs)
        right = np.array([difficulty < x + own[0], difficulty < x_prime + own[1]])
        both, only_x = int((right[0] & right[1]).sum()), int((right[0] & ~right[1]).sum())
        only_x_prime = int((~right[0] & right[1]).sum())
        row = FamilyRow(
            tuning.cell, tuning.seed, lessons, lessons == LESSONS[-1], kind.study, kind.comparison,
            "", kind.steps, asked.strategy, asked.pairs, both, only_x, only_x_prime,
            asked.pairs - both - only_x - only_x_prime, *[0] * 12,
        )  # fmt: skip
        found.append(SampleRow(version(), "cpu", row))
    return found
