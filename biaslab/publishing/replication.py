"""The published designs asked of one model, beside what was published: the four systems of papers.

A row holds what was measured here and every published model that was asked so. Nothing is pooled
or tested across: other models answered other items. What can be said is whether both point one
way, and that only where both intervals leave out zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

from scipy.stats import t

from biaslab.runs.store.records import RunRecord
from biaslab.runs.store.store import Store
from biaslab.stats import Effect, effects, end_of
from biaslab.studies import Design, experiment
from biaslab.studies.concepts.published import published_concepts
from biaslab.studies.decisions.published import (
    AVERAGE,
    RANDOM,
    bias_of_name,
    published_biases,
    stands_beside,
)
from biaslab.studies.decisions.results import bias_profile
from biaslab.studies.malgorithm.published import published_identification
from biaslab.studies.published import PublishedEffect, published_effects
from biaslab.studies.word_problems.settings import SHARES
from schoolmath.text.figures import signed_points

_Z = 1.959963984540054
"""Two-sided 95 % of the normal distribution."""

QUESTIONS = 807
"""Mathematics questions of the published data set (Sonkar et al. 2024, section 2.1)."""

CASES = 1_000
"""Of a bias, decided by each published model: 5 for each of 200 scenes (Malberg et al. 2024)."""

_QUESTIONS_OF_CONCEPTS = 5 * 500
"""Behind a published mean: five printed columns, 250 prompts of each answer in every one."""


class Direction(StrEnum):
    """Whether a published result and ours point one way."""

    SAME = "same direction"
    OTHER = "other direction"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure between -1 and 1, positive where people's bias is, with its 95 % interval.

    Attributes:
        model: whose it is.
        value, low, high: None where there is none.
        n: what it is of, in words.
    """

    model: str
    value: float | None
    low: float | None
    high: float | None
    n: str

    @property
    def sign(self) -> int:
        """1 or -1 where the interval leaves out zero, else 0."""
        if self.low is None or self.high is None:
            return 0
        return (self.low > 0) - (self.high < 0)

    @property
    def words(self) -> str:
        """The figure in points with its interval."""
        if self.value is None:
            return "no figure"
        interval = (
            "no interval"
            if self.low is None or self.high is None
            else f"{signed_points(self.low)} to {signed_points(self.high)}"
        )
        return f"{signed_points(self.value)} ({interval}; {self.n})"


@dataclass(frozen=True, slots=True)
class ReplicationRow:
    """One figure of a paper's table, as measured here and as published.

    Attributes:
        what: the figure; strategy: how the models were asked, by name.
        own: ours; published: every published model that was asked so.
    """

    what: str
    strategy: str
    own: Figure
    published: tuple[Figure, ...]

    def direction(self, other: Figure) -> Direction:
        """Whether ours points where this published one does."""
        if not self.own.sign or not other.sign:
            return Direction.UNDECIDED
        return Direction.SAME if self.own.sign == other.sign else Direction.OTHER


@dataclass(frozen=True, slots=True)
class PaperSystem:
    """What a paper asked.

    Attributes:
        studies: its studies here; strategies: as it asked them, the shortest first.
        source: the publication, and what its intervals here are.
        rows: the rows of finished runs of these studies.
    """

    studies: tuple[str, ...]
    strategies: tuple[str, ...]
    source: str
    rows: Callable[[Store, Sequence[RunRecord]], list[ReplicationRow]]

    def designs(self, n: int, seed: int) -> list[Design]:
        """Its designs with so many pairs each."""
        found = []
        for name in self.studies:
            (named,) = (d for d in experiment(name).named_designs if d.name == "published")
            found.append(Design(name, n, seed, named.settings))
        return found

    def replicates(self, record: RunRecord) -> bool:
        """Whether a run asked one of its designs in one of its strategies, whatever the size.

        Before 0.6 things and rates came in shares of our own: such runs count too.
        """
        if record.study not in self.studies or record.strategy not in self.strategies:
            return False
        usual = {each.name: each.default for each in experiment(record.study).settings}
        return any(
            {**usual, **design.settings, SHARES.name: ""}
            == {**usual, **record.design.settings, SHARES.name: ""}
            for design in self.designs(1, 1)
            if design.study == record.study
        )


def _effects_of(store: Store, records: Sequence[RunRecord], by: str | None = None) -> list[Effect]:
    return effects(store.outcomes([record.id for record in records]), by)


def _own(effect: Effect) -> Figure:
    end = end_of(effect)
    words = f"n = {effect.n}" if end is None else f"n = {effect.n}, at the {end}"
    return Figure(effect.model, effect.cate, effect.ci_low, effect.ci_high, words)


def _between(model: str, x: float, x_prime: float, n: int, words: str) -> Figure:
    """The difference of two shares of so many independent answers each."""
    spread = _Z * sqrt((x * (1 - x) + x_prime * (1 - x_prime)) / n)
    return Figure(model, x - x_prime, x - x_prime - spread, x - x_prime + spread, words)


