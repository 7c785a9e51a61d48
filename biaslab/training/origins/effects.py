"""Effects of the family of tiny models: by mix, by kind of problem and along training.

Several models of one mix differ in their seed alone, and all of them are asked the same pairs. So
there are two intervals, and neither says everything:

* *over items*: the one interval of all pairs of all seeds together. It holds for other pairs
  asked of these very models; it takes answers of different models to the same pair for independent
  and knows nothing of how other trainings would have ended.
* *over seeds*: the t interval of the seeds' effects, with one degree of freedom fewer than there
  are seeds. It holds for other lessons in the same shares, after the same start and asked these
  pairs; what all models have in common because start and pairs are the same is not in it.

What is said of an effect goes by the wider ends of the two (`Uncertainty.judged`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.stats.estimates import Interval, mean_interval, wilson
from biaslab.stats.paired import cate_estimate
from biaslab.training.mix import FAMILY
from biaslab.training.origins.rows import COUNTS, CheckKind, FamilyRow, narrowed, of_kind

CONFIDENCE = 0.95
"""Coverage of all intervals here."""

SAME_CHECK = 0.05
"""Checks of different seeds are one checkpoint where the examples seen differ by no more, as a
fraction: trainings that end by the clock do not check at the same example."""


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """How sure an effect, or a difference of two, is.

    Attributes:
        over_items, over_seeds: its two intervals as in this module's first words; None where none
            can be determined (a single seed; effects of all seeds alike).
        freedom: degrees of freedom of the interval over seeds; None without it.
    """

    over_items: Interval | None
    over_seeds: Interval | None
    freedom: int | None

    @property
    def judged(self) -> Interval | None:
        """From the lower of the two lower ends to the higher of the two upper ends."""
        known = [each for each in (self.over_items, self.over_seeds) if each is not None]
        if not known:
            return None
        return Interval(min(each.low for each in known), max(each.high for each in known))


@dataclass(frozen=True, slots=True)
class CountShare:
    """So many of so many, with Wilson's interval; answers are taken for independent.

    Attributes:
        hits: of n; value, interval: None where n is 0.
    """

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        """The share, 0 to 1."""
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> Interval | None:
        """Wilson's 95 % interval."""
        return wilson(self.hits, self.n, CONFIDENCE)


@dataclass(frozen=True, slots=True)
class OriginEffect:
    """The effect in all models of a mix at one check.

    Attributes:
        mix: its name; kind: which pairs, asked how; rows: one a seed, in the order of the seeds.
        examples: training examples seen, the median over seeds; final: at the end of training.
        cate: share of x right minus share of x' right over all pairs of all seeds, -1 to 1.
        spread: its intervals.
        x, x_prime: right answers of each arm.
        p: two-sided p of "no effect"; None where there is none.
        test: which test; or, where there is no p, why not.
    """

    mix: str
    kind: CheckKind
    rows: tuple[FamilyRow, ...]
    examples: int
    final: bool
    cate: float
    spread: Uncertainty
    x: CountShare
    x_prime: CountShare
    p: float | None
    test: str

    @property
    def n(self) -> int:
        """Pairs asked, of all seeds together."""
        return sum(row.n for row in self.rows)

    @property
    def seeds(self) -> int:
        """Trainings."""
        return len(self.rows)

    @property
    def identical(self) -> bool:
        """Whether both arms came out alike in every pair of every seed."""
        return not any(row.only_x + row.only_x_prime for row in self.rows)

    @property
    def unread(self) -> int:
        """Answers of both arms that could not be read."""
        return sum(row.unread_x + row.unread_x_prime for row in self.rows)


IDENTICAL = "no test: both arms came out alike in every pair"
ONE_SEED = "test of one training’s pairs"
OVER_SEEDS = "t test of the trainings’ effects"
SEEDS_ALIKE = "no test: the effects of all trainings are exactly equal"


def final_effects(rows: Iterable[FamilyRow], kind: CheckKind) -> dict[str, OriginEffect]:
    """By mix, the effect at the end of training, in the order of `FAMILY`."""
    found = of_kind((row for row in rows if row.final), kind)
    return {mix: _effect(kind, some) for mix, some in _by_mix(found).items()}


def along_training(
    rows: Iterable[FamilyRow], kind: CheckKind
) -> dict[str, tuple[OriginEffect, ...]]:
    """By mix, the effects at every checkpoint in the order of training; the end is the last.

    Checks of different seeds are one checkpoint where the examples seen are about the same
    (`SAME_CHECK`). Where some checks have one kind of comparison only, all are narrowed to it, so
    that a curve is of the same problems from end to end; the effects' `CheckKind` says so.
    """
    rows = tuple(rows)
    kind = narrowed(rows, kind)
    found = of_kind(rows, kind)
    return {mix: tuple(_curve(kind, some)) for mix, some in _by_mix(found).items()}


