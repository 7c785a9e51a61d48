"""What two texts of a pair could differ in, read off form, text and solution; what is expected.

A treatment names the features that it changes (`biaslab.studies.word_problems.treatments`); the
proof compares all of them, so that nothing else can differ unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import NamedTuple, TypeAlias

from biaslab.studies.results import Evidence, Expectation
from biaslab.studies.word_problems.cast import PairHalf
from schoolmath.problems import Comparison, Container, Entity, Predicate, Rate, VocabularyError
from schoolmath.problems.quantities import carries
from schoolmath.problems.vocabulary import ASSETS
from schoolmath.problems.writing import phrasings, sentence_kind
from schoolmath.text.yaml_files import read_yaml


class NamePair(NamedTuple):
    """Two names of one initial and one length."""

    familiar: str
    unfamiliar: str


@cache
def name_pairs() -> tuple[NamePair, ...]:
    """All pairs, each initial once.

    Raises:
        VocabularyError: the names of a pair differ in initial or length, or one stands twice.
    """
    path = ASSETS / "names.yaml"
    pairs = tuple(NamePair(*names) for names in read_yaml(path)["familiarity"])
    for pair in pairs:
        if len(pair.familiar) != len(pair.unfamiliar) or pair.familiar[0] != pair.unfamiliar[0]:
            raise VocabularyError(
                f"{path.name}: {pair.familiar} and {pair.unfamiliar} need one initial and one "
                "length: change one."
            )
    if len({name for pair in pairs for name in pair}) != 2 * len(pairs):
        raise VocabularyError(f"{path.name}: a name stands twice under familiarity: remove one.")
    return pairs


@cache
def _familiar() -> frozenset[str]:
    return frozenset(pair.familiar for pair in name_pairs())


@cache
def _unfamiliar() -> frozenset[str]:
    return frozenset(pair.unfamiliar for pair in name_pairs())


def familiarity(names: Iterable[str]) -> tuple[int, int]:
    """How many of the names are familiar, and how many unfamiliar."""
    given = frozenset(names)
    return len(given & _familiar()), len(given & _unfamiliar())


class Feature(StrEnum):
    """A feature of a problem; the values are the names of the fields of `Features`."""

    FORMS = "forms"
    KINDS = "kinds"
    OPERATIONS = "operations"
    CARRIES = "carries"
    NUMBERS = "numbers"
    DIGITS = "digits"
    ZEROS = "zeros"
    ONES = "ones"
    AMOUNT_DIGITS = "amount_digits"
    ORDER = "order"
    SENTENCES = "sentences"
    IRRELEVANT = "irrelevant"
    VOICE = "voice"
    PHRASINGS = "phrasings"
    NAMES = "names"
    NAME_LETTERS = "name_letters"
    FAMILIARITY = "familiarity"
    ROLES = "roles"
    THINGS = "things"
    QUESTION = "question"
    NOW = "now"
    QUESTION_AGENT = "question_agent"
    QUESTION_THING = "question_thing"
    ANSWER = "answer"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Features:
    """Everything that the members of a pair are compared in.

    What is told sentence by sentence is in the order of solving (what is given first, the
    steps, then what is not needed), so that moving a sentence changes `order` alone.

    Attributes:
        forms: of each sentence: ``consistent`` or ``inconsistent``, for a comparison that is
            not needed its subject; "" for other sentences.
        kinds: what each sentence says: ``container``, ``transfer between``, ``comparison add``
            and so on.
        operations: of the reasoning steps, in order.
        carries: carries or borrows of each reasoning step (none where it multiplies or divides).
        numbers: the number of each sentence.
        digits: how many digits the numbers have, the shortest first.
        zeros: zero digits in all numbers.
        ones: which numbers are 1, and take a noun in the singular.
        amount_digits: how many digits the result of each reasoning step has.
        order: where in the text each sentence stands.
        sentences: how many there are, the question included.
        irrelevant: how many are not needed for the answer.
        voice: of each sentence: ``active`` or ``passive``.
        phrasings: which phrasing of its kind each sentence uses.
        names: everybody in the text, in the order of the alphabet.
        name_letters: how many letters their names have, the shortest first.
        familiarity: how many names are familiar, how many unfamiliar; others count as neither.
        roles: who does what in each sentence, as places in `names`.
        things: what each sentence counts.
        question: which phrasing the question uses; now: whether it says "now".
        question_agent: whom it is about, as a place in `names`; question_thing: and what.
        answer: the answer.
        words: how many words the whole text has.
    """

    forms: tuple[str, ...]
    kinds: tuple[str, ...]
    operations: tuple[str, ...]
    carries: tuple[int, ...]
    numbers: tuple[int, ...]
    digits: tuple[int, ...]
    zeros: int
    ones: tuple[bool, ...]
    amount_digits: tuple[int, ...]
    order: tuple[int, ...]
    sentences: int
    irrelevant: int
    voice: tuple[str, ...]
    phrasings: tuple[int, ...]
    names: tuple[str, ...]
    name_letters: tuple[int, ...]
    familiarity: tuple[int, int]
    roles: tuple[tuple[int, ...], ...]
    things: tuple[Entity, ...]
    question: int
    now: bool
    question_agent: int
    question_thing: Entity
    answer: int
    words: int


_FORM = {None: "", True: "consistent", False: "inconsistent"}
_Order: TypeAlias = list[int]


def features(member: PairHalf, without: int | None = None) -> Features:
    """What is to be compared of a member.

    Args:
        member: problem, text and solution.
        without: index of a sentence that is left out of everything told sentence by sentence,
            because the other member has none in its place.
    """
    problem, solution = member.problem, member.solution
    order = _solving_order(member)
    kept = order if without is None else [index for index in order if index != without]
    wording = {step.sentence: _FORM[step.consistent] for step in solution.steps}
    statements = [problem.statements[index] for index in kept]
    predicates = [statement.predicate for statement in statements]
    sentence_kinds = [sentence_kind(statement) for statement in statements]
    chosen = tuple([statement.phrasing for statement in statements])
    numbers = tuple([predicate.quantity for predicate in predicates])
    written = [str(number) for number in numbers]
    cast = [_people(predicate) for predicate in predicates]
    names = sorted({problem.question.agent}.union(*cast))
    number_of = {name: number for number, name in enumerate(names)}
    passive = _passive()
    return Features(
        tuple([
            wording.get(index) or statement.form or ""
            for index, statement in zip(kept, statements, strict=True)
        ]),
        tuple([_KINDS.get(kind, kind) for kind in sentence_kinds]),
        tuple([step.operation for step in solution.steps]),
        tuple([step_carries(step.operation, step.left, step.right) for step in solution.steps]),
        numbers,
        tuple(sorted(map(len, written))),
        "".join(written).count("0"),
        tuple([number == 1 for number in numbers]),
        tuple([len(str(step.result)) for step in solution.steps]),
        tuple(kept) if without is None else tuple(index - (index > without) for index in kept),
        len(member.sentences),
        len(solution.unused),
        tuple([
            "passive" if key in passive else "active"
            for key in zip(sentence_kinds, chosen, strict=True)
        ]),
        chosen,
        tuple(names),
        tuple(sorted(map(len, names))),
        familiarity(names),
        tuple([tuple([number_of[name] for name in people]) for people in cast]),
        tuple([thing for predicate in predicates for thing in _things(predicate)]),
        problem.question.phrasing,
        problem.question.now,
        number_of[problem.question.agent],
        problem.question.entity,
        solution.answer,
        " ".join(member.sentences).count(" ") + 1,
    )  # fmt: skip


def step_carries(operation: str, left: int, right: int) -> int:
    """Carries or borrows of one step; none where somebody owes something (less than nothing)."""
    return carries(operation, left, right) if left >= 0 else 0


_KINDS = {
    "comparison more": "comparison add",
    "comparison fewer": "comparison add",
    "comparison times as many": "comparison times",
    "comparison times fewer": "comparison times",
    "comparison part as many": "comparison times",
}
"""What a comparison says, whichever way it is told."""


def _solving_order(member: PairHalf) -> _Order:
    """What is given, the steps, then what is not needed: indices of sentences."""
    solution = member.solution
    steps = [step.sentence for step in solution.steps]
    later = {*steps, *solution.unused}
    given = [index for index in range(len(member.problem.statements)) if index not in later]
    return [*given, *steps, *solution.unused]


def _people(predicate: Predicate) -> tuple[str, ...]:
    if isinstance(predicate, (Container, Rate)):
        return (predicate.agent,)
    if isinstance(predicate, Comparison):
        return predicate.agent_a, predicate.agent_b
    return tuple(name for name in (predicate.receiver, predicate.sender) if name is not None)


def _things(predicate: Predicate) -> tuple[Entity, ...]:
    if isinstance(predicate, Rate):
        return predicate.entity, predicate.per
    return (predicate.entity,)


@cache
def _passive() -> frozenset[tuple[str, int]]:
    """Kinds of sentence and phrasings in which somebody "is given" something."""
    return frozenset(
        (kind, index)
        for kind, templates in phrasings().items()
        for index, template in enumerate(templates)
        if "} is given " in template
    )


@cache
def active_phrasings(kind: str) -> tuple[int, ...]:
    """Indices of the phrasings of a kind of sentence that are in the active voice."""
    return tuple(
        index for index in range(len(phrasings()[kind])) if (kind, index) not in _passive()
    )


@cache
def passive_phrasings(kind: str) -> tuple[int, ...]:
    """Indices of the phrasings of a kind of sentence that are in the passive voice."""
    return tuple(index for index in range(len(phrasings()[kind])) if (kind, index) in _passive())


_ABSTRACT = "abstract read, direction only"

CONSISTENCY = Expectation(
    "inconsistent wording is harder, because its word suggests the wrong calculation",
    "Lewis & Mayer 1987; Opedal et al. 2024, section 5.2",
    Evidence(
        "children",
        "child-like",
        "Children of grades 3 to 5 solve fewer problems in inconsistent wording; in grade 2 no "
        "difference was found (Boonen & Jolles 2015).",
        "Passolunghi et al. 2022",
        _ABSTRACT,
        "consistency",
    ),
)
PREDICATE = Expectation(
    "comparisons are harder than transfers",
    "Riley, Greeno & Heller 1983; Opedal et al. 2024, section 5.3",
    Evidence(
        "children",
        "child-like",
        "Children of grade 2 find problems that compare harder than those in which something "
        "changes.",
        "Boonen & Jolles 2015",
        _ABSTRACT,
        "transfer-comparison",
    ),
)
CARRY = Expectation(
    "a calculation is harder where it carries or borrows",
    "Hitch 1978; Fürst & Hitch 2000; Opedal et al. 2024, section 5.4",
    Evidence(
        "children",
        "child-like",
        "Sums that carry are harder for children of 7 to 9 years, which shows mostly in the time "
        "that they take.",
        "Goebel et al. 2014",
        _ABSTRACT,
        "carry",
    ),
)
NUMBER_SIZE = Expectation(
    "larger numbers are harder", "Groen & Parkman 1972; Zbrodoff & Logan 2005"
)
OPERAND_ORDER = Expectation(
    "a sum is harder where its smaller number comes first",
    "Groen & Parkman 1972; De Corte & Verschaffel 1987",
)
IRRELEVANT_SENTENCE = Expectation(
    "a sentence that does not matter makes a problem harder", "Muth 1984; Shi et al. 2023"
)
SENTENCE_ORDER = Expectation(
    "sentences that are not in the order of solving make a problem harder",
    "Rosenthal & Resnick 1974",
)
GIVER = Expectation("the passive voice is harder than the active", "Slobin 1966")
NAME_FAMILIARITY = Expectation("unfamiliar names make a problem harder")
QUESTION_WORDING = Expectation("an order is harder than a question")
