"""Question wording: asked as a question, or set as a task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.expectations import QUESTION_WORDING
from biaslab.studies.word_problems.features import Feature, Features
from biaslab.studies.word_problems.treatments.outline import refuse_sentence
from biaslab.studies.word_problems.treatments.rewriting import asking
from biaslab.studies.word_problems.treatments.treatment import Base, Twins
from schoolmath.problems import Draws, Problem
from schoolmath.problems.chains import ChainPlan

ASKED = 0
"""The phrasing “How many apples does Ana have?” among those of the question."""
SET = 3
"""The phrasing “Work out how many apples Ana has.”"""

_QUESTION_REASONS: Mapping[Feature, str] = {
    Feature.QUESTION: "This is the treatment: two phrasings of the question.",
    Feature.WORDS: "The two phrasings have different lengths.",
}


@dataclass(frozen=True, slots=True)
class QuestionWording:
    """The same thing asked for in two ways."""

    name: str = "question-wording"
    label: str = "Question or task"
    question: str = "Does it matter whether a problem asks “How many …?” or says “Work out …”?"
    explanation: str = (
        "The last sentence is “How many apples does Ana have?” in one text and “Work out how "
        "many apples Ana has.” in the other. Both say “now”, or neither does."
    )
    source: str = ""
    expects: Expectation | None = QUESTION_WORDING
    arms: Arms = Arms("How many …?", "Work out …")
    reasons: Mapping[Feature, str] = field(default_factory=lambda: _QUESTION_REASONS)
    one_answer: bool = True

    @property
    def changes(self) -> frozenset[Feature]:
        """The phrasing of the question."""
        return frozenset(_QUESTION_REASONS)

    def check(self, plan: ChainPlan, sentence: int | None) -> None:  # noqa: ARG002
        """Refuses a choice of sentence: it is the question."""
        refuse_sentence(sentence, self.label)

    def twins(self, base: Base, draws: Draws) -> Twins | None:  # noqa: ARG002
        """The problem with both questions."""
        refuse_sentence(base.sentence, self.label)
        told = base.problem
        x, x_prime = (
            Problem(told.statements, asking(told.question, phrasing=phrasing))
            for phrasing in (ASKED, SET)
        )
        place = (len(told.statements),)
        return Twins(x, x_prime, place, place)

    def fault(self, x: Features, x_prime: Features) -> str:
        """The question of x has the one phrasing, that of x' the other."""
        if (x.question, x_prime.question) != (ASKED, SET):
            return "the questions are not phrased as promised"
        return ""
