"""What comes out when an operation is reversed where words mislead, and how many answers do.

A problem counts if at least one of its comparisons is inconsistent: its words suggest another
operation than it needs ("Ana has 6 more than Ben; how many does Ben have?"). Operation and number
are two findings: where the working shows what is done at such comparisons, that decides, whatever
number comes out (``17 - 18 = 2`` is reversed, and miscalculated). Where it does not, the answer
decides: what the reversed operation gives is what mal-rule WP01 of the catalogue gives, at all
such steps or at one, also rounded to a decimal (5.67 for 17/3).

The steps that are reversed are the same in both members of a pair, so that their lines can be
laid beside each other: the steps whose comparison is inconsistent in either member (there the
keyword suggests the other operation, mal-rule WP01 of the catalogue); where no wording misleads,
the steps of the sentences that the treatment changes; where these hold no step, every comparison
and transfer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from biaslab.stats.errors import BrokenOutcomes
from biaslab.stats.estimates import Interval, clustered_share
from biaslab.studies.study import Item, Pair
from biaslab.studies.word_problems.verification import treated_of
from schoolmath.malrules.catalogue.stories.chain import REVERSED
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.diagnosis import (
    Null,
    done_at_random,
    expected_by_chance,
    inconsistent_comparisons,
    is_rounded,
    reversed_comparisons,
    written_operations,
)
from schoolmath.malrules.rules import rules

if TYPE_CHECKING:
    import pandas as pd

REVERSAL = "WP01"
"""The mal-rule that is counted."""

EXPECTED_FROM = 200
"""What is expected by chance is worked out on no more problems of each number of steps: it
hardly varies among them, and is the slow part."""

COLUMNS = ("item", "value", "facts", "cluster", "text")
"""What a table of wrong answers must have, a row per answer."""


@dataclass(frozen=True, slots=True)
class Reversals:
    """Wrong answers on inconsistent problems, and those that are the reversed operation.

    Attributes:
        steps: reasoning steps of the problems; None: all together.
        wrong: wrong answers; problems: different problems among them.
        worked: wrong answers whose working shows the operation; the others are judged by the
            answer alone.
        reversed: those answers that come of the reversed operation.
        miscalculated: those of them that are another number than the reversed operation gives.
        share: ``reversed / wrong``.
        interval: Wilson's of the share, with answers to the same problem or cluster as one
            observation as far as they agree (`clustered_share`).
        by_slip: share expected if each wrong answer were a random slip; where the working shows
            the operation, 0.
        by_operation: share expected if the operations of the steps were drawn at random.
    """

    steps: int | None
    wrong: int
    problems: int
    worked: int
    reversed: int
    miscalculated: int
    share: float
    interval: Interval
    by_slip: float
    by_operation: float


@dataclass(frozen=True, slots=True)
class _Answer:
    """A wrong answer to an inconsistent problem."""

    item: str
    cluster: str
    story: Story
    hit: bool
    worked: bool
    exact: bool

    @property
    def kind(self) -> tuple[int, bool]:
        """What is expected by chance hangs on these: steps, and whether operations are seen."""
        return self.steps, self.worked

    @property
    def steps(self) -> int:
        return len(self.story.operations)


def reversals(wrong: pd.DataFrame, confidence: float = 0.95) -> list[Reversals]:
    """Counts reversals among wrong answers: all together first, then by steps.

    Args:
        wrong: wrong answers of one run, with `COLUMNS`: item (its id), value (the answer as
            read), facts (what the study knows of the item), cluster and text (everything that
            was written, working and answer). Those to problems without an inconsistent comparison
            are passed over.
        confidence: coverage of the intervals.

    Returns:
        Nothing where no wrong answer counts; no breakdown where all have the same steps.

    Raises:
        BrokenOutcomes: a column is missing.
        UnknownChoice: the confidence level is not between 0 and 1.
    """
    absent = [name for name in COLUMNS if name not in wrong.columns]
    if absent:
        raise BrokenOutcomes(
            f"The table of wrong answers has no column {', '.join(absent)}: "
            "take it from the store as it is."
        )
    answers = _answers(wrong)
    if not answers:
        return []
    lengths = sorted({each.steps for each in answers})
    chance = {kind: _expected(answers, kind) for kind in {each.kind for each in answers}}
    found = [_counted(None, answers, chance, confidence)]
    if len(lengths) > 1:
        for steps in lengths:
            some = [each for each in answers if each.steps == steps]
            found.append(_counted(steps, some, chance, confidence))
    return found


def _answers(wrong: pd.DataFrame) -> list[_Answer]:
    rule = rules()[REVERSAL]
    known: dict[str, tuple[Story, frozenset[Fraction | str]] | None] = {}
    found = []
    columns = (wrong[name] for name in COLUMNS)
    for item, value, facts, cluster, text in zip(*columns, strict=True):
        if item not in known:
            story = _inconsistent(facts)
            known[item] = None
            if story is not None:
                given = frozenset(worked.answer.value for worked in rule.run(story))
                known[item] = story, given
        problem = known[item]
        if problem is not None:
            story, reversed_ = problem
            exact = _is_one_of(_number(value), reversed_)
            done = reversed_comparisons(story, written_operations(story, text or ""))
            worked = any(done.values()) or len(done) == len(inconsistent_comparisons(story))
            hit = any(done.values()) if worked else exact
            found.append(_Answer(item, cluster, story, hit, worked, exact))
    return found


def _is_one_of(value: Fraction | None, answers: frozenset[Fraction | str]) -> bool:
    if value is None:
        return False
    return value in answers or any(is_rounded(value, each) for each in answers)


def _inconsistent(facts: Mapping[str, Any]) -> Story | None:
    """The problem, where a comparison of it is inconsistent."""
    story = Story.of_facts(facts)
    return story if story is not None and inconsistent_comparisons(story) else None


def _expected(answers: Sequence[_Answer], kind: tuple[int, bool]) -> dict[Null, float]:
    """What chance would give on problems of so many steps, operations seen or not."""
    rule = rules()[REVERSAL]
    stories = {each.item: each.story for each in answers if each.kind == kind}
    some = list(stories.values())[:EXPECTED_FROM]
    if kind[1]:
        # A slip leaves the operations as they are.
        shares = [float(done_at_random(story, _misleading(story))) for story in some]
        return {Null.SLIP: 0.0, Null.OPERATION: float(np.mean(shares))}
    return {
        null: float(np.mean([float(expected_by_chance(story, rule, null)) for story in some]))
        for null in Null
    }


def _misleading(story: Story) -> dict[int, str]:
    """The operation that the words suggest, at each comparison where it is the wrong one."""
    return {index: story.keywords[index] for index in inconsistent_comparisons(story)}


def _counted(
    steps: int | None,
    answers: Sequence[_Answer],
    chance: Mapping[tuple[int, bool], Mapping[Null, float]],
    confidence: float,
) -> Reversals:
    hits = np.array([each.hit for each in answers], dtype=np.float64)
    cluster = np.array([each.cluster for each in answers], dtype=object)
    interval = clustered_share(hits, cluster, len(answers), confidence)
    assert interval is not None  # there are answers
    expected = {
        null: float(np.mean([chance[each.kind][null] for each in answers])) for null in Null
    }
    return Reversals(
        steps=steps,
        wrong=len(answers),
        problems=len({each.item for each in answers}),
        worked=sum(each.worked for each in answers),
        reversed=int(hits.sum()),
        miscalculated=sum(each.hit and not each.exact for each in answers),
        share=float(hits.mean()),
        interval=interval,
        by_slip=expected[Null.SLIP],
        by_operation=expected[Null.OPERATION],
    )


def _number(value: object) -> Fraction | None:
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None


_RATE = "rate"


def misleading_steps(pair: Pair) -> tuple[int, ...]:
    """Which steps are reversed, from 0; none where the problem's steps are not known."""
    members = (pair.x, pair.x_prime)
    inconsistent = {
        index
        for item in members
        for index, step in enumerate(_steps(item))
        if step.get("consistent") is False
    }
    if inconsistent:
        return tuple(sorted(inconsistent))
    reversible = {
        index
        for item in members
        for index, step in enumerate(_steps(item))
        if step.get("rule") != _RATE
    }
    changed = {
        index
        for item in members
        for index, step in enumerate(_steps(item))
        if step.get("sentence") in (treated_of(item) or ())
    }
    return tuple(sorted(reversible & changed or reversible))


def reversed_answer(item: Item, at: Sequence[int]) -> int | None:
    """The answer with the operations of these steps reversed, all else done rightly.

    Args:
        item: a word problem whose steps are a chain: each goes on from the result before it.
        at: which steps, from 0.

    Returns:
        None where there is no such number to write down: nothing is reversed, a result on the way
        is below zero or the last one no whole number, the steps are no chain, or the right answer
        comes out all the same.
    """
    steps = _steps(item)
    if not steps or not set(at) & set(range(len(steps))):
        return None
    right = amount = Fraction(int(steps[0]["left"]))
    for index, step in enumerate(steps):
        if int(step["left"]) != right:
            return None
        operation, number = str(step["operation"]), int(step["right"])
        right = Fraction(int(step["result"]))
        amount = _reckoned(REVERSED[operation] if index in at else operation, amount, number)
        if amount < 0:
            return None
    if amount.denominator != 1 or str(amount.numerator) == item.answer:
        return None
    return amount.numerator


def _steps(item: Item) -> Sequence[Mapping[str, Any]]:
    return item.facts.get("steps") or ()


def _reckoned(operation: str, left: Fraction, right: int) -> Fraction:
    match operation:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
    # A number of a problem is never 0, so nothing is divided by it.
    return left / right
