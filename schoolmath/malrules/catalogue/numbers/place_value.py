"""Numbers in words and in expanded form."""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.digits import PLACES, digits
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws
from schoolmath.text.numbers import in_words


def _by_digit(value: int) -> tuple[int, ...]:
    parts = [digit * 10**place for place, digit in enumerate(digits(value)) if digit]
    return tuple(reversed(parts))


@form("number and operation", (3, 3), 1)
class NumberInWords:
    """A number in words, to be written in digits; from 101 to 9,999 and no round one."""

    number: int

    def __post_init__(self) -> None:
        if not 100 < self.number < 10_000 or len(self.parts) < 2:
            raise ValueError(
                f"{self.number} in words has fewer than two named parts, or more than four digits."
            )

    @property
    def parts(self) -> tuple[int, ...]:
        """The named parts: thousands, hundreds, and what is below a hundred."""
        found = (self.number // 1000 * 1000, self.number % 1000 // 100 * 100, self.number % 100)
        return tuple(part for part in found if part)

    def stem(self) -> str:
        return f"How is the number {in_words(self.number)} written in digits?"

    def solve(self) -> Worked:
        return _put_together(_by_digit(self.number), self.number)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        high = draws.between(1, 9) * 100
        if draws.chance(0.5):
            high = draws.between(1, 9) * 1000 + draws.below(10) * 100
        return cls(high + draws.between(1, 99 if draws.chance(0.5) else 9))


@form("number and operation", (3, 3), 1)
class ExpandedForm:
    """A number in expanded form, ``400 + 20 + 6``; of three or four digits, no round one."""

    number: int

    def __post_init__(self) -> None:
        if not 100 < self.number < 10_000 or len(self.parts) < 2:
            raise ValueError(
                f"{self.number} has fewer than two parts in expanded form, or not three or four "
                "digits."
            )

    @property
    def parts(self) -> tuple[int, ...]:
        """The parts that are added."""
        return _by_digit(self.number)

    def stem(self) -> str:
        return f"Which number is {' + '.join(str(part) for part in self.parts)}?"

    def solve(self) -> Worked:
        return _put_together(self.parts, self.number)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        value = draws.between(1, 9)
        for _ in range(draws.between(2, 3)):
            value = value * 10 + (0 if draws.chance(0.3) else draws.between(1, 9))
        if len(_by_digit(value)) < 2:
            value += draws.between(1, 9)
        return cls(value)


def _put_together(parts: tuple[int, ...], value: int) -> Worked:
    steps = []
    for part in parts:
        place = len(str(part)) - 1
        steps.append(
            step(f"puts {{0}} in the {PLACES[place]} place for {{1}}", part // 10**place, part)
        )
    steps.append(step("writes {0}, with a {1} in each empty place", value, 0))
    if "0" not in str(value):
        steps[-1] = step("writes {0}", value)
    return Worked(Answer.number(value), tuple(steps))


@mal_rule("NO26")
def expanded_form_concatenation(problem: NumberInWords | ExpandedForm) -> tuple[Worked, ...]:
    """Every named part is written in full; in words, tens and ones as one part or two."""
    ways = [problem.parts]
    if _by_digit(problem.number) not in ways:
        ways.append(_by_digit(problem.number))
    return tuple(_written_in_full(parts) for parts in ways)


def _written_in_full(parts: tuple[int, ...]) -> Worked:
    written = int("".join(str(part) for part in parts))
    steps = [step("writes {0} in full", parts[0])]
    steps += [step("writes {0} in full behind it", part) for part in parts[1:]]
    steps.append(step("gets {0}", written))
    return Worked(Answer.number(written), tuple(steps), 1)
