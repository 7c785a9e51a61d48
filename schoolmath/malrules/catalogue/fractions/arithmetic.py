"""Two fractions added, subtracted, multiplied or divided; what goes wrong in sums."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import ClassVar, Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.fractions.rewriting import (
    FractionAsDecimal,
    LowestTerms,
    MixedToImproper,
)
from schoolmath.malrules.catalogue.writing import as_written
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


@dataclass(frozen=True, slots=True)
class TwoFractions:
    """Two fractions and what to do with them; not a problem by itself.

    Raises:
        ValueError: a numerator or denominator is below 1.
    """

    top: int
    bottom: int
    other_top: int
    other_bottom: int

    sign: ClassVar[str] = "?"

    def __post_init__(self) -> None:
        if min(self.top, self.bottom, self.other_top, self.other_bottom) < 1:
            raise ValueError("Numerators and denominators must be 1 or more.")

    def stem(self) -> str:
        return f"What is {self.first} {self.sign} {self.second}?"

    @property
    def first(self) -> str:
        """The first fraction as it is written."""
        return f"{self.top}/{self.bottom}"

    @property
    def second(self) -> str:
        """The second fraction as it is written."""
        return f"{self.other_top}/{self.other_bottom}"

    @property
    def common(self) -> int:
        """The least common denominator."""
        return lcm(self.bottom, self.other_bottom)

    @property
    def alike(self) -> bool:
        """Whether the denominators are the same."""
        return self.bottom == self.other_bottom

    @property
    def raised(self) -> tuple[int, int]:
        """The numerators over the common denominator."""
        common = self.common
        return self.top * (common // self.bottom), self.other_top * (common // self.other_bottom)

    def rewrite(self) -> tuple[Step, ...]:
        """The step that brings both over the common denominator, where one is needed."""
        if self.alike:
            return ()
        left, right = self.raised
        return (self.write_over_common("writes", left, right),)

    def write_over_common(self, verb: str, left: int, right: int) -> Step:
        """A step that puts these numerators over the common denominator, where that is new."""
        pairs = [
            (old, f"{top}/{self.common}")
            for old, top in ((self.first, left), (self.second, right))
            if old != f"{top}/{self.common}"
        ]
        slots = [f"{{{2 * i}}} as {{{2 * i + 1}}}" for i in range(len(pairs))]
        return step(f"{verb} {' and '.join(slots)}", *(text for pair in pairs for text in pair))

    @classmethod
    def _draw(cls, draws: Draws, largest: int, *, alike: bool = False) -> Self:
        """Two proper fractions in lowest terms, with different denominators unless told."""
        for _ in range(100):
            bottom = draws.between(3, largest)
            other = bottom if alike else draws.between(2, largest)
            top, other_top = draws.between(1, bottom - 1), draws.between(1, other - 1)
            different = alike or bottom != other
            reduced = gcd(top, bottom) == gcd(other_top, other) == 1
            if different and reduced and (top, bottom) != (other_top, other):
                return cls(top, bottom, other_top, other)
        raise NotDrawn(f"No two fractions for {cls.__name__} came up.")


@form("number and operation", (4, 6), 1)
class FractionSum(TwoFractions):
    """``1/2 + 1/3``."""

    sign: ClassVar[str] = "+"

    def solve(self) -> Working:
        left, right = self.raised
        return _over_common(self, left + right, "adds {0} and {1} to get {2} and keeps {3} below")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        if grade > 4:
            return cls._draw(draws, 8 if grade == 5 else 12)
        bottom = draws.between(2, 5)
        other = bottom * draws.between(2, 3)
        return cls(draws.one(_reduced(bottom)), bottom, draws.one(_reduced(other)), other)


@form("number and operation", (4, 6), 1)
class FractionDifference(TwoFractions):
    """``3/4 - 1/2``; the first is not the smaller."""

    sign: ClassVar[str] = "-"

    def __post_init__(self) -> None:
        TwoFractions.__post_init__(self)
        if Fraction(self.top, self.bottom) < Fraction(self.other_top, self.other_bottom):
            raise ValueError(f"{self.second} is larger than {self.first}.")

    def solve(self) -> Working:
        left, right = self.raised
        words = "subtracts {1} from {0} to get {2} and keeps {3} below"
        return _over_common(self, left - right, words)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        largest = {4: 6, 5: 9}.get(grade, 12)
        for _ in range(100):
            bottom = draws.between(3, largest)
            other = draws.between(2, bottom - 1)
            top, other_top = draws.one(_reduced(bottom)), draws.one(_reduced(other))
            # A common denominator is easy at grade 4, and taking tops and bottoms is possible.
            easy = grade > 4 or bottom % other == 0
            if easy and top > other_top and top * other > other_top * bottom:
                return cls(top, bottom, other_top, other)
        raise NotDrawn("No difference of fractions came up.")


@form("number and operation", (5, 6), 1)
class FractionProduct(TwoFractions):
    """``3/5 × 2/5``."""

    sign: ClassVar[str] = "×"

    def solve(self) -> Working:
        top, bottom = self.top * self.other_top, self.bottom * self.other_bottom
        steps = (
            step("multiplies the numerators: {0} × {1} = {2}", self.top, self.other_top, top),
            step(
                "multiplies the denominators: {0} × {1} = {2}",
                self.bottom,
                self.other_bottom,
                bottom,
            ),
        )
        return _reduce(top, bottom, steps)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls._draw(draws, 7 if grade == 5 else 10, alike=draws.chance(0.5))


@form("number and operation", (6, 7), 1)
class FractionQuotient(TwoFractions):
    """``2/3 ÷ 4/5``."""

    sign: ClassVar[str] = "÷"

    def solve(self) -> Working:
        turned = f"{self.other_bottom}/{self.other_top}"
        top, bottom = self.top * self.other_bottom, self.bottom * self.other_top
        product = f"{top}/{bottom}"
        steps = (
            step("turns the second fraction, {0}, over to {1}", self.second, turned),
            step("multiplies {0} by {1} to get {2}", self.first, turned, product),
        )
        return _reduce(top, bottom, steps, key_step=0)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(100):
            largest = 6 if grade == 6 else 9
            if draws.chance(0.25):
                # Like denominators, and a numerator that divides.
                bottom, other_top = draws.between(5, largest + 4), draws.between(2, 3)
                top = other_top * draws.between(2, 4)
                if top < bottom and gcd(top, bottom) == gcd(other_top, bottom) == 1:
                    return cls(top, bottom, other_top, bottom)
                continue
            drawn = cls._draw(draws, largest)
            # Otherwise turning over and dividing the numerators would come to the same.
            if drawn.other_top > 1 and drawn.top != drawn.other_top:
                return drawn
        raise NotDrawn("No quotient of fractions came up.")


def _over_common(problem: TwoFractions, top: int, words: str) -> Working:
    left, right = problem.raised
    steps = (*problem.rewrite(), step(words, left, right, top, problem.common))
    return _reduce(top, problem.common, steps, key_step=0)


def _reduce(top: int, bottom: int, steps: tuple[Step, ...], key_step: int = 1) -> Working:
    answer = Answer.number(Fraction(top, bottom))
    raw = f"{top}/{bottom}"
    if raw == answer.shown:
        last = step("so the answer is {0}", raw)
    else:
        last = step("writes {0} more simply as {1}", raw, answer.shown)
    return by_steps(answer, *steps, last, key_step=key_step)


def _reduced(bottom: int) -> list[int]:
    return [top for top in range(1, bottom) if gcd(top, bottom) == 1]


@mal_rule("NO27")
def add_across(problem: FractionSum | MixedToImproper) -> Working | None:
    """Adds the tops and adds the bottoms; a whole number is read as so many over one."""
    first: tuple[Step, ...] = ()
    if isinstance(problem, MixedToImproper):
        top, bottom, other_top, other_bottom = problem.whole, 1, problem.top, problem.bottom
        first = (step("writes the whole number {0} as {1}", top, f"{top}/{bottom}"),)
    else:
        top, bottom = problem.top, problem.bottom
        other_top, other_bottom = problem.other_top, problem.other_bottom
    tops, bottoms = top + other_top, bottom + other_bottom
    answer = as_written(tops, bottoms)
    return by_steps(
        answer,
        *first,
        step("adds the numerators: {0} + {1} = {2}", top, other_top, tops),
        step("adds the denominators: {0} + {1} = {2}", bottom, other_bottom, bottoms),
        step("writes {0}", answer.shown),
        key_step=len(first) + 1,
    )


@mal_rule("NO28")
def subtract_across(problem: FractionDifference) -> Working | None:
    """Subtracts the tops and subtracts the bottoms; nothing comes out of equal bottoms."""
    if problem.alike:
        return None
    top, bottom = problem.top - problem.other_top, problem.bottom - problem.other_bottom
    answer = as_written(top, bottom)
    return by_steps(
        answer,
        step("subtracts the numerators: {0} - {1} = {2}", problem.top, problem.other_top, top),
        step(
            "subtracts the denominators: {0} - {1} = {2}",
            problem.bottom,
            problem.other_bottom,
            bottom,
        ),
        step("writes {0}", answer.shown),
        key_step=1,
    )


@mal_rule("NO29")
def numerators_unchanged(
    problem: FractionSum | FractionDifference | FractionQuotient | LowestTerms | FractionAsDecimal,
) -> Working | None:
    """Puts the new denominator under the old numerators."""
    match problem:
        case LowestTerms():
            bottom = problem.bottom // problem.factor
            answer = as_written(problem.top, bottom)
            return by_steps(
                answer,
                step("divides the denominator {0} by {1}", problem.bottom, problem.factor),
                step("leaves the numerator {0} as it is", problem.top),
                step("writes {0}", answer.shown),
                key_step=1,
            )
        case FractionAsDecimal():
            base = problem.power_of_ten
            if base == problem.bottom:
                return None
            answer = Answer.decimal(Fraction(problem.top, base))
            unchanged = f"{problem.top}/{base}"
            return by_steps(
                answer,
                step("changes the denominator {0} to {1}", problem.bottom, base),
                step("leaves the numerator {0} as it is: {1}", problem.top, unchanged),
                step("writes {0} as {1}", unchanged, answer.shown),
                key_step=1,
            )
    if problem.alike:
        return None
    raised = problem.top, problem.other_top
    kept = step(
        "keeps the old numerators: {0} and {1}",
        f"{problem.top}/{problem.common}",
        f"{problem.other_top}/{problem.common}",
    )
    found = step("finds the common denominator {0}", problem.common)
    return _over_one(problem, raised, (found, kept), key_step=1)


@mal_rule("NO35")
def equivalent_by_subtracting(
    problem: (
        FractionSum
        | FractionDifference
        | FractionQuotient
        | LowestTerms
        | MixedToImproper
        | FractionAsDecimal
    ),
) -> Working | None:
    """Adds one number to top and bottom, or subtracts it, and calls the fractions equal."""
    match problem:
        case LowestTerms():
            return _reduced_by_subtracting(problem)
        case FractionAsDecimal():
            base = problem.power_of_ten
            if base == problem.bottom:
                return None
            more = base - problem.bottom
            decimal = Answer.decimal(Fraction(problem.top + more, base))
            raised = f"{problem.top + more}/{base}"
            return by_steps(
                decimal,
                step("adds {0} to {1} to make the denominator {2}", more, problem.bottom, base),
                step("adds {0} to the numerator {1} too: {2}", more, problem.top, raised),
                step("writes {0} as {1}", raised, decimal.shown),
                key_step=1,
            )
        case MixedToImproper():
            more = problem.bottom - 1
            whole = problem.whole + more
            answer = as_written(whole + problem.top, problem.bottom)
            return by_steps(
                answer,
                step("writes {0} as {1}", problem.whole, f"{problem.whole}/1"),
                step("adds {0} above and below: {1}", more, f"{whole}/{problem.bottom}"),
                step("adds {0} and gets {1}", problem.fraction, answer.shown),
                key_step=1,
            )
    if problem.alike:
        return None
    common = problem.common
    left = problem.top + common - problem.bottom
    right = problem.other_top + common - problem.other_bottom
    found = step("wants the denominator {0} in both fractions", common)
    added = problem.write_over_common(
        "adds the same number above and below and writes", left, right
    )
    return _over_one(problem, (left, right), (found, added), key_step=1)


@mal_rule("NO37")
def whole_added_to_numerator(problem: MixedToImproper) -> Working | None:
    """Adds the whole number to the numerator, as if it were that many parts."""
    answer = as_written(problem.whole + problem.top, problem.bottom)
    return by_steps(
        answer,
        step(
            "adds the whole number {0} to the numerator {1} and gets {2}",
            problem.whole,
            problem.top,
            problem.whole + problem.top,
        ),
        step("keeps the denominator {0} and writes {1}", problem.bottom, answer.shown),
    )


def _reduced_by_subtracting(problem: LowestTerms) -> Working | None:
    less = problem.factor
    top, bottom = problem.top - less, problem.bottom - less
    if not bottom:
        return None
    answer = as_written(top, bottom)
    return by_steps(
        answer,
        step("subtracts {0} from the numerator: {1} - {0} = {2}", less, problem.top, top),
        step("subtracts {0} from the denominator: {1} - {0} = {2}", less, problem.bottom, bottom),
        step("writes {0}", answer.shown),
    )


def _over_one(
    problem: TwoFractions, tops: tuple[int, int], before: tuple[Step, ...], key_step: int
) -> Working:
    """Goes on rightly from two numerators over the common denominator."""
    left, right = tops
    if isinstance(problem, FractionQuotient):
        answer = as_written(left, right)
        last = step("divides {0} by {1} and writes {2}", left, right, answer.shown)
    elif isinstance(problem, FractionDifference):
        answer = as_written(left - right, problem.common)
        last = step("subtracts {0} from {1} and writes {2}", right, left, answer.shown)
    else:
        answer = as_written(left + right, problem.common)
        last = step("adds {0} and {1} and writes {2}", left, right, answer.shown)
    return by_steps(answer, *before, last, key_step=key_step)
