"""A problem that a person reads: what each number of it means, and what it asks.

    sheet = sheet_of(text)                  # its numbers and its question, with what is guessed
    sheet.places[0].guess                   # a `Meaning`, to be confirmed or changed
    found = read_by_hand(sheet, meanings)   # worked out; or what is missing, in sentences

The person says what; the software works it out, and believes it only where every number of the
text is used or declared to be irrelevant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from schoolmath.problems.logic import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    Container,
    Entity,
    Question,
    Transfer,
)
from schoolmath.problems.logic import Statement as Sentence
from schoolmath.problems.proposals.sheet import (
    Meaning,
    ProblemSheet,
    SheetPlace,
    taken_apart,
    tokens_of,
)
from schoolmath.problems.proposals.statements import (
    OF_TWO,
    AmountRelation,
    Proposal,
    ProposalError,
    ProposedStatement,
)
from schoolmath.problems.proposals.telling import (
    ProposalResult,
    key_of,
    sentences_of,
    statement_in_words,
    work_out,
)
from schoolmath.problems.reading import ReadText, read
from schoolmath.problems.reading.entities import people_of
from schoolmath.problems.stories import words
from schoolmath.problems.stories.amounts import Amount, StoryQuestion, Thing
from schoolmath.problems.stories.asking import ask
from schoolmath.problems.stories.facts import StoryFacts
from schoolmath.problems.stories.plain import plural_of
from schoolmath.problems.stories.strategies.terms import shown
from schoolmath.problems.stories.telling import tell
from schoolmath.problems.stories.understanding import answer
from schoolmath.problems.stories.words import StoryToken

_GOES = {
    "gain": AmountRelation.GETS, "make": AmountRelation.GETS, "come": AmountRelation.GETS,
    "put": AmountRelation.GETS,
    "take": AmountRelation.GETS, "loss": AmountRelation.LOSES, "leave": AmountRelation.LOSES,
    "give": AmountRelation.LOSES,
}  # fmt: skip
_NOBODY = frozenset({"they", "it", "we", "he", "she", "i", "you", "there", "them", "one", ""})


def names_of(text: str) -> tuple[str, ...]:
    """Everybody who is named in a text, as it writes them."""
    found: dict[str, None] = {}
    run: list[str] = []
    tokens = tokens_of(text)
    inside = {token.text for token in tokens if token.capital and not token.first}
    for token in [*tokens, None]:
        if token is not None and token.capital and _may_be_name(token, inside):
            run.append(token.text)
            continue
        if run:
            found[" ".join(run)] = None
        run = []
    for token in tokens:
        if token.word in words.KIN:
            found[token.word] = None
    return tuple(found)


def _may_be_name(token: StoryToken, inside: set[str]) -> bool:
    if token.text in inside:
        return token.word not in words.TIMES
    closed = any(token.word in group for group in words.classes().values())
    return not closed and not words.can_be_adjective(token.word) and token.text.isalpha()


def things_of(text: str) -> tuple[str, ...]:
    """Nouns in the plural that stand in a text."""
    return tuple(
        dict.fromkeys(
            token.word
            for token in tokens_of(text)
            if not token.number and not token.capital and _may_be_thing(token.word)
        )
    )


def _may_be_thing(word: str) -> bool:
    if not words.is_plural(word) or any(word in group for group in words.classes().values()):
        return False
    return words.verb_lemma(word) not in words.lexicon().verbs


class Guesser:
    """Guesses what the places of a text mean, from both readers' parts."""

    def __init__(self, text: str, pieces: Sequence[str], places: Sequence[SheetPlace]) -> None:
        self._places = places
        self._pieces = pieces
        self._names = {name.casefold(): name for name in names_of(text)}
        self._read = read(text)
        sentences = words.sentences_of(text)
        asking = [each for each in sentences if each.asks]
        self._told: StoryFacts = tell([each for each in sentences if each not in asking])
        self._asked: StoryQuestion | None = ask(sentences, self._told) if asking else None
        tokens = [token for sentence in sentences for token in sentence.tokens]
        numbers = [token for token in tokens if token.number]
        mine = [place for place in places if place.number is not None and not place.asks]
        exact = [place for place in mine if place.label.split()[0][0] in "0123456789$€£."]
        self._at: dict[int, Amount] = {}
        if len(exact) == len(numbers):
            by_token = {amount.at: amount for amount in self._told.amounts if amount.at >= 0}
            for place, token in zip(exact, numbers, strict=True):
                if token.index in by_token:
                    self._at[places.index(place)] = by_token[token.index]

    def places(self) -> Iterator[SheetPlace]:
        """The places with what is guessed of each."""
        guessed = [self._guessed(index, place) for index, place in enumerate(self._places)]
        told = [g.guess.statement for g in guessed if g.guess is not None and g.guess.statement]
        for place in guessed:
            if place.asks and place.guess is None:
                yield replace(place, guess=self._question(place, told))
            else:
                yield place

    def _guessed(self, index: int, place: SheetPlace) -> SheetPlace:
        piece = self._pieces[place.sentence]
        own = [each for each in self._places if each.sentence == place.sentence]
        said = [each.said for each in self._read.sentences if each.text in piece]
        # Who "they" are, and whose boxes, can hang on a sentence that is not read.
        named = (
            len(said) == 1
            and said[0] is not None
            and all(name in piece for name in people_of(said[0]))
        )
        pronouns = {token.word for token in tokens_of(piece)} & _NOBODY
        if named and not pronouns and len(own) == 1 and said[0] is not None:
            meaning = _from_sentence(said[0], place, self._read)
            if meaning is not None:
                return replace(place, guess=meaning, read=True)
        if place.asks or place.number is None:
            return place
        amount = self._at.get(index)
        if amount is None:
            return place
        meaning = Meaning(self._statement(amount, place.number, place.sentence))
        return replace(place, guess=meaning, verb=amount.verb)

    def _statement(self, amount: Amount, number: Fraction, sentence: int) -> ProposedStatement:
        who = self._who(amount)
        what = (self._thing(amount.thing),) if amount.thing.head else ()
        relation, whom = AmountRelation.HAS, ""
        if amount.compared:
            relation = (
                AmountRelation.TIMES
                if amount.times
                else AmountRelation.FEWER
                if amount.fewer
                else AmountRelation.MORE
            )
            whom = self._name(amount.than_owner)
        elif amount.per is not None or amount.generic is not None:
            container = amount.per or amount.generic
            assert container is not None
            relation, whom = AmountRelation.HOLDS, container.head
            who = self._owner_of(whom)
        elif amount.kind == "give" and amount.receiver and who:
            relation, whom = AmountRelation.GIVES, self._name(amount.receiver)
        elif amount.kind in _GOES and (amount.more or self._stated_before(amount)):
            relation = _GOES[amount.kind]
        return ProposedStatement(relation, who, what, number, whom=whom, sentence=sentence)

    def _owner_of(self, container: str) -> tuple[str, ...]:
        """Who has the containers of which each holds so many."""
        for each in self._told.amounts:
            if each.thing.head == container and each.owners:
                return self._who(each)
        return ()

    def _stated_before(self, amount: Amount) -> bool:
        return any(
            each.index < amount.index
            and each.thing.head == amount.thing.head
            and set(each.owners) & set(amount.owners) | (set() if amount.owners else {""})
            for each in self._told.amounts
        )

    def _who(self, amount: Amount) -> tuple[str, ...]:
        owners = [each for each in amount.owners if each not in _NOBODY]
        if owners:
            return (self._name(owners[0]),)
        places = {each.place for each in self._told.amounts if each.place}
        if len(places) > 1 and amount.place and not any(each.owners for each in self._told.amounts):
            return (" ".join(sorted(amount.place)),)
        return ()

    def _name(self, owner: str) -> str:
        return "" if owner in _NOBODY else self._names.get(owner, owner)

    def _thing(self, thing: Thing) -> str:
        """A thing in the plural; with its attributes where they tell it from another one."""
        kinds = {each.thing.mods for each in self._told.amounts if each.thing.head == thing.head}
        mods = sorted(thing.mods) if len(kinds) > 1 else []
        of = f" of {' '.join(sorted(thing.of))}" if thing.of else ""
        return " ".join([*mods, plural_of(thing.head)]) + of

    def _question(
        self, place: SheetPlace, statements: Sequence[ProposedStatement]
    ) -> Meaning | None:
        asked = self._asked
        if asked is None or asked.fault:
            return None
        who = tuple(self._name(each) for each in asked.owners if each not in _NOBODY)
        what = self._what_asked(asked, statements)
        if not what:
            return None

        def meant(relation: AmountRelation, whom: str = "", *, first: bool = False) -> Meaning:
            one = who if relation is AmountRelation.TOGETHER else who[:1]
            things = what if relation is AmountRelation.TOGETHER else what[:1]
            said = ProposedStatement(relation, one, things, None, True, whom, place.sentence)
            return Meaning(said, first)

        if asked.flags & {"start", "before"}:
            return meant(AmountRelation.HAS, first=True)
        if asked.than_owner or "difference" in asked.flags:
            fewer = AmountRelation.FEWER if "fewer" in asked.flags else AmountRelation.MORE
            return meant(fewer, self._name(asked.than_owner))
        if asked.per is not None or "each" in asked.flags:
            return meant(AmountRelation.HOLDS, asked.per.head if asked.per is not None else "")
        if len(what) > 1 or len(who) > 1:
            return meant(AmountRelation.TOGETHER)
        if "total" in asked.flags or {"they", "we"} & set(asked.owners):
            owners = tuple(
                dict.fromkeys(
                    [
                        *(each.who[0] for each in statements if each.who),
                        *(name for name in self._names.values() if name[0].isupper()),
                    ]
                )
            )
            if len(owners) > 1 and not who:
                return Meaning(
                    ProposedStatement(
                        AmountRelation.TOGETHER, owners, what, None, True, "", place.sentence
                    )
                )
        goes = _GOES.get(asked.kind)
        there = [
            each for each in statements if each.relation is AmountRelation.HAS and each.what == what
        ]
        if goes is AmountRelation.LOSES or (goes is AmountRelation.GETS and len(there) > 1):
            return meant(goes)
        return meant(AmountRelation.HAS)

    def _what_asked(
        self, question: StoryQuestion, statements: Sequence[ProposedStatement]
    ) -> tuple[str, ...]:
        """What is asked for, in the words in which it is told."""
        things = tuple(dict.fromkeys(each for said in statements for each in said.what))
        if not question.thing.head:
            return things[:1]
        named = [self._thing(each) for each in question.things or [question.thing]]
        if all(each in things for each in named):
            return tuple(named)
        head = plural_of(question.thing.head)
        alike = tuple(each for each in things if each.split(" of ")[0].endswith(head))
        if not question.thing.mods and alike:
            return alike
        return tuple(named)


