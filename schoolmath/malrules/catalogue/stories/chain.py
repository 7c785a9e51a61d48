"""A linear word problem as a start and a chain of calculations, and somebody who works through it.

What is done in place of a step is an edit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import gcd
from typing import Any, Self

from schoolmath.malrules.answers import Answer, Step, Working, step
from schoolmath.problems.logic import (
    Comparison,
    Container,
    Operation,
    Problem,
    ReasoningStep,
    Solution,
    Transfer,
    solve,
)
from schoolmath.problems.writing import write

TRANSFER, COMPARISON, RATE = "transfer", "comparison", "rate"
UNDONE = "undone transfer"
"""A transfer whose outcome is told and whose start is asked."""
PART = "part of a whole"
"""Two have so many altogether, one of them so many."""
CONCEPTS = (TRANSFER, COMPARISON, RATE, UNDONE, PART)

REVERSED = {
    Operation.ADD: Operation.SUBTRACT,
    Operation.SUBTRACT: Operation.ADD,
    Operation.MULTIPLY: Operation.DIVIDE,
    Operation.DIVIDE: Operation.MULTIPLY,
}
"""The operation that undoes each operation."""

_CONCEPT_OF_RULE = {"gain": TRANSFER, "give": TRANSFER, "compare": COMPARISON, "rate": RATE}
_NUMBER = re.compile(r"\d+")
_NOT_IN_A_NAME = re.compile(r"[\d{}]")


@dataclass(frozen=True, slots=True)
class Chain:
    """``Ana has 18. Ana gives away 5. Ben has 4 fewer than Ana. Ben?``

    Attributes:
        text: the whole problem as it is read.
        start: the amount that the chain starts from.
        operations: what each step needs, one of ``+ - * /``.
        numbers: the number that each step brings in.
        concepts: what each step is, one of `CONCEPTS`.
        keywords: the operation that the words of each step suggest; "" where none.
        agents: who has the start, and the result of each step. The last is asked for.
        others: at a transfer, who else takes part in it; otherwise "".
        bystanders: people of whom the text tells how much they have at first, although that
            is not needed.
        bystander_amounts: how much they have.
        irrelevant: other numbers in the text that do not matter.
    """

    text: str
    start: int
    operations: tuple[str, ...]
    numbers: tuple[int, ...]
    concepts: tuple[str, ...]
    keywords: tuple[str, ...]
    agents: tuple[str, ...]
    others: tuple[str, ...]
    bystanders: tuple[str, ...] = ()
    bystander_amounts: tuple[int, ...] = ()
    irrelevant: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        steps = len(self.operations)
        alike = (self.numbers, self.concepts, self.keywords, self.others, self.agents[1:])
        if not steps or any(len(each) != steps for each in alike) or not self.agents:
            raise ValueError("A story needs a number, a concept and a person for every step.")
        if len(self.bystanders) != len(self.bystander_amounts):
            raise ValueError("A story needs an amount for every bystander.")
        if not self.text.strip():
            raise ValueError("A story needs its text.")
        if not set(self.operations) <= set(REVERSED):
            raise ValueError(f"The operations of a story are + - * /, not {self.operations}.")
        if not set(self.keywords) <= {*REVERSED, ""}:
            raise ValueError(f"Words suggest + - * / or nothing, not {self.keywords}.")
        if not set(self.concepts) <= set(CONCEPTS):
            raise ValueError(f"The steps of a story are {CONCEPTS}, not {self.concepts}.")
        for name in (*self.agents, *self.others, *self.bystanders):
            if _NOT_IN_A_NAME.search(name):
                raise ValueError(f"“{name}” is no name: it holds a digit or a brace.")
        if min(self.numbers_in_text) < 0:
            raise ValueError("The numbers of a story are not below 0.")
        self._check_amounts()

    def _check_amounts(self) -> None:
        amount = self.start
        for operation, number in zip(self.operations, self.numbers, strict=True):
            if operation == Operation.DIVIDE and (number == 0 or amount % number):
                raise ValueError(f"{amount} / {number} leaves a remainder.")
            amount = calculate(operation, amount, number)
            if amount < 0:
                raise ValueError(f"Nobody can have {amount}.")

    @property
    def amounts(self) -> tuple[int, ...]:
        """The start and the right result of each step."""
        found = [self.start]
        for operation, number in zip(self.operations, self.numbers, strict=True):
            found.append(calculate(operation, found[-1], number))
        return tuple(found)

    @property
    def numbers_in_text(self) -> tuple[int, ...]:
        """Every number that the text states; those that matter first."""
        return (self.start, *self.numbers, *self.bystander_amounts, *self.irrelevant)

    @property
    def steps(self) -> range:
        """The indices of the steps."""
        return range(len(self.operations))

    def inconsistent(self, index: int) -> bool:
        """Whether the words of a step suggest another operation than it needs."""
        return self.keywords[index] not in ("", self.operations[index])

    @classmethod
    def of_problem(
        cls, problem: Problem, text: str | None = None, solution: Solution | None = None
    ) -> Self:
        """The story of a problem in logical form.

        Args:
            problem: statements and question.
            text: how it is written; None: as `schoolmath.problems.writing` writes it.
            solution: of the problem, where the caller has it already.

        Raises:
            ProblemError: it has no solution.
            ValueError: it takes no step at all, or its steps are no chain.
        """
        solution = solution or solve(problem)
        if not solution.steps:
            raise ValueError("The answer stands in the text: there is nothing to calculate.")
        first = _first_statement(problem, solution.steps, solution.unused)
        bystanders: list[Container] = []
        irrelevant: list[int] = []
        path = {(step.possession.agent, step.possession.entity) for step in solution.steps}
        entities = {first.entity, *(entity for _, entity in path)}
        for index in solution.unused:
            predicate = problem.statements[index].predicate
            stranger = isinstance(predicate, Container) and predicate.entity in entities
            if isinstance(predicate, Container) and stranger and predicate.agent != first.agent:
                bystanders.append(predicate)
            else:
                irrelevant.append(predicate.quantity)
        return cls(
            text=str(write(problem)) if text is None else text,
            start=first.quantity,
            operations=tuple(step.operation for step in solution.steps),
            numbers=tuple(step.right for step in solution.steps),
            concepts=tuple(_CONCEPT_OF_RULE[step.rule] for step in solution.steps),
            keywords=tuple(
                _keyword(step.rule, step.operation, step.consistent) for step in solution.steps
            ),
            agents=(first.agent, *(step.possession.agent for step in solution.steps)),
            others=tuple(_other(problem, step) for step in solution.steps),
            bystanders=tuple(each.agent for each in bystanders),
            bystander_amounts=tuple(each.quantity for each in bystanders),
            irrelevant=tuple(irrelevant),
        )

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any]) -> Self | None:
        """The story of an item of the word-problem studies, or None where it holds none.

        Args:
            facts: ``sentences`` (the question last) and ``steps``, as the studies write them.
        """
        sentences, steps = facts.get("sentences"), facts.get("steps")
        if not _is_list(sentences) or not _is_list(steps) or not sentences or not steps:
            return None
        try:
            return cls._of_steps([str(sentence) for sentence in sentences], steps)
        except (KeyError, TypeError, ValueError):
            return None

    @classmethod
    def _of_steps(cls, sentences: list[str], steps: Sequence[Mapping[str, Any]]) -> Self | None:
        start = int(steps[0]["left"])
        reached = start
        for each in steps:
            if each["left"] != reached:
                return None
            reached = each["result"]
        told = {each["sentence"] for each in steps}
        around = [text for index, text in enumerate(sentences[:-1]) if index not in told]
        holders = [text for text in around if str(start) in _NUMBER.findall(text)]
        spare = [int(each) for text in around for each in _NUMBER.findall(text)]
        if start in spare:
            spare.remove(start)
        first = re.match(r"[^\W\d_]+", holders[0]) if holders else None
        made = cls(
            text=" ".join(sentences),
            start=start,
            operations=tuple(each["operation"] for each in steps),
            numbers=tuple(each["right"] for each in steps),
            concepts=tuple(_CONCEPT_OF_RULE[each["rule"]] for each in steps),
            keywords=tuple(
                _keyword(each["rule"], each["operation"], each["consistent"]) for each in steps
            ),
            agents=(first[0] if first else "", *(str(each.get("agent", "")) for each in steps)),
            others=("",) * len(steps),
            irrelevant=tuple(spare),
        )
        return made if made.amounts[-1] == reached else None


def calculate(operation: str, left: int, right: int) -> int:
    """One calculation with whole numbers; a division leaves no remainder."""
    match operation:
        case Operation.ADD:
            return left + right
        case Operation.SUBTRACT:
            return left - right
        case Operation.MULTIPLY:
            return left * right
    return left // right


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _keyword(rule: str, operation: str, consistent: bool | None) -> str:
    if rule == "rate":
        return ""
    return REVERSED[operation] if consistent is False else operation


def _first_statement(
    problem: Problem, steps: Sequence[ReasoningStep], unused: Sequence[int]
) -> Container:
    told = {*unused, *(step.sentence for step in steps)}
    for index, statement in enumerate(problem.statements):
        if index not in told and isinstance(statement.predicate, Container):
            return statement.predicate
    raise ValueError("The answer stands in the text: there is nothing to calculate.")


def _other(problem: Problem, step: ReasoningStep) -> str:
    predicate = problem.statements[step.sentence].predicate
    match predicate:
        case Transfer():
            names = (predicate.sender, predicate.receiver)
        case Comparison():
            return ""
        case _:
            return ""
    return next((name for name in names if name and name != step.possession.agent), "")


class Deed(StrEnum):
    """What is done at a step in place of what it needs."""

    OPERATION = "another operation"
    SKIP = "nothing"
    ASSIGN = "the number is taken for the amount"
    COLUMNS = "a written procedure goes wrong"
    OFFSET = "the result is off"


@dataclass(frozen=True, slots=True)
class Edit:
    """What somebody does at one step.

    Attributes:
        deed: what is done.
        operation: for another operation, which.
        offset: for a result that is off, by how much.
        aside: words that go before the clause, ending in a comma or "and", such as
            ``sees “more”,``.
    """

    deed: Deed
    operation: str = ""
    offset: int = 0
    aside: str = ""


def work(story: Chain, edits: Mapping[int, Edit]) -> Working | None:
    """The chain with the edits made at their steps; None where a number is undefined.

    Args:
        story: the problem.
        edits: what is done otherwise, by the index of the step.
    """
    amount = Fraction(story.start)
    clauses = [_opening(story)]
    key: int | None = None
    for index in story.steps:
        edit = edits.get(index)
        if edit is not None and edit.deed is Deed.COLUMNS and not _slips(story, index, amount):
            edit = None
        if edit is not None and key is None:
            key = len(clauses)
        done = _do(story, index, amount, edit)
        if done is None:
            return None
        amount, clause = done
        clauses.append(clause)
    answer = Answer.number(amount)
    if answer.shown not in clauses[-1].numbers:
        clauses[-1] = _with_answer(clauses[-1], answer)
    return Working(answer, tuple(clauses), len(clauses) - 1 if key is None else key)


def _opening(story: Chain) -> Step:
    name = story.agents[0]
    if story.concepts[0] == PART:
        return step("starts with {0}, what both have together", story.start)
    if story.concepts[0] == UNDONE:
        return step(f"starts with {{0}}, what {name or 'there'} has at the end", story.start)
    return step(f"starts with {{0}}, what {name} has" if name else "starts with {0}", story.start)


def _with_answer(clause: Step, answer: Answer) -> Step:
    place = len(clause.numbers)
    return Step(f"{clause.template} and answers {{{place}}}", (*clause.numbers, answer.shown))


def _do(
    story: Chain, index: int, amount: Fraction, edit: Edit | None
) -> tuple[Fraction, Step] | None:
    number, operation = story.numbers[index], story.operations[index]
    if edit is None:
        done = reckon(operation, amount, number)
        return None if done is None else (done, clause_of(operation, amount, number, done))
    match edit.deed:
        case Deed.SKIP:
            return amount, step("leaves out the sentence with {0}", number)
        case Deed.ASSIGN:
            who = story.agents[index + 1]
            return Fraction(number), step(
                f"takes {{0}} for what {who} has" if who else "takes {0} for the amount", number
            )
        case Deed.COLUMNS:
            wrong = in_columns(operation, amount, number)
        case Deed.OPERATION:
            operation = edit.operation
            wrong = reckon(operation, amount, number)
        case Deed.OFFSET:
            wrong = reckon(operation, amount, number)
            wrong = None if wrong is None else wrong + edit.offset
    if wrong is None:
        return None
    return wrong, clause_of(operation, amount, number, wrong, edit.aside)


def _slips(story: Chain, index: int, amount: Fraction) -> bool:
    return in_columns(story.operations[index], amount, story.numbers[index]) is not None


def clause_of(
    operation: str, left: Fraction, right: int, result: Fraction, aside: str = ""
) -> Step:
    """One calculation as a clause, with the words before it."""
    numbers = (left, right, result)
    match operation:
        case Operation.ADD:
            clause = "adds {1} to {0} and gets {2}"
        case Operation.SUBTRACT:
            clause = "takes {1} from {0} and gets {2}"
        case Operation.MULTIPLY:
            clause = "multiplies {0} by {1} and gets {2}"
        case _:
            clause = "divides {0} by {1} and gets {2}"
    return step(f"{aside} {clause}" if aside else clause, *numbers)


def reckon(operation: str, left: Fraction, right: int) -> Fraction | None:
    """One exact calculation; None for a division by zero."""
    match operation:
        case Operation.ADD:
            return left + right
        case Operation.SUBTRACT:
            return left - right
        case Operation.MULTIPLY:
            return left * right
    return None if right == 0 else left / right


Ratio = tuple[int, int]
"""A fraction in its lowest terms, numerator and denominator: hashed many times sooner than one of
the standard library's."""


