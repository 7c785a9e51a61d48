"""What a clause tells of its amounts and the phrases that belong to them; whom pronouns mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from schoolmath.problems.stories import words
from schoolmath.problems.stories.amounts import Amount, Thing, thing_of
from schoolmath.problems.stories.clauses import Verb
from schoolmath.problems.stories.phrases import NounPhrase, Phrase


@dataclass(slots=True)
class StoryFacts:
    """All that was understood of a story's statements.

    `of_all` has the tokens of numbers that only say that all of it is asked for; `priced` what has
    a price and is nobody, though it may end like a baker.
    """

    amounts: list[Amount] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    last_thing: Thing = field(default_factory=Thing)
    subject: tuple[str, ...] = ()
    person: str = ""
    named: bool = False
    group: tuple[str, ...] = ()
    clauses: int = 0
    sexes: dict[str, str] = field(default_factory=dict)
    unsure: str = ""
    odd: list[str] = field(default_factory=list)
    of_all: set[int] = field(default_factory=set)
    priced: set[str] = field(default_factory=set)

    def leave_out(self, count: Amount) -> None:
        """Takes out a number that only says that all of it is asked for."""
        self.amounts.remove(count)
        self.of_all.add(count.at)
        for index, each in enumerate(self.amounts):
            each.index = index

    def pronoun(self, word: str) -> tuple[str, ...]:
        """Who “he” or “she” is: the last who was named; unsure where it may be somebody else."""
        if not self.person:
            return (word,)
        sex = "he" if word in {"he", "him"} else "she"
        others = [name for name in self.people if name not in self.subject]
        objective = word in {"him", "her"} and bool(self.subject) and len(others) == 1
        if objective and self.sexes.setdefault(others[0], sex) == sex:
            # "Jane has 9 more than him": nobody does it to herself, and only Peter was named.
            return (others[0],)
        if self.sexes.get(self.person) == sex:
            return (self.person,)
        told = [name for name in self.people if self.sexes.get(name) == sex]
        of_another = word in {"him", "her"} and self.subject == (self.person,)
        if len(told) == 1 and (self.person in self.sexes or of_another):
            return (told[0],)
        if any(self.sexes.get(name, sex) == sex for name in self.people if name != self.person):
            self.unsure = self.unsure or word
        else:
            self.sexes.setdefault(self.person, sex)
        return (self.person,)

    def named_by(self, phrase: NounPhrase) -> tuple[str, ...]:
        """Whom a phrase names, pronouns resolved."""
        if phrase.pronoun:
            word = phrase.head
            if word in {"he", "she", "him", "her"}:
                return self.pronoun(word)
            if word in {"they", "them", "we", "us"}:
                return self.group or ("they",)
            if word == "it":
                return self.subject or ("it",)
            return (word,)
        if phrase.rest or phrase.head == "rest":
            return ()
        if phrase.head in words.KIN and phrase.owner:
            if phrase.owner not in words.OWN:
                # "Carrie's mom gave her ...": Carrie.
                self.person, self.named = phrase.owner, True
            return (phrase.head,)
        if phrase.other and phrase.head:
            return ("other " + phrase.head,)
        label = next((each for each in phrase.mods if len(each.strip("_")) == 1), "")
        if label:
            # "box B" has the same name as "Box B" at the beginning of a sentence.
            return (f"{phrase.head} {label}",)
        return (phrase.head,) if phrase.head else ()


TIME_WORDS = words.TIMES - {"second", "half", "class", "time", "game", "fall", "spring", "may"}

_TIMES = words.TIMES | {"last", "next"}
_DURING = frozenset({"during", "after", "before", "until"})


@dataclass(slots=True)
class Circumstances:
    """Where and when, and further flags of amounts; "per day" is the flag of "each day"."""

    place: set[str] = field(default_factory=set)
    time: set[str] = field(default_factory=set)
    flags: set[str] = field(default_factory=set)

    def add(self, item: Phrase, facts: StoryFacts) -> None:
        """Adds what a prepositional phrase tells."""
        phrase = item.phrase
        assert phrase is not None
        if phrase.owner and not facts.person and phrase.owner not in words.OWN:
            facts.person = phrase.owner
        content = phrase.mods | phrase.of | {phrase.head}
        if phrase.owner:
            content |= {phrase.owner}
        if phrase.head in {"first", "beginning", "start"} and item.preposition in {"at", "in"}:
            self.flags.add("start")
        elif phrase.head == "end" and item.preposition in {"at", "in"}:
            self.flags.add("now")
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


def setting_of(before: Sequence[Phrase], facts: StoryFacts) -> Circumstances:
    """Where and when, as far as told before the verb."""
    found = Circumstances()
    for item in before:
        phrase = item.phrase
        if item.kind == "with" and phrase is not None:
            found.add(item, facts)
        elif item.kind == "phrase" and phrase is not None and is_time_alone(phrase):
            found.time |= phrase.mods | {phrase.head}
            if phrase.each:
                found.flags.add("per " + phrase.head)
        elif item.kind == "word" and item.word in _TIMES:
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
        facts: StoryFacts,
        *,
        subject: bool = False,
        more_flags: Sequence[str] = (),
    ) -> Amount:
        """A noun phrase as an amount of this clause.

        Args:
            phrase: the noun phrase.
            owners: who has or does it.
            facts: what the story told before.
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
            own.add("of " + (facts.person if phrase.owner in {"his", "her"} else phrase.owner))
        each = sorted(flag.removeprefix("per ") for flag in own if flag.startswith("per "))
        return Amount(
            -1, phrase.at, phrase.value, thing_of(phrase), owners, lemma, kind, subject,
            place=frozenset(self.setting.place), time=frozenset(self.setting.time),
            per=Thing(each[-1]) if each else None,
            more=phrase.more, fewer=phrase.fewer, times=phrase.times,
            modals=self.verb.modals, flags=frozenset(own),
            sentence=self.sentence, clause=facts.clauses,
        )  # fmt: skip

    def count(self, phrase: NounPhrase, facts: StoryFacts, *, subject: bool) -> Amount:
        """How many there are: "each of the 4 boys" tells that beside what the clause says.

        Args:
            phrase: the noun phrase.
            facts: what the story told before.
            subject: whether it stands before the verb.
        """
        # Of those who do something, what holds of the doing ("passive", "denied") does not hold.
        setting = replace(self.setting, flags=set()) if subject else self.setting
        predicate = replace(self, lemma="be", kind="state", setting=setting)
        return predicate.amount(phrase, (), facts, subject=subject)


