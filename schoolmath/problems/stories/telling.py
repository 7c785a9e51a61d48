"""Reads clauses: who does what, then the amounts before the verb and those after it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from schoolmath.problems.stories import words
from schoolmath.problems.stories.amounts import Amount, Thing, thing_of
from schoolmath.problems.stories.clauses import Verb, VerbClause, clauses_of, verbs_of
from schoolmath.problems.stories.facts import (
    TIME_WORDS,
    ClausePredicate,
    Objects,
    StoryFacts,
    is_time_alone,
    setting_of,
)
from schoolmath.problems.stories.phrases import NounPhrase, Phrase, items_of
from schoolmath.problems.stories.words import StorySentence, StoryToken

# What is left out of the amounts of a clause, put in from those beside them.

_MONEY = frozenset({"dollar", "cent"})


def fill(
    amounts: Sequence[Amount], direct: Thing, tokens: Sequence[StoryToken], facts: StoryFacts
) -> None:
    """Puts in the nouns that are left out.

    Args:
        amounts: the amounts of a clause, in order.
        direct: what the clause does something with, without a number; empty: nothing.
        tokens: of the sentence.
        facts: what the story told before; the last thing that it tells of is noted.
    """
    for each, later in zip(reversed(amounts[:-1]), reversed(amounts[1:]), strict=True):
        each.thing = _shared_noun(each, later.thing, tokens)
    for before, amount in itertools.pairwise(amounts):
        told = amount.than or amount.than_owner or before.times or before.per
        if amount.times and not told and _of_another_kind(amount.thing, before.thing):
            # "120 black chairs and 3 times as many white chairs"
            amount.than = before.thing
    for amount in amounts:
        if amount.times and not (amount.than or amount.than_owner):
            amount.times, amount.thing = False, Thing("time")
            continue
        thing = amount.thing
        if not thing.head or thing.head == "one":
            base = direct if direct.head else facts.last_thing
            mods = thing.mods or base.mods
            thing = Thing(base.head, mods, thing.of or base.of)
            amount.flags |= {"elliptic"}
        if thing.head and thing.head == facts.last_thing.head and not thing.of:
            # "6 buckets" after "8 buckets of seeds".
            thing = Thing(thing.head, thing.mods, facts.last_thing.of)
        amount.thing = thing
        if thing.head in {"picture", "photo", "photograph"} and amount.verb == "take":
            amount.kind = "make"
        nothing = {"", "rest"} | _MONEY | words.UNITS_OF_TIME
        if thing.head not in nothing and not amount.times:
            facts.last_thing = thing


def _of_another_kind(one: Thing, other: Thing) -> bool:
    return one.head == other.head and bool(one.mods and other.mods) and one.mods != other.mods


def spread(amounts: Sequence[Amount]) -> None:
    """A place, time or comparison told after a list belongs to all of it."""
    for each, later in zip(reversed(amounts[:-1]), reversed(amounts[1:]), strict=True):
        if each.sentence != later.sentence or each.subject != later.subject:
            continue
        if not each.place and later.place and not each.receiver and not each.time - later.time:
            each.place = later.place
            each.flags |= {flag for flag in later.flags if flag.startswith("in one ")}
        if not each.time and later.time and not each.place - later.place:
            each.time = later.time
        both_differ = (each.more or each.fewer) and (later.more or later.fewer)
        if both_differ and not each.compared and later.compared:
            each.than, each.than_owner = later.than, later.than_owner


def _shared_noun(amount: Amount, following: Thing, tokens: Sequence[StoryToken]) -> Thing:
    """The noun of "16 blue and 25 green balloons" and "2 apple and 7 pumpkin pies"."""
    thing = amount.thing
    measures = words.MEASURES | words.UNITS_OF_TIME | _MONEY
    if not thing.head or not following.head or thing.of or thing.head == following.head:
        return thing
    if thing.head in measures or words.is_plural(thing.head):
        return thing
    # "5 red and 3 blue cups": cups here, though a cup may be a measure.
    kinds = following.mods and words.can_be_adjective(thing.head)
    if following.head in measures and not kinds:
        return thing
    if words.is_plural_form(thing.head, tokens) or not words.is_plural_form(following.head, tokens):
        return thing
    if (words.can_be_adjective(thing.head) and amount.value != 1) or (amount.value or 0) > 1:
        return Thing(following.head, thing.mods | {thing.head}, following.of)
    return thing


_FLAGS = {
    "left": "left", "remaining": "left", "over": "left",
    "now": "now", "currently": "now",
    "initially": "start", "originally": "start",
    "altogether": "total", "together": "total", "total": "total",
    "each": "each", "apiece": "each",
}  # fmt: skip
"""What single words say of all amounts of their clause."""

_OF_ANY_ONE = frozenset({"state", "need", "price", "act", "take"})
"""Kinds of verbs that tell what any one has: "a box holds 6"."""


def tell(sentences: Sequence[StorySentence], facts: StoryFacts | None = None) -> StoryFacts:
    """The amounts of sentences, in order."""
    facts = facts or StoryFacts()
    for index, sentence in enumerate(sentences):
        tell_sentence(sentence.tokens, index, facts)
    return facts


def tell_sentence(
    tokens: Sequence[StoryToken], index: int, facts: StoryFacts, condition: bool = False
) -> None:
    """Adds the amounts of a sentence."""
    verbs = verbs_of(tokens)
    taken = frozenset(at for verb in verbs for at in range(verb.start, verb.end))
    clauses = clauses_of(tokens, verbs)
    if len(clauses) > 1 and clauses[0].verb is not None and not clauses[0].verb.finite:
        # "After paying 2 dollars, Bryon has 17": he is the one who paid.
        _Clause(tokens, taken, facts, index, clauses[1], condition).owners_ahead()
    for clause in clauses:
        _Clause(tokens, taken, facts, index, clause, condition).tell()
        facts.clauses += 1


class _Clause:
    """Reads one clause."""

    def __init__(
        self,
        tokens: Sequence[StoryToken],
        numbers: frozenset[int],
        facts: StoryFacts,
        sentence: int,
        clause: VerbClause,
        condition: bool,
    ) -> None:
        self.tokens = tokens
        self.taken = numbers
        self.told = facts
        self.sentence = sentence
        self.clause = clause
        self.condition = condition

    def tell(self) -> None:
        """Adds its amounts to what the story told."""
        clause, told = self.clause, self.told
        verb = clause.verb or Verb(clause.end, clause.end, "")
        before = items_of(self.tokens, clause.start, verb.start, self.taken)
        after = items_of(self.tokens, verb.end, clause.end, self.taken)
        subjects = _subjects(before)
        setting = setting_of(before, told)
        owners = self._owners(subjects, verb)
        lemma, kind = _meaning(verb, after)
        predicate = ClausePredicate(
            verb, lemma, _kind(kind, verb, subjects, after), setting, self.sentence
        )
        setting.flags |= self._flags(verb, [*before, *after])
        if len(subjects) > 1 and any(each.each and not each.head for each in subjects):
            # "They each ate 8 pieces."
            setting.flags.add("each")
        per = next((each for each in subjects if each.each and each.head), _each_ahead(before))
        generic = next((s for s in subjects if s.article and s.head and not s.name), None)
        if generic is None and len(subjects) == 1 and self._any_one(subjects[0], predicate.kind):
            generic = subjects[0]
            subjects = [_without_number(generic)]
        made = self._of_subjects(subjects, owners, predicate, before, after)
        nobody = any(each.amount for each in subjects) and not any(each.each for each in subjects)
        objects = Objects(after, predicate, () if nobody else owners, per, told)
        for amount in objects.read():
            if generic is not None and predicate.kind in _OF_ANY_ONE and amount.per is None:
                amount.generic = thing_of(generic)
            one = per or generic
            if one is not None and one.head and one.value is None:
                amount.flags |= {f"by one {one.head}"}
            made.append(amount)
        if not objects.made:
            for amount in made:
                # "310 people came on Saturday": when it was stands behind the verb.
                amount.time |= setting.time
        word = self.tokens[verb.end].word if verb.end < clause.end else ""
        thing = after[0].phrase if after else None
        if not made and _untold(predicate, word, thing, told.last_thing):
            amount = predicate.amount(NounPhrase(verb.end, verb.end), owners, told)
            amount.flags |= {"them"}
            made.append(amount)
        fill(made, objects.direct, self.tokens, told)
        spread(made)
        for amount in made:
            amount.index = len(told.amounts)
            told.amounts.append(amount)

    def owners_ahead(self) -> None:
        """Makes the subject of this clause that of a gerund before it."""
        verb = self.clause.verb
        if verb is not None and verb.finite:
            before = items_of(self.tokens, self.clause.start, verb.start, self.taken)
            self._owners(_subjects(before), verb)

    def _flags(self, verb: Verb, items: Sequence[Phrase]) -> set[str]:
        found = {_FLAGS[item.word] for item in items if item.kind == "word" and item.word in _FLAGS}
        if verb.negated or (verb.start and self.tokens[verb.start - 1].word == "never"):
            found.add("denied")
        if verb.passive:
            found.add("passive")
        if self.condition:
            found.add("condition")
        if verb.lemma in {"start", "begin"}:
            found.add("start")
        return found

    def _any_one(self, phrase: NounPhrase, kind: str) -> bool:
        """Whether a subject with a 1 stands for any of its kind: "One pack costs 12 dollars."."""
        return (
            kind in {"state", "price", "need"}
            and phrase.value == 1
            and bool(phrase.head)
            and self.tokens[phrase.start].word in {"one", "1", "#"}
        )

    def _of_subjects(
        self,
        subjects: Sequence[NounPhrase],
        owners: tuple[str, ...],
        predicate: ClausePredicate,
        before: Sequence[Phrase],
        after: Sequence[Phrase],
    ) -> list[Amount]:
        """The amounts before the verb."""
        made: list[Amount] = []
        other = any(token.word in {"other", "another"} for token in self.tokens)
        for phrase in subjects:
            if phrase.each and phrase.value is not None:
                # "Each of the 4 boys": how many there are.
                made.append(predicate.count(phrase, self.told, subject=True))
            elif phrase.amount and phrase.value == 1 and other:
                # The "one" of "one stack ... the other" is no number.
                continue
            elif phrase.amount or phrase.rest:
                whose = () if phrase.amount else owners
                made.append(predicate.amount(phrase, whose, self.told, subject=True))
                if any(one.each and not one.head for one in subjects):
                    # "5 friends each have 8": each of the friends, not of something else.
                    made[-1].flags -= {"each"}
        if predicate.lemma == "be" and not any(
            item.kind == "with" or item.word.endswith("ing") for item in after
        ):
            # "5 apples are green": what they are like, not that there are 5 more.
            like = frozenset[str]().union(*map(_words_of, after))
            for amount in made:
                if amount.value is None or "left" not in amount.flags:  # no "16 were left"
                    amount.flags |= {"described"}
                    amount.like = like
        to = [item.phrase for item in after if item.kind == "with" and item.preposition == "to"]
        if predicate.verb.passive and predicate.kind == "give" and len(to) == 1 and to[0]:
            # "5 were given to Ana."
            for amount in made:
                amount.receiver = next(iter(self.told.named_by(to[0])), "")
        for item in before:
            if item.kind == "with" and item.phrase is not None and item.phrase.value is not None:
                # "A group with 2 adults and 5 children came."
                flag = "prep " + item.preposition
                made.append(
                    predicate.amount(item.phrase, (), self.told, subject=True, more_flags=[flag])
                )
        return sorted(made, key=lambda amount: amount.at)

    def _owners(self, subjects: Sequence[NounPhrase], verb: Verb) -> tuple[str, ...]:
        """Who does it; whom the story tells of from then on is noted."""
        told = self.told
        if any(item.word == "there" for item in self.tokens[self.clause.start : verb.start]):
            return ()
        if self.clause.relative:
            return self._described() or told.subject
        if not subjects:
            return told.subject if self.clause.link or not verb.finite else ()
        kin = any(each.head in words.KIN for each in subjects)
        if len(subjects) > 1 and not any(
            self.tokens[at].word in {"and", "or"}
            for at in range(subjects[0].end, subjects[-1].start)
        ):
            # "Willie, the town baker,": one person; "her brother, Todd": Todd.
            named = [each for each in subjects if each.name]
            subjects = named[-1:] if named else subjects[-1:]
        owners = tuple(
            dict.fromkeys(owner for phrase in subjects for owner in told.named_by(phrase))
        )
        told.subject = owners
        if len(owners) > 1:
            told.group = owners
        last = subjects[-1]
        if (
            len(owners) == 1
            and not last.pronoun
            and not last.each
            and (last.name or (not last.plural and not told.named and owners[0] not in words.KIN))
            and not kin
        ):
            if last.name and not told.named:
                # "A box holds 6 eggs. Carl has 8 boxes": nobody but Carl can be "he".
                told.people = [
                    each for each in told.people if _somebody(each) and each not in told.priced
                ]
            if not last.name and words.lexicon().verbs.get(verb.lemma) == "price":
                told.priced.add(owners[0])
            told.person = owners[0]
            told.named = told.named or last.name
            if owners[0] not in told.people:
                told.people.append(owners[0])
        return owners

    def _described(self) -> tuple[str, ...]:
        """Whom "who" describes, where it stands after somebody: "more than Ana, who has 5"."""
        at = self.clause.start - 1
        if at < 1 or self.tokens[at].word != "who":
            return ()
        before = self.tokens[at - 2 if self.tokens[at - 1].word == "," else at - 1]
        somebody = before.capital or before.word in words.KIN
        return (before.word,) if somebody and before.word not in self.told.subject else ()


def _somebody(noun: str) -> bool:
    """Whether a noun may be a person: a relative, or one who does something."""
    return noun in words.KIN or noun.endswith(("er", "or", "ist", "man", "woman", "boy", "girl"))


_CHANGING = frozenset({"gain", "loss", "give", "take"})


_INSTEAD = frozenset({"trade", "exchange", "swap", "replace", "return"})


def _untold(predicate: ClausePredicate, word: str, phrase: NounPhrase | None, last: Thing) -> bool:
    """Whether something comes or goes that no number tells: "found them again", "lost all".

    Args:
        predicate: what the clause says.
        word: after the verb.
        phrase: what stands there; None: no noun phrase.
        last: the last thing that the story told of.
    """
    if predicate.kind not in _CHANGING and predicate.lemma not in _INSTEAD:
        return False
    one = word in {"a", "an", "one", "another"} and phrase is not None
    return word in {"them", "all", "everything"} or (
        one and phrase is not None and phrase.head in {last.head, "one", ""}
    )


def _words_of(item: Phrase) -> frozenset[str]:
    """The words of a phrase, nouns in the singular."""
    words_here = thing_of(item.phrase).words if item.phrase is not None else frozenset[str]()
    return (words_here | {words.noun_lemma(item.word)}) - {""}


def _subjects(before: Sequence[Phrase]) -> list[NounPhrase]:
    """The noun phrases before the verb that are neither in another phrase nor tell when."""
    found: list[NounPhrase] = []
    inside = False
    for number, item in enumerate(before):
        if item.kind == "with":
            inside = True
        elif item.kind == "word" and item.word not in {"and", "or"}:
            inside = False
        elif item.kind == "phrase" and item.phrase is not None and not is_time_alone(item.phrase):
            more = any(each.kind == "phrase" for each in before[number + 1 :])
            joined = number > 0 and before[number - 1].word in {"and", "or"}
            if inside and joined and more and not found:
                continue
            found.append(item.phrase)
    if len(found) > 1 and found[-1].pronoun and before[-1].phrase is found[-1]:
        joined = len(before) > 1 and before[-2].word == "and"
        return found if joined else [found[-1]]
    return found


def _each_ahead(before: Sequence[Phrase]) -> NounPhrase | None:
    """“In each row, there are 15 heads.”"""
    return next(
        (
            item.phrase
            for item in before
            if item.kind == "with"
            and item.phrase is not None
            and item.phrase.each
            and item.phrase.head not in {"", "one"} | TIME_WORDS
            and item.phrase.value is None
            and item.preposition in {"in", "inside", "on", "into", "at"}
        ),
        None,
    )


def _meaning(verb: Verb, after: Sequence[Phrase]) -> tuple[str, str]:
    """The verb's lemma, with the particle that changes its meaning, and what it does."""
    known = words.lexicon()
    particle = ""
    for number, item in enumerate(after[:4]):
        if item.kind == "word" and f"{verb.lemma} {item.word}" in known.particles:
            particle = item.word
        elif item.kind == "with" and f"{verb.lemma} {item.preposition}" in known.particles:
            # "put in 5 cups" and "gave 5 away to Ben", not "got 5 lives in the game".
            phrase = item.phrase
            direct = number == 0 and phrase is not None and phrase.head not in {"all", "total"}
            if direct or item.preposition in {"away", "out", "off", "up"}:
                particle = item.preposition
    if particle:
        lemma = f"{verb.lemma} {particle}"
        return lemma, known.particles[lemma]
    if verb.lemma == "share" and any(
        item.kind == "phrase" and item.phrase is not None and item.phrase.amount for item in after
    ):
        partner = next(
            (item.phrase for item in after if item.kind == "with" and item.preposition == "with"),
            None,
        )
        if partner is not None and not partner.amount:
            # "She shares 7 with Eugene": she gives them.
            return "share", "give"
    if verb.lemma in known.unclear:
        return verb.lemma, "act"
    return verb.lemma, known.verbs.get(verb.lemma, "act")


