"""How a lesson about a concept is put into words.

    There are 30 lanterns in all. Mia has 12 of them. Does Mia have more than 3/10 of the lanterns?
    Yes.

The question names the concept (explicit), says only that some amount is wanted (hidden), or uses
a made-up word in the place where a quantifier stands. The amounts are told in one of four
wordings, since words may suggest what to look at: “has 12 of them” and “the wanted number” speak of
a number, “12 of the 30” puts the total beside it. The printed one is the publication's own; another
was made after it before its words were known, and stays for designs of that time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from biaslab.studies.concepts import (
    Concept,
    ConceptFamily,
    ConceptLesson,
    ConceptRelation,
    LabelledAmount,
)
from biaslab.studies.published import published_words
from schoolmath.problems import DesignError, VocabularyError
from schoolmath.text.yaml_files import read_yaml

ASSETS = Path(__file__).resolve().parents[3] / "assets" / "concepts"


FREQUENT = "frequent"
MOST_NOUNS = 500
_FILES = {"ours": "nouns.yaml", FREQUENT: "nouns_by_frequency.yaml"}
_PLURAL = re.compile(r"[^\W\d_][\w' -]{0,39}")


def plurals(listed: str) -> tuple[str, ...]:
    """The things that examples are about, in the plural.

    Args:
        listed: ``ours``, ``frequent`` (a hundred frequent nouns, as the publication took), or
            plurals of one's own with commas between them.

    Raises:
        DesignError: what was typed is no list of at least two words.
        VocabularyError: a shipped list is missing.
    """
    if listed in _FILES:
        return tuple(nouns(listed))
    typed = tuple(dict.fromkeys(" ".join(word.split()) for word in listed.split(",")))
    if 2 <= len(typed) <= MOST_NOUNS and all(map(_PLURAL.fullmatch, typed)):
        return typed
    raise DesignError(
        "Things: this is no list of words.",
        f"Write ours, frequent, or 2 to {MOST_NOUNS} plurals with commas: apples, pears, boxes.",
        "nouns",
    )


@cache
def nouns(of: str = "ours") -> dict[str, str]:
    """Plurals with their singulars, of a shipped list.

    Raises:
        VocabularyError: the file is missing or is no list of nouns.
    """
    path = ASSETS / _FILES[of]
    try:
        found = read_yaml(path)["nouns"]
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


class AnswerWords(NamedTuple):
    """The two answers."""

    yes: str
    no: str


ANSWERS = {
    "yes-no": AnswerWords("Yes", "No"),
    "true-false": AnswerWords("True", "False"),
    "a-b": AnswerWords("A", "B"),
    "made-up": AnswerWords("Dax", "Wug"),
}
"""Pairs of answers by name."""

TRUE_FALSE = "true-false"
MADE_UP_WORD = "gleeb"


class AmountWording(NamedTuple):
    """How an amount is told, and how a hidden concept is asked about.

    Attributes:
        amount: with {total}, {has}, {noun} and {name}, or {Noun} at the beginning of a sentence.
        asked: the question; stated: the same as a statement, for true or false.
    """

    amount: str
    asked: str
    stated: str


OURS, PRINTED, AFTER, NEUTRAL = "ours", "printed", "after the publication", "neutral"
FORMER = "published"
"""What designs up to 0.5 call the wording that was made after the publication."""

_AFTER = AmountWording(
    "There are {total} {noun}. {name} has {has} of the {total} {noun}.",
    "Does {name} have the desired quantity of {noun}?",
    "{name} has the desired quantity of {noun}",
)
PRINTED_NAME = "Alice"
"""Of the person in every printed example."""


def _printed() -> AmountWording:
    """The publication's words, which ask for yes or no; the statement is made after them."""
    words = published_words()
    amount, asked = (words[f"concepts, {part}"].words for part in ("example", "hidden question"))
    told, question = (text.replace(PRINTED_NAME, "{name}") for text in (amount, asked))
    return AmountWording(told, question, "{name} has the desired quantity of the {noun}")


