"""What digits are worth, numbers in words and expanded; primes, factors, multiples."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, lcm
from typing import Self

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.forms import NotDrawn, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws
from schoolmath.text.figures import listed
from schoolmath.text.numbers import in_words

PLACES = (
    "ones", "tens", "hundreds", "thousands", "ten thousands", "hundred thousands", "millions",
    "ten millions", "hundred millions",
)  # fmt: skip
"""Names of the places from the right."""


def digits(value: int) -> list[int]:
    """The digits of a whole number from the ones on.

    Raises:
        ValueError: the number is negative.
    """
    if value < 0:
        raise ValueError(f"{value} is negative; digits are those of its size.")
    return [int(digit) for digit in reversed(str(value))]


def number(digits: Sequence[int]) -> int:
    """The number with these digits from the ones on."""
    return sum(digit * 10**place for place, digit in enumerate(digits))


def by_digit(value: int) -> tuple[int, ...]:
    """What the digits of a whole number are worth, from the largest, without those that are 0."""
    parts = [digit * 10**place for place, digit in enumerate(digits(value)) if digit]
    return tuple(reversed(parts))


@form("number and operation", (3, 3), 1)
class NumberInWords:
    """A number in words, to be written in digits; no round one, drawn from 101 to 9,999."""

    number: int

    def __post_init__(self) -> None:
        if not 100 < self.number < 10 ** len(PLACES) or len(self.parts) < 2:
            raise ValueError(
                f"{self.number} in words has fewer than two named parts, or more than nine digits."
            )

    @property
    def parts(self) -> tuple[int, ...]:
        """The named parts: millions, thousands, hundreds, and what is below a hundred."""
        million, rest = 1_000_000, self.number % 1000
        thousands = self.number % million - rest
        found = (self.number // million * million, thousands, rest // 100 * 100, rest % 100)
        return tuple(part for part in found if part)

    def stem(self) -> str:
        return f"How is the number {in_words(self.number)} written in digits?"

    def solve(self) -> Working:
        return _put_together(by_digit(self.number), self.number)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        high = draws.between(1, 9) * 100
        if draws.chance(0.5):
            high = draws.between(1, 9) * 1000 + draws.below(10) * 100
        return cls(high + draws.between(1, 99 if draws.chance(0.5) else 9))


@form("number and operation", (3, 3), 1)
class ExpandedForm:
    """A number in expanded form, ``400 + 20 + 6``; no round one, drawn of three or four digits."""

    number: int

    def __post_init__(self) -> None:
        if not 100 < self.number < 10 ** len(PLACES) or len(self.parts) < 2:
            raise ValueError(
                f"{self.number} has fewer than two parts in expanded form, or not from three to "
                "nine digits."
            )

    @property
    def parts(self) -> tuple[int, ...]:
        """The parts that are added."""
        return by_digit(self.number)

    def stem(self) -> str:
        return f"Which number is {' + '.join(str(part) for part in self.parts)}?"

    def solve(self) -> Working:
        return _put_together(self.parts, self.number)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:  # noqa: ARG003
        value = draws.between(1, 9)
        for _ in range(draws.between(2, 3)):
            value = value * 10 + (0 if draws.chance(0.3) else draws.between(1, 9))
        if len(by_digit(value)) < 2:
            value += draws.between(1, 9)
        return cls(value)


def _put_together(parts: tuple[int, ...], value: int) -> Working:
    steps = []
    for part in parts:
        place = len(str(part)) - 1
        steps.append(
            step(f"puts {{0}} in the {PLACES[place]} place for {{1}}", part // 10**place, part)
        )
    steps.append(step("writes {0}, with a {1} in each empty place", value, 0))
    if "0" not in str(value):
        steps[-1] = step("writes {0}", value)
    return Working(Answer.number(value), tuple(steps))


@mal_rule("NO26")
def expanded_form_concatenation(problem: NumberInWords | ExpandedForm) -> tuple[Working, ...]:
    """Every named part is written in full; in words, tens and ones as one part or two."""
    ways = [problem.parts]
    if by_digit(problem.number) not in ways:
        ways.append(by_digit(problem.number))
    return tuple(_written_in_full(parts) for parts in ways)


def _written_in_full(parts: tuple[int, ...]) -> Working:
    written = int("".join(str(part) for part in parts))
    steps = [step("writes {0} in full", parts[0])]
    steps += [step("writes {0} in full behind it", part) for part in parts[1:]]
    steps.append(step("gets {0}", written))
    return Working(Answer.number(written), tuple(steps), 1)


@form("number and operation", (3, 4), 1)
class DigitValue:
    """What a digit of a number is worth.

    Attributes:
        digit: stands once in the number, not in the ones.
        number: at most nine digits.
    """

    digit: int
    number: int

    def __post_init__(self) -> None:
        if not 0 < self.number < 10 ** len(PLACES) or not 0 < self.digit < 10:
            raise ValueError("The number is positive and has at most nine digits.")
        if digits(self.number).count(self.digit) != 1:
            raise ValueError(f"The digit {self.digit} stands once in the number.")

    @property
    def place(self) -> int:
        """Where the digit stands, from the ones on."""
        return digits(self.number).index(self.digit)

    def stem(self) -> str:
        return f"What is the value of the {self.digit} in {self.number}?"

    def read_at(self, place: int) -> Working:
        """The digit taken to stand at a place."""
        value = self.digit * 10**place
        told = step(f"reads the {{0}} of {{1}} as {PLACES[place]}", self.digit, self.number)
        return by_steps(Answer.number(value), told, step("writes {0}", value))

    def solve(self) -> Working:
        return self.read_at(self.place)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        chosen = draws.several(range(1, 10), 3 if grade == 3 else 4)
        return cls(draws.one(chosen[:-1]), int("".join(map(str, chosen))))


@mal_rule("NO104")
def a_digit_is_worth_itself(problem: DigitValue) -> Working | None:
    """The digit itself."""
    if not problem.place:
        return None
    told = step("reads the {0} of {1} as it stands: {0}", problem.digit, problem.number)
    return by_steps(Answer.number(problem.digit), told)


@mal_rule("NO173")
def one_place_off(problem: DigitValue) -> Working | None:
    """The next place to the right."""
    return problem.read_at(problem.place - 1) if problem.place > 1 else None


@form("number and operation", (3, 4), 1)
class TenMore:
    """Ten, a hundred or a thousand more.

    Attributes:
        more: 10, 100 or 1000.
        number: larger than that.
    """

    more: int
    number: int

    def __post_init__(self) -> None:
        if self.more not in (10, 100, 1000) or not self.more < self.number < 100_000:
            raise ValueError("10, 100 or 1000 more than a larger number below 100,000.")

    def stem(self) -> str:
        return f"What is {self.more} more than {self.number}?"

    def solve(self) -> Working:
        result = self.number + self.more
        told = step("adds {0} to {1} and gets {2}", self.more, self.number, result)
        return by_steps(Answer.number(result), told)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        more = 10 if grade == 3 else draws.one((10, 100))
        front = draws.between(1, 8 if grade == 3 else 60)
        return cls(more, (10 * front + 9) * more + draws.below(more))


@mal_rule("NO174")
def writes_ten_in_one_place(problem: TenMore) -> Working | None:
    """Raises one digit and writes both digits of what comes out."""
    place = len(str(problem.more)) - 1
    shown = str(problem.number)
    at = len(shown) - 1 - place
    if shown[at] != "9":
        return None
    answer = int(f"{shown[:at]}10{shown[at + 1 :]}")
    raised = step(f"makes {{0}} into {{1}} in the {PLACES[place]} column", 9, 10)
    return by_steps(Answer.number(answer), raised, step("writes {0}", answer))


@form("number and operation", (3, 4), 2)
class RoundedSubtraction:
    """A difference by way of a round number.

    Attributes:
        first: what is subtracted from.
        second: ends in 7, 8 or 9.
    """

    first: int
    second: int

    def __post_init__(self) -> None:
        if self.second % 10 not in (7, 8, 9) or not 0 < self.rounded < self.first:
            raise ValueError("What is taken away ends in 7, 8 or 9, and its ten is smaller.")

    @property
    def rounded(self) -> int:
        """The next ten above the second number."""
        return self.second + 10 - self.second % 10

    def stem(self) -> str:
        return f"Work out {self.first} - {self.second} by first taking away {self.rounded}."

    def by_way(self, change: int) -> Working:
        """The round number taken away, and then so much given or taken."""
        left = self.first - self.rounded
        told = "gives {0} back" if change > 0 else "takes {0} more away"
        return by_steps(
            Answer.number(left + change),
            step("takes {0} from {1}, which leaves {2}", self.rounded, self.first, left),
            step(told + " and gets {1}", abs(change), left + change),
            key_step=1,
        )

    def solve(self) -> Working:
        return self.by_way(self.rounded - self.second)

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        second = 10 * draws.between(1, 4 if grade == 3 else 9) + draws.between(7, 9)
        return cls(second + draws.between(12, 50), second)


@mal_rule("NO175")
def corrects_the_wrong_way(problem: RoundedSubtraction) -> Working | None:
    """What was taken too much is taken once more."""
    extra = problem.rounded - problem.second
    if problem.first - problem.rounded < extra:
        return None
    return problem.by_way(-extra)


def is_prime(value: int) -> bool:
    """Whether a number from 1 has exactly two divisors."""
    return value > 1 and all(value % by for by in range(2, int(value**0.5) + 1))


@form("number and operation", (5, 7), 1)
class PrimesIn:
    """Which numbers of a list are prime; at least one is."""

    numbers: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(set(self.numbers)) != len(self.numbers) or len(self.numbers) < 3:
            raise ValueError("There are three or more different numbers.")
        if not all(1 <= each < 10_000 for each in self.numbers) or not any(
            map(is_prime, self.numbers)
        ):
            raise ValueError("The numbers are from 1 to 9,999, and one of them is prime.")

    def stem(self) -> str:
        return f"Which of {listed([*map(str, self.numbers)])} are prime?"

    def chosen(self, numbers: list[int], key: str) -> Working:
        """Some of the numbers, and why they."""
        answer = Answer.label(", ".join(map(str, numbers)))
        return by_steps(answer, step(key), step("picks {0}", answer))

    def solve(self) -> Working:
        chosen = [each for each in self.numbers if is_prime(each)]
        return self.chosen(chosen, "looks for the numbers with exactly two divisors")

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 5 + 7 * (grade - 4)
        odd = draws.one((9, 15, 21, 25))
        others = draws.several([each for each in range(3, most + 12) if each != odd], 2)
        for _ in range(20):
            if any(map(is_prime, others)):
                return cls(tuple(sorted({1, 2, odd, *others})))
            others = draws.several(range(3, most + 12), 2)
        raise NotDrawn("No list with a prime came up.")


@form("number and operation", (4, 6), 1)
class PrimeOrNot:
    """Whether a number is prime; the answer is ``yes`` or ``no``."""

    number: int

    def __post_init__(self) -> None:
        if not 1 <= self.number < 10_000:
            raise ValueError("The number is from 1 to 9,999.")

    def stem(self) -> str:
        return f"Is {self.number} a prime number?"

    def solve(self) -> Working:
        return self.judged(is_prime(self.number), "looks for numbers that divide {0}")

    def judged(self, prime: bool, key: str) -> Working:
        """Yes or no, and why."""
        answer = Answer.label("yes" if prime else "no")
        return by_steps(answer, step(key, self.number), step("answers {0}", answer))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        return cls(draws.one((1, 2, 2 * draws.between(5, 40) + 1, grade * draws.between(3, 25))))


@mal_rule("NO111")
def one_is_prime(problem: PrimesIn | PrimeOrNot) -> Working | None:
    """1 counts as prime."""
    if isinstance(problem, PrimeOrNot):
        key = "sees that {0} is divided by itself"
        return problem.judged(True, key) if problem.number == 1 else None
    if 1 not in problem.numbers:
        return None
    chosen = [each for each in problem.numbers if each == 1 or is_prime(each)]
    return problem.chosen(chosen, "looks for the numbers that only one and they themselves divide")


@mal_rule("NO176")
def odd_is_prime(problem: PrimesIn | PrimeOrNot) -> Working | None:
    """The odd numbers from 3 on."""
    if isinstance(problem, PrimeOrNot):
        odd = bool(problem.number % 2) and problem.number > 1
        return problem.judged(odd, "looks whether {0} is odd")
    chosen = [each for each in problem.numbers if each % 2 and each > 1]
    return problem.chosen(chosen, "looks for the odd numbers above one") if chosen else None


@form("number and operation", (5, 8), 1)
class CommonMultiple:
    """The lowest common multiple of two numbers that share a factor."""

    first: int
    second: int

    def __post_init__(self) -> None:
        if not 1 < self.first < 10_000 or not 1 < self.second < 10_000:
            raise ValueError("Both numbers are from 2 to 9,999.")

    def stem(self) -> str:
        return f"What is the LCM of {self.first} and {self.second}?"

    def solve(self) -> Working:
        result = lcm(self.first, self.second)
        told = step("goes through the multiples of {0} and {1}", self.first, self.second)
        return by_steps(Answer.number(result), told, step("takes the lowest of both: {0}", result))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        shared = draws.between(2, grade)
        one, other = draws.several(range(2, 10), 2)
        return cls(shared * one, shared * other)


@mal_rule("NO177")
def multiplies_the_numbers(problem: CommonMultiple) -> Working:
    """The product of the numbers."""
    result = problem.first * problem.second
    told = step("multiplies {0} by {1} and gets {2}", problem.first, problem.second, result)
    return by_steps(Answer.number(result), told)


@form("number and operation", (5, 8), 1)
class CommonFactor:
    """The highest common factor of two numbers that share one above 1."""

    first: int
    second: int

    def __post_init__(self) -> None:
        if not 1 < self.first < 10_000 or not 1 < self.second < 10_000:
            raise ValueError("Both numbers are from 2 to 9,999.")

    @property
    def shared(self) -> int:
        """The highest common factor."""
        return gcd(self.first, self.second)

    def stem(self) -> str:
        return f"What is the HCF of {self.first} and {self.second}?"

    def solve(self) -> Working:
        told = step("looks for what divides both {0} and {1}", self.first, self.second)
        return by_steps(
            Answer.number(self.shared), told, step("takes the highest: {0}", self.shared)
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        shared = draws.one((4, 6, 8, 9, 10, 12)) * (1 + (grade > 6 and draws.chance(0.3)))
        one, other = draws.several(range(2, 10), 2)
        return cls(shared * one, shared * other)


@mal_rule("NO179")
def stops_at_a_common_factor(problem: CommonFactor) -> Working | None:
    """The smallest prime that divides both."""
    if problem.shared == 1:
        return None
    found = next(by for by in range(2, problem.shared + 1) if problem.shared % by == 0)
    told = step("looks for a number that divides both {0} and {1}", problem.first, problem.second)
    return by_steps(Answer.number(found), told, step("takes the first that does: {0}", found))


@mal_rule("NO178")
def factor_and_multiple_swapped(problem: CommonMultiple | CommonFactor) -> Working:
    """The highest common factor for the lowest common multiple, and the reverse."""
    both = step("looks for what divides both {0} and {1}", problem.first, problem.second)
    through = step("goes through the multiples of {0} and {1}", problem.first, problem.second)
    if isinstance(problem, CommonMultiple):
        result = gcd(problem.first, problem.second)
        return by_steps(Answer.number(result), both, step("takes the highest: {0}", result))
    result = lcm(problem.first, problem.second)
    return by_steps(Answer.number(result), through, step("takes the lowest of both: {0}", result))


@mal_rule("NO222")
def round_number_not_corrected(problem: RoundedSubtraction) -> Working:
    """Stops when the round number is taken away."""
    left = problem.first - problem.rounded
    words = "takes {0} from {1} at once and writes {2}"
    told = step(words, problem.rounded, problem.first, left)
    return by_steps(Answer.number(left), told)


@mal_rule("NO227")
def corrects_by_the_ones(problem: RoundedSubtraction) -> Working:
    """Gives back the ones of the number, not what was taken too much."""
    return problem.by_way(problem.second % 10)


@mal_rule("NO250")
def empty_places_left_out(problem: ExpandedForm | NumberInWords) -> Working | None:
    """4000 + 30 + 7 is 437: the digits that are told, one behind the other."""
    written = str(problem.number).replace("0", "")
    if len(written) == len(str(problem.number)):
        return None
    told = step("writes a digit for each part and none for an empty place")
    return by_steps(Answer.number(int(written)), told, step("writes {0}", written))
