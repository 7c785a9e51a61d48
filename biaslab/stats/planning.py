"""How many pairs a run needs, before it is run.

What counts is the size of the effect and the discordance, the share of pairs whose members
differ in outcome: with discordance d, the difference of a pair has the variance d - cate^2
(Miettinen 1968, Biometrics 24:339-352; Connor 1987, Biometrics 43:207-211). The number of pairs
is the smallest for which the test that belongs to the CATE interval has the power asked for, by
binomial sums instead of formulas. Of n pairs, m differ, a binomial number with the discordance as
its probability; in b of these only x is right, a binomial number again. Test and interval depend on
m and s = 2 b - m only, so a chance is a sum over m of tails of a binomial distribution, exact up to
1e-12. For each m a limit of |s| is found beyond which the test finds something, or the interval is
narrow enough: with m fixed, both get easier the more of the differing pairs agree.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.stats.errors import ImpossiblePlan
from biaslab.stats.estimates import (
    Interval,
    SteadiedMoments,
    Values,
    check_confidence,
    clustered_share,
    imagined_pairs,
    two_sided,
)
from biaslab.stats.outcomes import check_outcomes, right_or_wrong
from biaslab.stats.stopping import (
    Spending,
    check_spending,
    critical_values,
    crossing,
    drift_for_power,
)
from biaslab.stats.stopping_rules import MOST_LOOKS, SMALLEST_GROUP, check_between, check_least
from schoolmath.text.figures import exact_percent, percent, points_wide

if TYPE_CHECKING:
    import pandas as pd

PairedTest: TypeAlias = Literal["interval", "t", "mcnemar"]
"""``interval``: that of the CATE interval. For comparison, ``t``: the paired t-test; ``mcnemar``:
McNemar's exact test, which never errs more often than alpha and therefore finds a little less."""

_Array: TypeAlias = npt.NDArray[np.float64]

_LEFT_OUT = 1e-13
"""Probability at either end that the sums leave out."""

_TIE = 1e-9
"""Room for rounding errors where a whole number is compared with a limit."""


def exact_power(
    n: int, cate: float, discordance: float, alpha: float = 0.05, test: PairedTest = "interval"
) -> float:
    """How likely the two-sided test of n independent pairs gives p <= alpha.

    Args:
        n: pairs, at least 4.
        cate: the true effect; 0 gives the error of the test.
        discordance: the true share of pairs whose members differ, at least abs(cate).
        alpha: of the test.
        test: which.
    """
    differing = _differing(n, discordance)
    if test == "interval":
        limit = clear_from(n, differing, 1.0 - alpha)
    elif test == "mcnemar":
        fewest = scipy.stats.binom.isf(alpha / 2.0, differing, 0.5) + 1.0
        limit = 2.0 * fewest - differing
    else:
        limit = _beyond_quantile(n, differing, _t(n, 1.0 - alpha), 0.0)
    # Where nothing differs there is no evidence; a limit of 0 would be reached all the same.
    limit = np.where(differing == 0.0, 1.0, limit)
    return _chance_beyond(n, cate, discordance, differing, limit)


def chance_of_width(
    n: int, half_width: float, cate: float, discordance: float, confidence: float = 0.95
) -> float:
    """How likely the interval of n independent pairs reaches at most so far to either side.

    Args:
        n: pairs, at least 2.
        half_width: half the distance of its ends, in units of the outcome.
        cate: the true effect.
        discordance: the true share of pairs whose members differ, at least abs(cate).
        confidence: of the interval.
    """
    differing = _differing(n, discordance)
    limit = narrow_from(n, differing, half_width, confidence)
    return _chance_beyond(n, cate, discordance, differing, limit)


def clear_from(n: int, differing: _Array, confidence: float) -> _Array:
    """The smallest abs(s) at which the interval leaves out 0; above ``differing`` if none does.

    Args:
        n: independent pairs, at least 2.
        differing: m, how many of them differ, any shape.
        confidence: of the interval.
    """
    z = float(two_sided(confidence))
    k = float(imagined_pairs(z))
    # The t quantile lies between the normal one and that of n - 1, so few numbers are left to try.
    fewest = np.ceil((differing + _beyond_quantile(n, differing, z, k)) / 2.0 - _TIE)
    most = np.ceil((differing + _beyond_quantile(n, differing, _t(n, confidence), k)) / 2.0)

    def clear(only_x: _Array) -> npt.NDArray[np.bool_]:
        low, high = _interval(n, differing, 2.0 * only_x - differing, confidence)
        return (low > 0.0) | (high < 0.0)

    never = differing + 1.0
    return 2.0 * _first(clear, np.minimum(fewest, never), np.minimum(most, never)) - differing


