"""What a treatment is: one feature of a problem that a pair's members differ in, and no other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Protocol

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.cast import PairHalf
from biaslab.studies.word_problems.features import Feature, Features, features
from biaslab.studies.word_problems.settings import Wording, in_wording
from biaslab.studies.word_problems.verification import UnsoundPair, number_stated
from schoolmath.problems import Draws, Problem, Solution, Vocabulary
from schoolmath.problems.chains import ChainPlan
from schoolmath.problems.quantities import LARGEST_RESULT, NumberRange


@dataclass(frozen=True, slots=True)
class Base:
    """The problem that twins are made from.

    Attributes:
        problem: in any form, drawn or read from a teacher's text.
        plan: the structure that it was drawn for, one part for each statement; None: it was
            read. Then nothing can be drawn again, so twins keep its numbers where they can.
        sentence: index of the statement to treat; None: the treatment chooses by its rule.
        numbers: range of all numbers in the text.
        words: the vocabulary that the problem is written with.
        solution: of the problem, where the caller has it already.
    """

    problem: Problem
    plan: ChainPlan | None
    sentence: int | None
    numbers: NumberRange
    words: Vocabulary
    solution: Solution | None = None


@dataclass(frozen=True, slots=True)
class Twins:
    """Two problems that differ in the treatment and what follows from it.

    Attributes:
        x, x_prime: the easier one by hypothesis, and the other.
        treated: indices of the sentences of x in which they differ, the question counted last.
        treated_prime: the same for x'; another one only where x' has a sentence more.
    """

    x: Problem
    x_prime: Problem
    treated: tuple[int, ...]
    treated_prime: tuple[int, ...]

    def worded(self, wording: Wording) -> Twins:
        """The same twins in these words."""
        return replace(
            self, x=in_wording(self.x, wording), x_prime=in_wording(self.x_prime, wording)
        )


class Treatment(Protocol):
    """One feature to change at a time."""

    @property
    def name(self) -> str:
        """Short name, as in a design: ``consistency``, ``operand-order``."""
        ...

    @property
    def label(self) -> str:
        """Name on screens."""
        ...

    @property
    def question(self) -> str:
        """What it asks, in one sentence a teacher understands."""
        ...

    @property
    def explanation(self) -> str:
        """How the members of a pair differ, what is chosen by which rule, and what is refused."""
        ...

    @property
    def source(self) -> str:
        """A publication that the feature is known from, or ""."""
        ...

    @property
    def expects(self) -> Expectation | None:
        """Why x should be easier, and what is known about people; None: nobody says."""
        ...

    @property
    def arms(self) -> Arms:
        """Names of x and x'; x is easier by hypothesis."""
        ...

    @property
    def reasons(self) -> Mapping[Feature, str]:
        """The features that may differ, each with the reason; the promised one first."""
        ...

    @property
    def one_answer(self) -> bool:
        """Whether both members have the same answer."""
        ...

    def check(self, plan: ChainPlan, sentence: int | None) -> None:
        """Refuses a structure or sentence that this treatment cannot change alone.

        Raises:
            DesignError: with setting ``treatment``, ``sentence`` or ``structure``, saying why
                two things would change at once, or nothing, and the nearest that works.
        """
        ...

    def twins(self, base: Base, draws: Draws) -> Twins | None:
        """Two problems made from one; None: not with these numbers or people, draw again.

        Raises:
            DesignError: no drawing again would help: see `check`; with setting ``numbers``
                where the range holds none.
        """
        ...

    def fault(self, x: Features, x_prime: Features) -> str:
        """What is promised of the changed features themselves and is not so; "" when all is."""
        ...


_NUMBER = re.compile(r"(?:1/)?\d+")
_NUMBER_OR_END = re.compile(r"(?:1/)?\d+|\n")
_ALL = tuple(Feature)
_values = attrgetter(*(feature.value for feature in _ALL))


