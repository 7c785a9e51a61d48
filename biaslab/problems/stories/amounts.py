"""What each number of a story is a number of: whose, of what, gained or lost, where and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from biaslab.problems.stories import words
from biaslab.problems.stories.clauses import Clause, Verb, clauses_of, verbs_of
from biaslab.problems.stories.phrases import NounPhrase, noun_phrase
from biaslab.problems.stories.words import Sentence, Token


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
        modals: verbs before the verb.
        flags: among total, left, start, now, part, other, each, rest, denied, passive, condition,
            described.
        sentence, clause: where it stands.
        near: further words that stand with it.
        generic: of what any one has so many ("A box holds 6"); a rate if the story counts those.
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
    modals: tuple[str, ...] = ()
    flags: frozenset[str] = frozenset()
    sentence: int = 0
    clause: int = 0
    near: frozenset[str] = frozenset()
    generic: Thing | None = None

    @property
    def compared(self) -> bool:
        """Whether it tells a difference or a multiple, not an amount."""
        return self.than is not None or bool(self.than_owner) or self.times


def _with_more(amount: Amount, **found: Any) -> Amount:
    """The amount with what was found out about it; far faster than a copy with each word."""
    for name, value in found.items():
        setattr(amount, name, value)
    return amount


def _without_number(phrase: NounPhrase) -> NounPhrase:
    return NounPhrase(phrase.start, phrase.end, head=phrase.head, mods=phrase.mods, of=phrase.of)


@dataclass(slots=True)
class Item:
    """A noun phrase, a prepositional phrase or an adverb of a clause."""

    kind: str
    phrase: NounPhrase | None = None
    preposition: str = ""
    word: str = ""


@dataclass(slots=True)
class StoryFacts:
    """All that was understood of a story's statements."""

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

    def pronoun(self, word: str) -> tuple[str, ...]:
        """Who “he” or “she” is: the last who was named; unsure where it may be somebody else."""
        if not self.person:
            return (word,)
        sex = "he" if word in {"he", "him"} else "she"
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


_MORE = words.classes()["more"]
_FEWER = frozenset({"fewer", "less", "lesser", "shorter", "lighter", "smaller", "lower", "cheaper"})
_TIME_WORDS = words.TIMES - {"second", "half", "class", "time", "game", "fall", "spring", "may"}


def items_of(tokens: Sequence[Token], start: int, end: int, verbs: frozenset[int]) -> list[Item]:
    """The phrases of a part of a sentence, in order."""
    found: list[Item] = []
    at = start
    while at < end:
        word = tokens[at].word
        if at in verbs:
            at += 1
            continue
        if word == "than":
            phrase = noun_phrase(tokens, at + 1, end, verbs)
            found.append(Item("than", phrase))
            at = phrase.end if phrase is not None else at + 1
            continue
        if word == "as" and at + 2 < end and tokens[at + 1].word in {"many", "much"}:
            found.append(Item("word", word="as many"))
            at += 2
            continue
        if word == "as" and found and any(item.word == "as many" for item in found):
            phrase = noun_phrase(tokens, at + 1, end, verbs)
            found.append(Item("than", phrase))
            at = phrase.end if phrase is not None else at + 1
            continue
        if word in words.PREPOSITIONS and not (
            word == "about" and at + 1 < end and tokens[at + 1].number
        ):
            after = at + 1
            if after < end and tokens[after].word == "size":
                after += 1
            while after < end and tokens[after].word in words.PREPOSITIONS:
                after += 1
            phrase = noun_phrase(tokens, after, end, verbs)
            if phrase is None:
                found.append(Item("word", word=word))
                at += 1
            else:
                found.append(Item("with", phrase, word))
                at = phrase.end
            continue
        phrase = noun_phrase(tokens, at, end, verbs)
        if phrase is not None:
            found.append(Item("phrase", phrase))
            at = phrase.end
            continue
        found.append(Item("word", word=word))
        at += 1
    return found


def tell(sentences: Sequence[Sentence], told: StoryFacts | None = None) -> StoryFacts:
    """The amounts of sentences, in order."""
    told = told or StoryFacts()
    for index, sentence in enumerate(sentences):
        tell_sentence(sentence.tokens, index, told)
    return told


