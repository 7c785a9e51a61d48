"""Patterns that go on, and machines that do the same to every number."""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


@form("algebra", (3, 5), 1)
class NextInPattern:
    """The number after ``6, 10, 14, 18``.

    Attributes:
        first: the first number.
        step: from a number to the next; from 2.
    """

    first: int
    step: int

    def __post_init__(self) -> None:
        if self.first < 0 or self.step < 2:
            raise ValueError("The pattern begins at 0 or above and grows by 2 or more.")

    @property
    def last(self) -> int:
        """The last number that is told, the fourth."""
        return self.first + 3 * self.step

    def stem(self) -> str:
        told = ", ".join(str(self.first + self.step * place) for place in range(4))
        return f"A pattern goes on in the same way: {told}, _. Which number comes next?"

    def solve(self) -> Working:
        return _gone_on(self)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(*_pattern(draws, grade))


@form("algebra", (3, 5), 1)
class MissingInPattern:
    """The number that is missing in ``6, 10, _, 18, 22``.

    Attributes:
        first: the first number.
        step: from a number to the next; from 2.
    """

    first: int
    step: int

    def __post_init__(self) -> None:
        if self.first < 0 or self.step < 2:
            raise ValueError("The pattern begins at 0 or above and grows by 2 or more.")

    @property
    def last(self) -> int:
        """The number before the gap."""
        return self.first + self.step

    def stem(self) -> str:
        one, two, _, four, five = (self.first + self.step * place for place in range(5))
        return (
            f"The numbers of a pattern grow in the same way: {one}, {two}, _, {four}, {five}. "
            "Which number is missing?"
        )

    def solve(self) -> Working:
        return _gone_on(self)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(*_pattern(draws, grade))


def _gone_on(problem: NextInPattern | MissingInPattern) -> Working:
    """The step found, and taken once more."""
    last, grows = problem.last, problem.step
    idea = step("takes {0} from {1} and finds {2}", last - grows, last, grows)
    told = step("adds {0} to {1} and gets {2}", grows, last, last + grows)
    return by_steps(Answer.number(last + grows), idea, told, key_step=1)


def _pattern(draws: Draws, grade: int) -> tuple[int, int]:
    """A first number and a step."""
    return draws.between(1, 10 * (grade - 2)), draws.between(3, 4 + 2 * grade)


@mal_rule("AL88")
def step_for_the_next_number(problem: NextInPattern | MissingInPattern) -> Working:
    """What is added, and not the number that it leads to."""
    last, before = problem.last, problem.last - problem.step
    first = step("finds how much more {0} is than {1}", last, before)
    told = step("takes {0} from {1} and answers {2}", before, last, problem.step)
    return by_steps(Answer.number(problem.step), first, told, key_step=1)


@mal_rule("AL89")
def counts_on_by_one(problem: NextInPattern | MissingInPattern) -> Working:
    """The next counting number."""
    first = step("finds the number {0} before the blank", problem.last)
    told = step("counts on by {0} from {1} and says {2}", 1, problem.last, problem.last + 1)
    return by_steps(Answer.number(problem.last + 1), first, told, key_step=1)


@mal_rule("AL90")
def a_step_too_far(problem: NextInPattern) -> Working:
    """The number after the next one."""
    value = problem.last + 2 * problem.step
    before = problem.last - problem.step
    idea = step("takes {0} from {1} and finds {2}", before, problem.last, problem.step)
    told = step("takes two steps of {0} from {1} and gets {2}", problem.step, problem.last, value)
    return by_steps(Answer.number(value), idea, told, key_step=1)


@mal_rule("AL91")
def adds_the_last_two(problem: NextInPattern | MissingInPattern) -> Working:
    """The sum of the last two numbers."""
    before, value = problem.last - problem.step, 2 * problem.last - problem.step
    first = step("finds the numbers {0} and {1} before the blank", before, problem.last)
    told = step("adds {0} and {1} and gets {2}", before, problem.last, value)
    return by_steps(Answer.number(value), first, told, key_step=1)