def _from_sentence(sentence: object, place: SheetPlace, text: ReadText) -> Meaning | None:
    """What the reader of sentences reads, as a statement; None: it is none of one number."""

    def thing(entity: Entity) -> str:
        packed = entity.unit and text.words.units[entity.unit].container
        return text.words.units[entity.unit].plural if packed else text.words.write(entity, 2)

    if isinstance(sentence, Question) and place.asks:
        what = (thing(sentence.entity),)
        return Meaning(
            ProposedStatement(
                AmountRelation.HAS, (sentence.agent,), what, None, True, "", place.sentence
            )
        )
    if not isinstance(sentence, Sentence) or place.number is None:
        return None
    predicate = sentence.predicate
    number, what = place.number, (thing(predicate.entity),)

    def stated(relation: AmountRelation, who: str, whom: str = "") -> Meaning:
        return Meaning(
            ProposedStatement(relation, (who,), what, number, whom=whom, sentence=place.sentence)
        )

    if isinstance(predicate, Container):
        return stated(AmountRelation.HAS, predicate.agent)
    if isinstance(predicate, Transfer):
        if predicate.sender is None:
            return stated(AmountRelation.GETS, predicate.receiver or "")
        if predicate.receiver is None:
            return stated(AmountRelation.LOSES, predicate.sender)
        return stated(AmountRelation.GIVES, predicate.sender, predicate.receiver)
    if isinstance(predicate, Comparison):
        one, other = predicate.agent_a, predicate.agent_b
        if predicate.type is ComparisonType.MULTIPLICATIVE:
            if sentence.form is ComparisonForm.A_MORE:
                return stated(AmountRelation.TIMES, one, other)
            return None
        if sentence.form is ComparisonForm.A_MORE:
            return stated(AmountRelation.MORE, one, other)
        return stated(AmountRelation.FEWER, other, one)
    unit = text.words.units[predicate.per.unit].singular
    return stated(AmountRelation.HOLDS, predicate.agent, unit)


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
            f"Written again, it would be {shown(again.answer)}, and what you said gives "
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
        yield f"{where}explain it, or mark it as irrelevant."
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


