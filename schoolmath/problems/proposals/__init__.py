"""Readings proposed by a model or a person, and believed only where the software proves them."""

from schoolmath.problems.proposals.checking import CheckResult, check
from schoolmath.problems.proposals.statements import (
    AmountRelation,
    Proposal,
    ProposalError,
    ProposedStatement,
    schema,
    value_of,
)
from schoolmath.problems.proposals.telling import (
    lines_of,
    sentences_of,
    statement_in_words,
    work_out,
)

__all__ = [
    "AmountRelation",
    "CheckResult",
    "Proposal",
    "ProposalError",
    "ProposedStatement",
    "check",
    "lines_of",
    "schema",
    "sentences_of",
    "statement_in_words",
    "value_of",
    "work_out",
]
