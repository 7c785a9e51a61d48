"""Whether a learner that follows a strategy is told as what it is, over many designs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from biaslab.models import LEARNERS
from biaslab.models.learner.chances import RandomLuck
from biaslab.models.learner.judging import Judging, JudgingRule, probability_of_yes
from biaslab.studies import Design, experiment
from biaslab.studies.concepts.answers import (
    LOTS,
    STRATEGIES,
    STRONG,
    Fits,
    chances_of,
    fits_of,
)
from biaslab.studies.study import Item, Value, content_hash
from research.calibration.markdown import markdown_table

_STUDY = "concept-learning"
LEARNERS_ASKED = (*STRATEGIES, "random", "up-biased", "down-lost")
"""The strategies themselves, lots, and two learners of shares with a bias."""

UNDECIDED = "undecided"


def confusion(
    seeds: Sequence[int], n: int, settings: Mapping[str, Value] | None = None
) -> dict[str, dict[str, int]]:
    """For each learner, in how many designs which strategy fits best.

    Args:
        seeds: of the designs.
        n: pairs of each.
        settings: of the designs.
    """
    judging = {each.name: each.judging for each in LEARNERS}
    found: dict[str, dict[str, int]] = {name: {} for name in LEARNERS_ASKED}
    for seed in seeds:
        design = Design(_STUDY, n, seed, settings or {})
        items = [
            item for pair in experiment(_STUDY).pairs(design) for item in (pair.x, pair.x_prime)
        ]
        chances = chances_of([item.facts for item in items])
        for name in LEARNERS_ASKED:
            rule = judging[name] or Judging(JudgingRule.RANDOM)
            said = [_answers_yes(rule, item, seed) for item in items]
            best = Fits("", "", len(said), fits_of(chances, said)).best or UNDECIDED
            found[name][best] = found[name].get(best, 0) + 1
    return found


def recovery_section(found: Mapping[str, Mapping[str, int]], n: int) -> str:
    """The table of `confusion` as Markdown."""
    columns = (*STRATEGIES, LOTS, UNDECIDED)
    seeds = sum(next(iter(found.values())).values())
    table = markdown_table(
        ("learner", *columns),
        (
            (f"`{name}`", *(str(best.get(each, 0)) for each in columns))
            for name, best in found.items()
        ),
        words=1,
    )
    return (
        f"Which strategy fits a learner's answers best, in {seeds:,} designs of {n} pairs each. "
        f"Undecided: the best is less than {10**STRONG:.0f} times likelier than the next.\n\n"
        + table
    )


def _answers_yes(rule: Judging, item: Item, seed: int) -> bool:
    luck = RandomLuck(int(content_hash(seed, item.id), 16))
    return probability_of_yes(rule, item.facts, luck) > 0.5
