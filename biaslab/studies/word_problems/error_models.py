"""What each error model answers on a story, by direct arithmetic.

The rules themselves (`schoolmath.malrules`) also tell how somebody gets there, which takes a
hundred times as long. Numbers are chosen with this module; then the rules prove the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from schoolmath.malrules.catalogue.stories.chain import COMPARISON, REVERSED, TRANSFER, in_columns
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.problems import Operation

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
    found = {way: _distinct(_WORK[way](shape, numbers)) for way in ways}
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


def _distinct(answers: Iterable[Rational | None]) -> Answers:
    return tuple(dict.fromkeys(each for each in answers if each is not None))
