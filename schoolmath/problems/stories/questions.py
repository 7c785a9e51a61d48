"""A question read: its noun, its verb, whose it is, where, when, compared with what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from schoolmath.problems.stories import words
from schoolmath.problems.stories.amounts import Amount, StoryQuestion, Thing, thing_of
from schoolmath.problems.stories.clauses import verbs_of
from schoolmath.problems.stories.facts import StoryFacts
from schoolmath.problems.stories.phrases import NounPhrase, Phrase, items_of, noun_phrase
from schoolmath.problems.stories.words import StoryToken


def _is_all(item: Phrase) -> bool:
    head = item.phrase.head if item.phrase is not None else item.word
    return head in {"all", "total"} or (item.phrase is not None and item.phrase.total)


def add_verb(
    question: StoryQuestion, lemma: str, phrases: Sequence[Phrase], facts: StoryFacts
) -> None:
    """Sets the question's verb, and adds what stands after it.

    Args:
        question: the question.
        lemma: of the verb.
        phrases: the phrases after it.
        facts: what the story told.
    """
    known = words.lexicon()
    kind = known.verbs.get(lemma, "act") if lemma not in known.unclear else "act"
    for number, item in enumerate(phrases[:4]):
        particle = item.word if item.kind == "word" else item.preposition
        if item.kind == "with" and (
            number
            or item.phrase is None
            or item.phrase.head in {"all", "total"}
            or particle in {"in", "on"}
        ):
            continue
        after = phrases[number + 1] if number + 1 < len(phrases) else None
        if after is not None and particle == "in" and _is_all(after):
            # "How many did she take in all?"
            continue
        if particle and f"{lemma} {particle}" in known.particles:
            lemma = f"{lemma} {particle}"
            kind = known.particles[lemma]
            break
    question.verb, question.kind = lemma, kind
    if lemma in {"start", "begin"}:
        question.flags.add("start")
    if lemma in {"cost", "charge"} or kind == "price":
        question.flags.add("money")
    add_around(question, phrases, facts)


def add_around(question: StoryQuestion, phrases: Sequence[Phrase], facts: StoryFacts) -> None:
    """Adds what stands around the verb: with whom it is compared, where, when, of each what."""
    for item in phrases:
        phrase = item.phrase
        if item.kind == "than" and phrase is not None:
            if (
                phrase.pronoun
                or phrase.name
                or phrase.head in facts.people
                or phrase.head in words.KIN
            ):
                question.than_owner = (named_in_question(phrase, facts) or ("?",))[0]
            elif phrase.owner and phrase.head in {question.thing.head, ""}:
                question.than_owner = phrase.owner
            else:
                question.than = thing_of(phrase)
        elif item.kind == "with" and phrase is not None:
            content = (
                phrase.mods
                | phrase.of
                | {phrase.head}
                | ({phrase.owner} if phrase.owner else set())
            )
            content -= {"his", "her", "their", "its"}
            if phrase.each or item.preposition == "per":
                question.per = thing_of(phrase)
            elif phrase.head in {"all", "total"}:
                question.flags.add("total")
            elif phrase.head in {"beginning", "start", "first"}:
                question.flags.add("start")
            elif phrase.head in {"end"}:
                question.flags.add("now")
            elif item.preposition == "to" and question.kind in {"give", "loss"}:
                question.receiver = (named_in_question(phrase, facts) or ("",))[0]
            elif phrase.head in words.TIMES or item.preposition in {"during", "before", "after"}:
                question.time |= content
                if item.preposition == "before":
                    question.flags.add("before")
            else:
                question.place |= content
        elif item.kind == "phrase" and phrase is not None:
            if phrase.head == "total":
                question.flags.add("total")
            elif phrase.each:
                question.per = thing_of(phrase) if phrase.head else question.per
            elif phrase.head in words.TIMES:
                question.time |= phrase.mods | {phrase.head}
            elif phrase.pronoun and question.kind == "price":
                continue
            else:
                question.place |= phrase.mods | {phrase.head}
        elif item.word in {"yesterday", "today", "tomorrow", "last"}:
            question.time.add(item.word)


def named_in_question(phrase: NounPhrase, facts: StoryFacts) -> tuple[str, ...]:
    """Whom a phrase of a question names, pronouns resolved."""
    if phrase.pronoun:
        if phrase.head in {"he", "she"}:
            return facts.pronoun(phrase.head)
        if phrase.head in {"they", "we"}:
            return facts.group or ("they",)
        if phrase.head == "it":
            return ("it",)
        return (phrase.head,)
    return (phrase.head,) if phrase.head else ()


# Where the verbs of a question stand, and what its main verb is.

_NOT_BEFORE_A_VERB = words.OPENERS | words.PREPOSITIONS | {"#"}
_ADVERBS = words.ADVERBS | {"still"}
_BEFORE_NOT = words.AUXILIARIES | words.SUBJECTS
_ENDS_A_NOUN = words.PREPOSITIONS | words.ADVERBS | {""}
_INSIDE_A_NOUN = words.PREPOSITIONS - {"to"}
_BEFORE_TO = frozenset({
    "need", "have", "want", "get", "plan", "go", "use", "decide", "hope", "like", "begin", "start",
})  # fmt: skip
"""Verbs that may stand before the one that matters: "has to buy"."""


def next_verb(tokens: Sequence[StoryToken], at: int, begin: int, end: int) -> int:
    """The next finite verb or auxiliary from a place on; the end where there is none."""
    for index in range(at, end):
        word = tokens[index].word
        if word in words.AUXILIARIES or word in words.CONTRACTED:
            return index
    shifted = [verb.start + begin for verb in verbs_of(tokens[begin:end])]
    for index in shifted:
        if index > at:
            return index
    # "How many pencils remain": the last word, if it is a verb that is known.
    for index in range(at + 1, end):
        word = tokens[index].word
        if words.verb_lemma(word) in words.lexicon().verbs and not words.can_be_noun(word):
            return index
    return end


def base_verb(tokens: Sequence[StoryToken], at: int, end: int) -> int:
    """Where the verb after a subject stands."""
    for index in range(at + 1, end):
        word = tokens[index].word
        token = tokens[index]
        if word in {"have", "need", "be", "get", "do"}:
            return index
        lemma = words.verb_lemma(word)
        if not lemma or token.capital or word in {"still", "now", "total"}:
            continue
        if word in {lemma, "been"} or tokens[at - 1].word in words.HAVE:
            before = tokens[index - 1].word
            if before in _NOT_BEFORE_A_VERB and before != "to":
                continue
            following = tokens[index + 1].word if index + 1 < end else ""
            if (
                words.can_be_noun(word)
                and words.verb_lemma(following) == following
                and following in words.lexicon().verbs
                and following != "place"
            ):
                continue
            return index
    return end


class MainVerb(NamedTuple):
    """A verb: its lemma, or nothing; verbs before it ("has to"); where it ends."""

    lemma: str
    modals: tuple[str, ...]
    end: int


def main_verb(tokens: Sequence[StoryToken], at: int, end: int) -> MainVerb:
    """The main verb from a place on."""
    modals: list[str] = []
    while at < end and tokens[at].word in _ADVERBS:
        at += 1
    if at >= end:
        return MainVerb("", (), at)
    lemma = words.verb_lemma(tokens[at].word)
    at += 1
    while at + 1 < end and tokens[at].word == "to" and lemma in _BEFORE_TO:
        base = words.verb_lemma(tokens[at + 1].word)
        if not base or base != tokens[at + 1].word:
            break
        modals.append(lemma)
        lemma = base
        at += 2
    if lemma == "go" and at < end and tokens[at].word.endswith("ing"):
        return MainVerb(words.verb_lemma(tokens[at].word) or lemma, tuple(modals), at + 1)
    if lemma == "be" and at + 2 < end and tokens[at].word == "able" and tokens[at + 1].word == "to":
        return MainVerb(words.verb_lemma(tokens[at + 2].word), tuple(modals), at + 3)
    if lemma == "be" and at < end:
        participle = words.verb_lemma(tokens[at].word)
        if participle and participle != tokens[at].word and tokens[at].word != "left":
            lemma = participle
            at += 1
    return MainVerb(lemma, tuple(modals), at)


_HEADS = words.classes()["heads"]
_MORE = (
    "more", "additional", "extra", "farther", "longer", "further", "taller", "higher", "deeper",
    "heavier", "larger",
)  # fmt: skip
_DEGREES = {
    **dict.fromkeys(_MORE, ("more",)),
    **dict.fromkeys(("fewer", "less"), ("more", "fewer")),
    "other": ("other",),
}
"""Words after "how many", with the flags that they are."""

_FLAGS = {
    "total": frozenset({
        "altogether", "total", "totaled", "totalled", "together", "combined", "overall", "in all",
    }),
    "left": frozenset({"left", "remain", "remains", "remaining", "still"}),
    "now": frozenset({"now", "currently"}),
    "start": frozenset({
        "originally", "initially", "original", "start", "beginning", "began", "at first",
        "in the beginning", "to begin with", "start with",
    }),
    "each": frozenset({"each", "every", "per", "apiece"}),
    "difference": frozenset({"difference"}),
}  # fmt: skip
"""What words of a question ask for."""

_NO_SENTENCE = 99
"""Beyond all sentences and clauses that a story can have."""


class Questioner:
    """Reads one question.

    Args:
        tokens: of its sentence.
        at: where it begins; end: where it ends, before a clause that is told.
        told: what the story told; numbers in the question are added.
    """

    def __init__(self, tokens: Sequence[StoryToken], at: int, end: int, facts: StoryFacts) -> None:
        self.tokens = tokens
        self.at = at
        self.end = end
        self.told = facts
        self.asked = StoryQuestion()
        self.counted: set[int] = set()

    def read(self) -> StoryQuestion:
        """What it asks for."""
        asked = self.asked
        core = self.tokens[self.at : self.end]
        asked.words = frozenset(words.noun_lemma(each.word) for each in core)
        present = {each.word for each in core}
        self._flags(present)
        if self.tokens[self.at].word == "how":
            self._how()
        else:
            self._what()
        if "not" in present:
            at = next(i for i, each in enumerate(core) if each.word == "not")
            if core[at - 1].word in _BEFORE_NOT or core[at - 1].capital:
                asked.flags.add("denied")
        self._than_verb(core)
        if present & words.NEGATIONS and "denied" not in asked.flags:
            asked.flags.add("odd")
        if present & {"who", "which", "whose"}:
            asked.flags.add("odd")
        if any(each.number and each.index not in self.counted for each in core):
            self._numbers(core)
        return asked

    def _than_verb(self, core: Sequence[StoryToken]) -> None:
        """“... than those he gave to his friends”: the verb after "than"."""
        after = [i for i, each in enumerate(core) if each.word == "than"]
        if not after:
            return
        self.asked.than_words = frozenset(
            words.noun_lemma(each.word) for each in core[after[0] + 1 :]
        )
        told = {each.verb for each in self.told.amounts}
        for each in core[after[0] + 1 :]:
            lemma = words.verb_lemma(each.word)
            if lemma in told and lemma not in {"be", "have", "do"}:
                self.asked.than_verb = lemma
                return

    def _numbers(self, core: Sequence[StoryToken]) -> None:
        """A number inside the question: told as a fact where it can be."""
        self.asked.flags.add("number")
        verbs = frozenset(i for i, each in enumerate(core) if each.word in words.AUXILIARIES)
        found = items_of(core, 0, len(core), verbs)
        for at, item in enumerate(found):
            phrase = item.phrase
            if phrase is None or phrase.value is None or phrase.at in self.counted:
                continue
            before = found[at - 1].phrase if at > 0 else None
            group = None
            if item.kind == "with" and item.preposition == "of" and before is not None:
                # "How many cases of 12 boxes"
                group = thing_of(before)
            elif phrase.mods & {"dollar", "cent"} and item.kind == "phrase":
                # "How many 6 dollar games"
                group = Thing(phrase.head)
                money = "dollar" if "dollar" in phrase.mods else "cent"
                phrase = replace(phrase, head=money, mods=frozenset())
                self.asked.thing = group
            if group is not None:
                self.asked.flags.discard("number")
            amount = self._amount(phrase, "asked", "asked", {"asked", "prep " + item.preposition})
            amount.flags |= {"each"} if phrase.each else set()
            amount.per = group

    def _count(self, phrase: NounPhrase) -> None:
        """A number of those who do it: told as how many there are."""
        self.counted.add(phrase.at)
        self._amount(phrase, "be", "state", {"counted"}).subject = True

    def _amount(self, phrase: NounPhrase, verb: str, kind: str, flags: set[str]) -> Amount:
        """Adds an amount to what the story told, in no sentence of it."""
        amount = Amount(
            len(self.told.amounts), phrase.at, phrase.value, thing_of(phrase), (), verb, kind,
            flags=frozenset(flags), sentence=_NO_SENTENCE, clause=_NO_SENTENCE,
        )  # fmt: skip
        self.told.amounts.append(amount)
        return amount

    def _flags(self, present: set[str]) -> None:
        joined = " ".join(each.word for each in self.tokens[self.at : self.end])
        for flag, said in _FLAGS.items():
            single = {each for each in said if " " not in each}
            if present & single or any(each in joined for each in said - single):
                self.asked.flags.add(flag)

    def _how(self) -> None:
        asked, tokens = self.asked, self.tokens
        second = tokens[self.at + 1].word
        at = self.at + 2
        if second in {"far", "tall", "deep", "high", "heavy"}:
            asked.flags.add("length")
        if second == "long":
            asked.flags.add("duration")
        if second == "much":
            asked.flags.add("much")
        while at < self.end and tokens[at].word in _DEGREES:
            asked.flags.update(_DEGREES[tokens[at].word])
            at += 1
        at = self._noun(at)
        self._predicate(at)

    def _noun(self, at: int) -> int:
        """The noun that is asked for, with what is joined to it; where it ends."""
        asked, tokens = self.asked, self.tokens
        verbs = frozenset[int]()
        while at < self.end:
            word = tokens[at].word
            if word in words.AUXILIARIES:
                break
            if (
                not asked.things
                and words.verb_lemma(word)
                and not words.can_be_noun(word)
                and not words.can_be_adjective(word)
            ):
                break
            if tokens[at].word == "total":
                at += 1
                continue
            if word == "of" and not asked.things:
                # "How many of the toys"
                at += 1
            phrase = noun_phrase(tokens, at, min(self.end, self._verb_from(at)), verbs)
            if phrase is None or phrase.pronoun:
                break
            asked.things.append(thing_of(phrase))
            if phrase.total:
                asked.flags.add("total")
            at = phrase.end
            if at < self.end and tokens[at].word in {"and", "or", ","}:
                following = at + 1
                if following < self.end and tokens[following].word == "and":
                    following += 1
                if following < self.end and tokens[following].word not in words.AUXILIARIES:
                    at = following
                    continue
            break
        if asked.things:
            self._spread()
            asked.thing = asked.things[0]
        if asked.thing.head in {"money", "dollar", "cent"}:
            asked.flags.add("money")
        return at

    def _spread(self) -> None:
        """“Red and green peaches”: both are peaches."""
        last = self.asked.things[-1]
        told = {name for each in self.told.amounts for name in (each.thing.head, *each.owners)}
        for index, thing in enumerate(self.asked.things[:-1]):
            if thing.head in told:
                # "the cost of the dress and the blouse"
                continue
            if words.can_be_adjective(thing.head) and not thing.of and thing.head != last.head:
                self.asked.things[index] = Thing(last.head, thing.mods | {thing.head}, last.of)

    def _predicate(self, at: int) -> None:
        """From behind the noun: what stands before the verb, the verb, and what follows it."""
        asked, tokens = self.asked, self.tokens
        verb_at = self._verb_from(at - 1)
        if at < verb_at < self.end and tokens[at].word in {"that", "which"}:
            # "What is the number of pens that Ana has now?"
            owner = noun_phrase(tokens, at + 1, verb_at, frozenset())
            asked.owners = named_in_question(owner, self.told) if owner is not None else ()
            self._after(verb_at + 1, words.verb_lemma(self._full(verb_at)))
            return
        # "of them", "in the box", "than ..."
        add_around(asked, items_of(tokens, at, verb_at, frozenset()), self.told)
        if verb_at >= self.end:
            return
        word, after = self._full(verb_at), verb_at + 1
        if word in words.AUXILIARIES:
            if tokens[verb_at].word in words.NEGATIONS:
                asked.flags.add("denied")
            self._after_auxiliary(word, after)
            return
        lemma = words.verb_lemma(word)
        if lemma == "go" and after < self.end and tokens[after].word.endswith("ing"):
            lemma, after = words.verb_lemma(tokens[after].word) or lemma, after + 1
        self._after(after, lemma)
        asked.flags.add("subject")

    def _after_auxiliary(self, auxiliary: str, at: int) -> None:
        """“are there”, “have been eaten”, “does he need to buy”."""
        asked, tokens = self.asked, self.tokens
        if at < self.end and tokens[at].word == "there":
            asked.modals = (auxiliary,)
            self._after(at + 1, "be")
            return
        if auxiliary in words.BE:
            self._be(at)
            return
        if at + 1 < self.end and tokens[at].word == "not":
            # "How many children do not wear caps?"
            asked.modals = (auxiliary,)
            self._after(at + 2, words.verb_lemma(tokens[at + 1].word))
            return
        at = self._subject(at)
        if not asked.owners and at < self.end and tokens[at].word == "been":
            asked.flags.add("passive")
            at += 1
            self._after(at + 1, words.verb_lemma(tokens[at].word) if at < self.end else "be")
            return
        if not asked.owners and auxiliary in words.HAVE and at < self.end:
            self._after(at, "have")
            return
        found = main_verb(tokens, at, self.end)
        asked.modals = (auxiliary, *found.modals)
        self._after(found.end, found.lemma or ("have" if auxiliary in words.HAVE else "be"))

    def _be(self, at: int) -> None:
        """“are in the box”, “were eaten”, “is he selling”."""
        tokens, asked = self.tokens, self.asked
        while at < self.end and tokens[at].word in {"now", "still", "currently", "not"}:
            at += 1
        if at < self.end:
            if tokens[at].word == "being" and at + 1 < self.end:
                at += 1
            word = tokens[at].word
            lemma = words.verb_lemma(word)
            participle = word.endswith(("ed", "en", "n", "t", "ing")) or words.is_irregular(word)
            same = word in {"cut", "put", "read"} and lemma == word
            if lemma and word != "left" and (word != lemma or same) and participle:
                if not word.endswith("ing"):
                    asked.flags.add("passive")
                self._after(at + 1, lemma)
                return
            if word in words.SUBJECTS or tokens[at].capital:
                at = self._subject(at)
                if at + 2 < self.end and tokens[at].word == "able":
                    at += 2
                found = main_verb(tokens, at, self.end)
                self._after(found.end, found.lemma or "be")
                return
        self._after(at, "be")

    def _after(self, at: int, lemma: str) -> None:
        found = items_of(self.tokens, at, self.end, frozenset())
        add_verb(self.asked, lemma, found, self.told)

    def _full(self, at: int) -> str:
        """A word, written out where it is contracted: "'d"."""
        word = self.tokens[at].word
        return words.CONTRACTED.get(word, word)

    def _verb_from(self, at: int) -> int:
        return next_verb(self.tokens, at, self.at, self.end)

    def _subject(self, at: int) -> int:
        """Sets whose it is, from the words between the auxiliary and the verb; where they end."""
        asked, tokens = self.asked, self.tokens
        owners: list[str] = []
        if at >= self.end:
            return at
        word = tokens[at].word
        following = tokens[at + 1].word if at + 1 < self.end else ""
        if word in {"been", "be", "have"} or (
            words.verb_lemma(word) == word
            and not tokens[at].capital
            and word not in words.SUBJECTS
            and (following in _ENDS_A_NOUN or not words.can_be_noun(word))
        ):
            return at
        while at < self.end:
            stop = base_verb(self.tokens, at, self.end)
            phrase = noun_phrase(tokens, at, stop, frozenset())
            if phrase is None:
                if tokens[at].word in words.ADVERBS:
                    at += 1
                    continue
                break
            if phrase.value is not None and phrase.head:
                # "How many legs do 8 bees have?"
                self._count(phrase)
            owners += [each for each in named_in_question(phrase, self.told) if each not in owners]
            if phrase.each:
                asked.per = thing_of(phrase)
            at = phrase.end
            while at < stop and tokens[at].word in _INSIDE_A_NOUN:
                inner = noun_phrase(tokens, at + 1, stop, frozenset())
                if inner is None:
                    break
                if phrase.each and not phrase.head:
                    asked.per = thing_of(inner)
                at = inner.end
            if at < self.end and tokens[at].word in {"and", ","} and at < stop:
                at += 1
                continue
            break
        asked.owners = tuple(owners)
        return at

    def _what(self) -> None:
        """“What is the total number of ...” and the like."""
        asked, tokens = self.asked, self.tokens
        at = self.at + 1
        if at < self.end and tokens[at].word in words.BE:
            at += 1
        words_here = [each.word for each in tokens[at : self.end]]
        if any(word in {"cost", "price", "worth", "value"} for word in words_here):
            asked.flags.update({"money", "cost"})
            if set(words_here) & {"total"} and {words.noun_lemma(each) for each in words_here} & {
                "purchase",
                "shopping",
            }:
                # "What was the total cost of Dan's purchases?"
                asked.thing = Thing("money")
                asked.things = [asked.thing]
                asked.verb, asked.kind = "spend", "loss"
                return
        if any(word in _HEADS for word in words_here[:4]) and "of" in words_here:
            start = at + words_here.index("of") + 1
            while start < self.end and tokens[start].word in {"the", "all"}:
                start += 1
            end_of_noun = self._noun(start)
            self._predicate(end_of_noun)
            asked.flags.add("what")
            return
        asked.fault = "what"
