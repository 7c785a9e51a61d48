"""What each number of a story is a number of, gained or lost, where and when; what is asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from schoolmath.problems.stories.phrases import NounPhrase


@dataclass(frozen=True, slots=True)
class Thing:
    """A kind of thing: the singular of its noun, and what tells it from others of that noun."""

    head: str = ""
    mods: frozenset[str] = frozenset()
    of: frozenset[str] = frozenset()

    @property
    def words(self) -> frozenset[str]:
        """All its words."""
        return self.mods | self.of | {self.head}


def thing_of(phrase: NounPhrase) -> Thing:
    """What a noun phrase names."""
    return Thing(phrase.head, phrase.mods, phrase.of)


@dataclass(slots=True, eq=False)
class Amount:
    """A number of the story, or an amount that it tells without a number.

    It is put together word by word while a clause is read, and not changed afterwards.

    Attributes:
        index: its place among the story's amounts.
        at: index of its token; -1 for an amount without a number.
        value: None where it is not told.
        thing: what it counts.
        owners: who has, gets, loses or does it; empty where nobody in particular.
        verb: lemma of the verb, with the particle that changes its meaning.
        kind: what that verb does (assets/vocabulary/stories.yaml); "act" for other verbs.
        subject: whether it stands before the verb.
        receiver, source: to whom, from whom.
        place, time: words of where and when.
        per: of what each one has so many; None where it is no rate.
        more, fewer, times: whether it is so many more or fewer, or so many times as many.
        than: with whom or what it is compared; None where nothing is named.
        than_owner: the owner it is compared with.
        than_place: words of the place it is compared with ("than in box A").
        modals: verbs before the verb.
        flags: among total, left, start, now, part, other, each, rest, denied, passive, condition,
            described.
        sentence, clause: where it stands.
        near: further words that stand with it.
        generic: of what any one has so many ("A box holds 6"); a rate if the story counts those.
        like: words that say what they are like ("5 of them are green").
    """

    index: int
    at: int
    value: Fraction | None
    thing: Thing
    owners: tuple[str, ...]
    verb: str
    kind: str
    subject: bool = False
    receiver: str = ""
    source: str = ""
    place: frozenset[str] = frozenset()
    time: frozenset[str] = frozenset()
    per: Thing | None = None
    more: bool = False
    fewer: bool = False
    times: bool = False
    than: Thing | None = None
    than_owner: str = ""
    than_place: frozenset[str] = frozenset()
    modals: tuple[str, ...] = ()
    flags: frozenset[str] = frozenset()
    sentence: int = 0
    clause: int = 0
    near: frozenset[str] = frozenset()
    generic: Thing | None = None
    like: frozenset[str] = frozenset()

    @property
    def compared(self) -> bool:
        """Whether it tells a difference or a multiple, not an amount."""
        return self.than is not None or bool(self.than_owner) or self.times


@dataclass(slots=True)
class StoryQuestion:
    """A question.

    Attributes:
        thing: what is counted; an empty head where "how many" or "how much" stands alone.
        things: several that are joined by "and", or one.
        owners: whose, or who does it; empty where nobody is named.
        verb: lemma of its verb, with a particle that changes it; "be" for "are there".
        kind: what that verb does.
        than: what is compared with, where a difference is asked.
        than_owner: with whom it is compared.
        place, time: words of where and when.
        per: of what each one is asked; None where no rate is asked.
        flags: among total, left, start, now, each, more, fewer, money, difference, other,
            passive, denied, length, duration, cost, need.
        receiver: to whom.
        than_words: the words after "than", in the singular.
        words: all words of the question in the singular.
    """

    thing: Thing = field(default_factory=Thing)
    things: list[Thing] = field(default_factory=list)
    owners: tuple[str, ...] = ()
    verb: str = "be"
    kind: str = "state"
    than: Thing | None = None
    than_owner: str = ""
    place: set[str] = field(default_factory=set)
    time: set[str] = field(default_factory=set)
    per: Thing | None = None
    flags: set[str] = field(default_factory=set)
    receiver: str = ""
    words: frozenset[str] = frozenset()
    modals: tuple[str, ...] = ()
    fault: str = ""
    strange: frozenset[str] = frozenset()
    than_verb: str = ""
    than_words: frozenset[str] = frozenset()
