"""Which fraction is the largest, and one fraction or mixed number written in another way."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.chance.single_chances import BagComparison
from schoolmath.malrules.catalogue.numbers.ordering import NumberKind, Ordering
from schoolmath.malrules.catalogue.writing import as_written, places_for
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws
from schoolmath.problems.vocabulary import vocabulary
from schoolmath.text.figures import listed


@form("number and operation", (3, 6), 1)
class FractionComparison:
    """The largest of two or more fractions.

    Attributes:
        fractions: numerator and denominator of each.
    """

    fractions: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        if len(self.fractions) < 2 or any(not 0 < top < bottom for top, bottom in self.fractions):
            raise ValueError("There must be two or more proper fractions.")
        if len({Fraction(*each) for each in self.fractions}) < len(self.fractions):
            raise ValueError("Two of the fractions are equal.")

    @property
    def labels(self) -> tuple[str, ...]:
        """The fractions as they are written."""
        return tuple(f"{top}/{bottom}" for top, bottom in self.fractions)

    def stem(self) -> str:
        if len(self.fractions) == 2:
            return f"Which is larger, {listed([*self.labels], 'or')}?"
        return f"Which of these fractions is the largest: {listed([*self.labels], 'or')}?"

    def solve(self) -> Working:
        common = lcm(*(bottom for _, bottom in self.fractions))
        raised = [f"{top * common // bottom}/{common}" for top, bottom in self.fractions]
        best = max(range(len(raised)), key=lambda i: Fraction(*self.fractions[i]))
        return by_steps(
            Answer.label(self.labels[best]),
            step(f"writes them over one denominator: {places_for(len(raised))}", *raised),
            step("finds {0} the largest of these", raised[best]),
            step("picks {0}", self.labels[best]),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = {3: 14, 4: 15}.get(grade, 20)
        for _ in range(400):
            near = 2 if grade == 3 else draws.between(2, 3)
            gap = draws.between(2, 3)
            top = gap * (near - 1) + draws.between(1, 4)
            more = draws.between(1, 3)
            rest = gap + gap * more // top + draws.between(1, 3)
            # The nearest to a whole, the largest, the one with the largest numerator, and the
            # one with the largest denominator: each is the choice of another idea.
            drawn = [
                (near - 1, near),
                (top, top + gap),
                (top + more, top + more + rest),
                (draws.between(1, top), draws.between(top + more + rest, most) + 1),
            ]
            if _four_ideas(drawn, most):
                return cls(tuple(draws.several(drawn, 4)))
        raise NotDrawn("No fractions to compare came up.")


@mal_rule("NO33")
def bigger_denominator(problem: FractionComparison | BagComparison | Ordering) -> Working | None:
    """Takes the one with the largest denominator."""
    if isinstance(problem, Ordering):
        if problem.kind is not NumberKind.FRACTION:
            return None
        return problem.by(_bottom, step("compares the denominators"))
    bottoms = [bottom for _, bottom in _pairs(problem)]
    largest = max(bottoms)
    if bottoms.count(largest) > 1:
        return None
    chosen = problem.labels[bottoms.index(largest)]
    seen = "the denominators" if isinstance(problem, FractionComparison) else "all the marbles"
    return by_steps(
        Answer.label(chosen),
        step(f"compares {seen}, {places_for(len(bottoms))}", *bottoms),
        step("takes the one with {0} as the largest", largest),
        _pick(problem, chosen),
    )


@mal_rule("NO34")
def gap_thinking(problem: FractionComparison | BagComparison | Ordering) -> Working | None:
    """Takes the one whose numerator is nearest to its denominator; equal gaps mean equal."""
    if isinstance(problem, Ordering):
        if problem.kind is not NumberKind.FRACTION:
            return None
        return problem.by(
            lambda each: int(each.partition("/")[0]) - _bottom(each),
            step("compares how far each numerator is from its denominator"),
        )
    gaps = [bottom - top for top, bottom in _pairs(problem)]
    smallest = min(gaps)
    same = gaps.count(smallest)
    compared = step(
        f"subtracts numerators from denominators and gets {places_for(len(gaps))}", *gaps
    )
    if isinstance(problem, BagComparison):
        compared = step(f"counts the marbles that are not red, {places_for(len(gaps))}", *gaps)
    if same == len(gaps):
        equal = step("sees the same gap, {0}, each time", smallest)
        return by_steps(Answer.label("equal"), compared, equal, step("answers equal"), key_step=1)
    if same > 1:
        return None  # Some of many look equal: no choice is left.
    chosen = problem.labels[gaps.index(smallest)]
    return by_steps(
        Answer.label(chosen),
        compared,
        step("takes the smallest gap, {0}, as nearest to the whole", smallest),
        _pick(problem, chosen),
        key_step=1,
    )


def _bottom(fraction: str) -> int:
    return int(fraction.partition("/")[2])


def _pairs(problem: FractionComparison | BagComparison) -> tuple[tuple[int, int], ...]:
    return problem.bags if isinstance(problem, BagComparison) else problem.fractions


def _pick(problem: FractionComparison | BagComparison, choice: str) -> Step:
    if isinstance(problem, BagComparison):
        return step(f"picks bag {choice}")
    return step("picks {0}", choice)


def _four_ideas(points: list[tuple[int, int]], most: int) -> bool:
    values = [Fraction(*each) for each in points]
    near, best, many, fine = points
    return (
        len({*values}) == 4
        and values[1] == max(values)
        and all(gcd(*each) == 1 for each in points)
        and many[0] > max(near[0], best[0], fine[0])
        and most >= fine[1] > max(near[1], best[1], many[1])
        and fine[1] - fine[0] > 1
    )


_MEASURED = {
    "plain": "Write {part} as a decimal.",
    "litre": "{name} pours {part} of a litre of water. Write the number of litres as a decimal.",
    "metre": "{name} cuts {part} of a metre of ribbon. Write the number of metres as a decimal.",
    "hour": "{name} reads for {part} of an hour. Write the number of hours as a decimal.",
}


@form("number and operation", (4, 6), 1)
class LowestTerms:
    """``6/8`` in lowest terms; drawn ones are below 1."""

    top: int
    bottom: int

    def __post_init__(self) -> None:
        if self.top < 1 or self.bottom < 2 or self.top == self.bottom:
            raise ValueError("A fraction to reduce has two different numbers.")
        if self.factor == 1:
            raise ValueError(f"{self.written} is in lowest terms already.")

    @property
    def written(self) -> str:
        """The fraction as it stands in the problem."""
        return f"{self.top}/{self.bottom}"

    @property
    def factor(self) -> int:
        """The greatest number that divides both."""
        return gcd(self.top, self.bottom)

    def stem(self) -> str:
        return f"Write {self.written} in lowest terms."

    def solve(self) -> Working:
        top, bottom = self.top // self.factor, self.bottom // self.factor
        return by_steps(
            as_written(top, bottom),
            step(
                "finds that {0} and {1} can be divided by {2}", self.top, self.bottom, self.factor
            ),
            step("divides both by {0} to get {1}", self.factor, f"{top}/{bottom}"),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        largest, factors = (9, (2, 3, 4, 5)) if grade == 4 else (12, (2, 3, 4, 5, 6, 7, 8))
        for _ in range(50):
            bottom = draws.between(3, largest)
            top = draws.between(2, bottom - 1)
            if gcd(top, bottom) == 1:
                factor = draws.one(factors)
                return cls(top * factor, bottom * factor)
        raise NotDrawn("No fraction to reduce came up.")


@form("number and operation", (4, 5), 1)
class MixedToImproper:
    """``2 3/4`` as an improper fraction."""

    whole: int
    top: int
    bottom: int

    def __post_init__(self) -> None:
        if self.whole < 1 or not 0 < self.top < self.bottom:
            raise ValueError("A mixed number is a whole number from 1 and a proper fraction.")

    @property
    def fraction(self) -> str:
        """The fraction beside the whole number."""
        return f"{self.top}/{self.bottom}"

    def stem(self) -> str:
        return f"Write {self.whole} {self.fraction} as an improper fraction."

    def solve(self) -> Working:
        parts = self.whole * self.bottom
        answer = as_written(parts + self.top, self.bottom)
        return by_steps(
            answer,
            step("multiplies {0} by {1} to get {2}", self.whole, self.bottom, parts),
            step("adds the numerator {0} to {1} and gets {2}", self.top, parts, answer.shown),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        largest = 8 if grade == 4 else 12
        for _ in range(50):
            bottom = draws.between(3, largest)
            top = draws.between(1, bottom - 1)
            if gcd(top, bottom) == 1:
                return cls(draws.between(2, 6 if grade == 4 else 9), top, bottom)
        raise NotDrawn("No mixed number came up.")


@form("number and operation", (5, 7), 1)
class FractionAsDecimal:
    """``3/4`` as a decimal of up to three places.

    Attributes:
        top: of the fraction.
        bottom: of the fraction.
        setting: the story; one of plain, litre, metre, hour.
        name: who is in the story.
    """

    top: int
    bottom: int
    setting: str = "plain"
    name: str = "Ana"

    def __post_init__(self) -> None:
        if not 0 < self.top < self.bottom or 1000 % self.bottom:
            raise ValueError("It must be a proper fraction whose denominator divides 1000.")
        if self.setting not in _MEASURED:
            raise ValueError(f"There is no story {self.setting!r}: use one of {[*_MEASURED]}.")

    @property
    def written(self) -> str:
        """The fraction as it stands in the problem."""
        return f"{self.top}/{self.bottom}"

    @property
    def power_of_ten(self) -> int:
        """The denominator under which it becomes a decimal: the least of 10, 100 and 1000."""
        return next(each for each in (10, 100, 1000) if each % self.bottom == 0)

    def stem(self) -> str:
        return _MEASURED[self.setting].format(part=self.written, name=self.name)

    def solve(self) -> Working:
        value = Fraction(self.top, self.bottom)
        base = self.power_of_ten
        raised = f"{value * base}/{base}"
        answer = Answer.decimal(value)
        if base == self.bottom:
            first = step("reads {0} as {1} parts of {2}", self.written, self.top, base)
        else:
            first = step("writes {0} as {1}", self.written, raised)
        return by_steps(answer, first, step("writes {0} as {1}", raised, answer.shown))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        bottoms = (4, 5, 20, 25) if grade == 5 else (4, 5, 8, 20, 25, 40, 50)
        for _ in range(50):
            bottom = draws.one(bottoms)
            top = draws.between(2, bottom - 1)
            if gcd(top, bottom) == 1:
                name = draws.one(vocabulary().names).text
                return cls(top, bottom, draws.one(tuple(_MEASURED)), name)
        raise NotDrawn("No fraction to write as a decimal came up.")


@mal_rule("NO248")
def digits_behind_the_point(problem: FractionAsDecimal) -> Working:
    """3/8 is 0.38."""
    written = f"0.{problem.top}{problem.bottom}"
    answer = Answer.number(Fraction(written), written)
    told = step("writes {0} and {1} behind the point", problem.top, problem.bottom)
    return by_steps(answer, told, step("gets {0}", answer))


@mal_rule("NO249")
def whole_times_the_top(problem: MixedToImproper) -> Working:
    """2 3/5 is 6/5."""
    answer = as_written(problem.whole * problem.top, problem.bottom)
    told = step("multiplies the top {0} by {1} and keeps the bottom", problem.top, problem.whole)
    return by_steps(answer, told, step("writes {0}", answer))
