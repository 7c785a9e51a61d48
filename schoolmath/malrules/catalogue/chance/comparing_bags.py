"""Which of several bags gives the best chance."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.exact_writing import listed
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws

LETTERS = "ABCDEF"


@form("probability", (6, 7), 2)
class BagComparison:
    """Bags A, B and so on with red marbles among others.

    Attributes:
        bags: for each bag the number of red marbles and of all marbles.

    Raises:
        ValueError: there are not 2 to 6 bags, a bag has no red or no other marble, or two bags
            share the best chance.
    """

    bags: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        if not 2 <= len(self.bags) <= len(LETTERS):
            raise ValueError("There must be 2 to 6 bags.")
        if any(not 0 < red < total for red, total in self.bags):
            raise ValueError("Every bag must hold red and other marbles.")
        chances = [Fraction(*bag) for bag in self.bags]
        if chances.count(max(chances)) > 1:
            raise ValueError("Two bags share the best chance.")

    @property
    def labels(self) -> tuple[str, ...]:
        """The letters of the bags."""
        return tuple(LETTERS[: len(self.bags)])

    def stem(self) -> str:
        told = [
            f"Bag {letter} holds {total} marbles, and {red} of them {'is' if red == 1 else 'are'}"
            " red."
            for letter, (red, total) in zip(self.labels, self.bags, strict=True)
        ]
        return " ".join(
            [*told, "One marble is drawn without looking. Which bag gives the best chance of red?"]
        )

    def solve(self) -> Worked:
        best = max(self.bags, key=lambda bag: Fraction(*bag))
        letter = self.labels[self.bags.index(best)]
        shares = [f"{red}/{total}" for red, total in self.bags]
        slots = listed([f"{{{place}}}" for place in range(len(shares))])
        return Worked(
            Answer.label(letter),
            (
                step(f"writes the chances as {slots}", *shares),
                step("finds {0} the largest of these fractions", f"{best[0]}/{best[1]}"),
                step(f"picks bag {letter}"),
            ),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 20 if grade == 6 else 30
        for _ in range(400):
            near = draws.between(2, 5), draws.between(1, 3)
            best = draws.between(4, 9), draws.between(3, 6)
            many = best[0] + draws.between(1, 4), 0
            bags = [
                (near[0], near[0] + near[1]),
                (best[0], best[0] + best[1]),
                (many[0], many[0] + draws.between(best[1] + 1, 12)),
                (draws.between(2, best[0]), draws.between(16, most)),
            ]
            gaps = [total - red for red, total in bags]
            chances = [Fraction(*bag) for bag in bags]
            ways = (
                chances[1] == max(chances) and len({*chances}) == 4,
                gaps[0] < min(gaps[1:]),
                bags[2][0] > max(bags[0][0], bags[1][0], bags[3][0]),
                bags[3][1] > max(bag[1] for bag in bags[:3]),
            )
            # Every bag is the choice of another idea.
            if all(ways):
                return cls(tuple(draws.several(bags, 4)))
        raise NotDrawn("No bags to compare came up.")


@mal_rule("PR02")
def most_red(problem: BagComparison) -> Worked | None:
    """Takes the bag with the most red marbles, whatever else is in it."""
    reds = [red for red, _ in problem.bags]
    most = max(reds)
    if reds.count(most) > 1:
        return None
    letter = problem.labels[reds.index(most)]
    slots = listed([f"{{{place}}}" for place in range(len(reds))])
    return Worked(
        Answer.label(letter),
        (
            step(f"compares the numbers of red marbles, {slots}", *reds),
            step("takes {0} red marbles as the best chance", most),
            step(f"picks bag {letter}"),
        ),
    )
