"""Rules for stopping a run before all its pairs are asked, chosen before it starts.

Both rules look at numbers of pairs that are finished: answered, invalid or failed for good.

`GroupSequential` asks until it is clear that there is an effect. All looks together find one where
there is none at most alpha times, by alpha spending (`biaslab.stats.stopping`). The interval shown
at a look is a repeated confidence interval (Jennison & Turnbull 1989, J. R. Stat. Soc. B
51:305-361): those of all looks hold the effect together with the coverage 1 - alpha, so that of any
one look does, whyever the run stopped. For small numbers of pairs each critical value is turned
into a level that is then used with the t distribution (Jennison & Turnbull 2000, *Group Sequential
Methods*).

`UntilNarrow` asks until the interval is narrow enough. Stopping depends on how much pairs vary,
hardly on the effect, so looking does little harm once many pairs are in. It does harm while few
are, because a run then stops just when its variation happens to look small (Chow & Robbins 1965,
Ann. Math. Stat. 36:457-462). Two things make up for it, much as Frey (2010, Am. Stat. 64:242-249)
does for one proportion: no look before 30 pairs, and a level closer to 1 by a fifth of what is
missing (96 % for 95 %). The interval itself does the rest. What runs so stopped hold is reckoned
exactly by `research.calibration.stopping`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
import scipy

from biaslab.stats.errors import BrokenOutcomes, ImpossiblePlan
from biaslab.stats.estimates import Estimate
from biaslab.stats.outcomes import (
    InvalidRule,
    check_outcomes,
    check_rule,
    count_pairs,
    right_or_wrong,
)
from biaslab.stats.paired import cate_estimate
from biaslab.stats.stopping import Adjustment, Decision, Spending, check_spending, critical_values
from schoolmath.text.figures import exact_percent, points_wide, signed_points, typed

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class PairsAtLook:
    """The finished pairs of one run, in the order of the design.

    Attributes:
        outcomes: checked rows, ordered by ``position`` where the table has it.
        binary: whether outcomes are right or wrong; otherwise they are positions on a scale.
        invalid: the rule for invalid answers that holds for such outcomes.
    """

    outcomes: pd.DataFrame
    binary: bool
    invalid: InvalidRule

    @classmethod
    def of(cls, outcomes: pd.DataFrame, invalid: InvalidRule) -> PairsAtLook:
        """Checks and orders the rows of one run.

        Raises:
            BrokenOutcomes: the table contradicts itself or holds several runs.
            UnknownChoice: an unknown rule for invalid answers.
        """
        check_rule(invalid)
        check_outcomes(outcomes)
        runs = outcomes["run"].unique()
        if len(runs) > 1:
            raise BrokenOutcomes(
                f"A stopping rule looks at one run, not at {len(runs)}: give its rows alone."
            )
        if "position" in outcomes.columns:
            outcomes = outcomes.sort_values("position", kind="stable")
        binary = right_or_wrong(outcomes)
        return cls(outcomes.reset_index(drop=True), binary, invalid if binary else "exclude")

    def counted(self, first: int | None = None) -> int:
        """How many of the first pairs of the design count; None: of all."""
        import pandas as pd

        rows = self.outcomes
        if first is not None:
            place, _ = pd.factorize(rows["pair"])
            rows = rows.loc[np.asarray(place) < first]
        return count_pairs(rows, self.invalid).y_x.size

    def estimate(self, adjustment: Adjustment) -> Estimate:
        """The effect so far, its interval made as the rule asks."""
        counted = count_pairs(self.outcomes, self.invalid)
        return cate_estimate(
            counted.y_x,
            counted.y_x_prime,
            counted.cluster,
            adjustment.confidence,
            scale=not self.binary,
        )

    def message(self, estimate: Estimate) -> str:
        """The effect so far as a sentence."""
        pairs = f"{estimate.n} pair{'' if estimate.n == 1 else 's'}"
        if estimate.mean is None:
            return "No pair counts yet."
        if estimate.interval is None:
            return (
                f"CATE {self.signed(estimate.mean)} after {pairs}; "
                "one pair, or one cluster of pairs, has no interval."
            )
        low, high = self.signed(estimate.interval.low), self.signed(estimate.interval.high)
        return f"CATE {self.signed(estimate.mean)}, interval {low} to {high}, after {pairs}."

    def unit(self, value: float) -> str:
        """A width in words: points where outcomes are right or wrong."""
        return points_wide(value) if self.binary else f"{value:.3g}"

    def signed(self, value: float) -> str:
        """An effect in words, with its sign."""
        return f"{typed(signed_points(value))} points" if self.binary else f"{value:+.3f}"


def check_look(look: int, looks: tuple[int, ...]) -> None:
    """Refuses a look that the rule does not take.

    Raises:
        ImpossiblePlan: the message names the looks there are.
    """
    if not 1 <= look <= len(looks):
        raise ImpossiblePlan(f"There is no look {look}: this rule has looks 1 to {len(looks)}.")


def check_between(value: float, low: float, high: float, name: str, example: str) -> None:
    """Refuses a number that does not lie strictly between two others.

    Raises:
        ImpossiblePlan: the message says what it is and what to give.
    """
    if not low < value < high:
        raise ImpossiblePlan(
            f"{value:g} cannot be the {name}: give a number between {low:g} and {high:g}, "
            f"such as {example}."
        )


def check_least(value: int, least: int, name: str) -> None:
    """Refuses a number that is too small.

    Raises:
        ImpossiblePlan: the message says what it is and what to give.
    """
    if value < least:
        raise ImpossiblePlan(f"{name} cannot be {value}: give at least {least}.")


SMALLEST_GROUP = 10
"""Pairs that must come in between two looks."""

MOST_LOOKS = 50
"""More looks cost power and save nothing."""


@dataclass(frozen=True, slots=True)
class GroupSequential:
    """Stops when the effect is clear: when its repeated confidence interval leaves out 0.

    Attributes:
        looks: how often one looks, after equally many pairs each. at_most: pairs at the last look.
        alpha: how often all looks together may find an effect where there is none, two-sided.
        spending: ``obrien-fleming`` or ``pocock``, see
        `biaslab.stats.stopping.Spending`.

    Raises:
        ImpossiblePlan: a number cannot be; the message says which and what to give.
    """

    NAME: ClassVar[str] = "group-sequential"

    looks: int
    at_most: int
    alpha: float = 0.05
    spending: Spending = "obrien-fleming"

    def __post_init__(self) -> None:
        check_least(self.looks, 1, "The number of looks")
        if self.looks > MOST_LOOKS:
            raise ImpossiblePlan(f"{self.looks} looks are too many: give at most {MOST_LOOKS}.")
        check_between(self.alpha, 0.0, 0.5, "error over all looks", "0.05")
        check_least(self.at_most, SMALLEST_GROUP * self.looks, "The most pairs to ask")
        check_spending(self.spending)

    def looks_at(self) -> tuple[int, ...]:
        """Numbers of pairs finished at which one looks; the last is ``at_most``."""
        return tuple(-(-self.at_most * k // self.looks) for k in range(1, self.looks + 1))

    def critical_at(self, counted: tuple[int, ...]) -> float:
        """The critical value of the latest look, on the scale of a standard normal statistic.

        Args:
            counted: how many pairs counted at each look until now.
        """
        ends = len(counted) == self.looks
        now = counted[-1]
        # A look at which nothing new had come in, or more than now counts, is no look of its own.
        informed = sorted({n for n in counted if 0 < n < now} | {now})
        shares = tuple(n / max(self.at_most, now) for n in informed)
        return critical_values(shares, self.alpha, self.spending, last=ends)[-1]

    def adjustment_at(self, critical: float) -> Adjustment:
        """How the interval of a look with this critical value is made."""
        level = 1.0 - 2.0 * float(scipy.stats.norm.sf(critical))
        kind = {"obrien-fleming": "O'Brien and Fleming's", "pocock": "Pocock's"}[self.spending]
        note = (
            f"The run was to be checked {self.looks} times and to stop as soon as the effect "
            f"was clear (alpha spending of {kind} kind). To cover "
            f"{exact_percent(1.0 - self.alpha)} "
            f"all the same, the CATE interval is made at {exact_percent(level)}, the level of "
            "its last "
            "look. An effect that stops a run early tends to be overestimated."
        )
        return Adjustment(level, note, 1.0 - self.alpha)

    def decide(
        self, outcomes: pd.DataFrame, look: int, invalid: InvalidRule = "strict"
    ) -> Decision:
        """Whether to stop at this look.

        The share of information is that of the pairs that count; what counted at earlier looks
        is taken from the first pairs in the order of the design (column ``position``, or the
        order of the rows).

        Args:
            outcomes: of one run, all pairs that are finished (others are ignored).
            look: which look, from 1.
            invalid: as for `biaslab.stats.effects`.

        Raises:
            BrokenOutcomes: the table contradicts itself or holds several runs.
            ImpossiblePlan: there is no such look.
            UnknownChoice: an unknown rule for invalid answers.
        """
        looks = self.looks_at()
        check_look(look, looks)
        data = PairsAtLook.of(outcomes, invalid)
        now = data.counted()
        if now == 0:
            critical = critical_values((1.0,), self.alpha, self.spending)[0]
        else:
            earlier = tuple(data.counted(first) for first in looks[: look - 1])
            critical = self.critical_at((*earlier, now))
        adjustment = self.adjustment_at(critical)
        estimate = data.estimate(adjustment)
        interval = estimate.interval
        clear = interval is not None and (interval.low > 0.0 or interval.high < 0.0)
        seen = data.message(estimate)
        if clear:
            reason = f"Stopped at look {look} of {self.looks}: the effect is clear. {seen}"
        elif look == self.looks:
            reason = f"Stopped at the last look, no clear effect was found. {seen}"
        else:
            reason = f"Goes on after look {look} of {self.looks}: no clear effect yet. {seen}"
        return Decision(
            stop=clear or look == self.looks,
            reason=reason,
            look=look,
            pairs=estimate.n,
            cate=estimate.mean,
            interval=interval,
            critical=critical,
            adjustment=adjustment,
        )

    def as_json(self) -> dict[str, Any]:
        """A JSON-ready object; `rule_from_json` reads it back."""
        return {"rule": self.NAME} | asdict(self)


SMALLEST_FIRST_LOOK = 30
"""Pairs before which one may not look, and independent ones that must count to stop."""

_SHARE_OF_ERROR = 0.8
"""Of the error that the coverage allows, what a single interval uses."""


@dataclass(frozen=True, slots=True)
class UntilNarrow:
    """Stops when the interval of the CATE reaches at most ``half_width`` to either side.

    Attributes:
        half_width: in units of the outcome: 0.05 is 5 percentage points to either side.
        first_look: pairs finished at the first look, at least 30.
        every: pairs between looks.
        at_most: pairs at which it stops in any case.
        confidence: what the final interval covers in spite of looking.

    Raises:
        ImpossiblePlan: a number cannot be; the message says which and what to give.
    """

    NAME: ClassVar[str] = "until-narrow"

    half_width: float
    at_most: int
    first_look: int = 50
    every: int = 25
    confidence: float = 0.95

    def __post_init__(self) -> None:
        check_between(self.half_width, 0.0, 1.0, "half width of the interval", "0.05 (5 points)")
        check_between(self.confidence, 0.5, 1.0, "coverage of the interval", "0.95")
        check_least(self.first_look, SMALLEST_FIRST_LOOK, "The first look")
        check_least(self.every, 1, "The distance between looks")
        check_least(self.at_most, self.first_look, "The most pairs to ask")

    def looks_at(self) -> tuple[int, ...]:
        """Numbers of pairs finished at which one looks; the last is ``at_most``."""
        return (*range(self.first_look, self.at_most, self.every), self.at_most)

    @property
    def adjustment(self) -> Adjustment:
        """How every interval of this rule is made, at whichever look."""
        level = 1.0 - _SHARE_OF_ERROR * (1.0 - self.confidence)
        note = (
            "The run was to stop as soon as this interval was narrow enough (at most "
            f"{self.half_width:g} to either side), and was checked repeatedly for that. "
            f"To cover {exact_percent(self.confidence)} all the same, the CATE interval is made at "
            f"{exact_percent(level)}."
        )
        return Adjustment(level, note, self.confidence)

    def enough(self, clusters: int) -> bool:
        """Whether a width can be relied on with so many independent pairs, or clusters of pairs."""
        return clusters >= SMALLEST_FIRST_LOOK

    def decide(
        self, outcomes: pd.DataFrame, look: int, invalid: InvalidRule = "strict"
    ) -> Decision:
        """Whether to stop at this look.

        Args:
            outcomes: of one run, all pairs that are finished (others are ignored).
            look: which look, from 1.
            invalid: as for `biaslab.stats.effects`.

        Raises:
            BrokenOutcomes: the table contradicts itself or holds several runs.
            ImpossiblePlan: there is no such look.
            UnknownChoice: an unknown rule for invalid answers.
        """
        looks = self.looks_at()
        check_look(look, looks)
        data = PairsAtLook.of(outcomes, invalid)
        estimate = data.estimate(self.adjustment)
        interval = estimate.interval
        enough = self.enough(estimate.clusters)
        narrow = interval is not None and interval.high - interval.low <= 2.0 * self.half_width
        seen = data.message(estimate)
        if narrow and enough:
            reason = f"Stopped at look {look}: the interval is as narrow as asked. {seen}"
        elif look == len(looks):
            reason = (
                f"Stopped at the limit of {self.at_most} pairs; the interval is not reliably as "
                f"narrow as asked ({data.unit(self.half_width)} to either side). {seen}"
            )
        elif narrow:
            reason = (
                f"Goes on after look {look}: only {estimate.clusters} independent pairs (or "
                f"clusters of pairs) count, and the width cannot be relied on before "
                f"{SMALLEST_FIRST_LOOK}. {seen}"
            )
        else:
            reason = (
                f"Goes on after look {look}: the interval is not as narrow as asked "
                f"({data.unit(self.half_width)} to either side). {seen}"
            )
        return Decision(
            stop=(narrow and enough) or look == len(looks),
            reason=reason,
            look=look,
            pairs=estimate.n,
            cate=estimate.mean,
            interval=interval,
            critical=float(scipy.stats.norm.isf((1.0 - self.adjustment.confidence) / 2.0)),
            adjustment=self.adjustment,
        )

    def as_json(self) -> dict[str, Any]:
        """A JSON-ready object; `rule_from_json` reads it back."""
        return {"rule": self.NAME} | asdict(self)


StoppingRule: TypeAlias = UntilNarrow | GroupSequential
"""When a run may stop before all pairs are asked."""


def rule_from_json(value: Mapping[str, Any]) -> StoppingRule:
    """Reads what a rule's ``as_json`` wrote.

    Raises:
        ImpossiblePlan: it is no rule, lacks a number, has one that is unknown, or one that
            cannot be.
    """
    kinds: dict[str, type[UntilNarrow | GroupSequential]] = {
        kind.NAME: kind for kind in (UntilNarrow, GroupSequential)
    }
    given = dict(value)
    kind = kinds.get(str(given.pop("rule", None)))
    if kind is None:
        raise ImpossiblePlan(
            f"There is no stopping rule '{value.get('rule')}': choose {' or '.join(kinds)}."
        )
    known = {field.name: field.type for field in fields(kind)}
    unknown = [name for name in given if name not in known]
    if unknown:
        raise ImpossiblePlan(
            f"The stopping rule {kind.NAME} has no '{unknown[0]}': it may have {', '.join(known)}."
        )
    for name, wanted in known.items():
        _check_type(given, name, str(wanted))
    try:
        return kind(**given)
    except TypeError as error:
        raise ImpossiblePlan(f"The stopping rule {kind.NAME} is incomplete: {error}.") from error


def _check_type(values: Mapping[str, Any], name: str, expected: str) -> None:
    if name not in values or expected not in ("int", "float"):
        return
    number = values[name]
    allowed = (int, float) if expected == "float" else (int,)
    if isinstance(number, bool) or not isinstance(number, allowed):
        kind = "a number" if expected == "float" else "a whole number"
        raise ImpossiblePlan(f"'{name}' of the stopping rule is {number!r}: give {kind}.")
