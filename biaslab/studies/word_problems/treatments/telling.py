"""Treatments of the telling: order of numbers or sentences, a further sentence, names, question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.features import (
    IRRELEVANT_SENTENCE,
    NAME_FAMILIARITY,
    OPERAND_ORDER,
    QUESTION_WORDING,
    SENTENCE_ORDER,
    Feature,
    Features,
    name_pairs,
)
from biaslab.studies.word_problems.treatments.rewriting import (
    Outline,
    asking,
    changed_places,
    check_sentence,
    choose,
    everybody,
    outline,
    outline_of_plan,
    people,
    refuse_sentence,
    solution_of,
    with_names,
    with_numbers,
)
from biaslab.studies.word_problems.treatments.treatment import Base, Twins
from schoolmath.problems import (
    Container,
    DesignError,
    Draws,
    Operation,
    Problem,
    Statement,
    Transfer,
    look_alike,
    vocabulary,
)
from schoolmath.problems.chains import ChainPlan
from schoolmath.problems.quantities import EITHER, NumberRange
from schoolmath.problems.structure import MOST_PARTS, SentenceKind
from schoolmath.problems.writing import MINIMUM_PHRASINGS

_OPERAND_REASONS: Mapping[Feature, str] = {
    Feature.NUMBERS: "This is the treatment: the same two numbers have changed places.",
}
_COMMUTATIVE = (Operation.ADD, Operation.MULTIPLY)


@dataclass(frozen=True, slots=True)
class OperandOrder:
    """The two numbers of the first step, the larger or the smaller one first."""

    name: str = "operand-order"
    label: str = "Larger or smaller number first"
    question: str = "Is a sum harder when the smaller of its two numbers comes first?"
    explanation: str = (
        "The first number of the calculation and the number of its first step change places: "
        "“Ana has 14. She gets 3.” becomes “Ana has 3. She gets 14.” That step must add or "
        "multiply, because only there the order does not matter for the result."
    )
    source: str = "Groen & Parkman 1972; De Corte & Verschaffel 1987"
    expects: Expectation | None = OPERAND_ORDER
    arms: Arms = Arms("larger first", "smaller first")
    reasons: Mapping[Feature, str] = field(default_factory=lambda: _OPERAND_REASONS)
    one_answer: bool = True

    def check(self, plan: ChainPlan, sentence: int | None) -> None:
        """Refuses a structure whose first step subtracts or divides."""
        _check_operands(outline_of_plan(plan), sentence)

    def twins(self, base: Base, draws: Draws) -> Twins | None:  # noqa: ARG002
        """The problem with its first two numbers in either order."""
        problem = outline(base)
        _check_operands(problem, base.sentence)
        step = solution_of(base).steps[0]
        start = base.problem.statements[problem.start].predicate.quantity
        places = sorted((problem.start, step.sentence))
        if step.operation not in _COMMUTATIVE:
            return None
        if start == step.right or 1 in (start, step.right):
            if base.plan is None:
                raise DesignError(
                    f"The two numbers of the first step are {start} and {step.right}: exchanged, "
                    "they would change nothing, or a singular into a plural.",
                    "Use two different numbers, none of them 1.",
                    "numbers",
                )
            return None
        large, small = max(start, step.right), min(start, step.right)
        x, x_prime = (
            with_numbers(base.problem, dict(zip(places, order, strict=True)))
            for order in ((large, small), (small, large))
        )
        treated = tuple(places)
        return Twins(x, x_prime, treated, treated)

    def fault(self, x: Features, x_prime: Features) -> str:
        """The first two numbers of the calculation are exchanged, all others stay."""
        exchanged = (x.numbers[1], x.numbers[0], *x.numbers[2:])
        if x_prime.numbers != exchanged:
            return "more than the first two numbers has changed places"
        larger_first = x.numbers[0] > x.numbers[1]
        if larger_first is not (x.order[0] < x.order[1]):
            return "the larger number does not come first"
        return ""


def _check_operands(problem: Outline, sentence: int | None) -> None:
    first = problem.path[0]
    if sentence is not None:
        check_sentence(problem, sentence)
        if sentence not in (first, problem.start):
            raise DesignError(
                f"Sentence {sentence + 1} does not hold one of the first two numbers of the "
                "calculation; later steps work on an amount that the text does not state.",
                f"Sentence {first + 1} can be treated.",
                "sentence",
            )
    if problem.told[first].sign not in (*_COMMUTATIVE, EITHER):
        verb = "subtracts" if problem.told[first].sign == Operation.SUBTRACT else "divides"
        raise DesignError(
            f"The first step {verb}: with its numbers exchanged it would be another calculation, "
            "so the answer would change too.",
            "Let the first step add or multiply, such as: container . transfer+",
            "structure",
        )


_ORDER_REASONS: Mapping[Feature, str] = {
    Feature.ORDER: "This is the treatment: one sentence stands before the one it builds on.",
}
_Cast = tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class SentenceOrder:
    """In the order of solving, or with one comparison or rate moved forward."""

    name: str = "sentence-order"
    label: str = "In the order of solving, or not"
    question: str = "Is a problem harder when its sentences are not in the order of solving?"
    explanation: str = (
        "One comparison or rate stands directly before the sentence that it builds on: “Ben has "
        "3 more than Ana. Ana has 5.” It is the one you choose, or the first that can be moved. "
        "What somebody gives or gets happens in time, so a transfer keeps its place among all "
        "sentences about the same people."
    )
    source: str = "Rosenthal & Resnick 1974"
    expects: Expectation | None = SENTENCE_ORDER
    arms: Arms = Arms("in order of solving", "out of order")
    reasons: Mapping[Feature, str] = field(default_factory=lambda: _ORDER_REASONS)
    one_answer: bool = True

    def check(self, plan: ChainPlan, sentence: int | None) -> None:
        """Refuses a structure in which no sentence can be moved and the meaning stay."""
        cast = tuple(frozenset(filter(None, (part.agent, part.other))) for part in plan.parts)
        _order_target(outline_of_plan(plan), cast, sentence)

    def twins(self, base: Base, draws: Draws) -> Twins | None:  # noqa: ARG002
        """The problem in order, and with one sentence moved."""
        problem = outline(base)
        order = (problem.start, *problem.path)
        if order != tuple(sorted(order)):
            return _put_in_order(base.problem, order)
        cast = tuple(frozenset(people(statement)) for statement in base.problem.statements)
        target = _order_target(problem, cast, base.sentence)
        moved = list(base.problem.statements)
        moved.insert(_premise(problem, target), moved.pop(target))
        x_prime = Problem(tuple(moved), base.problem.question)
        treated = changed_places(base.problem, x_prime)
        return Twins(base.problem, x_prime, treated, treated)

    def fault(self, x: Features, x_prime: Features) -> str:
        """The calculation follows the text in x, and does not in x'."""
        used = len(x.order) - x.irrelevant
        if list(x.order[:used]) != sorted(x.order[:used]):
            return "the first member is not in the order of solving"
        if list(x_prime.order[:used]) == sorted(x_prime.order[:used]):
            return "the other member is in the order of solving too"
        return ""


