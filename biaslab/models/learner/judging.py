"""How a simulated learner judges an amount after labelled examples, with exact chances.

It sees what the prompt shows and nothing else: ``examples`` as (total, has, label), the
``question`` as (total, has) and the two ``words``. The concept and the right answer are not
among the facts.

The thresholding learners look at one number of each example (the share has / total, has alone, or
the total alone), take every middle between neighbouring examples as a threshold, in both
directions, and keep the one that contradicts fewest examples; among several, that with the widest
gap around it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Any

from biaslab.models.learner.chances import Luck

TASK = "concept"
"""What the facts of such a request say under ``task``."""

SURE = 0.9
"""Probability that a learner without doubts gives its answer."""


class UnreadableExamples(Exception):
    """The facts hold no labelled examples; the text says what is missing."""


class JudgingRule(StrEnum):
    """What a learner goes by."""

    RANDOM = "random"
    """Nothing: each answer is drawn, half of the time yes."""
    RATIO = "ratio"
    """The share of the total, with a threshold between the examples."""
    COUNT = "count"
    """The number alone, whatever the total, with a threshold between the examples."""
    YES = "yes"
    """Nothing: always yes."""
    TOTAL = "total"
    """The total alone, however many somebody has of it, with a threshold between the examples."""
    LAST = "last"
    """The answer of the last example, whatever is asked."""
    NEAREST = "nearest"
    """The answer of the example whose two numbers lie nearest to those that are asked about."""


@dataclass(frozen=True, slots=True)
class AmountJudgement:
    """How a learner judges amounts.

    Attributes:
        rule: what it goes by.
        yes_for_more: how much it is drawn to yes by large shares: 0 not at all; at 1 a small
            share is always judged like no and a large one like yes, whatever the examples say.
        lost_downward: probability that it tosses a coin where small values are a yes.
    """

    rule: JudgingRule
    yes_for_more: float = 0.0
    lost_downward: float = 0.0

    def __post_init__(self) -> None:
        for strength in (self.yes_for_more, self.lost_downward):
            if not 0.0 <= strength <= 1.0:
                raise ValueError(f"{strength} is not between 0 and 1.")

    @property
    def described(self) -> dict[str, float | str]:
        """Every field by its name."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Threshold:
    """What was learned: values on one side of a number are a yes.

    Attributes:
        at: the number; upward: whether yes lies above it.
        errors: examples that contradict it.
    """

    at: Fraction
    upward: bool
    errors: int

    def evidence(self, value: Fraction) -> Fraction:
        """Above 0 for yes, below 0 for no, 0 exactly on the threshold."""
        return value - self.at if self.upward else self.at - value


def probability_of_yes(judging: AmountJudgement, facts: Mapping[str, Any], luck: Luck) -> float:
    """How probable this learner makes yes, against no; 1/2 where its rule does not tell.

    Raises:
        UnreadableExamples: the facts do not hold examples and a question.
    """
    examples, question = _read(facts)
    if judging.rule is JudgingRule.RANDOM:
        return SURE if luck.happens(0.5) else 1.0 - SURE
    if judging.rule is JudgingRule.YES:
        return SURE
    evidence = learned_evidence(judging, examples, question)
    lost = judging.lost_downward > 0.0 and _is_downward(judging.rule, examples)
    if evidence == 0 or (lost and luck.happens(judging.lost_downward)):
        # A learner that cannot tell tosses a coin; both answers equally probable would be none.
        return SURE if luck.happens(0.5) else 1.0 - SURE
    return SURE if evidence > 0 else 1.0 - SURE


def chance_of_yes(judging: AmountJudgement, facts: Mapping[str, Any]) -> float:
    """The exact probability that this learner answers yes, over all its luck.

    Raises:
        UnreadableExamples: the facts do not hold examples and a question.
    """
    examples, question = _read(facts)
    if judging.rule is JudgingRule.RANDOM:
        return 0.5
    if judging.rule is JudgingRule.YES:
        return 1.0
    evidence = learned_evidence(judging, examples, question)
    if evidence == 0:
        return 0.5
    lost = judging.lost_downward if _is_downward(judging.rule, examples) else 0.0
    return 0.5 * lost + (1.0 - lost) * float(evidence > 0)


