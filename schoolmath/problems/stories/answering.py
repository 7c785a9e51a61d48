"""One answer to a problem in anybody's words, from both readers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from schoolmath.problems.logic import Container, Rate, Transfer
from schoolmath.problems.reading import ReadText, read
from schoolmath.problems.stories.understanding import UnderstoodStory, understand


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """What a text's answer is, or why it has none.

    Attributes:
        answer: None where the text was refused.
        steps: the equations that lead to it.
        reasons: why it was refused, as sentences; empty where there is an answer.
        read: what the reader of sentences understood.
        story: what the reader of stories understood.
    """

    answer: Fraction | None
    steps: tuple[str, ...]
    reasons: tuple[str, ...]
    read: ReadText
    story: UnderstoodStory


def answer(text: str) -> TextAnswer:
    """The answer to an arithmetic word problem, or why there is none.

    Two readers of different make read it: one sentence by sentence into a mental model
    (`schoolmath.problems.reading`), one clause by clause into amounts (`understand`). What both
    answer, they must answer alike; what the first reads as a whole and doubts stays refused.

    Args:
        text: the problem with its question; anything may be given.
    """
    exact, story = read(text), understand(text)
    if exact.solution is not None:
        found = Fraction(exact.solution.answer)
        if story.answer is not None and story.answer != found:
            reason = "The text can be read in two ways that give different answers: say it plainer."
            return TextAnswer(None, (), (reason,), exact, story)
        if story.answer is None and (_passes_over(exact) or _counts_a_part(story)):
            reason = "Something that is told of the one who is asked about was not understood."
            return TextAnswer(None, (), (reason,), exact, story)
        steps = tuple(step.equation() for step in exact.solution.steps)
        return TextAnswer(found, steps, (), exact, story)
    if exact.problem is not None:
        return TextAnswer(None, (), (exact.fault,), exact, story)
    if story.answer is not None:
        return TextAnswer(story.answer, story.steps, (), exact, story)
    return TextAnswer(None, (), story.reasons or (exact.fault,), exact, story)


def _counts_a_part(story: UnderstoodStory) -> bool:
    """Whether something is told of a part: "She got 8 of them", "Ben lost 8 of her pens"."""
    for each in story.amounts:
        whose = {flag.removeprefix("of ") for flag in each.flags if flag.startswith("of ")}
        got = each.kind in {"gain", "make"}
        if "part" in each.flags and ((got and not whose) or (not got and whose - {*each.owners})):
            return True
    return False


def _passes_over(read: ReadText) -> bool:
    """Whether the sentences' reader leaves out something told of the very one who is asked about.

    What is told of others has no part in the answer where nothing passes between them. Of the same
    one it may have: "seven quarters, three dimes and five pennies".
    """
    assert read.problem is not None
    assert read.solution is not None
    asked = read.problem.question.agent
    for index in read.solution.unused:
        predicate = read.problem.statements[index].predicate
        if isinstance(predicate, Container | Rate) and predicate.agent == asked:
            return True
        if isinstance(predicate, Transfer) and not read.solution.steps:
            # "She had 27 dollars and bought 8 beads", "her cat lost 8 of them"; but what passes
            # between two others who have names is theirs.
            agents = [each for each in (predicate.receiver, predicate.sender) if each is not None]
            if asked in agents or not all(each.istitle() for each in agents):
                return True
    return False
