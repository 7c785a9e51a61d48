"""Clauses: who does what, with the words that go with it.

A sentence is cut where a finite verb begins something new. Whether a word is a finite verb is
told by where it stands: after a name, a pronoun or a noun, not after an article, a preposition
or a number.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from schoolmath.problems.stories import words
from schoolmath.problems.stories.words import StoryToken

_SKIPPED = words.ADVERBS - {"each", "both", "all", "there", "here", "home", "so", "far"}
_CHAINED = words.classes()["chained"]
_NOT_BEFORE_A_VERB = words.OPENERS | words.OBJECTS | words.PREPOSITIONS
_BEFORE_AN_OBJECT = words.OPENERS | words.OBJECTS
_BEFORE_WHAT_IS_LEFT = _BEFORE_AN_OBJECT | {"#", "home", "school", "early"}
_IN_A_NOUN = words.OPENERS | {"#", "her", "more", "other"}
_NOT_IN_A_NOUN = words.CONJUNCTIONS | words.SUBJECTS | words.RELATIVES | words.AUXILIARIES
_NOT_IN_A_NOUN |= words.ADVERBS
_LINKS = words.CONJUNCTIONS - {"as"}
_LINKS_OF_GERUNDS = words.CONJUNCTIONS | {"by"}
_LINKS_IN_ROWS = words.CONJUNCTIONS | {","}
_SUBJECTS_OR_WHO = words.SUBJECTS | {"who", "that"}
_ENDS_A_SUBJECT = words.PREPOSITIONS | {"#", ","}


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with its auxiliaries.

    Attributes:
        start, end: its tokens.
        lemma: of the main verb, with its particle kept apart.
        modals: auxiliaries and verbs before the main one ("will", "want").
        negated: whether it is denied.
        passive: whether its subject suffers it.
        finite: whether it has a subject of its own; else it is a gerund or an infinitive.
        past: whether the main verb or its auxiliary stands in the past.
    """

    start: int
    end: int
    lemma: str
    modals: tuple[str, ...] = ()
    negated: bool = False
    passive: bool = False
    finite: bool = True


@dataclass(frozen=True, slots=True)
class VerbClause:
    """A verb, what stands before it and what after it.

    Attributes:
        before: tokens before the verb, from `start` on: the subject.
        start, verb, end: indices of the sentence.
        link: the conjunction it begins with; "" where none.
        relative: whether it describes the noun before it.
    """

    start: int
    verb: Verb | None
    end: int
    link: str = ""
    relative: bool = False


def verbs_of(tokens: Sequence[StoryToken]) -> list[Verb]:
    """The verbs of a sentence, in order."""
    found: list[Verb] = []
    at = 0
    while at < len(tokens):
        verb = _verb_at(tokens, at, found)
        if (
            verb is not None
            and verb.lemma in {"have", "do", "be"}
            and _ends_a_comparison(tokens, verb)
        ):
            at = verb.end
            continue
        if verb is None:
            at += 1
        else:
            found.append(verb)
            at = verb.end
    return found


def _ends_a_comparison(tokens: Sequence[StoryToken], verb: Verb) -> bool:
    """Whether it is the last word of "than Hannah has" and "than Ben does"."""
    for at in range(verb.start - 1, max(-1, verb.start - 7), -1):
        if tokens[at].word in {"than", "as"}:
            following = tokens[verb.end].word if verb.end < len(tokens) else ""
            return following in {"", ",", "and", "but", ";"}
        several = tokens[at].word == "and" and tokens[at - 1].capital and tokens[at + 1].capital
        if tokens[at].number or (tokens[at].word in {",", "and"} and not several):
            return False
    return False