def narrow_from(n: int, differing: _Array, half_width: float, confidence: float) -> _Array:
    """The smallest abs(s) at which the interval is so narrow; above ``differing`` if nowhere.

    Args: as for `clear_from`; ``half_width`` is half the distance of the ends.
    """

    def narrow(only_x: _Array) -> npt.NDArray[np.bool_]:
        low, high = _interval(n, differing, 2.0 * only_x - differing, confidence)
        return np.asarray(high - low <= 2.0 * half_width)

    return 2.0 * _first(narrow, np.ceil(differing / 2.0), differing + 1.0) - differing


def _interval(
    n: int, differing: _Array, surplus: _Array, confidence: float
) -> tuple[_Array, _Array]:
    # One more than all that differ may be asked for; what comes out then is not used.
    surplus = np.minimum(surplus, differing)
    low, high = SteadiedMoments.of_single_pairs(float(n), surplus / n, differing / n).ends(
        confidence
    )
    return np.asarray(low), np.asarray(high)


def _beyond_quantile(n: int, differing: _Array, quantile: float, k: float) -> _Array:
    """The abs(s) at which |middle| / sqrt(v) is as large as a fixed quantile."""
    q2 = quantile**2
    limit: _Array = np.sqrt(q2 * (differing + k) * (n + k) / (n + k - 1.0 + q2))
    return limit


def _t(n: int, confidence: float) -> float:
    return float(scipy.stats.t.ppf(0.5 + confidence / 2.0, n - 1))


def _first(holds: Callable[[_Array], npt.NDArray[np.bool_]], low: _Array, high: _Array) -> _Array:
    """The smallest whole numbers of ranges from which something holds; ``high`` if none before."""
    while (low < high).any():
        middle = np.floor((low + high) / 2.0)
        found = holds(middle)
        low, high = (
            np.where((low < high) & ~found, middle + 1.0, low),
            np.where((low < high) & found, middle, high),
        )
    return high


def _differing(n: int, discordance: float) -> _Array:
    """The numbers of differing pairs that matter."""
    low = int(scipy.stats.binom.ppf(_LEFT_OUT, n, discordance))
    high = int(scipy.stats.binom.isf(_LEFT_OUT, n, discordance))
    return np.arange(max(0, low), high + 1, dtype=np.float64)


def _chance_beyond(
    n: int, cate: float, discordance: float, differing: _Array, limit: _Array
) -> float:
    """The chance that abs(s) is at least ``limit``, one for each number of differing pairs."""
    weight = scipy.stats.binom.pmf(differing, n, discordance)
    only_x = (discordance + cate) / (2.0 * discordance)
    upper = np.ceil((differing + limit) / 2.0 - _TIE)
    lower = np.floor((differing - limit) / 2.0 + _TIE)
    beyond = scipy.stats.binom.sf(upper - 1.0, differing, only_x) + scipy.stats.binom.cdf(
        lower, differing, only_x
    )
    return min(1.0, float(weight @ np.where(limit <= 0.0, 1.0, beyond)))


ASSUMED_DISCORDANCE = 0.4
"""Assumed where nothing was seen yet. In the published runs of these studies (Opedal et al.
2024) the accuracies would give a median of 0.35 to 0.41 if a model's answers to both members had
nothing to do with each other; they have, so this is on the safe side for most models."""


@dataclass(frozen=True, slots=True)
class DiscordanceEstimate:
    """How often members of pairs differed in some runs.

    Attributes:
        discordance: share of pairs of which one member was right and the other was not; of
            samples of pairs where items were asked several times.
        interval: Wilson's, with pairs of the same cluster, also of different runs, as one
            observation.
        n: pairs that count, of all runs; runs: how many.
        alike: share of the variance of differences that lies between pairs rather than between
            the samples of a pair, 0..1; None where no pair has several samples, or nothing
            varies.
    """

    discordance: float
    interval: Interval
    n: int
    runs: int
    alike: float | None