def verify_treatment(
    x: PairHalf,
    x_prime: PairHalf,
    twins: Twins,
    treatment: Treatment,
    numbers: NumberRange | None,
) -> None:
    """Checks a pair against everything that its treatment promises.

    The members are the twins, solved and written; they differ in the treated sentences only;
    no feature differs but those that the treatment names; these differ as it says; both have
    one answer where it says so. What stands in the text is what the logical forms say.

    Args:
        x: the one member, solved and written.
        x_prime: the other, written with the same vocabulary.
        twins: the problems that they were made from.
        treatment: what is to differ.
        numbers: range that every number must be in, with every amount from 1 to 999 and no
            answer printed in the text; None for a problem that somebody else has written,
            which need not be so.

    Raises:
        UnsoundPair: naming the first promise that is broken, and both texts.
    """
    fault = (
        _text_fault(x, x_prime, twins)
        or _feature_fault(x, x_prime, twins, treatment)
        or _member_fault(x, numbers)
        or _member_fault(x_prime, numbers)
    )
    if fault:
        raise UnsoundPair(
            f"A generated pair of the treatment {treatment.name} is unsound: {fault}. "
            f"x: {' '.join(x.sentences)} x': {' '.join(x_prime.sentences)}"
        )


def _text_fault(x: PairHalf, x_prime: PairHalf, twins: Twins) -> str:
    if x.problem != twins.x or x_prime.problem != twins.x_prime:
        return "the members are not the twins"
    added = len(x_prime.sentences) - len(x.sentences)
    told, told_prime = list(x.problem.statements), list(x_prime.problem.statements)
    said, said_prime = list(x.sentences), list(x_prime.sentences)
    if added:
        if added != 1 or twins.treated or len(twins.treated_prime) != 1:
            return "the members do not have the same sentences to compare"
        place = twins.treated_prime[0]
        del told_prime[place], said_prime[place]
        changed: tuple[int, ...] = ()
    else:
        changed = twins.treated
        if changed != twins.treated_prime:
            return "different sentences are treated in the two members"
    differ = tuple([i for i, (a, b) in enumerate(zip(said, said_prime, strict=True)) if a != b])
    if differ != changed:
        return f"sentences {differ} differ, not {changed}"
    if any(a is not b and a != b and i not in changed
           for i, (a, b) in enumerate(zip(told, told_prime, strict=True))):  # fmt: skip
        return "two sentences read alike and mean different things"
    if x.problem.question != x_prime.problem.question and len(told) not in changed:
        return "two questions read alike and mean different things"
    return ""


def _feature_fault(x: PairHalf, x_prime: PairHalf, twins: Twins, treatment: Treatment) -> str:
    added = len(x_prime.sentences) > len(x.sentences)
    one = features(x)
    other = features(x_prime, without=twins.treated_prime[0] if added else None)
    for feature, a, b in zip(_ALL, _values(one), _values(other), strict=True):
        if a != b and feature not in treatment.reasons:
            return f"{feature} differs, {a} and {b}"
    if treatment.one_answer and one.answer != other.answer:
        return "the two answers differ"
    return treatment.fault(one, other)


def _member_fault(member: PairHalf, numbers: NumberRange | None) -> str:
    quantities = [statement.predicate.quantity for statement in member.problem.statements]
    told = [number_stated(statement) for statement in member.problem.statements]
    fault = _number_fault(member.sentences, told, only=numbers is not None)
    if fault or numbers is None:
        return fault
    if not numbers.low <= min(quantities) <= max(quantities) <= numbers.high:
        return f"a number is not from {numbers.low} to {numbers.high}"
    if member.solution.answer in quantities:
        return "the answer is printed in the text"
    for step in member.solution.steps:
        if not 1 <= step.result <= LARGEST_RESULT:
            return f"the amount {step.result} is out of range"
    return ""


def _number_fault(sentences: tuple[str, ...], numbers: list[str], *, only: bool) -> str:
    """Which sentence does not say its number, or (where it must not) another one besides."""
    # All at once first: that is cheaper, and all is well in every sound pair.
    shown = _NUMBER_OR_END.findall("\n".join(sentences))
    if shown == [part for number in numbers for part in (number, "\n")]:
        return ""
    for number, sentence in zip(numbers, sentences, strict=False):
        found = _NUMBER.findall(sentence)
        if number not in found or (only and len(found) > 1):
            return f"the sentence {sentence!r} does not say {number} and nothing else"
    return ""
