"""Sharing in a ratio, pairs in proportion, recipes, shared work, and speeds."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.catalogue.fractions.percents import PercentOf
from schoolmath.malrules.catalogue.writing import plain
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws

_SHARES = {
    "beads": "In a box the ratio of red beads to blue beads is {first}:{second}. "
    "There are {total} beads, all red or blue. How many beads are red?",
    "segment": "A point N lies on the segment AB so that AN:NB = {first}:{second}. "
    "AB is {total} cm long. How many centimetres long is AN?",
    "paint": "A painter mixes white and green paint in the ratio {first}:{second} and makes "
    "{total} litres. How many litres of white paint are in the mixture?",
    "farm": "On a farm the ratio of goats to sheep is {first}:{second}. There are {total} goats "
    "and sheep together. How many goats are there?",
}
_PROPORTIONS = {
    "picture": "A picture is enlarged so that a side of {first} cm becomes {second} cm long. "
    "How many centimetres long does a side of {third} cm become?",
    "recipe": "A cook needs {second} spoons of sugar for {first} cups of flour. "
    "How many spoons of sugar go with {third} cups of flour?",
    "paint": "A painter mixes {second} litres of blue with {first} litres of white. "
    "How many litres of blue give the same colour with {third} litres of white?",
    "walk": "At a steady pace a walker takes {second} minutes for {first} rounds of a park. "
    "How many minutes do {third} rounds take?",
}


@form("number and operation", (6, 7), 2)
class RatioShare:
    """A total in the ratio ``first:second``; the first share is asked for."""

    first: int
    second: int
    total: int
    setting: str = "beads"

    def __post_init__(self) -> None:
        if min(self.first, self.second, self.total) < 1:
            raise ValueError("The numbers of the ratio and the total must be 1 or more.")
        if self.total * self.first % (self.first + self.second):
            raise ValueError(f"{self.total} does not divide into whole shares.")
        if self.setting not in _SHARES:
            raise ValueError(f"There is no story {self.setting!r}: use one of {[*_SHARES]}.")

    def stem(self) -> str:
        return _SHARES[self.setting].format(first=self.first, second=self.second, total=self.total)

    def solve(self) -> Working:
        parts = self.first + self.second
        answer = plain(Fraction(self.total * self.first, parts))
        one = plain(Fraction(self.total, parts))
        return by_steps(
            answer,
            step("adds {0} and {1} to get {2} parts", self.first, self.second, parts),
            step("divides {0} by {1} to get {2} for one part", self.total, parts, one),
            step("multiplies {0} by {1} and gets {2}", one, self.first, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 120 if grade == 6 else 300
        for _ in range(200):
            first, second = draws.between(2, 7), draws.between(2, 9)
            # Whole for those who take first/second or 1/first of the total.
            total = (first + second) * lcm(first, second) * draws.between(1, 3)
            if first != second and gcd(first, second) == 1 and total <= most:
                return cls(first, second, total, draws.one(tuple(_SHARES)))
        raise NotDrawn("No ratio came up.")


@form("number and operation", (6, 8), 2)
class Proportion:
    """``first`` goes with ``second``; what goes with ``third``?"""

    first: int
    second: int
    third: int
    setting: str = "picture"

    def __post_init__(self) -> None:
        # 1 would want its nouns in the singular, and asks for no proportion.
        if min(self.first, self.second, self.third) < 2:
            raise ValueError("The numbers must be 2 or more.")
        if self.setting not in _PROPORTIONS:
            raise ValueError(f"There is no story {self.setting!r}: use one of {[*_PROPORTIONS]}.")

    def stem(self) -> str:
        return _PROPORTIONS[self.setting].format(
            first=self.first, second=self.second, third=self.third
        )

    def solve(self) -> Working:
        answer = plain(Fraction(self.third * self.second, self.first))
        factor = plain(Fraction(self.second, self.first))
        return by_steps(
            answer,
            step("finds that {0} is {1} times {2}", self.second, factor, self.first),
            step("multiplies {0} by {1} and gets {2}", self.third, factor, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = {6: 9, 7: 12}.get(grade, 15)
        for _ in range(200):
            first, second = draws.between(2, most), draws.between(2, most)
            if abs(first - second) < 2:
                continue
            shared = gcd(first, second)
            third = first * second // shared**2 * draws.between(1, 5)
            if third in (first, second) or not 2 <= third <= 60:
                continue
            drawn = cls(first, second, third, draws.one(tuple(_PROPORTIONS)))
            if third + second - first > 0 and drawn.solve().answer.value <= 200:  # type: ignore[operator]
                return drawn
        raise NotDrawn("No proportion came up.")


@mal_rule("NO64")
def part_to_part_as_part_of_whole(problem: RatioShare) -> Working | None:
    """Uses the ratio as a fraction of the whole."""
    answer = plain(Fraction(problem.total * problem.first, problem.second))
    fraction = f"{problem.first}/{problem.second}"
    return by_steps(
        answer,
        step("reads {0} as the fraction {1}", f"{problem.first}:{problem.second}", fraction),
        step("takes {0} of {1} and gets {2}", fraction, problem.total, answer),
    )


@mal_rule("NO65")
def divides_by_the_ratio_number(problem: RatioShare | PercentOf) -> Working | None:
    """Divides the whole by the ratio number of the share asked for, or by the percent."""
    if isinstance(problem, PercentOf):
        share = plain(Fraction(problem.amount, problem.percent))
        return by_steps(
            share,
            step("takes the {0} of {0}% as the number to divide by", problem.percent),
            step("divides {0} by {1} and gets {2}", problem.amount, problem.percent, share),
        )
    answer = plain(Fraction(problem.total, problem.first))
    return by_steps(
        answer,
        step("takes {0} of the ratio as the number to divide by", problem.first),
        step("divides {0} by {1} and gets {2}", problem.total, problem.first, answer),
    )


@mal_rule("NO66")
def adds_the_difference(problem: Proportion | RatioShare) -> Working | None:
    """Keeps the difference instead of the ratio."""
    difference = problem.second - problem.first
    if isinstance(problem, RatioShare):
        answer = plain(Fraction(problem.total - difference, 2))
        size = abs(difference)
        less = "less" if difference >= 0 else "more"
        return by_steps(
            answer,
            step(
                f"reads {{0}} as {{1}} {less} than the other share",
                f"{problem.first}:{problem.second}",
                size,
            ),
            step("splits {0} into two shares {1} apart", problem.total, size),
            step("gets {0}", answer),
        )
    answer = plain(problem.third + difference)
    verb = "adds {1} to" if difference >= 0 else "subtracts {1} from"
    return by_steps(
        answer,
        step(
            "finds that {0} and {1} are {2} apart", problem.first, problem.second, abs(difference)
        ),
        step(f"{verb} {{0}} and gets {{2}}", problem.third, abs(difference), answer),
    )


@form("number and operation", (6, 8), 2)
class RatioDifference:
    """A ratio and how much more the second gets; what the first gets is asked.

    Attributes:
        first: smaller than the second.
        second: parts of the second.
        more: how much more the second gets.
    """

    first: int
    second: int
    more: int

    def __post_init__(self) -> None:
        if not 0 < self.first < self.second or self.more < 1:
            raise ValueError("The second part is the larger one, by a positive number.")

    def stem(self) -> str:
        return (
            f"In the ratio {self.first}:{self.second} Ben gets {self.more} more than Amal. "
            "What does Amal get?"
        )

    def by_parts(self, parts: int, wording: str) -> Working:
        """The difference shared into so many parts, of which the first gets its own."""
        one = Fraction(self.more, parts)
        answer = plain(one * self.first)
        return by_steps(
            answer,
            step(wording, self.more, parts, plain(one)),
            step("takes {0} parts of {1} and gets {2}", self.first, plain(one), answer),
        )

    def solve(self) -> Working:
        told = "shares {0} among the {1} parts that the second has more: {2}"
        return self.by_parts(self.second - self.first, told)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(40):
            first = draws.between(2, min(grade, 7))
            second = min(9, first + draws.between(2, 5))
            more = (second - first) * draws.between(2, 12)
            if more % (first + second) == 0 or draws.chance(0.3):
                return cls(first, second, more)
        raise NotDrawn("No ratio came up.")


@mal_rule("NO150")
def difference_for_the_total(problem: RatioDifference) -> Working:
    """Shares the difference among all parts."""
    return problem.by_parts(problem.first + problem.second, "shares {0} among all {1} parts: {2}")


@mal_rule("NO198")
def difference_is_one_part(problem: RatioDifference) -> Working | None:
    """The difference taken for one part."""
    if problem.second - problem.first == 1:
        return None
    answer = Answer.number(problem.more * problem.first)
    told = step("takes {0} as one part, and {1} parts: {2}", problem.more, problem.first, answer)
    return by_steps(answer, told)


_THINGS = ("eggs", "lemons", "apples", "potatoes", "onions")


@form("number and operation", (5, 8), 2)
class Recipe:
    """An amount for some people, and the same dish for more people.

    Attributes:
        people: for whom the amount is told.
        amount: how much they need.
        thing: of what.
        more_people: for whom it is asked.
    """

    people: int
    amount: int
    thing: str
    more_people: int

    def __post_init__(self) -> None:
        if not 0 < self.people < self.more_people or self.amount < 1:
            raise ValueError("The second dish is for more people, and something is needed.")

    def stem(self) -> str:
        return (
            f"For {self.people} people a cook needs {self.amount} {self.thing}. "
            f"How many {self.thing} are needed for {self.more_people} people?"
        )

    def solve(self) -> Working:
        answer = plain(Fraction(self.amount * self.more_people, self.people))
        times = plain(Fraction(self.more_people, self.people))
        told = step("sees that {0} is {1} times {2}", self.more_people, times, self.people)
        return by_steps(answer, told, step("takes {0} times {1}: {2}", times, self.amount, answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        unit, times = draws.between(2, 5), draws.between(2, 3)
        people = unit * times
        amount = times * draws.between(1, 4)
        more = unit * (times * draws.between(1, 2 + (grade > 6)) + draws.between(1, times - 1))
        if people == amount:
            amount += times
        return cls(people, amount, draws.one(_THINGS), more)


@mal_rule("NO151")
def doubles_and_adds_the_rest(problem: Recipe) -> Working | None:
    """Whole multiples, and then one for each person more."""
    times, rest = divmod(problem.more_people, problem.people)
    if not rest:
        return None
    result = times * problem.amount + rest
    return by_steps(
        Answer.number(result),
        step("takes {0} times {1} for {2} people", times, problem.amount, times * problem.people),
        step("adds one for each of the {0} others: {1}", rest, result),
        key_step=1,
    )


@form("number and operation", (6, 9), 2)
class InverseProportion:
    """So many workers need so many days, and other workers do the same work."""

    workers: int
    days: int
    other: int

    def __post_init__(self) -> None:
        if min(self.workers, self.days, self.other) < 1 or self.workers == self.other:
            raise ValueError("The numbers are positive, and the workers are other ones.")

    def stem(self) -> str:
        return (
            f"{self.workers} workers need {self.days} days. How many days do {self.other} workers "
            "need for the same work?"
        )

    def solve(self) -> Working:
        whole = self.workers * self.days
        answer = plain(Fraction(whole, self.other))
        return by_steps(
            answer,
            step("finds {0} days for one worker", whole),
            step("shares them among {0} workers and gets {1}", self.other, answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        workers = draws.between(2, 6)
        times = draws.between(2, 3)
        return cls(workers, times * draws.between(2, grade + 2), workers * times)


@mal_rule("NO152")
def more_workers_more_days(problem: InverseProportion) -> Working:
    """The same factor for workers and days."""
    times = Fraction(problem.other, problem.workers)
    answer = plain(problem.days * times)
    return by_steps(
        answer,
        step(
            "sees that {0} workers are {1} times {2}", problem.other, plain(times), problem.workers
        ),
        step("takes {0} times {1} days: {2}", plain(times), problem.days, answer),
        key_step=1,
    )


@mal_rule("NO199")
def takes_off_the_difference(problem: InverseProportion) -> Working | None:
    """As many days less as there are workers more."""
    more = problem.other - problem.workers
    if not 0 < more < problem.days:
        return None
    answer = Answer.number(problem.days - more)
    told = step("takes {0} days off, one for each worker more: {1}", more, answer)
    return by_steps(answer, told)


@form("number and operation", (6, 9), 2)
class Speed:
    """A way and the time for it; the speed in km/h is asked.

    Attributes:
        way: in km.
        hours, minutes: the time; minutes below 60.
    """

    way: int
    hours: int
    minutes: int

    def __post_init__(self) -> None:
        if self.way < 1 or self.hours < 1 or not 0 <= self.minutes < 60:
            raise ValueError("The way is positive, and the time is an hour or more.")

    def stem(self) -> str:
        time = f"{self.hours} h{f' {self.minutes} min' if self.minutes else ''}"
        return f"A car goes {self.way} km in {time}. What is its speed in km/h?"

    def by_time(self, time: Fraction) -> Working:
        """The way divided by a time in hours."""
        answer = plain(self.way / time)
        told = step("writes {0} h {1} min as {2} hours", self.hours, self.minutes, plain(time))
        return by_steps(answer, told, step("divides {0} by it and gets {1}", self.way, answer))

    def solve(self) -> Working:
        return self.by_time(self.hours + Fraction(self.minutes, 60))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        hours, minutes = draws.between(1, 3), draws.one((12, 15, 24, 30, 30, 36, 45, 48))
        time = hours + Fraction(minutes, 60)
        return cls(int(time * 20) * draws.between(1, 4), hours, minutes)


@mal_rule("NO200")
def minutes_behind_the_point(problem: Speed) -> Working | None:
    """1 h 30 min read as 1.3 hours."""
    if not problem.minutes:
        return None
    tail = str(problem.minutes).rstrip("0") if problem.minutes >= 10 else f"0{problem.minutes}"
    return problem.by_time(Fraction(f"{problem.hours}.{tail}"))


@mal_rule("NO201")
def time_by_way(problem: Speed) -> Working:
    """Hours for a kilometre."""
    time = problem.hours + Fraction(problem.minutes, 60)
    answer = plain(time / problem.way)
    told = step("divides {0} hours by {1} and gets {2}", plain(time), problem.way, answer)
    return by_steps(answer, told)


@mal_rule("NO214")
def amount_for_each_person(problem: Recipe) -> Working:
    """Takes what all need for what one needs."""
    answer = Answer.number(problem.amount * problem.more_people)
    told = step(
        "takes {0} for each of {1} people: {2}", problem.amount, problem.more_people, answer
    )
    return by_steps(answer, told)


@mal_rule("NO215")
def whole_times_only(problem: Recipe) -> Working | None:
    """Makes the dish the next whole number of times."""
    times, rest = divmod(problem.more_people, problem.people)
    if not rest:
        return None
    answer = Answer.number((times + 1) * problem.amount)
    first = step("makes the dish {0} times, so that it is enough", times + 1)
    return by_steps(
        answer, first, step("takes {0} times {1}: {2}", times + 1, problem.amount, answer)
    )


@mal_rule("NO216")
def the_other_share(problem: RatioDifference) -> Working:
    """What the second one gets."""
    one = Fraction(problem.more, problem.second - problem.first)
    answer = plain(one * problem.second)
    told = "shares {0} among the {1} parts that the second has more: {2}"
    return by_steps(
        answer,
        step(told, problem.more, problem.second - problem.first, plain(one)),
        step("takes the {0} parts of Ben and gets {1}", problem.second, answer),
        key_step=1,
    )


@mal_rule("NO217")
def stops_at_one_worker(problem: InverseProportion) -> Working:
    """The days that one worker needs."""
    answer = Answer.number(problem.workers * problem.days)
    told = step("multiplies {0} workers by {1} days: {2}", problem.workers, problem.days, answer)
    return by_steps(answer, told)


@mal_rule("NO218")
def drops_the_minutes(problem: Speed) -> Working:
    """Divides by the whole hours."""
    answer = plain(Fraction(problem.way, problem.hours))
    told = step("divides {0} by {1} hours and gets {2}", problem.way,
                problem.hours, answer)  # fmt: skip
    return by_steps(answer, told)


@mal_rule("NO219")
def speed_for_a_minute(problem: Speed) -> Working:
    """Divides by the time in minutes."""
    minutes = 60 * problem.hours + problem.minutes
    answer = plain(Fraction(problem.way, minutes))
    first = step("writes {0} h {1} min as {2} minutes", problem.hours, problem.minutes, minutes)
    return by_steps(
        answer, first, step("divides {0} by {1} and gets {2}", problem.way, minutes, answer)
    )


@mal_rule("NO253")
def way_times_time(problem: Speed) -> Working:
    """The way is multiplied by the time."""
    time = problem.hours + Fraction(problem.minutes, 60)
    answer = plain(problem.way * time)
    return by_steps(answer, step("multiplies {0} by {1}: {2}", problem.way, plain(time), answer))
