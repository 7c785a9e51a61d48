"""Subtraction in columns: the page on which it is worked; borrowing, zeros, empty places."""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.numbers.places_and_factors import PLACES, digits, number
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


class Page:
    """Two numbers one above the other, and what is written under them from the right.

    Attributes:
        given: digits of the upper number from the ones on, as they were at the start.
        top: the same digits as borrowing has changed them so far.
        width: how many columns the upper number has.
        steps: what was done so far.
    """

    def __init__(self, top: int, bottom: int) -> None:
        self.given = tuple(digits(top))
        self.top = list(self.given)
        self.width = len(self.top)
        self.steps: list[Step] = []
        self._bottom = digits(bottom)
        self._written: list[str] = []
        self._key: int | None = None
        self._stuck = False

    def bottom(self, place: int) -> int:
        """The lower digit; 0 where there is none."""
        return 0 if self.blank(place) else self._bottom[place]

    def blank(self, place: int) -> bool:
        """Whether nothing stands below in this column."""
        return place >= len(self._bottom)

    def short(self, place: int) -> bool:
        """Whether this column needs a borrow."""
        return self.top[place] < self.bottom(place)

    def zero_beside(self, place: int) -> bool:
        """Whether the column to borrow from shows 0."""
        return place + 1 < self.width and self.top[place + 1] == 0

    def lender(self, place: int) -> int | None:
        """The nearest column to the left that is not 0."""
        return next((p for p in range(place + 1, self.width) if self.top[p]), None)

    def write(self, digit: int | None, template: str, *numbers: object, key: bool = False) -> None:
        """Writes under the next column, None: nothing; `key` marks the step that shows the idea."""
        if key and self._key is None:
            self._key = len(self.steps)
        if digit is not None:
            self._written.append(str(digit))
        self.steps.append(step(template, *numbers))

    def lend_below(self, place: int) -> None:
        """Takes one from the lower digit, which must be there."""
        self._bottom[place] -= 1

    def give_up(self) -> None:
        """Says that the way chosen leads no further on these numbers."""
        self._stuck = True

    def borrow_and_subtract(self, place: int, lender: int | None, *, key: bool = False) -> None:
        """Takes one from the lender, leaves what is between, and subtracts in this column."""
        if lender is None or self.top[lender] == 0:
            self._stuck = True
            return
        self.top[lender] -= 1
        whole, taken = self.top[place] + 10, self.bottom(place)
        self.write(
            whole - taken,
            f"borrows from the {PLACES[lender]} column, takes {{0}} from {{1}} in the "
            f"{PLACES[place]} column and writes {{2}}",
            taken,
            whole,
            whole - taken,
            key=key,
        )

    def subtract(self, place: int, *, key: bool = False) -> None:
        """What is right in this column."""
        if self.short(place):
            lender = self.lender(place)
            for between in range(place + 1, lender or 0):
                self.top[between] = 9
            self.borrow_and_subtract(place, lender, key=key)
            return
        top, taken = self.top[place], self.bottom(place)
        if not self.blank(place):
            self.write(
                top - taken,
                f"takes {{0}} from {{1}} in the {PLACES[place]} column and writes {{2}}",
                taken,
                top,
                top - taken,
            )
        elif top == 0 and place == self.width - 1:
            self._written.append("0")
        else:
            self.write(top, f"brings {{0}} down in the {PLACES[place]} column", top)

    def stop(self, ending: str) -> Working | None:
        """What was written so far; stopping here is the idea. None where no column could lend."""
        self._key = len(self.steps)
        return self.finish(ending)

    def finish(self, ending: str = "reads the answer {0}") -> Working | None:
        """What was written; None where the idea never showed or no column could lend."""
        if self._stuck or self._key is None or not self._written:
            return None
        result = int("".join(reversed(self._written)))
        self.steps.append(step(ending, result))
        return Working(Answer.number(result), tuple(self.steps), self._key)


def work_in_columns(top: int, bottom: int) -> Working:
    """The right difference, column by column; the first borrow shows the idea."""
    page = Page(top, bottom)
    first = next((place for place in range(page.width) if page.short(place)), None)
    for place in range(page.width):
        page.subtract(place, key=place == first)
    worked = page.finish()
    if worked is not None:
        return worked
    steps = (*page.steps, step("reads the answer {0}", top - bottom))
    return Working(Answer.number(top - bottom), steps)


