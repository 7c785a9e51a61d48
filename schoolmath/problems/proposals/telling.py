"""A proposal told again in plain sentences, which the readers read by themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from schoolmath.problems.proposals.statements import AmountRelation, Proposal, ProposedStatement
from schoolmath.problems.proposals.working import key_of
from schoolmath.problems.stories.grammar.words import noun_lemma
from schoolmath.problems.stories.plain import plural_of

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


def _changed(proposal: Proposal, said: ProposedStatement, where: slice) -> bool:
    """Whether something comes to, or goes from, what a statement is about."""
    keys = {key_of(each) for each in (*said.who, said.whom)}
    return any(
        each.relation in _CHANGES
        and key_of(each.what[0]) in {key_of(what) for what in said.what}
        and keys & {key_of(name) for name in (*(each.who or ("",)), each.whom)}
        for each in proposal.statements[where]
    )


def _sentence(said: ProposedStatement, number: str | None, *, now: bool = False) -> str:
    who = _who(said.who[0] if said.who else "")
    whom = _who(said.whom)
    value = said.number if number is None else None
    shown = _shown(said.number) if number is None and said.number is not None else number or "some"
    what = _what(said.what[0], value)
    many = _what(said.what[0], None)
    match said.relation:
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
            return f"each {_one(said.whom)} holds {shown} {what}."
        case AmountRelation.TOGETHER:
            return f"{_all(said.who, _who)} have {shown} {_all(said.what, _plural)} together."


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


def _all(words: tuple[str, ...], shown: Callable[[str], str]) -> str:
    found = [shown(each) for each in words]
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
