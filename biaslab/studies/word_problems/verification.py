"""Proof, for every pair when it is made, that it differs in its treatment and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass

from biaslab.studies.study import Item
from biaslab.studies.word_problems.cast import PairHalf
from schoolmath.problems import ComparisonForm, ProblemError, Statement
from schoolmath.problems.quantities import LARGEST_RESULT, NumberRange

# Digits first: a search that may begin with "1/" looks twice at every letter.
_NUMBER = re.compile(r"\d+(?:/\d+)?")
_NUMBER_OR_BREAK = re.compile(r"[\d\n][\d/]*")


class UnsoundPair(ProblemError):
    """A generated pair is not what it should be: an error in this program, never shown data."""


def verify_pair(
    x: PairHalf, x_prime: PairHalf, steps: int, numbers: NumberRange, largest: int = LARGEST_RESULT
) -> None:
    """Checks a pair of word problems against everything that is promised of it.

    Both members solve to one answer in the stated number of steps, all of them needed; they
    have as many sentences and differ in the treated ones only; what stands in the text is
    what the logical forms say; numbers and amounts are in range; and the answer is not
    printed in the text. `largest` is the largest amount that may come out.

    Raises:
        UnsoundPair: naming the first promise that is broken, and both texts.
    """
    fault = (
        _pair_fault(x, x_prime)
        or _member_fault(x, steps, numbers, largest)
        or _member_fault(x_prime, steps, numbers, largest)
    )
    if fault:
        raise UnsoundPair(
            f"A generated pair is unsound: {fault}. "
            f"x: {' '.join(x.sentences)} x': {' '.join(x_prime.sentences)}"
        )


def _pair_fault(x: PairHalf, x_prime: PairHalf) -> str:
    if x.solution.answer != x_prime.solution.answer:
        return "the two answers differ"
    if len(x.sentences) != len(x_prime.sentences) or x.treated != x_prime.treated:
        return "the members do not have the same sentences to compare"
    changed = tuple(
        index
        for index, (one, other) in enumerate(zip(x.sentences, x_prime.sentences, strict=True))
        if one != other
    )
    if changed != x.treated:
        return f"sentences {changed} differ, not {x.treated}"
    return ""


def _member_fault(member: PairHalf, steps: int, numbers: NumberRange, largest: int) -> str:
    solution = member.solution
    if solution.unused:
        return f"sentence {solution.unused[0] + 1} is not needed"
    if len(solution.steps) != steps:
        return f"it takes {len(solution.steps)} steps, not {steps}"
    for step in solution.steps:
        if not 1 <= step.result <= largest:
            return f"the amount {step.result} is out of range"
    low, high = numbers
    quantities: list[int] = []
    told: list[str] = []
    for statement in member.problem.statements:
        quantity = statement.predicate.quantity
        quantities.append(quantity)
        part = statement.form is ComparisonForm.B_PART
        told += (f"1/{quantity}" if part else str(quantity), "\n")
    # One search for all sentences: a number, a break, a number... and none in the question. (The
    # space ends a break before a sentence that begins with a number.)
    if _NUMBER_OR_BREAK.findall("\n ".join(member.sentences)) != told:
        return _misquoted(member)
    for quantity in quantities:
        if not low <= quantity <= high:
            return f"the number {quantity} is not from {low} to {high}"
    if solution.answer in quantities:
        return "the answer is printed in the text"
    return ""


def number_stated(statement: Statement) -> str:
    """The number of a statement as its sentence writes it: 3, or 1/3."""
    quantity = statement.predicate.quantity
    return f"1/{quantity}" if statement.form is ComparisonForm.B_PART else str(quantity)


def _misquoted(member: PairHalf) -> str:
    for statement, sentence in zip(member.problem.statements, member.sentences, strict=False):
        quantity = number_stated(statement)
        if _NUMBER.findall(sentence) != [quantity]:
            return f"the sentence {sentence!r} does not say {quantity} and nothing else"
    return "a number stands in the question"


# A full stop ends a sentence, unless digits follow (3.5) or one capital stands before it (J. Lee).
_ENDS = re.compile(r"(?<=[.?!])(?<!\b[A-Z]\.)\s+(?=\S)")
_SIGNS = {"+": "+", "-": "\N{MINUS SIGN}", "*": "\N{MULTIPLICATION SIGN}", "/": "\N{DIVISION SIGN}"}


@dataclass(frozen=True, slots=True)
class StepFacts:
    """One reasoning step: ``left operation right = result``.

    Attributes:
        operation: ``+``, ``-``, ``*`` or ``/``.
        carries: carries of the addition, borrows of the subtraction, else 0.
        agent: whose amount the result is; empty where it is not known.
        what: of what, in the plural or singular that the result needs.
    """

    operation: str
    left: int
    right: int
    result: int
    carries: int = 0
    agent: str = ""
    what: str = ""

    def equation(self) -> str:
        """As it is written on paper: ``18 − 3 = 15``."""
        return f"{self.left} {_SIGNS[self.operation]} {self.right} = {self.result}"

    def in_words(self) -> str:
        """The equation with what it finds: ``Mei: 18 − 3 = 15 apples``."""
        whose = f"{self.agent}: " if self.agent else ""
        return f"{whose}{self.equation()} {self.what}".rstrip()


def sentences_of(item: Item) -> tuple[str, ...]:
    """The sentences in order, the question last."""
    given = item.facts.get("sentences")
    if given:
        return tuple(map(str, given))
    return split_sentences(item.text)


def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text by their marks, where nobody said where they end."""
    return tuple(_ENDS.split(text.strip()))


def body_of(item: Item) -> str:
    """Everything before the question."""
    return " ".join(sentences_of(item)[:-1])


def question_of(item: Item) -> str:
    """The question at the end."""
    return sentences_of(item)[-1]


def treated_of(item: Item) -> tuple[int, ...] | None:
    """Which sentences the treatment changes, from 0; None where the item does not say."""
    given = item.facts.get("treated")
    return None if given is None else tuple(int(index) for index in given)


def steps_of(item: Item) -> tuple[StepFacts, ...]:
    """The reasoning steps in order; none where they are not known."""
    return tuple(
        StepFacts(
            str(step["operation"]),
            int(step["left"]),
            int(step["right"]),
            int(step["result"]),
            int(step.get("carries", 0)),
            str(step.get("agent", "")),
            str(step.get("what", "")),
        )
        for step in item.facts.get("steps") or ()
    )


def structure_of(item: Item) -> str:
    """The line of the structure, such as ``container . comparison+ consistent``; or empty."""
    return str(item.facts.get("structure", ""))
