"""Bar charts and pictograms described in words, and two-way tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.writing import places_for
from schoolmath.malrules.figures import Bars, Grid, Pictures
from schoolmath.malrules.forms import (
    NotDrawn,
    check_one_of,
    check_that,
    check_whole,
    check_wholes,
    form,
)
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws
from schoolmath.text.figures import listed


@dataclass(frozen=True, slots=True)
class _Story:
    shows: str
    kinds: tuple[str, str, str, str]
    one: str
    total: str
    difference: str

    def ask(self, wording: str) -> str:
        question = {"one": self.one, "total": self.total, "difference": self.difference}[wording]
        return question.format(*self.kinds)


_STORIES = {
    "fruit": _Story(
        "how many pieces of fruit a shop sold",
        ("apples", "pears", "plums", "oranges"),
        "How many {0} did it sell?",
        "How many pieces of fruit did it sell altogether?",
        "How many more {0} than {1} did it sell?",
    ),
    "sports": _Story(
        "how many pupils chose which sport",
        ("tennis", "football", "swimming", "running"),
        "How many pupils chose {0}?",
        "How many pupils chose a sport altogether?",
        "How many more pupils chose {0} than {1}?",
    ),
    "trees": _Story(
        "how many trees of each kind grow in a park",
        ("oaks", "birches", "pines", "maples"),
        "How many {0} grow there?",
        "How many trees grow there altogether?",
        "How many more {0} than {1} grow there?",
    ),
    "pets": _Story(
        "how many pets are kept in the houses of a street",
        ("cats", "dogs", "rabbits", "hamsters"),
        "How many {0} are kept there?",
        "How many pets are kept there altogether?",
        "How many more {0} than {1} are kept there?",
    ),
}
_ASKED = ("one", "total", "difference")


def _check(counts: tuple[int, ...], value: int, question: str, story: str) -> None:
    check_wholes(1, 1000, 2, counts=counts)
    check_that(len(counts) < 5, "There may be four kinds at most.")
    check_whole(2, 1000, key=value)
    check_one_of(_ASKED, asked=question)
    check_one_of(_STORIES, story=story)
    check_that(
        question != "difference" or counts[0] > counts[1],
        "Where the difference is asked the first must be more than the second.",
    )


def _chosen(counts: tuple[int, ...], question: str) -> tuple[int, ...]:
    return counts[: {"one": 1, "difference": 2}.get(question)]


def _put_together(values: Sequence[int], question: str) -> tuple[Answer, tuple[Step, ...]]:
    """The answer from the numbers that were read, and the step to it where one is needed."""
    if question == "one":
        return Answer.number(values[0]), ()
    if question == "difference":
        answer = Answer.number(values[0] - values[1])
        words = "subtracts {0} from {1} and gets {2}"
        return answer, (step(words, values[1], values[0], answer),)
    answer = Answer.number(sum(values))
    words = f"adds {places_for(len(values))} and gets {{{len(values)}}}"
    return answer, (step(words, *values, answer),)


def _work(idea: Step, read: str, values: Sequence[int], question: str) -> Working:
    answer, after = _put_together(values, question)
    seen = step(f"{read} {places_for(len(values))}", *values)
    return by_steps(answer, idea, seen, *after)


def _draw_counts(draws: Draws, question: str, most: int) -> tuple[int, ...]:
    for _ in range(100):
        counts = tuple(draws.several(range(2, most + 1), draws.between(3, 4)))
        # The one that is asked is never the greatest, for those who take the greatest.
        if question == "difference" and counts[0] <= counts[1] + 1:
            continue
        if question != "one" or counts[0] < max(counts):
            return counts
    raise NotDrawn("No numbers came up.")


@form("data analysis", (3, 5), 1)
class BarChart:
    """Bars that end at lines a certain number apart; one, all or a difference is asked.

    Attributes:
        lines: at which line above the bottom line each bar ends.
        scale: how much lies between two lines.
        asked: ``one`` (the first), ``total`` or ``difference`` (of the first two).
        story: what is counted.
    """

    lines: tuple[int, ...]
    scale: int
    asked: str = "one"
    story: str = "fruit"

    def __post_init__(self) -> None:
        _check(self.lines, self.scale, self.asked, self.story)

    @property
    def values(self) -> tuple[int, ...]:
        """What the bars stand for."""
        return tuple(line * self.scale for line in self.lines)

    @property
    def chosen(self) -> tuple[int, ...]:
        """What the bars stand for that the question is about."""
        return _chosen(self.values, self.asked)

    def stem(self) -> str:
        story = _STORIES[self.story]
        ends = zip(story.kinds, self.lines, strict=False)
        bars = listed([f"for {kind} at line {line}" for kind, line in ends])
        return (
            f"A bar chart shows {story.shows}. The bottom line stands for 0, and each line above "
            f"it stands for {self.scale} more. Counted upwards, with line 1 the first above the "
            f"bottom line, the bars end like this: {bars}. {story.ask(self.asked)}"
        )

    def beside_figure(self) -> str:
        """The question without what its picture tells."""
        story = _STORIES[self.story]
        return f"The bar chart shows {story.shows}. {story.ask(self.asked)}"

    def figure(self) -> Bars:
        """The chart, which is a pupil's to read: only its first line has a number."""
        return Bars(_STORIES[self.story].kinds[: len(self.lines)], self.lines, self.scale)

    def solve(self) -> Working:
        idea = step("multiplies the lines by {0}, as each stands for so many", self.scale)
        return _work(idea, "reads", self.chosen, self.asked)

    def read_lines(self, first: int) -> Working:
        """The answer of somebody who counts the bottom line as this one."""
        values = [(line + first) * self.scale for line in _chosen(self.lines, self.asked)]
        idea = step("counts the bottom line as {0}, so that every bar is one line longer", first)
        return _work(idea, "reads", values, self.asked)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        asked = draws.one(_ASKED)
        scale = draws.one((2, 5, 10) if grade == 3 else (2, 4, 5, 10, 20, 25))
        lines = _draw_counts(draws, asked, 8 if grade == 3 else 12)
        return cls(lines, scale, asked, draws.one(tuple(_STORIES)))


