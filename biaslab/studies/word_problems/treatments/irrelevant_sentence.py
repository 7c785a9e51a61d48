"""An irrelevant sentence: what somebody has who does not matter for the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.expectations import IRRELEVANT_SENTENCE
from biaslab.studies.word_problems.features import Feature, Features
from biaslab.studies.word_problems.treatments.outline import solution_of
from biaslab.studies.word_problems.treatments.rewriting import everybody
from biaslab.studies.word_problems.treatments.treatment import Base, Twins
from schoolmath.problems import (
    Container,
    DesignError,
    Draws,
    Problem,
    Statement,
    look_alike,
    vocabulary,
)
from schoolmath.problems.chains import ChainPlan
from schoolmath.problems.quantities import NumberRange
from schoolmath.problems.structure import MOST_PARTS
from schoolmath.problems.writing import MINIMUM_PHRASINGS

ATTEMPTS = 40
"""Draws of a number or name before the problem itself is drawn again."""

_SENTENCE_REASONS: Mapping[Feature, str] = {
    Feature.IRRELEVANT: (
        "This is the treatment: one sentence more that the answer does not need, which brings a "
        "new person and a new number into the text. All other sentences are the same."
    ),
    Feature.SENTENCES: "There is one sentence more.",
    Feature.WORDS: "One sentence more has more words.",
}


@dataclass(frozen=True, slots=True)
class IrrelevantSentence:
    """Without, and with, one more sentence about a bystander."""

    name: str = "irrelevant-sentence"
    label: str = "Without or with an irrelevant sentence"
    question: str = "Is a problem harder when one more sentence is there that does not matter?"
    explanation: str = (
        "One text tells besides how many of the same things somebody else has. It stands behind "
        "the sentence you choose, otherwise directly before the question. Its number is neither "
        "the answer nor any other number of the problem or its solution."
    )
    source: str = "Muth 1984; Shi et al. 2023"
    expects: Expectation | None = IRRELEVANT_SENTENCE
    arms: Arms = Arms("without", "with an irrelevant sentence")
    reasons: Mapping[Feature, str] = field(default_factory=lambda: _SENTENCE_REASONS)
    one_answer: bool = True

    @property
    def changes(self) -> frozenset[Feature]:
        """One sentence more."""
        return frozenset(_SENTENCE_REASONS)

    def check(self, plan: ChainPlan, sentence: int | None) -> None:
        """Refuses a sentence that is not there, and a structure that is full."""
        _check_irrelevant(len(plan.parts), sentence)

    def twins(self, base: Base, draws: Draws) -> Twins | None:
        """The problem as it is, and with one more sentence."""
        statements = base.problem.statements
        _check_irrelevant(len(statements), base.sentence)
        solution = solution_of(base)
        start = min(set(range(len(statements))) - {*solution.unused} - {
            step.sentence for step in solution.steps
        })  # fmt: skip
        taken = {1, solution.answer, *(step.result for step in solution.steps)}
        taken.update(statement.predicate.quantity for statement in statements)
        number = _number(draws, base.numbers, taken)
        name = _name(draws, base, everybody(base.problem))
        if not number or not name:
            return None
        predicate = Container(name, number, statements[start].predicate.entity)
        added = Statement(predicate, None, draws.below(MINIMUM_PHRASINGS))
        place = len(statements) if base.sentence is None else base.sentence + 1
        more = (*statements[:place], added, *statements[place:])
        return Twins(base.problem, Problem(more, base.problem.question), (), (place,))

    def fault(self, x: Features, x_prime: Features) -> str:
        """There is one sentence more, and it is not needed."""
        if (x_prime.sentences, x_prime.irrelevant) != (x.sentences + 1, x.irrelevant + 1):
            return "the other member does not have just one irrelevant sentence more"
        return ""


def _check_irrelevant(sentences: int, sentence: int | None) -> None:
    if sentence is not None and not 0 <= sentence < sentences:
        raise DesignError(
            f"There is no sentence {sentence + 1} to put one behind.",
            f"Choose one from 1 to {sentences}.",
            "sentence",
        )
    if sentences >= MOST_PARTS:
        raise DesignError(
            f"The problem has {sentences} sentences before its question already; the most is "
            f"{MOST_PARTS}.",
            "Leave one out.",
            "structure",
        )


def _number(draws: Draws, numbers: NumberRange, taken: set[int]) -> int:
    """A number that is not taken; 0: there is none."""
    for _ in range(ATTEMPTS):
        number = draws.between(*numbers)
        if number not in taken:
            return number
    free = [number for number in range(numbers.low, numbers.high + 1) if number not in taken]
    return draws.one(free) if free else 0


def _name(draws: Draws, base: Base, taken: tuple[str, ...]) -> str:
    """A name that looks like none of those in the problem; "": there is none."""
    names = base.words.names or vocabulary().names
    for _ in range(ATTEMPTS):
        name = draws.one(names).text
        if not any(_alike(name, other) for other in taken):
            return name
    free = [name.text for name in names if not any(_alike(name.text, o) for o in taken)]
    return draws.one(free) if free else ""


_alike = lru_cache(maxsize=50_000)(look_alike)
