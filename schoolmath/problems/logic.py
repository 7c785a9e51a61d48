"""Logical forms of MathWorld: what a sentence of a word problem says, and the answer that follows.

The four predicates are those of Opedal et al. (2024), section 4.1. Quantities are always
explicit whole numbers; the unknown is what the question asks for, never a gap in a predicate.
Wording (which words say it) is kept apart, in `Statement.form` and `Statement.phrasing`,
because two texts with one mental model are exactly what this lab compares.

The mental model is the set of quantities known after each sentence; a reasoning step derives
one of them from two others, in exact whole numbers. Steps are counted on the path to the answer
only, so a sentence that does not matter never inflates the count.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from schoolmath.problems.errors import ContradictoryProblem, InexactDivision, UnsolvableProblem


class Entity(NamedTuple):
    """A kind of thing that an agent has an amount of.

    Attributes:
        noun: identifier of the noun in the vocabulary, for example ``apple``.
        attribute: identifier of an adjective, or ``""``.
        unit: identifier of a measure (``litre``) or of a container that the thing is
            counted in (``box``: boxes of apples), or ``""`` for the bare noun.
    """

    noun: str
    attribute: str = ""
    unit: str = ""


class ComparisonType(StrEnum):
    """How the first agent's quantity follows from the second's."""

    ADDITIVE = "add"
    MULTIPLICATIVE = "times"


class ComparisonForm(StrEnum):
    """Which agent of a comparison is the grammatical subject of its sentence.

    The logical form is the same in both: agent A has more than agent B.
    """

    A_MORE = "a-more"
    """"A has 3 more than B", "A has 3 times as many as B"."""
    B_FEWER = "b-fewer"
    """"B has 3 fewer than A", "B has 3 times fewer than A"."""
    B_PART = "b-part"
    """"B has 1/3 as many as A": for comparisons that multiply, in place of "3 times fewer"."""


@dataclass(frozen=True, slots=True)
class Container:
    """The agent has `quantity` of the entity."""

    agent: str
    quantity: int
    entity: Entity


@dataclass(frozen=True, slots=True)
class Transfer:
    """`quantity` of the entity passes from the sender to the receiver.

    Without a sender the receiver gains it from nowhere in particular (buys, finds);
    without a receiver the sender loses it (sells, gives away). At least one is named.
    """

    receiver: str | None
    sender: str | None
    quantity: int
    entity: Entity

    def __post_init__(self) -> None:
        if self.receiver is None and self.sender is None:
            raise ValueError("A transfer needs a receiver or a sender: name at least one.")
        if self.receiver == self.sender:
            raise ValueError("A transfer needs two different agents: change one of them.")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Agent A has `quantity` more than, or `quantity` times as many as, agent B."""

    type: ComparisonType
    agent_a: str
    agent_b: str
    quantity: int
    entity: Entity


@dataclass(frozen=True, slots=True)
class Rate:
    """Each `per` of the agent holds `quantity` of the entity.

    `per` is the same noun counted in a container: ``Entity("apple", unit="box")``.
    """

    agent: str
    quantity: int
    entity: Entity
    per: Entity


Predicate: TypeAlias = Container | Transfer | Comparison | Rate


@dataclass(frozen=True, slots=True)
class Statement:
    """One declarative sentence: a predicate and how it is put into words.

    Attributes:
        predicate: what it says.
        form: for a comparison, which agent is the subject; otherwise None.
        phrasing: index of the phrasing among those of its sentence kind.
        dividing: for a rate, whether the sentence tells how a known amount is packed
            (the number of containers is new) rather than what each container holds.
    """

    predicate: Predicate
    form: ComparisonForm | None = None
    phrasing: int = 0
    dividing: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """Asks how much of the entity the agent has.

    Attributes:
        now: whether the sentence says "now", needed once something has changed hands.
    """

    agent: str
    entity: Entity
    phrasing: int = 0
    now: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """Statements in the order of the text, and the question at the end."""

    statements: tuple[Statement, ...]
    question: Question


class Possession(NamedTuple):
    """An agent's amount of an entity: what a number in a word problem is a number of."""

    agent: str
    entity: Entity


class Operation:
    """The four signs a reasoning step can have."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"


class ReasoningStep(NamedTuple):
    """One derivation: `left operation right = result`.

    Attributes:
        sentence: index of the statement that licenses it.
        rule: ``gain``, ``give``, ``compare`` or ``rate``.
        consistent: for a comparison, whether the wording suggests the operation that is
            needed (the unknown agent is the subject); None for other rules.
        possession: whose amount of what the result is.
        left: the amount known before the step.
        right: the quantity stated in the sentence.
    """

    sentence: int
    rule: str
    consistent: bool | None
    possession: Possession
    operation: str
    left: int
    right: int
    result: int

    def equation(self) -> str:
        """The step as it is written on paper: ``18 - 3 = 15``."""
        return f"{self.left} {self.operation} {self.right} = {self.result}"


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer and how it comes about.

    Attributes:
        steps: the reasoning steps on the path to the answer, in order.
        answer: the quantity the question asks for.
        unused: indices of statements that are not needed for the answer.
    """

    steps: tuple[ReasoningStep, ...]
    answer: int
    unused: tuple[int, ...]


class _KnownAmount(NamedTuple):
    amount: int
    step: ReasoningStep | None
    before: _KnownAmount | None
    sentence: int