def _verb_at(tokens: Sequence[StoryToken], at: int, before: Sequence[Verb]) -> Verb | None:
    word = words.CONTRACTED.get(tokens[at].word, tokens[at].word)
    if word in words.FINITE_AUXILIARIES and not (
        (word in {"may", "might", "can", "will", "must"} and _named(tokens, at))
        or (word == "can" and _is_a_tin(tokens, at))
    ):
        return _chain(tokens, at)
    lemma = words.verb_lemma(word)
    if not lemma or not word.isalpha():
        return None
    previous = at - 1
    while previous >= 0 and tokens[previous].word in _SKIPPED:
        previous -= 1
    prior = tokens[previous].word if previous >= 0 else ""
    following = tokens[at + 1].word if at + 1 < len(tokens) else ""
    if word.endswith("ing"):
        return _gerund(tokens, at, prior, before)
    if prior == "to" and word == lemma:
        if previous > 0 and tokens[at].capital:
            return None
        return _main(tokens, at, previous, (), finite=False)
    if not _can_follow(tokens, at, previous, prior, following, word, lemma, before):
        return None
    return _main(tokens, at, at, ())


def _is_a_tin(tokens: Sequence[StoryToken], at: int) -> bool:
    """Whether "can" is a thing: "each can has 3 balls", "a can of paint"."""
    before = tokens[at - 1].word if at else ""
    following = tokens[at + 1].word if at + 1 < len(tokens) else ""
    if before not in words.DETERMINERS or before in {"that", "this", "all"}:
        return False
    lemma = words.verb_lemma(following)
    return following == "of" or bool(lemma and lemma != following)


def _named(tokens: Sequence[StoryToken], at: int) -> bool:
    """Whether a word such as Will or May is a name or a month here."""
    if not tokens[at].capital:
        return False
    following = tokens[at + 1].word if at + 1 < len(tokens) else ""
    return (
        tokens[at].first
        and (
            following in words.AUXILIARIES
            or (bool(words.verb_lemma(following)) and following not in words.SUBJECTS)
        )
    ) or not tokens[at].first


def _can_follow(
    tokens: Sequence[StoryToken],
    at: int,
    previous: int,
    prior: str,
    following: str,
    word: str,
    lemma: str,
    before: Sequence[Verb],
) -> bool:
    """Whether a word that can be a verb is one after what stands before it."""
    token = tokens[at]
    if previous < 0 or word in _NO_VERBS or (token.capital and not token.first):
        return False
    if word == "left":
        return _is_left(tokens, previous, following, before)
    known = lemma in words.lexicon().verbs or f"{lemma} {following}" in words.lexicon().particles
    noun = words.can_be_noun(word)
    inflected = word != lemma or word in _SAME_IN_THE_PAST
    named = at + 1 < len(tokens) and tokens[at + 1].capital
    strong = (
        following == "#" or named or following in _OBJECT_OPENERS or following in words.POSSESSIVES
    )
    opens = strong or following in words.PREPOSITIONS or following in {"", ",", "and", "to", "that"}
    priced = at + 1 < len(tokens) and tokens[at + 1].money
    if word in {"cost", "costs"} and priced and prior[:1].isalpha():
        # "1 pair of pants costs $12", "2 books cost $10"
        return True
    if prior in words.SUBJECTS:
        return True
    if prior in words.RELATIVES:
        return not noun or strong
    if prior in {"all", "both", "each", "some"}:
        return inflected and not noun
    if prior == "them" and previous > 0 and tokens[previous - 1].word == "of":
        return inflected
    if prior in _NOT_BEFORE_A_VERB:
        return False
    if prior == "#":
        # "3 went home"; never "5 cards", "12 used books".
        moving = f"{lemma} {following}" in words.lexicon().particles
        if (moving or lemma in {"go", "leave", "come", "join", "fly", "swim"}) and (
            opens or following == "home"
        ):
            return not word.endswith("s")
        return inflected and known and not noun and not words.can_be_adjective(word) and opens
    if prior in {"and", "then", ",", "but", "or"}:
        if prior == "," and not before:
            return inflected and not noun and strong
        if not before:
            return False
        if inflected and not noun and not words.can_be_adjective(word):
            return True
        return strong and (inflected or known)
    if not prior[0].isalpha() or prior in words.CONJUNCTIONS or prior in words.ADVERBS:
        return False
    if words.can_be_adjective(word) and not inflected:
        return strong and known
    start = _start_of_noun(tokens, previous)
    # What stands directly after a verb is its object: "bought 5 bottle caps".
    is_object = bool(before) and before[-1].end == start
    if noun:
        if is_object:
            return (
                strong and inflected and not words.is_plural(prior) and following != "#" and known
            )
        if tokens[previous].capital and not words.is_plural(word):
            return strong or (known and inflected)
        if tokens[previous].capital:
            return strong or known
        if words.is_plural(prior):
            many = words.is_plural(following) and tokens[previous - 1].number
            return (not word.endswith("s") or word.endswith("ss")) and (
                strong or (known and (opens or many))
            )
        return inflected and (strong or ((known or words.is_irregular(word)) and opens))
    if not inflected and not words.is_plural(prior) and not is_object:
        joined = any(each.word == "and" for each in tokens[max(0, start - 2) : at])
        return joined or prior in {"people", "children"}
    if words.can_be_adjective(word) and not strong:
        return opens and words.can_be_noun(prior)
    return words.can_be_noun(prior) or tokens[previous].capital


