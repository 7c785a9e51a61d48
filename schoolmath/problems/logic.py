"""Logical forms of MathWorld: what a sentence of a word problem says.

The four predicates are those of Opedal et al. (2024), section 4.1. Quantities are always
explicit whole numbers; the unknown is what the question asks for, never a gap in a predicate.
Wording (which words say it) is kept apart, in `Statement.form` and `Statement.phrasing`,
because two texts with one mental model are exactly what this lab compares.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias


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
