"""Two dice, two draws, one or both of two events, several rolls; and how they go wrong."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial, perm
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.catalogue.chance.single_chances import OutfitAtRandom, Outfits, Prizes
from schoolmath.malrules.forms import NotDrawn, check_one_of, check_whole, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws
from schoolmath.problems.vocabulary import vocabulary

_DICE = (4, 6, 8, 10, 12)


@form("probability", (7, 9), 2)
class SumOfTwoDice:
    """The sum of two dice that somebody rolls."""

    total: int
    sides: int = 6
    name: str = "Ana"

    def __post_init__(self) -> None:
        if self.sides < 3 or not 2 <= self.total <= 2 * self.sides:
            raise ValueError(f"Two dice with {self.sides} sides cannot show {self.total}.")

    def stem(self) -> str:
        return (
            f"Two fair dice each have {self.sides} sides, numbered 1 to {self.sides}. "
            f"{self.name} rolls them together. "
            f"What is the probability that the sum is {self.total}?"
        )

    @property
    def odds(self) -> tuple[int, int]:
        """How many of the ordered results fit the question, and how many do not."""
        ways = self.sides - abs(self.total - self.sides - 1)
        return ways, self.sides**2 - ways

    def solve(self) -> Working:
        return _of_ordered(self.odds[0], self.sides)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        sides = draws.one(_DICE[:3] if grade == 7 else _DICE)
        return cls(draws.between(3, 2 * sides - 1), sides, draws.one(vocabulary().names).text)


_SIDES_OF_A_COIN = ("heads", "tails")


@form("probability", (7, 9), 2)
class CoinTosses:
    """How often a coin that is tossed several times shows one side.

    Attributes:
        tosses: 2 to 6.
        wanted: how many of them show the side.
        side: ``heads`` or ``tails``.
    """

    tosses: int
    wanted: int
    side: str = "heads"

    def __post_init__(self) -> None:
        check_whole(2, 6, tosses=self.tosses)
        check_whole(0, self.tosses, wanted=self.wanted)
        check_one_of(_SIDES_OF_A_COIN, side=self.side)

    def stem(self) -> str:
        return (
            f"A fair coin is tossed {self.tosses} times. "
            f"What is the probability that it shows {self.side} exactly {self.wanted} times?"
        ).replace("exactly 1 times", "exactly once")

    @property
    def ways(self) -> int:
        """How many of the orders fit the question."""
        return comb(self.tosses, self.wanted)

    def of_orders(self, ways: int, counted: str) -> Working:
        """So many of all orders, right or wrong."""
        orders = 2**self.tosses
        answer = Answer.number(Fraction(ways, orders))
        last = step("divides {0} by {1} and gets {2}", ways, orders, answer)
        first = step("counts {0} orders of {1} tosses", orders, self.tosses)
        return by_steps(answer, first, step(counted, ways), last, key_step=1)

    def solve(self) -> Working:
        return self.of_orders(self.ways, "counts the orders that fit: {0}")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        tosses = draws.between(2, 6)
        return cls(tosses, draws.between(0, tosses), draws.one(_SIDES_OF_A_COIN))


@form("probability", (7, 11), 2)
class PairOnTwoDice:
    """Two different numbers on two dice, in any order."""

    first: int
    second: int
    sides: int = 6
    name: str = "Ana"

    def __post_init__(self) -> None:
        on_dice = min(self.first, self.second) >= 1 and max(self.first, self.second) <= self.sides
        if self.first == self.second or not on_dice:
            raise ValueError(f"There must be two different numbers from 1 to {self.sides}.")

    def stem(self) -> str:
        return (
            f"Two fair dice each have {self.sides} sides, numbered 1 to {self.sides}. "
            f"{self.name} rolls them together. What is the probability that one of them shows "
            f"{self.first} and the other shows {self.second}?"
        )

    @property
    def odds(self) -> tuple[int, int]:
        """How many of the ordered results fit the question, and how many do not."""
        return 2, self.sides**2 - 2

    def solve(self) -> Working:
        return _of_ordered(2, self.sides)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        sides = draws.one(_DICE[:3] if grade < 9 else _DICE)
        first, second = sorted(draws.several(range(1, sides + 1), 2))
        return cls(first, second, sides, draws.one(vocabulary().names).text)


@form("probability", (7, 9), 2)
class TwoChances:
    """Two spinners that both stop on red, or a coin and a die.

    A pair of 2 sides, 1 of them wanted, is a coin; otherwise it is a spinner with equal parts,
    some of them red.

    Attributes:
        first: the number of wanted and of all parts of the first.
        second: the same of the second.
    """

    first: tuple[int, int]
    second: tuple[int, int]

    def __post_init__(self) -> None:
        for wanted, parts in (self.first, self.second):
            if not 0 < wanted < parts:
                raise ValueError("Some parts must be wanted and others not.")

    def stem(self) -> str:
        return (
            f"{self._described(self.first, 'A')} {self._described(self.second, 'B')} "
            f"What is the probability that {self._wanted(self.first, 'A')} and "
            f"{self._wanted(self.second, 'B')}?"
        )

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The two probabilities."""
        return Fraction(*self.first), Fraction(*self.second)

    def solve(self) -> Working:
        left, right = self.chances
        answer = Answer.number(left * right)
        return by_steps(
            answer,
            step("finds the probabilities {0} and {1}", left, right),
            step("multiplies {0} by {1} and gets {2}", left, right, answer),
            key_step=1,
        )

    @staticmethod
    def _described(device: tuple[int, int], letter: str) -> str:
        wanted, parts = device
        if device == (1, 2):
            return f"Coin {letter} is fair and is tossed once."
        if device == (1, 6):
            return f"Die {letter} is fair, has the numbers 1 to 6 and is rolled once."
        are = "is" if wanted == 1 else "are"
        return f"Spinner {letter} has {parts} equal parts, {wanted} of which {are} red."

    @staticmethod
    def _wanted(device: tuple[int, int], letter: str) -> str:
        if device == (1, 2):
            return f"coin {letter} lands heads"
        if device == (1, 6):
            return f"die {letter} shows 6"
        return f"spinner {letter} stops on red"

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 6 if grade == 7 else 10

        def spinner() -> tuple[int, int]:
            parts = draws.between(3, most)
            wanted = draws.between(1, min(4, parts - 1))
            # Half red would make red as likely as not, and its odds 1.
            return (wanted, parts) if 2 * wanted != parts else (wanted, parts + 1)

        first = draws.one(((1, 2), spinner(), spinner()))
        second = draws.one(((1, 6), spinner(), spinner()))
        return cls(first, second)


