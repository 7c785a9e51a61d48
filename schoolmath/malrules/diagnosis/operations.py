"""Which operations a written working does at the steps of a story, whatever comes out of them.

Operation and number are two findings. ``17 - 18 = 2`` where 18 is to be added is the reversed
operation, and that is miscalculated; from the 2 alone neither could be told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from schoolmath.malrules.catalogue.stories.chain import COMPARISON
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.diagnosis.calculations import Calculation, exactly, read_calculations
from schoolmath.malrules.diagnosis.rounding import is_rounded


@dataclass(frozen=True, slots=True)
class WrittenOperation:
    """One calculation of two numbers, as written.

    Attributes:
        left, right: its numbers; operation: one of ``+ - * /``.
        result: what is said to come out, or what does where nothing is said; None: nothing is
            said, and nothing can come out (a division by 0).
        miscalculated: whether the result is another number than the calculation gives.
    """

    left: Fraction
    operation: str
    right: Fraction
    result: Fraction | None
    miscalculated: bool


def written_operations(story: Story, text: str) -> Mapping[int, WrittenOperation]:
    """The calculation that a working does at each step, by the step's index from 0.

    A calculation is a step's if it takes the step's number together with the amount that the
    step starts from: the right one, or what the working has there. Where none does, it is one that
    takes this number together with an amount, where the number is nothing else in problem and
    working. What is divided by something else is not, nor is a check of a result
    (``35 - 18 = 17`` after ``17 + 18``). A step that is done in two ways is left out.

    Args:
        story: the problem.
        text: reasoning and answer, as written.
    """
    pieces = list(_pieces(read_calculations(text)))
    amounts = [Fraction(each) for each in story.amounts]
    told = [Fraction(each) for each in story.numbers_in_text]
    reckoned = {*amounts, *(each.result for each in pieces)}
    numbers = {Fraction(each) for each in (*story.numbers, *story.irrelevant)}
    found: dict[int, WrittenOperation] = {}
    reached: Fraction | None = None
    for index, number in enumerate(map(Fraction, story.numbers)):
        have = {amounts[index], amounts[index] if reached is None else reached}
        own = [each for each in pieces if any(_takes(each, number, one) for one in have)]
        if not own and told.count(number) == 1 and number not in reckoned:
            own = [
                each
                for each in pieces
                if numbers.intersection((each.left, each.right)) == {number}
                and (each.right == number or each.operation != "/")
                and each.left != each.right
                and each.result not in have
            ]
        reached = None
        if own and len({each.operation for each in own}) == 1:
            found[index] = own[-1]
            reached = own[-1].result
    return found


def reversed_comparisons(
    story: Story, written: Mapping[int, WrittenOperation]
) -> Mapping[int, bool]:
    """Of the inconsistent comparisons whose operation is written: whether the words' one is done.

    Args:
        story: the problem.
        written: of `written_operations`.
    """
    return {
        index: written[index].operation == story.keywords[index]
        for index in inconsistent_comparisons(story)
        if index in written
    }


def inconsistent_comparisons(story: Story) -> Sequence[int]:
    """The steps where a comparison's words suggest another operation than is needed."""
    return [
        index
        for index in story.steps
        if story.concepts[index] == COMPARISON and story.inconsistent(index)
    ]


def _pieces(said: Sequence[object]) -> Iterator[WrittenOperation]:
    """Calculations of several numbers, taken apart from left to right."""
    for each in said:
        if not isinstance(each, Calculation):
            continue
        value = each.operands[0]
        steps = list(zip(each.operations, each.operands[1:], strict=True))
        for place, (operation, number) in enumerate(steps):
            exact = exactly(operation, value, number)
            stated = each.result if place == len(steps) - 1 else None
            result = exact if stated is None else stated
            yield WrittenOperation(value, operation, number, result, is_other(result, exact))
            if exact is None:
                break
            value = exact


def is_other(written: Fraction | None, exact: Fraction | None) -> bool:
    """Whether what is written is another number than what comes out, rounded or not."""
    if written is None or exact is None:
        return written is not exact
    return written != exact and not is_rounded(written, exact)


def _takes(piece: WrittenOperation, number: Fraction, amount: Fraction) -> bool:
    turned = (piece.left, piece.right) == (number, amount) and piece.operation != "/"
    return turned or (piece.left, piece.right) == (amount, number)