def _of_pairs(effect: PublishedEffect) -> Figure:
    """A published effect with the interval that its p of a paired t-test stands for.

    Where none is printed, or "<0.001", it is the widest that there can be: with as many pairs
    that differ as the accuracies allow, and no wider than the bound on p.
    """
    value = effect.accuracy_x - effect.accuracy_x_prime
    both = effect.accuracy_x + effect.accuracy_x_prime
    spread = _Z * sqrt(max(min(both, 2 - both) - value**2, 0.0) / effect.n)
    if effect.p is not None and 0 < effect.p < 1:
        of_p = _Z * abs(value) / float(t.isf(effect.p / 2, effect.n - 1))
        spread = min(spread, of_p) if effect.printed_p.startswith("<") else of_p
    return Figure(effect.model, value, value - spread, value + spread, f"n = {effect.n}")


def _word_problem_rows(store: Store, records: Sequence[RunRecord]) -> list[ReplicationRow]:
    rows = []
    for effect in _effects_of(store, records):
        strategy = effect.strategy.partition(",")[0]
        arms = experiment(effect.study).arms
        published = tuple(
            _of_pairs(each)
            for each in published_effects(effect.study, strategy)
            if each.n >= 100  # Hegarty's eight pairs are other problems
        )
        what = f"{arms.x} minus {arms.x_prime}"
        rows.append(ReplicationRow(what, strategy, _own(effect), published))
    return rows


def _malgorithm_rows(store: Store, records: Sequence[RunRecord]) -> list[ReplicationRow]:
    rows = []
    for effect in _effects_of(store, records):
        published = tuple(
            _between(each.model, each.aia, each.mia, QUESTIONS, f"{QUESTIONS} questions")
            for each in published_identification("Math")
            if each.strategy == effect.strategy
        )
        rows.append(ReplicationRow("AIA minus MIA", effect.strategy, _own(effect), published))
    return rows


def _concept_rows(store: Store, records: Sequence[RunRecord]) -> list[ReplicationRow]:
    rows = []
    for effect in _effects_of(store, records, "semantics"):
        published = tuple(
            _between(each.model, each.more, each.less, _QUESTIONS_OF_CONCEPTS, "five columns")
            for each in published_concepts()
            if each.semantics == effect.stratum_value
        )
        if published:
            what = f"more than p minus less than p, {effect.stratum_value}"
            rows.append(ReplicationRow(what, effect.strategy, _own(effect), published))
    return rows


def _decision_rows(store: Store, records: Sequence[RunRecord]) -> list[ReplicationRow]:
    printed: dict[str, list[Figure]] = {}
    for cell in published_biases():
        bias = bias_of_name(cell.name)
        if bias is not None and cell.model not in (AVERAGE, RANDOM):
            # No figure between -1 and 1 spreads more than one that takes its ends alone.
            spread = _Z * sqrt((1 - cell.value**2) / CASES)
            low, high = cell.value - spread, cell.value + spread
            figure = Figure(cell.model, cell.value, low, high, f"n = {CASES:,}")
            printed.setdefault(bias, []).append(figure)
    rows = []
    for score in bias_profile(store.answered_items([record.id for record in records])):
        if score.bias in printed and stands_beside(score.bias):
            interval = score.metric_ci
            own = Figure(
                score.model,
                score.metric,
                None if interval is None else interval.low,
                None if interval is None else interval.high,
                f"n = {score.n}",
            )
            rows.append(ReplicationRow(score.bias, score.strategy, own, tuple(printed[score.bias])))
    return rows


SYSTEMS: Mapping[str, PaperSystem] = {
    "word-problems": PaperSystem(
        ("consistency", "transfer-comparison", "carry"), ("direct", "cot", "child-cot"),
        "Opedal et al. 2024, tables 2 and 4. No intervals are printed: they are those of the "
        "printed p, or the widest that “<0.001” and the accuracies allow.",
        _word_problem_rows,
    ),
    "malgorithms": PaperSystem(
        ("malgorithm",), ("simple", "cot", "simple-5", "cot-5"),
        f"Sonkar et al. 2024, table 6, mathematics. No intervals are printed: shown are those of "
        f"{QUESTIONS} independent questions.",
        _malgorithm_rows,
    ),
    "concepts": PaperSystem(
        ("concept-learning",), ("likelihood",),
        "The 2025 study of monotone concepts, appendix B: means over its five columns. No "
        "intervals are printed: shown are those of 2,500 independent prompts.",
        _concept_rows,
    ),
    "decisions": PaperSystem(
        ("decision",), ("two-conversations",),
        f"Malberg et al. 2024, heat map of the version before publication. No intervals are "
        f"printed: shown are the widest that {CASES:,} cases of a bias allow. Biases whose test "
        "here is another one are left out.",
        _decision_rows,
    ),
}  # fmt: skip
"""The four systems by name."""


def replication_lines(rows: Sequence[ReplicationRow]) -> list[str]:
    """The rows as lines of text: ours, and below it each published one with what can be said."""
    lines = []
    for row in rows:
        lines.append(f"{row.what} · {row.strategy}: {row.own.model} {row.own.words}")
        lines += [
            f"    {each.model}: {each.words}: {row.direction(each)}" for each in row.published
        ]
        decided = [row.direction(each) for each in row.published]
        same, other = decided.count(Direction.SAME), decided.count(Direction.OTHER)
        lines.append(
            f"    of {len(decided)} published: {same} {Direction.SAME}, {other} "
            f"{Direction.OTHER}, {len(decided) - same - other} {Direction.UNDECIDED}"
        )
    return lines
