"""The phrases of a clause, in order: what stands before its verb, and what stands after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from schoolmath.problems.stories.grammar import words
from schoolmath.problems.stories.grammar.phrases import NounPhrase, noun_phrase
from schoolmath.problems.stories.grammar.words import Token


@dataclass(slots=True)
class Item:
    """A noun phrase, a prepositional phrase or an adverb of a clause."""

    kind: str
    phrase: NounPhrase | None = None
    preposition: str = ""
    word: str = ""


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