@form("data analysis", (3, 4), 1)
class Pictogram:
    """Rows of pictures that each stand for several; one, all or a difference is asked.

    Attributes:
        pictures: how many pictures are in each row.
        key: how many one picture stands for.
        asked: ``one`` (the first row), ``total`` or ``difference`` (of the first two).
        story: what is counted.
    """

    pictures: tuple[int, ...]
    key: int
    asked: str = "one"
    story: str = "fruit"

    def __post_init__(self) -> None:
        _check(self.pictures, self.key, self.asked, self.story)

    @property
    def values(self) -> tuple[int, ...]:
        """What the rows stand for."""
        return tuple(count * self.key for count in self.pictures)

    @property
    def chosen(self) -> tuple[int, ...]:
        """What the rows stand for that the question is about."""
        return _chosen(self.values, self.asked)

    def stem(self) -> str:
        story = _STORIES[self.story]
        rows = zip(story.kinds, self.pictures, strict=False)
        pictures = listed([f"{count} for {kind}" for kind, count in rows])
        return (
            f"A pictogram shows {story.shows}. Each picture stands for {self.key}. The numbers of "
            f"pictures are {pictures}. {story.ask(self.asked)}"
        )

    def beside_figure(self) -> str:
        """The question without what its picture tells."""
        story = _STORIES[self.story]
        return f"The pictogram shows {story.shows}. {story.ask(self.asked)}"

    def figure(self) -> Pictures:
        """Its rows of pictures."""
        return Pictures(_STORIES[self.story].kinds[: len(self.pictures)], self.pictures, self.key)

    def solve(self) -> Working:
        idea = step("multiplies the pictures by {0}, as each stands for so many", self.key)
        return _work(idea, "gets", self.chosen, self.asked)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        asked = draws.one((*_ASKED, *["difference"] * 7))
        key = draws.one((2, 3, 4, 5, 10) if grade == 3 else (3, 4, 5, 6, 8, 10, 20))
        pictures = _draw_counts(draws, asked, 9)
        return cls(pictures, key, asked, draws.one(tuple(_STORIES)))