def contrast(one: OriginEffect, other: OriginEffect) -> Uncertainty:
    """How sure the difference of two effects, ``one.cate - other.cate``, is.

    Over items, from the ends of both intervals (Zou & Donner 2008, Stat. Med. 27:1693-1702); the
    two are taken for independent although they were asked the same pairs, which errs to the wide
    side where a pair is hard for both. Over seeds, the differences within the seeds that both
    have are what counts.
    """
    others = {row.seed: row.cate for row in other.rows}
    shared = [row.cate - others[row.seed] for row in one.rows if row.seed in others]
    over_seeds, freedom = interval_over_seeds(shared)
    a, b = one.spread.over_items, other.spread.over_items
    if a is None or b is None:
        return Uncertainty(None, over_seeds, freedom)
    middle = one.cate - other.cate
    below = math.hypot(one.cate - a.low, b.high - other.cate)
    above = math.hypot(a.high - one.cate, other.cate - b.low)
    return Uncertainty(Interval(middle - below, middle + above), over_seeds, freedom)


def in_order(mixes: Iterable[str]) -> list[str]:
    """The mixes as they always follow each other."""
    there = list(dict.fromkeys(mixes))
    return [*(mix for mix in FAMILY if mix in there), *(mix for mix in there if mix not in FAMILY)]


def _by_mix(rows: Sequence[FamilyRow]) -> dict[str, list[FamilyRow]]:
    return {
        mix: [row for row in rows if row.mix == mix] for mix in in_order(row.mix for row in rows)
    }


def _effect(kind: CheckKind, rows: Sequence[FamilyRow]) -> OriginEffect:
    rows = sorted(rows, key=lambda row: row.seed)
    sums = {name: sum(getattr(row, name) for row in rows) for name in COUNTS}
    whole = replace(rows[0], **sums)
    y_x, y_x_prime = _outcomes(whole)
    over_seeds, freedom = interval_over_seeds([row.cate for row in rows])
    over_items = cate_estimate(y_x, y_x_prime, confidence=CONFIDENCE).interval
    p, test = _tested(rows, y_x, y_x_prime)
    return OriginEffect(
        rows[0].mix, kind, tuple(rows), int(np.median([row.examples for row in rows])),
        all(row.final for row in rows), whole.cate,
        Uncertainty(
            None if over_items is None else _possible(over_items),
            None if over_seeds is None else _possible(over_seeds),
            freedom,
        ),
        CountShare(whole.right_x, whole.n), CountShare(whole.right_x_prime, whole.n), p, test,
    )  # fmt: skip


def _tested(
    rows: Sequence[FamilyRow], y_x: npt.NDArray[np.float64], y_x_prime: npt.NDArray[np.float64]
) -> tuple[float | None, str]:
    """A p-value that respects the seeds, and which test it is of."""
    if not any(row.only_x + row.only_x_prime for row in rows):
        return None, IDENTICAL
    if len(rows) == 1:
        return cate_estimate(y_x, y_x_prime).p, ONE_SEED
    effects = np.array([row.cate for row in rows])
    if _all_alike(effects):
        return None, SEEDS_ALIKE
    t = effects.mean() / effects.std(ddof=1) * math.sqrt(effects.size)
    return float(2.0 * scipy.stats.t.sf(abs(t), effects.size - 1)), OVER_SEEDS


def interval_over_seeds(values: Sequence[float]) -> tuple[Interval | None, int | None]:
    """The t interval of one value a seed, and its degrees of freedom.

    None for both where there are fewer than two seeds, or no variation to judge by.
    """
    found = np.array(values, dtype=np.float64)
    if found.size < 2 or _all_alike(found):
        return None, None
    return mean_interval(found, CONFIDENCE), found.size - 1


_ROUNDING = 1e-9
"""Shares of whole pairs that differ by less are the same share."""


def _all_alike(values: npt.NDArray[np.float64]) -> bool:
    return float(np.ptp(values)) < _ROUNDING


def _outcomes(row: FamilyRow) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    counts = [row.both, row.only_x, row.only_x_prime, row.neither]
    return np.repeat([1.0, 1.0, 0.0, 0.0], counts), np.repeat([1.0, 0.0, 1.0, 0.0], counts)


def _possible(interval: Interval) -> Interval:
    return Interval(max(-1.0, interval.low), min(1.0, interval.high))


def _curve(kind: CheckKind, rows: Sequence[FamilyRow]) -> Iterable[OriginEffect]:
    last = [row for row in rows if row.final]
    ended = {row.seed: row.examples for row in last}
    # What is measured at the end may also have been checked just before: it is one point.
    before = [row for row in rows if not row.final and row.examples != ended.get(row.seed)]
    group: list[FamilyRow] = []
    for row in sorted(before, key=lambda row: (row.examples, row.seed)):
        full = row.seed in {each.seed for each in group}
        if group and (full or row.examples > group[0].examples * (1 + SAME_CHECK)):
            yield _effect(kind, group)
            group = []
        group.append(row)
    if group:
        yield _effect(kind, group)
    if last:
        yield _effect(kind, last)
