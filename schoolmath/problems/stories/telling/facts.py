"""What was understood of a story so far, and whom its pronouns mean."""

from __future__ import annotations

from dataclasses import dataclass, field

from schoolmath.problems.stories.amounts import Amount, Thing
from schoolmath.problems.stories.grammar import words
from schoolmath.problems.stories.grammar.phrases import NounPhrase


@dataclass(slots=True)
class StoryFacts:
    """All that was understood of a story's statements."""

    amounts: list[Amount] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    last_thing: Thing = field(default_factory=Thing)
    subject: tuple[str, ...] = ()
    person: str = ""
    named: bool = False
    group: tuple[str, ...] = ()
    clauses: int = 0
    sexes: dict[str, str] = field(default_factory=dict)
    unsure: str = ""
    odd: list[str] = field(default_factory=list)

    def pronoun(self, word: str) -> tuple[str, ...]:
        """Who “he” or “she” is: the last who was named; unsure where it may be somebody else."""
        if not self.person:
            return (word,)
        sex = "he" if word in {"he", "him"} else "she"
        if self.sexes.get(self.person) == sex:
            return (self.person,)
        told = [name for name in self.people if self.sexes.get(name) == sex]
        of_another = word in {"him", "her"} and self.subject == (self.person,)
        if len(told) == 1 and (self.person in self.sexes or of_another):
            return (told[0],)
        if any(self.sexes.get(name, sex) == sex for name in self.people if name != self.person):
            self.unsure = self.unsure or word
        else:
            self.sexes.setdefault(self.person, sex)
        return (self.person,)

    def named_by(self, phrase: NounPhrase) -> tuple[str, ...]:
        """Whom a phrase names, pronouns resolved."""
        if phrase.pronoun:
            word = phrase.head
            if word in {"he", "she", "him", "her"}:
                return self.pronoun(word)
            if word in {"they", "them", "we", "us"}:
                return self.group or ("they",)
            if word == "it":
                return self.subject or ("it",)
            return (word,)
        if phrase.rest or phrase.head == "rest":
            return ()
        if phrase.head in words.KIN and phrase.owner:
            if phrase.owner not in words.POSSESSIVES | {"her"}:
                # "Carrie's mom gave her ...": Carrie.
                self.person, self.named = phrase.owner, True
            return (phrase.head,)
        if phrase.other and phrase.head:
            return ("other " + phrase.head,)
        return (phrase.head,) if phrase.head else ()
