"""When a problem that was read has a solution that its author may not have meant.

The solver takes sentences in their order and leaves alone what does not lead to the answer. In
a text of this lab that is right; in anybody's text it could hide that two things are one thing,
or that a sentence came too late.
"""

from __future__ import annotations

from collections.abc import Iterator

from schoolmath.problems.logic import (
    Comparison,
    Container,
    Entity,
    Problem,
    Rate,
    Statement,
    Transfer,
)
from schoolmath.problems.solving import Possession, Solution
from schoolmath.problems.vocabulary import Vocabulary


def doubt_about(problem: Problem, solution: Solution, words: Vocabulary) -> str:
    """Why the solution may not be what is meant, as a sentence; "" where it is."""
    return below_none(solution, words) or unsure(problem, solution, words)


def unsure(problem: Problem, solution: Solution, words: Vocabulary) -> str:
    """Why it may not have been read as it is meant, as a sentence; "" where it is."""
    return _twice(problem) or _late(problem, solution) or _nearly_alike(problem, solution, words)


def below_none(solution: Solution, words: Vocabulary) -> str:
    """A step that leaves somebody with less than nothing, as a sentence; "" where none does."""
    for step in solution.steps:
        if step.result < 0:
            what = words.write(step.possession.entity, 2)
            return (
                f"{step.equation()}: {step.possession.agent} would have fewer {what} than none. "
                "Change a number."
            )
    return ""


def _twice(problem: Problem) -> str:
    """The same said twice, which may mean twice as much."""
    told: dict[Container, int] = {}
    for index, statement in enumerate(problem.statements):
        predicate = statement.predicate
        if isinstance(predicate, Container):
            first = told.setdefault(predicate, index)
            between = problem.statements[first + 1 : index]
            if first < index and not any(isinstance(x.predicate, Transfer) for x in between):
                return (
                    f"Sentences {first + 1} and {index + 1} say the same: leave one out, or write "
                    "“gets” for what is added."
                )
    return ""


def _late(problem: Problem, solution: Solution) -> str:
    """A change of an amount that is told only after it, by words that may mean before it."""
    if not any(isinstance(each.predicate, Transfer) for each in problem.statements):
        return ""
    known: set[Possession] = set()
    changed: dict[Possession, int] = {}
    waiting: list[int] = []
    for index, statement in enumerate(problem.statements):
        predicate = statement.predicate
        if isinstance(predicate, Transfer):
            for agent in (predicate.sender, predicate.receiver):
                if agent is not None:
                    possession = Possession(agent, predicate.entity)
                    if possession not in known:
                        changed.setdefault(possession, index)
            continue
        waiting.append(index)
        for place, possession in _settled(problem, waiting, known):
            change = changed.get(possession)
            if change is None or place in solution.unused:
                continue
            if place < change or isinstance(problem.statements[place].predicate, Container):
                return (
                    f"Sentence {change + 1} changes what {possession.agent} has before that "
                    "is told: tell first what somebody has, then what happens."
                )
    return ""


def _settled(
    problem: Problem, waiting: list[int], known: set[Possession]
) -> Iterator[tuple[int, Possession]]:
    """Takes the statements off that tell an amount by what is known; each with that amount."""
    again = True
    while again and waiting:
        again = False
        for index in tuple(waiting):
            possession = _stated(problem.statements[index], known)
            if possession is not None:
                waiting.remove(index)
                known.add(possession)
                again = True
                yield index, possession


def _stated(statement: Statement, known: set[Possession]) -> Possession | None:
    predicate = statement.predicate
    if isinstance(predicate, Container):
        return Possession(predicate.agent, predicate.entity)
    if isinstance(predicate, Comparison):
        one = Possession(predicate.agent_a, predicate.entity)
        other = Possession(predicate.agent_b, predicate.entity)
    elif isinstance(predicate, Rate):
        one = Possession(predicate.agent, predicate.entity)
        other = Possession(predicate.agent, predicate.per)
    else:
        return None
    if other in known:
        return one
    return other if one in known else None


def _nearly_alike(problem: Problem, solution: Solution, words: Vocabulary) -> str:
    """A sentence that is not needed only because it names a thing in other words."""
    if not solution.unused:
        return ""
    unused = set(solution.unused)
    needed = [each.predicate for i, each in enumerate(problem.statements) if i not in unused]
    people = {problem.question.agent, *(name for each in needed for name in _people(each))}
    things = {problem.question.entity, *(each.entity for each in needed)}
    for index in solution.unused:
        predicate = problem.statements[index].predicate
        if not people.intersection(_people(predicate)):
            continue
        moved = isinstance(predicate, Transfer)
        for thing in things:
            if thing != predicate.entity and _could_be(predicate.entity, thing, moved=moved):
                one = words.write(predicate.entity, 2)
                other = words.write(thing, 2)
                return (
                    f"Sentence {index + 1} counts “{one}”, which may or may not be part of the "
                    f"“{other}”: write the same words where the same is meant."
                )
    return ""


def _people(predicate: Container | Transfer | Comparison | Rate) -> tuple[str | None, ...]:
    match predicate:
        case Transfer():
            return (predicate.sender, predicate.receiver)
        case Comparison():
            return (predicate.agent_a, predicate.agent_b)
    return (predicate.agent,)


def _could_be(one: Entity, other: Entity, *, moved: bool) -> bool:
    """Whether one thing may be meant to be, or to be part of, the other."""
    if one.noun == other.noun and one.attribute == other.attribute:
        return moved
    if bool(one.unit) != bool(other.unit):
        return False
    mine, theirs = _words(one), _words(other)
    return mine < theirs or theirs < mine


def _words(entity: Entity) -> set[str]:
    return set(f"{entity.unit}_{entity.attribute}_{entity.noun}".split("_")) - {""}