_NO_VERBS = words.classes()["no_verbs"]
_SAME_IN_THE_PAST = frozenset(
    ["cost", "put", "cut", "read", "hit", "let", "set", "quit", "split", "spread", "shed", "shut"]
)
_OBJECT_OPENERS = (words.DETERMINERS - {"that", "this"}) | {
    "one",
    "more",
    "him",
    "them",
    "it",
    "her",
    "me",
    "us",
}


def _is_left(
    tokens: Sequence[StoryToken], previous: int, following: str, before: Sequence[Verb]
) -> bool:
    """Whether "left" is the past of to leave: never in "has 5 left"."""
    if following in _BEFORE_WHAT_IS_LEFT:
        return True
    # "If 3 customers left and he got ...": a subject of its own, no verb before it.
    if following in {"and", "", ","} and not before:
        return tokens[previous].word != "#"
    return tokens[previous].word in words.SUBJECTS and following in {"for", "with"}


def _start_of_noun(tokens: Sequence[StoryToken], at: int) -> int:
    """Where the noun phrase that ends at a token begins."""
    start = at
    while start > 0:
        word = tokens[start - 1].word
        if word in _IN_A_NOUN:
            start -= 1
            continue
        if word == "of" or (not word[0].isalpha() and word != "#") or word in words.PREPOSITIONS:
            break
        if word in _NOT_IN_A_NOUN:
            break
        if (
            words.verb_lemma(word)
            and not words.can_be_noun(word)
            and not words.can_be_adjective(word)
        ):
            break
        start -= 1
    return start


def _gerund(
    tokens: Sequence[StoryToken], at: int, prior: str, before: Sequence[Verb]
) -> Verb | None:
    if prior in {"after", "before", "by", "while", "when", "since", "without"}:
        return _main(tokens, at, at, (), finite=False)
    if prior in words.OPENERS:
        return None
    following = tokens[at + 1].word if at + 1 < len(tokens) else ""
    opens = following == "#" or following in _BEFORE_AN_OBJECT
    if (prior in {",", "and", "for", "then", "from"} or at == 0) and opens:
        return _main(tokens, at, at, (), finite=False)
    if opens and before and words.can_be_noun(prior) and following == "#":
        return _main(tokens, at, at, (), finite=False)
    return None


