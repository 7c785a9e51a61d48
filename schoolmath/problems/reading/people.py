"""Who is meant: pronouns, and owners that a sentence leaves out.

A pronoun is read where only one person can be meant: one has been named so far, or the sentence
before says the same pronoun of somebody. Names tell nobody's gender, so "Ana has 5. Ben has 3.
She buys 2." is not read: the text has to say who.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schoolmath.problems.logic import Entity, Question, Rate, Statement
from schoolmath.problems.reading.sentences import NOBODY, Unclear
from schoolmath.problems.reading.utterances import Utterance, people_of, things_of, with_people
from schoolmath.problems.reading.words import lexicon


class KnownPeople:
    """Everybody named in a text so far, in the order of the text."""

    __slots__ = ("_before", "_genders", "_lost", "_named")

    def __init__(self) -> None:
        self._named: dict[str, None] = {}
        self._genders: dict[str, str] = {}
        self._before: dict[str, str] = {}
        self._lost: dict[str, str] = {}

    def resolved(self, said: Utterance) -> Utterance:
        """The same with names in place of pronouns. Sentences come in the order of the text.

        Raises:
            Unclear: more than one person, or nobody, can be meant.
        """
        pronouns = lexicon().pronouns
        here = people_of(said)
        names = [name for name in here if name != NOBODY and name not in pronouns]
        for name in names:
            self._check_name(name)
        meant: dict[str, str] = {}
        try:
            for word in here:
                if word in pronouns:
                    meant[word] = self._meant(word, pronouns[word], {*names, *meant.values()})
            return with_people(said, lambda name: meant.get(name, name)) if meant else said
        except ValueError as error:
            raise Unclear(str(error)) from error
        finally:
            self._remember(names, {pronouns[word]: name for word, name in meant.items()})

    def _remember(self, names: Sequence[str], meant: dict[str, str]) -> None:
        for name in names:
            self._named[name] = None
            title = lexicon().titles.get(name.partition(" ")[0].lower(), "anybody")
            if title != "anybody":
                self._genders[name] = title
        for gender, name in meant.items():
            if gender in ("he", "she"):
                self._genders[name] = gender
        self._before = meant

    def _meant(self, word: str, gender: str, taken: set[str]) -> str:
        if gender in self._lost:
            raise Unclear(self._lost[gender])
        again = self._before.get(gender)
        if again is not None and again not in taken:
            return again
        able = [
            name
            for name in self._named
            if name not in taken
            and (gender not in ("he", "she") or self._genders.get(name, gender) == gender)
        ]
        if len(able) == 1:
            return able[0]
        reason = f"It does not say who “{word}” is: write the name."
        if able:
            reason = f"“{word.capitalize()}” could be {_listed(able)}: write the name."
        # Who it is later cannot be told either.
        self._lost[gender] = reason
        raise Unclear(reason)

    def _check_name(self, name: str) -> None:
        for other in self._named:
            if name == other or not (" " in name or " " in other):
                continue
            one, two = set(name.lower().split()), set(other.lower().split())
            if one < two or two < one:
                raise Unclear(f"“{name}” and “{other}” may be the same: write one name everywhere.")


def with_owners(sentences: Sequence[Utterance], people: Iterable[str]) -> list[Utterance | Unclear]:
    """The sentences with an owner where one is left out: "Each box holds 6 apples".

    Args:
        sentences: with names and with things.
        people: everybody in the text.
    """
    everybody = [name for name in dict.fromkeys(people) if name != NOBODY]
    found: list[Utterance | Unclear] = []
    for said in sentences:
        if NOBODY not in people_of(said):
            found.append(said)
            continue
        owners = everybody if len(everybody) == 1 else _owners(said, sentences)
        if len(owners) == 1:
            found.append(_of_owner(said, owners[0]))
        elif isinstance(said, Question):
            found.append(Unclear("It does not say whose they are: ask for one person by name."))
        else:
            found.append(Unclear("It does not say whose they are: write the name, as in “Ana's”."))
    return found


def _of_owner(said: Utterance, owner: str) -> Utterance:
    return with_people(said, lambda name: name or owner)


def _owners(said: Utterance, sentences: Sequence[Utterance]) -> list[str]:
    """Who has the containers, or the things that are packed, of a rate without an owner."""
    if not isinstance(said, Statement) or not isinstance(said.predicate, Rate):
        return []
    wanted: set[Entity] = {said.predicate.entity if said.dividing else said.predicate.per}
    owners: dict[str, None] = {}
    for other in sentences:
        if isinstance(other, Statement) and wanted.intersection(things_of(other)):
            owners.update(dict.fromkeys(name for name in people_of(other) if name != NOBODY))
    return list(owners)


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"
