"""The questions about tutors: what they find of a difference of known size, and the whole check.

Outcomes are drawn on the real pairs of each study. A mal-rule is as hard in both members as in
its fellow, some rules are harder than others, and the difference is the same for all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from biaslab.stats import cate_estimate
from biaslab.stats.estimates import wilson
from biaslab.studies import experiment
from biaslab.studies.study import Design, Item, Pair
from biaslab.studies.tutor.check import MEASURES, TutorCheck, TutorPair, line_of
from research.calibration.markdown import markdown_table
from schoolmath.text.figures import hundredths, percent

GAPS = (0.0, 0.1, 0.2)
"""True differences; with 0 whatever is found is false."""

SIZES = (100, 300, 1000)

LEVEL = 0.05

_MEAN_SHARE, _SPREAD_OF_RULES = 0.65, 0.12
_DESIGNS = 4
"""Real designs of each size; draws take turns."""


@dataclass(frozen=True, slots=True)
class TutorPower:
    """What became of draws with a true difference.

    Attributes:
        study, n: whose pairs, and how many; rules: mal-rules among them, the clusters.
        gap: the true difference; draws: how many.
        found: draws with a p below `LEVEL`; covered: whose interval holds the difference.
    """

    study: str
    n: int
    rules: int
    gap: float
    draws: int
    found: int
    covered: int


def power(study: str, n: int, gap: float, draws: int) -> TutorPower:
    """Draws outcomes with a true difference of ``gap`` on pairs of a study."""
    lots = np.random.default_rng(7)
    found = covered = 0
    for draw in range(draws):
        clusters = _clusters(study, n, draw % _DESIGNS + 1)
        rules, at = np.unique(clusters, return_inverse=True)
        base = _MEAN_SHARE + lots.normal(0, _SPREAD_OF_RULES, len(rules))[at]
        base = np.clip(base, gap / 2, 1 - gap / 2)
        x, x_prime = (lots.random(len(at)) < base + end for end in (gap / 2, -gap / 2))
        estimate = cate_estimate(x.astype(float), x_prime.astype(float), clusters)
        assert estimate.interval is not None
        assert estimate.p is not None
        found += estimate.p < LEVEL
        covered += estimate.interval.low <= gap <= estimate.interval.high
    rules_of_first = len(np.unique(_clusters(study, n, 1)))
    return TutorPower(study, n, rules_of_first, gap, draws, int(found), int(covered))


@cache
def _clusters(study: str, n: int, seed: int) -> np.ndarray:
    return np.array([pair.cluster for pair in _pairs(study, n, seed)])


@cache
def _pairs(study: str, n: int, seed: int) -> tuple[Pair, ...]:
    return tuple(experiment(study).pairs(Design(study, n, seed)))


Respondent = Callable[[random.Random, Item], str]
"""Names a letter of an item."""


def _mostly(letter: Callable[[Item], str], share: float) -> Respondent:
    return lambda lots, item: (
        letter(item) if lots.random() < share else lots.choice(list(item.options))
    )


RESPONDENTS: Mapping[str, Respondent] = {
    "guesses": lambda lots, item: lots.choice(list(item.options)),
    "names A in nine of ten": _mostly(lambda _item: "A", 0.9),
    "says “right” in seven of ten": _mostly(
        lambda item: str(item.facts.get("sound", item.facts.get("own"))), 0.7
    ),
    "right in 80 %, whatever is asked": lambda lots, item: (
        item.answer
        if lots.random() < 0.8
        else lots.choice([each for each in item.options if each != item.answer])
    ),
}
"""Tutors by what they do; only the last sees anything."""


@dataclass(frozen=True, slots=True)
class ChecksOf:
    """What checks of one respondent came to.

    Attributes:
        name: of `RESPONDENTS`; n: pairs of each study; checks: how many.
        clear: checks with a clear contrast by study, whichever way; any_clear: in any line.
    """

    name: str
    n: int
    checks: int
    clear: Mapping[str, int]
    any_clear: int


def checks_of(name: str, n: int, checks: int) -> ChecksOf:
    """Lets a respondent answer whole checks; five designs take turns."""
    lots = random.Random(1)
    clear = {each.study: 0 for each in MEASURES}
    any_clear = 0
    for number in range(checks):
        designs = {each.study: each for each in TutorCheck(n=n, seed=number % 5 + 1).designs()}
        seen = []
        for measure in MEASURES:
            answered = [
                _answered(each, RESPONDENTS[name], lots) for each in _of(designs, measure.study)
            ]
            interval = line_of(measure, answered).contrast.interval
            assert interval is not None
            seen.append(not interval.low <= 0 <= interval.high)
            clear[measure.study] += seen[-1]
        any_clear += any(seen)
    return ChecksOf(name, n, checks, clear, any_clear)


def _of(designs: Mapping[str, Design], study: str) -> tuple[Pair, ...]:
    return _pairs(study, designs[study].n, designs[study].seed)


def _answered(pair: Pair, says: Respondent, lots: random.Random) -> TutorPair:
    letters = (says(lots, item) for item in (pair.x, pair.x_prime))
    return TutorPair(pair.id, pair.cluster, pair.strata, pair.x, pair.x_prime, *letters)


def tutors_section(draws: int) -> str:
    """Both tables, as Markdown."""
    rows = [
        _power_row([power(measure.study, n, gap, draws) for gap in GAPS])
        for measure in MEASURES
        for n in SIZES
    ]
    shown = [f"{hundredths(gap, 0)} points: found" for gap in GAPS]
    columns = ("study", "pairs", "mal-rules", *shown, "intervals that hold the truth")
    checks = [checks_of(name, n, draws // 2) for name in RESPONDENTS for n in (30, 100)]
    return "\n\n".join(
        (
            f"{' '.join((__doc__ or '').split(chr(10) * 2)[1].split())} {draws:,} draws a row and "
            "difference; brackets: 95 % Wilson intervals over the draws. The last column is the "
            "lowest of the three.",
            markdown_table(columns, rows, words=1),
            "Whole checks, a line's verdict at 99 %. Counted are checks in which a line has a "
            "clear contrast, whichever way.",
            markdown_table(
                ("tutor", "pairs", "checks", *(each.label for each in MEASURES), "any line"),
                map(_check_row, checks), words=1,
            ),
        )
    )  # fmt: skip


def _power_row(powers: Sequence[TutorPower]) -> tuple[str, ...]:
    first = powers[0]
    worst = min(powers, key=lambda each: each.covered)
    return (
        f"`{first.study}`", f"{first.n:,}", str(first.rules),
        *(_share(each.found, each.draws) for each in powers),
        _share(worst.covered, worst.draws),
    )  # fmt: skip


def _check_row(checks: ChecksOf) -> tuple[str, ...]:
    return (
        checks.name, str(checks.n), str(checks.checks), *map(str, checks.clear.values()),
        str(checks.any_clear),
    )  # fmt: skip


def _share(times: int, of: int) -> str:
    ends = wilson(times, of)
    assert ends is not None
    return f"{percent(times / of)} [{hundredths(ends.low)}, {hundredths(ends.high)}]"
