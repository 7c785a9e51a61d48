"""What is meant by things and people that sentences leave out, where there is no choice.

"Ana buys 3 more" counts what the text counts. "6 baskets", where each basket holds eggs, are
baskets of eggs. "How much milk?", where milk comes in liters, asks for the liters.

A pronoun is read where only one person can be meant: one has been named so far, or the sentence
before says the same pronoun of somebody. Names tell nobody's gender, so "Ana has 5. Ben has 3.
She buys 2." is not read: the text has to say who.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schoolmath.problems.logic import Entity, Question, Rate, Statement
from schoolmath.problems.reading.entities import (
    UNSAID,
    TextEntities,
    Utterance,
    people_of,
    things_of,
    with_people,
    with_things,
)
from schoolmath.problems.reading.sentences import NOBODY, Unclear
from schoolmath.problems.reading.shapes import lexicon
from schoolmath.text.figures import listed

_MOST_NESTED = 4
"""Containers in containers that are followed."""


def with_full_things(
    sentences: Sequence[Utterance], things: TextEntities
) -> list[Utterance | Unclear]:
    """The sentences with every thing in full, and why not where there is a choice."""
    filled: list[Utterance | Unclear] = list(sentences)
    rates = [index for index, said in enumerate(sentences) if _is_rate(said)]
    # A box of a first rate may be what a bag of the next one holds.
    for _ in range(_MOST_NESTED):
        completing = _Completing(filled, things)
        changed = False
        for index in rates:
            changed |= _complete(filled, index, completing)
            changed |= _follow(filled, index, sentences[index], rates)
        if not changed:
            break
    completing = _Completing(filled, things)
    for index in range(len(filled)):
        if index not in rates:
            _complete(filled, index, completing)
    completing = _Completing(filled, things)
    for index, said in enumerate(filled):
        if not isinstance(said, Unclear) and UNSAID in things_of(said):
            _complete(filled, index, completing, unsaid=True)
    return filled


def _complete(
    filled: list[Utterance | Unclear], index: int, completing: _Completing, *, unsaid: bool = False
) -> bool:
    said = filled[index]
    if isinstance(said, Unclear):
        return False
    try:
        filled[index] = with_things(said, completing.implied if unsaid else completing.full)
    except Unclear as unclear:
        filled[index] = unclear
    return filled[index] != said


def _follow(
    filled: list[Utterance | Unclear], index: int, first: Utterance, rates: Sequence[int]
) -> bool:
    """What a rate's containers hold, where that turned out to be containers themselves.

    Of keys in drawers in cupboards in rooms: the rooms' cupboards are of drawers until it is read
    that drawers are of keys.
    """
    said = filled[index]
    if isinstance(said, Unclear) or said == first:
        return False
    (entity,) = things_of(said)[:1]
    inner = {
        other.predicate.per
        for at in rates
        if at != index
        and isinstance(other := filled[at], Statement)
        and isinstance(other.predicate, Rate)
        and other.predicate.per.unit == entity.unit
    }
    if len(inner) != 1 or entity in inner:
        return False
    (held,) = inner
    filled[index] = with_things(said, lambda _: held)
    return True


def _is_rate(utterance: Utterance) -> bool:
    return isinstance(utterance, Statement) and isinstance(utterance.predicate, Rate)


class _Completing:
    """The things of a text that stand for shorter ones."""

    def __init__(self, sentences: Sequence[Utterance | Unclear], things: TextEntities) -> None:
        self._things = things
        self._named = list(
            dict.fromkeys(
                entity
                for said in sentences
                if not isinstance(said, Unclear)
                for entity in things_of(said)
                if entity.noun
            )
        )

    def full(self, entity: Entity) -> Entity:
        """The thing in full; `UNSAID` stays.

        Raises:
            Unclear: it could be one of several.
        """
        if entity == UNSAID:
            return entity
        unit = self._things.as_unit(entity)
        able = [each for each in self._named if each.unit == unit]
        if entity.noun and entity.unit:
            # "Liters of milk" where something is about each of them: the containers of that.
            return able[0] if len(able) == 1 else entity
        if len(able) == 1:
            self._things.forget(entity)
            return able[0]
        if len(able) > 1:
            raise Unclear(f"It does not say of what the {self._shown(entity)} are: add “of ...”.")
        if entity.attribute:
            return entity
        if not entity.noun:
            return self._things.noun_of_unit(entity)
        coins = [each for each in self._named if each.noun in lexicon().coins]
        if entity.noun == "money" and len(coins) == 1:
            return coins[0]
        if self._things.is_uncountable(entity):
            measured = [each for each in self._named if each.noun == entity.noun and each.unit]
            if len(measured) == 1:
                return measured[0]
            if measured:
                listed = " or ".join(self._shown(each) for each in measured)
                raise Unclear(f"It does not say in what measure ({listed}): add it.")
            self._things.count(entity)
        return entity

    def implied(self, entity: Entity) -> Entity:
        """What is meant where nothing is said.

        Raises:
            Unclear: the text counts several things.
        """
        if entity != UNSAID:
            return entity
        if not self._named:
            return self._things.thing()
        if len(self._named) > 1:
            listed = " or ".join(self._shown(each) for each in self._named[:4])
            raise Unclear(f"It does not say what is counted ({listed}): add the word.")
        return self._named[0]

    def _shown(self, entity: Entity) -> str:
        words = self._things.words((entity,))
        return words.write(entity, 2) if entity.noun else words.units[entity.unit].plural


class KnownPeople:
    """Everybody named in a text so far, in the order of the text."""

    __slots__ = ("_before", "_genders", "_lost", "_named")

    def __init__(self) -> None:
        self._named: dict[str, None] = {}
        self._genders: dict[str, str] = {}
        self._before: dict[str, str] = {}
        self._lost: dict[str, str] = {}

    def resolved(self, utterance: Utterance) -> Utterance:
        """The same with names in place of pronouns. Sentences come in the order of the text.

        Raises:
            Unclear: more than one person, or nobody, can be meant.
        """
        pronouns = lexicon().pronouns
        here = people_of(utterance)
        names = [name for name in here if name != NOBODY and name not in pronouns]
        for name in names:
            self._check_name(name)
        meant: dict[str, str] = {}
        try:
            for word in here:
                if word in pronouns:
                    meant[word] = self._meant(word, pronouns[word], {*names, *meant.values()})
            return (
                with_people(utterance, lambda name: meant.get(name, name)) if meant else utterance
            )
        except ValueError as error:
            raise Unclear(str(error)) from error
        finally:
            self._remember(names, {pronouns[word]: name for word, name in meant.items()})

    def _remember(self, names: Sequence[str], meant: dict[str, str]) -> None:
        for name in names:
            self._named[name] = None
            title = lexicon().titles.get(name.partition(" ")[0].lower(), "anybody")
            if title != "anybody":
                self._genders[name] = title
        for gender, name in meant.items():
            if gender in ("he", "she"):
                self._genders[name] = gender
        self._before = meant

    def _meant(self, word: str, gender: str, names: set[str]) -> str:
        if gender in self._lost:
            raise Unclear(self._lost[gender])
        again = self._before.get(gender)
        if again is not None and again not in names:
            return again
        able = [
            name
            for name in self._named
            if name not in names
            and (gender not in ("he", "she") or self._genders.get(name, gender) == gender)
        ]
        if len(able) == 1:
            return able[0]
        reason = f"It does not say who “{word}” is: write the name."
        if able:
            reason = f"“{word.capitalize()}” could be {listed(able, 'or')}: write the name."
        # Who it is later cannot be told either.
        self._lost[gender] = reason
        raise Unclear(reason)

    def _check_name(self, name: str) -> None:
        for other in self._named:
            if name == other or not (" " in name or " " in other):
                continue
            one, two = set(name.lower().split()), set(other.lower().split())
            if one < two or two < one:
                raise Unclear(f"“{name}” and “{other}” may be the same: write one name everywhere.")


def with_owners(sentences: Sequence[Utterance], people: Iterable[str]) -> list[Utterance | Unclear]:
    """The sentences with an owner where one is left out: "Each box holds 6 apples".

    Args:
        sentences: with names and with things.
        people: everybody in the text.
    """
    everybody = [name for name in dict.fromkeys(people) if name != NOBODY]
    found: list[Utterance | Unclear] = []
    for said in sentences:
        if NOBODY not in people_of(said):
            found.append(said)
            continue
        owners = everybody if len(everybody) == 1 else _owners(said, sentences)
        if len(owners) == 1:
            found.append(_of_owner(said, owners[0]))
        elif isinstance(said, Question):
            found.append(Unclear("It does not say whose they are: ask for one person by name."))
        else:
            found.append(Unclear("It does not say whose they are: write the name, as in “Ana's”."))
    return found


def _of_owner(utterance: Utterance, owner: str) -> Utterance:
    return with_people(utterance, lambda name: name or owner)


def _owners(utterance: Utterance, sentences: Sequence[Utterance]) -> list[str]:
    """Who has the containers, or the things that are packed, of a rate without an owner."""
    if not isinstance(utterance, Statement) or not isinstance(utterance.predicate, Rate):
        return []
    wanted: set[Entity] = {
        utterance.predicate.entity if utterance.dividing else utterance.predicate.per
    }
    owners: dict[str, None] = {}
    for other in sentences:
        if isinstance(other, Statement) and wanted.intersection(things_of(other)):
            owners.update(dict.fromkeys(name for name in people_of(other) if name != NOBODY))
    return list(owners)
