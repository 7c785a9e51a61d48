"""Which simple strategy fits the answers about concepts best, and with how much evidence.

A strategy says yes or no to each prompt from its labelled amounts alone (the simulated learners of
`biaslab.models.learner.judging`). Somebody who follows it departs from it with an unknown
probability e, at most one half: all e up to there are equally likely beforehand. The probability of
the answers under the strategy is then, with k of n answers as it says,

    P = 2 * integral from 0 to 1/2 of (1 - e)^k e^(n - k) de,

and where it tosses a coin, one half for each answer. Evidence is the logarithm of how many times
likelier that makes the answers than lots do. Nothing is fitted, so no strategy gains by being
flexible. The best of these strategies need not be what a model does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import scipy

from biaslab.models.learner.judging import Judging, JudgingRule, chance_of_yes
from biaslab.studies.concepts.figures.rows import RunAnswers

STRATEGIES: Mapping[str, tuple[JudgingRule, str]] = {
    "ratio": (JudgingRule.RATIO, "A threshold between the shares of the examples."),
    "count": (JudgingRule.COUNT, "A threshold between their numbers, totals ignored."),
    "total": (JudgingRule.TOTAL, "A threshold between their totals, parts ignored."),
    "nearest": (JudgingRule.NEAREST, "The answer of the example with the nearest numbers."),
    "last-label": (JudgingRule.LAST, "The answer of the last example."),
    "always-yes": (JudgingRule.YES, "Always yes."),
}
"""By the name of the simulated learner: what it goes by, and the same in a sentence."""

LOTS = "lots"
"""What fits best where no strategy fits better than chance."""

STRONG = 1.0
"""Evidence, as a power of ten, from which on one strategy is said to fit better than another."""

MOST_ANSWERS = 500
"""Answers from which strategies are told: a limit of this app, for the time that a screen takes."""


@dataclass(frozen=True, slots=True)
class StrategyFit:
    """How well a strategy fits some answers.

    Attributes:
        strategy: its name in `STRATEGIES`, or `LOTS`.
        agreed: answers as it says; told: answers of which it says something.
        evidence: power of ten by which it makes the answers likelier than lots do; 0 for lots.
    """

    strategy: str
    agreed: int
    told: int
    evidence: float


@dataclass(frozen=True, slots=True)
class Fits:
    """All strategies on the same answers.

    Attributes:
        semantics, wording: of the prompts; n: answers.
        fits: the best first, lots among them.
    """

    semantics: str
    wording: str
    n: int
    fits: tuple[StrategyFit, ...]

    @property
    def lead(self) -> float:
        """Evidence for the best against the next, as a power of ten."""
        return self.fits[0].evidence - self.fits[1].evidence

    @property
    def best(self) -> str:
        """The strategy that fits best, "" where the lead over the next is below `STRONG`."""
        return self.fits[0].strategy if self.lead >= STRONG else ""


def strategy_fits(run: RunAnswers) -> list[Fits]:
    """The fits of a run by what its prompts say and in which words.

    Of first samples alone, and of the first `MOST_ANSWERS` of a group, which are plenty.
    """
    groups: dict[tuple[str, str], list[tuple[Mapping[str, Any], bool]]] = {}
    for each in run.answers:
        if each.said_yes is not None and each.sample == 0:
            group = groups.setdefault((each.semantics, each.wording), [])
            if len(group) < MOST_ANSWERS:
                group.append((each.facts, each.said_yes))
    return [
        Fits(
            semantics,
            wording,
            len(answers),
            fits_of(chances_of([facts for facts, _ in answers]), [yes for _, yes in answers]),
        )
        for (semantics, wording), answers in groups.items()
    ]


def chances_of(facts: Sequence[Mapping[str, Any]]) -> dict[str, list[float]]:
    """How surely each strategy says yes to items with these facts."""
    return {
        name: [chance_of_yes(Judging(rule), each) for each in facts]
        for name, (rule, _) in STRATEGIES.items()
    }


def fits_of(
    chances: Mapping[str, Sequence[float]], said_yes: Sequence[bool]
) -> tuple[StrategyFit, ...]:
    """Every strategy on some answers, the best first.

    Args:
        chances: as `chances_of`, for each answer.
        said_yes: the answers.
    """
    found = [_fit(name, zip(own, said_yes, strict=True)) for name, own in chances.items()]
    return tuple(sorted([*found, StrategyFit(LOTS, 0, 0, 0.0)], key=lambda fit: -fit.evidence))


def _fit(name: str, answers: Iterable[tuple[float, bool]]) -> StrategyFit:
    said = [(chance > 0.5) == yes for chance, yes in answers if chance != 0.5]
    agreed, told = sum(said), len(said)
    return StrategyFit(name, agreed, told, _evidence(agreed, told))


def _evidence(agreed: int, told: int) -> float:
    """Power of ten against lots."""
    departed = told - agreed
    half = float(scipy.special.betainc(departed + 1, agreed + 1, 0.5))
    if half == 0.0:
        return -math.inf
    whole = float(scipy.special.betaln(departed + 1, agreed + 1))
    return (math.log(2.0) + whole + math.log(half) + told * math.log(2.0)) / math.log(10.0)
