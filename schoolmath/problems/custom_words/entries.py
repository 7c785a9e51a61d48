"""What holds for every entry of an own vocabulary, whether it is written or read with."""

from __future__ import annotations

from collections.abc import Iterator

from schoolmath.problems.custom_words.file import CustomThing, CustomWords
from schoolmath.problems.reading.shapes import all_shapes
from schoolmath.problems.reading.words import lexicon
from schoolmath.problems.vocabulary import Noun, Unit, shipped
from schoolmath.text.numbers import NUMBER_WORDS

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
    from schoolmath.problems.stories.grammar import words

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
        yield "measures: a thing with a plural is counted by itself: leave out one of the two."
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
