"""What one sentence says, by its shape.

One that says several things is taken apart: "Ana gives Ben 3 pens, and Cem 2 pens". Each part has
to be a sentence of its own once the beginning that it shares with the part before is put in front.
"""

from __future__ import annotations

import re
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
from schoolmath.problems.reading.entities import (
    UNSAID,
    Altogether,
    AskedAtFirst,
    AtTheEnd,
    Some,
    TextEntities,
    Times,
    Utterance,
)
from schoolmath.problems.reading.shapes import (
    ALTOGETHER,
    EACH,
    FIRST,
    MOST_WORDS,
    NAMES,
    NOW,
    Match,
    SentenceWords,
    all_shapes,
    built_in_shapes,
    is_role,
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

    def unit(self, held: Entity) -> str:
        """The containers, or measures of another thing, that hold so much of this one."""
        gaps = self.match.gaps
        units = {
            self.things.unit(self._containers(gap, held), quantity)
            for gap, quantity in (("containers", 2), ("container", 1))
            if gap in gaps
        }
        if len(units) > 1:
            raise Unclear("It names two kinds of containers: name one.")
        return units.pop()

    def _containers(self, gap: str, held: Entity) -> list[str]:
        phrase = self.phrase(gap)
        if "of" not in phrase[1:-1]:
            return phrase
        of = phrase.index("of")
        # "Each of the boxes of pens holds 6 pens" tells of boxes; "5 apples for a liter of milk" of
        # liters of milk.
        inside = self.things.entity(phrase[of + 1 :], None)
        return phrase[:of] if inside.noun == held.noun else phrase

    def refuse(self, *added: str) -> None:
        """Refuses endings that would change what a sentence of this kind says."""
        if EACH in added and EACH in self.words.added:
            raise Unclear("“Each” is said of several: write a sentence for every one of them.")
        if FIRST in added and FIRST in self.words.added:
            raise Unclear("What was at first is asked at the end only: leave “at first” out.")


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


def _container(parts: _Sentence) -> tuple[Utterance, ...]:
    parts.refuse(EACH)
    quantity = parts.number()
    agent, entity = parts.name("agent"), parts.thing(quantity)
    if NOW in parts.words.added:
        return (AtTheEnd(agent, quantity, entity),)
    return (Statement(Container(agent, quantity, entity), None, parts.match.phrasing),)


def _some(parts: _Sentence) -> tuple[Utterance, ...]:
    return (Some(parts.name("agent"), parts.thing()),)


def _altogether(parts: _Sentence) -> tuple[Utterance, ...]:
    quantity = parts.number()
    one, two = parts.name("one"), parts.name("two")
    entity = parts.thing(quantity)
    if EACH in parts.words.added:
        return tuple(Statement(Container(agent, quantity, entity)) for agent in (one, two))
    if ALTOGETHER not in parts.words.added:
        raise Unclear("Two have this much together, or each of them: add “altogether” or “each”.")
    return (Altogether((one, two), quantity, entity),)


def _packs(parts: _Sentence) -> tuple[Utterance, ...]:
    quantity, packs = parts.number(), parts.number("k")
    entity = parts.thing(quantity)
    unit = parts.things.unit(parts.phrase("containers"), packs)
    per = entity._replace(unit=unit)
    agent = parts.name("agent")
    return (Statement(Container(agent, packs, per)), Statement(Rate(agent, quantity, entity, per)))


def _transfer(parts: _Sentence) -> tuple[Utterance, ...]:
    parts.refuse(EACH, FIRST)
    quantity = parts.number()
    receiver, sender = parts.name("receiver") or None, parts.name("sender") or None
    predicate = Transfer(receiver, sender, quantity, parts.thing(quantity))
    return (Statement(predicate, None, parts.match.phrasing),)


def _comparing(type_: ComparisonType, form: ComparisonForm) -> _Maker:
    def make(parts: _Sentence) -> tuple[Utterance, ...]:
        parts.refuse(EACH)
        subject, other = parts.name("subject"), parts.name("object")
        if subject == other:
            raise Unclear(f"{subject} is compared with {other}: name another person.")
        quantity = parts.number()
        a, b = (subject, other) if form is ComparisonForm.A_MORE else (other, subject)
        entity = parts.thing(quantity if type_ is ComparisonType.ADDITIVE else None)
        return (Statement(Comparison(type_, a, b, quantity, entity), form, parts.match.phrasing),)

    return make


def _unsettled(form: ComparisonForm) -> _Maker:
    """Reads "3 times more than" or "3 times fewer than"."""
    as_many = "3 times as many ... as" if form is ComparisonForm.A_MORE else "1/3 as many ... as"
    word = "more" if form is ComparisonForm.A_MORE else "fewer"
    make = _comparing(ComparisonType.MULTIPLICATIVE, form)

    def made(parts: _Sentence) -> tuple[Utterance, ...]:
        parts.things.settled_times = True
        if parts.things.times is Times.UNSETTLED:
            raise Unclear(f"“Times {word}” can mean two things: write “{as_many}”.")
        said = make(parts)
        if parts.things.times is Times.AS_MANY:
            return said
        (statement,) = said
        assert isinstance(statement, Statement)
        predicate = statement.predicate
        on_top = replace(predicate, quantity=predicate.quantity + 1)
        return (replace(statement, predicate=on_top),)

    return made


def _rate(parts: _Sentence) -> tuple[Utterance, ...]:
    quantity = parts.number()
    dividing = parts.match.kind == "rate of packing"
    entity = parts.thing(None if dividing else quantity)
    per = entity._replace(unit=parts.unit(entity))
    predicate = Rate(parts.name("agent"), quantity, entity, per)
    return (Statement(predicate, None, parts.match.phrasing, dividing),)


def _question(parts: _Sentence) -> tuple[Utterance, ...]:
    parts.refuse(EACH)
    agent, entity = parts.name("agent"), parts.thing()
    if FIRST in parts.words.added:
        return (AskedAtFirst(agent, entity),)
    now = parts.match.kind == "question, now" or NOW in parts.words.added
    return (Question(agent, entity, parts.match.phrasing, now),)


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


class _Sign(NamedTuple):
    """What in a sentence tells why it was not read."""

    pattern: re.Pattern[str]
    reason: str


def _sign(pattern: str, reason: str) -> _Sign:
    return _Sign(re.compile(pattern), reason)


# Looked for in plain forms: has for had, fewer for less, digits for number words.
_SIGNS = (
    _sign(
        r"\d [.,] \d",
        "Only whole numbers are read: write the amounts in a smaller unit, such as cents.",
    ),
    _sign(r"%|\bpercent\b", "Percentages are not read: write a whole number."),
    _sign(
        r"\b(?:yesterday|tomorrow|ago|last (?:week|month|year|night))\b",
        "When it was is not read: leave that out and tell things in the order they happened.",
    ),
    _sign(r"\btimes more\b", "“Times more” can mean two things: write “times as many ... as”."),
    _sign(
        r"\bhow many more\b|\bhow many fewer\b|\bdifference\b",
        "The difference of two people is not asked for here: ask how many one person has.",
    ),
    _sign(
        r"^how many\b.*\b(?:they|we|both|all of)\b|^how many\b.*\band\b",
        "It asks for several people together: ask how many one person has.",
    ),
    _sign(
        r"^(?:how|what|which|who|why|when)\b",
        "This question is not known: ask “How many ... does ... have?”.",
    ),
    _sign(r"\b(?:i|we|you|me|us)\b", "Write a name in place of “I”, “we” or “you”."),
    _sign(
        r"\bmost\b|\b(?:largest|smallest|fewest)\b",
        "Only two people are compared at a time: write “3 more ... than ...”.",
    ),
    _sign(
        r"\bwhich (?:is|are)\b|\bwho\b",
        "Two things are said in one sentence: write a sentence for each.",
    ),
    _sign(
        r"^(?!.*\b(?:more|fewer|times)\b).*\bthan\b",
        "It compares, but not how many: write “3 more ... than” or “3 fewer ... than”.",
    ),
    _sign(r"\bas many\b(?!.*\bas many\b)", "Write how many times: “2 times as many ... as”."),
    _sign(
        r"\bhas \d+ (?:more|fewer)\b(?!.*\bthan\b)",
        "It does not say than who: add “than ...”, or write “gets 3 ...” for what is added.",
    ),
    _sign(r"\b1 / \d", "A part of an amount is read in “half as many ... as” only."),
    _sign(
        r"\b(?:some|few|several|lot|lots|couple|many)\b",
        "It does not say how many: write a number.",
    ),
    _sign(r"\bnot\b|n't\b", "What somebody does not have is not read: leave it out."),
    _sign(r"^\D*$", "It tells no amount: leave it out, or write it with a number."),
)
_OTHERWISE = (
    "We could not read this sentence: put one fact in it, as in “Ana has 5 apples”, “Ana gives "
    "Ben 3 apples” or “Ana has 2 more apples than Ben”."
)


def why_unread(sentence: str) -> str:
    """A sentence saying why this one was not read and what to do."""
    words = plain_words(sentence.rstrip(" .?!"))
    if len(words.raw) > MOST_WORDS:
        return f"It has more than {MOST_WORDS} words: write shorter sentences."
    if sentence[0].islower():
        return "It begins with a small letter: write names and sentences with a capital one."
    plain = " ".join(words.plain)
    return next((sign.reason for sign in _SIGNS if sign.pattern.search(plain)), _OTHERWISE)


MOST_PARTS = 10
"""A sentence of more parts is not taken apart."""

_JOINT = re.compile(r",? (?:and then|and|but then|but|then|while|whereas) |, ")


class Clause(NamedTuple):
    """A part of a text that says one thing, or that could not be read.

    Attributes:
        text: as it stands.
        said: what it says; None where it was not read.
        reason: why not, and what to write instead; "" where it was.
    """

    text: str
    said: Utterance | None
    reason: str = ""


def read_sentence(text: str, things: TextEntities) -> tuple[Clause, ...]:
    """What a sentence says, part by part."""
    try:
        whole = read_clause(text, things)
    except Unclear as error:
        return (Clause(text, None, str(error)),)
    if whole is not None:
        return tuple(Clause(text, said) for said in whole)
    unclear: list[str] = []
    separated = _separated(text, things, unclear)
    return separated or (Clause(text, None, unclear[0] if unclear else why_unread(text)),)


def _separated(text: str, things: TextEntities, unclear: list[str]) -> tuple[Clause, ...]:
    """The parts of a sentence, none if it has no such parts; notes what is unclear in them."""
    joints = list(_JOINT.finditer(text))
    if not 0 < len(joints) < MOST_PARTS:
        return ()
    starts = [0, *(joint.end() for joint in joints)]
    ends = [*(joint.start() for joint in joints), len(text)]
    found: list[Clause] = []
    beginnings: tuple[str, ...] = ()
    first = 0
    while first < len(starts):
        for last in range(first, len(ends)):
            part = text[starts[first] : ends[last]]
            read = _part(part, beginnings, things, unclear)
            if read is not None:
                break
        else:
            return ()
        found += [Clause(part, said) for said in read.said]
        beginnings = _beginnings(read.whole)
        first = last + 1
    return tuple(found) if len(found) > 1 else ()


class _Part(NamedTuple):
    whole: str
    said: tuple[Utterance, ...]


def _part(
    part: str, beginnings: tuple[str, ...], things: TextEntities, unclear: list[str]
) -> _Part | None:
    for beginning in ("", *beginnings):
        whole = f"{beginning} {part}".strip()
        try:
            said = read_clause(whole, things)
        except Unclear as error:
            unclear.append(str(error))
            continue
        if said is not None:
            return _Part(whole, said)
    return None


def _beginnings(text: str) -> tuple[str, ...]:
    """What the next part may share: the subject, the subject and the verb, all to the number."""
    words = plain_words(text.rstrip(" .?!"))
    match = all_shapes().match(words.raw, words.plain)
    if match is None:
        return ()
    places = sorted(match.gaps.values())
    if places[0][0] != 0 or len(places) < 2:
        return ()
    ends = [places[0][1], places[1][0]]
    if "q" in match.gaps:
        ends.append(match.gaps["q"][0])
    return tuple(dict.fromkeys(" ".join(words.raw[:end]) for end in ends))
