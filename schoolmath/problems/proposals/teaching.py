"""What a person taught by reading a problem: words for a vocabulary of one's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import ValidationError

from schoolmath.problems.custom_words import CustomWords, words_for_reading
from schoolmath.problems.custom_words.file import Does
from schoolmath.problems.errors import VocabularyError
from schoolmath.problems.proposals.sheet import Meaning, ProblemSheet
from schoolmath.problems.proposals.statements import AmountRelation, ProposedStatement
from schoolmath.problems.stories import plural_of
from schoolmath.problems.stories.grammar.words import noun_lemma

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


def _entries(said: ProposedStatement) -> Iterator[CustomWords]:
    for name in (*said.who, said.whom):
        if name[:1].isupper() and said.relation is not AmountRelation.HOLDS:
            yield from _valid(names=(name,))
    for thing in said.what:
        *before, noun = thing.casefold().split()
        one = " ".join([*before, noun_lemma(noun)])
        many = " ".join([*before, plural_of(noun_lemma(noun))])
        yield from _valid(things=({"singular": one, "plural": many},))


def _valid(**entries: tuple[object, ...]) -> Iterator[CustomWords]:
    try:
        yield CustomWords.model_validate(entries)
    except ValidationError:
        return