def _of_ordered(ways: int, sides: int) -> Working:
    answer = Answer.number(Fraction(ways, sides**2))
    return by_steps(
        answer,
        step("counts {0} × {0} = {1} equally likely results", sides, sides**2),
        step("counts the ways in both orders: {0}", ways),
        step("divides {0} by {1} and gets {2}", ways, sides**2, answer),
        key_step=1,
    )


_GROUPS = {
    "cards": "A pack has {total} cards. {first} are hearts, {second} are kings, and {both} of the "
    "kings {is_} a heart. One card is drawn. What is the probability that it is a heart or a "
    "king?",
    "clubs": "Of {total} pupils, {first} play chess, {second} play football, and {both} of them "
    "{do} both. One pupil is chosen at random. What is the probability that this pupil plays "
    "chess or football?",
    "pets": "Of {total} families, {first} have a cat, {second} have a dog, and {both} of them "
    "{has} both. One family is chosen at random. What is the probability that it has a cat or "
    "a dog?",
}
_JOBS = ("works in a bank", "drives a bus", "sells shoes", "teaches at a school")
_HOBBIES = {
    "plays the violin": "loves music and goes to every concert in town",
    "grows roses": "loves flowers and reads books on gardens",
    "runs marathons": "loves sport and is up early each day",
    "writes poems": "loves reading and keeps a diary",
}


