"""Consistency: one comparison told the other way round, so that its word misleads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.expectations import CONSISTENCY
from biaslab.studies.word_problems.features import Feature, Features
from biaslab.studies.word_problems.treatments.outline import (
    Outline,
    choose,
    outline,
    outline_of_plan,
    solution_of,
)
from biaslab.studies.word_problems.treatments.rewriting import with_form, with_statement
from biaslab.studies.word_problems.treatments.treatment import Base, Twins
from schoolmath.problems import ComparisonForm, DesignError, Draws
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
        "One comparison is told the other way round: “Ben has 3 fewer than Ana” becomes “Ana has "
        "3 more than Ben”. It is the one that the structure marks as inconsistent, or the one "
        "you choose, otherwise the first that the answer needs. Other comparisons stay."
    )
    source: str = "Lewis & Mayer 1987; Opedal et al. 2024, section 5.2"
    expects: Expectation | None = CONSISTENCY
    arms: Arms = Arms("consistent", "inconsistent")
    reasons: Mapping[Feature, str] = field(default_factory=lambda: _CONSISTENCY_REASONS)
    one_answer: bool = True

    @property
    def changes(self) -> frozenset[Feature]:
        """The form of a comparison."""
        return frozenset(_CONSISTENCY_REASONS)

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
            return (
                f"Sentence {index + 1} is a {told.kind}: only a comparison can be told the other "
                "way round."
            )
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
            "No step of this problem is a comparison, so nothing can be told the other way round.",
            "Add a comparison that the answer needs, such as: container . comparison+",
            "structure",
        ),
    )