@form("algebra", (5, 7), 2)
class InputOutput:
    """A machine that multiplies every number by the same one.

    Attributes:
        times: by what it multiplies; from 2.
        shown: three numbers put in, growing.
        asked: the one that is asked; larger.
    """

    times: int
    shown: tuple[int, ...]
    asked: int

    def __post_init__(self) -> None:
        if self.times < 2 or len(self.shown) != 3 or self.shown[0] < 1:
            raise ValueError("The machine multiplies by 2 or more, and three numbers are shown.")
        if [*self.shown, self.asked] != sorted({*self.shown, self.asked}):
            raise ValueError("The numbers put in grow, and the one asked is the largest.")

    def stem(self) -> str:
        one, two, three = (f"{each} into {each * self.times}" for each in self.shown)
        return (
            f"A machine does the same to every number. It makes {one}, {two} and {three}. "
            f"What does it make of {self.asked}?"
        )

    def solve(self) -> Working:
        value = self.times * self.asked
        put, out = self.shown[0], self.times * self.shown[0]
        idea = step("divides {0} by {1} and finds {2}", out, put, self.times)
        return by_steps(
            Answer.number(value),
            idea,
            step("multiplies {0} by {1} and gets {2}", self.asked, self.times, value),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        numbers = sorted(draws.several(range(2, 9 + grade), 4))
        return cls(draws.between(2, grade + 2), tuple(numbers[:3]), numbers[3])


@mal_rule("AL92")
def adds_the_first_difference(problem: InputOutput) -> Working:
    """What the first number grows by, added to the one asked."""
    put = problem.shown[0]
    more = put * (problem.times - 1)
    value = problem.asked + more
    first = step("takes {0} from {1} and finds {2}", put, put * problem.times, more)
    return by_steps(
        Answer.number(value),
        first,
        step("adds {0} to {1} and gets {2}", more, problem.asked, value),
    )


@mal_rule("AL93")
def goes_down_the_results(problem: InputOutput) -> Working:
    """The last two results differ by so much, so the next one does too."""
    before, last = (problem.times * each for each in problem.shown[1:])
    value = last + last - before
    first = step("takes {0} from {1} and finds {2}", before, last, last - before)
    return by_steps(
        Answer.number(value),
        first,
        step("adds {0} to {1} and gets {2}", last - before, last, value),
    )


@mal_rule("AL94")
def as_much_more_out_as_in(problem: InputOutput) -> Working:
    """The result grows by as much as the number put in."""
    last = problem.shown[2]
    more, value = problem.asked - last, problem.times * last + problem.asked - last
    first = step("takes {0} from {1} and finds {2}", last, problem.asked, more)
    return by_steps(
        Answer.number(value),
        first,
        step("adds {0} to {1} and gets {2}", more, problem.times * last, value),
        key_step=1,
    )


@form("algebra", (5, 7), 2)
class MachineBackwards:
    """Which number went into a machine that multiplies and then adds.

    Attributes:
        times, more: by what it multiplies, and what it adds.
        out: what comes out.
    """

    times: int
    more: int
    out: int

    def __post_init__(self) -> None:
        if self.times < 2 or not 0 < self.more < self.out or (self.out - self.more) % self.times:
            raise ValueError("The machine multiplies a whole number by 2 or more, and adds to it.")

    @property
    def put(self) -> int:
        """What was put in."""
        return (self.out - self.more) // self.times

    def stem(self) -> str:
        return (
            f"A machine multiplies a number by {self.times} and then adds {self.more}. "
            f"The number {self.out} comes out. Which number was put in?"
        )

    def solve(self) -> Working:
        left = self.out - self.more
        first = step("takes the {0} off first, which leaves {1}", self.more, left)
        last = step("divides {0} by {1} and gets {2}", left, self.times, self.put)
        return by_steps(Answer.number(self.put), first, last)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        times = draws.between(2, grade)
        more = times * draws.between(1, 4)
        return cls(times, more, times * draws.between(6, 3 * grade) + more)


@mal_rule("AL98")
def machine_forwards(problem: MachineBackwards) -> Working:
    """Puts in what came out."""
    product = problem.times * problem.out
    first = step("multiplies {0} by {1}: {2}", problem.out, problem.times, product)
    last = step("adds {0} and gets {1}", problem.more, product + problem.more)
    return by_steps(Answer.number(product + problem.more), first, last)


@mal_rule("AL99")
def undoes_one_step(problem: MachineBackwards) -> Working:
    """Takes off what was added and stops."""
    value = problem.out - problem.more
    told = step("takes the {0} from {1} and gets {2}", problem.more, problem.out, value)
    return by_steps(Answer.number(value), told)


@mal_rule("AL100")
def machine_undone_in_the_same_order(problem: MachineBackwards) -> Working | None:
    """Divides first, then takes off what was added."""
    if problem.out % problem.times or problem.out // problem.times <= problem.more:
        return None
    part = problem.out // problem.times
    first = step("divides {0} by {1} first: {2}", problem.out, problem.times, part)
    last = step("takes the {0} off and gets {1}", problem.more, part - problem.more)
    return by_steps(Answer.number(part - problem.more), first, last)
