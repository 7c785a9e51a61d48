"""Which decimal is the largest."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import listed
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws

_DECIMAL = re.compile(r"\d+\.\d+")


@form("number and operation", (4, 8), 1)
class DecimalComparison:
    """The largest of two or more decimals, each as it is written.

    Raises:
        ValueError: there are fewer than two, one is not written as a decimal, or two are equal.
    """

    decimals: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.decimals) < 2 or not all(map(_DECIMAL.fullmatch, self.decimals)):
            raise ValueError("There must be two or more decimals, such as 0.5 and 0.355.")
        if len({Fraction(each) for each in self.decimals}) < len(self.decimals):
            raise ValueError("Two of the decimals are equal.")

    def stem(self) -> str:
        if len(self.decimals) == 2:
            return f"Which is larger, {listed([*self.decimals], 'or')}?"
        return f"Which of these decimals is the largest: {listed([*self.decimals], 'or')}?"

    def solve(self) -> Worked:
        most = max(len(places(each)) for each in self.decimals)
        largest = max(self.decimals, key=Fraction)
        filled = [f"{each}{'0' * (most - len(places(each)))}" for each in self.decimals]
        return Worked(
            Answer.label(largest),
            (
                step("thinks of all of them with {0} decimal places", most)
                if len({*map(len, map(places, self.decimals))}) > 1
                else step("looks at the decimal places from left to right, {0} of them", most),
                step(f"compares {_slots(filled)}", *filled),
                step("picks {0}", largest),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        whole = 0 if grade < 6 else draws.one((0, 0, draws.between(1, 9)))
        for _ in range(200):
            tenths = draws.between(1, 8)
            largest = draws.between(tenths * 10 + 1, 98)
            long = draws.between(100, 10 * largest - 1)
            longest = draws.between(12, 98 if grade < 6 else 998)
            fractions = (f"{tenths}", f"{largest}", f"{long}", f"{longest:04}")
            # No zero at an end, and each of the four is the choice of another idea.
            if all(each[-1] != "0" for each in fractions) and longest < long > largest:
                drawn = tuple(f"{whole}.{each}" for each in draws.several(fractions, 4))
                if len({Fraction(each) for each in drawn}) == 4:
                    return cls(drawn)
        raise NotDrawn("No decimals to compare came up.")


def places(decimal: str) -> str:
    """The digits after the point."""
    return decimal.partition(".")[2]


@mal_rule("NO39")
def longer_is_larger(problem: DecimalComparison) -> Worked | None:
    """Compares the digits after the point as whole numbers, after the parts before it."""
    rivals = _leading(problem)
    read = {each: int(places(each)) for each in rivals}
    largest = max(read.values())
    chosen = [each for each in rivals if read[each] == largest]
    if len(rivals) < 2 or 1 < len(chosen) < len(problem.decimals):
        return None  # Nothing to compare, or two of many look equal.
    same = len(chosen) > 1
    digits = [str(number) for number in read.values()]
    return Worked(
        Answer.label("equal" if same else chosen[0]),
        (
            step(f"reads the digits after the point as {_slots(digits)}", *digits),
            step("says that they are equal, as each is read as {0}", largest)
            if same
            else step("takes {0} as the largest of these", largest),
            step("answers equal") if same else step("picks {0}", chosen[0]),
        ),
    )


@mal_rule("NO40")
def shorter_is_larger(problem: DecimalComparison) -> Worked | None:
    """Takes the decimal with the fewest digits; among equally long ones the larger."""
    rivals = _leading(problem)
    lengths = [len(places(each)) for each in rivals]
    if len({*lengths}) == 1:
        return None  # Nothing is shorter.
    fewest = min(lengths)
    chosen = max((each for each in rivals if len(places(each)) == fewest), key=Fraction)
    return Worked(
        Answer.label(chosen),
        (
            step(f"counts the decimal digits of {_slots(rivals)}", *rivals),
            step("takes the one with the fewest, {0}, as having the biggest parts", fewest),
            step("picks {0}", chosen),
        ),
        key_step=1,
    )


@mal_rule("NO213")
def longest_is_largest(problem: DecimalComparison) -> Worked | None:
    """Takes the decimal with the most digits, whatever digits they are."""
    rivals = _leading(problem)
    lengths = [len(places(each)) for each in rivals]
    most = max(lengths)
    if len(rivals) < 2 or lengths.count(most) > 1:
        return None  # Nothing to compare, or two are equally long.
    chosen = rivals[lengths.index(most)]
    return Worked(
        Answer.label(chosen),
        (
            step(f"counts the decimal digits of {_slots(rivals)}", *rivals),
            step("takes the one with the most, {0}, as the largest", most),
            step("picks {0}", chosen),
        ),
        key_step=1,
    )


def by_denominator(problem: DecimalComparison) -> Worked | None:
    """What items of bank 2 and before told of the longest decimal, as NO33.

    It is no mal-rule: who thinks of decimals as fractions and of their denominators takes the
    shorter one for larger (Steinle & Stacey 2004).
    """
    bottoms = [10 ** len(places(each)) for each in problem.decimals]
    largest = max(bottoms)
    if bottoms.count(largest) > 1:
        return None
    chosen = problem.decimals[bottoms.index(largest)]
    told = _slots([str(each) for each in bottoms])
    return Worked(
        Answer.label(chosen),
        (
            step(f"thinks of them as fractions over {told}", *bottoms),
            step("takes the denominator {0} as making the largest number", largest),
            step("picks {0}", chosen),
        ),
        key_step=1,
    )


def _leading(problem: DecimalComparison) -> list[str]:
    """Those with the largest whole part: what stands before the point is compared first."""
    whole = max(int(each.partition(".")[0]) for each in problem.decimals)
    return [each for each in problem.decimals if int(each.partition(".")[0]) == whole]


def _slots(words: list[str]) -> str:
    return listed([f"{{{place}}}" for place in range(len(words))])
