"""What a question asks for."""

from __future__ import annotations

from dataclasses import dataclass, field

from schoolmath.problems.stories.amounts import Thing


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