def _worked(meanings: Sequence[Meaning]) -> tuple[Proposal, ProposalResult]:
    """What follows from the statements in the order of the text.

    What is asked is of the end, of the beginning, or, for a change, of the time between what there
    was and what there is now.
    """
    told = [each.statement for each in meanings if each.statement and not each.statement.asked]
    (asked, at_first), *_ = [
        (each.statement, each.at_first)
        for each in meanings
        if each.statement and each.statement.asked
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


def _about(question: ProposedStatement, statement: ProposedStatement) -> bool:
    who = {key_of(each) for each in (*(question.who or ("",)), *filter(None, [question.whom]))}
    return key_of(question.what[0]) == key_of(statement.what[0]) and bool(
        who & {key_of(each) for each in statement.who or ("",)}
    )


def _in_plain_words(error: str, statements: Sequence[ProposedStatement]) -> str:
    if "does not follow" not in error:
        return f"{error} Look at the names and things: the same one must be called the same."
    owners = [key_of(each.who[0]) if each.who else () for each in statements if not each.asked]
    things = {key_of(what) for each in statements for what in each.what}
    hint = ""
    if len(things) > 1:
        hint = " Is the same thing called by two names?"
    elif len(set(owners)) > 1:
        hint = " Is the same person named in two ways, or does somebody's amount lack?"
    return f"What is asked does not follow from what you said.{hint}"


def _unneeded(proposal: Proposal, result: ProposalResult) -> Iterator[ProposedStatement]:
    for index, each in enumerate(proposal.statements):
        if index not in result.used and not each.asked:
            yield each


def _doubts(proposal: Proposal, result: ProposalResult) -> Iterator[str]:
    for each in _unneeded(proposal, result):
        yield (
            f"“{statement_in_words(each)}” is not needed for the answer: say that it does not "
            "matter, or correct it."
        )
    if result.answer < 0:
        less = shown(result.answer)
        yield f"The answer would be {less}, less than none: something is turned round."
    whole = all(each.number is None or each.number.denominator == 1 for each in proposal.statements)
    if whole and result.answer.denominator != 1:
        yield f"The answer would be {result.answer}, which is no whole number: something is amiss."


def by_sentence(sheet: ProblemSheet) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Every sentence with the indices of its places; a sentence may have none."""
    found = {
        sentence: tuple(index for index, _ in group)
        for sentence, group in groupby(enumerate(sheet.places), key=lambda each: each[1].sentence)
    }
    for number, text in enumerate(sheet.sentences):
        yield text, found.get(number, ())