def _chain(tokens: Sequence[StoryToken], start: int) -> Verb:
    """The verb that begins with an auxiliary."""
    modals: list[str] = []
    negated = False
    at = start
    while at < len(tokens):
        raw = tokens[at].word
        word = words.CONTRACTED.get(raw, raw)
        if raw in words.NEGATIONS:
            negated = True
            if word == raw:
                at += 1
                continue
        if word in words.AUXILIARIES:
            modals.append(word)
            at += 1
        elif word in _SKIPPED and word not in {"far", "left"} and at + 1 < len(tokens):
            at += 1
        else:
            break
    last = at
    while last > start and tokens[last - 1].word in _SKIPPED:
        last -= 1
    word = tokens[at].word if at < len(tokens) else ""
    lemma = (
        words.verb_lemma(word)
        if word.isalpha() and not (at < len(tokens) and tokens[at].number)
        else ""
    )
    final = modals[-1]
    if (
        word == "able"
        and final in words.BE
        and at + 2 < len(tokens)
        and tokens[at + 1].word == "to"
    ) and words.verb_lemma(tokens[at + 2].word):
        return _main(tokens, at + 2, start, (*modals, "able"), negated=negated)
    if lemma and _participle(tokens, at, final, word, lemma):
        verb = _main(tokens, at, start, tuple(modals), negated=negated)
        if final in words.BE and not word.endswith("ing"):
            verb = Verb(verb.start, verb.end, verb.lemma, verb.modals, negated, True)
        return verb
    if final in words.HAVE and word == "to" and at + 1 < len(tokens):
        base = words.verb_lemma(tokens[at + 1].word)
        if base and tokens[at + 1].word == base:
            return _main(tokens, at + 1, start, (*modals[:-1], "have"), negated=negated)
    own = {
        "is": "be",
        "are": "be",
        "was": "be",
        "were": "be",
        "has": "have",
        "had": "have",
        "does": "do",
        "did": "do",
        "been": "be",
        "being": "be",
        "am": "be",
    }.get(final, final)
    return Verb(start, last, own, tuple(modals[:-1]), negated)


_PARTICIPLES = frozenset(
    {"cut", "drunk", "fallen", "found", "given", "left", "lost", "put", "split"}
)
"""Participles that are nouns as well."""


def _participle(tokens: Sequence[StoryToken], at: int, final: str, word: str, lemma: str) -> bool:
    """Whether the word after an auxiliary is the main verb."""
    following = tokens[at + 1].word if at + 1 < len(tokens) else ""
    if final in words.BE:
        if word.endswith("ing"):
            return not (words.can_be_noun(word) and following and following[0].isalpha())
        if word == "left":
            return False
        past = word.endswith(("ed", "en", "n", "t")) or words.is_irregular(word)
        return (
            past
            and (word != lemma or word in _SAME_IN_THE_PAST)
            and (not words.can_be_noun(word) or word in _PARTICIPLES)
        )
    if final in words.HAVE:
        if word in {"left"}:
            return following == "#" or following in words.DETERMINERS
        return (
            word != lemma
            and not word.endswith(("ing", "s"))
            and not (
                words.can_be_adjective(word)
                and words.can_be_noun(following)
                and following not in words.DETERMINERS
                and following != "#"
                and following not in words.PREPOSITIONS
                and bool(following)
            )
        ) or (
            word == lemma
            and word in {"put", "cut", "read", "come", "hit", "run", "become", "spread"}
        )
    return word == lemma


def _main(
    tokens: Sequence[StoryToken],
    at: int,
    start: int,
    modals: tuple[str, ...],
    *,
    negated: bool = False,
    finite: bool = True,
) -> Verb:
    """The verb whose main word stands at an index, with verbs chained to it."""
    lemma = words.verb_lemma(tokens[at].word)
    end = at + 1
    while lemma in _CHAINED and end + 1 < len(tokens):
        skip = end
        while skip < len(tokens) and tokens[skip].word in _SKIPPED:
            skip += 1
        if skip + 1 < len(tokens) and tokens[skip].word == "to":
            base = words.verb_lemma(tokens[skip + 1].word)
            if (
                base
                and tokens[skip + 1].word == base
                and not (lemma in {"go", "get"} and words.can_be_noun(tokens[skip + 1].word))
            ):
                modals = (*modals, lemma)
                lemma, end = base, skip + 2
                continue
        break
    if lemma == "go" and end < len(tokens) and tokens[end].word.endswith("ing"):
        # "went rowing" tells of rowing, not of leaving.
        lemma, end = words.verb_lemma(tokens[end].word) or lemma, end + 1
    return Verb(start, end, lemma, modals, negated, False, finite)


