"""Where the verbs of a question stand, and what its main verb is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from biaslab.problems.stories.grammar import words
from biaslab.problems.stories.grammar.clauses import verbs_of
from biaslab.problems.stories.grammar.words import Token

_BEFORE_TO = frozenset({
    "need", "have", "want", "get", "plan", "go", "use", "decide", "hope", "like", "begin", "start",
})  # fmt: skip
"""Verbs that may stand before the one that matters: "has to buy"."""


def next_verb(tokens: Sequence[Token], at: int, begin: int, end: int) -> int:
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


def base_verb(tokens: Sequence[Token], at: int, end: int) -> int:
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
            if (
                before in words.DETERMINERS | words.POSSESSIVES | words.PREPOSITIONS | {"#"}
                and before != "to"
            ):
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


def main_verb(tokens: Sequence[Token], at: int, end: int) -> MainVerb:
    """The main verb from a place on."""
    modals: list[str] = []
    while at < end and (tokens[at].word in words.ADVERBS | {"still"}):
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
