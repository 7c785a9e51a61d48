"""Concepts about a part of a total: what they are, and labelled examples of them."""

from biaslab.studies.concepts.concept import (
    Concept,
    ConceptFamily,
    ConceptRelation,
    ConceptThreshold,
    Monotonicity,
)
from biaslab.studies.concepts.drawing import (
    ORDERS,
    SAMPLINGS,
    ConceptLesson,
    LabelledAmount,
    LessonDeck,
    LessonManner,
    Lessons,
    common_pool,
)
from biaslab.studies.concepts.parsing import (
    PUBLISHED,
    ConceptError,
    read_concept,
    read_concepts,
)
from biaslab.studies.concepts.population import (
    COMPLEMENT,
    MIRROR,
    OPPOSITE,
    SWAPPED,
    AmountPool,
    CountedAmount,
    Matching,
    Population,
    counterpart,
    matching_of,
    monotonicity,
    pool,
)
from biaslab.studies.concepts.sufficiency import LARGEST_TOTAL, require_both_sides

__all__ = [
    "COMPLEMENT",
    "LARGEST_TOTAL",
    "MIRROR",
    "OPPOSITE",
    "ORDERS",
    "PUBLISHED",
    "SAMPLINGS",
    "SWAPPED",
    "AmountPool",
    "Concept",
    "ConceptError",
    "ConceptFamily",
    "ConceptLesson",
    "ConceptRelation",
    "ConceptThreshold",
    "CountedAmount",
    "LabelledAmount",
    "LessonDeck",
    "LessonManner",
    "Lessons",
    "Matching",
    "Monotonicity",
    "Population",
    "common_pool",
    "counterpart",
    "matching_of",
    "monotonicity",
    "pool",
    "read_concept",
    "read_concepts",
    "require_both_sides",
]