@form("number and operation", (3, 4), 1)
class ColumnSubtraction:
    """A whole number taken from a larger one.

    Attributes:
        top: the larger number.
        bottom: what is taken away.
    """

    top: int
    bottom: int

    def __post_init__(self) -> None:
        if not 0 < self.bottom < self.top < 100_000:
            raise ValueError(
                f"{self.bottom} cannot be taken from {self.top}: the upper number is the larger "
                "one and has at most five digits."
            )

    def stem(self) -> str:
        return f"What is {self.top} - {self.bottom}?"

    def solve(self) -> Working:
        return work_in_columns(self.top, self.bottom)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(40):
            width = 3 if grade <= 3 or draws.chance(0.4) else 4
            upper = [draws.between(1, 9) for _ in range(width)]
            if draws.chance(0.6):
                upper[draws.between(0 if draws.chance(0.3) else 1, width - 2)] = 0
            lower = [draws.between(1, 9) for _ in range(width - draws.chance(0.4))]
            if draws.chance(0.35):
                lower[draws.between(0, len(lower) - 2)] = 0
            top, bottom = number(upper), number(lower)
            if bottom < top and any(Page(top, bottom).short(place) for place in range(width - 1)):
                return cls(top, bottom)
        raise NotDrawn(f"No subtraction with a borrow came up for grade {grade}.")

    @classmethod
    def draw_widely(cls, draws: Draws, grade: int) -> Self:
        """Also with rows of zeros, equal digits, empty places and no borrow at all."""
        for _ in range(40):
            width = 3 if draws.chance(0.4) else 4
            upper = [draws.one((0, 0, 0, 1, 1, *range(10))) for _ in range(width)]
            upper[-1] = upper[-1] or draws.one((1, 1, 2, 4, 8))
            lower = [
                draws.one((upper[place], upper[place], 0, *range(1, 10)))
                for place in range(draws.one((width, width, width - 1, draws.between(1, width))))
            ]
            if 0 < number(lower) < number(upper):
                return cls(number(upper), number(lower))
        raise NotDrawn(f"No subtraction came up for grade {grade}.")


@form("number and operation", (3, 4), 2)
class MissingSubtrahend:
    """What was taken from a round number, when it is known what is left.

    Attributes:
        whole: the number at the start, a multiple of a hundred.
        left: what is left, at least a hundred.
    """

    whole: int
    left: int

    def __post_init__(self) -> None:
        if self.whole % 100 or not 100 <= self.left < self.whole < 100_000:
            raise ValueError(
                f"{self.whole} - ? = {self.left} is no such problem: it starts with a multiple of "
                "a hundred, and at least a hundred is left."
            )

    @property
    def top(self) -> int:
        """The upper number of the subtraction that answers it."""
        return self.whole

    @property
    def bottom(self) -> int:
        """The lower number of the subtraction that answers it."""
        return self.left

    def stem(self) -> str:
        return f"What number is missing in {self.whole} - ? = {self.left}?"

    def solve(self) -> Working:
        worked = work_in_columns(self.whole, self.left)
        first = step("finds the missing number as {0} - {1}", self.whole, self.left)
        return by_steps(worked.answer, first, *worked.steps)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        whole = 100 * draws.between(4, 10) if grade <= 3 else 500 * draws.between(2, 14)
        for _ in range(40):
            left = draws.between(101, whole - 101)
            if left % 10 and left // 10 % 10 and left % 100 != 50:
                return cls(whole, left)
        raise NotDrawn(f"No missing number came up for grade {grade}.")


def _make_ten_more(page: Page, place: int, why: str) -> None:
    """Adds ten to a short column without reducing another one."""
    top, taken = page.top[place], page.bottom(place)
    page.write(
        top + 10 - taken,
        f"makes {{0}} into {{1}} in the {PLACES[place]} column {why}, takes {{2}} away and "
        "writes {3}",
        top,
        top + 10,
        taken,
        top + 10 - taken,
        key=True,
    )