def solve(problem: Problem) -> Solution:
    """Solves a problem exactly.

    Statements are read in the order of the text. A comparison or rate whose two amounts are
    both still unknown waits for the sentence that settles one of them.

    Raises:
        UnsolvableProblem: the statements do not determine the quantity asked for.
        InexactDivision: a division leaves a remainder.
        ContradictoryProblem: two statements disagree about one quantity.
    """
    known: dict[Possession, _KnownAmount] = {}
    waiting: list[tuple[int, Statement]] = []
    for index, statement in enumerate(problem.statements):
        if not _apply(index, statement, known):
            waiting.append((index, statement))
            continue
        while waiting and (ready := [w for w in waiting if _apply(w[0], w[1], known)]):
            waiting = [w for w in waiting if w not in ready]
    asked = Possession(problem.question.agent, problem.question.entity)
    final = known.get(asked)
    if final is None:
        raise UnsolvableProblem(
            f"The problem does not say how many {asked.entity.noun} {asked.agent} has: "
            "add a sentence that leads to it."
        )
    return _trace(final, len(problem.statements))


def _trace(final: _KnownAmount, statements: int) -> Solution:
    steps: list[ReasoningStep] = []
    used: set[int] = set()
    node: _KnownAmount | None = final
    while node is not None:
        used.add(node.sentence)
        if node.step is not None:
            steps.append(node.step)
        node = node.before
    unused = tuple(i for i in range(statements) if i not in used) if len(used) < statements else ()
    return Solution(tuple(reversed(steps)), final.amount, unused)


def _apply(index: int, statement: Statement, amounts: dict[Possession, _KnownAmount]) -> bool:
    predicate = statement.predicate
    if isinstance(predicate, Comparison):
        return _comparison(index, predicate, statement.form, amounts)
    if isinstance(predicate, Transfer):
        return _transfer(index, predicate, amounts)
    if isinstance(predicate, Rate):
        return _rate(index, predicate, amounts)
    possession = Possession(predicate.agent, predicate.entity)
    _settle(amounts, possession, _KnownAmount(predicate.quantity, None, None, index))
    return True


def _transfer(index: int, predicate: Transfer, amounts: dict[Possession, _KnownAmount]) -> bool:
    if predicate.receiver is not None:
        possession = Possession(predicate.receiver, predicate.entity)
        before = amounts.get(possession)
        if before is not None:
            amounts[possession] = _derive(
                index, "gain", None, possession, Operation.ADD, before, predicate.quantity
            )
    if predicate.sender is not None:
        possession = Possession(predicate.sender, predicate.entity)
        before = amounts.get(possession)
        if before is not None:
            amounts[possession] = _derive(
                index, "give", None, possession, Operation.SUBTRACT, before, predicate.quantity
            )
    return True


def _comparison(
    index: int,
    predicate: Comparison,
    form: ComparisonForm | None,
    amounts: dict[Possession, _KnownAmount],
) -> bool:
    a = Possession(predicate.agent_a, predicate.entity)
    b = Possession(predicate.agent_b, predicate.entity)
    additive = predicate.type is ComparisonType.ADDITIVE
    up = Operation.ADD if additive else Operation.MULTIPLY
    down = Operation.SUBTRACT if additive else Operation.DIVIDE
    before = amounts.get(b)
    if before is not None:
        consistent = form in (None, ComparisonForm.A_MORE)
        step = _derive(index, "compare", consistent, a, up, before, predicate.quantity)
        _settle(amounts, a, step)
        return True
    before = amounts.get(a)
    if before is None:
        return False
    consistent = form not in (None, ComparisonForm.A_MORE)
    amounts[b] = _derive(index, "compare", consistent, b, down, before, predicate.quantity)
    return True


def _rate(index: int, predicate: Rate, amounts: dict[Possession, _KnownAmount]) -> bool:
    total = Possession(predicate.agent, predicate.entity)
    groups = Possession(predicate.agent, predicate.per)
    if groups in amounts:
        step = _derive(
            index, "rate", None, total, Operation.MULTIPLY, amounts[groups], predicate.quantity
        )
        _settle(amounts, total, step)
    elif total in amounts:
        amounts[groups] = _derive(
            index, "rate", None, groups, Operation.DIVIDE, amounts[total], predicate.quantity
        )
    else:
        return False
    return True


def _derive(
    index: int,
    rule: str,
    consistent: bool | None,
    possession: Possession,
    operation: str,
    before: _KnownAmount,
    quantity: int,
) -> _KnownAmount:
    left = before.amount
    if operation == Operation.ADD:
        result = left + quantity
    elif operation == Operation.SUBTRACT:
        result = left - quantity
    elif operation == Operation.MULTIPLY:
        result = left * quantity
    else:
        if quantity == 0 or left % quantity:
            raise InexactDivision(
                f"Sentence {index + 1} divides {left} by {quantity}, which leaves a remainder: "
                "choose numbers that divide."
            )
        result = left // quantity
    step = ReasoningStep(index, rule, consistent, possession, operation, left, quantity, result)
    return _KnownAmount(result, step, before, index)


def _settle(
    amounts: dict[Possession, _KnownAmount], possession: Possession, value: _KnownAmount
) -> None:
    earlier = amounts.get(possession)
    if earlier is not None and earlier.amount != value.amount:
        raise ContradictoryProblem(
            f"Sentence {value.sentence + 1} gives {possession.agent} {value.amount} "
            f"{possession.entity.noun}, but an earlier one says {earlier.amount}: "
            "change one of them."
        )
    if earlier is None:
        amounts[possession] = value
