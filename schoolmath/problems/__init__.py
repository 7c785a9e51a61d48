"""What a word problem is: logical forms, exact solving, quantities and wording."""

from schoolmath.problems.draws import Balanced, Draws
from schoolmath.problems.errors import (
    ContradictoryProblem,
    DesignError,
    InexactDivision,
    ProblemError,
    UnsolvableProblem,
    VocabularyError,
)
from schoolmath.problems.logic import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    Container,
    Entity,
    Predicate,
    Problem,
    Question,
    Rate,
    Statement,
    Transfer,
)
from schoolmath.problems.solving import Operation, Possession, ReasoningStep, Solution, solve
from schoolmath.problems.vocabulary import Vocabulary, look_alike, vocabulary
from schoolmath.problems.writing import Text, phrasings, write, write_question, write_statement

__all__ = [
    "Balanced",
    "Comparison",
    "ComparisonForm",
    "ComparisonType",
    "Container",
    "ContradictoryProblem",
    "DesignError",
    "Draws",
    "Entity",
    "InexactDivision",
    "Operation",
    "Possession",
    "Predicate",
    "Problem",
    "ProblemError",
    "Question",
    "Rate",
    "ReasoningStep",
    "Solution",
    "Statement",
    "Text",
    "Transfer",
    "UnsolvableProblem",
    "Vocabulary",
    "VocabularyError",
    "look_alike",
    "phrasings",
    "solve",
    "vocabulary",
    "write",
    "write_question",
    "write_statement",
]
