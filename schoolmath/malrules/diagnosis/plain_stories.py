"""From the text of a plain story to its chain of steps.

The sentences are read by `schoolmath.problems.reading`; here they become a story that can be gone
wrong on. Besides problems with a solution there are two kinds of story that ask for something
else: what was at first, and what the other of two people has.
"""

from __future__ import annotations

from collections.abc import Sequence

from schoolmath.malrules.catalogue.stories.chain import PART, REVERSED, UNDONE
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.problems.errors import ProblemError
from schoolmath.problems.logic import Container, Operation, Problem, Question, Statement, Transfer
from schoolmath.problems.reading import (
    Altogether,
    AskedAtFirst,
    AtTheEnd,
    ReadText,
    Some,
    Times,
    Utterance,
    read,
)


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
        text: a sentence for each statement, and a question.

    Raises:
        UnreadStory: a sentence has a shape that is not known, or the story has no solution.
    """
    plain = " ".join(text.split())
    # Problems of this lab once said "3 times fewer" of a third.
    found = read(text, times=Times.AS_MANY)
    unread = [each.text for each in found.unread]
    if unread or (not found.sentences and not plain):
        listed = "; ".join(f"“{each}”" for each in unread) or "an empty text"
        raise UnreadStory(f"This could not be read: {listed}.", unread)
    if not found.sentences:
        raise UnreadStory(found.fault)
    try:
        return _story(plain, found)
    except UnreadStory:
        raise
    except (ProblemError, ValueError) as error:
        raise UnreadStory(f"All sentences were read, but: {error}") from error


def _story(text: str, reading: ReadText) -> Story:
    if reading.problem is not None:
        return _chain(text, reading.problem, reading)
    said = [each.said for each in reading.sentences if each.said is not None]
    question = next((each for each in said if isinstance(each, Question | AskedAtFirst)), None)
    told = [each for each in said if each is not question]
    if question is None or any(isinstance(each, Question | AskedAtFirst) for each in told):
        raise UnreadStory(reading.fault)
    if isinstance(question, AskedAtFirst) or any(isinstance(each, Some) for each in told):
        return _undone(text, told, question)
    return _part(text, told, question)


def _chain(text: str, problem: Problem, reading: ReadText) -> Story:
    story = Story.of_problem(problem, text)
    if reading.solution is None:
        raise UnreadStory(f"All sentences were read, but: {reading.fault}")
    return story


def _undone(text: str, utterances: Sequence[Utterance], question: Question | AskedAtFirst) -> Story:
    """Somebody has some, things change, so many are left: how many were there?"""
    start, *changes, end = utterances if len(utterances) > 2 else (None, None)
    agent = question.agent
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


def _part(text: str, utterances: Sequence[Utterance], question: Question | AskedAtFirst) -> Story:
    """Two have so many altogether, one of them so many: how many has the other?"""
    whole = next(each for each in utterances if isinstance(each, Altogether))
    rest = [each for each in utterances if each is not whole]
    part = rest[0].predicate if len(rest) == 1 and isinstance(rest[0], Statement) else None
    if (
        not isinstance(part, Container)
        or {part.agent, question.agent} != set(whole.agents)
        or part.agent == question.agent
    ):
        raise UnreadStory(
            "A story of two who have something altogether tells what one of them has, and asks "
            "for the other."
        )
    return Story(
        text, whole.quantity, (Operation.SUBTRACT,), (part.quantity,), (PART,),
        (Operation.ADD,), ("", question.agent), ("",),
    )  # fmt: skip
