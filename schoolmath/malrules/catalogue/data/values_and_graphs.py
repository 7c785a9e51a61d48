"""Frequency tables, means that change, pie charts, and graphs of ways; habits with lists."""

from __future__ import annotations

from fractions import Fraction
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.catalogue.data.averages import MeanOfList, MedianOfList
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.figures import Grid
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws
from schoolmath.text.figures import listed


def _listed(values: tuple[int, ...]) -> str:
    return listed([*map(str, values)])


@form("data analysis", (6, 9), 2)
class FreqTable:
    """Goals and in how many games; mean, median or range is asked.

    Attributes:
        asked: ``mean``, ``median`` or ``range``.
        goals: the values, growing.
        games: how often each.
    """

    asked: str
    goals: tuple[int, ...]
    games: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.asked not in {"mean", "median", "range"} or len(self.goals) < 3:
            raise ValueError("The mean, median or range of three or more values is asked.")
        if len(self.goals) != len(self.games) or sorted(set(self.goals)) != list(self.goals):
            raise ValueError("Each value stands once, in order, with how often it was.")
        if min(self.games) < 1 or min(self.goals) < 0 or sum(self.games) > 10_000:
            raise ValueError("Values are not negative, and each was there at least once.")

    @property
    def values(self) -> tuple[int, ...]:
        """Every value as often as it was."""
        pairs = zip(self.goals, self.games, strict=True)
        return tuple(goals for goals, games in pairs for _ in range(games))

    @property
    def total(self) -> int:
        """All goals together."""
        return sum(self.values)

    def stem(self) -> str:
        return (
            f"A team scored {_listed(self.goals)} goals in {_listed(self.games)} games. What is "
            f"the {self.asked} of the goals in a game?"
        )

    def beside_figure(self) -> str:
        """The question without what its picture tells."""
        return (
            "The table shows in how many games a team scored so many goals. What is the "
            f"{self.asked} of the goals in a game?"
        )

    def figure(self) -> Grid:
        """In how many games there were so many goals."""
        return Grid(("goals", *map(str, self.goals)), (("games", *map(str, self.games)),))

    def solve(self) -> Working:
        if self.asked == "mean":
            return self.divided(self.total, sum(self.games), "all {1} games")
        if self.asked == "range":
            low, high = self.goals[0], self.goals[-1]
            told = step("takes {0} from {1}: {2}", low, high, high - low)
            return by_steps(Answer.number(high - low), told)
        told = step("lists the goals of all {0} games in order", len(self.values))
        answer = _middle(self.values)
        return by_steps(answer, told, step("takes the middle: {0}", answer))

    def divided(self, total: int, by: int, of: str) -> Working:
        """A total shared among some number."""
        answer = plain(Fraction(total, by))
        return by_steps(answer, step(f"divides {{0}} by {of}: {{2}}", total, by, answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        asked = draws.one(("mean", "mean", "median", "range"))
        for _ in range(200):
            rows = draws.between(3, 4 + (grade > 7))
            low = draws.between(0, 1)
            goals = tuple(range(low, low + rows))
            games = tuple(draws.between(1, 9) for _ in goals)
            drawn = cls(asked, goals, games)
            if asked != "mean" or drawn.total * 2 % sum(games) == 0:
                return drawn
        raise NotDrawn("No table with a short mean came up.")


def _middle(values: tuple[int, ...]) -> Answer:
    ordered = sorted(values)
    half = len(ordered) // 2
    if len(ordered) % 2:
        return Answer.number(ordered[half])
    return plain(Fraction(ordered[half - 1] + ordered[half], 2))


@mal_rule("DA15")
def divides_by_the_rows(problem: FreqTable) -> Working | None:
    """The total by the number of rows."""
    if problem.asked != "mean":
        return None
    return problem.divided(problem.total, len(problem.goals), "the {1} rows")


@mal_rule("DA26")
def mean_of_the_values_listed(problem: FreqTable) -> Working | None:
    """Each value once."""
    if problem.asked != "mean":
        return None
    return problem.divided(sum(problem.goals), len(problem.goals), "the {1} values, each once")


@mal_rule("DA27")
def mean_of_the_frequencies(problem: FreqTable) -> Working | None:
    """The number of games by the number of rows."""
    if problem.asked != "mean":
        return None
    return problem.divided(sum(problem.games), len(problem.games), "the {1} numbers of games")


@mal_rule("DA16")
def middle_row(problem: FreqTable) -> Working | None:
    """The middle of the values listed."""
    if problem.asked != "median":
        return None
    answer = _middle(problem.goals)
    told = step("takes the middle of the {0} rows: {1}", len(problem.goals), answer)
    return by_steps(answer, told)


@mal_rule("DA28")
def range_of_the_frequencies(problem: FreqTable) -> Working | None:
    """The greatest number of games minus the least."""
    if problem.asked != "range":
        return None
    low, high = min(problem.games), max(problem.games)
    told = step("takes {0} games from {1}: {2}", low, high, high - low)
    return by_steps(Answer.number(high - low), told)


@mal_rule("DA17")
def one_of_two_middle_values(problem: MedianOfList) -> Working | None:
    """The lower one of two middle values."""
    ordered = sorted(problem.values)
    if len(ordered) % 2:
        return None
    answer = Answer.number(ordered[len(ordered) // 2 - 1])
    told = step("puts {0} values in order", len(ordered))
    return by_steps(
        answer, told, step("takes the first of the two in the middle: {0}", answer), key_step=1
    )


@mal_rule("DA29")
def place_for_value(problem: MedianOfList) -> Working | None:
    """The place of the middle value, not the value."""
    if len(problem.values) % 2 == 0:
        return None
    answer = Answer.number((len(problem.values) + 1) // 2)
    told = step("looks for the middle of {0} values", len(problem.values))
    return by_steps(answer, told, step("answers its place, {0}", answer), key_step=1)


@mal_rule("DA30")
def divides_the_last_number_only(problem: MeanOfList) -> Working:
    """A + b + c ÷ n as keyed in."""
    *others, last = problem.values
    count = len(problem.values)
    part = plain(Fraction(last, count))
    answer = plain(sum(others) + Fraction(last, count))
    first = step("divides {0} by {1}: {2}", last, count, part)
    return by_steps(answer, first, step("adds it to the others, {0}: {1}", sum(others), answer))


@form("data analysis", (7, 11), 2)
class MeanAfterOneMore:
    """The mean of some tests, and one test more."""

    count: int
    mean: int
    more: int

    def __post_init__(self) -> None:
        if self.count < 2 or self.mean < 1 or self.more < 0 or self.more == self.mean:
            raise ValueError("Two or more tests have a mean, and the new one is another number.")

    def stem(self) -> str:
        return (
            f"{self.count} tests have a mean of {self.mean} points. The next test has {self.more} "
            "points. What is the new mean?"
        )

    def solve(self) -> Working:
        total = self.count * self.mean + self.more
        answer = plain(Fraction(total, self.count + 1))
        first = step("finds {0} points in all {1} tests", total, self.count + 1)
        return by_steps(
            answer, first, step("divides {0} by {1}: {2}", total, self.count + 1, answer)
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        count = draws.between(3, 5 + (grade > 8))
        change = draws.between(1, 4) * draws.one((1, -1))
        mean = draws.between(5, 20) + (30 if change < 0 else 0)
        return cls(count, mean, mean + change * (count + 1))


@mal_rule("DA18")
def halfway(problem: MeanAfterOneMore) -> Working:
    """(mean + new)/2."""
    answer = plain(Fraction(problem.mean + problem.more, 2))
    told = step("takes the middle of {0} and {1}: {2}", problem.mean, problem.more, answer)
    return by_steps(answer, told)


@form("data analysis", (6, 8), 2)
class PieChart:
    """How many a sector of a pie chart stands for."""

    pupils: int
    angle: int

    def __post_init__(self) -> None:
        if self.pupils < 2 or not 0 < self.angle < 360 or self.pupils * self.angle % 360:
            raise ValueError("The sector stands for a whole number of pupils.")

    def stem(self) -> str:
        return (
            f"A pie chart shows {self.pupils} pupils. For how many of them does a sector of "
            f"{self.angle} degrees stand?"
        )

    def part(self, whole: int) -> Working:
        """So many of a whole of the pupils."""
        answer = plain(Fraction(self.pupils * self.angle, whole))
        first = step("takes {0} out of {1} parts", self.angle, whole)
        return by_steps(
            answer, first, step("takes this part of {0} pupils: {1}", self.pupils, answer)
        )

    def solve(self) -> Working:
        return self.part(360)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        angle = draws.one((30, 36, 45, 60, 72, 90, draws.one((40, 120, 135, 144, 150))))
        # Whole pupils also for whoever reads the degrees as percent.
        by = 100 if angle < 100 and angle != 40 else 1
        unit = next(n for n in range(1, 361) if n * angle % 360 == 0 and n * angle % by == 0)
        times = max(1, draws.between(40, 60 * (grade - 4)) // unit)
        return cls(unit * max(times, 1), angle)


@mal_rule("DA19")
def degrees_are_people(problem: PieChart) -> Working:
    """The angle."""
    told = step("takes the degrees of the sector for pupils: {0}", problem.angle)
    return by_steps(Answer.number(problem.angle), told)


@mal_rule("DA31")
def degrees_are_percent(problem: PieChart) -> Working | None:
    """The angle as percent of the pupils."""
    return problem.part(100) if problem.angle < 100 else None


@form("data analysis", (7, 10), 2)
class DistanceTimeGraph:
    """A graph of a way with a level part; the speed in the last part is asked.

    Attributes:
        first_time, first_way: the end of the first part, from (0, 0).
        level_until: the time until which it is level.
        last_time, last_way: the end.
    """

    first_time: int
    first_way: int
    level_until: int
    last_time: int
    last_way: int

    def __post_init__(self) -> None:
        if not 0 < self.first_time < self.level_until < self.last_time:
            raise ValueError("The times grow.")
        if not 0 < self.first_way < self.last_way:
            raise ValueError("The way grows in both parts.")

    def stem(self) -> str:
        return (
            "A graph of distance in metres over time in seconds rises from 0 to "
            f"{self.first_way} m in {self.first_time} s, is level until {self.level_until} s and "
            f"rises to {self.last_way} m at {self.last_time} s. What is the speed in the last part "
            "in m/s?"
        )

    def speed(self, way: int, time: int) -> Working:
        """A way divided by a time."""
        answer = plain(Fraction(way, time))
        return by_steps(answer, step("divides {0} m by {1} s: {2}", way, time, answer))

    def solve(self) -> Working:
        return self.speed(self.last_way - self.first_way, self.last_time - self.level_until)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        first_time, level = draws.between(2, 5), draws.between(1, 4)
        last, speed = draws.between(2, 5), draws.between(2, grade)
        way = first_time * draws.between(2, 6)
        until = first_time + level
        return cls(first_time, way, until, until + last, way + last * speed)


@mal_rule("DA22")
def height_by_time(problem: DistanceTimeGraph) -> Working:
    """The last way over the last time."""
    return problem.speed(problem.last_way, problem.last_time)


@mal_rule("DA23")
def height_is_the_speed(problem: DistanceTimeGraph) -> Working:
    """Reads the height at the end."""
    told = step("reads the height at the end: {0}", problem.last_way)
    return by_steps(Answer.number(problem.last_way), told)


@mal_rule("DA32")
def divides_by_the_old_number(problem: MeanAfterOneMore) -> Working:
    """The new total by the number of tests before."""
    total = problem.count * problem.mean + problem.more
    answer = plain(Fraction(total, problem.count))
    first = step("finds {0} points in all {1} tests", total, problem.count + 1)
    return by_steps(
        answer, first, step("divides {0} by {1}: {2}", total, problem.count, answer), key_step=1
    )


@mal_rule("DA33")
def one_more_changes_nothing(problem: MeanAfterOneMore) -> Working:
    """The mean as it was."""
    told = step("takes the mean to stay as it was, {0}", problem.mean)
    return by_steps(Answer.number(problem.mean), told)


@mal_rule("DA34")
def the_rest_of_the_pie(problem: PieChart) -> Working | None:
    """The pupils of all other sectors."""
    if problem.angle == 180:
        return None
    rest = 360 - problem.angle
    answer = plain(Fraction(problem.pupils * rest, 360))
    first = step("takes {0} of {1} degrees, what the sector leaves", rest, 360)
    return by_steps(answer, first, step("has this part of {0} pupils: {1}", problem.pupils, answer))


@mal_rule("DA35")
def time_over_way(problem: DistanceTimeGraph) -> Working:
    """Seconds for a metre."""
    way, time = problem.last_way - problem.first_way, problem.last_time - problem.level_until
    answer = plain(Fraction(time, way))
    return by_steps(answer, step("divides {0} s by {1} m: {2}", time, way, answer))