def tell_sentence(
    tokens: Sequence[Token], index: int, told: StoryFacts, condition: bool = False
) -> None:
    """Adds the amounts of a sentence."""
    verbs = verbs_of(tokens)
    taken = frozenset(at for verb in verbs for at in range(verb.start, verb.end))
    clauses = clauses_of(tokens, verbs)
    if len(clauses) > 1 and clauses[0].verb is not None and not clauses[0].verb.finite:
        # "After paying 2 dollars, Bryon has 17": he is the one who paid.
        following = _Teller(tokens, taken, told, index, clauses[1], condition)
        following.owners_ahead()
    for clause in clauses:
        _Teller(tokens, taken, told, index, clause, condition).tell()
        told.clauses += 1


class _Teller:
    """Reads one clause."""

    def __init__(
        self,
        tokens: Sequence[Token],
        taken: frozenset[int],
        told: StoryFacts,
        sentence: int,
        clause: Clause,
        condition: bool,
    ) -> None:
        self.tokens = tokens
        self.taken = taken
        self.told = told
        self.sentence = sentence
        self.clause = clause
        self.condition = condition
        self.after: list[Item] = []
        self.object = Thing()

    def tell(self) -> None:
        clause = self.clause
        verb = clause.verb or Verb(clause.end, clause.end, "")
        before = items_of(self.tokens, clause.start, verb.start, self.taken)
        after = items_of(self.tokens, verb.end, clause.end, self.taken)
        self.after = after
        subjects = self._subjects(before)
        place, time, flags = self._circumstances(before)
        owners = self._owners(subjects, verb)
        lemma, kind = self._verb(verb, after)
        if kind == "give" and verb.passive and not any(s.amount for s in subjects):
            # "Ana is given 9 by Ben": she gets them.
            kind = "gain"
        if (
            kind == "act"
            and verb.modals
            and verb.modals[-1] in words.BE
            and not verb.passive
            and any(s.amount for s in subjects)
        ):
            # "3 raccoons are playing": so many are there.
            kind = "state"
        for word in (item.word for item in [*before, *after] if item.kind == "word"):
            if word in {"left", "remaining", "over"}:
                flags.add("left")
            elif word in {"now", "currently"}:
                flags.add("now")
            elif word in {"initially", "originally"}:
                flags.add("start")
            elif word in {"altogether", "together", "total"}:
                flags.add("total")
            elif word in {"each", "apiece"}:
                flags.add("each")
        if verb.negated:
            flags.add("denied")
        if verb.passive:
            flags.add("passive")
        if self.condition:
            flags.add("condition")
        if verb.lemma in {"start", "begin"}:
            flags.add("start")
        per = next((s for s in subjects if s.each and s.head), None) or self._each_ahead(before)
        if any(s.each and not s.head for s in subjects) and len(subjects) > 1:
            # "They each ate 8 pieces."
            flags.add("each")
        generic = next((s for s in subjects if s.article and s.head and not s.name), None)
        if generic is None and kind in {"state", "price", "need"} and len(subjects) == 1:
            # "One pack costs 12 dollars."
            only = subjects[0]
            if only.value == 1 and only.head and self.tokens[only.start].word in {"one", "1", "#"}:
                generic = only
                subjects = [_without_number(only)]
        made: list[Amount] = []
        for phrase in subjects:
            if phrase.each and phrase.value is not None:
                # "Each of the 4 boys": how many there are.
                made.append(self._amount(phrase, (), "be", "state", True, place, time, set(), verb))
            elif phrase.amount and phrase.value == 1 and self._one():
                continue
            elif phrase.amount or phrase.rest:
                made.append(
                    self._amount(
                        phrase,
                        owners if not phrase.amount else (),
                        lemma,
                        kind,
                        True,
                        place,
                        time,
                        flags,
                        verb,
                    )
                )
        if lemma == "be" and not any(
            item.kind == "with" or item.word.endswith("ing") for item in after
        ):
            # "5 apples are green": what they are like, not that there are 5 more.
            made = [
                _with_more(each, flags=each.flags | {"described"}) if each.subject else each
                for each in made
            ]
        agents = owners if not any(s.amount for s in subjects) else ()
        for item in before:
            if item.kind == "with" and item.phrase is not None and item.phrase.value is not None:
                # "A group with 2 adults and 5 children came."
                amount = self._amount(item.phrase, (), lemma, kind, True, place, time, flags, verb)
                made.append(_with_more(amount, flags=amount.flags | {"prep " + item.preposition}))
        made.sort(key=lambda each: each.at)
        if any(s.each for s in subjects):
            agents = owners
        for amount in self._objects(after, agents, lemma, kind, place, time, flags, verb, per):
            if (
                generic is not None
                and kind in {"state", "need", "price", "act", "take"}
                and amount.per is None
            ):
                amount = _with_more(amount, generic=Thing(generic.head, generic.mods, generic.of))
            made.append(amount)
        self._fill(made)
        self._spread(made)
        for amount in made:
            amount.index = len(self.told.amounts)
            self.told.amounts.append(amount)

    def _each_ahead(self, before: Sequence[Item]) -> NounPhrase | None:
        """“In each row, there are 15 heads.”"""
        return next(
            (
                item.phrase
                for item in before
                if item.kind == "with"
                and item.phrase is not None
                and item.phrase.each
                and item.phrase.head not in {"", "one"} | _TIME_WORDS
                and item.phrase.value is None
                and item.preposition in {"in", "inside", "on", "into", "at"}
            ),
            None,
        )

    def owners_ahead(self) -> None:
        """Makes the subject of this clause that of a gerund before it."""
        verb = self.clause.verb
        if verb is not None and verb.finite:
            before = items_of(self.tokens, self.clause.start, verb.start, self.taken)
            self._owners(self._subjects(before), verb)

    def _verb(self, verb: Verb, after: Sequence[Item]) -> tuple[str, str]:
        known = words.lexicon()
        particle = ""
        for number, item in enumerate(after[:4]):
            if item.kind == "word" and f"{verb.lemma} {item.word}" in known.particles:
                particle = item.word
            elif item.kind == "with" and f"{verb.lemma} {item.preposition}" in known.particles:
                # "put in 5 cups" and "gave 5 away to Ben", not "got 5 lives in the game".
                direct = (
                    number == 0
                    and item.phrase is not None
                    and item.phrase.head not in {"all", "total"}
                )
                if direct or item.preposition in {"away", "out", "off", "up"}:
                    particle = item.preposition
        if particle:
            lemma = f"{verb.lemma} {particle}"
            return lemma, known.particles[lemma]
        if verb.lemma == "share" and any(
            i.kind == "phrase" and i.phrase is not None and i.phrase.amount for i in after
        ):
            partner = next(
                (i.phrase for i in after if i.kind == "with" and i.preposition == "with"), None
            )
            if partner is not None and not partner.amount:
                # "She shares 7 with Eugene": she gives them.
                return "share", "give"
        if verb.lemma in known.unclear:
            return verb.lemma, "act"
        return verb.lemma, known.verbs.get(verb.lemma, "act")

    def _subjects(self, before: Sequence[Item]) -> list[NounPhrase]:
        found: list[NounPhrase] = []
        inside = False
        for number, item in enumerate(before):
            if item.kind == "with":
                inside = True
            elif item.kind == "word" and item.word not in {"and", "or"}:
                inside = False
            elif (
                item.kind == "phrase" and item.phrase is not None and not self._is_time(item.phrase)
            ):
                more = any(each.kind == "phrase" for each in before[number + 1 :])
                joined = number > 0 and before[number - 1].word in {"and", "or"}
                if inside and joined and more and not found:
                    continue
                found.append(item.phrase)
        if len(found) > 1 and found[-1].pronoun and before[-1].phrase is found[-1]:
            joined = len(before) > 1 and before[-2].word == "and"
            return found if joined else [found[-1]]
        return found

    def _is_time(self, phrase: NounPhrase) -> bool:
        return phrase.head in _TIME_WORDS and not phrase.amount

    def _owners(self, subjects: Sequence[NounPhrase], verb: Verb) -> tuple[str, ...]:
        told = self.told
        if any(item.word == "there" for item in self.tokens[self.clause.start : verb.start]):
            return ()
        if self.clause.relative:
            return self._described() or told.subject
        if not subjects:
            return told.subject if self.clause.link or not verb.finite else ()
        owners: list[str] = []
        kin = any(each.head in words.KIN for each in subjects)
        if len(subjects) > 1 and not any(
            self.tokens[at].word in {"and", "or"}
            for at in range(subjects[0].end, subjects[-1].start)
        ):
            # "Willie, the town baker,": one person; "her brother, Todd": Todd.
            named = [each for each in subjects if each.name]
            subjects = named[-1:] if named else subjects[-1:]
        for phrase in subjects:
            for owner in self._named(phrase):
                if owner not in owners:
                    owners.append(owner)
        told.subject = tuple(owners)
        if len(owners) > 1:
            told.group = tuple(owners)
        last = subjects[-1]
        if (
            len(owners) == 1
            and not last.pronoun
            and not last.each
            and (last.name or (not last.plural and not told.named and owners[0] not in words.KIN))
            and not kin
        ):
            told.person = owners[0]
            told.named = told.named or last.name
            if owners[0] not in told.people:
                told.people.append(owners[0])
        return tuple(owners)

    def _described(self) -> tuple[str, ...]:
        """Whom "who" describes, where it stands after somebody: "more than Ana, who has 5"."""
        at = self.clause.start - 1
        if at < 1 or self.tokens[at].word != "who":
            return ()
        before = self.tokens[at - 2 if self.tokens[at - 1].word == "," else at - 1]
        somebody = before.capital or before.word in words.KIN
        return (before.word,) if somebody and before.word not in self.told.subject else ()

    def _named(self, phrase: NounPhrase) -> tuple[str, ...]:
        """Whom a phrase names, pronouns resolved."""
        told = self.told
        if phrase.pronoun:
            word = phrase.head
            if word in {"he", "she", "him", "her"}:
                return told.pronoun(word)
            if word in {"they", "them", "we", "us"}:
                return told.group or ("they",)
            if word == "it":
                return told.subject or ("it",)
            return (word,)
        if phrase.rest or phrase.head == "rest":
            return ()
        if phrase.head in words.KIN and phrase.owner:
            if phrase.owner not in words.POSSESSIVES | {"her"}:
                # "Carrie's mom gave her ...": Carrie.
                told.person, told.named = phrase.owner, True
            return (phrase.head,)
        if phrase.other and phrase.head:
            return ("other " + phrase.head,)
        return (phrase.head,) if phrase.head else ()

    def _circumstances(self, before: Sequence[Item]) -> tuple[set[str], set[str], set[str]]:
        place: set[str] = set()
        time: set[str] = set()
        flags: set[str] = set()
        for item in before:
            if item.kind == "with" and item.phrase is not None:
                self._circumstance(item, place, time, flags)
            elif item.kind == "phrase" and item.phrase is not None and self._is_time(item.phrase):
                time |= item.phrase.mods | {item.phrase.head}
                if item.phrase.each:
                    flags.add("per " + item.phrase.head)
            elif item.kind == "word" and item.word in words.TIMES | {"last", "next"}:
                time.add(item.word)
        return place, time, flags

    def _circumstance(self, item: Item, place: set[str], time: set[str], flags: set[str]) -> None:
        phrase = item.phrase
        assert phrase is not None
        if (
            phrase.owner
            and not self.told.person
            and phrase.owner not in words.POSSESSIVES | {"her"}
        ):
            self.told.person = phrase.owner
        content = (
            phrase.mods | phrase.of | {phrase.head} | ({phrase.owner} if phrase.owner else set())
        )
        if phrase.head in {"first", "beginning", "start"} and item.preposition in {"at", "in"}:
            flags.add("start")
        elif phrase.head in {"all", "total"}:
            flags.add("total")
        elif phrase.head in _TIME_WORDS or item.preposition in {
            "during",
            "after",
            "before",
            "until",
        }:
            time |= content
            if phrase.each and phrase.head:
                flags.add("per " + phrase.head)
        else:
            place |= content

    def _objects(
        self,
        after: Sequence[Item],
        owners: tuple[str, ...],
        lemma: str,
        kind: str,
        place: set[str],
        time: set[str],
        flags: set[str],
        verb: Verb,
        per: NounPhrase | None,
    ) -> list[Amount]:
        """The amounts after the verb, each with the phrases that follow it."""
        made: list[Amount] = []
        receiver = ""
        early_place, early_time = set(place), set(time)
        comparative = ""
        for _number, item in enumerate(after):
            phrase = item.phrase
            last = made[-1] if made else None
            if item.kind == "phrase" and phrase is not None:
                if phrase.amount or phrase.rest:
                    amount = self._amount(
                        phrase, owners, lemma, kind, False, early_place, early_time, flags, verb
                    )
                    if "as many" in comparative:
                        amount = _with_more(amount, times=True)
                    if per is not None:
                        amount = _with_more(amount, per=Thing(per.head, per.mods, per.of))
                    if receiver:
                        amount = _with_more(amount, receiver=receiver)
                    made.append(amount)
                elif phrase.each and phrase.head and last is not None:
                    made[-1] = _with_more(last, per=Thing(phrase.head, phrase.mods, phrase.of))
                elif last is not None and (
                    (phrase.each and not phrase.head) or (phrase.article and phrase.head == "piece")
                ):
                    made[-1] = _with_more(last, flags=last.flags | {"each"})
                elif phrase.article and phrase.head in words.UNITS_OF_TIME and last is not None:
                    made[-1] = _with_more(last, per=Thing(phrase.head))
                elif phrase.head in _TIME_WORDS and not phrase.pronoun:
                    content = phrase.mods | {phrase.head}
                    if last is not None:
                        made[-1] = _with_more(last, time=last.time | content)
                    else:
                        early_time |= content
                elif (last is not None and "as many" in comparative) or (
                    last is not None and last.times
                ):
                    made[-1] = (
                        _with_more(made[-1], thing=Thing(phrase.head, phrase.mods, phrase.of))
                        if not phrase.pronoun
                        else made[-1]
                    )
                elif last is None and not phrase.each:
                    if (
                        phrase.head
                        and not phrase.pronoun
                        and not phrase.name
                        and kind in {"share", "put", "act"}
                    ):
                        self.object = Thing(phrase.head, phrase.mods, phrase.of)
                    names = self._named(phrase)
                    receiver = names[0] if names else ""
                    if phrase.pronoun and phrase.head in words.OBJECTS and receiver in owners:
                        other = [p for p in self.told.people if p not in owners]
                        receiver = other[-1] if other else receiver
                        self.told.person = receiver
                        if other:
                            self.told.person = receiver
                elif last is not None:
                    made[-1] = _with_more(last, near=last.near | phrase.mods | {phrase.head})
            elif item.kind == "with" and phrase is not None:
                self._with(
                    item, phrase, made, lemma, kind, owners, flags, verb, early_place, early_time
                )
                if last is None and phrase.amount:
                    pass
            elif item.kind == "than":
                if last is not None and phrase is not None:
                    made[-1] = self._compared(last, phrase)
                elif last is not None:
                    made[-1] = _with_more(last, than=Thing("?"))
            elif item.kind == "word":
                if item.word == "as many":
                    comparative = "as many"
                    if last is not None and last.times:
                        continue
                elif item.word in {"each", "apiece"} and last is not None:
                    made[-1] = _with_more(last, flags=last.flags | {"each"})
                elif item.word in {"yesterday", "today", "tomorrow", "last", "next"}:
                    if last is not None:
                        made[-1] = _with_more(last, time=last.time | {item.word})
                    else:
                        early_time.add(item.word)
                elif item.word == "twice":
                    comparative = "twice"
                elif item.word in _MORE and last is not None:
                    made[-1] = _with_more(last, more=True)
                elif item.word in _FEWER and last is not None:
                    made[-1] = _with_more(last, fewer=True, more=False)
        return made

    def _compared(self, last: Amount, phrase: NounPhrase) -> Amount:
        if phrase.other:
            return _with_more(last, than_owner="other " + phrase.head)
        if (
            phrase.pronoun
            or phrase.name
            or (phrase.head in self.told.people)
            or phrase.head in words.KIN
        ):
            names = self._named(phrase)
            return _with_more(last, than_owner=names[0] if names else "?")
        if phrase.owner and phrase.head == last.thing.head:
            return _with_more(last, than_owner=phrase.owner)
        return _with_more(last, than=Thing(phrase.head, phrase.mods, phrase.of))

    def _with(
        self,
        item: Item,
        phrase: NounPhrase,
        made: list[Amount],
        lemma: str,
        kind: str,
        owners: tuple[str, ...],
        flags: set[str],
        verb: Verb,
        place: set[str],
        time: set[str],
    ) -> None:
        """A prepositional phrase, which belongs to the number before it."""
        last = made[-1] if made else None
        preposition = item.preposition
        if phrase.value is not None and phrase.each and phrase.head and last is not None:
            made[-1] = _with_more(last, per=Thing(phrase.head, phrase.mods, phrase.of))
            made.append(
                _with_more(
                    self._amount(phrase, (), "be", "state", False, place, time, flags, verb),
                    per=None,
                )
            )
            return
        if phrase.amount and not phrase.each:
            amount = self._amount(phrase, owners, lemma, kind, False, place, time, flags, verb)
            amount = _with_more(amount, flags=amount.flags | {"prep " + preposition})
            group = self._before(item)
            single = group is not None and group.article and not group.plural
            if preposition == "of" and single and kind != "share":
                # "A group of 4 friends", "a box of 110 crayons": just so many.
                amount = _with_more(
                    amount, near=amount.near | {group.head} if group is not None else amount.near
                )
            elif (
                preposition == "of"
                and group is not None
                and group.head
                and not group.pronoun
                and not group.total
            ):
                # "into groups of 9", "3 boxes of 12 pens"
                amount = _with_more(amount, per=Thing(group.head, group.mods, group.of))
            elif (
                preposition == "with"
                and last is not None
                and group is not None
                and group.value is not None
                and group.plural
            ):
                amount = _with_more(amount, per=last.thing)
            made.append(amount)
            return
        thing = Thing(phrase.head, phrase.mods, phrase.of)
        content = thing.words - {""}
        if phrase.owner and phrase.owner not in {"his", "her", "their", "its", "the", "my", "our"}:
            content |= {phrase.owner}
        if last is None:
            where, when, more = set[str](), set[str](), set[str]()
            self._circumstance(item, where, when, more)
            place |= where
            time |= when
            flags |= {each for each in more if not each.startswith("per ")}
            if preposition in {"to", "from"} and kind in {"give", "take", "gain", "loss"}:
                place |= content
            return
        if phrase.each and phrase.head and phrase.head == last.thing.head:
            return
        if (
            (phrase.each and phrase.head not in {"", "one"})
            or preposition == "per"
            or (
                preposition in {"in", "for"}
                and phrase.article
                and phrase.head in words.UNITS_OF_TIME
                and not phrase.mods
            )
        ):
            made[-1] = _with_more(last, per=thing)
            return
        if phrase.each or phrase.head == "one":
            counted = made[-2].thing if len(made) > 1 and preposition in {"in", "on"} else None
            if counted is None and self._group_before(item) is not None:
                counted = self._group_before(item)
            made[-1] = (
                _with_more(last, per=counted)
                if counted is not None
                else _with_more(last, flags=last.flags | {"each"})
            )
            return
        names = self._named(phrase)
        who = names[0] if names else ""
        if (preposition in {"to", "with"} and kind == "give" and who) or (
            preposition == "to" and kind in {"loss", "act", "price"} and who
        ):
            made[-1] = _with_more(last, receiver=who, near=last.near | content)
        elif who and (preposition == "from" or (preposition == "by" and "passive" in last.flags)):
            made[-1] = _with_more(last, source=who, place=last.place | content)
        elif phrase.head in _TIME_WORDS or preposition in {"during", "after", "before", "until"}:
            made[-1] = _with_more(last, time=last.time | content)
        elif phrase.head in {"all", "total"} and preposition == "in":
            made[-1] = _with_more(last, flags=last.flags | {"total"})
        elif phrase.head in {"beginning", "start", "first"}:
            made[-1] = _with_more(last, flags=last.flags | {"start"})
        else:
            made[-1] = _with_more(last, place=last.place | content, near=last.near | content)

    def _one(self) -> bool:
        """Whether a subject's 1 is the "one" of "one stack ... the other"."""
        return any(token.word in {"other", "another"} for token in self.tokens)

    def _group_before(self, item: Item) -> Thing | None:
        """The plural without a number before "5 in each": "into bags with 5 in each"."""
        for each in reversed(self.after[: self.after.index(item)]):
            phrase = each.phrase
            if phrase is not None and not phrase.amount and phrase.plural:
                return Thing(phrase.head, phrase.mods, phrase.of)
        return None

    def _before(self, item: Item) -> NounPhrase | None:
        """The noun phrase directly before a prepositional phrase."""
        at = self.after.index(item)
        return self.after[at - 1].phrase if at > 0 else None

    def _amount(
        self,
        phrase: NounPhrase,
        owners: tuple[str, ...],
        lemma: str,
        kind: str,
        subject: bool,
        place: set[str],
        time: set[str],
        flags: set[str],
        verb: Verb,
    ) -> Amount:
        if (
            phrase.head in {"dollar", "cent"}
            and lemma in {"buy", "purchase", "order", "get"}
            and lemma != "get"
        ):
            lemma, kind = "spend", "loss"
        if phrase.head in {"picture", "photo", "photograph", "note"} and lemma == "take":
            kind = "make"
        own = set(flags)
        for name in ("total", "part", "other", "rest"):
            if getattr(phrase, name):
                own.add(name)
        if phrase.owner:
            own.add("of " + (self.told.person if phrase.owner in {"his", "her"} else phrase.owner))
        per = None
        for flag in flags:
            if flag.startswith("per "):
                per = Thing(flag[4:])
        return Amount(
            -1,
            phrase.at,
            phrase.value,
            Thing(phrase.head, phrase.mods, phrase.of),
            owners,
            lemma,
            kind,
            subject,
            place=frozenset(place),
            time=frozenset(time),
            more=phrase.more,
            fewer=phrase.fewer,
            times=phrase.times,
            modals=verb.modals,
            flags=frozenset(own),
            per=per,
            sentence=self.sentence,
            clause=self.told.clauses,
        )

    def _spread(self, made: list[Amount]) -> None:
        """A place, time or comparison told after a list belongs to all of it."""
        for index in range(len(made) - 2, -1, -1):
            later, each = made[index + 1], made[index]
            if each.sentence != later.sentence or each.subject != later.subject:
                continue
            if not each.place and later.place and not each.receiver and not each.time - later.time:
                each = _with_more(each, place=later.place)
            if not each.time and later.time and not each.place - later.place:
                each = _with_more(each, time=later.time)
            if (
                (each.more or each.fewer)
                and (later.more or later.fewer)
                and not each.compared
                and later.compared
            ):
                each = _with_more(each, than=later.than, than_owner=later.than_owner)
            made[index] = each

    def _shared_noun(self, amount: Amount, following: Thing) -> Thing:
        """The noun of "16 blue and 25 green balloons" and "2 apple and 7 pumpkin pies"."""
        thing = amount.thing
        measures = words.MEASURES | words.UNITS_OF_TIME | {"dollar", "cent"}
        if not thing.head or not following.head or thing.of or thing.head == following.head:
            return thing
        if thing.head in measures or words.is_plural(thing.head):
            return thing
        # "5 red and 3 blue cups": cups here, though a cup may be a measure.
        kinds = following.mods and words.can_be_adjective(thing.head)
        if following.head in measures and not kinds:
            return thing
        if words.is_plural_form(thing.head, self.tokens) or not words.is_plural_form(
            following.head, self.tokens
        ):
            return thing
        if (words.can_be_adjective(thing.head) and amount.value != 1) or (amount.value or 0) > 1:
            return Thing(following.head, thing.mods | {thing.head}, following.of)
        return thing

    def _fill(self, made: list[Amount]) -> None:
        """Puts in the nouns that are left out."""
        told = self.told
        for index in range(len(made) - 2, -1, -1):
            made[index] = _with_more(
                made[index], thing=self._shared_noun(made[index], made[index + 1].thing)
            )
        for index, amount in enumerate(made):
            if amount.times and not (amount.than or amount.than_owner):
                made[index] = _with_more(amount, times=False, thing=Thing("time"))
                continue
            thing = amount.thing
            if not thing.head or thing.head == "one":
                base = self.object if self.object.head else told.last_thing
                thing = Thing(
                    base.head,
                    thing.mods | (base.mods if not thing.mods else frozenset()),
                    thing.of or base.of,
                )
                if amount.thing.head == "one" or not amount.thing.head:
                    made[index] = _with_more(amount, flags=amount.flags | {"elliptic"})
            if thing.head and thing.head == told.last_thing.head and not thing.of:
                # "6 buckets" after "8 buckets of seeds".
                thing = Thing(thing.head, thing.mods, told.last_thing.of)
            made[index] = _with_more(made[index], thing=thing)
            if thing.head in {"picture", "photo", "photograph"} and amount.verb == "take":
                made[index] = _with_more(made[index], kind="make")
            if (
                thing.head
                and thing.head != "rest"
                and thing.head not in {"dollar", "cent"} | words.UNITS_OF_TIME
                and not amount.times
            ):
                told.last_thing = thing