_MORE = words.classes()["more"]
_FEWER = frozenset({"fewer", "less", "lesser", "shorter", "lighter", "smaller", "lower", "cheaper"})
_NOBODYS = frozenset({"his", "her", "their", "its", "the", "my", "our"})


@dataclass(slots=True)
class Objects:
    """Reads what stands after the verb of a clause.

    Attributes:
        items: the phrases there.
        predicate: what the clause says of all amounts; where and when are added to it.
        owners: who has or does it.
        per: of what each one has so many, told before the verb; None: nothing.
        told: what the story told before.
        made: the amounts found so far.
        direct: what something is done with, without a number; empty: nothing.
    """

    items: Sequence[Phrase]
    predicate: ClausePredicate
    owners: tuple[str, ...]
    per: NounPhrase | None
    told: StoryFacts
    made: list[Amount] = field(default_factory=list)
    direct: Thing = field(default_factory=Thing)
    _receiver: str = ""
    _as_many: bool = False

    def read(self) -> list[Amount]:
        """The amounts, in order."""
        for item in self.items:
            last = self.made[-1] if self.made else None
            phrase = item.phrase
            if item.kind == "phrase" and phrase is not None:
                self._noun_phrase(phrase, last)
            elif item.kind == "with" and phrase is not None:
                self._with(item, phrase, last)
            elif item.kind == "than" and last is not None:
                self._than(phrase, last)
                if self._than_several(item):
                    last.than, last.than_owner = Thing("?"), ""
            elif item.kind == "word":
                self._word(item.word, last)
        return self.made

    def _noun_phrase(self, phrase: NounPhrase, last: Amount | None) -> None:
        if phrase.amount or phrase.rest:
            amount = self.predicate.amount(phrase, self.owners, self.told)
            amount.times = amount.times or self._as_many
            amount.per = thing_of(self.per) if self.per is not None else amount.per
            amount.receiver = self._receiver or amount.receiver
            self.made.append(amount)
        elif last is None:
            if phrase.head in TIME_WORDS and not phrase.pronoun:
                self.predicate.setting.time |= phrase.mods | {phrase.head}
            elif not phrase.each:
                self._before_any_amount(phrase)
        elif phrase.each and phrase.head:
            last.per = thing_of(phrase)
        elif phrase.each or (phrase.article and phrase.head == "piece"):
            last.flags |= {"each"}
        elif phrase.article and phrase.head in words.UNITS_OF_TIME:
            last.per = Thing(phrase.head)
        elif phrase.head in TIME_WORDS and not phrase.pronoun:
            last.time |= phrase.mods | {phrase.head}
        elif self._as_many or last.times:
            last.thing = last.thing if phrase.pronoun else thing_of(phrase)
            # "1/2 as many" is 1/2 times as many.
            last.times = last.times or (last.value is not None and last.value < 1)
            self._as_many = False
        else:
            last.near |= phrase.mods | {phrase.head}
            before = self.items[: self.items.index(Phrase("phrase", phrase))][-1:]
            if before and before[0].word == "and":
                # "24 boys and girls"
                last.flags |= {f"and {phrase.head}"}

    def _before_any_amount(self, phrase: NounPhrase) -> None:
        """Who gets something, or what something is done with: "gives Ben 3", "put pens in 4"."""
        told = self.told
        somebody = phrase.pronoun or phrase.name
        if phrase.head and not somebody and self.predicate.kind in {"share", "put", "act"}:
            self.direct = thing_of(phrase)
        names = told.named_by(phrase)
        self._receiver = names[0] if names else ""
        if phrase.pronoun and phrase.head in words.OBJECTS and self._receiver in self.owners:
            others = [person for person in told.people if person not in self.owners]
            if others:
                self._receiver = others[-1]
            told.person = self._receiver

    def _than(self, phrase: NounPhrase | None, last: Amount) -> None:
        """With what the last amount is compared."""
        if phrase is None:
            last.than = Thing("?")
        elif phrase.other:
            last.than_owner = "other " + phrase.head
        elif (
            phrase.pronoun
            or phrase.name
            or phrase.head in self.told.people
            or phrase.head in words.KIN
        ):
            names = self.told.named_by(phrase)
            last.than_owner = names[0] if names else "?"
        elif phrase.owner and phrase.head == last.thing.head:
            last.than_owner = phrase.owner
        else:
            last.than = thing_of(phrase)

    def _than_several(self, item: Phrase) -> bool:
        """Whether it is "than Ana and Ben"."""
        at = self.items.index(item)
        following = self.items[at + 1 : at + 3]
        return (
            len(following) == 2
            and following[0].word == "and"
            and following[1].phrase is not None
            and following[1].phrase.name
            and not following[1].phrase.amount
        )

    def _word(self, word: str, last: Amount | None) -> None:
        if word in {"as many", "twice"}:
            self._as_many = word == "as many"
        elif word in {"yesterday", "today", "tomorrow", "last", "next"} and last is None:
            self.predicate.setting.time.add(word)
        elif last is None:
            return
        elif word in {"each", "apiece"}:
            last.flags |= {"each"}
        elif word in {"yesterday", "today", "tomorrow", "last", "next"}:
            last.time |= {word}
        elif word in _MORE:
            last.more = True
        elif word in _FEWER:
            last.fewer, last.more = True, False

    def _with(self, item: Phrase, phrase: NounPhrase, last: Amount | None) -> None:
        """A prepositional phrase, which belongs to the amount before it."""
        at = self.items.index(item)
        if last is not None and at and self.items[at - 1] == Phrase("than", None):
            last.than_place = _content(phrase)
        elif phrase.value is not None and phrase.each and phrase.head and last is not None:
            last.per = thing_of(phrase)
            amount = self.predicate.count(phrase, self.told, subject=False)
            amount.per = None
            self.made.append(amount)
        elif phrase.amount and not phrase.each:
            self._amount_with(item, phrase, last)
        elif last is None:
            self._setting(item, phrase)
        elif not (phrase.each and phrase.head and phrase.head == last.thing.head):
            self._belonging(item, phrase, last)

    def _amount_with(self, item: Phrase, phrase: NounPhrase, last: Amount | None) -> None:
        amount = self.predicate.amount(
            phrase, self.owners, self.told, more_flags=["prep " + item.preposition]
        )
        self.made.append(amount)
        group = self._before(item)
        if group is None:
            return
        if item.preposition == "of":
            if group.article and not group.plural and self.predicate.kind != "share":
                # "A group of 4 friends", "a box of 110 crayons": just so many.
                amount.near |= {group.head}
            elif group.head and not group.pronoun and not group.total:
                # "into groups of 9", "3 boxes of 12 pens"
                amount.per = thing_of(group)
        elif item.preposition == "with" and group.value is not None and group.plural:
            amount.per = last.thing if last is not None else amount.per

    def _setting(self, item: Phrase, phrase: NounPhrase) -> None:
        """Where or when, told before any amount."""
        setting = self.predicate.setting
        found = Circumstances()
        found.add(item, self.told)
        setting.place |= found.place
        setting.time |= found.time
        setting.flags |= {flag for flag in found.flags if not flag.startswith("per ")}
        if item.preposition in {"to", "from"} and self.predicate.kind in {
            "give", "take", "gain", "loss",
        }:  # fmt: skip
            setting.place |= _content(phrase)

    def _belonging(self, item: Phrase, phrase: NounPhrase, last: Amount) -> None:
        """What a phrase without a number says of the amount before it."""
        preposition, kind = item.preposition, self.predicate.kind
        one_unit = phrase.article and phrase.head in words.UNITS_OF_TIME and not phrase.mods
        if (
            (phrase.each and phrase.head not in {"", "one"})
            or preposition == "per"
            or (preposition in {"in", "for"} and one_unit)
        ):
            last.per = thing_of(phrase)
            return
        if phrase.each or phrase.head == "one":
            self._in_each(item, last)
            return
        content = _content(phrase)
        names = self.told.named_by(phrase)
        who = names[0] if names else ""
        if (preposition in {"to", "with"} and kind == "give" and who) or (
            preposition == "to" and kind in {"loss", "act", "price"} and who
        ):
            last.receiver = who
            last.near |= content
        elif who and (preposition == "from" or (preposition == "by" and "passive" in last.flags)):
            last.source = who
            last.place |= content
        elif is_time(item):
            last.time |= content
        elif phrase.head in {"all", "total"} and preposition == "in":
            last.flags |= {"total"}
        elif phrase.head in {"beginning", "start", "first"}:
            last.flags |= {"start"}
        elif phrase.head == "end" and preposition in {"at", "in"} and not phrase.of:
            last.flags |= {"now"}
        else:
            last.place |= content
            last.near |= content
            if phrase.article and preposition in {"in", "on", "inside"}:
                last.flags |= {f"in one {phrase.head}"}

    def _in_each(self, item: Phrase, last: Amount) -> None:
        """Of what: the amount before ("5 bags with 3 in each"), or a plural without a number."""
        counted = None
        if len(self.made) > 1 and item.preposition in {"in", "on"}:
            counted = self.made[-2].thing
        if counted is None:
            counted = self._plural_before(item)
        if counted is None:
            last.flags |= {"each"}
        else:
            last.per = counted

    def _plural_before(self, item: Phrase) -> Thing | None:
        """The plural without a number before "5 in each": "into bags with 5 in each"."""
        for each in reversed(self.items[: self.items.index(item)]):
            phrase = each.phrase
            if phrase is not None and not phrase.amount and phrase.plural:
                return thing_of(phrase)
        return None

    def _before(self, item: Phrase) -> NounPhrase | None:
        """The noun phrase directly before a prepositional phrase."""
        at = self.items.index(item)
        return self.items[at - 1].phrase if at > 0 else None


def _content(phrase: NounPhrase) -> frozenset[str]:
    """The words of a phrase, and whose it is."""
    content = thing_of(phrase).words - {""}
    if phrase.owner and phrase.owner not in _NOBODYS:
        content |= {phrase.owner}
    return content
