"""Addition in columns."""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.digits import PLACES, digits, number
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws


def columns(first: int, second: int) -> list[tuple[int, int]]:
    """The digits that stand one above the other, from the ones on; 0 where there is none."""
    upper, lower = digits(first), digits(second)
    width = max(len(upper), len(lower))
    upper += [0] * (width - len(upper))
    lower += [0] * (width - len(lower))
    return list(zip(upper, lower, strict=True))


def carries(first: int, second: int) -> int:
    """How many columns have to be carried from, the leftmost among them."""
    carry = times = 0
    for upper, lower in columns(first, second):
        carry = int(upper + lower + carry >= 10)
        times += carry
    return times


@form("number and operation", (3, 4), 1)
class ColumnAddition:
    """Two whole numbers added."""

    first: int
    second: int

    def __post_init__(self) -> None:
        if not (0 < self.first < 100_000 and 0 < self.second < 100_000):
            raise ValueError(
                f"{self.first} + {self.second}: both numbers are positive and have at most five "
                "digits."
            )

    def stem(self) -> str:
        return f"What is {self.first} + {self.second}?"

    def solve(self) -> Worked:
        steps = []
        carry, key, pairs = 0, None, columns(self.first, self.second)
        for place, (upper, lower) in enumerate(pairs):
            total = upper + lower + carry
            name = PLACES[place]
            start = f"adds {{0}} and {{1}} in the {name} column"
            shown: list[int] = [upper, lower]
            if carry:
                start += " and the carried {2}"
                shown.append(carry)
            if total >= 10 and place < len(pairs) - 1:
                key = place if key is None else key
                start += f", writes {{{len(shown)}}} and carries {{{len(shown) + 1}}}"
                shown += [total % 10, total // 10]
            else:
                start += f" and writes {{{len(shown)}}}"
                shown.append(total)
            steps.append(step(start, *shown))
            carry = total // 10
        result = self.first + self.second
        steps.append(step("reads the answer {0}", result))
        return Worked(Answer.number(result), tuple(steps), key or 0)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(40):
            width = 2 if grade <= 3 and draws.chance(0.5) else 3 if grade <= 3 else 4
            upper = [draws.between(1, 9) for _ in range(width)]
            lower = [draws.between(1, 9) for _ in range(width - (width > 2 and draws.chance(0.6)))]
            if len(lower) == width and upper[-1] + lower[-1] >= 9:
                upper[-1], lower[-1] = draws.between(1, 4), draws.between(1, 4)
            problem = cls(number(upper), number(lower))
            if carries(problem.first, problem.second):
                return problem
        raise NotDrawn(f"No addition with a carry came up for grade {grade}.")

    @classmethod
    def draw_widely(cls, draws: Draws, grade: int) -> Self:
        """Also with a number of one digit."""
        if draws.chance(0.7):
            return cls.draw(draws, grade)
        small = draws.between(1, 5)
        large = [draws.between(1, 9 - small) for _ in range(draws.between(2, 3))]
        return cls(int("".join(map(str, large))), small)
