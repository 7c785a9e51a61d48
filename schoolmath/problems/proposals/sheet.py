"""What somebody has to say the meaning of in a text, and the words that this teaches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pydantic import ValidationError

from schoolmath.problems.custom_words import CustomWords, Does, words_for_reading
from schoolmath.problems.errors import VocabularyError
from schoolmath.problems.proposals.statements import AmountRelation, ProposedStatement
from schoolmath.problems.stories import plural_of, words
from schoolmath.problems.stories.words import StoryToken, noun_lemma

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


_DOES: dict[AmountRelation, Does] = {
    AmountRelation.GETS: "gain",
    AmountRelation.LOSES: "loss",
    AmountRelation.GIVES: "give",
}


def taught_words(
    sheet: ProblemSheet, meanings: Sequence[Meaning | None], before: CustomWords | None = None
) -> CustomWords:
    """The names, things and verbs that a person had to say, as a vocabulary.

    What is known already, and what cannot be taught, is left out.

    Args:
        sheet: what was read.
        meanings: what was said, one for each of its places.
        before: a vocabulary that the new words are added to.
    """
    words = before or CustomWords()
    for more in _words_taught(sheet, meanings):
        together = CustomWords(
            names=(*words.names, *(n for n in more.names if n not in words.names)),
            things=(*words.things, *(t for t in more.things if t not in words.things)),
            containers=words.containers,
            verbs=(*words.verbs, *(v for v in more.verbs if v not in words.verbs)),
        )
        try:
            words_for_reading(together)
        except VocabularyError:
            continue
        words = together
    return words


def _words_taught(sheet: ProblemSheet, meanings: Sequence[Meaning | None]) -> Iterator[CustomWords]:
    """Every word alone, so that one that cannot be taught costs no other."""
    for place, meaning in zip(sheet.places, meanings, strict=True):
        said = None if meaning is None else meaning.statement
        if said is None:
            continue
        yield from _entries(said)
        if place.verb and said.relation in _DOES:
            yield from _valid(verbs=({"lemma": place.verb, "does": _DOES[said.relation]},))


def _entries(statement: ProposedStatement) -> Iterator[CustomWords]:
    for name in (*statement.who, statement.whom):
        if name[:1].isupper() and statement.relation is not AmountRelation.HOLDS:
            yield from _valid(names=(name,))
    for thing in statement.what:
        *before, noun = thing.casefold().split()
        one = " ".join([*before, noun_lemma(noun)])
        many = " ".join([*before, plural_of(noun_lemma(noun))])
        yield from _valid(things=({"singular": one, "plural": many},))


def _valid(**entries: tuple[object, ...]) -> Iterator[CustomWords]:
    try:
        yield CustomWords.model_validate(entries)
    except ValidationError:
        return
