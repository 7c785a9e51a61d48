"""What one sentence says, by its shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from biaslab.problems.logic import (
    Comparison,
    ComparisonType,
    Container,
    Entity,
    Form,
    Question,
    Rate,
    Statement,
    Transfer,
)
from biaslab.problems.reading.entities import UNSAID, Things
from biaslab.problems.reading.said import Altogether, AskedAtFirst, AtTheEnd, Said, Some
from biaslab.problems.reading.shapes import NAMES, Match, all_shapes, is_role, own_shapes
from biaslab.problems.reading.words import (
    ALTOGETHER,
    EACH,
    FIRST,
    NOW,
    Words,
    lexicon,
    plain_words,
    split_words,
)
from biaslab.text.numbers import MOST_SENTENCE_DIGITS

NOBODY = ""
"""The owner of a rate that does not say whose containers they are."""


class Unclear(Exception):
    """The shape is known, yet the sentence can be meant in more than one way, or in none."""


class _Sentence(NamedTuple):
    """A sentence with its shape, and the gaps of the shape as they are filled."""

    match: Match
    words: Words
    things: Things

    def number(self, gap: str = "q") -> int:
        word = self.words.plain[self.match.gaps[gap][0]]
        if len(word) > MOST_SENTENCE_DIGITS:
            raise Unclear(f"The number {word[:20]} is too large for a word problem.")
        return int(word) if word.isdecimal() else 1

    def name(self, gap: str) -> str:
        place = self.match.gaps.get(gap)
        if place is None:
            return NOBODY
        start, end = place
        raw = self.words.raw
        if end == start + 1:
            word = raw[start]
            return word if word[0].isupper() and not self._pronoun(start) else word.lower()
        if not is_role(raw[start]):
            return " ".join(raw[start:end])
        name = start + 1
        while name < end and not raw[name][0].isupper():
            name += 1
        if name < end:
            # "Her brother Ben" is Ben.
            return " ".join(raw[name:end])
        role = " ".join(raw[start + 1 : end]).lower()
        # "A baker" is afterwards "the baker".
        return (
            f"the {role}" if raw[start].lower() in ("a", "an") else f"{raw[start].lower()} {role}"
        )

    def _pronoun(self, index: int) -> bool:
        return self.words.plain[index] in lexicon().pronouns

    def phrase(self, gap: str) -> list[str]:
        start, end = self.match.gaps[gap]
        return self.words.raw[start:end]

    def thing(self, quantity: int = 2) -> Entity:
        gaps = self.match.gaps
        gap = "n" if "n" in gaps else "many"
        if gap not in gaps:
            return UNSAID
        phrase = self.phrase(gap)
        if self.things.is_attribute(phrase):
            raise Unclear(f"It does not say {phrase[0]} what: add the word.")
        if "stuff" in gaps:
            # "3 liters more milk": liters of milk.
            phrase = [*phrase, "of", *self.phrase("stuff")]
        return self.things.entity(phrase, quantity)

    def unit(self) -> str:
        gaps = self.match.gaps
        units = {
            self.things.unit(self.phrase(gap), quantity)
            for gap, quantity in (("containers", 2), ("container", 1))
            if gap in gaps
        }
        if len(units) > 1:
            raise Unclear("It names two kinds of containers: name one.")
        return units.pop()

    def refuse(self, *added: str) -> None:
        """Refuses endings that would change what a sentence of this kind says."""
        if EACH in added and EACH in self.words.added:
            raise Unclear("“Each” is said of several: write a sentence for every one of them.")
        if FIRST in added and FIRST in self.words.added:
            raise Unclear("What was at first is asked at the end only: leave “at first” out.")


_Maker: TypeAlias = Callable[[_Sentence], tuple[Said, ...]]


def read_clause(text: str, things: Things) -> tuple[Said, ...] | None:
    """What a sentence, or a part of one, says; None where its shape is not known.

    Most say one thing; "Ana has 4 boxes with 6 apples each" says two.

    Raises:
        Unclear: saying why it cannot be told what is meant.
    """
    raw = split_words(text)
    while raw and raw[-1] in ".?!":
        raw.pop()
    match = own_shapes().match(raw, [word.lower() for word in raw])
    if match is not None:
        words = Words(raw, raw)
        things.exact = things.exact and not _has_long_name(match)
    else:
        things.exact = False
        words = plain_words(text.rstrip(" .?!"))
        if not words.raw:
            return None
        match = all_shapes().match(words.raw, words.plain)
        if match is None:
            return None
    try:
        return _MAKERS[match.kind](_Sentence(match, words, things))
    except ValueError as error:
        raise Unclear(str(error)) from error


def _has_long_name(match: Match) -> bool:
    """Whether a name has several words: then it might be another name in full."""
    gaps = match.gaps
    return any(end - start > 1 for gap, (start, end) in gaps.items() if gap in NAMES)


def _container(found: _Sentence) -> tuple[Said, ...]:
    found.refuse(EACH)
    quantity = found.number()
    agent, entity = found.name("agent"), found.thing(quantity)
    if NOW in found.words.added:
        return (AtTheEnd(agent, quantity, entity),)
    return (Statement(Container(agent, quantity, entity), None, found.match.phrasing),)


def _some(found: _Sentence) -> tuple[Said, ...]:
    return (Some(found.name("agent"), found.thing()),)


def _altogether(found: _Sentence) -> tuple[Said, ...]:
    quantity = found.number()
    one, two = found.name("one"), found.name("two")
    entity = found.thing(quantity)
    if EACH in found.words.added:
        return tuple(Statement(Container(agent, quantity, entity)) for agent in (one, two))
    if ALTOGETHER not in found.words.added:
        raise Unclear("Two have this much together, or each of them: add “altogether” or “each”.")
    return (Altogether((one, two), quantity, entity),)


def _packs(found: _Sentence) -> tuple[Said, ...]:
    quantity, packs = found.number(), found.number("k")
    entity = found.thing(quantity)
    unit = found.things.unit(found.phrase("containers"), packs)
    per = entity._replace(unit=unit)
    agent = found.name("agent")
    return (Statement(Container(agent, packs, per)), Statement(Rate(agent, quantity, entity, per)))


def _transfer(found: _Sentence) -> tuple[Said, ...]:
    found.refuse(EACH, FIRST)
    quantity = found.number()
    receiver, sender = found.name("receiver") or None, found.name("sender") or None
    predicate = Transfer(receiver, sender, quantity, found.thing(quantity))
    return (Statement(predicate, None, found.match.phrasing),)


def _comparing(type_: ComparisonType, form: Form) -> _Maker:
    def make(found: _Sentence) -> tuple[Said, ...]:
        found.refuse(EACH)
        subject, other = found.name("subject"), found.name("object")
        if subject == other:
            raise Unclear(f"{subject} is compared with {other}: name another person.")
        quantity = found.number()
        a, b = (subject, other) if form is Form.A_MORE else (other, subject)
        entity = found.thing(quantity if type_ is ComparisonType.ADDITIVE else 2)
        return (Statement(Comparison(type_, a, b, quantity, entity), form, found.match.phrasing),)

    return make


def _rate(found: _Sentence) -> tuple[Said, ...]:
    quantity = found.number()
    dividing = found.match.kind == "rate of packing"
    entity = found.thing(2 if dividing else quantity)
    predicate = Rate(found.name("agent"), quantity, entity, entity._replace(unit=found.unit()))
    return (Statement(predicate, None, found.match.phrasing, dividing),)


def _question(found: _Sentence) -> tuple[Said, ...]:
    found.refuse(EACH)
    agent, entity = found.name("agent"), found.thing()
    if FIRST in found.words.added:
        return (AskedAtFirst(agent, entity),)
    now = found.match.kind == "question, now" or NOW in found.words.added
    return (Question(agent, entity, found.match.phrasing, now),)


_MAKERS: dict[str, _Maker] = {
    "container": _container,
    "some": _some,
    "altogether": _altogether,
    "packs": _packs,
    "transfer between": _transfer,
    "transfer gained": _transfer,
    "transfer lost": _transfer,
    "comparison more": _comparing(ComparisonType.ADDITIVE, Form.A_MORE),
    "comparison fewer": _comparing(ComparisonType.ADDITIVE, Form.B_FEWER),
    "comparison times as many": _comparing(ComparisonType.MULTIPLICATIVE, Form.A_MORE),
    "comparison times fewer": _comparing(ComparisonType.MULTIPLICATIVE, Form.B_FEWER),
    "rate of each": _rate,
    "rate of packing": _rate,
    "question": _question,
    "question, now": _question,
}


def kinds_read() -> frozenset[str]:
    """The kinds of sentence that are understood."""
    return frozenset(_MAKERS)
