"""The three kinds of percent problems, changes in percent, and fractions as percent."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step, write_decimal
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


def as_percent(value: Fraction | int) -> Answer:
    """A number of hundredths with its sign: 25 as 25%."""
    written = plain(value)
    return Answer(written.kind, written.value, f"{written.shown}%")


@form("number and operation", (6, 8), 1)
class WhatPercent:
    """Which percent one number is of a larger one."""

    part: int
    whole: int

    def __post_init__(self) -> None:
        if not 0 < self.part < self.whole < 100_000:
            raise ValueError("The part is smaller than the whole, and both are positive.")

    def stem(self) -> str:
        return f"{self.part} is what percent of {self.whole}?"

    def solve(self) -> Working:
        answer = as_percent(Fraction(100 * self.part, self.whole))
        told = step("divides {0} by {1}", self.part, self.whole)
        return by_steps(answer, told, step("takes it times {0} and gets {1}", 100, answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        whole = draws.one((20, 25, 40, 48, 50, 60, 80, 120, 150, 160, 200, 240, 300))
        fits = [part for part in range(2, whole) if 100 * part % whole == 0]
        return cls(draws.one(fits), whole)


@mal_rule("NO145")
def the_number_is_the_percent(problem: WhatPercent) -> Working | None:
    """Writes the part with a percent sign."""
    answer = as_percent(problem.part)
    return by_steps(answer, step("writes {0} with the sign: {1}", problem.part, answer))


@mal_rule("NO146")
def takes_the_percent_of_it(problem: WhatPercent) -> Working:
    """P % of w."""
    answer = plain(Fraction(problem.part * problem.whole, 100))
    told = step("takes {0} hundredths of {1} and gets {2}", problem.part, problem.whole, answer)
    return by_steps(answer, told)


@mal_rule("NO189")
def whole_by_part(problem: WhatPercent) -> Working:
    """Divides the larger number by the smaller one."""
    answer = as_percent(Fraction(100 * problem.whole, problem.part))
    told = step("divides {0} by {1}", problem.whole, problem.part)
    return by_steps(answer, told, step("takes it times {0} and gets {1}", 100, answer))


@mal_rule("NO190")
def difference_with_the_sign(problem: WhatPercent) -> Working:
    """What is missing to the whole, with a percent sign."""
    answer = as_percent(problem.whole - problem.part)
    told = step("takes {0} from {1} and writes {2}", problem.part, problem.whole, answer)
    return by_steps(answer, told)


@form("number and operation", (6, 8), 1)
class PercentBase:
    """The whole, where a part and its percent are told."""

    part: int
    percent: int

    def __post_init__(self) -> None:
        if self.part < 1 or not 0 < self.percent < 100:
            raise ValueError("The part is positive, and the percent between 0 and 100.")

    def stem(self) -> str:
        return f"{self.part} is {self.percent}% of what number?"

    def solve(self) -> Working:
        answer = plain(Fraction(100 * self.part, self.percent))
        one = plain(Fraction(self.part, self.percent))
        return by_steps(
            answer,
            step("divides {0} by {1} for one hundredth: {2}", self.part, self.percent, one),
            step("takes it times {0} and gets {1}", 100, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        percent = draws.one((5, 10, 20, 25, 30, 40, 50, 60, 75, 80))
        for _ in range(60):
            whole = 4 * draws.between(3, 15 * (grade - 3))
            if whole * percent % 100 == 0:
                return cls(whole * percent // 100, percent)
        raise NotDrawn("No percent of a whole number came up.")


@mal_rule("NO147")
def percent_of_the_part(problem: PercentBase) -> Working:
    """Q % of p."""
    answer = plain(Fraction(problem.part * problem.percent, 100))
    told = step("takes {0} hundredths of {1} and gets {2}", problem.percent, problem.part, answer)
    return by_steps(answer, told)


@mal_rule("NO191")
def adds_the_percent(problem: PercentBase) -> Working:
    """P increased by q % of itself."""
    more = plain(Fraction(problem.part * problem.percent, 100))
    answer = plain(Fraction(problem.part * (100 + problem.percent), 100))
    return by_steps(
        answer,
        step("takes {0} hundredths of {1}: {2}", problem.percent, problem.part, more),
        step("adds it to {0} and gets {1}", problem.part, answer),
        key_step=1,
    )


@form("number and operation", (6, 9), 2)
class PercentChange:
    """By what percent a price rises or falls."""

    old: int
    new: int
    direction: str

    def __post_init__(self) -> None:
        if self.old < 1 or self.new < 1 or self.old == self.new:
            raise ValueError("The prices are positive and different.")
        if self.direction != ("rises" if self.new > self.old else "falls"):
            raise ValueError("A price rises to a larger number, and falls to a smaller one.")

    @property
    def change(self) -> int:
        """By how much it changes, without a sign."""
        return abs(self.new - self.old)

    def stem(self) -> str:
        return f"A price {self.direction} from {self.old} to {self.new}. By what percent?"

    def compared(self, base: int) -> Working:
        """The change as percent of a number."""
        answer = as_percent(Fraction(100 * self.change, base))
        return by_steps(
            answer,
            step("finds the change from {0} to {1}: {2}", self.old, self.new, self.change),
            step("divides it by {0} and gets {1}", base, answer),
            key_step=1,
        )

    def solve(self) -> Working:
        return self.compared(self.old)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        percent = draws.one((10, 20, 25, 30, 40, 50, 60, 75))
        old = 20 * draws.between(1, 3 * grade)
        rises = draws.chance(0.6)
        change = old * percent // 100
        return cls(old, old + change if rises else old - change, "rises" if rises else "falls")


@mal_rule("NO149")
def compares_with_the_new_value(problem: PercentChange) -> Working:
    """The change over the new value."""
    return problem.compared(problem.new)


@mal_rule("NO192")
def change_with_the_sign(problem: PercentChange) -> Working:
    """The change with a percent sign."""
    answer = as_percent(problem.change)
    words = "takes the change from {0} to {1} itself for the percent and writes {2}"
    told = step(words, problem.old, problem.new, answer)
    return by_steps(answer, told)


@mal_rule("NO193")
def new_as_percent_of_old(problem: PercentChange) -> Working:
    """The whole new value as percent of the old one."""
    answer = as_percent(Fraction(100 * problem.new, problem.old))
    told = step("divides {0} by {1} and gets {2}", problem.new, problem.old, answer)
    return by_steps(answer, told)


@form("number and operation", (6, 8), 1)
class IncreaseBy:
    """A number increased or decreased by some percent.

    Attributes:
        change: ``Increase`` or ``Decrease``.
        number: what is changed.
        percent: by how much.
    """

    change: str
    number: int
    percent: int

    def __post_init__(self) -> None:
        if self.change not in {"Increase", "Decrease"}:
            raise ValueError("A number is increased or decreased.")
        if self.number < 1 or not 0 < self.percent < 100:
            raise ValueError("The number is positive, and the percent between 0 and 100.")

    @property
    def more(self) -> bool:
        """Whether it becomes larger."""
        return self.change == "Increase"

    @property
    def part(self) -> Fraction:
        """The percent of the number."""
        return Fraction(self.number * self.percent, 100)

    def stem(self) -> str:
        return f"{self.change} {self.number} by {self.percent}%."

    def solve(self) -> Working:
        answer = plain(self.number + self.part if self.more else self.number - self.part)
        told = step("takes {0} hundredths of {1}: {2}", self.percent, self.number, plain(self.part))
        last = "adds it to {0} and gets {1}" if self.more else "takes it from {0} and gets {1}"
        return by_steps(answer, told, step(last, self.number, answer), key_step=1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        percent = draws.one((2, 4, 5, 6, 8) if draws.chance(0.5) else (10, 15, 20, 25, 30, 40))
        return cls(draws.one(("Increase", "Decrease")), 20 * draws.between(1, 4 * grade), percent)


@mal_rule("NO194")
def multiplier_one_place_off(problem: IncreaseBy) -> Working | None:
    """1.5 for 5 % more."""
    if not problem.more or problem.percent > 9:
        return None
    times = 1 + Fraction(problem.percent, 10)
    answer = plain(problem.number * times)
    told = step(
        "writes {0} more as times {1} and gets {2}",
        f"{problem.percent}%", write_decimal(times), answer,
    )  # fmt: skip
    return by_steps(answer, told)


@mal_rule("NO230")
def changes_by_the_number(problem: IncreaseBy) -> Working | None:
    """20 more for 20 % more."""
    if not problem.more and problem.percent >= problem.number:
        return None
    sign = 1 if problem.more else -1
    answer = Answer.number(problem.number + sign * problem.percent)
    words = "adds {0} to {1} and gets {2}" if problem.more else "takes {0} from {1} and gets {2}"
    return by_steps(answer, step(words, problem.percent, problem.number, answer))


@mal_rule("NO195")
def keeps_the_part(problem: IncreaseBy) -> Working:
    """The percent of the number alone."""
    answer = plain(problem.part)
    told = step(
        "takes {0} hundredths of {1} and answers {2}", problem.percent, problem.number, answer
    )
    return by_steps(answer, told)


@form("number and operation", (5, 7), 1)
class FractionAsPercent:
    """A fraction as a percent that ends."""

    top: int
    bottom: int

    def __post_init__(self) -> None:
        if not 0 < self.top < self.bottom:
            raise ValueError("The fraction is below 1.")
        write_decimal(Fraction(self.top, self.bottom))

    def stem(self) -> str:
        return f"Write {self.top}/{self.bottom} as a percent."

    def solve(self) -> Working:
        answer = as_percent(Fraction(100 * self.top, self.bottom))
        told = step("divides {0} by {1}", self.top, self.bottom)
        return by_steps(answer, told, step("takes it times {0} and gets {1}", 100, answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        bottom = draws.one((2, 4, 5, 8, 10, 20, 25, 40, 50))
        return cls(draws.between(1, bottom - 1), bottom)


@mal_rule("NO196")
def the_bottom_is_the_percent(problem: FractionAsPercent) -> Working:
    """The bottom with a percent sign."""
    answer = as_percent(problem.bottom)
    return by_steps(answer, step("writes {0} with the sign: {1}", problem.bottom, answer))


@mal_rule("NO197")
def joins_top_and_bottom(problem: FractionAsPercent) -> Working:
    """The digits of top and bottom one after the other."""
    answer = as_percent(int(f"{problem.top}{problem.bottom}"))
    told = step("writes {0} and {1} one after the other: {2}", problem.top, problem.bottom, answer)
    return by_steps(answer, told)


@form("number and operation", (6, 7), 1)
class PercentAsDecimal:
    """A percent written as a decimal, or the decimal as a percent.

    Attributes:
        percent: the number of percent; it ends as a decimal.
        backwards: whether the decimal is told.
    """

    percent: Fraction
    backwards: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.percent < 10_000:
            raise ValueError("The percent is above 0 and below 10,000.")
        write_decimal(self.percent)

    def stem(self) -> str:
        if self.backwards:
            return f"Write {write_decimal(self.percent / 100)} as a percent."
        return f"Write {write_decimal(self.percent)}% as a decimal."

    def changed(self, by: int) -> Working:
        """The decimal times a power of ten, or the percent divided by it."""
        if self.backwards:
            told, answer = plain(self.percent / 100), as_percent(self.percent * by / 100)
            return by_steps(answer, step("multiplies {0} by {1}: {2}", told, by, answer))
        answer = plain(self.percent / by)
        return by_steps(answer, step("divides {0} by {1}: {2}", plain(self.percent), by, answer))

    def solve(self) -> Working:
        return self.changed(100)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        percent = Fraction(draws.between(2, 98), 10 if grade > 6 and draws.chance(0.3) else 1)
        return cls(percent, draws.chance(0.5))


@mal_rule("NO237")
def percent_sign_left_out(problem: PercentAsDecimal) -> Working:
    """Writes the number as it stands, without the sign or with it."""
    return problem.changed(1)


@mal_rule("NO238")
def percent_by_one_place(problem: PercentAsDecimal) -> Working:
    """Moves the point by one place."""
    return problem.changed(10)
