"""A vocabulary of somebody's own: a file of names, things and verbs, to write and to read with.

    names: [Amina, Jonas]
    things:
      - {singular: durian, plural: durians, theme: fruit, kinds: [fruit],
         attributes: [ripe], containers: [crate]}
      - {singular: broth, measures: [liter], theme: drink}
    containers:
      - {singular: hamper, plural: hampers}
    verbs:
      - {lemma: snaffle, does: gain}

docs/your-problem.md says what every field means. The YAML is read whole or refused entry by entry.

What is taught for reading may open a text that was refused; it never changes what a known word
means, and no word on which the judge's filters rest can be taught anew. For writing, words are
taken only where every sentence that can be made of them is read back as it is meant: that is tried,
noun by noun and name by name, before the first pair is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from schoolmath.problems.errors import VocabularyError
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
from schoolmath.problems.reading.shapes import all_shapes, lexicon
from schoolmath.problems.vocabulary import (
    Name,
    Noun,
    Taught,
    Unit,
    Vocabulary,
    look_alike,
    shipped,
    using,
)
from schoolmath.problems.writing import MINIMUM_PHRASINGS, write
from schoolmath.text.numbers import NUMBER_WORDS
from schoolmath.text.yaml_files import parse_yaml

MAX_BYTES = 100_000
"""Bytes of the largest file; every list has its own limit besides."""

MOST_SHOWN = 12
"""Faults that a refusal tells."""

Word = Annotated[
    str, StringConstraints(strict=True, pattern=r"^[a-z]+(?:[ -][a-z]+){0,2}$", max_length=40)
]
"""A noun or adjective: up to three words in small letters."""

PersonName = Annotated[
    str, StringConstraints(strict=True, pattern=r"^\p{Lu}\p{Ll}+$", min_length=2, max_length=20)
]
Lemma = Annotated[
    str, StringConstraints(strict=True, pattern=r"^[a-z]+(?: [a-z]+)?$", max_length=30)
]
Does = Literal[
    "state", "gain", "make", "loss", "give", "take", "put", "come", "leave", "share", "price",
    "need",
]  # fmt: skip
"""What a verb does to amounts: the classes of assets/vocabulary/stories.yaml."""


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CustomThing(_Entry):
    """Something that people have amounts of.

    Attributes:
        singular, plural: its noun. A thing that is only counted in measures has no plural.
        theme: a broad group of things that go together.
        kinds: nouns that say what it is ("fruit"), for questions that ask for those.
        attributes: adjectives that make sense with it.
        containers: what a group of it is kept in: a container of the file or a shipped one.
        measures: what it is counted in, for a thing that cannot be counted by itself.
    """

    singular: Word
    plural: Word | None = None
    theme: Word = "own"
    kinds: tuple[Word, ...] = Field(default=(), max_length=10)
    attributes: tuple[Word, ...] = Field(default=(), max_length=10)
    containers: tuple[Word, ...] = Field(default=(), max_length=10)
    measures: tuple[Word, ...] = Field(default=(), max_length=10)


class CustomContainer(_Entry):
    """Something to keep things in."""

    singular: Word
    plural: Word


class CustomVerb(_Entry):
    """A verb and what it does to amounts.

    Attributes:
        lemma: its base form, with a particle where that belongs to it ("chuck out").
        does: what it does.
        forms: its forms, where they are irregular; without any, the regular ones.
    """

    lemma: Lemma
    does: Does
    forms: tuple[Word, ...] = Field(default=(), max_length=6)


class CustomWords(_Entry):
    """A vocabulary of somebody's own, as its file has it."""

    names: tuple[PersonName, ...] = Field(default=(), max_length=500)
    things: tuple[CustomThing, ...] = Field(default=(), max_length=200)
    containers: tuple[CustomContainer, ...] = Field(default=(), max_length=100)
    verbs: tuple[CustomVerb, ...] = Field(default=(), max_length=200)