def discordance_seen(
    outcomes: pd.DataFrame, confidence: float = 0.95
) -> DiscordanceEstimate | None:
    """The discordance of the runs in a table; None where no pair counts yet.

    Answers that could not be read count as not right. Give the runs of one study only, and of
    models like the one that a plan is for.

    Raises:
        BrokenOutcomes: the table contradicts itself.
        ImpossiblePlan: outcomes are positions on a scale.
        UnknownChoice: the confidence level is not between 0 and 1.
    """
    check_outcomes(outcomes)
    if not right_or_wrong(outcomes):
        raise ImpossiblePlan(
            "Outcomes of this study are positions on a scale, not right or wrong: plan it from "
            "the width of the interval in a first small run."
        )
    states = outcomes[["state_x", "state_x_prime"]]
    back = states.isin(("answered", "invalid")).all(axis=1)
    rows = outcomes.loc[back]
    if rows.empty:
        return None
    right = [
        rows[f"y_{member}"].where(rows[f"state_{member}"] == "answered", 0.0).to_numpy(float)
        for member in ("x", "x_prime")
    ]
    difference: Values = right[0] - right[1]
    pair = rows.groupby(["run", "pair"], sort=False).ngroup().to_numpy()
    size = np.bincount(pair).astype(np.float64)
    share: Values = np.bincount(pair, weights=np.abs(difference)) / size
    first = np.unique(pair, return_index=True)[1]
    cluster = rows["cluster"].to_numpy(dtype=object)[first]
    interval = clustered_share(share, cluster, len(rows), confidence)
    assert interval is not None
    return DiscordanceEstimate(
        discordance=float(share.mean()),
        interval=interval,
        n=share.size,
        runs=int(rows["run"].nunique()),
        alike=_alike(difference, pair, size),
    )


def _alike(difference: Values, pair: npt.NDArray[np.integer[Any]], size: Values) -> float | None:
    """Intraclass correlation by one-way analysis of variance (Donner 1986, Int. Stat. Rev. 54)."""
    pairs, rows = size.size, difference.size
    if pairs < 2 or rows == pairs:
        return None
    mean = np.bincount(pair, weights=difference) / size
    between = float((size * (mean - difference.mean()) ** 2).sum()) / (pairs - 1)
    within = float(((difference - mean[pair]) ** 2).sum()) / (rows - pairs)
    typical = (rows - float((size**2).sum()) / rows) / (pairs - 1)
    total = between + (typical - 1.0) * within
    if total <= 0.0:
        return None
    return min(1.0, max(0.0, (between - within) / total))


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Checked assumptions of a plan.

    Attributes:
        cate: the effect, a fraction.
        discordance: share of pairs whose members differ; assumed: whether nobody has seen it
            but it is `ASSUMED_DISCORDANCE`.
        samples: how often each item is asked; alike: share of the variance between pairs.
    """

    cate: float
    discordance: float
    assumed: bool
    samples: int
    alike: float

    @classmethod
    def of(cls, cate: float, discordance: float | None, samples: int, alike: float) -> Assumptions:
        """Checks what was given; None for the discordance takes the assumed one.

        Raises:
            ImpossiblePlan: no pairs could be like that; the message says why and what to do.
        """
        check_least(samples, 1, "The number of samples")
        if not 0.0 <= alike <= 1.0:
            raise ImpossiblePlan(
                f"The share of variance between pairs cannot be {alike:g}: give 0 to 1, or 1 if "
                "it was never seen."
            )
        return cls(cate, _discordance(cate, discordance), discordance is None, samples, alike)

    @property
    def kept(self) -> float:
        """What share of a pair's variance is left in the mean of its samples."""
        return 1.0 if self.samples == 1 else self.alike + (1.0 - self.alike) / self.samples

    @property
    def three_valued(self) -> bool:
        """Whether the difference of a pair is -1, 0 or 1, so that binomial sums are exact."""
        return self.kept == 1.0

    @property
    def variance(self) -> float:
        """The variance of the difference of a pair."""
        return max(self.discordance - self.cate**2, 0.0) * self.kept

    @property
    def sentences(self) -> list[str]:
        """What is taken for granted, for a reader."""
        said = [f"The members of {exact_percent(self.discordance)} of the pairs differ in outcome."]
        if self.assumed:
            said = [
                f"ASSUMED, not seen: the members of {exact_percent(self.discordance)} of the pairs "
                "differ in outcome. A first small run tells how many do."
            ]
        if self.samples > 1 and self.three_valued:
            said.append(
                f"Every item is asked {self.samples} times, which saves no pairs as long as "
                "nobody has seen how much the samples of a pair vary."
            )
        elif self.samples > 1:
            said.append(
                f"Every item is asked {self.samples} times; {exact_percent(self.alike)} of the "
                "variance lies between pairs and does not shrink with more samples. By the "
                "normal approximation."
            )
        return said


