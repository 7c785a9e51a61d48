"""How many pairs a run needs, before it is run.

What counts is the size of the effect and the discordance, the share of pairs whose members
differ in outcome: with discordance d, the difference of a pair has the variance d - cate^2
(Miettinen 1968, Biometrics 24:339-352; Connor 1987, Biometrics 43:207-211). The number of pairs
is the smallest for which the test that belongs to the CATE interval has the power asked for, by
binomial sums (`biaslab.stats.planning.exact_power`).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import asdict, dataclass
from typing import Any

import scipy

from biaslab.stats.errors import ImpossiblePlan
from biaslab.stats.estimates.imagined_pairs import imagined_pairs
from biaslab.stats.planning.assumptions import Assumptions
from biaslab.stats.planning.exact_power import PairedTest, exact_power
from biaslab.stats.sequential.boundaries import (
    Spending,
    check_spending,
    critical_values,
    crossing,
    drift_for_power,
)
from biaslab.stats.sequential.group import MOST_LOOKS, SMALLEST_GROUP
from biaslab.stats.sequential.looks import check_between, check_least
from schoolmath.text.figures import exact_percent, percent, points_wide

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
        samples: how often each item is asked; alike: as in `DiscordanceSeen`.
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


def _connor(cate: float, discordance: float, alpha: float, power: float, kept: float) -> int:
    z_alpha = float(scipy.stats.norm.isf(alpha / 2.0))
    z_power = float(scipy.stats.norm.ppf(power))
    spread = max(discordance - cate**2, 0.0)
    root = z_alpha * math.sqrt(discordance * kept) + z_power * math.sqrt(spread * kept)
    return math.ceil((root / cate) ** 2 - 1e-9)


def _by_normal_approximation(cate: float, given: Assumptions, alpha: float, power: float) -> int:
    """Where the statistic of the CATE interval lies far enough from 0 in all but 1 - power.

    The sum of the differences is taken as normal, the sum of their squares as what it is on
    average, and the t quantile as the normal one.
    """
    z, z_power = float(scipy.stats.norm.isf(alpha / 2.0)), float(scipy.stats.norm.ppf(power))
    k = float(imagined_pairs(z))
    square = given.variance + cate**2

    def found(n: int) -> bool:
        least = n * cate - z_power * math.sqrt(n * given.variance)
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