class CustomWordsError(VocabularyError):
    """A vocabulary that is not taken.

    Attributes:
        faults: why, each a sentence with the entry and the field.
    """

    def __init__(self, name: str, faults: tuple[str, ...]) -> None:
        shown = list(faults[:MOST_SHOWN])
        if len(faults) > MOST_SHOWN:
            shown.append(f"... and {len(faults) - MOST_SHOWN} more.")
        super().__init__("\n".join(f"{name}: {fault}" for fault in shown))
        self.faults = faults


def read_custom_words(data: bytes, name: str = "The file") -> CustomWords:
    """A vocabulary from its file.

    Args:
        data: the file; more than `MAX_BYTES` are refused before anything is parsed.
        name: what it is called, for refusals.

    Raises:
        CustomWordsError: naming every entry and field at fault.
    """
    if len(data) > MAX_BYTES:
        fault = f"It is larger than {MAX_BYTES:,} bytes: split it."
        raise CustomWordsError(name, (fault,))
    try:
        loaded = parse_yaml(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise CustomWordsError(name, ("It is no text in UTF-8: save it as UTF-8.",)) from None
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise CustomWordsError(name, (f"{line}{error.problem or 'it is no YAML'}.",)) from None
    except (yaml.YAMLError, ValueError) as error:
        raise CustomWordsError(name, (f"It is no YAML: {error}.",)) from None
    if not isinstance(loaded, dict) or not loaded:
        fault = "It holds no vocabulary: write names, things, containers or verbs."
        raise CustomWordsError(name, (fault,))
    try:
        return CustomWords.model_validate(loaded)
    except ValidationError as error:
        raise CustomWordsError(name, tuple(_faults(error, loaded))) from None


def written_file(words: CustomWords) -> str:
    """The file of a vocabulary; `read_custom_words` reads it back."""
    content = words.model_dump(mode="json", exclude_defaults=True)
    head = "# Your own vocabulary for BiasLab (docs/your-problem.md).\n"
    return head + yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=100)


_KINDS_OF_FAULT = {
    "missing": "is missing",
    "string_type": "is no text: write a word, in quotes where YAML takes it for something else",
    "tuple_type": "is no list: write [one, two]",
    "too_long": "has too many entries",
    "string_too_long": "is too long",
    "string_too_short": "is too short",
    "extra_forbidden": "is no field that is known here",
    "model_type": "is no entry with fields: write {singular: ..., plural: ...}",
}
_PATTERNS = {
    "names": "must be one word that begins with a capital",
    "lemma": "must be a verb in small letters, with one particle at most (“chuck out”)",
}


def _faults(error: ValidationError, loaded: dict[str, Any]) -> Iterator[str]:
    for each in error.errors(include_url=False, include_input=False, include_context=True):
        path = list(each["loc"])
        said = _KINDS_OF_FAULT.get(each["type"], "")
        if each["type"] == "string_pattern_mismatch":
            key = "lemma" if "lemma" in path else str(path[0])
            said = _PATTERNS.get(key, "must be one to three words of small letters a to z")
        elif each["type"] == "literal_error":
            said = f"must be one of {each['ctx']['expected']}"
        yield f"{_place(path, loaded)} {said or each['msg'].lower()}."


def _place(path: list[int | str], loaded: dict[str, Any]) -> str:
    where = str(path[0])[:40]
    at: Any = loaded.get(str(path[0]))
    for step in path[1:]:
        if isinstance(step, int):
            at = at[step] if isinstance(at, list) and step < len(at) else None
            where += f", entry {step + 1}"
            if isinstance(at, dict):
                called = at.get("singular", at.get("lemma"))
                where += f" (“{called}”)" if isinstance(called, str) and len(called) < 41 else ""
            elif isinstance(at, str) and len(at) < 41:
                where += f" (“{at}”)"
        else:
            where += f", {step[:40]}"
            at = at.get(step) if isinstance(at, dict) else None
    return where


CUSTOM_CULTURE = "own"
"""In place of the culture that a shipped name was taken from."""

_ONE_FORM = "it is the same as the singular, so that one and several look alike."


