"""Own words for reading: the shipped vocabulary and lexicon with somebody's own added.

What is taught may open a text that was refused; it never changes what a known word means, and no
word on which the judge's filters rest can be taught anew.
"""

from __future__ import annotations

from collections.abc import Iterator

from schoolmath.problems.custom_words.entries import (
    CUSTOM_CULTURE,
    faults_of_entries,
    nouns_of,
    units_of,
)
from schoolmath.problems.custom_words.file import CustomVerb, CustomWords, CustomWordsError
from schoolmath.problems.vocabulary import Name, Taught, Vocabulary, shipped, using

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
        CustomWordsError: an entry would change what is known already, or cannot be told apart.
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
    from schoolmath.problems.stories.grammar.words import lexicon

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
    from schoolmath.problems.stories.grammar import words

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