WORDINGS = {
    OURS: AmountWording(
        "There are {total} {noun} in all. {name} has {has} of them.",
        "Does {name} have the wanted number of {noun}?",
        "{name} has the wanted number of {noun}",
    ),
    PRINTED: _printed(),
    AFTER: _AFTER,
    FORMER: _AFTER,
    NEUTRAL: AmountWording(
        "{Noun}: {total} in all, {has} with {name}.",
        "Does that fit?",
        "that fits",
    ),
}
"""Wordings by name."""

LESS, FEWER = "less than", "fewer than"

_QUANTIFIERS = {
    ConceptRelation.SOME: "some of",
    ConceptRelation.ALL: "all of",
    ConceptRelation.NONE: "none of",
    ConceptRelation.NOT_ALL: f"{LESS} all of",
    ConceptRelation.EVEN: "an even number of",
    ConceptRelation.ODD: "an odd number of",
}


@dataclass(frozen=True, slots=True)
class Surface:
    """What a prompt looks like, whatever the numbers.

    Attributes:
        semantics: whether it says what the concept means; answers: name of a pair in `ANSWERS`.
        less: the word for less: ``less than`` or ``fewer than``.
        wording: name in `WORDINGS`; None: ours, as in version 1, which had no other.
    """

    semantics: Semantics = Semantics.HIDDEN
    answers: str = "yes-no"
    less: str = LESS
    wording: str | None = None

    @property
    def words(self) -> AnswerWords:
        """The two answers."""
        return ANSWERS[self.answers]

    def prompt(self, concept: Concept, lesson: ConceptLesson) -> str:
        """The labelled examples, a line each, and the question, which ends with its mark."""
        lines = [
            f"{self._ask(concept, example, lesson.name)} {self.answer(example.yes)}."
            for example in lesson.examples
        ]
        return "\n".join((*lines, self._ask(concept, lesson.question, lesson.name)))

    def answer(self, yes: bool) -> str:
        """The word for yes or no."""
        return self.words.yes if yes else self.words.no

    def _ask(self, concept: Concept, example: LabelledAmount, name: str) -> str:
        total, has = example.amount
        telling = WORDINGS[self.wording or OURS]
        words = {
            "total": total, "has": has, "name": name,
            "noun": example.noun, "Noun": example.noun.capitalize(),
        }  # fmt: skip
        return f"{telling.amount.format(**words)} {self._question(concept, telling, words)}"

    def _question(
        self, concept: Concept, telling: AmountWording, words: Mapping[str, object]
    ) -> str:
        noun, name = words["noun"], words["name"]
        stated = self.answers == TRUE_FALSE
        if self.semantics is Semantics.EXPLICIT and concept.family is ConceptFamily.TOTAL_PARITY:
            kind = "even" if concept.relation is ConceptRelation.EVEN_TOTAL else "odd"
            if stated:
                return f"True or false: the number of {noun} is {kind}?"
            return f"Is the number of {noun} {kind}?"
        if self.semantics is Semantics.HIDDEN:
            if stated:
                return f"True or false: {telling.stated.format(**words)}?"
            return telling.asked.format(**words)
        made_up = self.semantics is Semantics.MADE_UP
        amount = f"{MADE_UP_WORD} of" if made_up else self.meaning(concept)
        if stated:
            return f"True or false: {name} has {amount} the {noun}?"
        return f"Does {name} have {amount} the {noun}?"

    def meaning(self, concept: Concept) -> str:
        """The concept's phrase as it stands before “the lanterns”."""
        quantifier = _QUANTIFIERS.get(concept.relation)
        if quantifier is not None:
            return quantifier.replace(LESS, self.less)
        if concept.relation is ConceptRelation.BETWEEN:
            low, high = concept.bounds
            return f"at least {low} and at most {high} of"
        if concept.relation is ConceptRelation.OUTSIDE:
            low, high = concept.bounds
            return f"either {self.less} {low} or more than {high} of"
        return f"{concept.phrase.replace(LESS, self.less)} of"