def nouns_of(own: CustomWords) -> dict[str, Noun]:
    """The things of the file, by what they are called inside."""
    found = {}
    for thing in own.things:
        key = thing.singular.replace(" ", "_")
        found[key] = Noun(
            id=key,
            singular=thing.singular,
            plural=thing.plural or thing.singular,
            countable=thing.plural is not None,
            measures=tuple(_unit(own, each) for each in thing.measures),
            containers=tuple(_unit(own, each) for each in thing.containers),
            attributes=thing.attributes,
            topic=thing.theme,
        )
    return found


def units_of(own: CustomWords) -> dict[str, Unit]:
    """The containers of the file."""
    return {
        (key := each.singular.replace(" ", "_")): Unit(key, each.singular, each.plural, True)
        for each in own.containers
    }


def _unit(own: CustomWords, word: str) -> str:
    """The identifier of a unit that a thing names by its singular or identifier; "": none."""
    if any(each.singular == word for each in own.containers):
        return word.replace(" ", "_")
    units = shipped().units
    if word in units:
        return word
    return next((unit.id for unit in units.values() if unit.singular == word), "")


def faults_of_entries(own: CustomWords) -> tuple[str, ...]:
    """What is wrong with single entries, each a sentence that names entry and field."""
    return (*_of_names(own), *_of_things(own), *_of_containers(own), *_of_forms(own))


def _of_names(own: CustomWords) -> Iterator[str]:
    known = shipped()
    words = {form for forms in _forms(own).values() for form in forms}
    words |= {form for each in known.nouns.values() for form in (each.singular, each.plural)}
    words |= {form for each in known.units.values() for form in (each.singular, each.plural)}
    words |= {*known.attributes, *(each for thing in own.things for each in thing.attributes)}
    seen: set[str] = set()
    for number, name in enumerate(own.names, start=1):
        lower = name.casefold()
        where = f"names, entry {number} (“{name}”)"
        if lower in seen:
            yield f"{where}: it stands twice: leave one out."
        seen.add(lower)
        if lower in words:
            yield f"{where}: it is a thing, a container or an attribute too: leave one out."
        elif lower in _language() or _is_verb(lower):
            yield f"{where}: it is also a word of the sentences: take another name."


def _is_verb(word: str) -> bool:
    from schoolmath.problems.stories import words

    return words.verb_lemma(word) in words.lexicon().verbs or any(
        word in group for group in words.classes().values()
    )


def _of_things(own: CustomWords) -> Iterator[str]:
    seen: set[str] = set()
    for number, thing in enumerate(own.things, start=1):
        where = f"things, entry {number} (“{thing.singular}”)"
        if thing.singular in seen:
            yield f"{where}: it stands twice: leave one out."
        seen.add(thing.singular)
        yield from (f"{where}, {reason}" for reason in _of_thing(own, thing))


def _of_thing(own: CustomWords, thing: CustomThing) -> Iterator[str]:
    if thing.plural is None and not thing.measures:
        yield "plural: it is missing; a thing without one needs measures."
    if thing.plural is not None and thing.measures:
        yield "measures: a thing with a plural is counted directly: leave out one of the two."
    if thing.plural == thing.singular:
        yield f"plural: {_ONE_FORM}"
    for word in filter(None, (thing.singular, thing.plural)):
        if reason := _language_in(word):
            yield f"singular and plural: {reason}"
            break
    for attribute in thing.attributes:
        if reason := _language_in(attribute):
            yield f"attributes: {reason}"
        elif " " in attribute:
            yield f"attributes: “{attribute}” has more than one word."
    for name, units in (("containers", thing.containers), ("measures", thing.measures)):
        for unit in units:
            found = _unit(own, unit)
            container = found not in shipped().units or shipped().units[found].container
            if not found:
                yield f"{name}: “{unit}” is no unit: add it to the containers of the file."
            elif container is not (name == "containers"):
                yield f"{name}: “{unit}” is a {'container' if container else 'measure'}."