def clauses_of(tokens: Sequence[StoryToken], verbs: Sequence[Verb]) -> list[VerbClause]:
    """The clauses of a sentence: one for each verb, or one without a verb."""
    if not verbs:
        return [VerbClause(0, None, len(tokens))]
    starts = [0]
    links = [""]
    relatives = [False]
    for earlier, later in itertools.pairwise(verbs):
        start, link, relative = _boundary(tokens, earlier, later)
        starts.append(start)
        links.append(link)
        relatives.append(relative)
    found = []
    for index, verb in enumerate(verbs):
        end = starts[index + 1] if index + 1 < len(verbs) else len(tokens)
        if index + 1 < len(verbs) and links[index + 1]:
            end = starts[index + 1] - 1
        start = starts[index]
        link = links[index]
        if index == 0:
            while start < verb.start and tokens[start].word in _LINKS:
                link = tokens[start].word
                start += 1
        while end > verb.end and tokens[end - 1].word in {",", "and", "but", ";", "then"}:
            end -= 1
        found.append(VerbClause(start, verb, end, link, relatives[index]))
    return found


def _boundary(tokens: Sequence[StoryToken], earlier: Verb, later: Verb) -> tuple[int, str, bool]:
    """Where the clause of the later verb begins, its conjunction, whether it is relative."""
    at = later.start
    if not later.finite:
        link = tokens[at - 1].word if at > 0 and tokens[at - 1].word in _LINKS_OF_GERUNDS else ""
        return at, link, False
    best = -1
    for index in range(at - 1, earlier.end - 1, -1):
        word = tokens[index].word
        if word in {";", ":"}:
            best = index
            break
        if word in words.RELATIVES and word != "that" and word != "where":
            return (index + 1, "", True)
        if word == "that" and index == at - 1:
            return (index + 1, "", True)
        if word == "how" or (word == "what" and tokens[index - 1].word == ","):
            return index, "", False
        if word in {
            "if", "when", "because", "so", "while", "but", "then", "although", "however", "until",
            "since", "once", "where", "that",
        }:  # fmt: skip
            return index + 1, word, False
        if word in {"after", "before"} and index < at - 1:
            return index + 1, word, False
        if word in {"and", ","}:
            best = index
            break
        if word in {"and", "or"} and index == at - 1:
            best = index
            break
        if word == "," and index >= at - 1:
            best = index
            break
    if best < 0:
        word = tokens[at].word
        before = tokens[at - 1]
        if (
            word == tokens[later.end - 1].word
            and word != later.lemma
            and not before.capital
            and before.word not in _SUBJECTS_OR_WHO
            and earlier.finite
            and earlier.end < at
            and not later.modals
        ):
            # "each shirt sold", "flour stored in the bakery": the noun stays with its clause.
            return at, "", True
        return _subject_start(tokens, earlier.end, at), "", False
    link = tokens[best].word
    start = best + 1
    while start < at and tokens[start].word in _LINKS_IN_ROWS:
        link = tokens[start].word
        start += 1
    return start, link if link.isalpha() else "and", False


def _subject_start(tokens: Sequence[StoryToken], low: int, verb: int) -> int:
    """Where the subject before a verb begins, when nothing marks it."""
    at = verb
    while at > low and tokens[at - 1].word in _SKIPPED:
        at -= 1
    if at > low and tokens[at - 1].word in words.SUBJECTS:
        return at - 1
    start = at
    while start > low and tokens[start - 1].word not in _ENDS_A_SUBJECT:
        start -= 1
        if tokens[start].word in words.OPENERS:
            break
    return start