def ratio_of(value: Fraction) -> Ratio:
    """The numerator and denominator of a fraction."""
    return value.numerator, value.denominator


def reckon_ratio(operation: str, left: Ratio, right: int) -> Ratio | None:
    """What `reckon` does, where a great many results are counted."""
    top, bottom = left
    match operation:
        case Operation.ADD:
            return top + right * bottom, bottom
        case Operation.SUBTRACT:
            return top - right * bottom, bottom
        case Operation.MULTIPLY:
            shared = gcd(right, bottom)
            return top * (right // shared), bottom // shared
    if right == 0:
        return None
    shared = gcd(top, right) * (1 if right > 0 else -1)
    return top // shared, bottom * (right // shared)


def in_columns(operation: str, left: int | Fraction, right: int) -> Fraction | None:
    """A sum without its carries, or a difference with the smaller digit from the larger.

    None where there is nothing to go wrong: another operation, no carry, no borrow, or
    numbers that are not written in columns.
    """
    if left.denominator != 1 or left < 0 or right < 0:
        return None
    whole = int(left)
    if operation == Operation.ADD:
        wrong = without_carries(whole, right)
        return None if wrong == whole + right else Fraction(wrong)
    if operation == Operation.SUBTRACT and whole >= right:
        wrong = smaller_from_larger_digits(whole, right)
        return None if wrong == whole - right else Fraction(wrong)
    return None


def without_carries(top: int, bottom: int) -> int:
    """A sum whose carries are dropped: 47 + 38 is 75, and 88 + 39 is 117.

    As in `biaslab.models`, the leftmost column is written in full: nothing is carried there.
    """
    result, place = 0, 1
    while top or bottom:
        column = top % 10 + bottom % 10
        top, bottom = top // 10, bottom // 10
        result += (column % 10 if top or bottom else column) * place
        place *= 10
    return result


def smaller_from_larger_digits(top: int, bottom: int) -> int:
    """A difference taken digit by digit, whichever is on top: 431 - 163 is 332. As NO01."""
    result, place = 0, 1
    while top or bottom:
        result += abs(top % 10 - bottom % 10) * place
        top, bottom, place = top // 10, bottom // 10, place * 10
    return result


def comparison_word(operation: str) -> str:
    """The relational word that suggests an operation."""
    return {
        Operation.ADD: "more",
        Operation.SUBTRACT: "fewer",
        Operation.MULTIPLY: "times as many",
        Operation.DIVIDE: "times fewer",
    }[operation]


def is_multiplicative_comparison(story: Chain, index: int) -> bool:
    """Whether a step is told as "so many times as many"."""
    times = story.operations[index] in (Operation.MULTIPLY, Operation.DIVIDE)
    return times and story.concepts[index] == COMPARISON
