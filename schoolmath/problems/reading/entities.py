"""What a sentence can say, and what a noun phrase counts: "boxes of red apples", "liters".

The words of the vocabulary are looked up. A noun that is not among them is the text's own: it is
kept as the text writes it, and added to the vocabulary with which the text is written again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from schoolmath.problems.logic import (
    Comparison,
    Container,
    Entity,
    Question,
    Rate,
    Statement,
    Transfer,
)
from schoolmath.problems.vocabulary import Noun, Unit, Vocabulary, remembered, vocabulary
from schoolmath.text.plurals import many_of, one_of, singular_of


class Times(StrEnum):
    """What "3 times more than" and "3 times fewer than" mean in a text."""

    UNSETTLED = "unsettled"
    """It cannot be told, so such a sentence is not read."""
    AS_MANY = "as many"
    """3 times as many, and a third: so this lab wrote, and the released data read it."""
    ON_TOP = "on top"
    """3 times as many on top, which is 4 times as many, and a quarter."""


@dataclass(frozen=True, slots=True)
class Some:
    """Somebody has an amount that is not told."""

    agent: str
    entity: Entity


@dataclass(frozen=True, slots=True)
class AtTheEnd:
    """What somebody has after everything told so far: "Ana now has 12 apples"."""

    agent: str
    quantity: int
    entity: Entity


@dataclass(frozen=True, slots=True)
class Altogether:
    """What two people have together."""

    agents: tuple[str, str]
    quantity: int
    entity: Entity


@dataclass(frozen=True, slots=True)
class AskedAtFirst:
    """Asks how much somebody had before everything."""

    agent: str
    entity: Entity


Utterance: TypeAlias = Statement | Question | Some | AtTheEnd | Altogether | AskedAtFirst


def people_of(utterance: Utterance) -> tuple[str, ...]:
    """Everybody a sentence is about, its subject first; a rate may leave its owner out."""
    if isinstance(utterance, Altogether):
        return utterance.agents
    if not isinstance(utterance, Statement):
        return (utterance.agent,)
    predicate = utterance.predicate
    if isinstance(predicate, Transfer):
        return tuple(name for name in (predicate.sender, predicate.receiver) if name is not None)
    if isinstance(predicate, Comparison):
        return (predicate.agent_a, predicate.agent_b)
    return (predicate.agent,)


def things_of(utterance: Utterance) -> tuple[Entity, ...]:
    """What a sentence counts."""
    if isinstance(utterance, Statement):
        predicate = utterance.predicate
        if isinstance(predicate, Rate):
            return (predicate.entity, predicate.per)
        return (predicate.entity,)
    return (utterance.entity,)


def with_people(utterance: Utterance, who: Callable[[str], str]) -> Utterance:
    """The same of other people.

    Raises:
        ValueError: somebody would give something to themselves.
    """
    if isinstance(utterance, Altogether):
        return replace(utterance, agents=(who(utterance.agents[0]), who(utterance.agents[1])))
    if not isinstance(utterance, Statement):
        return replace(utterance, agent=who(utterance.agent))
    predicate = utterance.predicate
    if isinstance(predicate, Transfer):
        receiver = None if predicate.receiver is None else who(predicate.receiver)
        sender = None if predicate.sender is None else who(predicate.sender)
        return replace(utterance, predicate=replace(predicate, receiver=receiver, sender=sender))
    if isinstance(predicate, Comparison):
        first, second = who(predicate.agent_a), who(predicate.agent_b)
        return replace(utterance, predicate=replace(predicate, agent_a=first, agent_b=second))
    return replace(utterance, predicate=replace(predicate, agent=who(predicate.agent)))


def with_things(utterance: Utterance, what: Callable[[Entity], Entity]) -> Utterance:
    """The same of other things; a rate's containers hold the new ones."""
    if not isinstance(utterance, Statement):
        return replace(utterance, entity=what(utterance.entity))
    predicate = utterance.predicate
    entity = what(predicate.entity)
    if isinstance(predicate, Rate):
        per = entity._replace(unit=predicate.per.unit)
        return replace(utterance, predicate=replace(predicate, entity=entity, per=per))
    return replace(utterance, predicate=replace(predicate, entity=entity))