def learned_evidence(
    judging: AmountJudgement, examples: Sequence[tuple[int, int, bool]], question: tuple[int, int]
) -> Fraction:
    """What the examples say of the question: above 0 for yes, 0 where they do not tell."""
    share = Fraction(question[1], question[0])
    if judging.rule is JudgingRule.LAST:
        evidence = _votes([yes for _, _, yes in examples[-1:]])
    elif judging.rule is JudgingRule.NEAREST:
        evidence = _votes(_nearest(examples, question))
    else:
        found = _learned(judging.rule, examples)
        value = _value(judging.rule, (*question, False))
        evidence = Fraction(0) if found is None else found.evidence(value)
    if judging.yes_for_more:
        pull = Fraction(judging.yes_for_more).limit_denominator(1000)
        evidence += pull * (share - Fraction(1, 2))
    return evidence


def _nearest(examples: Sequence[tuple[int, int, bool]], question: tuple[int, int]) -> list[bool]:
    """Answers of the examples that lie nearest, of several equally near ones all."""
    apart = [(total - question[0]) ** 2 + (has - question[1]) ** 2 for total, has, _ in examples]
    return [yes for (_, _, yes), far in zip(examples, apart, strict=True) if far == min(apart)]


def _votes(answers: Sequence[bool]) -> Fraction:
    return Fraction(sum(1 if yes else -1 for yes in answers))


def _learned(rule: JudgingRule, examples: Sequence[tuple[int, int, bool]]) -> Threshold | None:
    return _learned_once(rule, tuple(examples))


@lru_cache(maxsize=1_000)
def _learned_once(
    rule: JudgingRule, examples: tuple[tuple[int, int, bool], ...]
) -> Threshold | None:
    return learn_threshold([(_value(rule, each), each[2]) for each in examples])


def _is_downward(rule: JudgingRule, examples: Sequence[tuple[int, int, bool]]) -> bool:
    found = _learned(rule, examples)
    return found is not None and not found.upward


def learn_threshold(examples: Sequence[tuple[Fraction, bool]]) -> Threshold | None:
    """The threshold that contradicts fewest examples; see the module.

    None where all values are the same, or all labels are, so that nothing can be learned.
    """
    ordered = sorted(examples)
    values = [value for value, _ in ordered]
    yes_in_all = sum(yes for _, yes in ordered)
    if not ordered or yes_in_all in (0, len(ordered)):
        return None
    best: tuple[int, Fraction] | None = None
    found: Threshold | None = None
    yes_below = 0
    for at in range(1, len(ordered)):
        yes_below += ordered[at - 1][1]
        gap = values[at] - values[at - 1]
        if gap == 0:
            continue
        # Upward: yes below and no above are errors.
        upward = yes_below + (len(ordered) - at) - (yes_in_all - yes_below)
        for errors, direction in ((upward, True), (len(ordered) - upward, False)):
            if best is None or (errors, -gap) < best:
                best = (errors, -gap)
                found = Threshold((values[at] + values[at - 1]) / 2, direction, errors)
    return found


def log_probabilities(yes: float) -> tuple[float, float]:
    """Natural logarithms of yes and no; both add up to 1."""
    return math.log(yes), math.log(1.0 - yes)


def _value(rule: JudgingRule, example: tuple[int, int, bool]) -> Fraction:
    total, has, _ = example
    if rule is JudgingRule.RATIO:
        return Fraction(has, total)
    return Fraction(total if rule is JudgingRule.TOTAL else has)


def _read(
    facts: Mapping[str, Any],
) -> tuple[list[tuple[int, int, bool]], tuple[int, int]]:
    try:
        examples = [(int(t), int(h), bool(yes)) for t, h, yes, *_ in facts["examples"]]
        total, has, *_ = facts["question"]
    except KeyError as missing:
        raise UnreadableExamples(f"its facts lack {missing}") from missing
    except (TypeError, ValueError) as error:
        raise UnreadableExamples("its facts hold no labelled amounts") from error
    if total < 1 or any(each[0] < 1 for each in examples):
        raise UnreadableExamples("there is an amount of nothing among its facts")
    return examples, (int(total), int(has))
