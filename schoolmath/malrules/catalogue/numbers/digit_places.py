"""Which digit of a number stands in a place, also behind the point."""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.catalogue.numbers.places_and_factors import PLACES
from schoolmath.malrules.forms import check_that, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws

PARTS = ("tenths", "hundredths", "thousandths")
"""Names of the places behind the point, from the left."""


@form("number and operation", (3, 5), 1)
class DigitInPlace:
    """The digit in a place of a number.

    Attributes:
        number: as it is written, with a point or without.
        place: its name, such as ``tens`` or ``hundredths``.
    """

    number: str
    place: str

    def __post_init__(self) -> None:
        whole, _, part = self.number.partition(".")
        check_that(
            f"{whole}{part}".isdigit() and len(whole) <= len(PLACES) and len(part) < 4,
            "The number has at most six digits before the point and three behind it.",
        )
        check_that(self.place in PLACES or self.place in PARTS, "It is the name of a place.")
        check_that(
            self.at(self.place) is not None, f"{self.number} has a digit in its {self.place}."
        )

    def at(self, place: str) -> str | None:
        """The digit in a place; None where there is none."""
        whole, _, part = self.number.partition(".")
        digits = whole[::-1] if place in PLACES else part
        index = (PLACES if place in PLACES else PARTS).index(place)
        return digits[index] if index < len(digits) else None

    def stem(self) -> str:
        return f"Which digit is in the {self.place} place of {self.number}?"

    def solve(self) -> Working:
        answer = Answer.number(int(self.at(self.place) or 0))
        return by_steps(answer, step(f"counts the places to the {self.place}: {{0}}", answer))

    def taken_at(self, place: str) -> Working | None:
        """The digit of another place; None where there is none, or the same one."""
        digit = self.at(place)
        if digit is None or digit == self.at(self.place):
            return None
        return by_steps(
            Answer.number(int(digit)), step(f"counts the places to the {place}: {{0}}", digit)
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        digits = draws.several(range(1, 10), 6)
        if grade == 3:
            return cls("".join(map(str, digits[:4])), draws.one(PLACES[1:4]))
        whole, part = "".join(map(str, digits[:3])), "".join(map(str, digits[3:]))
        return cls(f"{whole}.{part}", draws.one((*PLACES[1:3], *PARTS[:2])))


@mal_rule("NO256")
def tens_for_tenths(problem: DigitInPlace) -> Working | None:
    """The place of the same name on the other side of the point."""
    other = {"tens": "tenths", "hundreds": "hundredths", "thousands": "thousandths"}
    back = {part: whole for whole, part in other.items()}
    place = (other | back).get(problem.place)
    return problem.taken_at(place) if place else None


@mal_rule("NO257")
def places_one_off(problem: DigitInPlace) -> Working | None:
    """The ones are left out before the point; behind it the first place is taken for ones."""
    if problem.place in PARTS:
        index = PARTS.index(problem.place)
        return problem.taken_at(PARTS[index + 1]) if index + 1 < len(PARTS) else None
    index = PLACES.index(problem.place)
    return problem.taken_at(PLACES[index - 1]) if index else None
