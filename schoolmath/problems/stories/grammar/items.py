"""The phrases of a clause, in order: what stands before its verb, and what stands after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from schoolmath.problems.stories.grammar import words
from schoolmath.problems.stories.grammar.phrases import NounPhrase, noun_phrase
from schoolmath.problems.stories.grammar.words import StoryToken


@dataclass(slots=True)
class Phrase:
    """A noun phrase, a prepositional phrase or an adverb of a clause."""

    kind: str
    phrase: NounPhrase | None = None
    preposition: str = ""
    word: str = ""


def items_of(
    tokens: Sequence[StoryToken], start: int, end: int, verbs: frozenset[int]
) -> list[Phrase]:
    """The phrases of a part of a sentence, in order."""
    found: list[Phrase] = []
    at = start
    while at < end:
        word = tokens[at].word
        if at in verbs:
            at += 1
            continue
        if word == "than":
            phrase = noun_phrase(tokens, at + 1, end, verbs)
            found.append(Phrase("than", phrase))
            at = phrase.end if phrase is not None else at + 1
            continue
        if word == "as" and at + 2 < end and tokens[at + 1].word in {"many", "much"}:
            found.append(Phrase("word", word="as many"))
            at += 2
            continue
        if word == "as" and found and any(item.word == "as many" for item in found):
            phrase = noun_phrase(tokens, at + 1, end, verbs)
            found.append(Phrase("than", phrase))
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
                found.append(Phrase("word", word=word))
                at += 1
            else:
                found.append(Phrase("with", phrase, word))
                at = phrase.end
            continue
        phrase = noun_phrase(tokens, at, end, verbs)
        if phrase is not None:
            found.append(Phrase("phrase", phrase))
            at = phrase.end
            continue
        found.append(Phrase("word", word=word))
        at += 1
    return found
