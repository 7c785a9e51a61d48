"""What a sentence can say: a statement, a question, and what only some stories say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from schoolmath.problems.logic import (
    Comparison,
    Container,
    Entity,
    Question,
    Rate,
    Statement,
    Transfer,
)


class Times(StrEnum):
    """What "3 times more than" and "3 times fewer than" mean in a text."""

    UNSETTLED = "unsettled"
    """It cannot be told, so such a sentence is not read."""
    AS_MANY = "as many"
    """3 times as many, and a third: so this lab wrote, and the released data read it."""
    ON_TOP = "on top"
    """3 times as many on top, which is 4 times as many, and a quarter."""


@dataclass(frozen=True, slots=True)
class Some:
    """Somebody has an amount that is not told."""

    agent: str
    entity: Entity


@dataclass(frozen=True, slots=True)
class AtTheEnd:
    """What somebody has after everything told so far: "Ana now has 12 apples"."""

    agent: str
    quantity: int
    entity: Entity


@dataclass(frozen=True, slots=True)
class Altogether:
    """What two people have together."""

    agents: tuple[str, str]
    quantity: int
    entity: Entity


@dataclass(frozen=True, slots=True)
class AskedAtFirst:
    """Asks how much somebody had before everything."""

    agent: str
    entity: Entity


Utterance: TypeAlias = Statement | Question | Some | AtTheEnd | Altogether | AskedAtFirst


def people_of(said: Utterance) -> tuple[str, ...]:
    """Everybody a sentence is about, its subject first; a rate may leave its owner out."""
    if isinstance(said, Altogether):
        return said.agents
    if not isinstance(said, Statement):
        return (said.agent,)
    predicate = said.predicate
    if isinstance(predicate, Transfer):
        return tuple(name for name in (predicate.sender, predicate.receiver) if name is not None)
    if isinstance(predicate, Comparison):
        return (predicate.agent_a, predicate.agent_b)
    return (predicate.agent,)


def things_of(said: Utterance) -> tuple[Entity, ...]:
    """What a sentence counts."""
    if isinstance(said, Statement):
        predicate = said.predicate
        if isinstance(predicate, Rate):
            return (predicate.entity, predicate.per)
        return (predicate.entity,)
    return (said.entity,)


def with_people(said: Utterance, who: Callable[[str], str]) -> Utterance:
    """The same of other people.

    Raises:
        ValueError: somebody would give something to themselves.
    """
    if isinstance(said, Altogether):
        return replace(said, agents=(who(said.agents[0]), who(said.agents[1])))
    if not isinstance(said, Statement):
        return replace(said, agent=who(said.agent))
    predicate = said.predicate
    if isinstance(predicate, Transfer):
        receiver = None if predicate.receiver is None else who(predicate.receiver)
        sender = None if predicate.sender is None else who(predicate.sender)
        return replace(said, predicate=replace(predicate, receiver=receiver, sender=sender))
    if isinstance(predicate, Comparison):
        first, second = who(predicate.agent_a), who(predicate.agent_b)
        return replace(said, predicate=replace(predicate, agent_a=first, agent_b=second))
    return replace(said, predicate=replace(predicate, agent=who(predicate.agent)))


def with_things(said: Utterance, what: Callable[[Entity], Entity]) -> Utterance:
    """The same of other things; a rate's containers hold the new ones."""
    if not isinstance(said, Statement):
        return replace(said, entity=what(said.entity))
    predicate = said.predicate
    entity = what(predicate.entity)
    if isinstance(predicate, Rate):
        per = entity._replace(unit=predicate.per.unit)
        return replace(said, predicate=replace(predicate, entity=entity, per=per))
    return replace(said, predicate=replace(predicate, entity=entity))


def container_of(said: AtTheEnd) -> Statement:
    """What somebody has at the end, as a statement."""
    return Statement(Container(said.agent, said.quantity, said.entity))
