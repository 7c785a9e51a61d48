"""How a text was understood, in plain sentences and as who has what after each sentence."""

from __future__ import annotations

from dataclasses import dataclass

from schoolmath.problems.errors import UnsolvableProblem
from schoolmath.problems.logic import (
    Comparison,
    ComparisonType,
    Container,
    Entity,
    Possession,
    Problem,
    Question,
    Rate,
    Statement,
    Transfer,
    solve,
)
from schoolmath.problems.reading.entities import Altogether, AskedAtFirst, AtTheEnd, Some, Utterance
from schoolmath.problems.vocabulary import Vocabulary, vocabulary


def describe_statement(utterance: Utterance, words: Vocabulary | None = None) -> str:
    """One plain sentence telling how a sentence was understood.

    Args:
        utterance: what was read.
        words: the vocabulary of the text, `ReadText.words`; None: the shipped one.
    """
    words = words or vocabulary()
    many = words.write(_thing(utterance), 2)
    match utterance:
        case Statement():
            return _capital(_statement(utterance, words))
        case Question():
            now = " now" if utterance.now else ""
            return f"Asked: how many {many} {utterance.agent} has{now}."
        case AskedAtFirst():
            return f"Asked: how many {many} {utterance.agent} had at first."
        case Some():
            return _capital(f"{utterance.agent} has {many}; the number is not given.")
        case AtTheEnd():
            what = _amount(utterance.quantity, utterance.entity, words)
            return _capital(f"{utterance.agent} has {what} after everything before.")
        case Altogether():
            what = _amount(utterance.quantity, utterance.entity, words)
            return _capital(
                f"{utterance.agents[0]} and {utterance.agents[1]} have {what} together."
            )


def _statement(statement: Statement, words: Vocabulary) -> str:
    predicate = statement.predicate
    what = _amount(predicate.quantity, predicate.entity, words)
    many = words.write(predicate.entity, 2)
    match predicate:
        case Container():
            return f"{predicate.agent} has {what}."
        case Transfer():
            if predicate.sender is None:
                return f"{predicate.receiver} gains {what}."
            if predicate.receiver is None:
                return f"{predicate.sender} loses {what}."
            return f"{what} go from {predicate.sender} to {predicate.receiver}."
        case Comparison():
            one, other = predicate.agent_a, predicate.agent_b
            if predicate.type is ComparisonType.ADDITIVE:
                return f"{one} has {predicate.quantity} more {many} than {other}."
            return f"{one} has {predicate.quantity} times as many {many} as {other}."
        case Rate():
            unit = words.units[predicate.per.unit]
            if statement.dividing:
                return f"{predicate.agent}'s {many} fill {unit.plural}, {what} in each."
            return f"each of {predicate.agent}'s {unit.plural} holds {what}."


def _thing(utterance: Utterance) -> Entity:
    return utterance.predicate.entity if isinstance(utterance, Statement) else utterance.entity


def _amount(quantity: int, entity: Entity, words: Vocabulary) -> str:
    return f"{quantity} {words.write(entity, quantity)}"


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


@dataclass(frozen=True, slots=True)
class KnownAmount:
    """Somebody's amount of something, as far as known.

    Attributes:
        possession: whose amount of what.
        quantity: how much; None while the sentences so far do not tell.
    """

    possession: Possession
    quantity: int | None


def mental_model(problem: Problem) -> tuple[tuple[KnownAmount, ...], ...]:
    """Who has what after each statement, in the order in which they are named."""
    named: dict[Possession, None] = {}
    found = []
    for count, statement in enumerate(problem.statements, start=1):
        named.update(dict.fromkeys(_possessions(statement)))
        told = problem.statements[:count]
        found.append(tuple(KnownAmount(each, _quantity(told, each)) for each in named))
    return tuple(found)


def _possessions(statement: Statement) -> tuple[Possession, ...]:
    predicate = statement.predicate
    match predicate:
        case Container():
            return (Possession(predicate.agent, predicate.entity),)
        case Transfer():
            people = (predicate.sender, predicate.receiver)
            return tuple(Possession(name, predicate.entity) for name in people if name is not None)
        case Comparison():
            pair = (predicate.agent_a, predicate.agent_b)
            return tuple(Possession(name, predicate.entity) for name in pair)
        case Rate():
            things = (predicate.entity, predicate.per)
            return tuple(Possession(predicate.agent, thing) for thing in things)


def _quantity(statements: tuple[Statement, ...], possession: Possession) -> int | None:
    try:
        return solve(Problem(statements, Question(possession.agent, possession.entity))).answer
    except UnsolvableProblem:
        return None
