"""What is meant by things that sentences leave out or shorten, where there is no choice.

"Ana buys 3 more" counts what the text counts. "6 baskets", where each basket holds eggs, are
baskets of eggs. "How much milk?", where milk comes in liters, asks for the liters.
"""

from __future__ import annotations

from collections.abc import Sequence

from schoolmath.problems.logic import Entity, Rate, Statement
from schoolmath.problems.reading.entities import UNSAID, TextEntities
from schoolmath.problems.reading.sentences import Unclear
from schoolmath.problems.reading.utterances import Utterance, things_of, with_things
from schoolmath.problems.reading.words import lexicon

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


def _is_rate(said: Utterance) -> bool:
    return isinstance(said, Statement) and isinstance(said.predicate, Rate)


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
        if entity == UNSAID or (entity.noun and entity.unit):
            return entity
        unit = self._things.as_unit(entity)
        able = [each for each in self._named if each.unit == unit]
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
