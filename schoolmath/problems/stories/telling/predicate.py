"""What a clause says of all its amounts: who does what, where, when, and what else holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from schoolmath.problems.stories.amounts import Amount, Thing, thing_of
from schoolmath.problems.stories.grammar import words
from schoolmath.problems.stories.grammar.clauses import Verb
from schoolmath.problems.stories.grammar.items import Phrase
from schoolmath.problems.stories.grammar.phrases import NounPhrase
from schoolmath.problems.stories.telling.facts import StoryFacts

TIME_WORDS = words.TIMES - {"second", "half", "class", "time", "game", "fall", "spring", "may"}

_DURING = frozenset({"during", "after", "before", "until"})


@dataclass(slots=True)
class Circumstances:
    """Where and when, and further flags of amounts; "per day" is the flag of "each day"."""

    place: set[str] = field(default_factory=set)
    time: set[str] = field(default_factory=set)
    flags: set[str] = field(default_factory=set)

    def add(self, item: Phrase, told: StoryFacts) -> None:
        """Adds what a prepositional phrase tells."""
        phrase = item.phrase
        assert phrase is not None
        if phrase.owner and not told.person and phrase.owner not in words.POSSESSIVES | {"her"}:
            told.person = phrase.owner
        content = phrase.mods | phrase.of | {phrase.head}
        if phrase.owner:
            content |= {phrase.owner}
        if phrase.head in {"first", "beginning", "start"} and item.preposition in {"at", "in"}:
            self.flags.add("start")
        elif phrase.head in {"all", "total"}:
            self.flags.add("total")
        elif is_time(item):
            self.time |= content
            if phrase.each and phrase.head:
                self.flags.add("per " + phrase.head)
        else:
            self.place |= content


def is_time(item: Phrase) -> bool:
    """Whether a prepositional phrase tells when."""
    timely = item.phrase is not None and item.phrase.head in TIME_WORDS
    return timely or item.preposition in _DURING


def setting_of(before: Sequence[Phrase], told: StoryFacts) -> Circumstances:
    """Where and when, as far as it is told before the verb."""
    found = Circumstances()
    for item in before:
        phrase = item.phrase
        if item.kind == "with" and phrase is not None:
            found.add(item, told)
        elif item.kind == "phrase" and phrase is not None and is_time_alone(phrase):
            found.time |= phrase.mods | {phrase.head}
            if phrase.each:
                found.flags.add("per " + phrase.head)
        elif item.kind == "word" and item.word in words.TIMES | {"last", "next"}:
            found.time.add(item.word)
    return found


def is_time_alone(phrase: NounPhrase) -> bool:
    """Whether a noun phrase tells when: "last week", not "3 weeks"."""
    return phrase.head in TIME_WORDS and not phrase.amount


@dataclass(slots=True)
class ClausePredicate:
    """What a clause says of every amount of it.

    Attributes:
        verb: of the clause; lemma: its lemma, with the particle that changes its meaning; kind:
            what it does, as in `Amount`.
        setting: where and when, and the amounts' flags.
        sentence: in which it stands.
    """

    verb: Verb
    lemma: str
    kind: str
    setting: Circumstances
    sentence: int

    def amount(
        self,
        phrase: NounPhrase,
        owners: tuple[str, ...],
        told: StoryFacts,
        *,
        subject: bool = False,
        more_flags: Sequence[str] = (),
    ) -> Amount:
        """A noun phrase as an amount of this clause.

        Args:
            phrase: the noun phrase.
            owners: who has or does it.
            told: what the story told before.
            subject: whether it stands before the verb.
            more_flags: beside those that all amounts of the clause have.
        """
        lemma, kind = self.lemma, self.kind
        if phrase.head in {"dollar", "cent"} and lemma in {"buy", "purchase", "order"}:
            lemma, kind = "spend", "loss"
        if phrase.head in {"picture", "photo", "photograph", "note"} and lemma == "take":
            kind = "make"
        own = self.setting.flags | set(more_flags)
        own |= {name for name in ("total", "part", "other", "rest") if getattr(phrase, name)}
        if phrase.definite and phrase.value is not None:
            own.add("definite")
        if phrase.owner:
            own.add("of " + (told.person if phrase.owner in {"his", "her"} else phrase.owner))
        each = sorted(flag.removeprefix("per ") for flag in own if flag.startswith("per "))
        return Amount(
            -1, phrase.at, phrase.value, thing_of(phrase), owners, lemma, kind, subject,
            place=frozenset(self.setting.place), time=frozenset(self.setting.time),
            per=Thing(each[-1]) if each else None,
            more=phrase.more, fewer=phrase.fewer, times=phrase.times,
            modals=self.verb.modals, flags=frozenset(own),
            sentence=self.sentence, clause=told.clauses,
        )  # fmt: skip

    def count(self, phrase: NounPhrase, told: StoryFacts, *, subject: bool) -> Amount:
        """How many there are: "each of the 4 boys" tells that beside what the clause says.

        Args:
            phrase: the noun phrase.
            told: what the story told before.
            subject: whether it stands before the verb.
        """
        # Of those who do something, what holds of the doing ("passive", "denied") does not hold.
        setting = replace(self.setting, flags=set()) if subject else self.setting
        predicate = replace(self, lemma="be", kind="state", setting=setting)
        return predicate.amount(phrase, (), told, subject=subject)