def _put_in_order(problem: Problem, order: tuple[int, ...]) -> Twins:
    """A problem that is out of order, and the same in order."""
    statements = list(problem.statements)
    for place, index in zip(sorted(order), order, strict=True):
        statements[place] = problem.statements[index]
    happening = [s for s in problem.statements if isinstance(s.predicate, Transfer)]
    x = Problem(tuple(statements), problem.question)
    treated = changed_places(x, problem)
    if [s for s in statements if isinstance(s.predicate, Transfer)] != happening or any(
        _crosses(problem, statements, index) for index in range(len(statements))
    ):
        raise DesignError(
            "The sentences of this problem cannot be put in the order of solving: a transfer "
            "would come before or after something else than it does now.",
            "Tell what is given first, then what happens.",
            "structure",
        )
    return Twins(x, problem, treated, treated)


def _crosses(problem: Problem, statements: list[Statement], index: int) -> bool:
    """Whether a transfer has another sentence about its people on its other side."""
    one = problem.statements[index]
    if not isinstance(one.predicate, Transfer):
        return False
    at = next(place for place, other in enumerate(statements) if other is one)
    for before, other in enumerate(problem.statements):
        place = next(place for place, moved in enumerate(statements) if moved is other)
        shared = not set(people(one)).isdisjoint(people(other))
        if shared and (before < index) is not (place < at) and other is not one:
            return True
    return False


def _premise(problem: Outline, index: int) -> int:
    """The sentence that a step starts from."""
    step = problem.path.index(index)
    return problem.path[step - 1] if step else problem.start


def _order_target(problem: Outline, cast: _Cast, sentence: int | None) -> int:
    def objection(index: int) -> str:
        told = problem.told[index]
        if index not in problem.path:
            return (
                f"Sentence {index + 1} is no step of the calculation, so the order of solving "
                "does not say where it belongs."
            )
        if told.kind is SentenceKind.TRANSFER:
            return (
                f"Sentence {index + 1} is a transfer: placed earlier, it would happen earlier, so "
                "the meaning would change too."
            )
        for between in range(_premise(problem, index), index):
            if problem.told[between].kind is SentenceKind.TRANSFER and cast[between] & cast[index]:
                return (
                    f"Sentence {index + 1} mentions somebody for whom sentence {between + 1} "
                    "changes something; placed before it, it would mean something else."
                )
        return ""

    return choose(
        problem,
        sentence,
        problem.path,
        objection,
        DesignError(
            "No sentence of this problem can be moved without changing the meaning: transfers "
            "happen in time, and what follows from them comes after them.",
            "Add a comparison or rate that does not follow a transfer, such as: "
            "container . comparison+",
            "structure",
        ),
    )


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


def _number(draws: Draws, numbers: NumberRange, excluded: set[int]) -> int:
    """A number that is not taken; 0: there is none."""
    for _ in range(ATTEMPTS):
        number = draws.between(*numbers)
        if number not in excluded:
            return number
    free = [number for number in range(numbers.low, numbers.high + 1) if number not in excluded]
    return draws.one(free) if free else 0


def _name(draws: Draws, base: Base, excluded: tuple[str, ...]) -> str:
    """A name that looks like none of those in the problem; "": there is none."""
    names = base.words.names or vocabulary().names
    for _ in range(ATTEMPTS):
        name = draws.one(names).text
        if not any(_alike(name, other) for other in excluded):
            return name
    free = [name.text for name in names if not any(_alike(name.text, o) for o in excluded)]
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


def _renamed(problem: Problem, names: Mapping[str, str]) -> Problem:
    agent = names[problem.question.agent]
    return Problem(
        tuple([with_names(statement, names) for statement in problem.statements]),
        asking(problem.question, agent=agent),
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