def _discordance(cate: float, rate: float | None) -> float:
    if not -1.0 <= cate <= 1.0:
        raise ImpossiblePlan(
            f"An effect of {cate:g} cannot be: give a fraction between -1 and 1, such as 0.05 "
            "for 5 points."
        )
    share = ASSUMED_DISCORDANCE if rate is None else rate
    if not 0.0 < share <= 1.0:
        raise ImpossiblePlan(
            f"A discordance of {share:g} cannot be: give the share of pairs whose members "
            "differ, above 0 and at most 1."
        )
    if abs(cate) > share:
        where = "assumed, as none was given" if rate is None else "given"
        raise ImpossiblePlan(
            f"An effect of {points_wide(abs(cate))} is impossible if the members of only "
            f"{exact_percent(share)} of the pairs differ (the discordance {where}): give a "
            "discordance "
            f"of at least {abs(cate):g}, or a smaller effect."
        )
    return share


SMALLEST_PLAN = 10
"""No plan names fewer pairs: with fewer, neither test nor interval can be relied on."""

MOST_PAIRS = 10_000_000
"""A plan for more is refused: nobody asks so many, and a typing error is more likely."""


@dataclass(frozen=True, slots=True)
class SizePlan:
    """The number of pairs that an effect of a given size needs.

    Attributes:
        cate: the effect to be found, a fraction; power: how likely that shall be.
        discordance: share of pairs whose members differ; assumed: whether nobody has seen it
            but it is `ASSUMED_DISCORDANCE`.
        alpha: error of the two-sided test; looks, spending: as in `GroupSequential`.
        samples: how often each item is asked; alike: as in `DiscordanceEstimate`.
        pairs: pairs to plan for: at most so many where one looks several times.
        pairs_with_one_look: pairs that one look at the end needs; inflation: how many times
            more looking several times can take, by normal theory.
        expected_pairs: mean number asked if the effect is as large as `cate`.
        approximate_pairs: Connor's formula, for one look.
        exact_power: power with `pairs_with_one_look`, by binomial sums; None where several samples
            make the difference of a pair more than three-valued. exact_power_t,
            exact_power_mcnemar: that of the paired t-test and of McNemar's exact test.
        method: how it was made, in sentences.
    """

    cate: float
    power: float
    discordance: float
    assumed: bool
    alpha: float
    looks: int
    spending: Spending
    samples: int
    alike: float
    pairs: int
    pairs_with_one_look: int
    inflation: float
    expected_pairs: float
    approximate_pairs: int
    exact_power: float | None
    exact_power_t: float | None
    exact_power_mcnemar: float | None
    method: str

    def as_json(self) -> dict[str, Any]:
        """A JSON-ready object."""
        return asdict(self)


