"""A number that is missing on the right of the equals sign."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from biaslab.malrules.answers import Answer
from biaslab.malrules.catalogue.algebra_writing import write_sum
from biaslab.malrules.forms import form
from biaslab.malrules.rules import mal_rule
from biaslab.malrules.traces import Worked, step
from biaslab.problems.draws import Draws


@form
@dataclass(frozen=True, slots=True)
class Blank:
    """``8 + 4 = _ + 5``, or with a letter ``x + 5 = 20 - 5 + 3``.

    Attributes:
        left: the terms whose value is known, with their signs; at least two, the first positive.
        right: what is added to the missing number; may be 0.
        letter: whether the missing number is called x, and not a blank.
    """

    left: tuple[int, ...]
    right: int
    letter: bool = False
    content_class: ClassVar[str] = "algebra"
    grades: ClassVar[tuple[int, int]] = (3, 9)
    dok: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if len(self.left) < 2 or self.left[0] <= 0 or 0 in self.left:
            raise ValueError("A number sentence needs two terms or more and starts above 0.")
        if self.right < 0:
            raise ValueError("What is added to the missing number is 0 or more.")

    def stem(self) -> str:
        known = write_sum(self.left)
        if self.letter:
            unknown = f"x + {self.right}" if self.right else "x"
            return f"Solve {unknown} = {known}. What is x?"
        unknown = f"_ + {self.right}" if self.right else "_"
        return f"What number goes in the blank in {known} = {unknown}?"

    def solve(self) -> Worked:
        total = sum(self.left)
        value = total - self.right
        steps = [step("works out {0} and gets {1}", write_sum(self.left), total)]
        if self.right:
            steps.append(
                step(
                    "takes the {0} of the other side from {1}, so that both sides are worth "
                    "the same, and gets {2}",
                    *(self.right, total, value),
                )
            )
        else:
            steps.append(step("sees that both sides are worth the same: {0}", value))
        return Worked(Answer.number(value), tuple(steps), key_step=1)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 6 + 2 * min(grade, 6)
        taken, added, right = (draws.between(2, most) for _ in range(3))
        first = taken + added + right + draws.between(1, 3 * most)
        return cls((first, -taken, added), right, letter=grade >= 6)


@mal_rule("AL01")
def equals_means_work_it_out(problem: Blank) -> Worked | None:
    """Takes the equals sign as an order to write down a result."""
    if not problem.right:
        return None
    total = sum(problem.left)
    return Worked(
        Answer.number(total),
        (
            step("works out {0} and gets {1}", write_sum(problem.left), total),
            step(
                "writes the result {0} straight after the equals sign, and passes over the {1}",
                *(total, problem.right),
            ),
        ),
        key_step=1,
    )


@mal_rule("AL02")
def adds_all_the_numbers(problem: Blank) -> Worked | None:
    """Adds whatever numbers stand in the sentence."""
    if not problem.right:
        return None
    seen = (*(abs(term) for term in problem.left), problem.right)
    total = sum(seen)
    return Worked(
        Answer.number(total),
        (
            step("takes every number of the sentence, on both sides: {0}", write_list(seen)),
            step("adds them all and gets {0}", total),
        ),
        key_step=1,
    )


def write_list(numbers: tuple[int, ...]) -> str:
    """``8, 4 and 5``."""
    return f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
