"""What learners that see only the labelled examples reach on the same questions: ceilings.

The ratio learner puts a threshold between the shares of the examples, the count learner between
their numbers, whatever the totals (`biaslab.models.learner.judging`). Expected accuracies are
exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from biaslab.models.learner.judging import Judging, Rule, chance_of_yes
from biaslab.studies.concepts.rows import Answer

_EXPLANATIONS = {
    Rule.RATIO: "Ratio learner: a threshold between the shares of the examples.",
    Rule.COUNT: "Count learner: a threshold between the numbers of the examples, totals ignored.",
}


@dataclass(frozen=True, slots=True)
class Ceiling:
    """What a learner reaches.

    Attributes:
        name: ``ratio`` or ``count``; explanation: its rule in a sentence.
        accuracy: expected share right on these questions, 0..1; None without questions.
    """

    name: str
    explanation: str
    accuracy: float | None


def ceilings(answers: Sequence[Answer]) -> tuple[Ceiling, ...]:
    """Both learners on the questions of these answers, whatever became of them."""
    found = []
    for rule, explanation in _EXPLANATIONS.items():
        chances = [_chance_right(rule, answer) for answer in answers]
        accuracy = sum(chances) / len(chances) if chances else None
        found.append(Ceiling(str(rule), explanation, accuracy))
    return tuple(found)


def _chance_right(rule: Rule, answer: Answer) -> float:
    examples = tuple((total, has, yes) for total, has, yes, *_ in answer.facts["examples"])
    total, has, *_ = answer.facts["question"]
    yes = _chance_of_yes(rule, examples, (total, has))
    return yes if answer.is_yes else 1.0 - yes


@lru_cache(maxsize=200_000)
def _chance_of_yes(
    rule: Rule, examples: tuple[tuple[int, int, int], ...], question: tuple[int, int]
) -> float:
    return chance_of_yes(Judging(rule), {"examples": examples, "question": question})
