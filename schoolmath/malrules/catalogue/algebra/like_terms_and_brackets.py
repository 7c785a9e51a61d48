"""Terms collected, and brackets multiplied out or worked out for a number."""

from __future__ import annotations

import re
from collections import Counter
from typing import Self

from schoolmath.malrules.answers import (
    Answer,
    Step,
    Working,
    by_steps,
    sorted_letters,
    step,
    write_terms,
)
from schoolmath.malrules.catalogue.algebra.powers_of_letters import (
    PolynomialDifference,
    PowerTerms,
)
from schoolmath.malrules.catalogue.equations.linear_equations import (
    BracketEquation,
    BracketTerms,
    EquationWithBrackets,
)
from schoolmath.malrules.catalogue.equations.number_sentences import Blank
from schoolmath.malrules.catalogue.writing import (
    write_bracketed,
    write_linear,
    write_next,
    write_sum,
    write_term,
)
from schoolmath.malrules.forms import check_that, form
from schoolmath.malrules.rules import mal_rule
from schoolmath.problems.draws import Draws


@form("algebra", (6, 9), 1)
class LikeTerms:
    """Simplify ``9x - 4x + 2x + 5``.

    Attributes:
        letters: the coefficients of the terms in x; none is 0.
        constants: the terms without a letter, if any; none is 0.
    """

    letters: tuple[int, ...]
    constants: tuple[int, ...]

    def __post_init__(self) -> None:
        terms = self.letters + self.constants
        if not self.letters or len(terms) < 2 or 0 in terms:
            raise ValueError("An expression to simplify has two terms or more, some in x, none 0.")

    def stem(self) -> str:
        return f"Simplify {self.text}."

    @property
    def text(self) -> str:
        """The expression as it stands."""
        return " ".join((write_letters(self.letters), *map(write_next, self.constants)))

    def solve(self) -> Working:
        return _collected(self, sum(self.letters), sum(self.constants))

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        most = 5 if grade < 8 else 9
        taken, added = draws.between(2, most), draws.between(2, most)
        letters = (taken + added + draws.between(1, most), -taken, added)
        constants: tuple[int, ...] = (draws.between(2, 9),)
        if grade >= 7:
            lost, more = draws.between(2, 6), draws.between(2, 6)
            constants = (lost + more + draws.between(1, 9), -lost, more)
        return cls(letters, constants)


_PRODUCT = re.compile(r"(?:[a-z](?:\^[2-9])?){0,3}", re.ASCII)


