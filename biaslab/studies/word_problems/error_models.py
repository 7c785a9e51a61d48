"""What each error model answers on a story, and numbers for which each gives one of its own.

The rules themselves (`schoolmath.malrules`) also tell how somebody gets there, which takes a
hundred times as long. Numbers are chosen with this module; then the rules prove the choice.

Some ways cannot be distinguished whatever the numbers: in a problem of one step, reversing a
subtraction is adding all numbers. Those are found beforehand from the shape of the story, with
numbers in general position, and named; the others have to differ from each other, from the
right answer and from every number in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from biaslab.studies.word_problems.verification import UnsoundPair
from schoolmath.malrules import rules
from schoolmath.malrules.catalogue.stories.chain import COMPARISON, REVERSED, TRANSFER, in_columns
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.problems import Draws, Operation, Problem, Solution

REVERSE, ADD_ALL, STOP, SKIP = "WP01", "WP02", "WP03", "WP04"
NO_CARRY, SMALLER_FROM_LARGER, WRONG_AGENT = "WP14", "WP15", "WP06"

WAYS: Mapping[str, str] = {
    REVERSE: "reversing the comparison",
    ADD_ALL: "adding all numbers",
    STOP: "stopping one step early",
    SKIP: "skipping a step",
    NO_CARRY: "dropping a carry",
    SMALLER_FROM_LARGER: "taking the smaller digit from the larger",
    WRONG_AGENT: "answering for the wrong person",
}
"""Ways that diagnosable numbers tell apart, by their mal-rules' ids; the first is preferred."""

WRITTEN = (NO_CARRY, SMALLER_FROM_LARGER)
"""Ways that depend on the digits, not on the structure alone."""


Rational: TypeAlias = int | Fraction
"""A whole number as an int, which is reckoned with many times as fast, or a fraction."""


