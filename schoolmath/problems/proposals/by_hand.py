"""A problem that a person reads: what each number of it means, and what it asks.

    sheet = sheet_of(text)                  # its numbers and its question, with what is guessed
    sheet.places[0].guess                   # a `Meaning`, to be confirmed or changed
    found = read_by_hand(sheet, meanings)   # worked out; or what is missing, in sentences

The person says what; the software works it out, and believes it only where every number of the
text is used or declared to be irrelevant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from schoolmath.problems.proposals.guesses import Guesser, names_of, things_of
from schoolmath.problems.proposals.sheet import Meaning, ProblemSheet, SheetPlace, taken_apart
from schoolmath.problems.proposals.statements import (
    OF_TWO,
    AmountRelation,
    Proposal,
    ProposalError,
    ProposedStatement,
)
from schoolmath.problems.proposals.telling import sentences_of, statement_in_words
from schoolmath.problems.proposals.working import ProposalResult, key_of, work_out
from schoolmath.problems.reading import read
from schoolmath.problems.stories.answering import answer
from schoolmath.problems.stories.strategies.terms import shown


@dataclass(frozen=True, slots=True)
class ByHand:
    """What came of a reading by hand.

    Attributes:
        answer: None where something is missing or contradictory.
        steps: the equations that lead to it.
        told: what was said of the text, a plain sentence for every statement and the question.
        plain: the problem in plain sentences that the readers read by themselves, with the same
            answer, so that pairs can be made of it; None where they don't.
        missing: what is missing or contradictory, as sentences; empty where there is an answer.
        unneeded: indices of the places that the answer does not need, though somebody has them mean
            something: declaring them to be irrelevant may be all that is missing.
    """

    answer: Fraction | None
    steps: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    plain: str | None = None
    missing: tuple[str, ...] = ()
    unneeded: tuple[int, ...] = ()


def sheet_of(text: str) -> ProblemSheet:
    """A text taken apart for somebody who reads it by hand.

    Args:
        text: anything. Where it has no question the last sentence is taken for it.
    """
    pieces, places = taken_apart(text)
    guesser = Guesser(text, pieces, places)
    guessed = tuple(guesser.places())
    names = tuple(dict.fromkeys((*names_of(text), *_mentioned(guessed, "who"))))
    things = tuple(dict.fromkeys((*_mentioned(guessed, "what"), *things_of(text))))
    return ProblemSheet(pieces, guessed, names, things)


def _mentioned(places: Iterable[SheetPlace], part: str) -> Iterator[str]:
    for place in places:
        if place.guess is not None and place.guess.statement is not None:
            said = place.guess.statement
            yield from getattr(said, part)
            if part == "who" and said.whom and said.relation is not AmountRelation.HOLDS:
                yield said.whom


def read_by_hand(
    sheet: ProblemSheet, meanings: Sequence[Meaning | None], *, told_again: bool = True
) -> ByHand:
    """Works out a problem from what a person says of its numbers and its question.

    Args:
        sheet: what `sheet_of` gave.
        meanings: one for each of its places, in their order; None: not said yet.
        told_again: whether it is written in plain sentences and read again. Without it there is
            one check less, and no `ByHand.plain`: for whoever tries many meanings.
    """
    missing = tuple(_incomplete(sheet, meanings))
    if missing:
        return ByHand(None, missing=missing)
    said = [each for each in meanings if each is not None]
    told = [each.statement for each in said if each.statement is not None]
    words = tuple(statement_in_words(each) for each in told if not each.asked)
    try:
        proposal, worked = _worked(said)
        words += (sentences_of(proposal, only=frozenset()),)
    except ProposalError as error:
        return ByHand(None, told=words, missing=(_in_plain_words(str(error), told),))
    missing = tuple(_doubts(proposal, worked))
    if missing:
        idle = {id(each) for each in _unneeded(proposal, worked)}
        unneeded = tuple(
            index
            for index, each in enumerate(meanings)
            if each is not None and id(each.statement) in idle
        )
        return ByHand(None, told=words, missing=missing, unneeded=unneeded)
    if not told_again:
        return ByHand(worked.answer, worked.steps, words)
    text = sentences_of(proposal)
    again = answer(text)
    if again.answer is not None and again.answer != worked.answer:
        reason = (
            f"Told again, it would be {shown(again.answer)}, and what you said gives "
            f"{shown(worked.answer)}: one of the names or things may stand for two."
        )
        return ByHand(None, told=words, missing=(reason,))
    solution = read(text).solution
    alike = solution is not None and solution.answer == worked.answer
    return ByHand(worked.answer, worked.steps, words, text if alike else None)


def _incomplete(sheet: ProblemSheet, meanings: Sequence[Meaning | None]) -> Iterator[str]:
    if len(meanings) != len(sheet.places):
        raise ValueError("Every place of the sheet needs a meaning, or None.")
    for place, meaning in zip(sheet.places, meanings, strict=True):
        yield from _of_place(place, meaning)
    if not any(each.asks for each in sheet.places):
        yield "The text asks nothing: add a question."


def _of_place(place: SheetPlace, meaning: Meaning | None) -> Iterator[str]:
    where = f"Sentence {place.sentence + 1}, “{place.label}”: "
    if meaning is None:
        yield f"{where}say what it means, or that it does not matter."
        return
    said = meaning.statement
    if place.asks and said is None:
        yield f"Sentence {place.sentence + 1}: say what is asked."
        return
    if said is None:
        return
    if place.number is None and not place.asks:
        yield f"{where}this is no number to work with: write it as one, such as 1/2 or 12."
        return
    if not place.asks and said.number != place.number:
        yield f"{where}the number is {shown(place.number or Fraction(0))} in the text."
    if not said.what or not all(each.strip() for each in said.what):
        yield f"{where}say of what."
    several = said.relation is AmountRelation.TOGETHER
    if several and len(said.who) < 2 and len(said.what) < 2:
        yield f"{where}“together” needs two people, or two things."
    if not several and (len(said.who) > 1 or len(said.what) > 1):
        yield f"{where}choose one person and one thing."
    if said.relation in OF_TWO:
        if not said.who or not said.whom:
            yield f"{where}two people are needed: choose both."
        elif key_of(said.who[0]) == key_of(said.whom):
            yield f"{where}two different people are needed."
    if said.relation is AmountRelation.HOLDS and not said.whom:
        yield f"{where}say in each of what."


def _worked(said: Sequence[Meaning]) -> tuple[Proposal, ProposalResult]:
    """What follows from the statements in the order of the text.

    What is asked is of the end, of the beginning, or, for a change, of the time between what there
    was and what there is now.
    """
    told = [each.statement for each in said if each.statement and not each.statement.asked]
    (asked, at_first), *_ = [
        (each.statement, each.at_first) for each in said if each.statement and each.statement.asked
    ]
    proposal = Proposal(tuple([asked, *told] if at_first else [*told, asked]))
    changes = asked.relation in {AmountRelation.GETS, AmountRelation.LOSES, AmountRelation.GIVES}
    if changes and not at_first:
        mine = [
            index
            for index, each in enumerate(told)
            if each.relation in {AmountRelation.HAS, AmountRelation.TOGETHER}
            and _about(asked, each)
        ]
        if len(mine) > 1:
            between = [*told[: mine[-1]], asked, *told[mine[-1] :]]
            proposal = Proposal(tuple(between))
    return proposal, work_out(proposal)


def _about(asked: ProposedStatement, told: ProposedStatement) -> bool:
    who = {key_of(each) for each in (*(asked.who or ("",)), *filter(None, [asked.whom]))}
    return key_of(asked.what[0]) == key_of(told.what[0]) and bool(
        who & {key_of(each) for each in told.who or ("",)}
    )


def _in_plain_words(error: str, told: Sequence[ProposedStatement]) -> str:
    if "does not follow" not in error:
        return f"{error} Look at the names and things: the same one must be called the same."
    owners = [key_of(each.who[0]) if each.who else () for each in told if not each.asked]
    things = {key_of(what) for each in told for what in each.what}
    hint = ""
    if len(things) > 1:
        hint = " Is the same thing called by two names?"
    elif len(set(owners)) > 1:
        hint = " Is the same person named in two ways, or does somebody's amount lack?"
    return f"What is asked does not follow from what you said.{hint}"


def _unneeded(proposal: Proposal, worked: ProposalResult) -> Iterator[ProposedStatement]:
    for index, each in enumerate(proposal.statements):
        if index not in worked.used and not each.asked:
            yield each


def _doubts(proposal: Proposal, worked: ProposalResult) -> Iterator[str]:
    for each in _unneeded(proposal, worked):
        yield (
            f"“{statement_in_words(each)}” is not needed for the answer: say that it does not "
            "matter, or correct it."
        )
    if worked.answer < 0:
        less = shown(worked.answer)
        yield f"The answer would be {less}, less than none: something is turned round."
    whole = all(each.number is None or each.number.denominator == 1 for each in proposal.statements)
    if whole and worked.answer.denominator != 1:
        yield f"The answer would be {worked.answer}, which is no whole number: something is amiss."


def by_sentence(sheet: ProblemSheet) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Every sentence with the indices of its places; a sentence may have none."""
    found = {
        sentence: tuple(index for index, _ in group)
        for sentence, group in groupby(enumerate(sheet.places), key=lambda each: each[1].sentence)
    }
    for number, text in enumerate(sheet.sentences):
        yield text, found.get(number, ())
