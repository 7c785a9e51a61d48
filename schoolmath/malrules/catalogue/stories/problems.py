"""Linear word problems of MathWorld as a form, and how they are drawn: a plan and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

from schoolmath.malrules.answers import Working
from schoolmath.malrules.catalogue.stories.chain import (
    COMPARISON,
    PART,
    RATE,
    REVERSED,
    TRANSFER,
    UNDONE,
    Chain,
    work,
)
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.problems.draws import Draws
from schoolmath.problems.logic import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    Container,
    Entity,
    Operation,
    Problem,
    Question,
    Rate,
    Statement,
    Transfer,
)
from schoolmath.problems.quantities import NumberRange, Signs, chain
from schoolmath.problems.vocabulary import look_alike, vocabulary

_ATTEMPTS = 60
_ADDITIVE = (Operation.ADD, Operation.SUBTRACT)
_PHRASINGS = 4

_C = TypeVar("_C", bound=Chain)
"""What is drawn: a chain, or the form that is one."""


@dataclass(frozen=True, slots=True)
class StoryPlan:
    """What a story shall be before it has numbers and words.

    Attributes:
        concepts: what each step is. Undone transfers and parts of a whole stand in stories
            of their own.
        operations: what each step needs.
        inconsistent: for each step, whether a comparison's words suggest the other one.
        bystander: whether the first transfer is with somebody whose amount is told.
        irrelevant: whether a number stands in the text that does not matter.
    """

    concepts: tuple[str, ...]
    operations: tuple[str, ...]
    inconsistent: tuple[bool, ...]
    bystander: bool = False
    irrelevant: bool = False

    @classmethod
    def of(cls, story: Chain) -> StoryPlan:
        """The plan of a story that there is."""
        return cls(
            story.concepts,
            story.operations,
            tuple(
                story.inconsistent(index) and story.concepts[index] == COMPARISON
                for index in story.steps
            ),
            any(name in story.bystanders for name in story.others if name),
            bool(story.irrelevant),
        )


def draw_story(class_: type[_C], draws: Draws, grade: int) -> _C:
    """A story for this grade, as a chain or the form that is one.

    Raises:
        NotDrawn: no numbers were found for the plans that were tried.
    """
    for _ in range(_ATTEMPTS):
        story = story_of(class_, draws, draw_plan(draws, grade), numbers_for(grade))
        if story is not None:
            return story
    raise NotDrawn("No story came up whose numbers fit its steps.")


def numbers_for(grade: int) -> NumberRange:
    """The numbers that stand in the stories of a grade."""
    return NumberRange(2, 20) if grade < 4 else NumberRange(2, 60 if grade < 6 else 99)


def draw_plan(draws: Draws, grade: int, steps: int | None = None) -> StoryPlan:
    """A random plan for a grade; by default with two steps or more, mostly."""
    which = draws.below(20)
    most = 2 if grade < 4 else 3 if grade < 6 else 4
    length = steps or draws.between(2, most)
    if which < 2 and steps is None:
        count = draws.between(1, 2)
        operations = tuple(draws.one(_ADDITIVE) for _ in range(count))
        return StoryPlan((UNDONE,) * count, operations, (False,) * count)
    if which == 2 and steps is None:
        return StoryPlan((PART,), (Operation.SUBTRACT,), (False,))
    if which == 3:
        length = steps or draws.between(1, 2)
    return draw_chain_plan(draws, length, bystander=which == 3, irrelevant=which in (4, 5))


def draw_chain_plan(
    draws: Draws, length: int, *, bystander: bool = False, irrelevant: bool = False
) -> StoryPlan:
    """A random chain of transfers, comparisons and at most one rate."""
    concepts: list[str] = []
    for index in range(length):
        if bystander and index == 0:
            concepts.append(TRANSFER)
            continue
        options = [TRANSFER, TRANSFER, COMPARISON, COMPARISON, COMPARISON]
        if RATE not in concepts and not bystander and not irrelevant:
            options.append(RATE)
        concepts.append(draws.one(options))
    operations: list[str] = []
    for concept in concepts:
        if concept == TRANSFER or (concept == COMPARISON and not draws.chance(0.35)):
            operations.append(draws.one(_ADDITIVE))
        else:
            operations.append(draws.one((Operation.MULTIPLY, Operation.DIVIDE)))
    inconsistent = tuple(each == COMPARISON and draws.chance(0.5) for each in concepts)
    return StoryPlan(tuple(concepts), tuple(operations), inconsistent, bystander, irrelevant)


def story_of(class_: type[_C], draws: Draws, plan: StoryPlan, numbers: NumberRange) -> _C | None:
    """A story by this plan with random numbers, names and things; None where none came up.

    Factors and divisors are kept small: nobody has 57 times as many.
    """
    values = chain(draws, Signs(draws), plan.operations, numbers)
    if values is None or values.operations != plan.operations:
        return None
    factors = zip(values.operations, values.numbers, strict=True)
    if any(number > 12 for operation, number in factors if operation not in _ADDITIVE):
        return None
    names = _names(draws, 2 * len(plan.operations) + 2)
    if plan.concepts[0] == UNDONE:
        return _undone(class_, draws, plan, values.first, values.numbers, names[0])
    if plan.concepts[0] == PART:
        return _part(class_, draws, values.first, values.numbers[0], names)
    return _chain(class_, draws, plan, values.first, values.numbers, names)


def _names(draws: Draws, count: int) -> list[str]:
    """So many names, none of them easily taken for another."""
    chosen: list[str] = []
    for name in draws.several([each.text for each in vocabulary().names], 60):
        if not any(look_alike(name, other) for other in chosen):
            chosen.append(name)
        if len(chosen) == count:
            break
    return chosen


def _things(draws: Draws, *, packable: bool) -> Entity:
    nouns = [each for each in vocabulary().nouns.values() if each.countable]
    return Entity(draws.one([each.id for each in nouns if each.containers or not packable]))


def _chain(
    class_: type[_C],
    draws: Draws,
    plan: StoryPlan,
    first: int,
    numbers: Sequence[int],
    names: list[str],
) -> _C | None:
    things = _things(draws, packable=RATE in plan.concepts)
    entity = things
    per: Entity | None = None
    if RATE in plan.concepts:
        per = things._replace(unit=draws.one(vocabulary().nouns[things.noun].containers))
        if plan.operations[plan.concepts.index(RATE)] == Operation.MULTIPLY:
            entity = per
    agent, spare = names[0], names[1:]
    statements = [_statement(draws, Container(agent, first, entity))]
    if plan.bystander:
        # So many that they can give what they are to give.
        amount = max(numbers[0], 2) + draws.between(1, 20)
        statements.insert(0, _statement(draws, Container(spare[0], amount, entity)))
    if plan.irrelevant:
        other = _things(draws, packable=False)
        if other.noun == things.noun:
            return None
        statements.append(_statement(draws, Container(agent, draws.between(2, 20), other)))
    for index, (concept, operation) in enumerate(zip(plan.concepts, plan.operations, strict=True)):
        number = numbers[index]
        if concept == COMPARISON:
            unknown = spare[index + 1]
            statement = _compare(draws, plan, index, agent, unknown, number, entity)
            agent = unknown
        elif concept == RATE and per is not None:
            dividing = operation == Operation.DIVIDE
            predicate = Rate(agent, number, things, per)
            statement = Statement(predicate, None, draws.below(_PHRASINGS), dividing)
            entity = per if dividing else things
        else:
            whom = spare[index + len(plan.operations)] if draws.chance(0.4) else None
            if plan.bystander and index == 0:
                whom = spare[0]
            gains = operation == Operation.ADD
            receiver, sender = (agent, whom) if gains else (whom, agent)
            statement = _statement(draws, Transfer(receiver, sender, number, entity))
        statements.append(statement)
    question = Question(agent, entity, draws.below(_PHRASINGS), TRANSFER in plan.concepts)
    return class_.of_problem(Problem(tuple(statements), question))


def _statement(draws: Draws, predicate: Container | Transfer) -> Statement:
    return Statement(predicate, None, draws.below(_PHRASINGS))


def _compare(
    draws: Draws, plan: StoryPlan, index: int, first: str, unknown: str, number: int, entity: Entity
) -> Statement:
    operation = plan.operations[index]
    up = operation in (Operation.ADD, Operation.MULTIPLY)
    additive = operation in _ADDITIVE
    agent_a, agent_b = (unknown, first) if up else (first, unknown)
    kind = ComparisonType.ADDITIVE if additive else ComparisonType.MULTIPLICATIVE
    form = ComparisonForm.B_FEWER if up is plan.inconsistent[index] else ComparisonForm.A_MORE
    predicate = Comparison(kind, agent_a, agent_b, number, entity)
    return Statement(predicate, form, draws.below(_PHRASINGS))


def _undone(
    class_: type[_C], draws: Draws, plan: StoryPlan, end: int, numbers: Sequence[int], name: str
) -> _C:
    """The last change is told last and undone first."""
    thing = vocabulary().write(_things(draws, packable=False), 2)
    told = [
        f"{name} {'gets' if operation == Operation.SUBTRACT else 'gives away'} {number} {thing}."
        for operation, number in zip(reversed(plan.operations), reversed(numbers), strict=True)
    ]
    text = (
        f"{name} has some {thing}. {' '.join(told)} Now {name} has {end} {thing}. "
        f"How many {thing} did {name} have at first?"
    )
    count = len(numbers)
    return class_(
        text, end, plan.operations, tuple(numbers), (UNDONE,) * count,
        tuple(REVERSED[each] for each in plan.operations), (name,) * (count + 1), ("",) * count,
    )  # fmt: skip


def _part(class_: type[_C], draws: Draws, whole: int, part: int, names: list[str]) -> _C:
    thing = vocabulary().write(_things(draws, packable=False), 2)
    one, other = names[:2]
    text = (
        f"{one} and {other} have {whole} {thing} altogether. {one} has {part} {thing}. "
        f"How many {thing} does {other} have?"
    )
    return class_(
        text, whole, (Operation.SUBTRACT,), (part,), (PART,), (Operation.ADD,),
        ("", other), ("",),
    )  # fmt: skip


@form("word problems", (3, 8), 2)
class Story(Chain):
    """``Ana has 18. Ana gives away 5. Ben has 4 fewer than Ana. Ben?`` The fields are a chain's."""

    def stem(self) -> str:
        """The text, on one line."""
        return " ".join(self.text.split())

    def solve(self) -> Working:
        """The chain, step by step."""
        worked = work(self, {})
        assert worked is not None  # no edit, so nothing is undefined
        return worked

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        """Chains of two or more steps, some with numbers that do not matter."""
        return draw_story(cls, draws, grade)
