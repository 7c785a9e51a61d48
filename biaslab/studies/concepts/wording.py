"""How a lesson about a concept is put into words. The wording is this project's own.

    There are 30 lanterns in all. Mia has 12 of them. Does Mia have more than 3/10 of the lanterns?
    Yes.

The question names the concept (explicit), says only that some amount is wanted (hidden), or uses
a made-up word in the place where a quantifier stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from biaslab.problems import VocabularyError
from biaslab.studies.concepts import Concept, Example, Family, Lesson, Relation

ASSETS = Path(__file__).resolve().parents[3] / "assets" / "concepts"


@cache
def nouns() -> dict[str, str]:
    """Plurals with their singulars.

    Raises:
        VocabularyError: the file is missing or is no list of nouns.
    """
    path = ASSETS / "nouns.yaml"
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))["nouns"]
    except (OSError, yaml.YAMLError, KeyError, TypeError) as error:
        raise VocabularyError(
            f"The list of nouns {path.name} cannot be read ({error}): restore assets/concepts "
            "from the project."
        ) from error
    if not isinstance(found, dict) or not all(
        isinstance(word, str) and word for pair in found.items() for word in pair
    ):
        raise VocabularyError(
            f"{path.name} must say “plural: singular” in every line: restore assets/concepts from "
            "the project."
        )
    return dict(found)


class Semantics(StrEnum):
    """Whether the prompt says what the concept means."""

    HIDDEN = "hidden"
    MADE_UP = "made-up"
    EXPLICIT = "explicit"


class Words(NamedTuple):
    """The two answers."""

    yes: str
    no: str


ANSWERS = {
    "yes-no": Words("Yes", "No"),
    "true-false": Words("True", "False"),
    "a-b": Words("A", "B"),
    "made-up": Words("Dax", "Wug"),
}
"""Pairs of answers by name."""

TRUE_FALSE = "true-false"
HIDDEN_PHRASE = "the wanted number of"
MADE_UP_WORD = "gleeb"
LESS, FEWER = "less than", "fewer than"

_QUANTIFIERS = {
    Relation.SOME: "some of",
    Relation.ALL: "all of",
    Relation.NONE: "none of",
    Relation.NOT_ALL: f"{LESS} all of",
    Relation.EVEN: "an even number of",
    Relation.ODD: "an odd number of",
}


@dataclass(frozen=True, slots=True)
class Surface:
    """What a prompt looks like, whatever the numbers.

    Attributes:
        semantics: whether it says what the concept means; answers: name of a pair in `ANSWERS`.
        less: the word for less: ``less than`` or ``fewer than``.
    """

    semantics: Semantics = Semantics.HIDDEN
    answers: str = "yes-no"
    less: str = LESS

    @property
    def words(self) -> Words:
        """The two answers."""
        return ANSWERS[self.answers]

    def prompt(self, concept: Concept, lesson: Lesson) -> str:
        """The labelled examples, a line each, and the question, which ends with its mark."""
        lines = [
            f"{self._ask(concept, example, lesson.name)} {self.answer(example.yes)}."
            for example in lesson.examples
        ]
        return "\n".join((*lines, self._ask(concept, lesson.question, lesson.name)))

    def answer(self, yes: bool) -> str:
        """The word for yes or no."""
        return self.words.yes if yes else self.words.no

    def _ask(self, concept: Concept, example: Example, name: str) -> str:
        total, has = example.amount
        said = f"There are {total} {example.noun} in all. {name} has {has} of them."
        if self.semantics is Semantics.EXPLICIT and concept.family is Family.TOTAL_PARITY:
            kind = "even" if concept.relation is Relation.EVEN_TOTAL else "odd"
            if self.answers == TRUE_FALSE:
                return f"{said} True or false: the number of {example.noun} is {kind}?"
            return f"{said} Is the number of {example.noun} {kind}?"
        amount = self._amount(concept, example.noun)
        if self.answers == TRUE_FALSE:
            return f"{said} True or false: {name} has {amount}?"
        return f"{said} Does {name} have {amount}?"

    def _amount(self, concept: Concept, noun: str) -> str:
        match self.semantics:
            case Semantics.HIDDEN:
                return f"{HIDDEN_PHRASE} {noun}"
            case Semantics.MADE_UP:
                return f"{MADE_UP_WORD} of the {noun}"
        return f"{self.meaning(concept)} the {noun}"

    def meaning(self, concept: Concept) -> str:
        """The concept's phrase as it stands before “the lanterns”."""
        quantifier = _QUANTIFIERS.get(concept.relation)
        if quantifier is not None:
            return quantifier.replace(LESS, self.less)
        if concept.relation is Relation.BETWEEN:
            low, high = concept.bounds
            return f"at least {low} and at most {high} of"
        if concept.relation is Relation.OUTSIDE:
            low, high = concept.bounds
            return f"either {self.less} {low} or more than {high} of"
        return f"{concept.phrase.replace(LESS, self.less)} of"
