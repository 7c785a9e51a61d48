"""Which fraction is the largest."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.chance.comparing_bags import BagComparison
from schoolmath.malrules.catalogue.exact_writing import listed
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Step, Worked, step
from schoolmath.problems.draws import Draws


@form("number and operation", (3, 6), 1)
class FractionComparison:
    """The largest of two or more fractions.

    Attributes:
        fractions: numerator and denominator of each.

    Raises:
        ValueError: there are fewer than two, one is not proper, or two are equal.
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

    def solve(self) -> Worked:
        common = lcm(*(bottom for _, bottom in self.fractions))
        raised = [f"{top * common // bottom}/{common}" for top, bottom in self.fractions]
        best = max(range(len(raised)), key=lambda i: Fraction(*self.fractions[i]))
        return Worked(
            Answer.label(self.labels[best]),
            (
                step(f"writes them over one denominator: {_slots(raised)}", *raised),
                step("finds {0} the largest of these", raised[best]),
                step("picks {0}", self.labels[best]),
            ),
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
def bigger_denominator(problem: FractionComparison | BagComparison) -> Worked | None:
    """Takes the one with the largest denominator."""
    bottoms = [bottom for _, bottom in _pairs(problem)]
    largest = max(bottoms)
    if bottoms.count(largest) > 1:
        return None
    chosen = problem.labels[bottoms.index(largest)]
    seen = "the denominators" if isinstance(problem, FractionComparison) else "all the marbles"
    return Worked(
        Answer.label(chosen),
        (
            step(f"compares {seen}, {_slots(bottoms)}", *bottoms),
            step("takes the one with {0} as the largest", largest),
            _pick(problem, chosen),
        ),
    )


@mal_rule("NO34")
def gap_thinking(problem: FractionComparison | BagComparison) -> Worked | None:
    """Takes the one whose numerator is nearest to its denominator; equal gaps mean equal."""
    gaps = [bottom - top for top, bottom in _pairs(problem)]
    smallest = min(gaps)
    same = gaps.count(smallest)
    compared = step(f"subtracts numerators from denominators and gets {_slots(gaps)}", *gaps)
    if isinstance(problem, BagComparison):
        compared = step(f"counts the marbles that are not red, {_slots(gaps)}", *gaps)
    if same == len(gaps):
        equal = step("sees the same gap, {0}, each time", smallest)
        return Worked(Answer.label("equal"), (compared, equal, step("answers equal")), 1)
    if same > 1:
        return None  # Some of many look equal: no choice is left.
    chosen = problem.labels[gaps.index(smallest)]
    return Worked(
        Answer.label(chosen),
        (
            compared,
            step("takes the smallest gap, {0}, as nearest to the whole", smallest),
            _pick(problem, chosen),
        ),
        key_step=1,
    )


def _pairs(problem: FractionComparison | BagComparison) -> tuple[tuple[int, int], ...]:
    return problem.bags if isinstance(problem, BagComparison) else problem.fractions


def _pick(problem: FractionComparison | BagComparison, chosen: str) -> Step:
    if isinstance(problem, BagComparison):
        return step(f"picks bag {chosen}")
    return step("picks {0}", chosen)


def _four_ideas(drawn: list[tuple[int, int]], most: int) -> bool:
    values = [Fraction(*each) for each in drawn]
    near, best, many, fine = drawn
    return (
        len({*values}) == 4
        and values[1] == max(values)
        and all(gcd(*each) == 1 for each in drawn)
        and many[0] > max(near[0], best[0], fine[0])
        and most >= fine[1] > max(near[1], best[1], many[1])
        and fine[1] - fine[0] > 1
    )


def _slots(words: list[str] | list[int]) -> str:
    return listed([f"{{{place}}}" for place in range(len(words))])
