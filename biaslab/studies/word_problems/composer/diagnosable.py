"""Numbers for which each error model gives a wrong answer of its own.

Some ways cannot be told apart whatever the numbers: in a problem of one step, reversing a
subtraction is adding all numbers. Those are found beforehand from the shape of the story, with
numbers in general position, and named; the others have to differ from each other, from the
right answer and from every number in the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from biaslab.studies.word_problems.error_models import (
    NO_CARRY,
    REVERSE,
    SKIP,
    SMALLER_FROM_LARGER,
    STOP,
    WAYS,
    WRITTEN,
    WRONG_AGENT,
    Answers,
    Numbers,
    Rational,
    StoryShape,
    numbers_of,
    right_answer,
    shape_of,
    wrong_answers,
)
from biaslab.studies.word_problems.verification import UnsoundPair
from schoolmath.malrules import rules
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.problems import Draws, Operation, Problem, Solution

_GENERAL = 2
"""So many sets of numbers in general position have to agree on a coincidence."""

_NEEDS = {
    REVERSE: "no comparison is told the other way round",
    STOP: "there is one step only",
    SKIP: "there is one step only",
    NO_CARRY: "nothing is added",
    SMALLER_FROM_LARGER: "nothing is subtracted",
    WRONG_AGENT: "nobody else's amount is known",
}


@dataclass(frozen=True, slots=True)
class Distinctions:
    """Which error models a story can tell apart.

    Attributes:
        ways: ids of the mal-rules that are told apart, in the order of `WAYS`.
        left_out: the others, each with the reason in words.
    """

    ways: tuple[str, ...]
    left_out: Mapping[str, str]


@lru_cache(maxsize=4096)
def separation(shape: StoryShape, without: frozenset[str] = frozenset()) -> Distinctions:
    """Which ways stories of this shape tell apart with suitable numbers.

    Args:
        shape: of the story.
        without: ways of `WRITTEN` for which the range holds no numbers.
    """
    samples = [_in_general_position(shape, seed) for seed in range(_GENERAL)]
    found = [wrong_answers(shape, numbers) for numbers in samples]
    rights = [right_answer(shape, numbers) for numbers in samples]
    texts = [numbers.in_text() for numbers in samples]
    kept: list[str] = []
    left_out: dict[str, str] = {}
    for way in WAYS:
        if way in WRITTEN:
            sign = Operation.ADD if way == NO_CARRY else Operation.SUBTRACT
            if sign not in shape.operations:
                left_out[way] = f"It does not apply: {_NEEDS[way]}."
            elif way in without:
                needed = "sum carries" if way == NO_CARRY else "difference borrows"
                left_out[way] = f"No {needed} in these texts with numbers of this range."
            else:
                kept.append(way)
            continue
        reason = _coincidence(way, kept, found, rights, texts)
        if reason:
            left_out[way] = reason
        else:
            kept.append(way)
    return Distinctions(tuple(kept), left_out)


def _coincidence(
    way: str,
    kept: list[str],
    found: list[dict[str, Answers]],
    rights: list[Rational],
    texts: list[tuple[int, ...]],
) -> str:
    """Why a way gives no answer of its own whatever the numbers; "" where it does."""
    own = [each.get(way, ()) for each in found]
    if not all(own):
        return f"It does not apply: {_NEEDS.get(way, 'there is nothing to do it with')}."
    if all(right in answers for right, answers in zip(rights, own, strict=True)):
        return "It gives the right answer, whatever the numbers."
    if all(set(text) & set(answers) for text, answers in zip(texts, own, strict=True)):
        return "It gives a number that stands in the text, whatever the numbers."
    for other in kept:
        theirs = [each.get(other, ()) for each in found]
        if all(set(a) & set(b) for a, b in zip(own, theirs, strict=True)):
            return f"It gives the same answer as {WAYS[other]}, whatever the numbers."
    return ""


def _in_general_position(shape: StoryShape, seed: int) -> Numbers:
    """Large numbers without any relation to each other."""
    draws = Draws(f"general position {seed}")

    def some(count: int) -> tuple[int, ...]:
        return tuple(draws.between(10**6, 10**9) for _ in range(count))

    (start,) = some(1)
    return Numbers(
        start, some(len(shape.operations)), some(len(shape.bystanders)), some(shape.irrelevant)
    )


@dataclass(frozen=True, slots=True)
class ErrorAnswers:
    """What the error models answer on one problem.

    Attributes:
        story: the problem as the mal-rules see it.
        separation: which ways are told apart.
        answers: of these ways.
    """

    story: Story
    separation: Distinctions
    answers: Mapping[str, Answers]

    @classmethod
    def of(
        cls,
        problem: Problem,
        text: str,
        without: frozenset[str] = frozenset(),
        solution: Solution | None = None,
    ) -> ErrorAnswers:
        """Works out what everybody answers.

        Args:
            problem: statements and question.
            text: how it is written.
            without: ways of `WRITTEN` for which the range holds no numbers.
            solution: of the problem, where the caller has it already.

        Raises:
            ProblemError, ValueError: the problem has no solution or its steps are no chain.
        """
        story = Story.of_problem(problem, text, solution)
        shape = shape_of(story)
        told = separation(shape, without)
        return cls(story, told, wrong_answers(shape, numbers_of(story), told.ways))

    def clash(self, *, plausible: bool = False) -> str:
        """Which promise these numbers break, in words; "" where they keep all.

        Args:
            plausible: whether wrong answers also have to be whole numbers from 0, as somebody
                who counts things would answer.
        """
        taken: dict[Rational, str] = dict.fromkeys(
            self.story.numbers_in_text, "a number in the text"
        )
        taken[self.story.amounts[-1]] = "the right answer"
        for way in self.separation.ways:
            answers = self.answers.get(way, ())
            if not answers:
                return f"{WAYS[way]} changes nothing"
            for answer in answers:
                if plausible and (answer < 0 or answer.denominator != 1):
                    return f"{WAYS[way]} gives {answer}, which nobody would answer"
                if answer in taken:
                    return f"{WAYS[way]} gives {taken[answer]}"
            taken |= dict.fromkeys(answers, f"the answer of {WAYS[way]}")
        return ""

    def prove(self) -> None:
        """Checks what is promised with the mal-rules themselves.

        Raises:
            UnsoundPair: a rule gives another answer than the direct arithmetic, or one that is
                not its own.
        """
        for way in self.separation.ways:
            given = {worked.answer.value for worked in rules()[way].run(self.story)}
            if given != set(self.answers.get(way, ())):
                raise UnsoundPair(
                    f"{way} gives {sorted(map(str, given))}, not "
                    f"{sorted(map(str, self.answers.get(way, ())))}: {self.story.text}"
                )
        clash = self.clash()
        if clash:
            raise UnsoundPair(f"The numbers tell nothing apart: {clash}: {self.story.text}")

    def facts(self) -> dict[str, Any]:
        """The ways with their wrong answers, and those left out with the reason, JSON-ready."""
        return {
            "ways": {
                way: [str(answer) for answer in self.answers[way]] for way in self.separation.ways
            },
            "ways_left_out": dict(self.separation.left_out),
        }
