"""A text taken apart into what somebody has to say the meaning of: its numbers and its question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from schoolmath.problems.proposals.statements import ProposedStatement
from schoolmath.problems.stories.grammar import words
from schoolmath.problems.stories.grammar.words import StoryToken

LONGEST_TEXT = 2_000
"""Characters that are taken apart; what follows is left off, and said to be."""

MOST_PLACES = 20
"""Numbers and questions of a text that can be read by hand."""

_END = re.compile(r"(?<=[.?!])(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bDr\.)\s+(?=\S)")
_ASKS = re.compile(r"\?|^\W*(?:how|what|find)\b|\bhow (?:many|much)\b", re.IGNORECASE)
_NUMBER_LIKE = {
    "one": Fraction(1), "twice": Fraction(2), "double": Fraction(2), "thrice": Fraction(3),
    "triple": Fraction(3), "half": Fraction(1, 2), "dozen": Fraction(12),
}  # fmt: skip
"""Words that the readers take for no number, and that somebody may mean as one."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What somebody says that a number, or the question, means.

    Attributes:
        statement: with the number of the text, or asked; None: it does not matter.
        at_first: of a question: whether it asks for what there was before everything told.
    """

    statement: ProposedStatement | None
    at_first: bool = False


@dataclass(frozen=True, slots=True)
class SheetPlace:
    """A number of a text, or its question.

    Attributes:
        sentence: in which it stands, from 0.
        label: how it stands there, with the word that follows.
        number: None for the question, and for what is no number ("20%").
        asks: whether it is the question.
        guess: what the clauses tell of it; None where they tell nothing.
        read: whether the reader of sentences reads the whole sentence, so that the guess is none.
        verb: lemma of the verb that it stands with; "" where that is not clear.
    """

    sentence: int
    label: str
    number: Fraction | None
    asks: bool = False
    guess: Meaning | None = None
    read: bool = False
    verb: str = ""


@dataclass(frozen=True, slots=True)
class ProblemSheet:
    """A text for somebody who reads it by hand.

    Attributes:
        sentences: as they stand.
        places: what a meaning has to be said of, in the order of the text.
        names: who can be chosen; things: what can be.
    """

    sentences: tuple[str, ...]
    places: tuple[SheetPlace, ...]
    names: tuple[str, ...]
    things: tuple[str, ...]


def taken_apart(text: str) -> tuple[tuple[str, ...], tuple[SheetPlace, ...]]:
    """The sentences of a text, and its numbers and questions."""
    plain = " ".join(text[:LONGEST_TEXT].split())
    pieces = tuple(each for each in _END.split(plain) if each)
    places: list[SheetPlace] = []
    for number, piece in enumerate(pieces):
        places += (_place(number, *each) for each in _numbers(tokens_of(piece)))
        if _ASKS.search(piece):
            places.append(SheetPlace(number, _shortened(piece), None, asks=True))
    return pieces, tuple(places[:MOST_PLACES])


def tokens_of(piece: str) -> list[StoryToken]:
    """The words and numbers of a piece of text."""
    return [token for sentence in words.sentences_of(piece) for token in sentence.tokens]


def _numbers(tokens: list[StoryToken]) -> Iterator[tuple[list[StoryToken], int, Fraction | None]]:
    for at, token in enumerate(tokens):
        if token.number:
            yield tokens, at, token.value
        elif token.word in _NUMBER_LIKE:
            yield tokens, at, _NUMBER_LIKE[token.word]
        elif any(each.isdigit() for each in token.text):
            yield tokens, at, None


def _place(sentence: int, tokens: list[StoryToken], at: int, value: Fraction | None) -> SheetPlace:
    label, named = [tokens[at].text], False
    for each in tokens[at + 1 : at + 3]:
        if not each.word[0].isalpha() or (named and each.word in _BREAKS):
            break
        label.append(each.text)
        named = named or each.word not in _BREAKS
    return SheetPlace(sentence, " ".join(label), value)


_BREAKS = words.classes()["breaks"]


def _shortened(piece: str) -> str:
    return piece if len(piece) <= 80 else piece[:77] + "..."
