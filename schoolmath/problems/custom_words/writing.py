"""Own words for writing: names, things and containers in place of the shipped ones.

They are taken only where every sentence that can be made of them is read back as it is meant: that
is tried, noun by noun and name by name, before the first pair is made.
"""

from __future__ import annotations

from collections.abc import Iterator

from schoolmath.problems.custom_words.entries import (
    CUSTOM_CULTURE,
    faults_of_entries,
    nouns_of,
    units_of,
)
from schoolmath.problems.custom_words.file import CustomWords, CustomWordsError
from schoolmath.problems.logic import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    Container,
    Entity,
    Predicate,
    Problem,
    Question,
    Rate,
    Statement,
    Transfer,
)
from schoolmath.problems.reading import Times, read
from schoolmath.problems.vocabulary import Name, Noun, Vocabulary, look_alike, shipped
from schoolmath.problems.writing import MINIMUM_PHRASINGS, write

FEWEST_NAMES = 7
"""People whom nobody takes for each other: what problems of five steps need."""

FEWEST_THINGS = 4
"""Things; with fewer, problems differ in little but their numbers."""


def words_for_writing(own: CustomWords, name: str = "The vocabulary") -> Vocabulary:
    """A vocabulary to write with, for `schoolmath.problems.vocabulary.using`.

    Own names take the place of all shipped names, own things that of all shipped things; where
    the file has none, the shipped ones stay. Verbs play no part: the studies' sentences are fixed.

    Args:
        own: what somebody wants to write with.
        name: what it is called, for refusals.

    Raises:
        CustomWordsError: texts made of it would be ambiguous, or there is too little to draw from.
    """
    known = shipped()
    if not own.names and not own.things:
        raise CustomWordsError(name, ("There are no names and no things to write with.",))
    faults = (*faults_of_entries(own), *_too_few(own))
    if faults:
        raise CustomWordsError(name, faults)
    nouns = nouns_of(own) or known.nouns
    names = tuple(Name(each, CUSTOM_CULTURE) for each in own.names) or known.names
    attributes = dict.fromkeys(each for noun in nouns.values() for each in noun.attributes)
    words = Vocabulary(names, nouns, known.units | units_of(own), tuple(attributes))
    faults = tuple(_misread(words, own))
    if faults:
        raise CustomWordsError(name, faults)
    return words


def _too_few(own: CustomWords) -> Iterator[str]:
    unlike: list[str] = []
    for each in own.names:
        if not any(look_alike(each, other) for other in unlike):
            unlike.append(each)
    if own.names and len(unlike) < FEWEST_NAMES:
        yield (
            f"names: only {len(unlike)} of them are told apart at a glance (another initial, and "
            f"more than two letters different), and {FEWEST_NAMES} are needed."
        )
    if own.things and len(own.things) < FEWEST_THINGS:
        yield f"things: there are {len(own.things)}, and {FEWEST_THINGS} are needed."


def _misread(words: Vocabulary, own: CustomWords) -> Iterator[str]:
    """Entries of which some sentence is not read back as it is meant."""
    people = _unlike_pair(words)
    if own.things:
        for number, noun in enumerate(words.nouns.values(), start=1):
            fault = _first_fault(words, people, noun)
            if fault:
                yield f"things, entry {number} (“{noun.singular}”): {fault}"
    noun = next(iter(words.nouns.values()))
    for number, name in enumerate(own.names, start=1):
        other = people[0] if name != people[0] else people[1]
        for phrasing in range(MINIMUM_PHRASINGS):
            fault = _fault_of_text(words, (name, other), _plain(noun), None, phrasing)
            if fault:
                yield f"names, entry {number} (“{name}”): {fault}"
                break


def _unlike_pair(words: Vocabulary) -> tuple[str, str]:
    first = words.names[0].text
    return first, next(each.text for each in words.names if not look_alike(first, each.text))


def _plain(noun: Noun) -> Entity:
    return Entity(noun.id, "", "" if noun.countable else noun.measures[0])


def _first_fault(words: Vocabulary, people: tuple[str, str], noun: Noun) -> str:
    for counted, per in _forms(noun):
        for phrasing in range(MINIMUM_PHRASINGS):
            fault = _fault_of_text(words, people, counted, per, phrasing)
            if fault:
                return fault
    return ""


def _forms(noun: Noun) -> Iterator[tuple[Entity, Entity | None]]:
    """A thing in every form that is written, with a container of it where it is packed."""
    for attribute in ("", *noun.attributes):
        for unit in ("",) if noun.countable else noun.measures:
            yield Entity(noun.id, attribute, unit), None
    for unit in noun.containers:
        packed = Entity(noun.id, "", unit)
        yield packed, None
        if noun.countable:
            yield Entity(noun.id), packed


def _fault_of_text(
    words: Vocabulary,
    people: tuple[str, str],
    counted: Entity,
    per: Entity | None,
    phrasing: int,
) -> str:
    """The sentence of a text that is not read back as it was meant, as a reason; "": none."""
    told = tuple(_statements(people, counted, per, phrasing))
    problem = Problem(told, Question(people[0], counted, phrasing))
    text = write(problem, words)
    found = read(str(text), words, Times.AS_MANY)
    meant = (*problem.statements, problem.question)
    for sentence, said in zip(text.sentences, meant, strict=True):
        back = next((each.said for each in found.sentences if each.text == sentence), None)
        if back != said:
            return f"“{sentence}” is not read back as it is meant."
    return ""


def _statements(
    people: tuple[str, str], counted: Entity, per: Entity | None, phrasing: int
) -> Iterator[Statement]:
    one, other = people
    if per is not None:
        for dividing in (False, True):
            yield Statement(Rate(one, 3, counted, per), None, phrasing, dividing)
        return
    moved: tuple[Predicate, ...] = (
        Container(one, 1, counted),
        Container(other, 5, counted),
        Transfer(one, other, 2, counted),
        Transfer(other, None, 1, counted),
        Transfer(None, other, 3, counted),
    )
    for predicate in moved:
        yield Statement(predicate, None, phrasing)
    for kind, forms in (
        (ComparisonType.ADDITIVE, (ComparisonForm.A_MORE, ComparisonForm.B_FEWER)),
        (ComparisonType.MULTIPLICATIVE, tuple(ComparisonForm)),
    ):
        for form in forms:
            yield Statement(Comparison(kind, one, other, 2, counted), form, phrasing)
