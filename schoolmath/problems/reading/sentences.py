"""What one sentence says, by its shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from schoolmath.problems.logic import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    Container,
    Entity,
    Question,
    Rate,
    Statement,
    Transfer,
)
from schoolmath.problems.reading.entities import UNSAID, TextEntities
from schoolmath.problems.reading.shapes import NAMES, Match, all_shapes, built_in_shapes, is_role
from schoolmath.problems.reading.utterances import (
    Altogether,
    AskedAtFirst,
    AtTheEnd,
    Some,
    Times,
    Utterance,
)
from schoolmath.problems.reading.words import (
    ALTOGETHER,
    EACH,
    FIRST,
    NOW,
    SentenceWords,
    lexicon,
    plain_words,
    split_words,
)
from schoolmath.text.numbers import MOST_SENTENCE_DIGITS

NOBODY = ""
"""The owner of a rate that does not say whose containers they are."""


class Unclear(Exception):
    """The shape is known, yet the sentence can be meant in more than one way, or in none."""


class _Sentence(NamedTuple):
    """A sentence with its shape, and the gaps of the shape as they are filled."""

    match: Match
    words: SentenceWords
    things: TextEntities

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

    def thing(self, quantity: int | None = None) -> Entity:
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
            # "Each of the boxes of pens holds 6 pens" tells of boxes.
            self.things.unit(_before_of(self.phrase(gap)), quantity)
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


def _before_of(phrase: list[str]) -> list[str]:
    return phrase[: phrase.index("of")] if "of" in phrase[1:] else phrase


_Maker: TypeAlias = Callable[[_Sentence], tuple[Utterance, ...]]


def read_clause(text: str, things: TextEntities) -> tuple[Utterance, ...] | None:
    """What a sentence, or a part of one, says; None where its shape is not known.

    Most say one thing; "Ana has 4 boxes with 6 apples each" says two.

    Raises:
        Unclear: saying why it cannot be told what is meant.
    """
    raw = split_words(text)
    while raw and raw[-1] in ".?!":
        raw.pop()
    lower = [word.lower() for word in raw]
    match = built_in_shapes().match(raw, lower)
    if match is not None and not _has_more(match, lower):
        words = SentenceWords(raw, raw)
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


def _has_more(match: Match, lower: list[str]) -> bool:
    """Whether a thing is called by words that change nothing: "3 additional pens" are pens."""
    return any(
        lexicon().dropped.intersection(lower[start:end])
        for gap, (start, end) in match.gaps.items()
        if gap not in NAMES
    )


def _has_long_name(match: Match) -> bool:
    """Whether a name has several words: then it might be another name in full."""
    gaps = match.gaps
    return any(end - start > 1 for gap, (start, end) in gaps.items() if gap in NAMES)


def _container(found: _Sentence) -> tuple[Utterance, ...]:
    found.refuse(EACH)
    quantity = found.number()
    agent, entity = found.name("agent"), found.thing(quantity)
    if NOW in found.words.added:
        return (AtTheEnd(agent, quantity, entity),)
    return (Statement(Container(agent, quantity, entity), None, found.match.phrasing),)


def _some(found: _Sentence) -> tuple[Utterance, ...]:
    return (Some(found.name("agent"), found.thing()),)


def _altogether(found: _Sentence) -> tuple[Utterance, ...]:
    quantity = found.number()
    one, two = found.name("one"), found.name("two")
    entity = found.thing(quantity)
    if EACH in found.words.added:
        return tuple(Statement(Container(agent, quantity, entity)) for agent in (one, two))
    if ALTOGETHER not in found.words.added:
        raise Unclear("Two have this much together, or each of them: add “altogether” or “each”.")
    return (Altogether((one, two), quantity, entity),)


def _packs(found: _Sentence) -> tuple[Utterance, ...]:
    quantity, packs = found.number(), found.number("k")
    entity = found.thing(quantity)
    unit = found.things.unit(found.phrase("containers"), packs)
    per = entity._replace(unit=unit)
    agent = found.name("agent")
    return (Statement(Container(agent, packs, per)), Statement(Rate(agent, quantity, entity, per)))


def _transfer(found: _Sentence) -> tuple[Utterance, ...]:
    found.refuse(EACH, FIRST)
    quantity = found.number()
    receiver, sender = found.name("receiver") or None, found.name("sender") or None
    predicate = Transfer(receiver, sender, quantity, found.thing(quantity))
    return (Statement(predicate, None, found.match.phrasing),)


def _comparing(type_: ComparisonType, form: ComparisonForm) -> _Maker:
    def make(found: _Sentence) -> tuple[Utterance, ...]:
        found.refuse(EACH)
        subject, other = found.name("subject"), found.name("object")
        if subject == other:
            raise Unclear(f"{subject} is compared with {other}: name another person.")
        quantity = found.number()
        a, b = (subject, other) if form is ComparisonForm.A_MORE else (other, subject)
        entity = found.thing(quantity if type_ is ComparisonType.ADDITIVE else None)
        return (Statement(Comparison(type_, a, b, quantity, entity), form, found.match.phrasing),)

    return make


def _unsettled(form: ComparisonForm) -> _Maker:
    """Reads "3 times more than" or "3 times fewer than"."""
    as_many = "3 times as many ... as" if form is ComparisonForm.A_MORE else "1/3 as many ... as"
    word = "more" if form is ComparisonForm.A_MORE else "fewer"
    make = _comparing(ComparisonType.MULTIPLICATIVE, form)

    def made(found: _Sentence) -> tuple[Utterance, ...]:
        found.things.settled_times = True
        if found.things.times is Times.UNSETTLED:
            raise Unclear(f"“Times {word}” can mean two things: write “{as_many}”.")
        said = make(found)
        if found.things.times is Times.AS_MANY:
            return said
        (statement,) = said
        assert isinstance(statement, Statement)
        predicate = statement.predicate
        on_top = replace(predicate, quantity=predicate.quantity + 1)
        return (replace(statement, predicate=on_top),)

    return made


def _rate(found: _Sentence) -> tuple[Utterance, ...]:
    quantity = found.number()
    dividing = found.match.kind == "rate of packing"
    entity = found.thing(None if dividing else quantity)
    predicate = Rate(found.name("agent"), quantity, entity, entity._replace(unit=found.unit()))
    return (Statement(predicate, None, found.match.phrasing, dividing),)


def _question(found: _Sentence) -> tuple[Utterance, ...]:
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
    "comparison more": _comparing(ComparisonType.ADDITIVE, ComparisonForm.A_MORE),
    "comparison fewer": _comparing(ComparisonType.ADDITIVE, ComparisonForm.B_FEWER),
    "comparison times as many": _comparing(ComparisonType.MULTIPLICATIVE, ComparisonForm.A_MORE),
    "comparison part as many": _comparing(ComparisonType.MULTIPLICATIVE, ComparisonForm.B_PART),
    "comparison times more": _unsettled(ComparisonForm.A_MORE),
    "comparison times fewer": _unsettled(ComparisonForm.B_FEWER),
    "rate of each": _rate,
    "rate of packing": _rate,
    "question": _question,
    "question, now": _question,
}


def kinds_read() -> frozenset[str]:
    """The kinds of sentence that are understood."""
    return frozenset(_MAKERS)