def container_of(ending: AtTheEnd) -> Statement:
    """What somebody has at the end, as a statement."""
    return Statement(Container(ending.agent, ending.quantity, ending.entity))


UNSAID = Entity("")
"""A thing that a sentence does not name: "Ana buys 3 more"."""

TOPIC_OF_TEXT = "own"
"""Topic of a noun that comes from the text."""


class WordIndex:
    """How the words of a vocabulary are found from a text.

    Attributes:
        nouns: identifier of the noun for its singular and its plural.
        units: identifier of the unit for its singular and its plural.
        attributes: adjectives.
        uncountable: identifiers of nouns that need a measure.
    """

    __slots__ = ("attributes", "nouns", "uncountable", "units")

    def __init__(self, words: Vocabulary) -> None:
        self.nouns: dict[str, str] = {}
        self.units: dict[str, str] = {}
        for noun in words.nouns.values():
            self.nouns[noun.plural.lower()] = self.nouns[noun.singular.lower()] = noun.id
        for unit in words.units.values():
            self.units[unit.plural.lower()] = self.units[unit.singular.lower()] = unit.id
        self.attributes = frozenset(words.attributes)
        self.uncountable = frozenset(n.id for n in words.nouns.values() if not n.countable)

    def find(self, words: Sequence[str]) -> Entity | None:
        """The thing of a noun phrase of this vocabulary, or None.

        Args:
            words: in lower case.
        """
        unit = ""
        if len(words) > 2 and "of" in words:
            of = words.index("of")
            found = self.units.get(" ".join(words[:of]))
            if found is None:
                return None
            unit, words = found, words[of + 1 :]
        noun = self.nouns.get(words[0] if len(words) == 1 else " ".join(words))
        if noun is not None:
            return Entity(noun, "", unit)
        if len(words) > 1 and words[0] in self.attributes:
            noun = self.nouns.get(words[1] if len(words) == 2 else " ".join(words[1:]))
            if noun is not None:
                return Entity(noun, words[0], unit)
        return None


@remembered
def _in_use() -> WordIndex:
    return WordIndex(vocabulary())


@dataclass(slots=True)
class _Forms:
    """How the text writes a word of its own."""

    singular: str = ""
    plural: str = ""
    counted: bool = False
    numbered: bool = False
    """Whether a number stands before it: then it needs no measure."""


