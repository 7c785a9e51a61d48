"""A story told again in plain sentences, from which a mental model and pairs can be made.

What is told again must be read by the other reader, with the same answer; else there is nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from schoolmath.problems.reading import read
from schoolmath.problems.stories.amounts import Amount, Thing
from schoolmath.problems.stories.strategies.changes import sign_of
from schoolmath.problems.stories.strategies.terms import DerivedAmount
from schoolmath.problems.stories.understanding import UnderstoodStory

_TOLD = frozenset({"state over time", "comparisons", "times", "groups"})
_SOMEBODY = "the person"


def in_plain_sentences(story: UnderstoodStory) -> str | None:
    """The story in sentences that `schoolmath.problems.reading.read` reads; None: it can't be told.

    Numbers that have no part in the answer are left out. Only what stands inside the formalism
    (Opedal et al. 2024, section 4.1: container, transfer, comparison, rate) is told again.
    """
    if story.answer is None or story.asked is None or story.strategy not in _TOLD:
        return None
    used = [each for each in story.amounts if each.index in story.used]
    if any(each.value is None or each.value.denominator != 1 for each in used):
        return None
    if any(isinstance(each, DerivedAmount) for each in used):
        # "3 weeks", which are 21 days
        return None
    teller = _Teller(story, used)
    sentences = list(teller.sentences())
    if not all(sentences):
        return None
    text = " ".join(sentence[0].upper() + sentence[1:] for sentence in sentences)
    found = read(text).solution
    return text if found is not None and Fraction(found.answer) == story.answer else None


class _Teller:
    def __init__(self, story: UnderstoodStory, used: list[Amount]) -> None:
        assert story.asked is not None
        self.story = story
        self.asked = story.asked
        self.used = used
        owners = [owner for owner in self.asked.owners if owner not in {"they", "it", "we"}]
        owners += [*used[0].owners, *sorted(self.asked.place & used[0].place)]
        self.main = owners[0] if owners else ""

    def sentences(self) -> Iterator[str]:
        """The statements, then the question."""
        if self.story.strategy == "comparisons":
            yield from map(self._compared, self.used)
        elif self.story.strategy in {"times", "groups"}:
            yield from self._rate()
        else:
            yield from map(self._changed, self.used)
        yield self._question()

    def _who(self, owner: str) -> str:
        if not owner:
            return _SOMEBODY
        return owner.title() if owner in self.story.people else f"the {owner}"

    def _what(self, thing: Thing, value: Fraction | None = None) -> str:
        """The thing in the plural, or in the singular for one of it."""
        head = thing.head if value == 1 else plural_of(thing.head)
        before = [word for word in sorted(thing.mods) if word not in thing.of]
        of = " ".join(sorted(thing.of))
        return " ".join([*before, head]) + (f" of {plural_of(of) if of else ''}" if of else "")

    def _changed(self, amount: Amount) -> str:
        sign = sign_of(amount, self.asked)
        if sign is None:
            return ""
        verb = {0: "has", 1: "gets", -1: "loses"}[sign]
        if amount is self.used[0]:
            verb = "has"
        number = f"{amount.value} {self._what(self._thing(), amount.value)}"
        return f"{self._who(self.main)} {verb} {number}."

    def _thing(self) -> Thing:
        asked = self.asked.thing
        return Thing(asked.head) if asked.head else Thing(self.used[0].thing.head)

    def _compared(self, amount: Amount) -> str:
        who = self._who(amount.owners[0] if amount.owners else "")
        what = self._what(Thing(amount.thing.head), amount.value)
        if amount.than is not None:
            return ""
        than = self._who(amount.than_owner)
        if amount.times:
            many = self._what(Thing(amount.thing.head))
            return f"{who} has {amount.value} times as many {many} as {than}."
        if amount.more or amount.fewer:
            more = "fewer" if amount.fewer else "more"
            return f"{who} has {amount.value} {more} {what} than {than}."
        return f"{who} has {amount.value} {what}."

    def _rate(self) -> Iterator[str]:
        rates = [each for each in self.used if each.per is not None]
        counts = [each for each in self.used if each.per is None]
        if len(rates) != 1 or len(counts) != 1 or rates[0].thing.head in {"dollar", "cent"}:
            yield ""
            return
        rate, count = rates[0], counts[0]
        assert rate.per is not None
        held, box = Thing(rate.thing.head), rate.per.head
        if self.story.strategy == "times":
            boxes = f"{count.value} {plural_of(box)} of {plural_of(held.head)}"
            yield f"{self._who(self.main)} has {boxes}."
        else:
            yield f"{self._who(self.main)} has {count.value} {plural_of(held.head)}."
        yield f"each {box} holds {rate.value} {plural_of(held.head)}."

    def _question(self) -> str:
        thing = self._thing()
        if self.story.strategy == "groups":
            rates = [each for each in self.used if each.per is not None]
            if not rates or rates[0].per is None:
                return ""
            thing = Thing(rates[0].per.head, of=frozenset({rates[0].thing.head}))
        now = " now" if self.story.strategy == "state over time" else ""
        return f"How many {self._what(thing)} does {self._who(self.main)} have{now}?"


def plural_of(noun: str) -> str:
    """The plural of a noun; what has none stays."""
    from lemminflect import getInflection

    head, _, tail = noun.rpartition(" ")
    found = getInflection(tail, "NNS") if tail else ()
    return f"{head} {found[0] if found else tail}".strip()