def _of_containers(own: CustomWords) -> Iterator[str]:
    seen: set[str] = set()
    for number, each in enumerate(own.containers, start=1):
        where = f"containers, entry {number} (“{each.singular}”)"
        if each.singular in seen:
            yield f"{where}: it stands twice: leave one out."
        seen.add(each.singular)
        if each.singular == each.plural:
            yield f"{where}, plural: {_ONE_FORM}"
        for word in (each.singular, each.plural):
            if reason := _language_in(word):
                yield f"{where}: {reason}"
                break


def _forms(own: CustomWords) -> dict[str, tuple[str, ...]]:
    """Singular and plural of every thing and container, by where it stands."""
    found: dict[str, tuple[str, ...]] = {
        f"things, entry {n} (“{each.singular}”)": (each.singular, each.plural or each.singular)
        for n, each in enumerate(own.things, start=1)
    }
    return found | {
        f"containers, entry {n} (“{each.singular}”)": (each.singular, each.plural)
        for n, each in enumerate(own.containers, start=1)
    }


def _of_forms(own: CustomWords) -> Iterator[str]:
    """Nouns that cannot be told from one another, or from a shipped measure or container."""
    forms = _forms(own)
    units = {
        form: unit.singular
        for unit in shipped().units.values()
        for form in (unit.singular, unit.plural)
    }
    attributes = {each for thing in own.things for each in thing.attributes}
    attributes |= set(shipped().attributes)
    listed = list(forms.items())
    for place, mine in listed:
        taken = next((form for form in mine if form in units), None)
        if taken:
            yield f"{place}: “{taken}” is a measure or container here already."
        taken = next((form for form in mine if form in attributes), None)
        if taken:
            yield f"{place}: “{taken}” is an attribute too: leave one out."
    for at, (place, mine) in enumerate(listed):
        for other, theirs in listed[at + 1 :]:
            if mine[0] == theirs[0] and place.split(",")[0] == other.split(",")[0]:
                continue  # said already: it stands twice
            for one in dict.fromkeys(mine):
                for two in dict.fromkeys(theirs):
                    if one == two:
                        yield f"{other}: “{two}” is a form of {place} too."
                    elif _holds(one, two) or _holds(two, one):
                        long, short = (one, two) if _holds(one, two) else (two, one)
                        yield (
                            f"{other}: “{long}” holds “{short}” ({place}), so that one may be "
                            "taken for the other."
                        )


def _holds(long: str, short: str) -> bool:
    return f" {short} " in f" {long} ".replace("-", " ") and long != short


def _language_in(phrase: str) -> str:
    """Which word of the sentences a noun phrase has, as a reason; "" where none."""
    for word in phrase.replace("-", " ").split():
        if word in _nouns_end() or word in NUMBER_WORDS:
            return f"“{word}” is a word of the sentences or of amounts: a noun with it is not read."
    return ""


def _nouns_end() -> frozenset[str]:
    return all_shapes().after_things | lexicon().not_in_a_thing | lexicon().dropped | {"of"}


def _language() -> frozenset[str]:
    shapes = all_shapes()
    return frozenset(
        {*shapes.not_names, *shapes.after_names, *lexicon().forms, *lexicon().titles, *NUMBER_WORDS}
    )


PARTICLES = ("away", "off", "out", "up", "on", "in", "over", "down", "back", "apart")
"""What may belong to a verb."""


def words_for_reading(own: CustomWords, name: str = "The vocabulary") -> Vocabulary:
    """The shipped words and somebody's own, for `schoolmath.problems.vocabulary.using`.

    Names are read whatever they are; those of the file are drawn from where a text that was read is
    written again with somebody more in it.

    Args:
        own: what somebody teaches.
        name: what it is called, for refusals.

    Raises:
        CustomWordsError: an entry would change what is known already, or cannot be distinguished.
    """
    known = shipped()
    faults = (*faults_of_entries(own), *_faults_of_verbs(own.verbs))
    if faults:
        raise CustomWordsError(name, faults)
    nouns, units = nouns_of(own), units_of(own)
    attributes = dict.fromkeys((*known.attributes, *(a for t in own.things for a in t.attributes)))
    return Vocabulary(
        tuple(Name(each, CUSTOM_CULTURE) for each in own.names) or known.names,
        known.nouns | nouns,
        known.units | units,
        tuple(attributes),
        _taught(own),
    )


