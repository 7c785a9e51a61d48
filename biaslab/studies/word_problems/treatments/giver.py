"""Giver: the one who gives as the subject of an active sentence, or in a passive one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.expectations import GIVER
from biaslab.studies.word_problems.features import (
    Feature,
    Features,
    active_phrasings,
    passive_phrasings,
)
from biaslab.studies.word_problems.treatments.outline import (
    Outline,
    choose,
    outline,
    outline_of_plan,
)
from biaslab.studies.word_problems.treatments.rewriting import with_phrasing, with_statement
from biaslab.studies.word_problems.treatments.treatment import Base, Twins
from schoolmath.problems import DesignError, Draws, Transfer
from schoolmath.problems.chains import ChainPlan
from schoolmath.problems.structure import SentenceKind

_BETWEEN = "transfer between"
_GIVER_REASONS: Mapping[Feature, str] = {
    Feature.VOICE: "This is the treatment: “Ana gives Ben 5”, or “Ben is given 5 by Ana”.",
    Feature.PHRASINGS: "Active and passive are two phrasings of one sentence.",
    Feature.WORDS: "The passive sentence has two words more.",
}


@dataclass(frozen=True, slots=True)
class Giver:
    """One transfer in the active and in the passive voice."""

    name: str = "giver"
    label: str = "Active or passive giver"
    question: str = "Is “Ben is given 5 by Ana” harder than “Ana gives Ben 5”?"
    explanation: str = (
        "One transfer between two people is told in the active voice or in the passive. It is "
        "the one you choose, or the first that the answer needs. By necessity the passive names "
        "the receiver first and has two words more."
    )
    source: str = "Slobin 1966"
    expects: Expectation | None = GIVER
    arms: Arms = Arms("active", "passive")
    reasons: Mapping[Feature, str] = field(default_factory=lambda: _GIVER_REASONS)
    one_answer: bool = True

    @property
    def changes(self) -> frozenset[Feature]:
        """The voice of one sentence."""
        return frozenset(_GIVER_REASONS)

    def check(self, plan: ChainPlan, sentence: int | None) -> None:
        """Refuses a structure in which nobody gives anything to anybody."""
        _giver_target(outline_of_plan(plan), sentence)

    def twins(self, base: Base, draws: Draws) -> Twins | None:  # noqa: ARG002
        """The problem with one transfer in both voices."""
        problem = outline(base)
        target = _giver_target(problem, base.sentence)
        if not _between(base, target):
            # Whether it has two sides was left to be drawn, and it has not: perhaps another one.
            others = [i for i in problem.path if base.sentence is None and _between(base, i)]
            if not others:
                return None
            target = others[0]
        statement = base.problem.statements[target]
        x, x_prime = (
            with_statement(base.problem, target, with_phrasing(statement, phrasings[0]))
            for phrasings in (active_phrasings(_BETWEEN), passive_phrasings(_BETWEEN))
        )
        return Twins(x, x_prime, (target,), (target,))

    def fault(self, x: Features, x_prime: Features) -> str:
        """One sentence is active in x and passive in x'."""
        turned = [i for i, voice in enumerate(x.voice) if voice != x_prime.voice[i]]
        voices = [(x.voice[index], x_prime.voice[index]) for index in turned]
        if voices != [("active", "passive")]:
            return f"the sentences in another voice are {voices}"
        rephrased = [
            i for i, phrasing in enumerate(x.phrasings) if phrasing != x_prime.phrasings[i]
        ]
        if rephrased != turned:
            return "another sentence has another phrasing"
        return ""


def _between(base: Base, index: int) -> bool:
    predicate = base.problem.statements[index].predicate
    return isinstance(predicate, Transfer) and None not in (predicate.sender, predicate.receiver)


def _giver_target(problem: Outline, sentence: int | None) -> int:
    def objection(index: int) -> str:
        told = problem.told[index]
        if told.kind is not SentenceKind.TRANSFER:
            return f"Sentence {index + 1} is a {told.kind}: nobody gives anything in it."
        if not told.needed:
            return f"Sentence {index + 1} is not needed for the answer."
        if told.between is False:
            return (
                f"In sentence {index + 1} only one person is named; active and passive would say "
                "different things about who gives."
            )
        return ""

    return choose(
        problem,
        sentence,
        problem.path,
        objection,
        DesignError(
            "No step of this problem is a transfer with both a giver and a receiver.",
            "Add one, such as: container . transfer A>B",
            "structure",
        ),
    )