@mal_rule("NO01")
def smaller_from_larger(problem: ColumnSubtraction | MissingSubtrahend) -> Working | None:
    """The smaller digit from the larger in every column."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if page.short(place):
            top, below = page.top[place], page.bottom(place)
            page.write(
                below - top,
                f"takes the smaller digit {{0}} from the larger {{1}} in the {PLACES[place]} "
                "column and writes {2}",
                top,
                below,
                below - top,
                key=True,
            )
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO02")
def borrow_no_decrement(problem: ColumnSubtraction | MissingSubtrahend) -> Working | None:
    """Ten more in the short column, and no column reduced."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if page.short(place) and place + 1 < page.width:
            _make_ten_more(page, place, f"and leaves the {PLACES[place + 1]} column as it is")
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO03")
def borrow_from_zero(problem: ColumnSubtraction | MissingSubtrahend) -> Working | None:
    """A borrowed zero turns into 9, and the borrowing stops there."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if page.short(place) and page.zero_beside(place):
            page.top[place + 1] = 9
            top, taken = page.top[place] + 10, page.bottom(place)
            page.write(
                top - taken,
                f"turns the {{0}} in the {PLACES[place + 1]} column into {{1}} and borrows no "
                f"further, takes {{2}} from {{3}} in the {PLACES[place]} column and writes {{4}}",
                0,
                9,
                taken,
                top,
                top - taken,
                key=True,
            )
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO04")
def stops_borrow_at_zero(problem: ColumnSubtraction | MissingSubtrahend) -> Working | None:
    """Nothing is reduced where the next digit is 0."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if page.short(place) and page.zero_beside(place):
            _make_ten_more(
                page, place, f"and reduces nothing as the {PLACES[place + 1]} column is empty"
            )
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO05")
def borrow_across_zero(problem: ColumnSubtraction | MissingSubtrahend) -> Working | None:
    """Skipped zeros stay zeros, and 0 - N there is read as N."""
    page = Page(problem.top, problem.bottom)
    skipped: set[int] = set()
    for place in range(page.width):
        if place in skipped and page.short(place):
            below = page.bottom(place)
            page.write(
                below,
                f"reads {{0}} - {{1}} in the {PLACES[place]} column as {{1}} and writes {{1}}",
                0,
                below,
            )
        elif page.short(place) and page.zero_beside(place):
            lender = page.lender(place)
            skipped.update(range(place + 1, lender or place + 1))
            page.borrow_and_subtract(place, lender, key=True)
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO06")
def zero_minus_n_is_n(problem: ColumnSubtraction | MissingSubtrahend) -> Working | None:
    """0 - N is N."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if page.top[place] == 0 and page.bottom(place):
            below = page.bottom(place)
            page.write(
                below,
                f"says that {{0}} - {{1}} in the {PLACES[place]} column is {{1}} and writes {{1}}",
                0,
                below,
                key=True,
            )
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO07")
def zero_minus_n_is_zero(problem: ColumnSubtraction | MissingSubtrahend) -> Working | None:
    """0 - N is 0."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if page.top[place] == 0 and page.bottom(place):
            page.write(
                0,
                f"says that {{0}} - {{1}} in the {PLACES[place]} column is {{0}}, as nothing can "
                "be taken from nothing, and writes {0}",
                0,
                page.bottom(place),
                key=True,
            )
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO08")
def n_minus_zero_is_zero(problem: ColumnSubtraction) -> Working | None:
    """N - 0 is 0."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if not page.blank(place) and page.bottom(place) == 0 and page.top[place]:
            page.write(
                0,
                f"says that {{0}} - {{1}} in the {PLACES[place]} column is {{1}} and writes {{1}}",
                page.top[place],
                0,
                key=True,
            )
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO09")
def zero_instead_of_borrow(problem: ColumnSubtraction | MissingSubtrahend) -> Working | None:
    """0 in every column that would need a borrow."""
    page = Page(problem.top, problem.bottom)
    for place in range(page.width):
        if page.short(place):
            page.write(
                0,
                f"cannot take {{0}} from {{1}} in the {PLACES[place]} column and writes {{2}}",
                page.bottom(place),
                page.top[place],
                0,
                key=True,
            )
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO10")
def always_borrow_left(problem: ColumnSubtraction) -> Working | None:
    """Every borrow comes from the leftmost digit."""
    page = Page(problem.top, problem.bottom)
    last = page.width - 1
    for place in range(page.width):
        if page.short(place):
            lender = last if place < last else None
            page.borrow_and_subtract(place, lender, key=place + 1 < last)
        else:
            page.subtract(place)
    return page.finish()


@mal_rule("NO11")
def quit_when_bottom_blank(problem: ColumnSubtraction) -> Working | None:
    """Stops with the last digit of the lower number."""
    page = Page(problem.top, problem.bottom)
    places = [place for place in range(page.width) if not page.blank(place)]
    if len(places) == page.width:
        return None
    for place in places:
        page.subtract(place)
    return page.stop("stops as the lower number has no more digits and answers {0}")
