"""A proposal worked out by exact equations, and told again in sentences that the readers read.

Every amount of somebody has a value at every moment of the story; a statement is an equation
between such values. What follows is worked out one equation after the other, each with one unknown.
What does not follow, or follows in two ways that differ, is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce

from schoolmath.problems.proposals.statements import (
    AmountRelation,
    Proposal,
    ProposalError,
    ProposedStatement,
)
from schoolmath.problems.stories.plain import plural_of
from schoolmath.problems.stories.strategies.terms import Term
from schoolmath.problems.stories.words import noun_lemma


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

    def _tell(self, index: int, statement: ProposedStatement) -> None:
        number = self._number(index, statement)
        who = key_of(statement.who[0]) if statement.who else ()
        what = key_of(statement.what[0])
        whom = key_of(statement.whom)

        def equal(whole: int, *parts: int, sign: str = "+") -> None:
            self.equations.append(_Equation(index, whole, parts, sign))

        match statement.relation:
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
                owners = [key_of(each) for each in statement.who] or [()]
                things = [key_of(each) for each in statement.what]
                equal(number, *(self._amount(one, thing) for one in owners for thing in things))

    def _number(self, index: int, statement: ProposedStatement) -> int:
        term = None if statement.number is None else Term(statement.number, frozenset({index}))
        found = self._new(term)
        if statement.asked:
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


_SOMEBODY = "the person"
_CHANGES = frozenset({AmountRelation.GETS, AmountRelation.LOSES, AmountRelation.GIVES})


def sentences_of(proposal: Proposal, *, only: frozenset[int] | None = None) -> str:
    """The proposal's problem in short sentences, the question last.

    Args:
        proposal: any.
        only: indices of the statements that are told; None: all. The question always is.
    """
    told = [
        _stated(proposal, index)
        for index in range(len(proposal.statements))
        if _is_stated(proposal, index, only)
    ]
    return " ".join(_capital(each) for each in [*told, _question(proposal)])


def written_statements(
    proposal: Proposal, *, only: frozenset[int] | None = None
) -> list[ProposedStatement]:
    """The statements in the order of the sentences that `sentences_of` writes.

    Args:
        proposal: any.
        only: as for `sentences_of`.
    """
    told = [
        replace(each, asked=False)
        for index, each in enumerate(proposal.statements)
        if _is_stated(proposal, index, only)
    ]
    return [*told, proposal.asked]


def _is_stated(proposal: Proposal, index: int, only: frozenset[int] | None) -> bool:
    wanted = only is None or index in only or proposal.statements[index].asked
    return wanted and bool(_stated(proposal, index))


def statement_in_words(statement: ProposedStatement) -> str:
    """One statement as a sentence; a number that is asked for is “how many”."""
    number = "how many" if statement.asked else "some" if statement.number is None else None
    return _capital(_sentence(statement, number))


def _stated(proposal: Proposal, index: int) -> str:
    said = proposal.statements[index]
    if not said.asked:
        if said.number is None and said.relation not in _CHANGES | {AmountRelation.HAS}:
            return ""
        later = said.relation is AmountRelation.HAS and _changed(proposal, said, slice(0, index))
        return _sentence(said, "some" if said.number is None else None, now=later)
    if said.relation in _CHANGES:
        return _sentence(said, "some")
    if said.relation is AmountRelation.HAS and _changed(proposal, said, slice(index, None)):
        # Asked is what there was at first.
        return _sentence(said, "some")
    return ""


def _changed(proposal: Proposal, statement: ProposedStatement, where: slice) -> bool:
    """Whether something comes to, or goes from, what a statement is about."""
    keys = {key_of(each) for each in (*statement.who, statement.whom)}
    return any(
        each.relation in _CHANGES
        and key_of(each.what[0]) in {key_of(what) for what in statement.what}
        and keys & {key_of(name) for name in (*(each.who or ("",)), each.whom)}
        for each in proposal.statements[where]
    )


def _sentence(statement: ProposedStatement, number: str | None, *, now: bool = False) -> str:
    who = _who(statement.who[0] if statement.who else "")
    whom = _who(statement.whom)
    value = statement.number if number is None else None
    shown = (
        _shown(statement.number)
        if number is None and statement.number is not None
        else number or "some"
    )
    what = _what(statement.what[0], value)
    many = _what(statement.what[0], None)
    match statement.relation:
        case AmountRelation.HAS:
            return f"{who} {'now ' if now else ''}has {shown} {what}."
        case AmountRelation.GETS:
            return f"{who} gets {shown} {'more ' if value is None else ''}{what}."
        case AmountRelation.LOSES:
            return f"{who} loses {shown} {what}."
        case AmountRelation.GIVES:
            return f"{who} gives {shown} {what} to {whom}."
        case AmountRelation.MORE:
            return f"{who} has {shown} more {what} than {whom}."
        case AmountRelation.FEWER:
            return f"{who} has {shown} fewer {what} than {whom}."
        case AmountRelation.TIMES:
            return f"{who} has {shown} times as many {many} as {whom}."
        case AmountRelation.HOLDS:
            return f"each {_one(statement.whom)} holds {shown} {what}."
        case AmountRelation.TOGETHER:
            everybody, things = _all(statement.who, _who), _all(statement.what, _plural)
            return f"{everybody} have {shown} {things} together."


def _question(proposal: Proposal) -> str:
    said = proposal.asked
    index = proposal.statements.index(said)
    who = _who(said.who[0] if said.who else "")
    what = _what(said.what[0], None)
    match said.relation:
        case AmountRelation.HAS if _changed(proposal, said, slice(index, None)):
            return f"How many {what} did {who} have at first?"
        case AmountRelation.HAS:
            now = " now" if _changed(proposal, said, slice(0, index)) else ""
            return f"How many {what} does {who} have{now}?"
        case AmountRelation.GETS:
            return f"How many {what} does {who} get?"
        case AmountRelation.LOSES:
            return f"How many {what} does {who} lose?"
        case AmountRelation.GIVES:
            return f"How many {what} does {who} give to {_who(said.whom)}?"
        case AmountRelation.MORE | AmountRelation.FEWER:
            return f"How many {said.relation} {what} does {who} have than {_who(said.whom)}?"
        case AmountRelation.TIMES:
            return f"How many times as many {what} as {_who(said.whom)} does {who} have?"
        case AmountRelation.HOLDS:
            return f"How many {what} does each {_one(said.whom)} hold?"
        case AmountRelation.TOGETHER:
            things = _all(said.what, _plural)
            owners = _all(said.who, _who) if said.who else _SOMEBODY
            does = "do" if len(said.who) > 1 else "does"
            return f"How many {things} {does} {owners} have altogether?"


def _all(words: tuple[str, ...], write: Callable[[str], str]) -> str:
    found = [write(each) for each in words]
    return " and ".join(filter(None, [", ".join(found[:-1]), found[-1]])) if found else _SOMEBODY


def _who(name: str) -> str:
    """A name as it is, anything else with an article."""
    if not name:
        return _SOMEBODY
    bare = " ".join(_bare(name))
    return bare if bare[0].isupper() else f"the {bare}"


def _plural(thing: str) -> str:
    return _what(thing, None)


def _what(thing: str, value: Fraction | None) -> str:
    """A thing in the plural, or in the singular for one of it."""
    head, of, rest = " ".join(_bare(thing)).partition(" of ")
    *before, noun = head.split()
    form = noun_lemma(noun) if value == 1 else plural_of(noun_lemma(noun))
    return " ".join([*before, form]) + of + rest


def _one(thing: str) -> str:
    return " ".join([*_bare(thing)[:-1], noun_lemma(_bare(thing)[-1])])


def _bare(words: str) -> list[str]:
    found = [each for each in words.split() if each.casefold() not in {"a", "an", "the"}]
    return found or [words]


def _shown(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    decimal = f"{float(value):.10g}"
    return decimal if Fraction(decimal) == value else str(value)


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def lines_of(proposal: Proposal) -> Iterator[str]:
    """Every statement in words, in order."""
    return (statement_in_words(each) for each in proposal.statements)