@form("probability", (8, 11), 2)
class EitherOfTwo:
    """One or the other of two things that overlap.

    Attributes:
        total: all of them.
        first: those of the first sort.
        second: those of the second sort.
        both: those of both sorts.
        setting: the story; one of cards, clubs, pets.
    """

    total: int
    first: int
    second: int
    both: int
    setting: str = "clubs"

    def __post_init__(self) -> None:
        if not 0 < self.both < min(self.first, self.second):
            raise ValueError("Some must be of both sorts and some of one only.")
        if self.first + self.second - self.both >= self.total:
            raise ValueError("Some must be of neither sort.")
        if self.setting not in _GROUPS:
            raise ValueError(f"There is no story {self.setting!r}: use one of {[*_GROUPS]}.")

    def stem(self) -> str:
        one = self.both == 1
        return _GROUPS[self.setting].format(
            total=self.total,
            first=self.first,
            second=self.second,
            both=self.both,
            is_="is" if one else "are",
            do="does" if one else "do",
            has="has" if one else "have",
        )

    @property
    def odds(self) -> tuple[int, int]:
        """How many fit the question, and how many do not."""
        either = self.first + self.second - self.both
        return either, self.total - either

    def solve(self) -> Working:
        either = self.odds[0]
        answer = Answer.number(Fraction(either, self.total))
        return by_steps(
            answer,
            step("adds {0} and {1}", self.first, self.second),
            step("subtracts the {0} counted twice and has {1}", self.both, either),
            step("divides {0} by {1} and gets {2}", either, self.total, answer),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        for _ in range(50):
            total = draws.one((20, 24, 25, 30, 36, 40, 50, 60) if grade < 10 else range(20, 101))
            first, second = draws.between(5, total // 2), draws.between(5, total // 2)
            both = draws.between(1, min(first, second) - 1)
            either = first + second - both
            if either < total and total not in (2 * either, 2 * (first + second)):
                return cls(total, first, second, both, draws.one(("clubs", "pets")))
        raise NotDrawn("No two sorts came up.")


@form("probability", (9, 11), 2)
class MoreDetail:
    """Which is likelier: a statement A, or A and another together?"""

    name: str
    job: str
    hobby: str

    def __post_init__(self) -> None:
        if self.job not in _JOBS or self.hobby not in _HOBBIES:
            raise ValueError(f"Use a job of {[*_JOBS]} and a hobby of {[*_HOBBIES]}.")

    def stem(self) -> str:
        return (
            f"{self.name} {_HOBBIES[self.hobby]}. Statement A: {self.name} {self.job}. "
            f"Statement B: {self.name} {self.hobby}. "
            "Which is more likely, A, or A and B?"
        )

    def solve(self) -> Working:
        return by_steps(
            Answer.label("A"),
            step("sees that A and B can be true only when A is true"),
            step("so A alone is at least as likely, and answers A"),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        name = draws.one(vocabulary().names).text
        return cls(name, draws.one(_JOBS), draws.one(tuple(_HOBBIES)))


@form("probability", (7, 11), 2)
class TwoMarbles:
    """Two draws without putting back; both red?"""

    red: int
    total: int
    name: str = "Ana"

    def __post_init__(self) -> None:
        if not 2 <= self.red < self.total:
            raise ValueError("There must be two red marbles or more, and others.")

    def stem(self) -> str:
        return (
            f"A bag holds {self.total} marbles, and {self.red} of them are red. {self.name} draws "
            "two marbles one after the other and does not put the first back. "
            "What is the probability that both are red?"
        )

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The probabilities of the first draw, and of the second after it."""
        return Fraction(self.red, self.total), Fraction(self.red - 1, self.total - 1)

    def solve(self) -> Working:
        left, right = self.chances
        answer = Answer.number(left * right)
        return by_steps(
            answer,
            step("takes {0} of {1} for the first draw", self.red, self.total),
            step("takes {0} of {1} for the second", self.red - 1, self.total - 1),
            step("multiplies {0} by {1} and gets {2}", left, right, answer),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        red = draws.between(2, 6 if grade < 9 else 9)
        others = draws.between(2, 8 if grade < 9 else 12)
        return cls(red, red + others, draws.one(vocabulary().names).text)


@form("probability", (9, 11), 2)
class AtLeastOne:
    """At least one of the highest number in some rolls of a die."""

    sides: int
    rolls: int
    name: str = "Ana"

    def __post_init__(self) -> None:
        if self.sides < 3 or self.rolls < 2:
            raise ValueError("There must be 3 or more sides and 2 or more rolls.")

    def stem(self) -> str:
        return (
            f"A fair die has {self.sides} sides, numbered 1 to {self.sides}. {self.name} "
            f"rolls it {self.rolls} times. "
            f"What is the probability that it shows {self.sides} at least once?"
        )

    @property
    def odds(self) -> tuple[int, int]:
        """How many of the ordered results fit the question, and how many do not."""
        none = (self.sides - 1) ** self.rolls
        return self.sides**self.rolls - none, none

    def solve(self) -> Working:
        none = Fraction(self.odds[1], sum(self.odds))
        answer = Answer.number(1 - none)
        return by_steps(
            answer,
            step("sees that one roll misses with {0}", Fraction(self.sides - 1, self.sides)),
            step("finds that all {0} rolls miss with {1}", self.rolls, none),
            step("subtracts {0} from {1} and gets {2}", none, 1, answer),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        sides = draws.one((4, 6, 8, 10, 12, 20))
        rolls = draws.between(2, 3 if grade == 9 else 4)
        rolls += 2 * rolls == sides  # Otherwise the chance in proportion would be one half.
        return cls(sides, rolls, draws.one(vocabulary().names).text)


@mal_rule("PR05")
def order_ignored(problem: PairOnTwoDice | SumOfTwoDice | Prizes | CoinTosses) -> Working | None:
    """Counts two orders of the same results once."""
    if isinstance(problem, CoinTosses):
        if problem.ways == 1:
            return None
        return problem.of_orders(1, "counts the results that fit once, in one order: {0}")
    if isinstance(problem, Prizes):
        orders = factorial(problem.prizes)
        answer = Answer.number(comb(problem.runners, problem.prizes))
        return by_steps(
            answer,
            step("multiplies the choices and gets {0}", perm(problem.runners, problem.prizes)),
            step("counts the {0} orders of the same ones once", orders),
            step("divides by {0} and gets {1}", orders, answer),
            key_step=1,
        )
    ways = (problem.odds[0] + 1) // 2
    results = problem.sides**2
    answer = Answer.number(Fraction(ways, results))
    return by_steps(
        answer,
        step("counts {0} results of two dice", results),
        step("counts each pair of numbers once, in one order: {0}", ways),
        step("divides {0} by {1} and gets {2}", ways, results, answer),
        key_step=1,
    )


@mal_rule("PR06")
def adds_chances(
    problem: TwoChances | TwoMarbles | PairOnTwoDice | OutfitAtRandom | CoinTosses,
) -> Working | None:
    """Adds the probabilities of things that must all happen."""
    match problem:
        case TwoChances() | TwoMarbles():
            chances = [*problem.chances]
        case PairOnTwoDice():
            chances = [Fraction(1, problem.sides)] * 2
        case OutfitAtRandom():
            chances = [Fraction(1, count) for count in problem.counts]
        case CoinTosses():
            chances = [Fraction(1, 2)] * problem.tosses
    answer = Answer.number(sum(chances, Fraction(0)))
    terms = " + ".join(f"{{{place}}}" for place in range(len(chances)))
    return by_steps(
        answer,
        step("finds the probability of each of the {0} things by itself", len(chances)),
        step(f"adds them: {terms} = {{{len(chances)}}}", *chances, answer),
        key_step=1,
    )


@mal_rule("PR07")
def replacement_assumed(problem: TwoMarbles | Prizes) -> Working | None:
    """Takes the same numbers each time, as if what was taken were put back."""
    if isinstance(problem, Prizes):
        ways = Answer.number(problem.runners**problem.prizes)
        factors = " × ".join(["{0}"] * problem.prizes)
        return by_steps(
            ways,
            step("lets every prize go to any of all {0}", problem.runners),
            step(f"multiplies {factors} = {{1}}", problem.runners, ways),
        )
    chance = problem.chances[0]
    answer = Answer.number(chance**2)
    return by_steps(
        answer,
        step("takes {0} of {1} for the first draw", problem.red, problem.total),
        step("takes {0} of {1} for the second draw as for the first", problem.red, problem.total),
        step("multiplies {0} by {0} and gets {1}", chance, answer),
        key_step=1,
    )


@mal_rule("PR08")
def chance_times_trials(problem: AtLeastOne | TwoMarbles) -> Working | None:
    """Lets the chance grow in proportion to the number of trials."""
    if isinstance(problem, TwoMarbles):
        trials, chance = 2, problem.chances[0]
    else:
        trials, chance = problem.rolls, Fraction(1, problem.sides)
    answer = Answer.number(trials * chance)
    return by_steps(
        answer,
        step("finds the probability {0} for one time", chance),
        step("multiplies it by {0}, once for each time, and gets {1}", trials, answer),
        key_step=1,
    )


@mal_rule("PR14")
def adds_choices(problem: Outfits | OutfitAtRandom | Prizes) -> Working | None:
    """Adds the numbers of choices."""
    counts = problem.left if isinstance(problem, Prizes) else problem.counts
    total = sum(counts)
    terms = " + ".join(f"{{{place}}}" for place in range(len(counts)))
    added = step(f"adds the numbers of choices: {terms} = {{{len(counts)}}}", *counts, total)
    if isinstance(problem, OutfitAtRandom):
        answer = Answer.number(Fraction(1, total))
        return by_steps(answer, added, step("takes {0} of {1}: {2}", 1, total, answer))
    return by_steps(Answer.number(total), added, step("answers {0}", total))


@mal_rule("PR15")
def overlap_counted_twice(problem: EitherOfTwo) -> Working | None:
    """Adds both sorts and counts what is of both sorts twice."""
    both = problem.first + problem.second
    value = Fraction(both, problem.total)
    answer = Answer.number(value)
    return by_steps(
        answer,
        step("adds {0} and {1} and has {2}", problem.first, problem.second, both),
        step("leaves the {0} of both sorts counted twice", problem.both),
        step("divides {0} by {1} and gets {2}", both, problem.total, answer),
        key_step=1,
    )


@mal_rule("PR16")
def more_detail_likelier(problem: MoreDetail) -> Working | None:
    """Holds the fuller story to be likelier."""
    return by_steps(
        Answer.label("A and B"),
        step(f"finds that it fits {problem.name} well that {problem.name} {problem.hobby}"),
        step("holds the fuller story to be likelier than a part of it"),
        step("answers A and B"),
        key_step=1,
    )
