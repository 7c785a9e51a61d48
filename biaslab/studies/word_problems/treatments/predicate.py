"""Predicate type: additive comparisons told as transfers, with the same arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.expectations import PREDICATE
from biaslab.studies.word_problems.features import Feature, Features, active_phrasings
from biaslab.studies.word_problems.treatments.outline import (
    ADDITIVE,
    SIGN_WORDS,
    Outline,
    choose,
    outline,
    outline_of_plan,
    solution_of,
)
from biaslab.studies.word_problems.treatments.rewriting import (
    asking,
    changed_places,
    people,
    with_names,
)
from biaslab.studies.word_problems.treatments.treatment import Base, Twins
from schoolmath.problems import (
    DesignError,
    Draws,
    Operation,
    Problem,
    ReasoningStep,
    Statement,
    Transfer,
)
from schoolmath.problems.chains import ChainPlan
from schoolmath.problems.structure import SentenceKind

_PREDICATE_REASONS: Mapping[Feature, str] = {
    Feature.KINDS: "This is the treatment: a change of hands, or a comparison.",
    Feature.FORMS: "Only a comparison is consistent or inconsistent.",
    Feature.ROLES: (
        "A comparison brings in a second amount, a transfer changes the first one: what follows "
        "is about the new person after the comparison and about the first person after the "
        "transfer. From there on the two change places."
    ),
    Feature.QUESTION_AGENT: "The question follows the amount, see above.",
    Feature.NOW: "A question says “now” of an amount that changed, so not of one compared alone.",
    Feature.PHRASINGS: "The two kinds of sentence have their own phrasings.",
    Feature.WORDS: "The two kinds of sentence have different lengths.",
}


@dataclass(frozen=True, slots=True)
class PredicateTreatment:
    """Additive comparisons, and the same calculations as transfers."""

    name: str = "predicate"
    label: str = "Transfer or comparison"
    question: str = "Is “Ben has 3 more than Ana” harder than “Ben gives Ana 3”?"
    explanation: str = (
        "Every additive comparison that the answer needs, or the one you choose, is told as a "
        "transfer between the same two people with the same number and calculation. Transfers "
        "are told in the active voice; the question says “now” where what is asked for changed. "
        "Comparisons that multiply stay as they are."
    )
    source: str = "Riley, Greeno & Heller 1983; Opedal et al. 2024, section 5.3"
    expects: Expectation | None = PREDICATE
    arms: Arms = Arms("transfer", "comparison")
    reasons: Mapping[Feature, str] = field(default_factory=lambda: _PREDICATE_REASONS)
    one_answer: bool = True

    @property
    def changes(self) -> frozenset[Feature]:
        """The kind of the sentences, and whom the ones after them are about."""
        return frozenset(_PREDICATE_REASONS)

    def check(self, plan: ChainPlan, sentence: int | None) -> None:
        """Refuses a structure without a needed additive comparison."""
        _predicate_targets(outline_of_plan(plan), sentence)

    def twins(self, base: Base, draws: Draws) -> Twins | None:
        """The problem as it is, and with its comparisons told as transfers."""
        targets = _predicate_targets(outline(base), base.sentence)
        steps = {step.sentence: step for step in solution_of(base).steps}
        asked = base.problem.question
        places: dict[str, str] = {}
        told: list[Statement] = []
        for index, statement in enumerate(base.problem.statements):
            if index in targets:
                said = _as_transfer(statement, steps[index], draws)
                told.append(with_names(said, places))
                new = steps[index].possession.agent
                known = _other(statement, new)
                # What comes after sees the two change places.
                before = {name: places.get(name, name) for name in (new, known)}
                places[new], places[known] = before[known], before[new]
            else:
                told.append(with_names(statement, places) if places else statement)
        x_prime = Problem(base.problem.statements, asking(asked, now=True))
        agent = places.get(asked.agent, asked.agent)
        x = Problem(tuple(told), asking(asked, agent=agent, now=True))
        treated = changed_places(x, x_prime)
        return Twins(x, x_prime, treated, treated)

    def fault(self, x: Features, x_prime: Features) -> str:
        """Comparisons of x' are transfers in x; from each on, its two people change places."""
        places = list(range(len(x.names)))
        turned = set()
        for index in sorted(range(len(x.order)), key=x.order.__getitem__):
            kinds = x.kinds[index], x_prime.kinds[index]
            people = {places[person] for person in x_prime.roles[index]}
            if kinds[0] != kinds[1]:
                turned.add(kinds)
                if set(x.roles[index]) != people:
                    return "a transfer is not between the people that were compared"
                a, b = x_prime.roles[index]
                places[a], places[b] = places[b], places[a]
            elif x.roles[index] != tuple([places[person] for person in x_prime.roles[index]]):
                return "somebody has changed places who was not compared"
            elif (x.forms[index], x.phrasings[index]) != (
                x_prime.forms[index], x_prime.phrasings[index],
            ):  # fmt: skip
                return "a sentence that stays is told in other words"
        if turned != {("transfer between", "comparison add")}:
            return f"the sentences told in another way are {sorted(turned)}"
        if x_prime.now and not x.now:
            return "only the question about the comparison says “now”"
        if x.question_agent != places[x_prime.question_agent]:
            return "the questions do not follow the amount"
        return ""


def _as_transfer(statement: Statement, step: ReasoningStep, draws: Draws) -> Statement:
    """The comparison's calculation as a change of the amount that is known."""
    new = step.possession.agent
    known = _other(statement, new)
    receiver, sender = (known, new) if step.operation == Operation.ADD else (new, known)
    predicate = Transfer(receiver, sender, statement.predicate.quantity, step.possession.entity)
    return Statement(predicate, None, draws.one(active_phrasings("transfer between")))


def _other(statement: Statement, agent: str) -> str:
    return next(name for name in people(statement) if name != agent)


def _predicate_targets(problem: Outline, sentence: int | None) -> tuple[int, ...]:
    comparisons = [i for i in problem.path if problem.told[i].kind is SentenceKind.COMPARISON]

    def objection(index: int) -> str:
        told = problem.told[index]
        if told.kind is not SentenceKind.COMPARISON:
            return f"Sentence {index + 1} is a {told.kind}: only a comparison becomes a transfer."
        if not told.needed:
            return f"Sentence {index + 1} is not needed for the answer."
        if told.sign not in ADDITIVE:
            return (
                f"Sentence {index + 1} {SIGN_WORDS[told.sign]}; a transfer adds or subtracts, so "
                "the operation would change too."
            )
        return ""

    if comparisons:
        nothing = DesignError(
            "Every comparison of this problem multiplies or divides; a transfer adds or "
            "subtracts, so the operation would change too.",
            "Use comparison+ or comparison-.",
            "structure",
        )
    else:
        nothing = DesignError(
            "No step of this problem is a comparison, so nothing can be told as a transfer.",
            "Add a comparison that the answer needs, such as: container . comparison+",
            "structure",
        )
    first = choose(problem, sentence, comparisons, objection, nothing)
    if sentence is not None:
        return (first,)
    return tuple(index for index in comparisons if not objection(index))