def pairs_needed(
    cate: float,
    power: float = 0.8,
    discordance: float | None = None,
    alpha: float = 0.05,
    looks: int = 1,
    samples: int = 1,
    *,
    spending: Spending = "obrien-fleming",
    alike: float = 1.0,
) -> SizePlan:
    """How many pairs it takes to find an effect of this size.

    Args:
        cate: the effect as a fraction (0.05 is 5 points); its sign does not matter.
        power: how likely it shall be found, such as 0.8 or 0.9.
        discordance: share of pairs whose members differ in outcome, from `discordance_seen`;
            None takes `ASSUMED_DISCORDANCE` and the plan says so.
        alpha: error of the two-sided test.
        looks: how often one looks on the way, with `GroupSequential`.
        samples: how often each item is asked.
        spending: as in `GroupSequential`.
        alike: share of the variance that lies between pairs, from `discordance_seen`. 1, if it
            was never seen: then more samples save no pairs.

    Raises:
        ImpossiblePlan: no pairs could have such an effect, or a number cannot be; the message
            says which and what to do.
    """
    given = Assumptions.of(cate, discordance, samples, alike)
    size, share = abs(cate), given.discordance
    if size == 0.0:
        raise ImpossiblePlan(
            "No number of pairs finds an effect of 0: give the smallest effect that would matter."
        )
    check_between(alpha, 0.0, 0.5, "error of the test", "0.05")
    check_between(power, alpha, 1.0, "power", "0.8")
    check_least(looks, 1, "The number of looks")
    if looks > MOST_LOOKS:
        raise ImpossiblePlan(f"{looks} looks are too many: give at most {MOST_LOOKS}.")
    check_spending(spending)
    approximate = _connor(size, share, alpha, power, given.kept)
    if approximate > MOST_PAIRS:
        raise ImpossiblePlan(
            f"An effect of {points_wide(size)} would need about {approximate:,} pairs: "
            "plan for a larger effect."
        )
    one_look = max(SMALLEST_PLAN, _by_normal_approximation(size, given, alpha, power))
    if given.three_valued:
        one_look = _smallest_with(power, size, share, alpha, one_look)
    times = tuple(look / looks for look in range(1, looks + 1))
    critical = critical_values(times, alpha, spending)
    drift = drift_for_power(times, critical, power)
    once = critical_values((1.0,), alpha, spending)
    inflation = (drift / drift_for_power((1.0,), once, power)) ** 2
    # A stricter level imagines more pairs; each is made up for by one pair that differs.
    imagined = imagined_pairs(critical[-1]) - imagined_pairs(once[0])
    most = one_look * inflation + float(imagined) / share
    pairs = max(math.ceil(most - 1e-6), SMALLEST_GROUP * looks)

    def by(test: PairedTest) -> float | None:
        return exact_power(one_look, size, share, alpha, test) if given.three_valued else None

    return SizePlan(
        cate=cate,
        power=power,
        discordance=share,
        assumed=given.assumed,
        alpha=alpha,
        looks=looks,
        spending=spending,
        samples=samples,
        alike=alike,
        pairs=pairs,
        pairs_with_one_look=one_look,
        inflation=inflation,
        expected_pairs=_expected(times, critical, drift) * pairs,
        approximate_pairs=approximate,
        exact_power=by("interval"),
        exact_power_t=by("t"),
        exact_power_mcnemar=by("mcnemar"),
        method=" ".join(
            (
                *given.sentences,
                f"Two-sided test of the CATE interval at {exact_percent(alpha)}, independent "
                "pairs.",
                *_looks_message(looks, pairs / one_look),
            )
        ),
    )


def _connor(cate: float, discordance: float, alpha: float, power: float, share: float) -> int:
    z_alpha = float(scipy.stats.norm.isf(alpha / 2.0))
    z_power = float(scipy.stats.norm.ppf(power))
    spread = max(discordance - cate**2, 0.0)
    root = z_alpha * math.sqrt(discordance * share) + z_power * math.sqrt(spread * share)
    return math.ceil((root / cate) ** 2 - 1e-9)


def _by_normal_approximation(
    cate: float, assumptions: Assumptions, alpha: float, power: float
) -> int:
    """Where the statistic of the CATE interval lies far enough from 0 in all but 1 - power.

    The sum of the differences is taken as normal, the sum of their squares as what it is on
    average, and the t quantile as the normal one.
    """
    z, z_power = float(scipy.stats.norm.isf(alpha / 2.0)), float(scipy.stats.norm.ppf(power))
    k = float(imagined_pairs(z))
    square = assumptions.variance + cate**2

    def found(n: int) -> bool:
        least = n * cate - z_power * math.sqrt(n * assumptions.variance)
        return least >= z * math.sqrt((n * square + k) * (n + k) / (n + k - 1.0 + z**2))

    return bisect_left(range(2 * MOST_PAIRS), True, lo=1, key=found)