def _taught(own: CustomWords) -> Taught:
    kinds: dict[str, set[str]] = {}
    nouns: dict[str, str] = {}
    for thing in own.things:
        for kind in thing.kinds:
            kinds.setdefault(kind, set()).add(thing.singular)
        if thing.plural is not None and " " not in thing.singular + thing.plural:
            nouns |= {thing.singular: thing.singular, thing.plural: thing.singular}
    for unit in own.containers:
        if " " not in unit.singular + unit.plural:
            nouns |= {unit.singular: unit.singular, unit.plural: unit.singular}
    return Taught(
        {verb.lemma: verb.does for verb in own.verbs},
        {form: verb.lemma.split()[0] for verb in own.verbs for form in forms_of(verb)},
        nouns,
        {kind: frozenset(members) for kind, members in kinds.items()},
    )


def forms_of(verb: CustomVerb) -> tuple[str, ...]:
    """The forms of a verb's first word: those that its entry has, or the regular ones.

    A verb with a particle whose first word is known already has none: they are known.
    """
    from schoolmath.problems.stories.words import lexicon

    with using(shipped()):
        base = verb.lemma.split()[0]
        if " " in verb.lemma and base in lexicon().verbs:
            return ()
    if verb.forms:
        return (base, *verb.forms)
    from lemminflect import getAllInflections, getAllInflectionsOOV

    found = getAllInflections(base, "VERB") or getAllInflectionsOOV(base, "VERB")
    return tuple(dict.fromkeys((base, *(form for forms in found.values() for form in forms))))


def _faults_of_verbs(verbs: tuple[CustomVerb, ...]) -> Iterator[str]:
    seen: set[str] = set()
    for number, verb in enumerate(verbs, start=1):
        forms = {verb.lemma} if " " in verb.lemma else {verb.lemma, *forms_of(verb)}
        twice = sorted(forms & seen)
        seen |= forms
        reason = _fault_of(verb)
        if twice and not reason:
            reason = f"“{twice[0]}” is taught twice: leave one entry out"
        if reason:
            yield f"verbs, entry {number} (“{verb.lemma}”), lemma: {reason}."


def _fault_of(verb: CustomVerb) -> str:
    """Why a verb cannot be taught; "" where it can."""
    from schoolmath.problems.stories import words

    with using(shipped()):
        known, listed = words.lexicon(), words.classes()
        base, _, particle = verb.lemma.partition(" ")
        if particle:
            if particle not in PARTICLES:
                return f"“{particle}” is no particle: one of {', '.join(PARTICLES)} may follow"
            if verb.lemma in known.particles:
                return "what this does is known already"
            if base in known.verbs and base not in known.unclear:
                return ""
        for form in forms_of(verb):
            if form in known.unread:
                return f"texts with “{form}” are refused on sight, and teaching it changes nothing"
            if form in known.unclear or words.verb_lemma(form) in known.unclear:
                return f"“{form}” can mean to give and to get, so it cannot be taught as one"
            if form in known.verbs or words.verb_lemma(form) in known.verbs:
                lemma = form if form in known.verbs else words.verb_lemma(form)
                return f"“{form}” is known already, as “{known.verbs[lemma]}”"
            if any(form in group for group in listed.values()):
                return f"“{form}” has a part in how questions and amounts are understood"
    return ""


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
            f"names: only {len(unlike)} of them are easy to tell apart (another initial, and "
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
    for counted, per in _counted_forms(noun):
        for phrasing in range(MINIMUM_PHRASINGS):
            fault = _fault_of_text(words, people, counted, per, phrasing)
            if fault:
                return fault
    return ""


def _counted_forms(noun: Noun) -> Iterator[tuple[Entity, Entity | None]]:
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
    words: Vocabulary, people: tuple[str, str], counted: Entity, per: Entity | None, phrasing: int
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
