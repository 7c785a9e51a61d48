"""How many wrong answers are exactly the reversed operation, and how many by chance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from biaslab.malrules.answers import Answer
from biaslab.malrules.catalogue.stories.chain import COMPARISON
from biaslab.malrules.catalogue.stories.problems import Story
from biaslab.malrules.diagnosis.slips import Null, expected_by_chance
from biaslab.malrules.rules import rules

REVERSAL = "WP01"
Z_95 = 1.959963984540054
"""Two-sided 95 % of the normal distribution."""


@dataclass(frozen=True, slots=True)
class ReversalShare:
    """Of the wrong answers on inconsistent problems, those that are the reversed operation.

    Attributes:
        wrong: wrong answers on problems with an inconsistent comparison.
        reversed: those of them that the reversed operation gives.
        share: ``reversed / wrong``; None where there is no wrong answer.
        low, high: Wilson's interval of the share.
        by_slip: share expected if each wrong answer were a random slip.
        by_operation: share expected if the operations of the steps were drawn at random.
    """

    wrong: int
    reversed: int
    share: float | None
    low: float | None
    high: float | None
    by_slip: float | None
    by_operation: float | None


def reversal_share(rows: Iterable[tuple[Story, Answer]], z: float = Z_95) -> ReversalShare:
    """The share of exact reversals among wrong answers, beside what chance would give.

    Args:
        rows: problems and answers; right answers and problems without an inconsistent
            comparison are passed over.
        z: quantile of the normal distribution for the interval.
    """
    rule = rules()[REVERSAL]
    wrong = hits = 0
    chance = {Null.SLIP: Fraction(), Null.OPERATION: Fraction()}
    for story, answer in rows:
        if answer.same_as(story.solve().answer) or not _is_inconsistent(story):
            continue
        wrong += 1
        hits += any(worked.answer.same_as(answer) for worked in rule.run(story))
        for null in chance:
            chance[null] += expected_by_chance(story, rule, null)
    if not wrong:
        return ReversalShare(0, 0, None, None, None, None, None)
    low, high = wilson(hits, wrong, z)
    return ReversalShare(
        wrong, hits, hits / wrong, low, high,
        float(chance[Null.SLIP] / wrong), float(chance[Null.OPERATION] / wrong),
    )  # fmt: skip


def _is_inconsistent(story: Story) -> bool:
    return any(
        story.concepts[index] == COMPARISON and story.inconsistent(index) for index in story.steps
    )


def wilson(successes: int, trials: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson's score interval of a share (Wilson 1927).

    Raises:
        ValueError: no trials, or more successes than trials.
    """
    if trials < 1 or not 0 <= successes <= trials:
        raise ValueError(f"{successes} of {trials} is no share.")
    share, square = successes / trials, z * z
    middle = share + square / (2 * trials)
    reach = z * sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    below, above = (middle - reach, middle + reach)
    scale = 1 + square / trials
    return max(0.0, below / scale), min(1.0, above / scale)
