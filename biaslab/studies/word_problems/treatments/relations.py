"""Treatments of a relation between people: its form, its kind, who is its subject."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.features import (
    CONSISTENCY,
    GIVER,
    PREDICATE,
    Feature,
    Features,
    active_phrasings,
    passive_phrasings,
)
from biaslab.studies.word_problems.treatments.rewriting import (
    ADDITIVE,
    SIGN_WORDS,
    Outline,
    asking,
    changed_places,
    choose,
    outline,
    outline_of_plan,
    people,
    solution_of,
    with_form,
    with_names,
    with_phrasing,
    with_statement,
)
from biaslab.studies.word_problems.treatments.treatment import Base, Twins
from schoolmath.problems import (
    ComparisonForm,
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

_CONSISTENCY_REASONS: Mapping[Feature, str] = {
    Feature.FORMS: "This is the treatment: which of the two people the sentence is about.",
    Feature.WORDS: (
        "“3 times as many as” has one word more than “1/3 as many as” and than “3 times fewer "
        "than”; comparisons that add or subtract have as many words in both forms."
    ),
}


@dataclass(frozen=True, slots=True)
class ConsistencyTreatment:
    """One comparison in its consistent and in its inconsistent form."""

    name: str = "consistency"
    label: str = "Consistent or inconsistent wording"
    question: str = "Is a problem harder when “more” or “fewer” suggests the wrong calculation?"
    explanation: str = (
        "One comparison is reversed: “Ben has 3 fewer than Ana” becomes “Ana has "
        "3 more than Ben”. It is the one that the structure marks as inconsistent, or the one "
        "you choose, otherwise the first that the answer needs. Other comparisons stay."
    )
    source: str = "Lewis & Mayer 1987; Opedal et al. 2024, section 5.2"
    expects: Expectation | None = CONSISTENCY
    arms: Arms = Arms("consistent", "inconsistent")
    reasons: Mapping[Feature, str] = field(default_factory=lambda: _CONSISTENCY_REASONS)
    one_answer: bool = True

    def check(self, plan: ChainPlan, sentence: int | None) -> None:
        """Refuses a structure without a needed comparison, or with two to change."""
        _consistency_target(outline_of_plan(plan), sentence)

    def twins(self, base: Base, draws: Draws) -> Twins | None:  # noqa: ARG002
        """The problem with its comparison in both forms."""
        target = _consistency_target(outline(base), base.sentence)
        statement = base.problem.statements[target]
        step = next(step for step in solution_of(base).steps if step.sentence == target)
        other = (
            ComparisonForm.B_FEWER
            if statement.form is ComparisonForm.A_MORE
            else ComparisonForm.A_MORE
        )
        twin = with_statement(base.problem, target, with_form(statement, other))
        x, x_prime = (base.problem, twin) if step.consistent else (twin, base.problem)
        return Twins(x, x_prime, (target,), (target,))

    def fault(self, x: Features, x_prime: Features) -> str:
        """One comparison is consistent in x and inconsistent in x'."""
        turned = [i for i, form in enumerate(x.forms) if form != x_prime.forms[i]]
        forms = [(x.forms[index], x_prime.forms[index]) for index in turned]
        if forms != [("consistent", "inconsistent")]:
            return f"the comparisons turned are {forms}, not one from consistent to inconsistent"
        if x.words != x_prime.words and x.kinds[turned[0]] == "comparison add":
            return "an additive comparison has more words in one form than in the other"
        return ""


def _consistency_target(problem: Outline, sentence: int | None) -> int:
    comparisons = [i for i in problem.path if problem.told[i].kind is SentenceKind.COMPARISON]
    marked = [index for index in comparisons if problem.told[index].inconsistent]
    if sentence is None and len(marked) > 1:
        listed = " and ".join(str(index + 1) for index in marked)
        raise DesignError(
            f"Sentences {listed} are marked inconsistent; turning each would change "
            f"{len(marked)} things at once.",
            f"Choose which one to turn, such as sentence {marked[0] + 1}; the others stay "
            "inconsistent in both texts.",
            "sentence",
        )

    def objection(index: int) -> str:
        told = problem.told[index]
        if told.kind is not SentenceKind.COMPARISON:
            return f"Sentence {index + 1} is a {told.kind}: only a comparison can be reversed."
        if not told.needed:
            return (
                f"Sentence {index + 1} is not needed for the answer, so neither form of it "
                "suggests a wrong calculation."
            )
        return ""

    return choose(
        problem,
        sentence,
        [*marked, *comparisons],
        objection,
        DesignError(
            "No step of this problem is a comparison, so nothing can be reversed.",
            "Add a comparison that the answer needs, such as: container . comparison+",
            "structure",
        ),
    )


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
        "Every additive comparison that the answer needs, or the one you choose, becomes a "
        "transfer between the same two people with the same number and calculation. Transfers are "
        "in the active voice; the question says “now” where what is asked for changed. "
        "Comparisons that multiply stay as they are."
    )
    source: str = "Riley, Greeno & Heller 1983; Opedal et al. 2024, section 5.3"
    expects: Expectation | None = PREDICATE
    arms: Arms = Arms("transfer", "comparison")
    reasons: Mapping[Feature, str] = field(default_factory=lambda: _PREDICATE_REASONS)
    one_answer: bool = True

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
                return "a sentence that stays is reworded"
        if turned != {("transfer between", "comparison add")}:
            return f"the reworded sentences are {sorted(turned)}"
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
            "No step of this problem is a comparison, so nothing can become a transfer.",
            "Add a comparison that the answer needs, such as: container . comparison+",
            "structure",
        )
    first = choose(problem, sentence, comparisons, objection, nothing)
    if sentence is not None:
        return (first,)
    return tuple(index for index in comparisons if not objection(index))


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
        "One transfer between two people is in the active voice or in the passive. It is "
        "the one you choose, or the first that the answer needs. By necessity the passive names "
        "the receiver first and has two words more."
    )
    source: str = "Slobin 1966"
    expects: Expectation | None = GIVER
    arms: Arms = Arms("active", "passive")
    reasons: Mapping[Feature, str] = field(default_factory=lambda: _GIVER_REASONS)
    one_answer: bool = True

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
