"""Stories in anybody's words whose equations are proved, and what goes wrong without the plan."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple, Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.stories.chain import in_columns, reckon
from schoolmath.malrules.forms import NotDrawn, check_that, form
from schoolmath.problems.draws import Draws
from schoolmath.problems.logic import Operation

_EQUATION = re.compile(r"(\d+) ([-+×÷]) (\d+) = (\d+)")
_VARIED = re.compile(r"(?<![\d/.])(\d+)(?![\d/%.]\d|/|%| percent| per cent|\d)")
"""A number that another can stand for: no fraction and no percent."""
_IMPLIED = {
    2: r"half|halves|both|pairs?\b|couple|twice|doubl", 3: r"thirds?\b|thrice|tripl",
    4: r"quarter|quadrupl", 5: r"nickel", 7: r"week|days?\b", 10: r"dime", 25: r"quarter",
    12: r"dozen|months?\b|years?\b|inch|feet|foot",
    24: r"hours?\b|days?\b", 60: r"hours?\b|minutes?\b|seconds?\b", 100: r"percent|cents?\b|%",
}  # fmt: skip
"""Words behind which a number stands; the same number in digits may be another thing."""
_ATTEMPTS = 200
_OPERATIONS = {
    "+": Operation.ADD, "-": Operation.SUBTRACT, "×": Operation.MULTIPLY, "÷": Operation.DIVIDE,
}  # fmt: skip
_CLAUSES = {
    "+": "adds {0} and {1} and gets {2}", "-": "takes {1} from {0} and gets {2}",
    "×": "multiplies {0} by {1} and gets {2}", "÷": "divides {0} by {1} and gets {2}",
}  # fmt: skip


class ToldEquation(NamedTuple):
    """A step of the right way."""

    left: int
    sign: str
    right: int
    result: int

    @property
    def operation(self) -> str:
        return _OPERATIONS[self.sign]

    @property
    def clause(self) -> Step:
        """What is done, in words."""
        return step(_CLAUSES[self.sign], self.left, self.right, self.result)


@form("word problems", (3, 6), 2)
class ToldStory:
    """A story that a reader of stories has solved, whatever its sentences are.

    Attributes:
        text: the story with its question.
        numbers_in_text: every number in it, in order.
        told: the equations that lead to its answer, such as ``8 + 10 = 18``.
    """

    text: str
    numbers_in_text: tuple[int, ...]
    told: tuple[str, ...]

    def __post_init__(self) -> None:
        check_that(len(self.numbers_in_text) > 1, "There are two numbers or more in it.")
        check_that(bool(self.told), "There is an equation.")
        for each in self.equations:
            check_that(reckon(each.operation, Fraction(each.left), each.right) == each.result,
                       "Its equations are true.")  # fmt: skip

    @property
    def equations(self) -> tuple[ToldEquation, ...]:
        """The equations, taken apart.

        Raises:
            ValueError: one has other numbers than whole ones from 0.
        """
        found = [_EQUATION.fullmatch(each) for each in self.told]
        check_that(all(found), "All of its equations have whole numbers.")
        return tuple(
            ToldEquation(int(each[1]), each[2], int(each[3]), int(each[4]))
            for each in found
            if each
        )

    def stem(self) -> str:
        return " ".join(self.text.split())

    def solve(self) -> Working:
        last = self.equations[-1].result
        return by_steps(Answer.number(last), *(each.clause for each in self.equations))

    def one_step_early(self) -> Working | None:
        """What has come out before the last equation."""
        if len(self.equations) == 1:
            return None
        before = self.equations[:-1]
        clauses = [each.clause for each in before]
        return by_steps(Answer.number(before[-1].result), *clauses, key_step=len(before) - 1)

    def turned_round(self) -> Working | None:
        """Multiplied where the last equation divides, or the reverse."""
        *before, last = self.equations
        turned = {"×": "÷", "÷": "×"}.get(last.sign)
        value = reckon(_OPERATIONS[turned], Fraction(last.left), last.right) if turned else None
        if turned is None or value is None:
            return None
        told = step(_CLAUSES[turned], last.left, last.right, value)
        clauses = [each.clause for each in before]
        return by_steps(Answer.number(value), *clauses, told, key_step=len(before))

    def columns_alone(self, sign: str, aside: str) -> Working | None:
        """The last sum without its carries, the last difference without borrowing."""
        *before, last = self.equations
        if last.sign != sign:
            return None
        wrong = in_columns(last.operation, last.left, last.right)
        if wrong is None:
            return None
        told = step(f"{aside} {_CLAUSES[sign]}", last.left, last.right, wrong)
        clauses = [each.clause for each in before]
        return by_steps(Answer.number(wrong), *clauses, told, key_step=len(before))

    def varied(self, draws: Draws) -> Self:
        """The same story with other numbers of as many digits.

        Numbers in words, fractions and percents stay as they are.

        Raises:
            NotDrawn: one number stands for two things in its equations, or no others fit.
        """
        between = [each.result for each in self.equations[:-1]]
        constants = {each for one in self.equations for each in (one.left, one.right)}
        known = [*self.numbers_in_text, *between]
        pieces = _VARIED.split(self.text)
        drawn = [int(each) for each in pieces[1::2]]
        words = self.text.lower()
        implied = {each for each, behind in _IMPLIED.items() if re.search(behind, words)}
        if len(set(known)) != len(known) or implied & constants & {*drawn, *between}:
            raise NotDrawn("One of its numbers may stand for two things.")
        if not set(drawn) <= set(self.numbers_in_text):
            raise NotDrawn("Its numbers are written in other ways.")
        for _ in range(_ATTEMPTS):
            numbers = [
                draws.between(max(2, 10 ** (len(each) - 1)), 10 ** len(each) - 1)
                for each in pieces[1::2]
            ]
            other = dict(zip(drawn, numbers, strict=True))
            values = {each: each for each in constants - set(between)} | other
            told = self._told_with(values) if len(set(numbers)) == len(numbers) else None
            if numbers and told is not None:
                pieces[1::2] = map(str, numbers)
                in_text = tuple(other.get(each, each) for each in self.numbers_in_text)
                return type(self)("".join(pieces), in_text, told)
        raise NotDrawn("No other numbers fit.")

    def _told_with(self, values: dict[int, int]) -> tuple[str, ...] | None:
        told = []
        for each in self.equations:
            left, right = values[each.left], values[each.right]
            result = reckon(each.operation, Fraction(left), right)
            if result is None or result < 0 or result.denominator != 1:
                return None
            values = values | {each.result: int(result)}
            told.append(f"{left} {each.sign} {right} = {result}")
        return tuple(told)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one, other = draws.between(13, 30 * grade), draws.between(12, 20 * grade)
        few, some = draws.between(3, 9), draws.between(4, 12)
        match draws.between(1, 4):
            case 1:
                text = (
                    f"There were {one} girls and {other} boys in the yard. "
                    "How many children were there in all?"
                )
                return cls(text, (one, other), (f"{one} + {other} = {one + other}",))
            case 2:
                text = (
                    f"You fill {few} bags. Each bag has {some} nuts. "
                    "How many nuts is that altogether?"
                )
                return cls(text, (few, some), (f"{few} × {some} = {few * some}",))
            case 3:
                whole = one + other
                text = (
                    f"Mira had {whole} leaves. Some of the leaves blew away. Now Mira has {one} "
                    "leaves left. How many leaves blew away?"
                )
                return cls(text, (whole, one), (f"{whole} - {one} = {other}",))
        people = few * some
        text = (
            f"There are {people - few} pupils and {few} teachers going. Each van can hold {some} "
            "people. How many vans are needed?"
        )
        told = (f"{people - few} + {few} = {people}", f"{people} ÷ {some} = {few}")
        return cls(text, (people - few, few, some), told)
