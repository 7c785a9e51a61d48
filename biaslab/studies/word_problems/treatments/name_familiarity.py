"""Name familiarity: the same problem about people with familiar or with unfamiliar names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.expectations import NAME_FAMILIARITY
from biaslab.studies.word_problems.features import Feature, Features, name_pairs
from biaslab.studies.word_problems.treatments.outline import refuse_sentence
from biaslab.studies.word_problems.treatments.rewriting import (
    asking,
    changed_places,
    everybody,
    with_names,
)
from biaslab.studies.word_problems.treatments.treatment import Base, Twins
from schoolmath.problems import DesignError, Draws, Problem
from schoolmath.problems.chains import ChainPlan

_NAME_REASONS: Mapping[Feature, str] = {
    Feature.FAMILIARITY: "This is the treatment: all names are familiar, or none is.",
    Feature.NAMES: "Unfamiliar names are other names, of the same initials and lengths.",
}


@dataclass(frozen=True, slots=True)
class NameFamiliarity:
    """All people with familiar names, or all with unfamiliar ones."""

    name: str = "name-familiarity"
    label: str = "Familiar or unfamiliar names"
    question: str = "Is the same problem harder when its people have unfamiliar names?"
    explanation: str = (
        "All names are exchanged: in one text for names that are common in the USA, in the other "
        "for names that a reader of US English hardly ever meets, with the same initials and as "
        "many letters. What is familiar is our judgement (docs/compose.md); unfamiliar names "
        "also come from other languages, so the effect may be one of either."
    )
    source: str = ""
    expects: Expectation | None = NAME_FAMILIARITY
    arms: Arms = Arms("familiar names", "unfamiliar names")
    reasons: Mapping[Feature, str] = field(default_factory=lambda: _NAME_REASONS)
    one_answer: bool = True

    @property
    def changes(self) -> frozenset[Feature]:
        """The names."""
        return frozenset(_NAME_REASONS)

    def check(self, plan: ChainPlan, sentence: int | None) -> None:
        """Refuses a choice of sentence, and more people than there are pairs of names."""
        refuse_sentence(sentence, self.label)
        _check_names(len(plan.people))

    def twins(self, base: Base, draws: Draws) -> Twins | None:
        """The problem with all names exchanged, twice."""
        refuse_sentence(base.sentence, self.label)
        people = everybody(base.problem)
        _check_names(len(people))
        pairs = draws.several(name_pairs(), len(people))
        x, x_prime = (
            _renamed(base.problem, dict(zip(people, names, strict=True)))
            for names in zip(*pairs, strict=True)
        )
        treated = changed_places(x, x_prime)
        return Twins(x, x_prime, treated, treated)

    def fault(self, x: Features, x_prime: Features) -> str:
        """All names of x are familiar and all of x' unfamiliar."""
        people = len(x.names)
        if x.familiarity != (people, 0) or x_prime.familiarity != (0, people):
            return "a name is not as familiar, or unfamiliar, as it should be"
        if [name[0] for name in x.names] != [name[0] for name in x_prime.names]:
            return "the names do not have the same initials"
        return ""


def _renamed(told: Problem, names: Mapping[str, str]) -> Problem:
    agent = names[told.question.agent]
    return Problem(
        tuple([with_names(statement, names) for statement in told.statements]),
        asking(told.question, agent=agent),
    )


def _check_names(people: int) -> None:
    most = len(name_pairs())
    if people > most:
        raise DesignError(
            f"The problem has {people} people, and there are {most} pairs of familiar and "
            "unfamiliar names.",
            f"Use a problem with at most {most} people.",
            "structure",
        )
