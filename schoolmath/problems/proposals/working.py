"""From the statements of a proposal to the number that is asked for, by exact equations.

Every amount of somebody has a value at every moment of the story; a statement is an equation
between such values. What follows is worked out one equation after the other, each with one unknown.
What does not follow, or follows in two ways that differ, is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from schoolmath.problems.proposals.statements import (
    AmountRelation,
    Proposal,
    ProposalError,
    ProposedStatement,
)
from schoolmath.problems.stories.grammar.words import noun_lemma
from schoolmath.problems.stories.strategies.terms import Term


@dataclass(frozen=True, slots=True)
class ProposalResult:
    """What follows from a proposal.

    Attributes:
        answer: the number that is asked for.
        steps: the equations that lead to it.
        used: indices of the statements that it follows from.
        operations: the signs of the steps.
    """

    answer: Fraction
    steps: tuple[str, ...]
    used: frozenset[int]
    operations: frozenset[str]


_ARTICLES = frozenset({"a", "an", "the"})


def key_of(words: str) -> tuple[str, ...]:
    """A name or thing without articles, in the singular and in lower case: what makes it one."""
    found = [each for each in words.casefold().split() if each not in _ARTICLES]
    return tuple(noun_lemma(each) for each in found)


def work_out(proposal: Proposal) -> ProposalResult:
    """The number that a proposal's problem asks for.

    Raises:
        ProposalError: it does not follow, two statements contradict each other, or something is
            divided by nothing.
    """
    story = _Equations(proposal)
    term = story.solved()
    if term is None:
        raise ProposalError("The number that is asked for does not follow from the statements.")
    return ProposalResult(term.value, tuple(dict.fromkeys(term.steps)), term.used, term.operations)


@dataclass(frozen=True, slots=True)
class _Equation:
    """`whole` is made of the parts: all of them added, or two multiplied."""

    statement: int
    whole: int
    parts: tuple[int, ...]
    sign: str


class _Equations:
    """The equations between the values of a story; a value is known by its place in a list."""

    def __init__(self, proposal: Proposal) -> None:
        self.known: list[Term | None] = []
        self.now: dict[tuple[tuple[str, ...], tuple[str, ...]], int] = {}
        self.equations: list[_Equation] = []
        self.asked = -1
        for index, statement in enumerate(proposal.statements):
            self._tell(index, statement)

    def _tell(self, index: int, said: ProposedStatement) -> None:
        number = self._number(index, said)
        who = key_of(said.who[0]) if said.who else ()
        what = key_of(said.what[0])
        whom = key_of(said.whom)

        def equal(whole: int, *parts: int, sign: str = "+") -> None:
            self.equations.append(_Equation(index, whole, parts, sign))

        match said.relation:
            case AmountRelation.HAS:
                equal(self._amount(who, what), number)
            case AmountRelation.GETS:
                before = self._amount(who, what)
                equal(self._changed(who, what), before, number)
            case AmountRelation.LOSES:
                before = self._amount(who, what)
                equal(before, self._changed(who, what), number)
            case AmountRelation.GIVES:
                before = self._amount(who, what)
                equal(before, self._changed(who, what), number)
                before = self._amount(whom, what)
                equal(self._changed(whom, what), before, number)
            case AmountRelation.MORE:
                equal(self._amount(who, what), self._amount(whom, what), number)
            case AmountRelation.FEWER:
                equal(self._amount(whom, what), self._amount(who, what), number)
            case AmountRelation.TIMES:
                equal(self._amount(who, what), self._amount(whom, what), number, sign="*")
            case AmountRelation.HOLDS:
                equal(self._amount(who, what), self._amount(who, whom), number, sign="*")
            case AmountRelation.TOGETHER:
                owners = [key_of(each) for each in said.who] or [()]
                things = [key_of(each) for each in said.what]
                equal(number, *(self._amount(one, thing) for one in owners for thing in things))

    def _number(self, index: int, said: ProposedStatement) -> int:
        term = None if said.number is None else Term(said.number, frozenset({index}))
        found = self._new(term)
        if said.asked:
            self.asked = found
        return found

    def _new(self, term: Term | None = None) -> int:
        self.known.append(term)
        return len(self.known) - 1

    def _amount(self, who: tuple[str, ...], what: tuple[str, ...]) -> int:
        if (who, what) not in self.now:
            self.now[who, what] = self._new()
        return self.now[who, what]

    def _changed(self, who: tuple[str, ...], what: tuple[str, ...]) -> int:
        self.now[who, what] = self._new()
        return self.now[who, what]

    def solved(self) -> Term | None:
        """The number that is asked for, after everything that follows was worked out."""
        waiting = list(self.equations)
        while True:
            ready = [each for each in waiting if len(list(self._unknown(each))) <= 1]
            if not ready:
                return self.known[self.asked]
            waiting = [each for each in waiting if each not in ready]
            for each in ready:
                self._work(each)

    def _unknown(self, equation: _Equation) -> Iterator[int]:
        return (each for each in (equation.whole, *equation.parts) if self.known[each] is None)

    def _work(self, equation: _Equation) -> None:
        unknown = list(self._unknown(equation))
        if not unknown:
            whole = self._made(equation.parts, equation)
            known = self.known[equation.whole]
            assert known is not None
            if whole.value != known.value:
                raise ProposalError(
                    f"Statement {equation.statement + 1} contradicts the others: "
                    f"{whole.value} is not {known.value}."
                )
            return
        if unknown[0] == equation.whole:
            self.known[equation.whole] = self._made(equation.parts, equation)
            return
        others = tuple(each for each in equation.parts if each != unknown[0])
        known = self.known[equation.whole]
        assert known is not None
        if others:
            rest = self._made(others, equation)
            inverse = {"+": "-", "*": "/"}[equation.sign]
            if inverse == "/" and rest.value == 0:
                raise ProposalError(f"Statement {equation.statement + 1} divides by nothing.")
            known = known.combined(inverse, rest)
        self.known[unknown[0]] = _by(known, equation.statement)

    def _made(self, parts: tuple[int, ...], equation: _Equation) -> Term:
        terms = [term for each in parts if (term := self.known[each]) is not None]
        made = reduce(lambda left, right: left.combined(equation.sign, right), terms)
        return _by(made, equation.statement)


def _by(term: Term, statement: int) -> Term:
    """The term with the statement that licenses it; nothing is less than none."""
    if term.value < 0:
        raise ProposalError(f"With statement {statement + 1} something would be less than none.")
    return Term(term.value, term.used | {statement}, term.steps, term.operations)