@dataclass(frozen=True, slots=True)
class StoryShape:
    """A story without its numbers and names.

    Attributes:
        operations: what each step needs.
        keywords: the operation that the words of each step suggest; "" where none.
        comparisons, transfers: what each step is.
        people: who has the start and the result of each step, counted in the order they come.
        others: who else takes part in a transfer; None where nobody.
        bystanders: of whom the text tells an amount that is not needed.
        irrelevant: how many other numbers there are.
    """

    operations: tuple[str, ...]
    keywords: tuple[str, ...]
    comparisons: tuple[bool, ...]
    transfers: tuple[bool, ...]
    people: tuple[int, ...]
    others: tuple[int | None, ...]
    bystanders: tuple[int, ...]
    irrelevant: int

    def inconsistent(self) -> tuple[int, ...]:
        """Steps whose comparison suggests another operation than it needs."""
        return tuple(
            index
            for index, operation in enumerate(self.operations)
            if self.comparisons[index] and self.keywords[index] != operation
        )


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of a story."""

    start: int
    steps: tuple[int, ...]
    bystanders: tuple[int, ...]
    irrelevant: tuple[int, ...]

    def in_text(self) -> tuple[int, ...]:
        """All of them."""
        return (self.start, *self.steps, *self.bystanders, *self.irrelevant)


Answers: TypeAlias = tuple[Rational, ...]


def shape_of(story: Story) -> StoryShape:
    """The shape of a story."""
    people: dict[str, int] = {}

    def count(name: str) -> int:
        return people.setdefault(name, len(people))

    return StoryShape(
        story.operations,
        story.keywords,
        tuple(concept == COMPARISON for concept in story.concepts),
        tuple(concept == TRANSFER for concept in story.concepts),
        tuple(count(name) for name in story.agents),
        tuple(count(name) if name else None for name in story.others),
        tuple(count(name) for name in story.bystanders),
        len(story.irrelevant),
    )


def numbers_of(story: Story) -> Numbers:
    """The numbers of a story."""
    return Numbers(story.start, story.numbers, story.bystander_amounts, story.irrelevant)


def right_answer(shape: StoryShape, numbers: Numbers) -> Rational:
    """What comes out when nothing goes wrong."""
    found = _work(shape, numbers, {})
    assert found is not None  # no number is 0, so nothing is undefined
    return found


def wrong_answers(
    shape: StoryShape, numbers: Numbers, ways: Iterable[str] = tuple(WAYS)
) -> dict[str, Answers]:
    """Every answer of each way that applies, each answer once."""
    found = {
        way: tuple(dict.fromkeys(each for each in _WORK[way](shape, numbers) if each is not None))
        for way in ways
    }
    return {way: answers for way, answers in found.items() if answers}


_SKIPPED = "skip"
_COLUMNS = "columns"


def _work(shape: StoryShape, numbers: Numbers, deeds: Mapping[int, str]) -> Rational | None:
    """The chain with another operation, nothing, or a written slip at some steps."""
    amount: Rational | None = numbers.start
    for index, operation in enumerate(shape.operations):
        deed = deeds.get(index, operation)
        number = numbers.steps[index]
        if deed == _SKIPPED:
            continue
        if amount is None:
            return None
        if deed == _COLUMNS:
            slipped = in_columns(operation, amount, number)
            amount = _reckon(operation, amount, number) if slipped is None else slipped
        else:
            amount = _reckon(deed, amount, number)
    return amount


def _reckon(operation: str, left: Rational, right: Rational) -> Rational | None:
    if operation == Operation.ADD:
        return left + right
    if operation == Operation.SUBTRACT:
        return left - right
    if operation == Operation.MULTIPLY:
        return left * right
    if not right:
        return None
    divided = Fraction(left) / right
    return divided.numerator if divided.denominator == 1 else divided


def _everywhere_and_each(
    shape: StoryShape, numbers: Numbers, spots: Mapping[int, str]
) -> list[Rational | None]:
    ways = [dict(spots)] if len(spots) > 1 else []
    ways += [{index: deed} for index, deed in spots.items()]
    return [_work(shape, numbers, way) for way in ways]


def _reverse(shape: StoryShape, numbers: Numbers) -> Sequence[Rational | None]:
    spots = {index: shape.keywords[index] for index in shape.inconsistent()}
    return _everywhere_and_each(shape, numbers, spots)


def _add_all(_shape: StoryShape, numbers: Numbers) -> Sequence[Rational | None]:
    return [sum(numbers.in_text())]


def _stop(shape: StoryShape, numbers: Numbers) -> Sequence[Rational | None]:
    last = len(shape.operations) - 1
    return [_work(shape, numbers, {last: _SKIPPED})] if last else []


def _skip(shape: StoryShape, numbers: Numbers) -> Sequence[Rational | None]:
    last = len(shape.operations) - 1
    return [_work(shape, numbers, {index: _SKIPPED}) for index in range(last)]


def _written(operation: str) -> Callable[[StoryShape, Numbers], Sequence[Rational | None]]:
    def work(shape: StoryShape, numbers: Numbers) -> Sequence[Rational | None]:
        spots = {
            index: _COLUMNS for index, each in enumerate(shape.operations) if each == operation
        }
        right = right_answer(shape, numbers)
        return [each for each in _everywhere_and_each(shape, numbers, spots) if each != right]

    return work


def _wrong_agent(shape: StoryShape, numbers: Numbers) -> Sequence[Rational | None]:
    amounts: dict[int, Rational] = dict(zip(shape.bystanders, numbers.bystanders, strict=True))
    amount: Rational = numbers.start
    amounts[shape.people[0]] = amount
    for index, operation in enumerate(shape.operations):
        number, other = numbers.steps[index], shape.others[index]
        done = _reckon(operation, amount, number)
        assert done is not None  # no number is 0
        amounts[shape.people[index + 1]] = amount = done
        if other in amounts and shape.transfers[index] and other is not None:
            back = _reckon(REVERSED[operation], amounts[other], number)
            assert back is not None
            amounts[other] = back
    asked = shape.people[-1]
    compared = any(shape.comparisons)
    return [
        each
        for who, each in amounts.items()
        if who != asked and (compared or who in shape.others or who in shape.bystanders)
    ]


_WORK: Mapping[str, Callable[[StoryShape, Numbers], Sequence[Rational | None]]] = {
    REVERSE: _reverse,
    ADD_ALL: _add_all,
    STOP: _stop,
    SKIP: _skip,
    NO_CARRY: _written(Operation.ADD),
    SMALLER_FROM_LARGER: _written(Operation.SUBTRACT),
    WRONG_AGENT: _wrong_agent,
}


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
    distinct: list[str],
    problems: list[dict[str, Answers]],
    rights: list[Rational],
    texts: list[tuple[int, ...]],
) -> str:
    """Why a way gives no answer of its own whatever the numbers; "" where it does."""
    own = [each.get(way, ()) for each in problems]
    if not all(own):
        return f"It does not apply: {_NEEDS.get(way, 'there is nothing to do it with')}."
    if all(right in answers for right, answers in zip(rights, own, strict=True)):
        return "It gives the right answer, whatever the numbers."
    if all(set(text) & set(answers) for text, answers in zip(texts, own, strict=True)):
        return "It gives a number that stands in the text, whatever the numbers."
    for other in distinct:
        theirs = [each.get(other, ()) for each in problems]
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