def _kind(kind: str, verb: Verb, subjects: Sequence[NounPhrase], after: Sequence[Phrase]) -> str:
    """What the verb does, by its subjects and by what it is done with."""
    thing = after[0].phrase if after and after[0].kind == "phrase" else None
    if kind == "leave" and thing is not None and not is_time_alone(thing):
        # "8 children left their coats, flew a kite": they are still there.
        own = thing.owner in words.OWN
        if own or (verb.lemma in {"drop", "fly"} and not thing.pronoun):
            return "act"
    counted = any(each.amount for each in subjects)
    if kind == "give" and verb.passive and not counted:
        # "Ana is given 9 by Ben": she gets them.
        return "gain"
    by_whom = any(item.preposition == "by" for item in after)
    if verb.passive and counted and verb.lemma in {"adopt", "borrow"} and not by_whom:
        # "9 dogs were adopted": they are no longer there.
        return "leave"
    going_on = bool(verb.modals) and verb.modals[-1] in words.BE and not verb.passive
    if kind == "act" and going_on and counted:
        # "3 raccoons are playing": so many are there.
        return "state"
    return kind


def _without_number(phrase: NounPhrase) -> NounPhrase:
    return NounPhrase(phrase.start, phrase.end, head=phrase.head, mods=phrase.mods, of=phrase.of)
