"""What a story asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from biaslab.problems.stories.amounts import Amount, Thing, thing_of
from biaslab.problems.stories.grammar import words
from biaslab.problems.stories.grammar.clauses import verbs_of
from biaslab.problems.stories.grammar.items import Item, items_of
from biaslab.problems.stories.grammar.phrases import NounPhrase, noun_phrase
from biaslab.problems.stories.grammar.words import Sentence, Token
from biaslab.problems.stories.telling import StoryFacts, tell_sentence
from biaslab.problems.vocabulary import remembered


@dataclass(slots=True)
class Asked:
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


_ENDS = frozenset({"if", "when", "while", "after", "before", "until", "once", "because", "since"})
_LENGTHS = frozenset({"far", "tall", "deep", "high", "heavy", "wide", "big", "large", "old"})
_HEADS = words.classes()["heads"]


def ask(sentences: Sequence[Sentence], told: StoryFacts) -> Asked | None:
    """The question of a story; the conditions that stand beside it are told first.

    Args:
        sentences: of the story; those without a question are told already.
        told: what was told; the conditions of the question are added.
    """
    asking = [each for each in sentences if each.asks or _begins(each.tokens)]
    if len(asking) != 1:
        return None
    tokens = asking[0].tokens
    at = _wh(tokens)
    if at < 0:
        return None
    number = len(sentences) - 1
    if at > 0:
        before = tokens[: at - 1] if tokens[at - 1].word in {",", "and"} else tokens[:at]
        if before:
            tell_sentence(before, number, told, condition=True)
    end = len(tokens)
    for index in range(at + 2, len(tokens)):
        if tokens[index].word in _ENDS and _clause_follows(tokens, index):
            end = index
            break
    asked = _Questioner(tokens, at, end, told).read()
    clause = tokens[end:]
    told_words = [each.tokens for each in sentences if each is not asking[0]]
    if any(each.number for each in clause):
        told_words.append(clause)
    core = tokens[at:end] if any(each.number for each in clause) else tokens[at:]
    asked.strange = _strange(core, [*told_words, tokens[:at]], asked.verb)
    if end < len(tokens):
        rest = tokens[end:]
        if any(each.number for each in rest):
            tell_sentence(rest, number, told, condition=True)
        else:
            if rest[0].word == "before":
                asked.flags.add("before")
            asked.time |= {words.noun_lemma(each.word) for each in rest}
            if rest[0].word == "if":
                told.odd.extend(
                    each.word for each in rest if each.word in {"same", "equal", "equally", "each"}
                )
                asked.flags.add("if")
                if any(each.word in {"each", "every"} for each in rest):
                    asked.flags.add("odd if")
    return asked


_KNOWN = words.classes()["known"]


_SMALL_WORDS = (
    words.PREPOSITIONS
    | words.DETERMINERS
    | words.POSSESSIVES
    | words.SUBJECTS
    | words.OBJECTS
    | words.CONJUNCTIONS
    | words.RELATIVES
    | words.AUXILIARIES
    | words.ADVERBS
)


def _strange(
    question: Sequence[Token], told: Sequence[Sequence[Token]], verb: str
) -> frozenset[str]:
    """Words of the question that neither stand in the story nor are usual in questions."""
    told_words = {each.word for tokens in told for each in tokens}
    known = frozenset[str]().union(*map(_lemmas, told_words))
    found = set()
    for each in question:
        word = each.word
        if not word[0].isalpha() or each.capital or word in _SMALL_WORDS:
            continue
        lemmas = _lemmas(word)
        if not lemmas & (_KNOWN | known | {verb}):
            found.add(word)
    return frozenset(found)


@remembered
def _lemmas(word: str) -> frozenset[str]:
    """A word with its singular and its verb."""
    return frozenset({word, words.noun_lemma(word), words.verb_lemma(word)} - {""})


def _begins(tokens: Sequence[Token]) -> bool:
    return bool(tokens) and tokens[0].word in {"how", "find", "what"}


def _wh(tokens: Sequence[Token]) -> int:
    for index, token in enumerate(tokens):
        following = tokens[index + 1].word if index + 1 < len(tokens) else ""
        if token.word == "how" and following in {"many", "much", "long", "big", "large"} | _LENGTHS:
            return index
        if token.word in {"what", "what's", "find", "calculate"} and (
            index == 0 or tokens[index - 1].word in {",", "and", "then"}
        ):
            return index
    return -1


def _clause_follows(tokens: Sequence[Token], at: int) -> bool:
    if tokens[at].word in {"if", "when", "while", "because"}:
        return True
    verbs = verbs_of(tokens[at + 1 :])
    return bool(verbs)


class _Questioner:
    def __init__(self, tokens: Sequence[Token], at: int, end: int, told: StoryFacts) -> None:
        self.tokens = tokens
        self.at = at
        self.end = end
        self.told = told
        self.asked = Asked()
        self.counted: set[int] = set()

    def read(self) -> Asked:
        asked = self.asked
        core = self.tokens[self.at : self.end]
        asked.words = frozenset(words.noun_lemma(each.word) for each in core)
        present = {each.word for each in core}
        self._flags(present)
        if self.tokens[self.at].word == "how":
            self._how()
        else:
            self._what()
        if {each.word for each in core} & {"not"}:
            at = next(i for i, each in enumerate(core) if each.word == "not")
            if core[at - 1].word in words.AUXILIARIES | words.SUBJECTS or core[at - 1].capital:
                asked.flags.add("denied")
        self._than_verb(core)
        if present & words.NEGATIONS and "denied" not in asked.flags:
            asked.flags.add("odd")
        if present & {"who", "which", "whose"}:
            asked.flags.add("odd")
        if any(each.number and each.index not in self.counted for each in core):
            self._numbers(core)
        return asked

    def _than_verb(self, core: Sequence[Token]) -> None:
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

    def _numbers(self, core: Sequence[Token]) -> None:
        """A number inside the question: told as a fact where it can be."""
        self.asked.flags.add("number")
        verbs = frozenset(i for i, each in enumerate(core) if each.word in words.AUXILIARIES)
        found = items_of(core, 0, len(core), verbs)
        for at, item in enumerate(found):
            if item.phrase is not None and item.phrase.value is not None:
                phrase = item.phrase
                if phrase.at in self.counted:
                    continue
                before = found[at - 1].phrase if at > 0 else None
                group = None
                if item.kind == "with" and item.preposition == "of" and before is not None:
                    # "How many cases of 12 boxes"
                    group = thing_of(before)
                elif phrase.mods & {"dollar", "cent"} and item.kind == "phrase":
                    # "How many 6 dollar games"
                    group = Thing(phrase.head)
                    phrase = replace(
                        phrase,
                        head="dollar" if "dollar" in phrase.mods else "cent",
                        mods=frozenset(),
                    )
                    self.asked.thing = group
                if group is not None:
                    self.asked.flags.discard("number")
                self.told.amounts.append(
                    Amount(
                        len(self.told.amounts),
                        phrase.at,
                        phrase.value,
                        thing_of(phrase),
                        (),
                        "asked",
                        "asked",
                        flags=frozenset(
                            {"asked", "prep " + item.preposition}
                            | ({"each"} if phrase.each else set())
                        ),
                        per=group,
                        sentence=99,
                        clause=99,
                    )
                )

    def _count(self, phrase: NounPhrase) -> None:
        self.counted.add(phrase.at)
        self.told.amounts.append(
            Amount(
                len(self.told.amounts),
                phrase.at,
                phrase.value,
                thing_of(phrase),
                (),
                "be",
                "state",
                subject=True,
                flags=frozenset({"counted"}),
                sentence=99,
                clause=99,
            )
        )

    def _flags(self, present: set[str]) -> None:
        flags = self.asked.flags
        joined = " ".join(each.word for each in self.tokens[self.at : self.end])
        if (
            present
            & {"altogether", "total", "totaled", "totalled", "together", "combined", "overall"}
            or "in all" in joined
        ):
            flags.add("total")
        if present & {"left", "remain", "remains", "remaining", "still"}:
            flags.add("left")
        if present & {"now", "currently"}:
            flags.add("now")
        if (
            present
            & {"originally", "initially", "original", "start", "beginning", "began", "first_"}
            or "at first" in joined
            or "in the beginning" in joined
            or "to begin with" in joined
            or "start with" in joined
        ):
            flags.add("start")
        if present & {"each", "every", "per", "apiece"}:
            flags.add("each")
        if "difference" in present:
            flags.add("difference")

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
        while at < self.end and tokens[at].word in frozenset(
            [
                "more",
                "fewer",
                "less",
                "additional",
                "extra",
                "other",
                "farther",
                "longer",
                "further",
                "taller",
                "higher",
                "deeper",
                "heavier",
                "larger",
            ]
        ):
            if tokens[at].word in frozenset(
                [
                    "more",
                    "additional",
                    "extra",
                    "farther",
                    "longer",
                    "further",
                    "taller",
                    "higher",
                    "deeper",
                    "heavier",
                    "larger",
                ]
            ):
                asked.flags.add("more")
            elif tokens[at].word in {"fewer", "less"}:
                asked.flags.update({"more", "fewer"})
            else:
                asked.flags.add("other")
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
            phrase = noun_phrase(tokens, at, min(self.end, self._next_verb(at)), verbs)
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
        for index, thing in enumerate(self.asked.things[:-1]):
            if words.can_be_adjective(thing.head) and not thing.of and thing.head != last.head:
                self.asked.things[index] = Thing(last.head, thing.mods | {thing.head}, last.of)

    def _next_verb(self, at: int) -> int:
        """The next finite verb or auxiliary."""
        for index in range(at, self.end):
            word = self.tokens[index].word
            if word in words.AUXILIARIES or word in words.CONTRACTED:
                return index
        shifted = [verb.start + self.at for verb in verbs_of(self.tokens[self.at : self.end])]
        for index in shifted:
            if index > at:
                return index
        # "How many pencils remain": the last word, if it is a verb that is known.
        for index in range(at + 1, self.end):
            word = self.tokens[index].word
            if words.verb_lemma(word) in words.lexicon().verbs and not words.can_be_noun(word):
                return index
        return self.end

    def _predicate(self, at: int) -> None:
        asked, tokens = self.asked, self.tokens
        # What stands between the noun and the verb: "of them", "in the box", "than ..."
        verb_at = self._next_verb(at - 1)
        if at < verb_at < self.end and tokens[at].word in {"that", "which"}:
            # "What is the number of pens that Ana has now?"
            owner = noun_phrase(tokens, at + 1, verb_at, frozenset())
            asked.owners = self._named(owner) if owner is not None else ()
            word = words.CONTRACTED.get(tokens[verb_at].word, tokens[verb_at].word)
            lemma, after = words.verb_lemma(word), verb_at + 1
            self._after(after, lemma)
            return
        self._around(items_of(tokens, at, verb_at, frozenset()))
        if verb_at >= self.end:
            return
        word = words.CONTRACTED.get(tokens[verb_at].word, tokens[verb_at].word)
        after = verb_at + 1
        modals = []
        if word in words.AUXILIARIES:
            modals.append(word)
            if tokens[verb_at].word in words.NEGATIONS:
                asked.flags.add("denied")
            if after < self.end and tokens[after].word == "there":
                after += 1
                self._after(after, "be")
                asked.modals = tuple(modals)
                return
            if word in words.BE:
                self._be(after)
                return
            subject, after = self._subject(after)
            if subject is None and after < self.end and tokens[after].word == "been":
                asked.flags.add("passive")
                after += 1
                self._after(
                    after + 1, words.verb_lemma(tokens[after].word) if after < self.end else "be"
                )
                return
            if subject is None and word in words.HAVE and after < self.end:
                self._after(after, "have")
                return
            lemma, after = self._main(after, modals)
            if not lemma:
                lemma = "have" if word in words.HAVE else "be"
            asked.modals = tuple(modals)
            self._after(after, lemma)
            return
        lemma = words.verb_lemma(word)
        if lemma == "go" and after < self.end and tokens[after].word.endswith("ing"):
            lemma, after = words.verb_lemma(tokens[after].word) or lemma, after + 1
        self._after(after, lemma)
        asked.flags.add("subject")

    def _be(self, after: int) -> None:
        """“are in the box”, “were eaten”, “is he selling”."""
        tokens, asked = self.tokens, self.asked
        while after < self.end and tokens[after].word in {"now", "still", "currently"}:
            after += 1
        if after < self.end:
            word = tokens[after].word
            lemma = words.verb_lemma(word)
            if word == "being" and after + 1 < self.end:
                after += 1
                word = tokens[after].word
                lemma = words.verb_lemma(word)
            if (
                lemma
                and word != "left"
                and word != lemma
                and (word.endswith(("ed", "en", "n", "t", "ing")) or word in words._VERBS)
            ):
                if not word.endswith("ing"):
                    asked.flags.add("passive")
                self._after(after + 1, lemma)
                return
            if tokens[after].word in words.SUBJECTS or tokens[after].capital:
                _subject, next_at = self._subject(after)
                if next_at + 2 < self.end and tokens[next_at].word == "able":
                    next_at += 2
                lemma, next_at = self._main(next_at, [])
                self._after(next_at, lemma or "be")
                return
        self._after(after, "be")

    def _subject(self, at: int) -> tuple[tuple[str, ...] | None, int]:
        asked, tokens = self.asked, self.tokens
        owners: list[str] = []
        if at >= self.end:
            return None, at
        word = tokens[at].word
        following = tokens[at + 1].word if at + 1 < self.end else ""
        if word in {"been", "be", "have"} or (
            words.verb_lemma(word) == word
            and not tokens[at].capital
            and word not in words.SUBJECTS
            and (
                following in words.PREPOSITIONS | words.ADVERBS | {""}
                or not words.can_be_noun(word)
            )
        ):
            return None, at
        while at < self.end:
            stop = self._base_verb(at)
            phrase = noun_phrase(tokens, at, stop, frozenset())
            if phrase is None:
                if tokens[at].word in words.ADVERBS:
                    at += 1
                    continue
                break
            if phrase.value is not None and phrase.head:
                # "How many legs do 8 bees have?"
                self._count(phrase)
            owners += [each for each in self._named(phrase) if each not in owners]
            if phrase.each:
                asked.per = thing_of(phrase)
            at = phrase.end
            while at < stop and tokens[at].word in words.PREPOSITIONS - {"to"}:
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
        return (tuple(owners) or None), at

    def _named(self, phrase: NounPhrase) -> tuple[str, ...]:
        told = self.told
        if phrase.pronoun:
            if phrase.head in {"he", "she"}:
                return told.pronoun(phrase.head)
            if phrase.head in {"they", "we"}:
                return told.group or ("they",)
            if phrase.head == "it":
                return ("it",)
            return (phrase.head,)
        return (phrase.head,) if phrase.head else ()

    def _base_verb(self, at: int) -> int:
        """Where the verb after a subject stands."""
        for index in range(at + 1, self.end):
            word = self.tokens[index].word
            token = self.tokens[index]
            if word in {"have", "need", "be", "get", "do"}:
                return index
            lemma = words.verb_lemma(word)
            if not lemma or token.capital or word in {"still", "now", "total"}:
                continue
            if (
                word == lemma
                or word in {"been"}
                or (word != lemma and self.tokens[at - 1].word in words.HAVE)
            ):
                before = self.tokens[index - 1].word
                if (
                    before in words.DETERMINERS | words.POSSESSIVES | words.PREPOSITIONS | {"#"}
                    and before != "to"
                ):
                    continue
                following = self.tokens[index + 1].word if index + 1 < self.end else ""
                if (
                    words.can_be_noun(word)
                    and words.verb_lemma(following) == following
                    and following in words.lexicon().verbs
                    and following not in {"place"}
                ):
                    continue
                return index
        return self.end

    def _main(self, at: int, modals: list[str]) -> tuple[str, int]:
        tokens = self.tokens
        while at < self.end and (tokens[at].word in words.ADVERBS | {"still"}):
            at += 1
        if at >= self.end:
            return "", at
        lemma = words.verb_lemma(tokens[at].word)
        at += 1
        while (
            at + 1 < self.end
            and tokens[at].word == "to"
            and lemma
            in frozenset(
                [
                    "need",
                    "have",
                    "want",
                    "get",
                    "plan",
                    "go",
                    "use",
                    "decide",
                    "hope",
                    "like",
                    "begin",
                    "start",
                ]
            )
        ):
            base = words.verb_lemma(tokens[at + 1].word)
            if not base or base != tokens[at + 1].word:
                break
            modals.append(lemma)
            lemma = base
            at += 2
        if lemma == "go" and at < self.end and tokens[at].word.endswith("ing"):
            return words.verb_lemma(tokens[at].word) or lemma, at + 1
        if (
            lemma == "be"
            and at + 2 < self.end
            and tokens[at].word == "able"
            and tokens[at + 1].word == "to"
        ):
            return words.verb_lemma(tokens[at + 2].word), at + 3
        if lemma == "be" and at < self.end:
            participle = words.verb_lemma(tokens[at].word)
            if participle and participle != tokens[at].word and tokens[at].word != "left":
                lemma = participle
                at += 1
        return lemma, at

    def _after(self, at: int, lemma: str) -> None:
        asked = self.asked
        known = words.lexicon()
        found = items_of(self.tokens, at, self.end, frozenset())
        kind = known.verbs.get(lemma, "act") if lemma not in known.unclear else "act"
        for number, item in enumerate(found[:4]):
            particle = item.word if item.kind == "word" else item.preposition
            if item.kind == "with" and (
                number
                or item.phrase is None
                or item.phrase.head in {"all", "total"}
                or particle in {"in", "on"}
            ):
                continue
            if particle and f"{lemma} {particle}" in known.particles:
                lemma = f"{lemma} {particle}"
                kind = known.particles[lemma]
                break
        asked.verb, asked.kind = lemma, kind
        if lemma in {"start", "begin"}:
            asked.flags.add("start")
        if lemma in {"cost", "charge"} or kind == "price":
            asked.flags.add("money")
        self._around(found)

    def _around(self, found: Sequence[Item]) -> None:
        asked = self.asked
        for item in found:
            phrase = item.phrase
            if item.kind == "than" and phrase is not None:
                if (
                    phrase.pronoun
                    or phrase.name
                    or phrase.head in self.told.people
                    or phrase.head in words.KIN
                ):
                    asked.than_owner = (self._named(phrase) or ("?",))[0]
                elif phrase.owner and phrase.head in {asked.thing.head, ""}:
                    asked.than_owner = phrase.owner
                else:
                    asked.than = thing_of(phrase)
            elif item.kind == "with" and phrase is not None:
                content = (
                    phrase.mods
                    | phrase.of
                    | {phrase.head}
                    | ({phrase.owner} if phrase.owner else set())
                )
                content -= {"his", "her", "their", "its"}
                if phrase.each or item.preposition == "per":
                    asked.per = thing_of(phrase)
                elif phrase.head in {"all", "total"}:
                    asked.flags.add("total")
                elif phrase.head in {"beginning", "start", "first"}:
                    asked.flags.add("start")
                elif phrase.head in {"end"}:
                    asked.flags.add("now")
                elif item.preposition == "to" and asked.kind in {"give", "loss"}:
                    asked.receiver = (self._named(phrase) or ("",))[0]
                elif phrase.head in words.TIMES or item.preposition in {
                    "during",
                    "before",
                    "after",
                }:
                    asked.time |= content
                    if item.preposition == "before":
                        asked.flags.add("before")
                else:
                    asked.place |= content
            elif item.kind == "phrase" and phrase is not None:
                if phrase.head == "total":
                    asked.flags.add("total")
                elif phrase.each:
                    asked.per = thing_of(phrase) if phrase.head else asked.per
                elif phrase.head in words.TIMES:
                    asked.time |= phrase.mods | {phrase.head}
                elif phrase.pronoun and asked.kind == "price":
                    continue
                else:
                    asked.place |= phrase.mods | {phrase.head}
            elif item.word in {"yesterday", "today", "tomorrow", "last"}:
                asked.time.add(item.word)

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
