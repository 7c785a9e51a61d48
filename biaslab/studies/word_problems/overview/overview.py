"""A set of pairs at a glance: how difficult it is, and whether its members are balanced.

maker = OverviewMaker.of(design)
for pair in pairs: maker.add(pair)
overview = maker.result()
overview.distribution("steps").mean_x
overview.warnings       # in 12 of 200 pairs the members differ in zero digits
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from biaslab.studies import Design, Pair
from biaslab.studies.word_problems.overview.balance import (
    Aspect,
    Difference,
    differences,
    treatment_of,
)
from biaslab.studies.word_problems.overview.measures import MEASURES, Level, ProblemMeasure

_UNITS = {
    Aspect.SENTENCES: "sentences",
    Aspect.WORDS: "words",
    Aspect.CHARACTERS: "characters",
    Aspect.NUMBERS: "in the mean of the numbers",
    Aspect.DIGITS: "digits",
    Aspect.ZEROS: "zero digits",
    Aspect.NUMBER_WORDS: "number words",
    Aspect.GRAMMAR: "faults",
    Aspect.STEPS: "steps",
    Aspect.CARRIES: "carries",
}


@dataclass(frozen=True, slots=True)
class Distribution:
    """How often each level of a measure occurs among the members of each arm.

    Attributes:
        measure: what was measured.
        x, x_prime: count of every level, levels in order; grades are rounded to whole ones.
        mean_x, mean_x_prime: of the values themselves; None for names, or without values.
    """

    measure: ProblemMeasure
    x: tuple[tuple[Level, int], ...]
    x_prime: tuple[tuple[Level, int], ...]
    mean_x: float | None
    mean_x_prime: float | None


@dataclass(frozen=True, slots=True)
class Imbalance:
    """A warning: members differ in something that the treatment does not name.

    Attributes:
        aspect: what.
        pairs: in how many pairs; of: among how many.
        mean_difference: x minus x′, mean over all pairs; None for what has no amount.
        unit: of the difference, plural; empty without an amount.
        example: the first pair that shows it.
        detail: what is different in the example, as a clause.
        within: whether it stands, in every one of these pairs, in sentences that the treatment
            changes and there alone: the treatment brings it along.
    """

    aspect: Aspect
    pairs: int
    of: int
    mean_difference: float | None
    unit: str
    example: Pair
    detail: str
    within: bool

    def __str__(self) -> str:
        start = f"In {self.pairs} of {self.of} pairs the members differ in {self.aspect}"
        end = ", only in sentences that the treatment changes." if self.within else "."
        if self.mean_difference is None:
            return f"{start} ({self.detail}){end}"
        if abs(self.mean_difference) < _SMALLEST:
            return f"{start}; over all pairs it evens out{end}"
        more = "x" if self.mean_difference > 0 else "x′"
        amount = f"{abs(self.mean_difference):.2f} more {self.unit}"
        return f"{start}: {more} has {amount} on average{end}"


_SMALLEST = 0.005


@dataclass(frozen=True, slots=True)
class PairOverview:
    """What a set of pairs is like.

    Attributes:
        pairs: how many.
        treatment: the name of what its members differ in; empty where it is not known.
        distributions: one for every measure of `MEASURES` that has values.
        warnings: imbalances, those of the most pairs first.
    """

    pairs: int
    treatment: str
    distributions: tuple[Distribution, ...]
    warnings: tuple[Imbalance, ...]

    def distribution(self, name: str) -> Distribution | None:
        """The distribution of a measure by its name; None where it has no values."""
        return next((each for each in self.distributions if each.measure.name == name), None)


@dataclass(slots=True)
class _Seen:
    """What was counted of one measure in one arm."""

    counts: Counter[Level] = field(default_factory=Counter)
    total: float = 0.0
    values: int = 0

    def add(self, level: Level) -> None:
        self.values += 1
        if isinstance(level, str):
            self.counts[level] += 1
        else:
            self.counts[round(level)] += 1
            self.total += level

    @property
    def mean(self) -> float | None:
        return self.total / self.values if self.values else None


@dataclass(slots=True)
class _Found:
    """What was counted of one aspect."""

    example: Pair
    detail: str
    pairs: int = 0
    total: float | None = None
    within: bool = True

    def add(self, difference: Difference) -> None:
        self.pairs += 1
        self.within &= difference.within
        if difference.amount is not None:
            self.total = (self.total or 0.0) + difference.amount


class OverviewMaker:
    """Takes pairs one by one, so that a large design need not be held at once."""

    def __init__(self, treatment: str) -> None:
        """A maker for pairs of this treatment; see `pair_balance.treatment_of`."""
        self._treatment = treatment
        self._pairs = 0
        self._seen = [(measure, _Seen(), _Seen()) for measure in MEASURES]
        self._found: dict[Aspect, _Found] = {}

    @classmethod
    def of(cls, design: Design) -> OverviewMaker:
        """A maker for the pairs of a design."""
        return cls(treatment_of(design))

    def add(self, pair: Pair) -> None:
        """Counts one more pair."""
        self._pairs += 1
        for measure, *arms in self._seen:
            for seen, item in zip(arms, (pair.x, pair.x_prime), strict=True):
                for level in measure.read(item):
                    seen.add(level)
        for difference in differences(pair, self._treatment):
            found = self._found.get(difference.aspect)
            if found is None:
                found = _Found(pair, difference.detail)
                self._found[difference.aspect] = found
            found.add(difference)

    def result(self) -> PairOverview:
        """What has been counted so far."""
        distributions = [
            Distribution(
                measure,
                _ordered(x),
                _ordered(x_prime),
                x.mean if measure.numeric else None,
                x_prime.mean if measure.numeric else None,
            )
            for measure, x, x_prime in self._seen
            if x.values or x_prime.values
        ]
        warnings = [
            Imbalance(
                aspect,
                found.pairs,
                self._pairs,
                None if found.total is None else found.total / self._pairs,
                _UNITS.get(aspect, ""),
                found.example,
                found.detail,
                found.within,
            )
            for aspect, found in self._found.items()
        ]
        warnings.sort(key=lambda warning: (-warning.pairs, list(Aspect).index(warning.aspect)))
        return PairOverview(self._pairs, self._treatment, tuple(distributions), tuple(warnings))


def pair_overview(pairs: Iterable[Pair], design: Design) -> PairOverview:
    """The overview of these pairs of a design; texts from a file have fewer measures."""
    maker = OverviewMaker.of(design)
    for pair in pairs:
        maker.add(pair)
    return maker.result()


def _ordered(seen: _Seen) -> tuple[tuple[Level, int], ...]:
    """Numbers in rising order, names with the most frequent first."""
    numbers = sorted((lv, n) for lv, n in seen.counts.items() if not isinstance(lv, str))
    names = [(lv, n) for lv, n in seen.counts.most_common() if isinstance(lv, str)]
    return (*numbers, *names)
