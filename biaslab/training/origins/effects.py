"""Effects of the family of tiny models: by mix, by kind of problem and along training.

Several models of one mix differ in their seed alone, and all of them are asked the same pairs. So
there are two intervals, and neither says everything:

* *over items*: the one interval of all pairs of all seeds together. It holds for other pairs
  put to these very models; it takes answers of different models to the same pair for independent
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
from schoolmath.text.figures import interval_words, percent, percents, signed_points

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


# What accuracy alone does not show: operations chosen, and answers reversed. A model that ignores
# how a comparison is worded has no effect of the wording either. So beside every effect stands
# whether the model chooses the operation at all (`operator_choice`), and whether its wrong answers
# are those that misleading words suggest (`reversed_answers`).


WELL_ABOVE = 0.10
"""So far above the baseline must the lower end of the interval of the operations chosen lie before
it may be said that balance removes a bias (research/docs/family.md)."""

NO_EFFECT = 0.05
"""An effect within so much of zero counts as none (research/docs/family.md)."""


@dataclass(frozen=True, slots=True)
class OperatorChoice:
    """First calculations of models of one mix at one check: how often the operation is right.

    Attributes:
        mix: its name; examples: seen so far; final: at the end of training.
        chosen: right ones of all answers, of both arms, with a readable first calculation.
        x, x_prime: the same of each arm.
        plus: answers for which adding would be right.
        spread: how sure ``chosen`` is: Wilson's interval over items, t over seeds.
    """

    mix: str
    examples: int
    final: bool
    chosen: CountShare
    x: CountShare
    x_prime: CountShare
    plus: CountShare
    spread: Uncertainty

    @property
    def baseline(self) -> float:
        """What always choosing the commoner of adding and subtracting would get, 0.5 to 1."""
        plus = self.plus.value
        return 0.5 if plus is None else max(plus, 1.0 - plus)

    @property
    def commonest(self) -> str:
        """The operation that the baseline always chooses."""
        return "minus" if (self.plus.value or 0.0) < 0.5 else "plus"

    @property
    def well_above(self) -> bool:
        """Whether even the lower end of its interval is `WELL_ABOVE` the baseline."""
        judged = self.spread.judged
        return judged is not None and judged.low >= self.baseline + WELL_ABOVE

    @property
    def surely_not(self) -> bool:
        """Whether even the upper end of its interval is not `WELL_ABOVE` the baseline."""
        judged = self.spread.judged
        return judged is not None and judged.high < self.baseline + WELL_ABOVE


@dataclass(frozen=True, slots=True)
class ReversedAnswers:
    """Wrong answers that the reversed operation gives.

    Attributes:
        inconsistent: of the wrong answers to inconsistent problems, where words mislead;
        consistent: of those to consistent ones, the control: there nothing suggests reversing.
    """

    inconsistent: CountShare
    consistent: CountShare


def operator_choice(effect: OriginEffect) -> OperatorChoice | None:
    """How often the first operation is right; None where none was counted.

    Args:
        effect: of additive comparisons: beside products the baseline would mean nothing.
    """
    sums = {
        name: sum(getattr(row, f"operator_{name}") for row in effect.rows)
        for name in (
            "asked_x", "right_x", "plus_x", "asked_x_prime", "right_x_prime", "plus_x_prime",
        )
    }  # fmt: skip
    asked = sums["asked_x"] + sums["asked_x_prime"]
    if not asked:
        return None
    chosen = CountShare(sums["right_x"] + sums["right_x_prime"], asked)
    by_seed = [
        (row.operator_right_x + row.operator_right_x_prime) / of
        for row in effect.rows
        if (of := row.operator_asked_x + row.operator_asked_x_prime)
    ]
    over_seeds, freedom = interval_over_seeds(by_seed)
    if over_seeds is not None:
        # A t interval of shares of few trainings goes beyond what a share can be.
        over_seeds = Interval(max(0.0, over_seeds.low), min(1.0, over_seeds.high))
    return OperatorChoice(
        effect.mix, effect.examples, effect.final, chosen,
        CountShare(sums["right_x"], sums["asked_x"]),
        CountShare(sums["right_x_prime"], sums["asked_x_prime"]),
        CountShare(sums["plus_x"] + sums["plus_x_prime"], asked),
        Uncertainty(chosen.interval, over_seeds, freedom),
    )  # fmt: skip


def no_effect(effect: OriginEffect) -> bool | None:
    """Whether the effect is within `NO_EFFECT` of zero; None where its interval cannot tell."""
    judged = effect.spread.judged
    if judged is None:
        return None
    if judged.low >= -NO_EFFECT and judged.high <= NO_EFFECT:
        return True
    return False if judged.low > NO_EFFECT or judged.high < -NO_EFFECT else None


def balance_cures(effect: OriginEffect, choice: OperatorChoice | None) -> bool:
    """Whether it may be said that balance removes the bias: no effect, and operations chosen."""
    return no_effect(effect) is True and choice is not None and choice.well_above


def reversed_answers(effect: OriginEffect) -> ReversedAnswers:
    """Of the wrong answers in each arm of the consistency study, those that are the reversal."""
    return ReversedAnswers(
        inconsistent=_share(effect, "reversed_x_prime", "wrong_x_prime"),
        consistent=_share(effect, "reversed_x", "wrong_x"),
    )


def _share(effect: OriginEffect, part: str, whole: str) -> CountShare:
    return CountShare(_sum(effect, part), _sum(effect, whole))


def _sum(effect: OriginEffect, name: str) -> int:
    return sum(int(getattr(row, name)) for row in effect.rows)


# In words: the same on the page, in charts and in verdicts. Plain text.


def record(effect: OriginEffect) -> dict[str, object]:
    """The effect as a row of a table: shares as fractions 0..1, differences as -1..1."""
    kind, spread = effect.kind, effect.spread
    arms = {"x": effect.x, "x_prime": effect.x_prime}
    return {
        "study": kind.study, "comparison": kind.comparison, "wording": kind.wording,
        "steps": kind.steps, "strategy": kind.strategy, "mix": effect.mix,
        "examples": effect.examples, "final": int(effect.final),
        "seeds": effect.seeds, "n": effect.n, "cate": effect.cate,
        "items_low": _low(spread.over_items), "items_high": _high(spread.over_items),
        "seeds_low": _low(spread.over_seeds), "seeds_high": _high(spread.over_seeds),
        "seeds_freedom": spread.freedom,
        "cate_by_seed": " ".join(f"{row.seed}:{row.cate:.4f}" for row in effect.rows),
        **{f"right_{name}": share.value for name, share in arms.items()},
        **{f"right_{name}_low": _low(share.interval) for name, share in arms.items()},
        **{f"right_{name}_high": _high(share.interval) for name, share in arms.items()},
        "p": effect.p, "test": effect.test, "unread": effect.unread,
    }  # fmt: skip


def _low(interval: Interval | None) -> float | None:
    return None if interval is None else interval.low


def _high(interval: Interval | None) -> float | None:
    return None if interval is None else interval.high


def ends(interval: Interval | None) -> str:
    """An interval of percentage points: ``+3.1 to +12.4``."""
    return interval_words(_low(interval), _high(interval))


def share_words(share: CountShare) -> str:
    """A share with its interval and n: ``62.5 % (95 % interval 58.2 % to 66.6 %, n = 500)``."""
    interval = share.interval
    if interval is None:
        return "none (n = 0)"
    return (
        f"{percent(share.value)} (95 % interval {percents(interval.low, interval.high)}, "
        f"n = {share.n:,})"
    )


def effect_words(effect: OriginEffect) -> str:
    """An effect and the wider of its 95 % intervals: ``+12.5 (+3.1 to +21.9)``."""
    return f"{signed_points(effect.cate)} ({ends(effect.spread.judged)})"


def seeds_words(effect: OriginEffect) -> str:
    """How much lies behind an effect: ``3 trainings, asked 500 pairs each``."""
    asked = {row.n for row in effect.rows}
    if effect.seeds == 1:
        return f"1 training, asked {effect.n:,} pairs"
    if len(asked) == 1:
        return f"{effect.seeds} trainings, asked {asked.pop():,} pairs each"
    return f"{effect.seeds} trainings, asked {effect.n:,} pairs together"


def examples_words(examples: int) -> str:
    """How far a training is: ``32,000 examples``."""
    return f"{examples:,} examples"
