"""The chance of one draw or one roll, the best of several bags, and ways to choose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import perm, prod
from typing import Self

from schoolmath.malrules.answers import Answer, Step, Working, by_steps, step
from schoolmath.malrules.catalogue.writing import places_for
from schoolmath.malrules.forms import NotDrawn, check_one_of, check_that, check_whole, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws
from schoolmath.problems.vocabulary import vocabulary
from schoolmath.text.figures import listed

_COLOURS = ("black", "blue", "green", "orange", "red", "white", "yellow")


@form("probability", (6, 8), 1)
class MarbleDraw:
    """One marble from a bag.

    Attributes:
        colours: of the marbles; the first is the one asked for.
        counts: how many there are of each.
        negated: whether the question is for any other colour than the first.
    """

    colours: tuple[str, ...]
    counts: tuple[int, ...]
    negated: bool = False

    def __post_init__(self) -> None:
        known = set(self.colours) <= set(_COLOURS) and len({*self.colours}) == len(self.colours)
        if len(self.colours) < 2 or not known:
            raise ValueError(f"There must be two or more of the colours {listed([*_COLOURS])}.")
        if len(self.counts) != len(self.colours) or min(self.counts) < 1:
            raise ValueError("Each colour needs a number of marbles, 1 or more.")

    def stem(self) -> str:
        told = [
            f"{count} {colour}" for count, colour in zip(self.counts, self.colours, strict=True)
        ]
        return (
            f"A bag holds {listed(told)} marbles. One marble is drawn without looking. "
            f"What is the probability that it is {'not ' * self.negated}{self.colours[0]}?"
        )

    @property
    def odds(self) -> tuple[int, int]:
        """How many marbles fit the question, and how many do not."""
        asked, others = self.counts[0], sum(self.counts[1:])
        return (others, asked) if self.negated else (asked, others)

    def solve(self) -> Working:
        fit, total = self.odds[0], sum(self.counts)
        answer = Answer.number(Fraction(fit, total))
        return by_steps(
            answer,
            step("counts {0} marbles in all", total),
            step("counts {0} marbles that fit the question", fit),
            step("divides {0} by {1} and gets {2}", fit, total, answer),
            key_step=2,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        kinds = 3 if grade == 6 else draws.between(3, 4)
        for _ in range(50):
            counts = tuple(draws.between(1 if grade > 6 else 2, 9) for _ in range(kinds))
            share = Fraction(counts[0], sum(counts))
            if share not in (Fraction(1, 2), Fraction(1, kinds)):
                colours = tuple(draws.several(_COLOURS, kinds))
                return cls(colours, counts, draws.chance(0.4))
        raise NotDrawn("No bag of marbles came up.")


@form("probability", (7, 8), 1)
class NotOnDie:
    """The probability that a die does not show one of its highest numbers.

    Attributes:
        sides: of the die, at least 3; they are numbered from 1.
        lowest: the lowest number that is not wanted.
        name: who rolls it.
    """

    sides: int
    lowest: int
    name: str = "Ana"

    def __post_init__(self) -> None:
        if self.sides < 3 or not 1 < self.lowest <= self.sides:
            raise ValueError("A die has 3 or more sides, and the numbers not wanted are on it.")

    def stem(self) -> str:
        unwanted = (
            f"the number {self.sides}"
            if self.lowest == self.sides
            else f"a number greater than {self.lowest - 1}"
        )
        return (
            f"A fair die has {self.sides} sides, numbered 1 to {self.sides}. {self.name} rolls it "
            f"once. What is the probability that it does not show {unwanted}?"
        )

    @property
    def odds(self) -> tuple[int, int]:
        """How many sides fit the question, and how many do not."""
        return self.lowest - 1, self.sides - self.lowest + 1

    def solve(self) -> Working:
        answer = Answer.number(Fraction(self.odds[0], self.sides))
        against = Fraction(self.odds[1], self.sides)
        return by_steps(
            answer,
            step("finds the probability {0} of what is not wanted", against),
            step("subtracts {0} from {1} and gets {2}", against, 1, answer),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 12 if grade == 7 else 20
        for _ in range(50):
            sides = draws.one([each for each in (4, 6, 8, 10, 12, 20) if each <= most])
            lowest = draws.between(3, sides)
            if 2 * (lowest - 1) != sides:
                return cls(sides, lowest, draws.one(vocabulary().names).text)
        raise NotDrawn("No roll of a die came up.")


_WANTED: dict[str, Callable[[int, int], bool]] = {
    "a number greater than": lambda side, limit: side > limit,
    "a number less than": lambda side, limit: side < limit,
    "a": lambda side, limit: side == limit,
    "an even number": lambda side, _: side % 2 == 0,
    "an odd number": lambda side, _: side % 2 == 1,
}
"""What a die may show, in words, and whether a side is so."""


@form("probability", (6, 7), 1)
class DieRoll:
    """The probability of what a die shows.

    Attributes:
        sides: of the die, from 4 to 20, numbered from 1.
        wanted: one of `_WANTED`.
        limit: the number that these words go on with; 0 where they need none.
    """

    sides: int
    wanted: str
    limit: int

    def __post_init__(self) -> None:
        check_whole(4, 20, sides=self.sides)
        check_one_of(_WANTED, wanted=self.wanted)
        check_that(
            self.wanted.endswith("number") == (not self.limit),
            "These words go on with one number, or with none.",
        )
        check_that(0 < self.odds[0] < self.sides, "Some of the sides fit, and some do not.")

    def stem(self) -> str:
        said = f"{self.wanted} {self.limit}" if self.limit else self.wanted
        return (
            f"A fair die has {self.sides} sides, numbered 1 to {self.sides}. It is rolled once. "
            f"What is the probability of {said}?"
        )

    @property
    def odds(self) -> tuple[int, int]:
        """How many sides fit the question, and how many do not."""
        fit = sum(_WANTED[self.wanted](side, self.limit) for side in range(1, self.sides + 1))
        return fit, self.sides - fit

    def solve(self) -> Working:
        return self.of_all(self.odds[0], "counts the sides that fit: {0}")

    def of_all(self, fit: int, counted: str) -> Working:
        """So many of all sides, right or wrong."""
        answer = Answer.number(Fraction(fit, self.sides))
        last = step("divides {0} by all {1} and gets {2}", fit, self.sides, answer)
        return by_steps(answer, step(counted, fit), last)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        sides = draws.one((6, 8, 10, 12, 20))
        if draws.chance(0.2):
            return cls(sides, "a", draws.between(1, sides))
        wanted = draws.one(("a number greater than", "a number less than"))
        return cls(sides, wanted, draws.between(2, sides - 1))


_CHOICES: dict[str, tuple[str, tuple[str, ...]]] = {
    "outfit": ("outfit", ("shirts", "pairs of trousers", "hats", "scarves")),
    "meal": ("meal", ("soups", "main dishes", "desserts", "drinks")),
    "bicycle": ("bicycle", ("frames", "saddles", "bells", "colours")),
    "code": ("code", ("letters", "digits", "signs", "colours")),
}
_EVENTS = {
    "boat race": "boats",
    "cycling race": "cyclists",
    "horse race": "horses",
    "running race": "runners",
    "swimming race": "swimmers",
}


@dataclass(frozen=True, slots=True)
class _OneOfEach:
    counts: tuple[int, ...]
    setting: str = "outfit"
    name: str = "Ana"

    def __post_init__(self) -> None:
        if self.setting not in _CHOICES:
            raise ValueError(f"There is no setting {self.setting!r}: use one of {[*_CHOICES]}.")
        if not 2 <= len(self.counts) <= 4 or min(self.counts) < 2:
            raise ValueError("There must be 2 to 4 things to choose, each of 2 or more kinds.")

    @property
    def _described(self) -> str:
        made, things = _CHOICES[self.setting]
        offered = [f"{count} {thing}" for count, thing in zip(self.counts, things, strict=False)]
        return f"{self.name} can choose from {listed(offered)}. Every {made} has one of each."

    def _product(self) -> Step:
        factors = " × ".join(f"{{{place}}}" for place in range(len(self.counts)))
        words = f"multiplies the numbers: {factors} = {{{len(self.counts)}}}"
        return step(words, *self.counts, prod(self.counts))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        """Two to four things, each in a few kinds."""
        number = 3 if grade == 6 else draws.between(3, 4)
        counts = tuple(draws.between(2, 6 if grade == 6 else 8) for _ in range(number))
        return cls(counts, draws.one(tuple(_CHOICES)), draws.one(vocabulary().names).text)


@form("probability", (6, 8), 1)
class Outfits(_OneOfEach):
    """How many outfits there are from 3 shirts, 4 pairs of trousers and 2 hats."""

    def stem(self) -> str:
        return f"{self._described} How many different {_CHOICES[self.setting][0]}s are there?"

    def solve(self) -> Working:
        answer = Answer.number(prod(self.counts))
        return by_steps(answer, self._product(), step("answers {0}", answer))


@form("probability", (7, 9), 2)
class OutfitAtRandom(_OneOfEach):
    """The probability of one outfit where one of each thing is taken at random."""

    def stem(self) -> str:
        made = _CHOICES[self.setting][0]
        return (
            f"{self._described} {self.name} puts one together at random and hopes for one special "
            f"{made}. What is the probability of getting it?"
        )

    def solve(self) -> Working:
        ways = prod(self.counts)
        answer = Answer.number(Fraction(1, ways))
        return by_steps(
            answer, self._product(), step("takes {0} of {1} ways: {2}", 1, ways, answer)
        )


@form("probability", (7, 11), 2)
class Prizes:
    """How many ways there are to give different prizes to some of the runners."""

    runners: int
    prizes: int
    event: str = "running race"

    def __post_init__(self) -> None:
        if self.prizes not in (2, 3) or self.runners <= self.prizes:
            raise ValueError("There must be 2 or 3 prizes and more runners than prizes.")
        if self.event not in _EVENTS:
            raise ValueError(f"There is no event {self.event!r}: use one of {[*_EVENTS]}.")

    def stem(self) -> str:
        prizes = "first and second prize" if self.prizes == 2 else "first, second and third prize"
        return (
            f"In a {self.event} there are {self.runners} {_EVENTS[self.event]}. No two of them "
            f"finish together. In how many ways can {prizes} go to them?"
        )

    @property
    def left(self) -> tuple[int, ...]:
        """How many runners each prize can go to."""
        return tuple(range(self.runners, self.runners - self.prizes, -1))

    def solve(self) -> Working:
        answer = Answer.number(perm(self.runners, self.prizes))
        slots = places_for(self.prizes)
        return by_steps(
            answer,
            step(f"sees that the prizes can go to {slots} of them in turn", *self.left),
            step("multiplies these numbers and gets {0}", answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        prizes = 2 if grade == 7 else draws.between(2, 3)
        runners = draws.between(prizes + 2, 15 if grade < 9 else 30)
        return cls(runners, prizes, draws.one(tuple(_EVENTS)))


LETTERS = "ABCDEF"


@form("probability", (6, 7), 2)
class BagComparison:
    """Bags A, B and so on with red marbles among others.

    Attributes:
        bags: for each bag the number of red marbles and of all marbles.
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

    def solve(self) -> Working:
        best = max(self.bags, key=lambda bag: Fraction(*bag))
        letter = self.labels[self.bags.index(best)]
        shares = [f"{red}/{total}" for red, total in self.bags]
        slots = places_for(len(shares))
        return by_steps(
            Answer.label(letter),
            step(f"writes the chances as {slots}", *shares),
            step("finds {0} the largest of these fractions", f"{best[0]}/{best[1]}"),
            step(f"picks bag {letter}"),
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
def most_red(problem: BagComparison) -> Working | None:
    """Takes the bag with the most red marbles, whatever else is in it."""
    reds = [red for red, _ in problem.bags]
    most = max(reds)
    if reds.count(most) > 1:
        return None
    letter = problem.labels[reds.index(most)]
    slots = places_for(len(reds))
    return by_steps(
        Answer.label(letter),
        step(f"compares the numbers of red marbles, {slots}", *reds),
        step("takes {0} red marbles as the best chance", most),
        step(f"picks bag {letter}"),
    )
