"""What a treatment is: one feature of a problem that a pair's members differ in, and no other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from biaslab.problems import Draws, Problem, Solution, Vocabulary
from biaslab.problems.chains import ChainPlan
from biaslab.problems.quantities import NumberRange
from biaslab.studies.expectations import Expectation
from biaslab.studies.study import Arms
from biaslab.studies.word_problems.features import Feature, Features


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
    def changes(self) -> frozenset[Feature]:
        """The features that may differ, those included that follow by necessity."""
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