def _smallest_with(power: float, cate: float, discordance: float, alpha: float, start: int) -> int:
    """The smallest number near ``start`` with enough power; power rises in small steps back."""
    pairs = start
    stride = max(1, start // 500)
    while exact_power(pairs, cate, discordance, alpha) < power:
        pairs += stride
    while pairs > SMALLEST_PLAN and exact_power(pairs - 1, cate, discordance, alpha) >= power:
        pairs -= 1
    return pairs


def _expected(times: tuple[float, ...], critical: tuple[float, ...], drift: float) -> float:
    """The mean share of the pairs that is asked until the rule stops."""
    found = crossing(times, critical, drift)
    stops = [a + b for a, b in zip(found.above, found.below, strict=True)]
    early = sum(time * chance for time, chance in zip(times[:-1], stops[:-1], strict=True))
    return early + 1.0 - sum(stops[:-1])


def _looks_message(looks: int, inflation: float) -> list[str]:
    if looks == 1:
        return []
    return [
        f"Looking {looks} times takes up to {percent(inflation - 1.0)} more pairs, and "
        "fewer on average if the effect is there."
    ]


@dataclass(frozen=True, slots=True)
class WidthPlan:
    """The number of pairs that an interval of a given width needs.

    Attributes:
        half_width: how far the interval may reach to either side, a fraction.
        cate, discordance, assumed, confidence, samples, alike: what it was planned for.
        pairs: for which the expected width is as asked.
        chance: how likely the width really is at most that, by binomial sums; about one half.
            None as in `Plan`.
        method: how it was made, in sentences.
    """

    half_width: float
    cate: float
    discordance: float
    assumed: bool
    confidence: float
    samples: int
    alike: float
    pairs: int
    chance: float | None
    method: str

    def as_json(self) -> dict[str, Any]:
        """A JSON-ready object."""
        return asdict(self)


def pairs_for_width(
    half_width: float,
    discordance: float | None = None,
    cate: float = 0.0,
    confidence: float = 0.95,
    samples: int = 1,
    *,
    alike: float = 1.0,
) -> WidthPlan:
    """How many pairs it takes for an interval of the CATE of this width.

    Args:
        half_width: how far it may reach to either side, as a fraction.
        discordance: as for `pairs_needed`.
        cate: the effect expected; 0 asks for most pairs.
        confidence: of the interval. For a run that `UntilNarrow` may stop give the level of its
            ``adjustment``.
        samples: as for `pairs_needed`.
        alike: as for `pairs_needed`.

    Raises:
        ImpossiblePlan: as `pairs_needed`.
        UnknownChoice: the confidence level is not between 0 and 1.
    """
    check_between(half_width, 0.0, 1.0, "half width of the interval", "0.05 (5 points)")
    check_confidence(confidence)
    given = Assumptions.of(cate, discordance, samples, alike)
    # The wider, the fewer: the width that is expected falls with every pair.
    pairs = bisect_left(
        range(MOST_PAIRS + 1),
        True,
        lo=SMALLEST_PLAN,
        key=lambda n: _half_width(n, given, confidence) <= half_width,
    )
    if pairs > MOST_PAIRS:
        raise ImpossiblePlan(
            f"An interval of {points_wide(half_width)} to either side would need more than "
            f"{MOST_PAIRS:,} pairs: plan for a wider one."
        )
    return WidthPlan(
        half_width=half_width,
        cate=cate,
        discordance=given.discordance,
        assumed=given.assumed,
        confidence=confidence,
        samples=samples,
        alike=alike,
        pairs=pairs,
        chance=(
            chance_of_width(pairs, half_width, cate, given.discordance, confidence)
            if given.three_valued
            else None
        ),
        method=" ".join(
            (
                *given.sentences,
                f"CATE interval at {exact_percent(confidence)}, independent pairs; the width "
                "that is "
                "expected, so about half of such runs turn out a little wider.",
            )
        ),
    )


def _half_width(pairs: int, assumptions: Assumptions, confidence: float) -> float:
    """Of the interval of pairs that come out exactly as assumed."""
    square = assumptions.variance + assumptions.cate**2
    low, high = SteadiedMoments.of_single_pairs(float(pairs), assumptions.cate, square).ends(
        confidence
    )
    return float(high - low) / 2.0
