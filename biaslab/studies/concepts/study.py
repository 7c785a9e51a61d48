"""Concept learning: is an upward concept learned from examples more easily than a downward one?

Labelled examples of a concept about a part of a total ("more than 3/10"), then an unseen
question. The concept is hidden behind a phrase or a made-up word, or said outright. A pair asks
about two concepts with matched prompts (`biaslab.studies.concepts.drawing`): mirrored
concepts share totals and labels, complements share totals and parts.

The publication compares "more than p" with "less than p"; their pools differ up to 8 to 1 at the
same p, so here "more than p" is compared with its mirror, "less than 1 - p", unless told otherwise,
and with the answers exchanged as well (`biaslab.studies.concepts.items`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from biaslab.models import ModelForm, Skill
from biaslab.studies.concepts import (
    COMPLEMENT,
    LARGEST_TOTAL,
    MIRROR,
    OPPOSITE,
    ORDERS,
    PUBLISHED,
    SAMPLINGS,
    SWAPPED,
    Concept,
    LessonDeck,
    LessonManner,
    Population,
    counterpart,
    matching_of,
    read_concepts,
    require_both_sides,
)
from biaslab.studies.concepts.items import (
    ANSWERS,
    COUNTING,
    FEWER,
    FREQUENT,
    LESS,
    NAME,
    ONE_WAY,
    PRINTED,
    PRINTED_NAME,
    VERSION,
    WORDING,
    ConceptPair,
    Semantics,
    Surface,
    pairs_of,
    plurals,
    prompt_plan,
)
from biaslab.studies.concepts.prompts import CONCEPT_STRATEGIES, read_answer
from biaslab.studies.designs import (
    choice_of,
    integer_of,
    range_of,
    value_of,
)
from biaslab.studies.results import Expectation, FurtherColumns, ResultsPage
from biaslab.studies.study import (
    Answered,
    Arms,
    Design,
    Experiment,
    Item,
    NamedDesign,
    Pair,
    Reading,
    Setting,
    Stratum,
)
from schoolmath.problems import BalancedDeck, DesignError, Draws, vocabulary

BOTH = "hidden and explicit"
INCLUDED, EXCLUDED = "included", "excluded"
MOST_SHOTS = 50
"""Most examples of each answer: a limit of this app."""

CONCEPT = Setting(
    "concept", "Concept",
    "Such as: more than 3/10, at most 20, between 1/4 and 3/4, all, an even number, "
    "swapped: more than 1/2. Several with semicolons; published: more than 1/10 to 9/10.",
    "text", "more than 3/10",
)  # fmt: skip
AGAINST = Setting(
    "against", "Compared with",
    "A concept, or mirror (says of the rest what the first says of the part), opposite (less for "
    "more of the same bound, as in the publication's figure), complement (says yes where the first "
    "says no), or swapped (the same phrase, answers exchanged).",
    "text", MIRROR,
)  # fmt: skip
SEMANTICS = Setting(
    "semantics", "What the prompt says of it",
    "Hidden: some amount is wanted; made-up: a word that means nothing; explicit: the concept "
    "itself. Hidden and explicit: the same prompts in both ways, for a paired comparison.",
    "choice", Semantics.HIDDEN.value, choices=(*(each.value for each in Semantics), BOTH),
)  # fmt: skip
WORDS = Setting(
    "answers", "Answer words", "The two answers that the examples show.",
    "choice", "yes-no", choices=tuple(ANSWERS),
)  # fmt: skip
SHOTS = Setting(
    "shots", "Examples of each answer", "As many that are right as that are not; 10 as published.",
    "integer", 10, 0, MOST_SHOTS,
)  # fmt: skip
TOTALS = Setting(
    "totals", "Totals", "Smallest and largest number of things in all.",
    "range", "5-100", 2, LARGEST_TOTAL,
)  # fmt: skip
MIN_HAS = Setting(
    "min_has", "Smallest part", "Whether somebody may have nothing at all (0) or has at least 1.",
    "integer", 0, 0, 1,
)  # fmt: skip
TIES = Setting(
    "ties", "Parts exactly on the threshold",
    "Included: “more than” and “less than” are both not true of them; excluded: never asked.",
    "choice", INCLUDED, choices=(INCLUDED, EXCLUDED),
)  # fmt: skip
SAMPLING = Setting(
    "sampling", "Amounts drawn by",
    "Pairs: every pair of total and part is equally likely, which favours large totals; totals: "
    "every total is.",
    "choice", SAMPLINGS[0], choices=SAMPLINGS,
)  # fmt: skip
ORDER = Setting(
    "order", "Order of the examples", "Shuffled, taking turns, or one answer first.",
    "choice", ORDERS[0], choices=ORDERS,
)  # fmt: skip
NOUNS = Setting(
    "nouns", "Things", "Ours, frequent (a hundred frequent nouns, as the publication took), or "
    "plurals of your own with commas.",
    "text", "ours",
)  # fmt: skip
LESS_WORD = Setting(
    "less", "Word for less", "In explicit prompts.", "choice", LESS, choices=(LESS, FEWER),
)  # fmt: skip

MONOTONE = Expectation(
    "upward concepts are learned more easily than downward ones",
    "the 2025 study of monotone concepts in language models",
)

AS_PUBLISHED = NamedDesign(
    "published",
    "Nine fractions, more and less than each, hidden and explicit, ten and ten examples, 500 "
    "questions an accuracy, in the publication's words and about frequent things.",
    9_000,
    {
        CONCEPT.name: PUBLISHED, AGAINST.name: OPPOSITE, COUNTING.name: ONE_WAY,
        SEMANTICS.name: BOTH, WORDING.name: PRINTED, NOUNS.name: FREQUENT, WORDS.name: "yes-no",
        SHOTS.name: 10, TOTALS.name: "5-100", MIN_HAS.name: 0, TIES.name: INCLUDED,
        SAMPLING.name: SAMPLINGS[0], ORDER.name: ORDERS[0], LESS_WORD.name: LESS, VERSION.name: "2",
    },
)  # fmt: skip
"""The publication's eighteen concepts. Over all nine fractions counting gives no gap one way
either: “more than p” and “less than p” are told by counting equally often."""

_OTHERS_OF_PUBLISHED = {OPPOSITE: "less than p", MIRROR: "less than 1 - p"}
"""What “more than p” is compared with, by the choice that makes it."""

_ATTEMPTS = 200
"""After so many draws that were all there before, there are no more."""


@dataclass(frozen=True, slots=True)
class ConceptLearning(Experiment):
    """The study of concepts about a part of a total."""

    name: str = NAME
    title: str = "Learning a concept from examples"
    question: str = "Is a concept like “more than” learned more easily than one like “less than”?"
    source: str = "the 2025 study of monotone concepts in language models (OLMo-2, K2)"
    asks: Skill = Skill.JUDGE
    reader: str = "likelihoods 1"
    expects: Expectation | None = MONOTONE
    arms: Arms = Arms("upward concept", "downward concept")
    strata: tuple[Stratum, ...] = (
        Stratum("concept", "concept", "The first concept of the pair."),
        Stratum("semantics", "what the prompt says", "Hidden, made-up word, or explicit."),
        Stratum("label", "right answer", "Of the question about the first concept."),
        Stratum("distance", "distance from the threshold", "Share of the total, first concept."),
        Stratum("monotonicity", "direction", "Of both concepts, computed from what they say."),
        Stratum("wording", "wording", "How the amounts are worded; version 1 has one."),
    )
    settings: tuple[Setting, ...] = (
        CONCEPT, AGAINST, COUNTING, SEMANTICS, WORDING, WORDS, SHOTS, TOTALS, MIN_HAS, TIES,
        SAMPLING, ORDER, NOUNS, LESS_WORD, VERSION,
    )  # fmt: skip
    strategies = CONCEPT_STRATEGIES
    versions_since: int = 3
    named_designs: tuple[NamedDesign, ...] = (AS_PUBLISHED,)
    baselines = ("count",)
    system = "concepts"
    results_page = ResultsPage("concepts", "How concepts were learned", {"view": "results"})

    def further_columns(self) -> FurtherColumns:
        """Yes-rate, d' and criterion; what counting gives, and what goes beyond it."""
        from biaslab.studies.concepts.answers import run_answers
        from biaslab.studies.concepts.results import CONCEPT_COLUMNS, concept_cells, warnings_of

        return FurtherColumns(
            CONCEPT_COLUMNS,
            (),
            concept_cells,
            "Yes-rate, d', criterion and what goes beyond counting are over samples, not votes.",
            lambda items: [
                f"Run {run.run}: {sentence}"
                for run in run_answers(items)
                for sentence in warnings_of(run)
            ],
            rank=2,
        )

    def draw(self, design: Design) -> Iterator[Pair]:
        """Pairs dealt over the concepts; questions of each have yes and no equally often.

        Pairs in a row that differ in what the prompt says, in its wording or in the exchange of
        answers have the same numbers.

        Raises:
            DesignError: a concept cannot be read, has an empty side or too few amounts, or the
                things are no list.
        """
        surfaces, both_ways = _surfaces(design), prompt_plan(design).both_ways
        manner, things = self.manner(design), plurals(str(value_of(design, NOUNS)))
        printed = value_of(design, WORDING) == PRINTED
        names = [PRINTED_NAME] if printed else [name.text for name in vocabulary().names]
        words = _LessonWords(things, names)
        decks = [
            _Deal(comparison, manner, Draws(f"{NAME}/{comparison.one.id}/{design.seed}"), words)
            for comparison in self.comparisons(design)
        ]
        turns = BalancedDeck(Draws(f"{NAME}/{design.seed}"), decks)
        while True:
            yield from turns.next().next(surfaces, both_ways=both_ways)

    def of_design(self, design: Design) -> ConceptLearning:
        """The same study with its concepts as arms, where every pair compares them one way."""
        first, other = str(value_of(design, CONCEPT)), str(value_of(design, AGAINST)).casefold()
        try:
            if prompt_plan(design).both_ways:
                return self
            comparisons = self.comparisons(design)
        except DesignError:
            return self
        if len(comparisons) == 1:
            return replace(self, arms=Arms(comparisons[0].one.id, comparisons[0].other.id))
        if first == PUBLISHED and other in _OTHERS_OF_PUBLISHED:
            return replace(self, arms=Arms("more than p", _OTHERS_OF_PUBLISHED[other]))
        return self

    def comparisons(self, design: Design) -> tuple[ConceptPair, ...]:
        """The concepts of a design with those they are compared with, each checked.

        Raises:
            DesignError: as `pairs`.
        """
        manner = self.manner(design)
        concepts = read_concepts(str(value_of(design, CONCEPT)), CONCEPT.name)
        others = _others(concepts, str(value_of(design, AGAINST)))
        found = []
        for one, other in zip(concepts, others, strict=True):
            matching = matching_of(one, other, manner.population)
            require_both_sides(one, other, matching, manner.population, manner.shots)
            found.append(ConceptPair(one, other, matching, manner.population))
        return tuple(found)

    def manner(self, design: Design) -> LessonManner:
        """How the examples of a design are drawn.

        Raises:
            DesignError: a setting is out of range, or there are no examples and the concept is
                not said.
        """
        totals = range_of(design, TOTALS)
        shots = integer_of(design, SHOTS)
        if shots == 0 and choice_of(design, SEMANTICS) != Semantics.EXPLICIT:
            raise DesignError(
                "Without examples nobody can know what a hidden concept means.",
                "The nearest setting that works is 1.",
                SHOTS.name,
            )
        population = Population(
            totals.low,
            totals.high,
            integer_of(design, MIN_HAS),
            choice_of(design, TIES) == INCLUDED,
        )
        return LessonManner(
            population, shots, choice_of(design, ORDER), choice_of(design, SAMPLING)
        )

    def read(
        self,
        item: Item,
        responses: Sequence[Answered],
        form: ModelForm,  # noqa: ARG002
    ) -> Reading:
        """Right when the more probable, or the written, answer is the right one."""
        return read_answer(item, responses)