class TextEntities:
    """The things of one text, and the words that are its own.

    Args:
        words: the vocabulary to look them up in; None: the one in use.
        times: what "3 times more" means in the text.

    Attributes:
        exact: whether every sentence so far is one of this lab's, word for word, so that
            nothing is left unsaid in any of them.
        settled_times: whether what a sentence says hung on ``times``.
    """

    __slots__ = (
        "_base",
        "_forgotten",
        "_index",
        "_measures",
        "_nouns",
        "_units",
        "exact",
        "settled_times",
        "times",
    )  # fmt: skip

    def __init__(self, words: Vocabulary | None = None, times: Times = Times.UNSETTLED) -> None:
        self.times = times
        self.settled_times = False
        self._base = words or vocabulary()
        self._forgotten: dict[str, _Forms] = {}
        self._index = _in_use() if words is None or words is vocabulary() else WordIndex(words)
        self._nouns: dict[str, _Forms] = {}
        self._units: dict[str, _Forms] = {}
        self._measures: dict[str, list[str]] = {}
        self.exact = True

    def entity(self, raw: Sequence[str], quantity: int | None) -> Entity:
        """What a noun phrase counts.

        A measure alone ("5 liters") is an entity with a unit and no noun.

        Args:
            raw: its words as the text writes them.
            quantity: the number before it; 1 means that it stands in the singular, None that
                there is no number.
        """
        lower = [word.lower() for word in raw]
        found = self._index.find(lower)
        if found is not None:
            if not found.unit and found.noun in self._index.uncountable:
                self.exact = False
            return found
        self.exact = False
        if "of" in lower[1:-1]:
            of = lower.index("of", 1)
            unit = self.unit(raw[:of], 2 if quantity is None else quantity)
            held = self._held(raw[of + 1 :], unit)
            measures = self._measures.setdefault(held.noun, [])
            if unit not in measures:
                measures.append(unit)
            return held
        unit = self._index.units.get(" ".join(lower), "")
        if unit:
            return Entity("", "", unit)
        return self._noun(raw, "", quantity)

    def _held(self, raw: Sequence[str], unit: str) -> Entity:
        """What a measure or container is of; in "boxes of rolls of paper" rolls are in boxes."""
        lower = [word.lower() for word in raw]
        if "of" in lower[1:-1]:
            return self.entity(raw, None)._replace(unit=unit)
        return self._noun(raw, unit, 0)

    def unit(self, raw: Sequence[str], quantity: int) -> str:
        """The identifier of a measure or container."""
        lower = [word.lower() for word in raw]
        phrase = " ".join(lower)
        known = self._index.units.get(phrase) or self._index.units.get(" ".join(_singular(lower)))
        if known is not None and phrase in self._index.units:
            return known
        if "of" in lower[1:-1]:
            of = lower.index("of", 1)
            return self._measure_of(raw[:of], raw[of + 1 :], quantity)
        name = known or _identifier(lower if quantity == 1 else _singular(lower))
        _note(self._units.setdefault(name, _Forms()), raw, quantity)
        return name

    def _measure_of(self, measure: Sequence[str], of: Sequence[str], quantity: int) -> str:
        """The identifier of so much of another thing: "each gallon of gasoline"."""
        held = self._held(of, self.unit(measure, quantity))
        name, rest = self.as_unit(held), " ".join(("of", *of))
        many = [*measure[:-1], many_of(measure[-1])] if quantity == 1 else measure
        one = measure if quantity == 1 else _singular([word.lower() for word in measure])
        self._units[name] = _Forms(f"{' '.join(one)} {rest}", f"{' '.join(many)} {rest}")
        return name

    def is_attribute(self, raw: Sequence[str]) -> bool:
        """Whether this is an adjective alone: "5 red" of "5 red and 3 blue pens"."""
        return len(raw) == 1 and raw[0].lower() in self._index.attributes

    def as_unit(self, entity: Entity) -> str:
        """The unit that a thing may be: "box", or a measure of another thing, "liter of milk"."""
        if entity.unit and not entity.noun:
            return entity.unit
        if entity.unit:
            return "_".join(filter(None, (entity.unit, "of", entity.attribute, entity.noun)))
        return f"{entity.attribute}_{entity.noun}" if entity.attribute else entity.noun

    def noun_of_unit(self, entity: Entity) -> Entity:
        """The thing of "6 boxes" where the text never says of what: the boxes themselves."""
        unit = self._base.units[entity.unit]
        self._nouns[unit.id] = _Forms(unit.singular, unit.plural, counted=True)
        return Entity(unit.id)

    def thing(self) -> Entity:
        """What is counted in a text that never says what."""
        self._nouns["thing"] = _Forms("thing", "things", counted=True)
        return Entity("thing")

    def is_uncountable(self, entity: Entity) -> bool:
        """Whether the noun needs a measure: "milk", or the text's own "gold" in grams."""
        noun = self._base.nouns.get(entity.noun)
        if noun is not None:
            return not noun.countable
        forms = self._nouns.get(entity.noun)
        return (
            forms is not None
            and entity.noun in self._measures
            and not forms.numbered
            and _identifier(forms.plural.lower().split()) == entity.noun
        )

    def count(self, entity: Entity) -> None:
        """Notes that the text counts a noun by itself that needs a measure in ours."""
        self._nouns.setdefault(entity.noun, _Forms()).counted = True

    def forget(self, entity: Entity) -> None:
        """Forgets a noun that turned out to be a container of something."""
        forms = self._nouns.pop(entity.noun, None) if entity.noun else None
        if forms is not None:
            self._forgotten[entity.noun] = forms

    def words(self, used: Iterable[Entity] = ()) -> Vocabulary:
        """The vocabulary with the text's own words; all that is used can be written with it.

        Args:
            used: things of the text. A noun that was taken for a container in one sentence and is
                one of them after all is among the words, and one that is counted by itself ("3
                clays") needs no measure.
        """
        own = dict(self._nouns)
        for entity in used:
            noun = self._base.nouns.get(entity.noun)
            if noun is None and entity.noun in self._forgotten:
                own.setdefault(entity.noun, self._forgotten[entity.noun])
            elif noun is not None and not noun.countable and not entity.unit:
                own[noun.id] = replace(own.get(noun.id, _Forms()), counted=True)
        if not own and not self._units:
            return self._base
        units = dict(self._base.units)
        for name, forms in self._units.items():
            known = units.get(name)
            singular = forms.singular or (known.singular if known else one_of(forms.plural))
            plural = forms.plural or (known.plural if known else many_of(singular))
            units[name] = Unit(name, singular, plural, known.container if known else True)
        nouns = dict(self._base.nouns)
        for name, forms in own.items():
            known_noun = nouns.get(name)
            nouns[name] = (
                self._noun_of_text(name, forms)
                if known_noun is None
                else replace(
                    known_noun,
                    singular=forms.singular or known_noun.singular,
                    plural=forms.plural or known_noun.plural,
                    countable=known_noun.countable or forms.counted,
                )
            )
        return Vocabulary(self._base.names, nouns, units, self._base.attributes)

    def _noun_of_text(self, name: str, forms: _Forms) -> Noun:
        singular = forms.singular or one_of(forms.plural)
        plural = forms.plural or (many_of(singular) if forms.counted else singular)
        return Noun(
            id=name,
            singular=singular,
            plural=plural,
            countable=forms.counted or singular != plural,
            measures=tuple(self._measures.get(name, ())),
            containers=(),
            attributes=(),
            topic=TOPIC_OF_TEXT,
        )

    def _noun(self, raw: Sequence[str], unit: str, quantity: int | None) -> Entity:
        """A thing whose noun, or a form of it, is not in the vocabulary.

        Args:
            raw: attribute and noun.
            unit: what it is counted in.
            quantity: of the thing itself; 0: it is counted in a unit; None: it is not told.
        """
        attribute = ""
        if len(raw) > 1 and raw[0].lower() in self._index.attributes:
            attribute, raw = raw[0].lower(), raw[1:]
        lower = [word.lower() for word in raw]
        one = lower if quantity == 1 else _singular(lower)
        known = self._index.nouns.get(" ".join(one))
        name = known or _identifier(one)
        if not (unit and " ".join(lower) in self._index.nouns):
            forms = self._nouns.setdefault(name, _Forms())
            _note(forms, raw, 1 if unit and one == lower else quantity or 2)
            forms.counted = forms.counted or not unit
            forms.numbered = forms.numbered or (not unit and quantity is not None)
        return Entity(name, attribute, unit)


def _note(forms: _Forms, raw: Sequence[str], quantity: int) -> None:
    written = " ".join(raw)
    if quantity == 1:
        forms.singular = forms.singular or written
    else:
        forms.plural = forms.plural or written


def _identifier(lower: Sequence[str]) -> str:
    return "_".join(lower)


def _singular(lower: Sequence[str]) -> list[str]:
    """A noun phrase in lower case with its last word in the singular."""
    return [*lower[:-1], _base_singular(lower[-1]) or singular_of(lower[-1])]


def _base_singular(word: str) -> str:
    """The singular of a word of the vocabulary in use, "" of any other."""
    index, base = _in_use(), vocabulary()
    if word in index.nouns:
        return base.nouns[index.nouns[word]].singular
    return base.units[index.units[word]].singular if word in index.units else ""
