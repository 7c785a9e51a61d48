"""What accuracy alone does not show of the family: operations chosen, and answers reversed.

A model that ignores how a comparison is worded has no effect of the wording either. So beside
every effect stands whether the model chooses the operation at all (`operator_choice`), and whether
its wrong answers are those that misleading words suggest (`reversed_answers`).
"""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.stats.estimates import Interval
from biaslab.training.origins.effects import (
    CountShare,
    OriginEffect,
    Uncertainty,
    interval_over_seeds,
)

WELL_ABOVE = 0.10
"""So far above the baseline must the lower end of the interval of the operations chosen lie before
it may be said that balance removes a bias (docs/origins.md)."""

NO_EFFECT = 0.05
"""An effect within so much of zero counts as none (docs/origins.md)."""


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
class Reversed:
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


def reversed_answers(effect: OriginEffect) -> Reversed:
    """Of the wrong answers in each arm of the consistency study, those that are the reversal."""
    return Reversed(
        inconsistent=_share(effect, "reversed_x_prime", "wrong_x_prime"),
        consistent=_share(effect, "reversed_x", "wrong_x"),
    )


def _share(effect: OriginEffect, part: str, whole: str) -> CountShare:
    return CountShare(_sum(effect, part), _sum(effect, whole))


def _sum(effect: OriginEffect, name: str) -> int:
    return sum(int(getattr(row, name)) for row in effect.rows)