class _LessonWords(NamedTuple):
    """Things and people that examples may be about."""

    things: Sequence[str]
    names: Sequence[str]


class _Deal:
    """Pairs of one comparison, one draw after the other."""

    def __init__(
        self,
        comparison: ConceptPair,
        manner: LessonManner,
        draws: Draws,
        words: _LessonWords,
    ) -> None:
        self._comparison = comparison
        self._draws = draws
        self._labels = BalancedDeck(draws, (True, False))
        self._deck = LessonDeck(
            comparison.one, comparison.other, comparison.matching, manner, *words
        )
        self._seen: set[str] = set()

    def next(self, surfaces: Sequence[Surface], *, both_ways: bool) -> list[Pair]:
        """One draw in every surface, and with its answers exchanged.

        Raises:
            DesignError: there are no more different ones.
        """
        yes = self._labels.next()
        for _ in range(_ATTEMPTS):
            lessons = self._deck.draw(self._draws, yes=yes)
            pairs = pairs_of(self._comparison, lessons, surfaces, both_ways=both_ways)
            if pairs[0].id not in self._seen:
                self._seen.add(pairs[0].id)
                return pairs
        raise DesignError(
            f"There are no more than about {len(self._seen):,} different prompts.",
            "Ask for fewer pairs, or choose a wider range of totals.",
            "n",
        )


def _surfaces(design: Design) -> tuple[Surface, ...]:
    chosen = choice_of(design, SEMANTICS)
    semantics = (Semantics.HIDDEN, Semantics.EXPLICIT) if chosen == BOTH else (Semantics(chosen),)
    return tuple(
        Surface(each, choice_of(design, WORDS), choice_of(design, LESS_WORD), wording)
        for each in semantics
        for wording in prompt_plan(design).wordings or (None,)
    )


def _others(concepts: Sequence[Concept], text: str) -> tuple[Concept, ...]:
    wanted = text.strip().casefold()
    if wanted in (MIRROR, OPPOSITE, COMPLEMENT, SWAPPED):
        return tuple(counterpart(concept, wanted) for concept in concepts)
    others = read_concepts(text, AGAINST.name)
    if len(others) == 1 and len(concepts) > 1:
        others *= len(concepts)
    if len(others) != len(concepts):
        raise DesignError(
            f"{len(concepts)} concepts cannot be compared with {len(others)}.",
            f"Name as many, or {MIRROR}, {OPPOSITE}, {COMPLEMENT} or {SWAPPED}.",
            AGAINST.name,
        )
    return others


EXPERIMENT = ConceptLearning()

STUDIES = (EXPERIMENT,)
