"""Treatments of what stands around the calculation: a further sentence, the names, the question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.features import (
    IRRELEVANT_SENTENCE,
    NAME_FAMILIARITY,
    QUESTION_WORDING,
    Feature,
    Features,
    name_pairs,
)
from biaslab.studies.word_problems.treatments.rewriting import (
    asking,
    changed_places,
    everybody,
    refuse_sentence,
    solution_of,
    with_names,
)
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
