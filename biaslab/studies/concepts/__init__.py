"""Concepts about a part of a total: what they are, and labelled examples of them."""

from biaslab.studies.concepts.concept import (
    Bound,
    Concept,
    Family,
    Monotonicity,
    Relation,
)
from biaslab.studies.concepts.drawing import (
    ORDERS,
    SAMPLINGS,
    Example,
    Lesson,
    LessonDeck,
    Lessons,
    Manner,
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
    SWAPPED,
    Amount,
    Matching,
    Pool,
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
    "ORDERS",
    "PUBLISHED",
    "SAMPLINGS",
    "SWAPPED",
    "Amount",
    "Bound",
    "Concept",
    "ConceptError",
    "Example",
    "Family",
    "Lesson",
    "LessonDeck",
    "Lessons",
    "Manner",
    "Matching",
    "Monotonicity",
    "Pool",
    "Population",
    "Relation",
    "common_pool",
    "counterpart",
    "matching_of",
    "monotonicity",
    "pool",
    "read_concept",
    "read_concepts",
    "require_both_sides",
]