@mal_rule("DA12")
def ignores_the_graph_scale(problem: BarChart) -> Working:
    """Counts every line as one."""
    idea = step("counts every line as one")
    return _work(idea, "reads", _chosen(problem.lines, problem.asked), problem.asked)


@mal_rule("DA13")
def one_picture_is_one(problem: Pictogram) -> Working:
    """Counts every picture as one."""
    idea = step("counts every picture as one")
    return _work(idea, "reads", _chosen(problem.pictures, problem.asked), problem.asked)


_TABLE_STORIES = {
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
    """

    cell: int
    beside: int
    below: int
    last: int
    story: str = "school"

    def __post_init__(self) -> None:
        check_whole(2, 10_000, cell=self.cell, beside=self.beside)
        check_whole(2, 10_000, below=self.below, last=self.last)
        check_one_of(_TABLE_STORIES, story=self.story)

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
        return _TABLE_STORIES[self.story].format(all=self.grand, last=self.last, **counts)

    def beside_figure(self) -> str:
        """The question without what its picture tells."""
        (first, second), _ = _HEADS[self.story]
        asked = _TABLE_STORIES[self.story].rpartition(". ")[2]
        return f"The table counts {first} and {second}. {asked}"

    def figure(self) -> Grid:
        """The table, without the totals that are to be found."""
        (first, second), (over, beside) = _HEADS[self.story]
        return Grid(
            ("", over, beside),
            ((first, str(self.cell), str(self.beside)), (second, str(self.below), str(self.last))),
        )

    def solve(self) -> Working:
        answer = Answer.number(Fraction(self.cell, self.row))
        return by_steps(
            answer,
            step("adds {0} and {1} for the group, {2}", self.cell, self.beside, self.row),
            step("writes {0} out of {1}, which is {2}", self.cell, self.row, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(200):
            row = draws.one((10, 12, 15, 18, 20, 24, 25, 30, 36, 40, 45, 50))
            grand = row + draws.one((10, 12, 15, 18, 20, 24, 25, 30, 36, 40, 45, 50))
            cell, below = draws.between(3, row - 3), draws.between(3, grand - row - 3)
            drawn = cls(
                cell, row - cell, below, grand - row - below, draws.one(tuple(_TABLE_STORIES))
            )
            # Fractions that a pupil can reduce, and no group as large as another.
            whole = (drawn.row, drawn.column, drawn.grand)
            small = all(
                Fraction(cell, each).denominator < (16 if grade < 10 else 26) for each in whole
            )
            if small and len(set(whole)) == 3:
                return drawn
        raise NotDrawn("No table came up with simple fractions.")


@mal_rule("DA14")
def wrong_total(problem: TwoWayTable) -> tuple[Working, ...]:
    """Divides by the grand total, or by the total of the column, instead of by the row's."""
    grand = Answer.number(Fraction(problem.cell, problem.grand))
    found = [
        by_steps(
            grand,
            step("takes all {0} as the whole", problem.grand),
            step("writes {0} out of {1}, which is {2}", problem.cell, problem.grand, grand),
        )
    ]
    column = Answer.number(Fraction(problem.cell, problem.column))
    if not column.same_as(grand):
        found.append(
            by_steps(
                column,
                step("takes the other total, that of {0} and {1}", problem.cell, problem.below),
                step("writes {0} out of {1}, which is {2}", problem.cell, problem.column, column),
            )
        )
    return tuple(found)
