"""Items and pairs of the study of concepts: matched lessons, and how they are put into words.

    There are 30 lanterns in all. Mia has 12 of them. Does Mia have more than 3/10 of the lanterns?
    Yes.

The question names the concept (explicit), says only that some amount is wanted (hidden), or uses
a made-up word in the place where a quantifier stands. The amounts are told in one of four
wordings, since words may suggest what to look at: “has 12 of them” and “the wanted number” speak of
a number, “12 of the 30” puts the total beside it. The printed one is the publication's own; another
was made after it before its words were known, and stays for designs of that time.

Version 1, up to BiasLab 0.4, asked every comparison one way, in one wording. A learner that counts
and never looks at the total then has an effect: “more than 3/10” can be told by counting more
often than “less than 7/10”. Version 2 asks every comparison both ways: each prompt comes back with
all its answers exchanged, for the complement of its concept in the other arm. Whatever learns from
labelled amounts without caring which label is yes is then right equally often in both arms.

A comparison of a concept with its complement is its own exchange, so it is asked once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from biaslab.studies.concepts import (
    Concept,
    ConceptFamily,
    ConceptLesson,
    ConceptRelation,
    LabelledAmount,
    Lessons,
    Matching,
    Population,
    monotonicity,
)
from biaslab.studies.designs import choice_of, value_of
from biaslab.studies.published import published_words
from biaslab.studies.study import Design, Item, Pair, Setting, Value, content_hash
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


NAME = "concept-learning"

_BINS = (
    (Fraction(1, 20), "0.00 to 0.05"),
    (Fraction(1, 10), "0.05 to 0.10"),
    (Fraction(1, 5), "0.10 to 0.20"),
    (Fraction(2, 5), "0.20 to 0.40"),
)
FURTHEST = "0.40 or more"
NO_BOUND = "no threshold"
DISTANCES = (*(name for _, name in _BINS), FURTHEST, NO_BOUND)
"""Bins of the distance from the nearest threshold, as a share of the total; the lower end
belongs to a bin."""


def distance_bin(distance: Fraction | None) -> str:
    """The bin of a distance, exactly."""
    if distance is None:
        return NO_BOUND
    return next((name for end, name in _BINS if distance < end), FURTHEST)


@dataclass(frozen=True, slots=True)
class ConceptPair:
    """Two concepts whose prompts are matched.

    Attributes:
        one, other: the concepts of x and x'; matching: what their prompts share.
        population: the amounts that are asked about.
    """

    one: Concept
    other: Concept
    matching: Matching
    population: Population

    @property
    def directions(self) -> str:
        """How both depend on the part, as computed: ``upward, downward``."""
        each = (monotonicity(concept, self.population) for concept in (self.one, self.other))
        return ", ".join(each)

    @property
    def exchanged(self) -> ConceptPair | None:
        """The complements in exchanged places, whose prompts are these with every answer exchanged.

        None where that is this comparison again.
        """
        if self.matching is Matching.COMPLEMENT:
            return None
        return replace(self, one=self.other.complement, other=self.one.complement)


def pairs_of(
    comparison: ConceptPair, lessons: Lessons, surfaces: Sequence[Surface], *, both_ways: bool
) -> list[Pair]:
    """The matched prompts of one draw as pairs, which share a cluster.

    Args:
        comparison: of which concepts.
        lessons: the draw.
        surfaces: a pair for each.
        both_ways: and one more for each, with the answers exchanged.
    """
    cluster = _draw(comparison, lessons)
    asked = [(comparison, lessons)]
    exchanged = comparison.exchanged
    if both_ways and exchanged is not None:
        turned = Lessons(lessons.other.exchanged, lessons.one.exchanged)
        asked.append((exchanged, turned))
    return [
        _pair(concepts, drawn, surface, cluster)
        for surface in surfaces
        for concepts, drawn in asked
    ]


def _draw(comparison: ConceptPair, lessons: Lessons) -> str:
    return content_hash(
        comparison.one.id, comparison.other.id, _numbers(lessons.one), _numbers(lessons.other)
    )


def _pair(comparison: ConceptPair, lessons: Lessons, surface: Surface, cluster: str) -> Pair:
    draw = _draw(comparison, lessons)
    sides = ((comparison.one, lessons.one), (comparison.other, lessons.other))
    x, x_prime = (_item(concept, lesson, comparison, surface, draw) for concept, lesson in sides)
    strata: dict[str, Value] = {
        "concept": comparison.one.id,
        "semantics": str(surface.semantics),
        "label": "yes" if lessons.one.question.yes else "no",
        "distance": str(x.facts["distance_bin"]),
        "monotonicity": comparison.directions,
    }
    if surface.wording is not None:
        strata["wording"] = surface.wording
    return Pair.of(x, x_prime, strata, cluster)


def _item(
    concept: Concept, lesson: ConceptLesson, comparison: ConceptPair, surface: Surface, draw: str
) -> Item:
    distance = concept.distance(*lesson.question.amount)
    facts: dict[str, Any] = {
        "concept": concept.id,
        "family": str(concept.family),
        "bound": concept.bound,
        "monotonicity": str(monotonicity(concept, comparison.population)),
        "semantics": str(surface.semantics),
        "matching": str(comparison.matching),
        "label": "yes" if lesson.question.yes else "no",
        "distance": None if distance is None else float(distance),
        "distance_bin": distance_bin(distance),
        "examples": [_row(example) for example in lesson.examples],
        "question": [*lesson.question.amount, lesson.question.noun],
        "name": lesson.name,
        "draw": draw,
    }
    if surface.wording is not None:
        facts["wording"] = surface.wording
    words = surface.words
    answer = surface.answer(lesson.question.yes)
    return Item.of(NAME, surface.prompt(concept, lesson), answer, facts, tuple(words))


def _row(example: LabelledAmount) -> list[int | str]:
    return [*example.amount, int(example.yes), example.noun]


def _numbers(lesson: ConceptLesson) -> list[Any]:
    rows = [_row(example) for example in (*lesson.examples, lesson.question)]
    return [lesson.name, rows]


VERSION = Setting(
    "version", "Version of the prompts",
    "2: a choice of wordings, and comparisons both ways. 1: as up to BiasLab 0.4, for old seeds.",
    "choice", "2", choices=("2", "1"),
)  # fmt: skip
BOTH_WAYS, ONE_WAY = "both ways", "one way"
COUNTING = Setting(
    "counting", "Directions of a comparison",
    "Both ways: p and 1 - p are one design, more than 3/10 against less than 7/10 with at least "
    "7/10 against at most 3/10, so that counting alone gives no gap. One way: the first of them "
    "alone; the gap then holds what counting gives, which is shown next to it.",
    "choice", BOTH_WAYS, choices=(BOTH_WAYS, ONE_WAY),
)  # fmt: skip
ALL_WORDINGS = "all three"
WORDING = Setting(
    "wording", "Wording",
    "Ours: “has 12 of them … the wanted number of”; printed: the publication's words, about Alice "
    "and “the desired quantity of the”; after the publication: the same without that “the”, of "
    "many people; neutral: “30 in all, 12 with Mia. Does that fit?”. All three: ours, after the "
    "publication and neutral with the same numbers, so that only the words differ.",
    "choice", OURS, choices=(OURS, PRINTED, AFTER, NEUTRAL, ALL_WORDINGS),
    formerly=((FORMER, AFTER),),
)  # fmt: skip
_OF_FIRST: Mapping[str, str] = {COUNTING.name: ONE_WAY, WORDING.name: OURS}


class PromptPlan(NamedTuple):
    """How the prompts of a design are made.

    Attributes:
        both_ways: whether every comparison comes with its exchange.
        wordings: names of wordings; None: that of version 1, which nothing says.
    """

    both_ways: bool
    wordings: tuple[str, ...] | None


def prompt_plan(design: Design) -> PromptPlan:
    """How the prompts of a design are made.

    Raises:
        DesignError: version 1 is asked for what it did not have.
    """
    if choice_of(design, VERSION) == "1":
        for setting in (COUNTING, WORDING):
            first = _OF_FIRST[setting.name]
            if setting.name in design.settings and choice_of(design, setting) != first:
                raise DesignError(
                    f"{setting.label}: version 1 of the prompts has “{first}” alone.",
                    f"Choose “{first}”, or version 2.",
                    setting.name,
                )
        return PromptPlan(both_ways=False, wordings=None)
    choice_of(design, WORDING)  # refuses any other
    wording = str(value_of(design, WORDING))  # what an older design calls it stays in its items
    every = (OURS, FORMER, NEUTRAL)
    return PromptPlan(
        choice_of(design, COUNTING) == BOTH_WAYS,
        every if wording == ALL_WORDINGS else (wording,),
    )
