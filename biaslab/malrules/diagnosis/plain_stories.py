"""From the text of a plain story to its mental model.

Reads the sentences that this lab writes and some simple shapes, one statement each. What it
cannot read it names; it never guesses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from biaslab.malrules.catalogue.story_problems import PART, REVERSED, UNDONE, Story
from biaslab.malrules.diagnosis.plain_sentences import (
    NOBODY,
    Altogether,
    Asked,
    AtTheEnd,
    Said,
    Some,
    read_sentence,
)
from biaslab.problems.errors import ProblemError
from biaslab.problems.logic import (
    Comparison,
    Container,
    Entity,
    Predicate,
    Problem,
    Question,
    Rate,
    Statement,
    Transfer,
)
from biaslab.problems.solving import Operation

_END = re.compile(r"(?<=[.?!])\s+")
_LONGEST = 5_000


class UnreadStory(ValueError):
    """A text that cannot be read as a story; the message names the sentence.

    Attributes:
        sentences: the sentences that cannot be read; empty where all were and the story
            cannot be solved.
    """

    def __init__(self, message: str, sentences: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.sentences = tuple(sentences)


def read_story(text: str) -> Story:
    """The story that a text tells.

    Args:
        text: a sentence for each statement, and a question at the end.

    Raises:
        UnreadStory: a sentence has a shape that is not known, or the story has no solution.
    """
    if len(text) > _LONGEST:
        raise UnreadStory(f"The text is longer than {_LONGEST} characters: no word problem is.")
    plain = " ".join(text.split())
    sentences = [each for each in _END.split(plain) if each]
    said = [read_sentence(each) for each in sentences]
    unread = [each for each, found in zip(sentences, said, strict=True) if found is None]
    if unread or not sentences:
        listed = "; ".join(f"“{each}”" for each in unread) or "an empty text"
        raise UnreadStory(f"This could not be read: {listed}.", unread)
    told = [each for each in said if each is not None]
    *statements, question = told
    if not isinstance(question, Asked) or any(isinstance(each, Asked) for each in statements):
        raise UnreadStory("A story ends with its one question, such as “How many does Ben have?”.")
    try:
        return _story(plain, statements, question)
    except UnreadStory:
        raise
    except (ProblemError, ValueError) as error:
        raise UnreadStory(f"All sentences were read, but: {error}") from error


def _story(text: str, said: Sequence[Said], question: Asked) -> Story:
    if question.at_first or any(isinstance(each, Some) for each in said):
        return _undone(text, said, question)
    if any(isinstance(each, Altogether) for each in said):
        return _part(text, said, question)
    statements = [
        Statement(Container(each.agent, each.quantity, question.entity))
        if isinstance(each, AtTheEnd)
        else each
        for each in said
    ]
    if not all(isinstance(each, Statement) for each in statements):
        raise UnreadStory("These sentences do not make one chain of steps.")
    known = [each for each in statements if isinstance(each, Statement)]
    return Story.of_problem(_problem(known, question), text)


def _problem(statements: list[Statement], asked: Asked) -> Problem:
    """The logical form, with what is left unsaid filled in where there is no choice."""
    people = list(dict.fromkeys(name for each in statements for name in _people(each.predicate)))
    noun = next((e.noun for each in statements for e in _entities(each.predicate) if e.noun), "")
    units = {each.predicate.per.unit for each in statements if isinstance(each.predicate, Rate)}
    things = {each.predicate.entity for each in statements if isinstance(each.predicate, Rate)}

    def entity(found: Entity) -> Entity:
        if not found.noun:
            found = Entity(noun or asked.entity.noun)
        if found.noun in units and not found.unit and len(things) == 1:
            # "Six baskets", where each basket holds apples: baskets of apples.
            (held,) = things
            return held._replace(unit=found.noun)
        return found

    filled = []
    for each in statements:
        predicate = each.predicate
        match predicate:
            case Container():
                predicate = Container(predicate.agent, predicate.quantity, entity(predicate.entity))
            case Transfer():
                predicate = Transfer(
                    predicate.receiver, predicate.sender, predicate.quantity,
                    entity(predicate.entity),
                )  # fmt: skip
            case Comparison():
                predicate = Comparison(
                    predicate.type, predicate.agent_a, predicate.agent_b, predicate.quantity,
                    entity(predicate.entity),
                )  # fmt: skip
            case Rate(agent=agent):
                if agent == NOBODY and len(people) == 1:
                    agent = people[0]
                predicate = Rate(agent, predicate.quantity, predicate.entity, predicate.per)
        filled.append(Statement(predicate, each.form, each.phrasing, each.dividing))
    return Problem(tuple(filled), Question(asked.agent, entity(asked.entity), now=asked.now))


def _people(predicate: Predicate) -> tuple[str, ...]:
    match predicate:
        case Container() | Rate():
            return (predicate.agent,) if predicate.agent else ()
        case Transfer():
            return tuple(name for name in (predicate.sender, predicate.receiver) if name)
        case Comparison():
            return (predicate.agent_a, predicate.agent_b)


def _entities(predicate: Predicate) -> tuple[Entity, ...]:
    return (predicate.entity,)


def _undone(text: str, said: Sequence[Said], asked: Asked) -> Story:
    """Somebody has some, things change, so many are left: how many were there?"""
    start, *changes, end = said if len(said) > 2 else (None, None)
    agent = asked.agent
    at_end = end.quantity if isinstance(end, AtTheEnd) and end.agent == agent else None
    if isinstance(end, Statement) and isinstance(end.predicate, Container):
        at_end = end.predicate.quantity if end.predicate.agent == agent else None
    operations, numbers, others = [], [], []
    for each in reversed(changes):
        predicate = each.predicate if isinstance(each, Statement) else None
        if not isinstance(predicate, Transfer) or agent not in (
            predicate.sender, predicate.receiver,
        ):  # fmt: skip
            at_end = None
            break
        gained = predicate.receiver == agent
        operations.append(Operation.SUBTRACT if gained else Operation.ADD)
        numbers.append(predicate.quantity)
        others.append((predicate.sender if gained else predicate.receiver) or "")
    if at_end is None or not isinstance(start, Some) or start.agent != agent:
        raise UnreadStory(
            "A story whose start is asked tells that somebody has some, what is given or got, "
            "and how many that person has now."
        )
    count = len(operations)
    return Story(
        text, at_end, tuple(operations), tuple(numbers), (UNDONE,) * count,
        tuple(REVERSED[each] for each in operations), (agent,) * (count + 1), tuple(others),
    )  # fmt: skip


def _part(text: str, said: Sequence[Said], asked: Asked) -> Story:
    """Two have so many altogether, one of them so many: how many has the other?"""
    whole = next(each for each in said if isinstance(each, Altogether))
    rest = [each for each in said if each is not whole]
    part = rest[0].predicate if len(rest) == 1 and isinstance(rest[0], Statement) else None
    if (
        not isinstance(part, Container)
        or {part.agent, asked.agent} != set(whole.agents)
        or part.agent == asked.agent
    ):
        raise UnreadStory(
            "A story of two who have something altogether tells what one of them has, and asks "
            "for the other."
        )
    return Story(
        text, whole.quantity, (Operation.SUBTRACT,), (part.quantity,), (PART,),
        (Operation.ADD,), ("", asked.agent), ("",),
    )  # fmt: skip
