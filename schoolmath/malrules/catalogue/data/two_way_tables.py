"""What part of one group does something, told as a two-way table."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.catalogue.field_checks import check_one_of, check_whole
from schoolmath.malrules.figures.kinds import Grid
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws

_STORIES = {
    "school": "Of {all} pupils, {cell} girls and {below} boys walk to school, and {beside} girls "
    "and {last} boys take the bus. What fraction of the girls walk to school?",
    "museum": "Of {all} visitors, {cell} children and {below} adults came by train, and {beside} "
    "children and {last} adults came by car. What fraction of the children came by train?",
    "garden": "Of {all} plants, {cell} roses and {below} tulips are red, and {beside} roses and "
    "{last} tulips are yellow. What fraction of the roses are red?",
    "library": "Of {all} books, {cell} novels and {below} guides are on loan, and {beside} novels "
    "and {last} guides are on the shelves. What fraction of the novels are on loan?",
    "choir": "Of {all} singers, {cell} teenagers and {below} adults sing high, and {beside} "
    "teenagers and {last} adults sing low. What fraction of the teenagers sing high?",
}

_HEADS = {
    "school": (("girls", "boys"), ("walk", "take the bus")),
    "museum": (("children", "adults"), ("by train", "by car")),
    "garden": (("roses", "tulips"), ("red", "yellow")),
    "library": (("novels", "guides"), ("on loan", "on the shelves")),
    "choir": (("teenagers", "adults"), ("sing high", "sing low")),
}
"""What stands before the rows and over the columns of each story's table."""


@form("data analysis", (8, 11), 2)
class TwoWayTable:
    """Four counts; what part of the first row is in the first column?

    Attributes:
        cell: first row, first column.
        beside: first row, second column.
        below: second row, first column.
        last: second row, second column.
        story: what is counted.

    Raises:
        ValueError: a count is not from 2 to 10000, or the story is not known.
    """

    cell: int
    beside: int
    below: int
    last: int
    story: str = "school"

    def __post_init__(self) -> None:
        check_whole(2, 10_000, cell=self.cell, beside=self.beside)
        check_whole(2, 10_000, below=self.below, last=self.last)
        check_one_of(_STORIES, story=self.story)

    @property
    def row(self) -> int:
        """The total of the first row."""
        return self.cell + self.beside

    @property
    def column(self) -> int:
        """The total of the first column."""
        return self.cell + self.below

    @property
    def grand(self) -> int:
        """The total of all four."""
        return self.row + self.below + self.last

    def stem(self) -> str:
        counts = {"cell": self.cell, "beside": self.beside, "below": self.below}
        return _STORIES[self.story].format(all=self.grand, last=self.last, **counts)

    def beside_figure(self) -> str:
        """The question without what its picture tells."""
        (first, second), _ = _HEADS[self.story]
        asked = _STORIES[self.story].rpartition(". ")[2]
        return f"The table counts {first} and {second}. {asked}"

    def figure(self) -> Grid:
        """The table, without the totals that are to be found."""
        (first, second), (over, beside) = _HEADS[self.story]
        return Grid(
            ("", over, beside),
            (
                (first, str(self.cell), str(self.beside)),
                (second, str(self.below), str(self.last)),
            ),
        )

    def solve(self) -> Worked:
        answer = Answer.number(Fraction(self.cell, self.row))
        return Worked(
            answer,
            (
                step("adds {0} and {1} for the group, {2}", self.cell, self.beside, self.row),
                step("writes {0} out of {1}, which is {2}", self.cell, self.row, answer),
            ),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(200):
            row = draws.one((10, 12, 15, 18, 20, 24, 25, 30, 36, 40, 45, 50))
            grand = row + draws.one((10, 12, 15, 18, 20, 24, 25, 30, 36, 40, 45, 50))
            cell, below = draws.between(3, row - 3), draws.between(3, grand - row - 3)
            drawn = cls(cell, row - cell, below, grand - row - below, draws.one(tuple(_STORIES)))
            # Fractions that a pupil can reduce, and no group as large as another.
            whole = (drawn.row, drawn.column, drawn.grand)
            small = all(
                Fraction(cell, each).denominator < (16 if grade < 10 else 26) for each in whole
            )
            if small and len(set(whole)) == 3:
                return drawn
        raise NotDrawn("No table came up with simple fractions.")


@mal_rule("DA14")
def wrong_total(problem: TwoWayTable) -> tuple[Worked, ...]:
    """Divides by the grand total, or by the total of the column, instead of by the row's."""
    grand = Answer.number(Fraction(problem.cell, problem.grand))
    found = [
        Worked(
            grand,
            (
                step("takes all {0} as the whole", problem.grand),
                step("writes {0} out of {1}, which is {2}", problem.cell, problem.grand, grand),
            ),
        )
    ]
    column = Answer.number(Fraction(problem.cell, problem.column))
    if not column.same_as(grand):
        found.append(
            Worked(
                column,
                (
                    step("takes the other total, that of {0} and {1}", problem.cell, problem.below),
                    step(
                        "writes {0} out of {1}, which is {2}", problem.cell, problem.column, column
                    ),
                ),
            )
        )
    return tuple(found)