@form("algebra", (6, 8), 1)
class TwoLetterTerms:
    """Simplify ``2a + 3b + 4a``, ``ab + 5 - 2ab`` or ``x^2y + 3xy``.

    Attributes:
        numbers: the coefficients; none is 0.
        letters: the letter of each term, its product of letters with their powers by the
            alphabet (``ab``, ``x^2y``), or ``""`` for a number alone; two letters or more in all.
    """

    numbers: tuple[int, ...]
    letters: tuple[str, ...]

    def __post_init__(self) -> None:
        if not 2 <= len(self.numbers) == len(self.letters) <= 8 or 0 in self.numbers:
            raise ValueError("There are from two to eight terms, and none of them is 0.")
        if not all(_PRODUCT.fullmatch(each) and sorted_letters(each) == each
                   for each in self.letters):  # fmt: skip
            raise ValueError("A term has up to three letters, by the alphabet.")
        if len(set(re.findall(r"[a-z]", "".join(self.letters)))) < 2:
            raise ValueError("The terms have two different letters or more.")

    def stem(self) -> str:
        return f"Simplify {write_terms(zip(self.letters, self.numbers, strict=True))}."

    @property
    def collected(self) -> dict[str, int]:
        """How many there are of each letter, in the order of the terms."""
        found = dict.fromkeys(self.letters, 0)
        for number, letter in zip(self.numbers, self.letters, strict=True):
            found[letter] += number
        return found

    def solve(self) -> Working:
        answer = Answer.terms(self.collected)
        if len(self.numbers) == len(self.collected) == 2:
            return by_steps(answer, step("sees two unlike terms and leaves {0}", answer))
        return by_steps(
            answer,
            *(
                step("collects the terms in {0}: {1}", letter, write_terms([(letter, number)]))
                if letter
                else step("collects the numbers: {0}", number)
                for letter, number in self.collected.items()
            ),
            step("writes {0}", answer),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        one, other = draws.one((("a", "b"), ("x", "y"), ("m", "n")))
        most = 6 if grade < 7 else 9
        numbers = [draws.between(2, most) for _ in range(3)]
        if grade > 6:
            numbers[1] *= draws.one((1, -1))
        return cls(tuple(numbers), (one, other, one))


def write_letters(coefficients: tuple[int, ...]) -> str:
    """Terms in x one after another: ``9x - 4x + 2x``."""
    text = write_term(coefficients[0])
    for each in coefficients[1:]:
        text += f" - {write_term(-each)}" if each < 0 else f" + {write_term(each)}"
    return text


def _collected(problem: LikeTerms, letters: int, constants: int) -> Working:
    answer = Answer.polynomial((constants, letters))
    steps: list[Step] = []
    if len(problem.letters) > 1:
        terms = write_letters(problem.letters)
        steps.append(step("collects {0} into {1}", terms, write_term(letters)))
    if len(problem.constants) > 1:
        steps.append(step("collects {0} into {1}", write_sum(problem.constants), constants))
    if letters and constants:
        steps.append(
            step("leaves terms with a letter and numbers apart and writes {0}", answer.shown)
        )
    else:
        steps.append(step("writes {0}", answer.shown))
    return Working(answer, tuple(steps), key_step=len(steps) - 1)


def _grouped(terms: tuple[int, ...]) -> int | None:
    # What comes of reading the first minus as standing before all that follows; None where
    # nothing follows the term with the minus.
    for place, term in enumerate(terms[1:-1], 1):
        if term < 0:
            return sum(terms[:place]) + term - sum(terms[place + 1 :])
    return None


def _group(terms: tuple[int, ...]) -> int:
    place = next(place for place, term in enumerate(terms) if place and term < 0)
    return -terms[place] + sum(terms[place + 1 :])


@mal_rule("AL13")
def detached_minus(problem: Blank | LikeTerms) -> Working | None:
    """Puts together what stands behind a minus sign before taking it away."""
    if isinstance(problem, Blank):
        return _detached_in_blank(problem)
    letters, constants = _grouped(problem.letters), _grouped(problem.constants)
    if letters is None and constants is None:
        return None
    steps = []
    if letters is not None:
        steps.append(
            step(
                "joins what stands behind the minus in {0} to {1} and takes it all away: {2}",
                write_letters(problem.letters),
                write_term(_group(problem.letters)),
                write_term(letters),
            )
        )
    if constants is not None:
        steps.append(
            step(
                "joins what stands behind the minus in {0} to {1} and takes it all away: {2}",
                *(write_sum(problem.constants), _group(problem.constants), constants),
            )
        )
    answer = Answer.polynomial(
        (
            sum(problem.constants) if constants is None else constants,
            sum(problem.letters) if letters is None else letters,
        )
    )
    return by_steps(answer, *steps, step("writes {0}", answer.shown))


def _detached_in_blank(problem: Blank) -> Working | None:
    value = _grouped(problem.left)
    if value is None:
        return None
    steps = [
        step(
            "joins what stands behind the minus in {0} to {1}",
            *(write_sum(problem.left), _group(problem.left)),
        ),
        step("takes {0} away at once and gets {1}", _group(problem.left), value),
    ]
    if problem.right:
        steps.append(
            step(
                "takes the {0} of the other side from {1} and gets {2}",
                *(problem.right, value, value - problem.right),
            )
        )
    return Working(Answer.number(value - problem.right), tuple(steps))


@form("algebra", (6, 9), 1)
class BracketValue:
    """``3(x + 4)`` worked out for a number.

    Attributes:
        factor: in front of the bracket; not 0, 1 or -1.
        constant: inside; not 0.
        x: the number for x.
    """

    factor: int
    constant: int
    x: int

    def __post_init__(self) -> None:
        if abs(self.factor) < 2 or self.constant == 0:
            raise ValueError(
                "A bracket needs a factor above 1 in size and a constant other than 0."
            )

    def stem(self) -> str:
        return f"What is the value of {self.text} when x = {self.x}?"

    @property
    def text(self) -> str:
        """The expression."""
        return f"{self.factor}({write_linear(1, self.constant)})"

    @property
    def inside(self) -> int:
        """The value of the bracket."""
        return self.x + self.constant

    def solve(self) -> Working:
        value = self.factor * self.inside
        return by_steps(
            Answer.number(value),
            step("puts {0} for x: the bracket is worth {1}", self.x, self.inside),
            step(
                "multiplies the whole bracket, {0} times {1}, and gets {2}",
                *(self.factor, write_bracketed(self.inside), value),
            ),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        factor, constant = draws.between(2, 6 + grade // 3), draws.between(2, 9)
        if grade >= 7 and draws.chance(0.5):
            return cls(-factor, -constant, draws.between(1, constant + 4))
        return cls(factor, constant, draws.between(2, 9))


@form("algebra", (7, 9), 1)
class BracketExpansion:
    """``9x - 4(x - 3)`` written without brackets.

    Attributes:
        letters: how many x stand in front; 0 for none.
        factor: in front of the bracket; not 0, 1 or -1.
        constant: inside the bracket; not 0.
    """

    letters: int
    factor: int
    constant: int

    def __post_init__(self) -> None:
        if abs(self.factor) < 2 or self.constant == 0:
            raise ValueError(
                "A bracket needs a factor above 1 in size and a constant other than 0."
            )

    def stem(self) -> str:
        return f"Write {self.text} without brackets and simplify."

    @property
    def text(self) -> str:
        """The expression."""
        inside = write_linear(1, self.constant)
        if not self.letters:
            return f"{self.factor}({inside})"
        return f"{write_term(self.letters)} {write_next(self.factor)}({inside})"

    @property
    def total(self) -> int:
        """The right coefficient of x."""
        return self.letters + self.factor

    def solve(self) -> Working:
        product = self.factor * self.constant
        answer = Answer.polynomial((product, self.total))
        return by_steps(
            answer,
            step(
                "multiplies both terms of the bracket by {0}: {1} and {2}",
                *(self.factor, write_term(self.factor), product),
            ),
            step("collects the terms and writes {0}", answer.shown),
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        factor, constant = draws.between(2, grade - 1), draws.between(2, 9)
        return cls(factor + draws.between(1, 7), -factor, -constant)


@form("algebra", (7, 9), 1)
class LinearProduct:
    """A number, a term or a bracket times a bracket, to be expanded: ``4(2x - 3)``.

    Attributes:
        letters, constant: of what stands in front; one of them may be 0.
        second_letters, second_constant: of the bracket behind it; neither is 0.
    """

    letters: int
    constant: int
    second_letters: int
    second_constant: int

    def __post_init__(self) -> None:
        check_that(bool(self.letters or self.constant), "Something stands before the bracket.")
        check_that(
            bool(self.second_letters and self.second_constant), "Two terms stand in the bracket."
        )

    @property
    def has_one_term(self) -> bool:
        """Whether no bracket stands in front."""
        return not (self.letters and self.constant)

    @property
    def is_square(self) -> bool:
        """Whether both brackets are the same."""
        return (self.letters, self.constant) == (self.second_letters, self.second_constant)

    def stem(self) -> str:
        front = write_linear(self.letters, self.constant) if self.letters else str(self.constant)
        front = front if self.has_one_term else f"({front})"
        return f"Expand {front}({write_linear(self.second_letters, self.second_constant)})."

    def with_middle(self, last: int, middle: int, idea: str) -> Working:
        """The product with this last term and this number of x, right or wrong."""
        answer = Answer.polynomial((last, middle, self.letters * self.second_letters))
        return by_steps(answer, step(idea), step("writes {0}", answer.shown))

    def solve(self) -> Working:
        middle = self.letters * self.second_constant + self.constant * self.second_letters
        return self.with_middle(
            self.constant * self.second_constant, middle, "multiplies every term by every term"
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        letters = draws.between(2, 4) if grade > 7 else 0
        second = draws.between(2, grade), draws.between(2, 9) * draws.one((1, -1))
        return cls(letters, draws.between(2, 9), *second)


@mal_rule("AL06")
def first_term_only(
    problem: BracketValue
    | BracketExpansion
    | BracketEquation
    | LinearProduct
    | EquationWithBrackets
    | BracketTerms
    | PolynomialDifference,
) -> Working | None:
    """Multiplies the first term in the bracket and copies the second."""
    if isinstance(problem, PolynomialDifference):
        told = "changes the first sign behind the minus and copies the others"
        return problem.without_brackets(told, changes=1)
    if isinstance(problem, EquationWithBrackets | BracketTerms):
        told = "multiplies the first term of each bracket and copies the second"
        if isinstance(problem, BracketTerms):
            return problem.simplified(told, copies=True)
        return problem.solved(told, copies=True)
    if isinstance(problem, LinearProduct):
        if not problem.has_one_term:
            return None
        told = "multiplies the first term of the bracket and copies the second"
        middle = problem.constant * problem.second_letters
        return problem.with_middle(problem.second_constant, middle, told)
    factor, constant = problem.factor, problem.constant
    if isinstance(problem, BracketEquation):
        return problem.undone(
            constant, "multiplies the x in the bracket by {0} and copies the rest: {1}"
        )
    idea = step(
        "multiplies the x in the bracket by {0} and copies the rest: {1}",
        *(factor, write_linear(factor, constant)),
    )
    if isinstance(problem, BracketExpansion):
        answer = Answer.polynomial((constant, problem.total))
        return by_steps(answer, idea, step("collects the terms and writes {0}", answer.shown))
    value = factor * problem.x + constant
    return by_steps(Answer.number(value), idea, _put_in(problem, constant, value))


@mal_rule("AL07", BracketTerms("7 - 3(2x - 5)"))
def lost_sign(problem: BracketValue | BracketExpansion | BracketTerms) -> Working | None:
    """Keeps the minus inside although the factor outside is negative too."""
    if isinstance(problem, BracketTerms):
        told = "multiplies everything in the brackets and keeps a minus that stands there"
        return problem.simplified(told, copies=False, keeps_minus=True)
    factor, constant = problem.factor, problem.constant
    if factor > 0 or constant > 0:
        return None
    product = -factor * constant
    idea = step(
        "multiplies {0} by {1} and keeps a minus: {2}",
        *(factor, write_bracketed(constant), product),
    )
    if isinstance(problem, BracketExpansion):
        answer = Answer.polynomial((product, problem.total))
        return by_steps(answer, idea, step("collects the terms and writes {0}", answer.shown))
    value = factor * problem.x + product
    return by_steps(Answer.number(value), idea, _put_in(problem, product, value))


def _put_in(problem: BracketValue, constant: int, value: int) -> Step:
    return step(
        "puts {0} for x in {1} and gets {2}",
        *(problem.x, write_linear(problem.factor, constant), value),
    )


@mal_rule("AL103")
def adds_the_exponents_of_a_sum(problem: LikeTerms | PowerTerms) -> Working | None:
    """3x + 5x is 8x^2: the letters are multiplied."""
    added = "works the numbers out and multiplies the letters: {0}"
    if isinstance(problem, PowerTerms):
        found: Counter[int] = Counter()
        for power, total in problem.collected.items():
            found[power * len(problem.group(power))] += total
        return None if dict(found) == problem.collected else problem.left_by(added, found)
    many, total = len(problem.letters), sum(problem.letters)
    if many < 2 or not total:
        return None
    answer = Answer.polynomial((sum(problem.constants), *[0] * (many - 1), total))
    return by_steps(answer, step(added, answer))


@mal_rule("AL106", LikeTerms((3, 2), ()), PowerTerms(((3, 2), (2, 2))))
def multiplies_like_terms(problem: LikeTerms | PowerTerms) -> Working | None:
    """3a + 2a is 6a^2: terms to be added are multiplied."""
    told = "multiplies the numbers and the letters: {0}"
    if isinstance(problem, PowerTerms):
        (one, power), (other, second) = problem.terms[:2]
        if len(problem.terms) > 2 or power != second or other < 0:
            return None
        return problem.left_by(told, {2 * power: one * other})
    if len(problem.letters) != 2 or problem.constants or problem.letters[1] < 0:
        return None
    answer = Answer.polynomial((0, 0, problem.letters[0] * problem.letters[1]))
    return by_steps(answer, step(told, answer))


@mal_rule("AL107")
def adds_whatever_the_sign(problem: LikeTerms | PowerTerms | PolynomialDifference) -> Working:
    """5p - 2p + 3p is 10p: every number is added; what stands behind a minus too."""
    if isinstance(problem, PolynomialDifference):
        return problem.without_brackets("drops the brackets and keeps every sign", changes=0)
    if isinstance(problem, PowerTerms):
        sizes: Counter[int] = Counter()
        for number, power in problem.terms:
            sizes[power] += abs(number)
        return problem.left_by("adds the numbers before the letters: {0}", sizes)
    letters, constants = sum(map(abs, problem.letters)), sum(map(abs, problem.constants))
    answer = Answer.polynomial((constants, letters))
    told = step("adds the numbers before the letters: {0}", letters)
    return by_steps(answer, told, step("writes {0}", answer))
